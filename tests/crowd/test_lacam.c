/* SPDX-License-Identifier: MIT */
/* LaCAM on small worlds: its steps are legal, and it finds a way where a search over all placements finds one. */
#include "agents/floor/lacam.h"
#include "models/few_or_many.h"
#include "models/random.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIDE = 16 };

/// A world of cells, with the place of each number.
typedef struct world {
    int side;
    int number[MOST_SIDE][MOST_SIDE]; ///< -1: a wall
    int x[WEND__LACAM_CELLS], y[WEND__LACAM_CELLS];
    wend__lacam *lacam;
} world;

static int number_at(const world *w, int x, int y) {
    return x < 0 || y < 0 || x >= w->side || y >= w->side ? -1 : w->number[y][x];
}

/* Sets the steps of a cell: they lead to other cells, and cut no corner; some lead one way only. */
static void describe_cell(world *w, uint32_t cell, uint32_t neighbours, uint32_t one_way, uint64_t *random) {
    wend__lacam_cell *out = &w->lacam->cells[cell];
    out->steps = 0;
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
        const int x = w->x[cell], y = w->y[cell], dx = wend__dx[d], dy = wend__dy[d];
        const int to = number_at(w, x + dx, y + dy);
        out->neighbours[d] = to < 0 ? WEND__LACAM_NONE : (uint8_t)to;
        const bool corners = number_at(w, x + dx, y) >= 0 && number_at(w, x, y + dy) >= 0;
        const bool leads = to >= 0 && (d < WEND__NE || (neighbours == 8 && corners));
        if (leads && draw(random, 100) >= one_way) out->steps |= (uint8_t)(1u << d);
    }
}

static void make_world(world *w, int side, uint32_t blocked, uint32_t neighbours, uint32_t one_way, uint64_t *random) {
    w->side = side;
    w->lacam->cell_count = 0;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            const bool wall = draw(random, 100) < blocked || w->lacam->cell_count == WEND__LACAM_CELLS;
            w->number[y][x] = wall ? -1 : (int)w->lacam->cell_count;
            if (wall) continue;
            w->x[w->lacam->cell_count] = x;
            w->y[w->lacam->cell_count++] = y;
        }
    for (uint32_t k = 0; k < w->lacam->cell_count; k++) describe_cell(w, k, neighbours, one_way, random);
}

/* Puts agents on cells of their own, with goals of their own; which each has to reach, or need not. */
static void add_agents(world *w, uint32_t count, uint32_t must, uint64_t *random) {
    uint8_t starts[WEND__LACAM_CELLS], goals[WEND__LACAM_CELLS];
    const uint32_t cells = w->lacam->cell_count;
    for (uint32_t k = 0; k < cells; k++) starts[k] = goals[k] = (uint8_t)k;
    for (uint32_t k = 0; k < cells; k++) {
        const uint32_t a = k + draw(random, cells - k), b = k + draw(random, cells - k);
        const uint8_t start = starts[k], goal = goals[k];
        starts[k] = starts[a], starts[a] = start;
        goals[k] = goals[b], goals[b] = goal;
    }
    w->lacam->agent_count = count < cells ? count : cells;
    for (uint32_t k = 0; k < w->lacam->agent_count; k++)
        w->lacam->agents[k] = (wend__lacam_agent){starts[k], goals[k], draw(random, 100) < must};
}

static int solve(wend__lacam *lacam) {
    int found = WEND__LACAM_RUNNING;
    wend__lacam_begin(lacam);
    while (found == WEND__LACAM_RUNNING) found = wend__lacam_try(lacam);
    return found;
}

static bool is_step(const wend__lacam *lacam, uint8_t from, uint8_t to) {
    if (from == to) return true;
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++)
        if (lacam->cells[from].neighbours[d] == to && lacam->cells[from].steps >> d & 1) return true;
    return false;
}

/* Returns whether two agents may make these moves at once: not onto one cell, and not through each other half-way. */
static bool may_both(const world *w, uint8_t a, uint8_t a_to, uint8_t b, uint8_t b_to) {
    if (a_to == b_to) return false;
    if (a == a_to || b == b_to) return true;
    return w->x[a] + w->x[a_to] != w->x[b] + w->x[b_to] || w->y[a] + w->y[a_to] != w->y[b] + w->y[b_to];
}

/* Returns whether an agent moves to the cell of another agent that moves, and so on round to its own. */
static bool is_circle(const world *w, const uint8_t *from, const uint8_t *to, uint32_t agent) {
    uint32_t at = agent;
    for (uint32_t k = 0; k < w->lacam->agent_count; k++) {
        uint32_t next = 0;
        while (next < w->lacam->agent_count && (from[next] != to[at] || to[next] == from[next])) next++;
        if (next == w->lacam->agent_count || from[at] == to[at]) return false;
        if (next == agent) return true;
        at = next;
    }
    return false;
}

static bool may_move(const world *w, const uint8_t *from, const uint8_t *to) {
    for (uint32_t i = 0; i < w->lacam->agent_count; i++) {
        if (!is_step(w->lacam, from[i], to[i])) return false;
        if (w->lacam->no_circles && is_circle(w, from, to, i)) return false;
        for (uint32_t j = 0; j < i; j++)
            if (!may_both(w, from[i], to[i], from[j], to[j])) return false;
    }
    return true;
}

static bool is_end(const wend__lacam *lacam, const uint8_t *of) {
    for (uint32_t i = 0; i < lacam->agent_count; i++)
        if (lacam->agents[i].must && of[i] != lacam->agents[i].goal) return false;
    return true;
}

/* Checks that an agent stays on a cell, rather than to come back to it, where no other is there in the meantime. */
static void check_no_detour(const wend__lacam *lacam, uint32_t agent, uint32_t from) {
    const uint8_t cell = wend__lacam_after(lacam, from)[agent];
    bool left = false;
    for (uint32_t k = from + 1; k <= wend__lacam_steps(lacam); k++) {
        const uint8_t *cells = wend__lacam_after(lacam, k);
        for (uint32_t i = 0; i < lacam->agent_count; i++)
            if (i != agent && cells[i] == cell) return;
        cr_assert(!left || cells[agent] != cell, "agent %u leaves %u after step %u", agent, cell, from);
        left = cells[agent] != cell;
    }
}

static void check_solution(const world *w) {
    const uint32_t steps = wend__lacam_steps(w->lacam);
    const uint8_t *at = wend__lacam_after(w->lacam, 0);
    for (uint32_t i = 0; i < w->lacam->agent_count; i++) cr_assert_eq(at[i], w->lacam->agents[i].start);
    for (uint32_t k = 1; k <= steps; k++) {
        const uint8_t *next = wend__lacam_after(w->lacam, k);
        cr_assert(may_move(w, at, next), "step %u", k);
        for (uint32_t i = 0; i < w->lacam->agent_count; i++) check_no_detour(w->lacam, i, k - 1);
        at = next;
    }
    cr_assert(is_end(w->lacam, at));
}

/* ---- the oracle: all placements of up to three agents on twelve cells ---- */

enum { FEW_CELLS = 12, FEW_AGENTS = 3, PLACEMENTS = FEW_CELLS * FEW_CELLS * FEW_CELLS };

static uint32_t pack(const uint8_t *of, uint32_t count) {
    uint32_t packed = 0;
    for (uint32_t i = 0; i < count; i++) packed = packed * FEW_CELLS + of[i];
    return packed;
}

static void unpack(uint32_t packed, uint8_t *of, uint32_t count) {
    for (uint32_t i = count; i-- > 0; packed /= FEW_CELLS) of[i] = (uint8_t)(packed % FEW_CELLS);
}

/* Returns whether any sequence of steps leads to an end, by breadth-first search. */
static bool is_solvable(const world *w) {
    static bool seen[PLACEMENTS];
    static uint32_t queue[PLACEMENTS];
    const uint32_t agents = w->lacam->agent_count;
    uint8_t from[FEW_AGENTS], to[FEW_AGENTS];
    uint32_t first = 0, count = 1, all = 1;
    memset(seen, 0, sizeof seen);
    for (uint32_t i = 0; i < agents; i++) from[i] = w->lacam->agents[i].start, all *= FEW_CELLS;
    queue[0] = pack(from, agents);
    seen[queue[0]] = true;
    while (first < count) {
        unpack(queue[first++], from, agents);
        if (is_end(w->lacam, from)) return true;
        for (uint32_t next = 0; next < all; next++) {
            unpack(next, to, agents);
            if (seen[next] || !may_move(w, from, to)) continue;
            seen[next] = true;
            queue[count++] = next;
        }
    }
    return false;
}

static void open_lacam(world *w, uint32_t agents) {
    w->lacam = wend__lacam_init(malloc(wend__lacam_bytes(agents)), agents);
}

static void check_against_oracle(uint32_t neighbours, uint32_t one_way, bool no_circles) {
    world w;
    uint64_t random = neighbours + one_way;
    uint32_t solvable = 0, not_solvable = 0;
    open_lacam(&w, FEW_AGENTS);
    w.lacam->no_circles = no_circles;
    for (int round = 0; round < enough_or_many(150, 1500); round++) {
        make_world(&w, 3 + round % 2, round % 2 ? 45 : 25, neighbours, one_way, &random);
        if (w.lacam->cell_count < 2 || w.lacam->cell_count > FEW_CELLS) continue;
        add_agents(&w, 2 + (uint32_t)round % 2, 80, &random);
        const int found = solve(w.lacam);
        const bool is = is_solvable(&w); /* as the search does: unreachable goals do not count */
        cr_assert_eq(found == WEND__LACAM_SOLVED, is, "round %d", round);
        if (is) check_solution(&w);
        solvable += is;
        not_solvable += !is;
    }
    cr_assert(solvable > 30 && not_solvable > 2, "%u and %u", solvable, not_solvable);
    free(w.lacam);
}

Test(lacam, solves_what_can_be_solved_with_4_neighbours) {
    check_against_oracle(4, 0, false);
}

Test(lacam, solves_what_can_be_solved_with_8_neighbours) {
    check_against_oracle(8, 0, false);
}

Test(lacam, solves_what_can_be_solved_with_one_way_steps) {
    check_against_oracle(8, 15, false);
}

Test(lacam, solves_without_circles_what_can_be_solved_so) {
    check_against_oracle(4, 0, true);
    check_against_oracle(8, 0, true);
}

/* ---- larger worlds ---- */

static void check_large(int side, uint32_t agents, uint32_t blocked, uint32_t neighbours, bool no_circles,
                        uint32_t most_failed) {
    enum { WORLDS = 40 };
    world w;
    uint64_t random = agents + neighbours;
    uint32_t failed = 0;
    open_lacam(&w, agents);
    w.lacam->no_circles = no_circles;
    for (int round = 0; round < WORLDS; round++) {
        make_world(&w, side, blocked, neighbours, 0, &random);
        add_agents(&w, agents, 100, &random);
        if (solve(w.lacam) == WEND__LACAM_SOLVED)
            check_solution(&w);
        else
            failed++;
    }
    cr_assert_leq(failed, most_failed, "%u of %d", (unsigned)failed, WORLDS);
    free(w.lacam);
}

Test(lacam, moves_sixty_agents_on_a_third_of_the_cells) {
    check_large(15, WEND__LACAM_AGENTS, 20, 4, false, 4);
    check_large(15, WEND__LACAM_AGENTS, 20, 8, false, 4);
}

Test(lacam, takes_as_many_cells_as_a_window_has) {
    check_large(16, WEND__LACAM_AGENTS, 0, 4, false, 0);
}

Test(lacam, moves_twenty_four_agents_without_circles) {
    check_large(8, 24, 20, 4, true, 5);
}

Test(lacam, has_nothing_to_do_where_all_are_on_their_goals) {
    world w;
    uint64_t random = 1;
    open_lacam(&w, 8);
    make_world(&w, 5, 0, 8, 0, &random);
    add_agents(&w, 8, 100, &random);
    for (uint32_t i = 0; i < 8; i++) w.lacam->agents[i].goal = w.lacam->agents[i].start;
    cr_assert_eq(solve(w.lacam), WEND__LACAM_SOLVED);
    cr_assert_eq(wend__lacam_steps(w.lacam), 0);
    free(w.lacam);
}
