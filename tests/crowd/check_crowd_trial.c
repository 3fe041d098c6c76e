/* SPDX-License-Identifier: MIT */
/* A trial: a random world, and an empty crowd in it. */
#include "crowd/check_crowd.h"
#include "models/options.h"

#include <string.h>

enum {
    FAR_SEEDS = 5,  ///< only seeds divisible by this have far layers
    MANY_LINKS = 48 ///< most links of a world
};

/* Adds the opposite of each link. */
static void join_both_ways(world *w) {
    const int count = w->link_count;
    for (int i = 0; i < count && w->link_count < MANY_LINKS; i++) {
        const wend_link back = {w->links[i].to, w->links[i].from, w->links[i].cost, 0};
        if (world_find_link(w, back.from, back.to) == w->link_count) world_put_link(w, NULL, back);
    }
}

static void make_world(trial *t) {
    static const int kinds[] = {WEND_KIND_GRID, WEND_KIND_GRID, WEND_KIND_VOXEL, WEND_KIND_GRAPH};
    world_options options = {.kind = kinds[oracle_below(&t->random, 4)]};
    t->far = options.kind == WEND_KIND_GRID && t->seed % FAR_SEEDS == 0;
    options.slow = oracle_below(&t->random, 2), options.links = oracle_below(&t->random, 4) == 0;
    options.steps = oracle_below(&t->random, 3) == 0, options.movers = oracle_below(&t->random, 2);
    if (t->far)
        world_fill_long(&t->w, &t->random, &options);
    else
        world_fill(&t->w, &t->random, &options);
    if (oracle_below(&t->random, 2)) join_both_ways(&t->w);
    t->map = world_map(&t->w);
    wend_acceleration fast = default_acceleration();
    fast.far = 1;
    for (; t->far && fast.mover < t->w.mover_count; fast.mover++)
        CHECK(wend_map_accelerate(t->map, &fast) == WEND_OK, "accelerate");
}

void trial_open(trial *t, uint64_t seed) {
    uint64_t operations = t->operations, field_goals = t->field_goals, far_routes = t->far_routes, hash = t->hash,
             endings[16], waits[16];
    memcpy(waits, t->waits, sizeof waits);
    memcpy(endings, t->endings, sizeof endings);
    memset(t, 0, sizeof *t);
    t->hash = hash;
    memcpy(t->endings, endings, sizeof endings);
    memcpy(t->waits, waits, sizeof waits);
    t->operations = operations, t->field_goals = field_goals, t->far_routes = far_routes;
    t->seed = t->random.state = seed;
    make_world(t);
    wend_service_def service = default_service();
    service.queue = 2 + (uint32_t)oracle_below(&t->random, 40);
    service.nodes = 32 * WEND_PAGE_NODES;
    CHECK(wend_service_create(&service, &t->service) == WEND_OK, "no service");
    wend_crowd_def def = default_crowd();
    def.agents = ACTORS, def.service = t->service, def.map = t->map;
    tuning_of(&def)->tries = 1 + (uint32_t)oracle_below(&t->random, 8);
    tuning_of(&def)->retry_updates = 1 + (uint32_t)oracle_below(&t->random, 8);
    tuning_of(&def)->units_within = oracle_below(&t->random, 40);
    def.path_bytes = oracle_below(&t->random, 2) ? 0 : 1;
    tuning_of(&def)->head_start = oracle_below(&t->random, 2) ? (uint32_t)oracle_below(&t->random, 40) : 0;
    tuning_of(&def)->fields = (uint32_t)oracle_below(&t->random, 3);
    tuning_of(&def)->field_agents = 1 + (uint32_t)oracle_below(&t->random, 4);
    tuning_of(&def)->work = oracle_below(&t->random, 2) ? (uint32_t)oracle_below(&t->random, 200) : 0;
    tuning_of(&def)->patience_updates = oracle_below(&t->random, 2) ? (uint32_t)oracle_below(&t->random, 40) : 0;
    if (t->far) tuning_of(&def)->far_beyond = 100 + (uint32_t)oracle_below(&t->random, 60);
    t->polls = oracle_below(&t->random, 4) == 0;
    if (!t->polls) def.on_event = trial_event;
    tuning_of(&def)->events = t->polls ? ACTORS : 1024;
    def.context = t;
    CHECK(wend_crowd_create(&def, &t->crowd) == WEND_OK, "no crowd");
}

void trial_close(trial *t) {
    CHECK(wend_crowd_destroy(t->crowd) == WEND_OK, "destroy");
    CHECK(wend_service_destroy(t->service) == WEND_OK, "destroy");
    wend_map_release(t->map);
    world_free(&t->w);
}
