/* SPDX-License-Identifier: MIT */
/* Steps that would cross another agent's step, and changes of size, compared with all agents: grids and voxels, agents
 * of several sizes. */
#include "agents/manners/traffic.h"
#include "map/version/version.h"
#include "models/apart.h"
#include "models/defaults.h"
#include "models/random.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <wend/movers.h>
#include <wend/units.h>
#include <wend/wend.h>

enum { MOST = 24, SIDE = 9, SIZES = 3 };

typedef struct hall {
    uint64_t random;
    int32_t depth;
    wend_map *map;
    wend__version *version;
    void *memory;
    wend__traffic *traffic;
    wend__traffic_agent *agents;
    int32_t movers[SIZES + 1]; ///< by size
} hall;

static int32_t below(hall *h, int32_t end) {
    return (int32_t)draw(&h->random, (uint32_t)end);
}

static wend_cell any_cell(hall *h) {
    return (wend_cell){below(h, SIDE), below(h, SIDE), below(h, h->depth)};
}

/* Agents where there is room; some of them on the way from a neighbour. */
static void open_hall(hall *h, uint64_t seed, bool voxels) {
    *h = (hall){.random = seed, .depth = voxels ? SIDE : 1};
    wend_map_def def = default_map();
    def.kind = voxels ? WEND_KIND_VOXEL : WEND_KIND_GRID;
    def.width = def.height = SIDE, def.depth = h->depth;
    cr_assert_eq(wend_map_create(&def, &h->map), WEND_OK);
    for (int32_t size = 2; size <= SIZES; size++) {
        h->movers[size] = add_mover_of_size(h->map, size);
    }
    h->version = wend__map_newest(h->map);
    h->memory = aligned_alloc(64, (wend__traffic_bytes(h->map, MOST) + 63) & ~(size_t)63);
    h->traffic = wend__traffic_init(h->memory, h->map, MOST);
    h->agents = wend__traffic_agents(h->traffic);
    for (uint32_t i = 0; i < MOST; i++) {
        const int32_t mover = h->movers[1 + below(h, SIZES)];
        if (wend__traffic_enter(h->traffic, h->version, i, any_cell(h), mover, false) || below(h, 3) == 0) continue;
        const wend_cell at = h->agents[i].at, by = {below(h, 3) - 1, below(h, 3) - 1, voxels ? below(h, 3) - 1 : 0};
        h->agents[i].from = (wend_cell){at.x + by.x, at.y + by.y, at.z + by.z};
    }
}

static void close_hall(hall *h) {
    wend__map_release(h->version, false);
    wend_map_release(h->map);
    free(h->memory);
}

static bool crosses(const hall *h, uint32_t i, wend_cell to, uint32_t j) {
    const wend__traffic_agent *a = &h->agents[i], *b = &h->agents[j];
    const wend_map_info info = info_now(h->map);
    const stand own = stand_of(&info, a->at, to, a->size), other = stand_of(&info, b->from, b->at, b->size);
    return i != j && b->present && stands_cross(&info, &own, &other);
}

static uint32_t check_step(const hall *h, uint32_t i, wend_cell to) {
    const int32_t found = wend__traffic_crossed(h->traffic, h->version, i, to);
    bool any = false;
    for (uint32_t j = 0; j < MOST; j++) any = any || crosses(h, i, to, j);
    cr_assert_eq(found >= 0, any, "agent %u to %d,%d,%d", i, to.x, to.y, to.z);
    if (any) cr_assert(crosses(h, i, to, (uint32_t)found));
    return any;
}

Test(traffic_crossed, is_an_agent_whose_step_the_step_would_cross) {
    for (int voxels = 0; voxels < 2; voxels++) {
        uint32_t crossed = 0, free_steps = 0;
        for (uint64_t seed = 1; seed <= 300; seed++) {
            OWNED(close_hall) hall h;
            open_hall(&h, seed, voxels);
            for (uint32_t i = 0; i < MOST; i++)
                for (int32_t k = 0; k < 27 && h.agents[i].present; k++) {
                    const wend_cell at = h.agents[i].at, by = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
                    if ((!by.x && !by.y && !by.z) || (by.z && !voxels)) continue;
                    const uint32_t any = check_step(&h, i, (wend_cell){at.x + by.x, at.y + by.y, at.z + by.z});
                    crossed += any, free_steps += !any;
                }
        }
        cr_assert(crossed > 500 && free_steps > 5000, "%u, %u", crossed, free_steps);
    }
}

/* ---- other sizes ---- */

static bool share_a_cell(const hall *h, const wend__traffic_agent *a, int32_t a_size, const wend__traffic_agent *b,
                         int32_t b_size) {
    const wend_cell p = a->at, q = b->at;
    return p.x < q.x + b_size && q.x < p.x + a_size && p.y < q.y + b_size && q.y < p.y + a_size &&
           (h->depth == 1 || (p.z < q.z + b_size && q.z < p.z + a_size));
}

/* Returns whether agents of a group share no cell with each other or with others, once they have a size. */
static bool fit(const hall *h, const bool *in_group, int32_t size) {
    for (uint32_t i = 0; i < MOST; i++)
        for (uint32_t j = 0; j < MOST && in_group[i]; j++) {
            if (i == j || !h->agents[j].present) continue;
            const int32_t other = in_group[j] ? size : h->agents[j].size;
            if (share_a_cell(h, &h->agents[i], size, &h->agents[j], other)) return false;
        }
    return true;
}

/* Checks that each cell is held, and occupied, by the agent at that place. */
static void check_cells(const hall *h) {
    const int32_t layers = h->depth;
    for (int32_t k = 0; k < SIDE * SIDE * layers; k++) {
        const wend__traffic_agent here = {.at = {k % SIDE, k / SIDE % SIDE, k / SIDE / SIDE}};
        int32_t holder = WEND__NO_AGENT;
        uint32_t units;
        for (uint32_t i = 0; i < MOST; i++)
            if (h->agents[i].present && share_a_cell(h, &h->agents[i], h->agents[i].size, &here, 1))
                holder = (int32_t)i;
        cr_assert_eq(wend__traffic_holder(h->traffic, here.at), holder);
        cr_assert_eq(wend_map_get_occupants(h->map, here.at, &units), WEND_OK);
        cr_assert_eq(units, holder >= 0);
    }
}

Test(traffic_sizes, a_group_changes_if_all_have_room) {
    uint32_t changed = 0, refused = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        OWNED(close_hall) hall h;
        open_hall(&h, seed, seed % 2);
        for (int turn = 0; turn < 20; turn++) {
            bool in_group[MOST] = {false};
            uint32_t indices[MOST], count = 0;
            const int32_t size = 1 + below(&h, SIZES);
            for (uint32_t i = 0; i < MOST; i++) {
                const wend_cell at = h.agents[i].at;
                const bool on_map = at.x + size <= SIDE && at.y + size <= SIDE && (h.depth == 1 || at.z + size <= SIDE);
                in_group[i] = h.agents[i].present && on_map && below(&h, 5) == 0;
                if (in_group[i]) indices[count++] = i;
            }
            const bool room = fit(&h, in_group, size);
            cr_assert_eq(wend__traffic_set_mover(h.traffic, h.version, indices, count, h.movers[size]), room);
            for (uint32_t k = 0; k < count && room; k++) cr_assert_eq(h.agents[indices[k]].size, size);
            check_cells(&h);
            changed += room && count > 1, refused += !room;
        }
    }
    cr_assert(changed > 200 && refused > 200, "%u, %u", changed, refused);
}
