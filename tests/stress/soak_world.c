/* SPDX-License-Identifier: MIT */
/* A world that changes: each edit on the map and on the arrays alike. */
#include "stress/soak.h"
#include "fast/acceleration.h"

#include <string.h>
#include <wend/units.h>

static int chance(oracle_random *random, int percent) {
    return oracle_below(random, 100) < percent;
}

static wend_cell any_cell(const world *w, oracle_random *random) {
    return world_cell(w, oracle_below(random, w->cells));
}

static void keep(soak_world *s, uint64_t epoch) {
    pthread_mutex_lock(&s->keeping);
    world_copy(&s->kept[epoch % SOAK_KEPT], &s->now);
    s->kept_epochs[epoch % SOAK_KEPT] = epoch;
    pthread_mutex_unlock(&s->keeping);
}

bool soak_at(soak_world *s, uint64_t epoch, world *out) {
    pthread_mutex_lock(&s->keeping);
    bool there = s->kept_epochs[epoch % SOAK_KEPT] == epoch;
    if (there) world_copy(out, &s->kept[epoch % SOAK_KEPT]);
    pthread_mutex_unlock(&s->keeping);
    return there;
}

static uint64_t newest(const wend_map *map) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    return info.epoch;
}

/* Even ground, and it stays so. */
static void fill_even(world *w, oracle_random *random) {
    const world_options options = {WEND_KIND_GRID, false, false, false, chance(random, 20), false};
    world_fill(w, random, &options);
    w->rules.neighbours = 8, w->rules.corners = WEND_CORNERS_NEVER;
    w->rules.cost_straight = 10, w->rules.cost_diagonal = 14;
}

/* Landmarks are kept at any price, as far as is usual, hardly or never. */
static void choose_effort(soak_world *s, oracle_random *random) {
    static const uint64_t efforts[] = {0, 1, 12, WEND_LANDMARK_EFFORT, WEND_NO_LIMIT};
    const uint64_t effort = efforts[oracle_below(random, 5)];
    wend_map_info info = {.struct_bytes = sizeof info};
    wend__map_set_landmark_effort(s->map, effort);
    wend_map_get_info(s->map, &info);
    PROMISE(info.landmark_effort == effort);
}

/* 0 to 8 landmarks. */
static void mark(soak_world *s, oracle_random *random) {
    PROMISE(wend__map_prepare_landmarks(s->map, oracle_below(random, 9)) == WEND_OK);
}

void soak_open(soak_world *s, oracle_random *random, int kind) {
    world_options options = {kind, chance(random, 60), chance(random, 50), chance(random, 40), chance(random, 50),
                             false};
    s->even = kind == WEND_KIND_GRID && chance(random, 50);
    if (s->even)
        fill_even(&s->now, random);
    else
        world_fill(&s->now, random, &options);
    s->map = world_map(&s->now);
    if (kind == WEND_KIND_GRID) {
        PROMISE(wend__map_prepare_jumps(s->map) == WEND_OK);
        mark(s, random);
    }
    s->epoch = newest(s->map), s->unit_moves = 0, s->unit_count = 0;
    PROMISE(wend_map_set_max_versions(s->map, 1 + oracle_below(random, 4)) == WEND_OK);
    memset(s->kept_epochs, 0, sizeof s->kept_epochs);
    PROMISE(pthread_mutex_init(&s->keeping, NULL) == 0);
    keep(s, s->epoch);
}

void soak_close(soak_world *s) {
    wend_map_release(s->map);
    s->map = NULL;
    world_free(&s->now);
    for (int i = 0; i < SOAK_KEPT; i++) world_free(&s->kept[i]);
    pthread_mutex_destroy(&s->keeping);
}

/* ---- edits ---- */

/* Edits change a batch and w, a copy of the arrays if the batch is to be discarded. */
static void edit_cell(world *w, wend_edit *edit, oracle_random *random) {
    const wend_cell cell = any_cell(w, random);
    world_set_cell(w, edit, cell,
                   (uint8_t)(chance(random, 35)   ? 0
                             : chance(random, 60) ? 1
                                                  : 1 + oracle_below(random, 6)));
}

static void edit_box(world *w, wend_edit *edit, oracle_random *random) {
    wend_cell a = any_cell(w, random);
    wend_box box = {a, {a.x + oracle_below(random, 4), a.y + oracle_below(random, 4), a.z + oracle_below(random, 4)}};
    world_set_box(w, edit, box, (uint8_t)oracle_below(random, 3));
}

static void edit_step(world *w, wend_edit *edit, oracle_random *random) {
    const wend_cell from = any_cell(w, random);
    const int step = oracle_below(random, 27);
    world_set_step(w, edit, from, step, chance(random, 50));
}

static void add_link(world *w, wend_edit *edit, oracle_random *random) {
    wend_link link = {any_cell(w, random), any_cell(w, random), 1 + oracle_below(random, 100), 0};
    link.movers = world_takers(link.cost);
    world_put_link(w, edit, link);
}

/* At times one that there is not. */
static void remove_link(world *w, wend_edit *edit, oracle_random *random) {
    const wend_cell from = any_cell(w, random), to = any_cell(w, random);
    if (w->link_count > 0)
        world_drop_link(w, edit, oracle_below(random, w->link_count));
    else
        PROMISE(wend_edit_remove_link(edit, from, to) == WEND_EMPTY);
}

static void edit_something(world *w, wend_edit *edit, oracle_random *random) {
    int what = oracle_below(random, 100);
    if (what < 60)
        edit_cell(w, edit, random);
    else if (what < 65)
        edit_box(w, edit, random);
    else if (what < 85)
        edit_step(w, edit, random);
    else if (w->link_count < oracle_below(random, 12))
        add_link(w, edit, random);
    else
        remove_link(w, edit, random);
}

static void edit_even(world *w, wend_edit *edit, oracle_random *random) {
    const wend_cell cell = any_cell(w, random);
    world_set_cell(w, edit, cell, !w->terrain[world_number(w, cell)]);
}

/* Jump tables are pruned, or not; at times they are dropped and made again, and landmarks are, which are kept at more
   or less effort. */
static void tend_jumps(soak_world *s, oracle_random *random) {
    if (s->now.kind != WEND_KIND_GRID) return;
    if (chance(random, 30)) PROMISE(wend__map_prune_jumps(s->map, (uint32_t)oracle_below(random, 3), NULL) == WEND_OK);
    if (chance(random, 2)) PROMISE(wend__map_drop_jumps(s->map) == WEND_OK);
    if (chance(random, 5)) PROMISE(wend__map_prepare_jumps(s->map) == WEND_OK);
    if (chance(random, 10)) mark(s, random);
    if (chance(random, 10)) choose_effort(s, random);
    if (chance(random, 10))
        PROMISE(wend__map_continue_landmarks(s->map, (uint64_t)oracle_below(random, 40)) == WEND_OK);
}

void soak_edit(soak_world *s, oracle_random *random) {
    static world aside;
    bool discarded = chance(random, 5);
    world *w = discarded ? &aside : &s->now;
    if (discarded) world_copy(&aside, &s->now);
    wend_edit *edit;
    PROMISE(wend_edit_begin(s->map, &edit) == WEND_OK);
    for (int i = oracle_below(random, 8); i >= 0; i--)
        if (s->even)
            edit_even(w, edit, random);
        else
            edit_something(w, edit, random);
    if (discarded) {
        wend_edit_discard(edit);
        return;
    }
    uint64_t epoch;
    keep(s, ++s->epoch);
    PROMISE(wend_edit_publish(edit, &epoch) == WEND_OK);
    PROMISE(epoch == s->epoch);
    tend_jumps(s, random);
}

/* ---- units ---- */

void soak_move(soak_world *s, oracle_random *random) {
    for (int i = oracle_below(random, 6); i > 0; i--) {
        if (s->unit_count < SOAK_MOST_UNITS && chance(random, 50)) {
            wend_cell cell = any_cell(&s->now, random);
            s->units[s->unit_count++] = cell;
            world_occupy(&s->now, s->map, cell);
        } else if (s->unit_count > 0) {
            int gone = oracle_below(random, s->unit_count);
            world_vacate(&s->now, s->map, s->units[gone]);
            s->units[gone] = s->units[--s->unit_count];
        } else {
            continue;
        }
        s->unit_moves++;
    }
}
