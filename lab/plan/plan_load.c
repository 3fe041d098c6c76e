/* SPDX-License-Identifier: MIT */
/* Makes the load of a plan: agents, frames, starts and goals of the requests. The same demand makes the same load on
 * every machine. */
#include <stdlib.h>

#include <wend/query.h>

#include "oracle/terrain_copy.h"
#include "plan/plan.h"
#include "shared/messages.h"
#include "shared/random.h"

enum { TRIES = 64, ASKS_MIN = 2000, ASKS_MAX = 4000000, SECONDS_MIN = 4, FRAMES_MAX = 2000000 };

static wend_cell random_place(const wend_map_info *info, uint64_t *random) {
    wend_cell cell;
    cell.x = random_between(random, 0, info->width - 1);
    cell.y = random_between(random, 0, info->height - 1);
    cell.z = random_between(random, 0, info->depth - 1);
    return cell;
}

static bool can_stand(const plan_load *load, wend_cell cell) {
    bool open = false;
    return wend_map_reachable(load->map, load->mover, cell, cell, &open) == WEND_OK && open == 1;
}

static bool reachable_other(const plan_load *load, wend_cell from, wend_cell to) {
    bool reachable = false;
    return !same_cell(from, to) && wend_map_reachable(load->map, load->mover, from, to, &reachable) == WEND_OK &&
           reachable == 1;
}

/* The cell after `cell` in the order of x, y, z. */
static wend_cell next_cell(const wend_map_info *info, wend_cell cell) {
    if (++cell.x < info->width) return cell;
    cell.x = 0;
    if (++cell.y < info->height) return cell;
    cell.y = 0;
    cell.z = (cell.z + 1) % info->depth;
    return cell;
}

/* Where few cells are open, the last random cell is followed by a scan for the next one with a neighbourhood. */
static bool random_start(const plan_load *load, uint64_t *random, wend_cell *out) {
    wend_cell cell = {0, 0, 0}, other;
    for (int i = 0; i < TRIES; i++) {
        cell = random_place(&load->info, random);
        if (!can_stand(load, cell)) continue;
        if (wend_map_random_cell(load->map, load->mover, cell, wend__random(random), &other) != WEND_OK) continue;
        *out = cell;
        if (!same_cell(cell, other)) return true;
    }
    uint64_t all = (uint64_t)load->info.width * (uint64_t)load->info.height * (uint64_t)load->info.depth;
    for (uint64_t i = 0; i < all; i++) {
        cell = next_cell(&load->info, cell);
        if (!can_stand(load, cell)) continue;
        wend_map_random_cell(load->map, load->mover, cell, 0, &other);
        *out = cell;
        if (!same_cell(cell, other)) return true;
    }
    return false;
}

/* ---- goals ---- */

/* Returns a cell with a larger distance along an axis of exactly `distance`. */
static wend_cell cell_on_ring(const plan_load *load, wend_cell from, int32_t distance, uint64_t *random) {
    int32_t away[3];
    for (int axis = 0; axis < 3; axis++) away[axis] = random_between(random, -distance, distance);
    const bool space = load->info.depth > 1;
    const uint64_t side = random_below(random, space ? 6 : 4);
    away[side / 2] = side % 2 == 0 ? -distance : distance;
    return (wend_cell){from.x + away[0], from.y + away[1], space ? from.z + away[2] : from.z};
}

/* From a cell on the ring step by step nearer, to the first that can be reached. @return its distance, 0: none can */
static int32_t nearer_cell(const plan_load *load, wend_cell from, wend_cell ring, int32_t distance, wend_cell *out) {
    for (int32_t left = distance - 1; left > 0; left--) {
        const int64_t x = (int64_t)(ring.x - from.x) * left / distance,
                      y = (int64_t)(ring.y - from.y) * left / distance;
        const int64_t z = (int64_t)(ring.z - from.z) * left / distance;
        const wend_cell cell = {from.x + (int32_t)x, from.y + (int32_t)y, from.z + (int32_t)z};
        if (!reachable_other(load, from, cell)) continue;
        *out = cell;
        return left;
    }
    return 0;
}

static wend_cell choose_goal(plan_load *load, wend_cell from, int32_t distance, uint64_t *random) {
    wend_cell goal = from;
    for (int i = 0; i < TRIES && distance > 0; i++) {
        const wend_cell ring = cell_on_ring(load, from, distance, random);
        if (reachable_other(load, from, ring)) return ring;
    }
    if (distance > 0) {
        int32_t best = 0;
        for (int i = 0; i < TRIES; i++) {
            wend_cell cell;
            const int32_t got = nearer_cell(load, from, cell_on_ring(load, from, distance, random), distance, &cell);
            if (got <= best) continue;
            best = got;
            goal = cell;
        }
        load->nearer++;
        if (best > 0) return goal;
    }
    for (int i = 0; i < TRIES && same_cell(goal, from); i++)
        wend_map_random_cell(load->map, load->mover, from, wend__random(random), &goal);
    return goal;
}

/* ---- when ---- */

/* The frame of an agent's request number k: a random moment of the k-th interval between two requests. */
static uint64_t asking_frame(const plan_demand *demand, uint64_t k, uint64_t random) {
    const uint64_t interval = demand->hz * 1000000,
                   milli = (uint64_t)demand->asks_milli; /* in thousandths of a frame */
    return (k * interval + ((random >> 32) * interval >> 32)) / milli / 1000;
}

/* How many frames: some seconds, many times `within`, and requests enough for a p99. */
static uint64_t choose_frames(const plan_demand *demand, uint64_t within) {
    const uint64_t a_second = demand->agents * (uint64_t)demand->asks_milli; /* in thousandths */
    uint64_t frames = demand->hz * SECONDS_MIN,
             enough = (ASKS_MIN * UINT64_C(1000) * demand->hz + a_second - 1) / a_second;
    if (frames < enough) frames = enough;
    if (frames < 20 * within) frames = 20 * within;
    return frames < FRAMES_MAX ? frames : FRAMES_MAX;
}

/* Sorts the requests by frame, those of a frame by agent. */
static int compare_asks(const void *left, const void *right) {
    const plan_ask *a = left, *b = right;
    if (a->frame != b->frame) return a->frame < b->frame ? -1 : 1;
    return (a->agent > b->agent) - (a->agent < b->agent);
}

/* Each agent's requests by its own random numbers: count them, or write them. */
static size_t put_frames(plan_load *load, const plan_demand *demand, plan_ask *out) {
    size_t count = 0;
    for (uint32_t agent = 0; agent < load->agents; agent++) {
        uint64_t random = demand->seed ^ (uint64_t)agent << 32;
        for (uint64_t k = 0;; k++) {
            const uint64_t frame = asking_frame(demand, k, wend__random(&random));
            if (frame >= load->frames) break;
            if (out) out[count] = (plan_ask){.frame = (uint32_t)frame, .agent = agent};
            if (++count > ASKS_MAX) return count;
        }
    }
    return count;
}

static bool no_memory(void) {
    return lab_fail("out of memory for the requests");
}

static bool choose_places(plan_load *load, uint64_t *random) {
    for (uint32_t agent = 0; agent < load->agents; agent++)
        if (!random_start(load, random, &load->places[agent])) return false;
    return true;
}

/* An agent starts at its last goal. */
static bool make_goals(plan_load *load, const plan_demand *demand, uint64_t *random) {
    wend_cell *at = malloc(load->agents * sizeof *at);
    if (!at) return no_memory();
    for (uint32_t agent = 0; agent < load->agents; agent++) at[agent] = load->places[agent];
    for (size_t i = 0; i < load->count; i++) {
        plan_ask *ask = &load->asks[i];
        ask->start = at[ask->agent];
        ask->goal = at[ask->agent] = choose_goal(load, ask->start, (int32_t)demand->distance, random);
    }
    free(at);
    return true;
}

void plan_load_open(plan_load *load, const plan_demand *demand, wend_map *map, int32_t mover,
                    const plan_recorded *recorded) {
    *load = (plan_load){.map = map,
                        .info = {.struct_bytes = sizeof load->info},
                        .mover = mover,
                        .agents = (uint32_t)demand->agents,
                        .within = demand->within_ms * demand->hz / 1000,
                        .hz = demand->hz,
                        .walk = demand->walk,
                        .recorded = recorded,
                        .replayed = recorded != NULL && demand->agents == 0};
    wend_map_get_info(map, &load->info);
}

/* The recorded requests in their frames, the first in frame 0. */
static bool copy_recorded(plan_load *load) {
    const plan_recorded *recorded = load->recorded;
    const uint32_t first = recorded->asks[0].frame;
    load->asks = malloc(recorded->count * sizeof *load->asks);
    if (!load->asks) return no_memory();
    load->count = recorded->count;
    for (size_t i = 0; i < load->count; i++) {
        load->asks[i] = recorded->asks[i];
        load->asks[i].frame -= first;
    }
    load->frames = (uint64_t)load->asks[load->count - 1].frame + 1;
    if (load->frames > FRAMES_MAX) return lab_fail("the recording has %llu frames", (unsigned long long)load->frames);
    return true;
}

/* Each request is a recorded one, chosen at random. */
static void draw_recorded(plan_load *load, uint64_t *random) {
    const plan_recorded *recorded = load->recorded;
    for (size_t i = 0; i < load->count; i++) {
        plan_ask *ask = &load->asks[i];
        const plan_ask *drawn = &recorded->asks[random_below(random, recorded->count)];
        ask->start = drawn->start;
        ask->goal = drawn->goal;
        ask->urgency = drawn->urgency;
        ask->kind = drawn->kind;
    }
}

bool plan_load_make(plan_load *load, const plan_demand *demand) {
    if (load->replayed) return copy_recorded(load);
    uint64_t random = ~demand->seed;
    load->frames = choose_frames(demand, load->within);
    load->count = put_frames(load, demand, NULL);
    while (load->count > ASKS_MAX && load->frames > 1) {
        load->frames /= 2;
        load->count = put_frames(load, demand, NULL);
    }
    if (load->count == 0) return lab_fail("plan: so few requests that none comes in %u frames", (unsigned)load->frames);
    load->asks = malloc(load->count * sizeof *load->asks);
    load->places = malloc(load->agents * sizeof *load->places);
    if (!load->asks || !load->places) return no_memory();
    put_frames(load, demand, load->asks);
    qsort(load->asks, load->count, sizeof *load->asks, compare_asks);
    if (load->recorded) {
        draw_recorded(load, &random);
        return true;
    }
    if (!choose_places(load, &random))
        return lab_fail_at(demand->map_name, "no two cells are connected: there is nothing to ask for");
    return make_goals(load, demand, &random);
}

void plan_load_cut(plan_load *load, uint64_t frames) {
    while (load->count > 0 && load->asks[load->count - 1].frame >= frames) load->count--;
    load->frames = frames;
}

void plan_load_free(plan_load *load) {
    free(load->asks);
    free(load->places);
    load->asks = NULL;
    load->places = NULL;
}
