/* SPDX-License-Identifier: MIT */
/* Random worlds of agents of several sizes, ghosts, and units of the host: no agent shares a cell, steps off the
 * ground, or goes through another. The checker compares all pairs. */
#include "agents/manners/traffic.h"
#include "map/version/version.h"
#include "models/apart.h"
#include "models/defaults.h"
#include "models/few_or_many.h"
#include "models/random.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>
#include <wend/units.h>

enum { MOST = 40, SIDE = 20, SIZES = 4, HOST_UNITS = 4 };

typedef struct hustle {
    uint64_t random;
    int32_t width, height;
    uint8_t open[SIDE][SIDE];
    wend_map *map;
    wend_map_info info;
    int32_t mover_of_size[SIZES + 1];
    uint32_t count;
    void *memory;
    wend__traffic *traffic;
    wend__traffic_agent *t;
    wend__traffic_agent before[MOST];
    uint32_t left[MOST]; ///< frames of the step under way
    wend_cell goal[MOST];
    wend_cell hosts[HOST_UNITS];
    uint32_t steps, pushes;
} hustle;

static wend__work plenty = {.left = UINT32_MAX};

/* ---- the checker's ground ---- */

static bool can_stand(const hustle *h, int32_t x, int32_t y, int32_t size) {
    if (x < 0 || y < 0 || x + size > h->width || y + size > h->height) return false;
    for (int32_t j = y; j < y + size; j++)
        for (int32_t i = x; i < x + size; i++)
            if (!h->open[j][i]) return false;
    return true;
}

static bool can_step(const hustle *h, wend_cell a, wend_cell b, int32_t size) {
    if (abs(a.x - b.x) > 1 || abs(a.y - b.y) > 1 || (a.x == b.x && a.y == b.y)) return false;
    return can_stand(h, b.x, b.y, size) && can_stand(h, a.x, b.y, size) && can_stand(h, b.x, a.y, size);
}

static stand stand_now(const hustle *h, const wend__traffic_agent *t) {
    return stand_of(&h->info, t->from, t->at, t->size);
}

static void check_pair(const hustle *h, uint32_t i, uint32_t j) {
    const stand a = stand_now(h, &h->t[i]), b = stand_now(h, &h->t[j]);
    cr_assert(!stands_overlap(&h->info, &a, &b), "%u and %u share a cell", i, j);
    cr_assert(!stands_cross(&h->info, &a, &b), "%u and %u go through each other", i, j);
}

static bool covers(const hustle *h, const wend__traffic_agent *t, wend_cell cell) {
    const stand own = stand_now(h, t), unit = stand_of(&h->info, cell, cell, 1);
    return stands_overlap(&h->info, &own, &unit);
}

static void check_one(const hustle *h, uint32_t i) {
    const wend__traffic_agent *t = &h->t[i], *was = &h->before[i];
    if (!t->moved) {
        cr_assert(!memcmp(&t->at, &was->at, sizeof t->at) && !memcmp(&t->from, &was->from, sizeof t->from));
        return;
    }
    cr_assert(was->ready && !memcmp(&t->from, &was->at, sizeof t->at));
    cr_assert(can_step(h, t->from, t->at, t->size), "%u makes an illegal step", i);
    cr_assert_eq(!!t->pushed, memcmp(&t->at, &was->next, sizeof t->at) != 0);
    cr_assert(!(t->pushed && t->steered), "%u is steered and was pushed", i);
    for (int k = 0; k < HOST_UNITS && !t->ghost; k++)
        cr_assert(!covers(h, t, h->hosts[k]), "%u steps on a unit of the host", i);
}

static void check_units(const hustle *h) {
    for (int32_t y = 0; y < h->height; y++)
        for (int32_t x = 0; x < h->width; x++) {
            uint32_t units = 0, expected = 0;
            wend_map_get_occupants(h->map, (wend_cell){x, y, 0}, &units);
            int32_t holder = wend__traffic_holder(h->traffic, (wend_cell){x, y, 0}), other = WEND__NO_AGENT;
            for (int k = 0; k < HOST_UNITS; k++) expected += h->hosts[k].x == x && h->hosts[k].y == y;
            for (uint32_t i = 0; i < h->count; i++) {
                const wend__traffic_agent *t = &h->t[i];
                if (!t->present || t->ghost) continue;
                if (covers(h, t, (wend_cell){x, y, 0})) expected++, other = (int32_t)i;
            }
            cr_assert(units == expected && holder == other);
        }
}

static void check(const hustle *h) {
    for (uint32_t i = 0; i < h->count; i++) {
        if (!h->t[i].present) continue;
        check_one(h, i);
        for (uint32_t j = 0; j < i && !h->t[i].ghost; j++)
            if (h->t[j].present && !h->t[j].ghost) check_pair(h, j, i);
    }
}

/* Checks that the first steered agent gets its step if no agent was in its way before the decision. */
static void check_steered(const hustle *h) {
    uint32_t i = 0;
    while (i < h->count && !(h->before[i].present && h->before[i].steered)) i++;
    if (i == h->count || !h->before[i].ready || h->before[i].ghost || h->t[i].moved) return;
    wend__traffic_agent own = h->before[i];
    if (own.next.x == own.at.x && own.next.y == own.at.y) return;
    own.from = own.at, own.at = own.next;
    bool hindered = false;
    for (int k = 0; k < HOST_UNITS; k++) hindered |= covers(h, &own, h->hosts[k]);
    const stand to = stand_now(h, &own);
    for (uint32_t j = 0; j < h->count; j++) {
        const wend__traffic_agent *other = &h->before[j];
        if (j == i || !other->present || other->ghost) continue;
        const stand its = stand_now(h, other);
        hindered |= stands_overlap(&h->info, &to, &its) || stands_cross(&h->info, &to, &its);
        hindered |= other->steered; /* two of them may want the same cell */
    }
    cr_assert(hindered, "%u is steered, has a free way, and stays", i);
}

/* ---- the world ---- */

static void found(hustle *h, uint64_t seed) {
    *h = (hustle){.random = seed};
    h->width = 4 + (int32_t)draw(&h->random, SIDE - 3), h->height = 4 + (int32_t)draw(&h->random, SIDE - 3);
    uint32_t walls = draw(&h->random, 3) * 10;
    wend_map_def def = default_map();
    def.kind = WEND_KIND_GRID, def.width = h->width, def.height = h->height;
    cr_assert_eq(wend_map_create(&def, &h->map), WEND_OK);
    h->info = info_now(h->map);
    wend_edit *edit = begin_edit(h->map);
    for (int32_t y = 0; y < h->height; y++)
        for (int32_t x = 0; x < h->width; x++) {
            h->open[y][x] = draw(&h->random, 100) >= walls;
            cr_assert_eq(wend_edit_set_cell(edit, (wend_cell){x, y, 0}, h->open[y][x]), WEND_OK);
        }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    for (int32_t size = 2; size <= SIZES; size++) {
        h->mover_of_size[size] = add_mover_of_size(h->map, size);
    }
    h->count = 1 + draw(&h->random, MOST);
    h->memory = aligned_alloc(64, (wend__traffic_bytes(h->map, MOST) + 63) & ~(size_t)63);
    h->traffic = wend__traffic_init(h->memory, h->map, MOST);
    h->t = wend__traffic_agents(h->traffic);
    for (int k = 0; k < HOST_UNITS; k++) {
        h->hosts[k] = (wend_cell){(int32_t)draw(&h->random, (uint32_t)h->width),
                                  (int32_t)draw(&h->random, (uint32_t)h->height), 0};
        cr_assert_eq(wend_map_occupy(h->map, h->hosts[k]), WEND_OK);
    }
}

static void come(hustle *h, uint32_t i) {
    wend_cell cell = {(int32_t)draw(&h->random, (uint32_t)h->width), (int32_t)draw(&h->random, (uint32_t)h->height), 0};
    int32_t size = draw(&h->random, 3) ? 1 : 1 + (int32_t)draw(&h->random, SIZES);
    wend__version *version = wend__map_newest(h->map);
    wend_error error =
        wend__traffic_enter(h->traffic, version, i, cell, h->mover_of_size[size], draw(&h->random, 10) == 0);
    wend__map_release(version, false);
    cr_assert(error == WEND_OK || error == WEND_BUSY || error == WEND_BLOCKED);
    h->left[i] = 0, h->goal[i] = cell;
    if (!error) h->t[i].urgency = draw(&h->random, 5) ? 0 : (int32_t)draw(&h->random, 2001) - 1000;
    if (!error) h->t[i].steered = draw(&h->random, 12) == 0;
}

/* A step that is legal, mostly nearer to the goal. */
static wend_cell some_step(hustle *h, uint32_t i) {
    wend_cell at = h->t[i].at;
    for (int tries = 0; tries < 6; tries++) {
        int32_t dx = (h->goal[i].x > at.x) - (h->goal[i].x < at.x), dy = (h->goal[i].y > at.y) - (h->goal[i].y < at.y);
        if (tries > 1) dx = (int32_t)draw(&h->random, 3) - 1, dy = (int32_t)draw(&h->random, 3) - 1;
        wend_cell to = {at.x + dx, at.y + dy, 0};
        if (can_step(h, at, to, h->t[i].size)) return to;
    }
    return at;
}

static uint32_t ahead_of(void *context, uint32_t i, wend_cell *cells, uint32_t capacity) {
    hustle *h = context;
    cr_assert_gt(capacity, 1u);
    cells[0] = h->t[i].next, cells[1] = h->goal[i];
    return 2;
}

static void want(hustle *h, uint32_t i) {
    wend__traffic_agent *t = &h->t[i];
    if (h->left[i] && --h->left[i] == 0) t->from = t->at;
    t->ready = h->left[i] == 0, t->next = t->at;
    if (!t->ready) return;
    if (draw(&h->random, 30) == 0)
        h->goal[i] = (wend_cell){(int32_t)draw(&h->random, (uint32_t)h->width),
                                 (int32_t)draw(&h->random, (uint32_t)h->height), 0};
    t->has_goal = draw(&h->random, 4) != 0;
    if (draw(&h->random, 8)) t->next = some_step(h, i);
}

static void frame(hustle *h) {
    for (uint32_t i = 0; i < h->count; i++) {
        if (!h->t[i].present)
            come(h, i);
        else if (draw(&h->random, 200) == 0)
            wend__traffic_leave(h->traffic, i);
        else
            want(h, i);
    }
    memcpy(h->before, h->t, sizeof h->before);
    wend__version *version = wend__map_newest(h->map);
    uint32_t asking[MOST], count = 0;
    for (uint32_t i = 0; i < h->count; i++)
        if (h->t[i].ready) asking[count++] = i;
    wend__traffic_decide(h->traffic, version, asking, count, &plenty, ahead_of, NULL, h);
    wend__map_release(version, false);
    check(h);
    check_steered(h);
    for (uint32_t i = 0; i < h->count; i++) {
        if (!h->t[i].present || !h->t[i].moved) continue;
        h->left[i] = 1 + draw(&h->random, 5);
        h->steps++, h->pushes += h->t[i].pushed;
    }
}

Test(traffic_random, nothing_shares_swaps_or_crosses) {
    uint32_t steps = 0, pushes = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)few_or_many(400, 3000); seed++) {
        static hustle h;
        found(&h, seed);
        for (int f = 0; f < 100; f++) {
            frame(&h);
            if (f % 10 == 0) check_units(&h);
        }
        steps += h.steps, pushes += h.pushes;
        free(h.memory);
        wend_map_release(h.map);
    }
    cr_assert(steps > 50000 && pushes > 3000, "%u steps, %u pushes", steps, pushes);
}
