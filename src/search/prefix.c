/* SPDX-License-Identifier: MIT */
/* The prefix of a path that a running search has not found: from the start to its most promising open node. */
#include "search/engines.h"
#include "map/ground/ground.h"
#include "search/store/candidate.h"

/* Entries of the open list that are compared, those of the lowest f. More made no difference. */
enum { MOST_LOOKED = 128 };

/* Receives the cells of a way, from its end to its start. */
typedef struct backward_cells {
    const wend__version *version;
    wend_cell *out;
    uint64_t room, left; ///< cells that are still to come
} backward_cells;

static void put_cell(backward_cells *cells, wend_cell cell) {
    if (--cells->left < cells->room) cells->out[cells->left] = wend__wrapped_cell(cells->version, cell);
}

static int32_t sign_of(int32_t value) {
    return (value > 0) - (value < 0);
}

static uint32_t size_of(int32_t value) {
    return (uint32_t)(value < 0 ? -value : value);
}

/* The steps of a hop. A jump has as many as along its longest side. */
static uint32_t hop_steps(int hop, wend_cell from, wend_cell to) {
    const uint32_t x = size_of(to.x - from.x), y = size_of(to.y - from.y), z = size_of(to.z - from.z);
    const uint32_t more = x > y ? x : y;
    if (hop == WEND__HOP_STEP) return 1;
    return hop == WEND__HOP_TURN ? x + y : more > z ? more : z;
}

/* A jump goes diagonally first and then straight, so backward it begins straight. */
static void put_jump(backward_cells *cells, wend_cell from, wend_cell to) {
    const uint32_t steps = hop_steps(WEND__HOP_JUMP, from, to);
    wend_cell at = to;
    for (uint32_t left = steps; left-- > 0;) {
        const int32_t x = from.x - at.x, y = from.y - at.y, z = from.z - at.z;
        at.x += size_of(x) > left ? sign_of(x) : 0;
        at.y += size_of(y) > left ? sign_of(y) : 0;
        at.z += size_of(z) > left ? sign_of(z) : 0;
        put_cell(cells, at);
    }
}

/* A turn goes vertically first and then horizontally. */
static void put_turn(backward_cells *cells, wend_cell from, wend_cell to) {
    const wend_cell corner = {from.x, to.y, to.z};
    put_jump(cells, corner, to);
    put_jump(cells, from, corner);
}

/* Returns where a hop to `to` begins, perhaps beyond the rim. */
static wend_cell hop_start(const wend__search *s, int hop, wend_cell from, wend_cell to) {
    if (hop != WEND__HOP_ROUND) return from;
    const wend_cell d = wend__ground_difference(s->version, from, to);
    return (wend_cell){to.x - d.x, to.y - d.y, to.z - d.z};
}

static uint64_t count_steps(const wend__search *s, wend__candidate at) {
    uint64_t steps = 0;
    for (wend_cell to = at.cell;; to = at.cell) {
        const int hop = s->engine->back(s, &at);
        if (hop == WEND__HOP_NONE) return steps;
        steps += hop_steps(hop, hop_start(s, hop, at.cell, to), to);
    }
}

static void put_way(const wend__search *s, wend__candidate at, backward_cells *cells) {
    put_cell(cells, at.cell);
    for (wend_cell to = at.cell;; to = at.cell) {
        const int hop = s->engine->back(s, &at);
        if (hop == WEND__HOP_NONE) return;
        if (hop == WEND__HOP_STEP)
            put_cell(cells, at.cell);
        else if (hop == WEND__HOP_TURN)
            put_turn(cells, at.cell, to);
        else
            put_jump(cells, hop_start(s, hop, at.cell, to), to);
    }
}

/* Gives the path of a search that has ended, or will when it has counted what it owes: its nodes may have changed. */
static bool give_path(const wend__search *s, wend_status status, wend_cell *out, size_t room, wend_prefix *prefix) {
    if (status != WEND_STATUS_FOUND && status != WEND_STATUS_PARTIAL) return false;
    const uint64_t count = s->steps + 1;
    prefix->whole = 1;
    prefix->cell_count = (size_t)count;
    prefix->cost = (int64_t)s->cost;
    wend__search_cells(s, out, count < room ? count : room);
    return true;
}

bool wend__search_prefix(wend__search *s, wend_cell *out, size_t room, wend_prefix *prefix) {
    prefix->expansions = s->expansions;
    const wend_status status = s->status != WEND_STATUS_PENDING ? s->status : s->ended;
    if (status != WEND_STATUS_PENDING) return give_path(s, status, out, room, prefix);
    if (!s->begun) return false;
    wend__candidate_best best = {.search = s, .left = MOST_LOOKED};
    s->engine->candidates(s, &best);
    if (!best.any) return false;
    const uint64_t steps = count_steps(s, best.candidate);
    if (steps == 0) return false;
    backward_cells cells = {s->version, out, room, steps + 1};
    put_way(s, best.candidate, &cells);
    prefix->cell_count = (size_t)steps + 1;
    prefix->cost = (int64_t)best.candidate.g;
    prefix->left = (int64_t)best.candidate.left;
    return true;
}
