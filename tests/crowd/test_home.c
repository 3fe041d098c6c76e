/* SPDX-License-Identifier: MIT */
/* Agents that were pushed off their goals come back, and have an event if they cannot for a while. */
#include "crowd/crowd_support.h"
#include "models/few_or_many.h"
#include "models/random.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <wend/agents.h>
#include <wend/query.h>

/* A corridor with one bay. `guard` arrives at 4,1. `player` pushes it into the bay and takes its cell, until it is
 * steered away. */
static const char *const corridor[] = {"####.####", "........."};

typedef struct post {
    town t;
    uint32_t guard, player;
} post;

static void open_post(post *p, uint32_t patience) {
    wend_crowd_def def = default_crowd();
    def.agents = 4;
    tuning_of(&def)->patience_updates = patience;
    town_open(&p->t, corridor, 2, &def);
    p->guard = town_add(&p->t, 3, 1, 1000), p->player = town_add(&p->t, 8, 1, 1000);
    town_go(&p->t, p->guard, 4, 1);
    town_walk(&p->t, 20);
    cr_assert_eq(town_last(&p->t, p->guard), WEND_AGENT_EVENT_ARRIVED);
}

static void steer(post *p, int32_t x) {
    cr_assert_eq(wend_crowd_step(p->t.crowd, p->t.agents[p->player].id, (wend_cell){x, 1, 0}), WEND_OK);
    p->t.agents[p->player].begun++; /* a step that cannot begin has an event */
    town_frame(&p->t);
}

/* Steers the player onto the guard's cell. */
static void take_post(post *p) {
    for (int32_t x = 7; x >= 4; x--) steer(p, x);
    cr_assert(town_is_at(&p->t, p->player, 4, 1));
    cr_assert_not(town_is_at(&p->t, p->guard, 4, 1));
}

static uint32_t displaced_count(const post *p) {
    return town_count(&p->t, p->guard, WEND_AGENT_EVENT_DISPLACED);
}

Test(home, an_agent_comes_back_without_an_event_when_it_can_soon) {
    static post p;
    open_post(&p, 0);
    take_post(&p);
    town_frames(&p.t, 50);
    steer(&p, 5);
    town_frames(&p.t, 10);
    cr_assert(town_is_at(&p.t, p.guard, 4, 1));
    cr_assert_eq(town_state(&p.t, p.guard).state, WEND_AGENT_ARRIVED);
    cr_assert_eq(town_last(&p.t, p.guard), WEND_AGENT_EVENT_ARRIVED);
    town_close(&p.t);
}

Test(home, one_that_was_pushed_off_waits_for_what_stands_there) {
    static post p;
    open_post(&p, 0);
    take_post(&p);
    town_frames(&p.t, 20);
    const wend_agent_state state = town_state(&p.t, p.guard);
    const wend_agent_id player = p.t.agents[p.player].id;
    cr_assert_str_eq(wend_constant_name(WEND_NAME_WAIT, state.waits), "player");
    cr_assert(state.blocked_cell.x == 4 && state.blocked_cell.y == 1);
    cr_assert(state.blocker.index == player.index && state.blocker.generation == player.generation);
    town_close(&p.t);
}

static void check_displaced_after(uint32_t patience, uint32_t updates) {
    static post p;
    open_post(&p, patience);
    take_post(&p);
    const wend_cell aside = town_cell(&p.t, p.guard);
    town_frames(&p.t, updates);
    cr_assert_eq(displaced_count(&p), 0, "after %u updates", updates);
    town_frame(&p.t);
    cr_assert_eq(displaced_count(&p), 1);
    cr_assert(same_cell(p.t.events[p.t.event_count - 1].cell, aside));
    cr_assert_eq(town_counts(&p.t).busy, 0);
    town_frames(&p.t, 3000);
    cr_assert_eq(displaced_count(&p), 1);
    cr_assert_eq(town_state(&p.t, p.guard).state, WEND_AGENT_ASIDE);
    steer(&p, 5);
    town_frames(&p.t, 10);
    cr_assert(town_is_at(&p.t, p.guard, 4, 1), "its place was taken for long");
    cr_assert_eq(displaced_count(&p), 1);
    steer(&p, 4);
    town_frames(&p.t, updates + 2);
    cr_assert_eq(displaced_count(&p), 1, "once for each goal");
    town_close(&p.t);
}

Test(home, an_agent_that_is_away_for_64_updates_is_displaced) {
    check_displaced_after(0, 64);
}

Test(home, a_crowd_with_patience_has_its_own_time) {
    check_displaced_after(10, 10);
}

Test(home, an_agent_comes_back_once_an_edit_opens_the_way) {
    static post p;
    open_post(&p, 0);
    take_post(&p);
    town_frames(&p.t, 2);
    const wend_cell aside = town_cell(&p.t, p.guard);
    cr_assert(same_cell(aside, (wend_cell){3, 1, 0}) || same_cell(aside, (wend_cell){4, 0, 0}));
    town_set(&p.t, 4, 1, 0);
    steer(&p, 5);
    town_frames(&p.t, 1000);
    cr_assert(same_cell(town_cell(&p.t, p.guard), aside));
    cr_assert_eq(displaced_count(&p), 1);
    town_set(&p.t, 4, 1, 1);
    town_frames(&p.t, 20);
    cr_assert(town_is_at(&p.t, p.guard, 4, 1));
    town_close(&p.t);
}

static void shove(town *t, uint32_t player, uint64_t *random) {
    wend_cell to = town_cell(t, player);
    to.x += (int32_t)draw(random, 3) - 1, to.y += (int32_t)draw(random, 3) - 1;
    if (to.x < 0 || to.y < 0 || to.x > 3 || to.y > 1) return;
    cr_assert_eq(wend_crowd_step(t->crowd, t->agents[player].id, to), WEND_OK);
    t->agents[player].begun++; /* a step that cannot begin has an event */
}

/* Players shove the two about until each stands on the other's goal, and go away. */
Test(home, two_that_stand_on_each_others_goals_swap) {
    static const char *const rows[] = {"....", "...."};
    static town t;
    uint64_t random = 1;
    town_open(&t, rows, 2, NULL);
    const uint32_t a = town_add(&t, 1, 0, 1000), b = town_add(&t, 2, 0, 1000);
    town_go(&t, a, 1, 0), town_go(&t, b, 2, 0);
    town_frame(&t);
    const uint32_t players[] = {town_add(&t, 0, 1, 1000), town_add(&t, 3, 1, 1000)};
    for (uint32_t frame = 0; !town_is_at(&t, a, 2, 0) || !town_is_at(&t, b, 1, 0); frame++) {
        cr_assert_lt(frame, 100000, "never on each other's goals");
        for (uint32_t k = 0; k < 2; k++) shove(&t, players[k], &random);
        town_frame(&t);
    }
    town_remove(&t, players[0]), town_remove(&t, players[1]);
    town_frames(&t, 600);
    cr_assert(town_is_at(&t, a, 1, 0) && town_is_at(&t, b, 2, 0));
    town_close(&t);
}

Test(home, a_new_order_ends_the_way_back) {
    static post p;
    open_post(&p, 0);
    take_post(&p);
    town_halt(&p.t, p.guard);
    const wend_cell aside = town_cell(&p.t, p.guard);
    steer(&p, 5);
    town_frames(&p.t, 200);
    cr_assert(same_cell(town_cell(&p.t, p.guard), aside));
    cr_assert_eq(displaced_count(&p), 0);
    town_close(&p.t);
}

/* ---- a random crowd ---- */

enum { AGENTS = 300, SIZE = 32 };

/* Opens a town on a square with 20 % of its cells blocked. */
static void open_random(town *t, uint64_t *random) {
    static char cells[SIZE][SIZE + 1];
    const char *rows[SIZE];
    for (int y = 0; y < SIZE; y++) {
        for (int x = 0; x < SIZE; x++) cells[y][x] = draw(random, 5) == 0 ? '#' : '.';
        rows[y] = cells[y];
    }
    cells[SIZE / 2][SIZE / 2] = '.';
    town_open(t, rows, SIZE, NULL);
}

/* Finds a cell that a way leads to from the middle and that was not found before. */
static wend_cell find_cell(const town *t, bool *found, uint64_t *random) {
    const wend_cell middle = {SIZE / 2, SIZE / 2, 0};
    for (;;) {
        wend_cell cell;
        cr_assert_eq(wend_map_random_cell(t->map, 0, middle, draw_bits(random), &cell), WEND_OK);
        if (found[cell.y * SIZE + cell.x]) continue;
        found[cell.y * SIZE + cell.x] = true;
        return cell;
    }
}

static void send_all(town *t, wend_cell *goals, uint64_t *random) {
    bool starts[SIZE * SIZE] = {false}, ends[SIZE * SIZE] = {false};
    open_random(t, random);
    for (uint32_t i = 0; i < AGENTS; i++) {
        const wend_cell start = find_cell(t, starts, random);
        town_add(t, start.x, start.y, 1000);
    }
    for (uint32_t i = 0; i < AGENTS; i++) {
        goals[i] = find_cell(t, ends, random);
        town_go(t, i, goals[i].x, goals[i].y);
    }
}

/* No agent is away without an event. In rare cases a jam in a dead end that no window solves ends as gave_up. */
Test(home, all_of_a_crowd_stand_on_their_goals_in_the_end) {
    enum { CROWDS_A_JAM = 100 };
    static town t;
    static wend_cell goals[AGENTS];
    const int crowds = few_or_many(1, 200);
    int gave_up = 0;
    for (int seed = 1; seed <= crowds; seed++) {
        uint64_t random = (uint64_t)seed;
        send_all(&t, goals, &random);
        town_walk(&t, 2000);
        for (uint32_t i = 0; i < AGENTS; i++) {
            const bool jammed = town_last(&t, i) == WEND_AGENT_EVENT_GAVE_UP;
            gave_up += jammed;
            cr_assert(jammed || town_is_at(&t, i, goals[i].x, goals[i].y), "agent %u of crowd %d is away", i, seed);
        }
        town_close(&t);
    }
    cr_assert_leq(gave_up, crowds / CROWDS_A_JAM, "%d agents of %d crowds gave up", gave_up, crowds);
}

/* Another one takes the goal cell while the guard is off it, and has the same goal. */
Test(home, one_whose_goal_cell_another_keeps_becomes_idle) {
    static post p;
    open_post(&p, 0);
    const uint32_t other = town_add(&p.t, 0, 1, 1000);
    take_post(&p);
    town_remove(&p.t, p.player);
    cr_assert_eq(wend_crowd_move(p.t.crowd, p.t.agents[other].id, (wend_cell){4, 1, 0}), WEND_OK);
    p.t.agents[other].cell = (wend_cell){4, 1, 0};
    town_go(&p.t, other, 4, 1);
    town_frames(&p.t, 60);
    cr_assert_eq(town_state(&p.t, p.guard).state, WEND_AGENT_ASIDE);
    town_frames(&p.t, 60);
    cr_assert(town_is_at(&p.t, other, 4, 1));
    cr_assert_eq(displaced_count(&p), 1);
    cr_assert_eq(town_state(&p.t, p.guard).state, WEND_AGENT_IDLE);
    const wend_cell place = town_cell(&p.t, p.guard);
    town_remove(&p.t, other);
    town_frames(&p.t, 50);
    cr_assert(same_cell(town_cell(&p.t, p.guard), place), "it came back to a cell that it does not keep");
    town_close(&p.t);
}
