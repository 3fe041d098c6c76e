/* SPDX-License-Identifier: MIT */
/* Near fields: a search backwards from the path ahead of an agent, inside a small square around the agent. It also finds
 * a way round a step for which a disc has no room. */

/* Tried: fields of 15 or 19 cells a side: 0.58 and 0.82 of the instructions each, but made 1.23 and 1.08 times as
 * often; tasks change by -4 to +2 %. */
#include "agents/plan/path.h"

#include "map/ground/ground.h"
#include "map/movers/views.h"
#include "map/store/directions.h"

enum { SIDE = WEND__NEAR_SIDE, CELLS = SIDE * SIDE, LAST = SIDE - 1, ENTRIES = 4 * CELLS, NONE = UINT16_MAX };
enum { LAST_OF_CHUNK = WEND__CHUNK_SIDE - 1 };
enum {
    STRAIGHT_OF_8 = 5, ///< cost of a straight step with 8 neighbours
    BEHIND = 8,        ///< cells behind the agent that are computed
    MIDDLE_AHEAD = 4   ///< steps of its path from the agent to the middle of the square
};

static const int32_t offsets[WEND__DIRECTIONS] = {-SIDE, 1, SIDE, -1, 1 - SIDE, 1 + SIDE, SIDE - 1, -1 - SIDE};

/// An open cell in a bucket.
typedef struct entry {
    uint16_t cell, next;
} entry;

/// Dijkstra's search with a bucket for each cost (Dial 1969).
typedef struct flood {
    wend__near_field *near;
    uint32_t costs[WEND__DIRECTIONS];
    uint32_t entry_count;
    uint8_t masks[CELLS], factors[CELLS];
    uint16_t heads[WEND__NEAR_UNKNOWN];
    entry entries[ENTRIES];
} flood;

static void set_costs(flood *f, const wend_map_rules *rules) {
    const uint32_t straight = rules->neighbours == 4 ? 1 : STRAIGHT_OF_8;
    const uint32_t diagonal = (uint32_t)((int64_t)straight * rules->cost_diagonal / rules->cost_straight);
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) f->costs[d] = d < WEND__NE ? straight : diagonal;
}

/* Copies the steps out of `count` cells from x on, all in one chunk. */
static void read_steps(uint8_t *out, const wend__version *view, int32_t x, int32_t y, int32_t count) {
    const wend__chunk *chunk = wend__version_chunk(view, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
    const uint8_t *masks =
        chunk->masks->bytes + ((size_t)(y & LAST_OF_CHUNK) << WEND__CHUNK_SHIFT | (x & LAST_OF_CHUNK));
    if (chunk->closed_near)
        memcpy(out, masks, (size_t)count);
    else
        for (int32_t k = 0; k < count; k++) out[k] = view->legal[masks[k]];
}

/* No step leads out of the cells on the rim, so that the search stays inside. */
static void read_terrain(flood *f, const wend__version *view) {
    const int32_t left = f->near->x, top = f->near->y;
    const int32_t from = wend__most(left + 1, 0), end = wend__least(left + LAST, view->width);
    memset(f->masks, 0, sizeof f->masks);
    memset(f->factors, 1, sizeof f->factors);
    for (int32_t y = wend__most(top + 1, 0); y < wend__least(top + LAST, view->height); y++) {
        const int32_t row = (y - top) * SIDE - left;
        for (int32_t x = from, count; x < end; x += count) {
            count = wend__least(end, (x | LAST_OF_CHUNK) + 1) - x;
            read_steps(&f->masks[row + x], view, x, y, count);
        }
        for (int32_t x = from; view->max_factor > 1 && x < end; x++)
            f->factors[row + x] = wend__version_factor(view, x, y);
    }
}

static inline void open_cell(flood *f, int32_t k, uint32_t left) {
    f->near->left[k] = (uint8_t)left;
    f->entries[f->entry_count] = (entry){(uint16_t)k, f->heads[left]};
    f->heads[left] = (uint16_t)f->entry_count++;
}

/* Returns 1 << d if a step in direction d leads to cell k and shortens the way from where it begins. No branch: half of
 * them would be mispredicted. */
WEND__INLINE uint32_t shortens(const flood *f, int32_t k, unsigned d, uint32_t left) {
    const int32_t from = k - offsets[d];
    return ((uint32_t)(f->masks[from] >> d) & (left < f->near->left[from])) << d;
}

/* Expands the open cells, up to a little more than the agent's own distance. */
static void search_back(flood *f, int32_t own) {
    const uint8_t *const least = f->near->left;
    const uint32_t straight = f->costs[WEND__N], diagonal = f->costs[WEND__NE];
    for (uint32_t left = 0; left < WEND__NEAR_UNKNOWN && left <= least[own] + BEHIND * straight; left++)
        for (uint16_t e = f->heads[left]; e != NONE; e = f->heads[left]) {
            const int32_t k = f->entries[e].cell;
            f->heads[left] = f->entries[e].next;
            if (least[k] != left) continue;
            const uint32_t next = left + straight * f->factors[k], bent = left + diagonal * f->factors[k];
            uint32_t open = shortens(f, k, WEND__N, next) | shortens(f, k, WEND__E, next) |
                            shortens(f, k, WEND__S, next) | shortens(f, k, WEND__W, next);
            if (straight == STRAIGHT_OF_8)
                open |= shortens(f, k, WEND__NE, bent) | shortens(f, k, WEND__SE, bent) |
                        shortens(f, k, WEND__SW, bent) | shortens(f, k, WEND__NW, bent);
            for (; open && f->entry_count < ENTRIES; open &= open - 1) {
                const unsigned d = wend__ctz32(open);
                open_cell(f, k - offsets[d], d < WEND__NE ? next : bent);
            }
        }
}

/* A route may return near itself, and its cells must be visited. So an agent pushed off a route may skip only steps of
 * a stretch without a bend, where each step turns by at most 45 degrees from all before it. */
uint32_t wend__near_horizon(const wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    if (agent->goal.kind != WEND__GOAL_ROUTE) return WEND__NEAR_AHEAD;
    wend__path_reader reader = wend__path_read(&crowd->paths, &agent->path.stored, agent->path.base);
    int32_t used[WEND__NEAR_AHEAD][2], least = version->rules.neighbours == 4 ? 0 : 1;
    uint32_t steps = 0, kinds = 0;
    for (wend_cell from = reader.cell; steps < WEND__NEAR_AHEAD && wend__path_reader_next(&reader); steps++) {
        const wend_cell way = wend__ground_difference(version, from, reader.cell);
        const int32_t dx = way.x, dy = way.y;
        uint32_t k = 0;
        for (; k < kinds && (used[k][0] != dx || used[k][1] != dy); k++)
            if (used[k][0] * dx + used[k][1] * dy < least) return steps;
        if (k == kinds) used[kinds][0] = dx, used[kinds++][1] = dy;
        from = reader.cell;
    }
    return steps;
}

/* Opens the cells of the path ahead, up to its first link, each with the cost to the last of them. Returns how many
 * steps they are.
 * @param first   steps to the first of them */
static uint32_t begin_on_path(flood *f, const wend_crowd *crowd, const wend__version *view, uint32_t index,
                              uint32_t first) {
    const uint32_t most = wend__near_horizon(crowd, view, index);
    const wend__agent_path *path = &crowd->agents[index].path;
    const bool plain = view->max_factor <= 1;
    wend_cell cells[WEND__NEAR_AHEAD + 1];
    uint32_t costs[WEND__NEAR_AHEAD + 1], count = 1;
    wend__path_reader reader = wend__path_read(&crowd->paths, &path->stored, path->base);
    cells[0] = reader.cell;
    costs[0] = 0;
    for (; count <= most && wend__path_reader_next(&reader); count++) {
        const wend_cell from = cells[count - 1], to = reader.cell;
        const int32_t d = wend__flat_direction(to.x - from.x, to.y - from.y);
        if (d < 0) break;
        cells[count] = to;
        costs[count] = costs[count - 1] + f->costs[d] * (plain ? 1 : wend__version_factor(view, to.x, to.y));
    }
    for (uint32_t i = first; i < count; i++) {
        const uint32_t x = (uint32_t)(cells[i].x - f->near->x), y = (uint32_t)(cells[i].y - f->near->y);
        const uint32_t left = costs[count - 1] - costs[i];
        if (x - 1 < SIDE - 2 && y - 1 < SIDE - 2 && left < f->near->left[y * SIDE + x])
            open_cell(f, (int32_t)(y * SIDE + x), left);
    }
    return count - 1;
}

/* Lays the square of a near field round an agent, its middle ahead on the path. Returns false if the cell ahead lies over
 * the rim or in another sheet: no way is known. */
static bool begin(flood *f, const wend_crowd *crowd, const wend__version *view, uint32_t index,
                  wend__near_field *near) {
    const wend_cell at = crowd->in_traffic[index].at, ahead = wend__path_cell_ahead(crowd, index, MIDDLE_AHEAD);
    const wend_cell middle = wend__cells_apart(crowd->def.map, at, ahead) <= MIDDLE_AHEAD ? ahead : at;
    f->near = near;
    f->entry_count = 0;
    memset(f->heads, 0xFF, sizeof f->heads);
    near->x = middle.x - WEND__NEAR_RADIUS;
    near->y = middle.y - WEND__NEAR_RADIUS;
    memset(near->left, WEND__NEAR_UNKNOWN, sizeof near->left);
    if ((uint32_t)(at.x - near->x) >= SIDE || (uint32_t)(at.y - near->y) >= SIDE) return false;
    set_costs(f, &view->rules);
    read_terrain(f, view);
    return true;
}

static int32_t place_of(const flood *f, wend_cell cell) {
    return (cell.y - f->near->y) * SIDE + cell.x - f->near->x;
}

void wend__near_compute(const wend_crowd *crowd, const wend__version *version, uint32_t index, wend__near_field *near) {
    const wend__version *view = wend__version_view(version, crowd->in_traffic[index].mover);
    const uint32_t steps = crowd->agents[index].path.stored.steps;
    flood f;
    near->revision = version->revision;
    near->changes = crowd->agents[index].path.changes;
    near->beyond = steps > 0 ? steps - 1 : 0; /* until the agent goes on */
    if (!begin(&f, crowd, view, index, near)) return;
    const uint32_t ahead_of_it = begin_on_path(&f, crowd, view, index, 0);
    if (ahead_of_it > 0) near->beyond = steps - ahead_of_it;
    search_back(&f, place_of(&f, crowd->in_traffic[index].at));
}

/* ---- round a step for which a disc has no room ---- */

/* Searches see cells, not the room between two that stay. */
static void close_gaps(flood *f, const wend_crowd *crowd, const wend__version *version, uint32_t index,
                       wend__may_step_fn *may_step) {
    for (int32_t k = 0; k < CELLS; k++) {
        const wend_cell from = {f->near->x + k % SIDE, f->near->y + k / SIDE, 0};
        for (uint32_t mask = f->masks[k]; mask; mask &= mask - 1) {
            const unsigned d = wend__ctz32(mask);
            const wend_cell to = {from.x + wend__dx[d], from.y + wend__dy[d], 0};
            if (!may_step(crowd, version, index, from, to)) f->masks[k] &= (uint8_t) ~(1u << d);
        }
    }
}

/* Returns the neighbour of a place with the least rest of the way, or the place itself. */
static int32_t next_place(const flood *f, int32_t k) {
    int32_t best = k;
    for (uint32_t mask = f->masks[k]; mask; mask &= mask - 1) {
        const int32_t to = k + offsets[wend__ctz32(mask)];
        if (f->near->left[to] < f->near->left[best]) best = to;
    }
    return best;
}

/* Returns how many steps of the path, at most some, lead to a cell; 0: none does. */
static uint32_t steps_to(const wend_crowd *crowd, uint32_t index, wend_cell cell, uint32_t most) {
    const wend__agent_path *path = &crowd->agents[index].path;
    wend__path_reader reader = wend__path_read(&crowd->paths, &path->stored, path->base);
    for (uint32_t k = 1; k <= most && wend__path_reader_next(&reader); k++)
        if (wend__same_cell(reader.cell, cell)) return k;
    return 0;
}

uint32_t wend__near_way_round(const wend_crowd *crowd, const wend__version *version, uint32_t index,
                              wend__may_step_fn *may_step, wend_cell cells[WEND__BLOCK_DIRECTIONS + 1],
                              uint32_t *passed) {
    const wend__version *view = wend__version_view(version, crowd->in_traffic[index].mover);
    wend__near_field near;
    flood f;
    uint32_t steps = 0;
    *passed = 0;
    cells[0] = crowd->in_traffic[index].at;
    if (!begin(&f, crowd, view, index, &near)) return 0;
    close_gaps(&f, crowd, version, index, may_step);
    const uint32_t ahead = begin_on_path(&f, crowd, view, index, 1);
    int32_t k = place_of(&f, cells[0]);
    search_back(&f, k);
    while (*passed == 0 && steps < WEND__BLOCK_DIRECTIONS) {
        const int32_t next = next_place(&f, k);
        if (next == k) return 0;
        k = next;
        cells[++steps] = (wend_cell){near.x + k % SIDE, near.y + k / SIDE, 0};
        *passed = steps_to(crowd, index, cells[steps], ahead);
    }
    return *passed > 0 ? steps : 0;
}

/* Returns true if the near field is that of this path and map, its end lies ahead on the path, and the agent is inside
 * it and not at its end. Behind its end, as a bend of a route, a field leads back. */
static bool serves(const wend__near_field *near, const wend__version *version, const wend__agent_path *path,
                   wend_cell at) {
    if (near->revision != version->revision || near->changes != path->changes) return false;
    if (path->stored.steps <= near->beyond) return false;
    if ((uint32_t)(at.x - near->x - 2) >= SIDE - 4 || (uint32_t)(at.y - near->y - 2) >= SIDE - 4) return false;
    const uint8_t left = wend__near_left(near, at);
    return left != WEND__NEAR_UNKNOWN && (left > 0 || wend__same_cell(at, path->end));
}

/* Gives an agent without a field one that has not been used recently, or the next one. */
static wend__near_field *take_field(wend_crowd *crowd, uint32_t index) {
    enum { LOOKS = 32, RECENTLY = 8 };
    wend__near_pool *pool = &crowd->near_fields;
    const uint32_t now = (uint32_t)crowd->counts.updates;
    wend__near_field *near;
    uint32_t looks = 0;
    WEND__DEBUG_ASSERT(pool->of && pool->count > 0);
    do {
        near = &pool->of[pool->hand];
        pool->hand = pool->hand + 1 < pool->count ? pool->hand + 1 : 0;
    } while (near->owner > 0 && now - near->used <= RECENTLY && ++looks < LOOKS);
    if (near->owner > 0) pool->slots[near->owner - 1] = 0;
    near->owner = index + 1;
    pool->slots[index] = (uint32_t)(near - pool->of) + 1;
    return near;
}

void wend__near_forget(wend_crowd *crowd, uint32_t index) {
    wend__near_field *near = wend__near_own(crowd, index);
    if (near) near->revision = UINT64_MAX; /* no version */
}

void wend__near_path_grew(wend_crowd *crowd, uint32_t index, uint32_t steps) {
    wend__near_field *near = wend__near_own(crowd, index);
    if (near) near->beyond += steps;
}

void wend__near_drop(wend_crowd *crowd) {
    wend__near_pool *pool = &crowd->near_fields;
    for (uint32_t i = 0; i < pool->count; i++) {
        if (pool->of[i].owner > 0) pool->slots[pool->of[i].owner - 1] = 0;
        pool->of[i].owner = 0;
    }
    pool->hand = 0;
}

wend__near_state wend__near_find(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__agent_path *path = &crowd->agents[index].path;
    const wend_cell at = crowd->in_traffic[index].at;
    if (version->kind != WEND_KIND_GRID || path->stored.steps == 0) return WEND__NEAR_NONE;
    wend__near_field *near = wend__near_own(crowd, index);
    if (!near || !serves(near, version, path, at)) {
        if (!wend__crowd_work_begin(crowd, index, WEND__WORK_NEAR_FIELD)) return WEND__NEAR_LATER;
        if (!near) near = take_field(crowd, index);
        wend__near_compute(crowd, version, index, near);
    }
    near->used = (uint32_t)crowd->counts.updates;
    return wend__near_left(near, at) != WEND__NEAR_UNKNOWN ? WEND__NEAR_FOUND : WEND__NEAR_NONE;
}

const wend__near_field *wend__near_read(const wend_crowd *crowd, const wend__version *version, uint32_t index,
                                        wend__near_field *room) {
    const wend__near_field *own = wend__near_own(crowd, index);
    if (own && serves(own, version, &crowd->agents[index].path, crowd->in_traffic[index].at)) return own;
    wend__near_compute(crowd, version, index, room);
    return room;
}

wend_cell wend__near_next(const wend__near_field *near, const wend__version *view, wend_cell cell) {
    wend_cell best = cell;
    uint8_t least = wend__near_left(near, cell);
    for (uint32_t mask = wend__version_steps(view, cell.x, cell.y); mask; mask &= mask - 1) {
        const unsigned d = wend__ctz32(mask);
        const wend_cell to = {cell.x + wend__dx[d], cell.y + wend__dy[d], 0};
        const uint8_t left = wend__near_left(near, to);
        if (left >= least) continue;
        least = left;
        best = to;
    }
    return best;
}
