/* SPDX-License-Identifier: MIT */
/* The edits of a stress run: places are blocked, opened or slowed down, links removed or made dearer, closed steps
   opened. All is restored some frames later, so the map changes all the time and stays like itself. */
#include <stdlib.h>

#include "shared/array.h"
#include "shared/random.h"
#include "loads/edits.h"
#include <wend/edit.h>

enum { SLOTS = 128, TRIES = 64, STAY_MIN = 5, STAY_MAX = 60, WALL_MIN = 6, WALL_MAX = 24, NONE = UINT32_MAX };
/* Where a map has links or closed steps, one change in this many is one of them. */
enum { WAYS_EACH = 4 };

/* A new value: the class of a place, the cost of a link (0: removed), whether a step is closed. `what` as in
   terrain_set(), but for the class. */
typedef struct change {
    uint64_t what;
    uint32_t value;
} change;

/* A value that is to be restored. */
typedef struct debt {
    change old;
    uint32_t next; /* in the list of a frame, or of free ones */
} debt;

struct editor {
    editor_def def;
    uint64_t random;
    uint64_t saved;   /* values that may still be changed in this frame */
    uint64_t *edited; /* a bit for each value: it differs from the first map */
    debt *debts;
    size_t debt_capacity;
    uint32_t debt_count, free_debt;
    uint32_t due[SLOTS]; /* lists by frame modulo SLOTS */
    change *batch;
    size_t batch_count, batch_capacity;
    lab_moment publishing;            /* how long the last batch took */
    uint8_t blocked, open, slow[256]; /* classes */
    uint32_t slow_count;
    bool can_block, can_open;
};

/* ---- classes ---- */

/* Choose by the factors of the map's rules; among equals the lowest class, which is the usual one. */
static void choose_classes(editor *hand) {
    const uint8_t *factors = hand->def.land->rules.factors;
    for (unsigned i = 256; i-- > 0;) {
        if (factors[i] == 0)
            hand->blocked = (uint8_t)i, hand->can_block = true;
        else if (!hand->can_open || factors[i] <= factors[hand->open])
            hand->open = (uint8_t)i, hand->can_open = true;
        if (factors[i] >= 2 && factors[i] <= 9) hand->slow[hand->slow_count++] = (uint8_t)i;
    }
}

/* The new class of an open cell: mostly blocked. */
static uint8_t worse(editor *hand) {
    bool slow = hand->slow_count > 0 && (!hand->can_block || random_below(&hand->random, 100) < 40);
    return slow ? hand->slow[random_below(&hand->random, hand->slow_count)] : hand->blocked;
}

/* ---- cells to restore ---- */

static bool is_edited(const editor *hand, uint64_t what) {
    return hand->edited[what / 64] >> what % 64 & 1;
}

static void flip_edited(editor *hand, uint64_t what) {
    hand->edited[what / 64] ^= UINT64_C(1) << what % 64;
}

/* Returns true if an agent is on this place. */
static bool is_held(const editor *hand, uint64_t what) {
    return what < hand->def.land->cells && agents_on(hand->def.all, (uint32_t)what);
}

static uint32_t allocate_debt(editor *hand) {
    uint32_t taken = hand->free_debt;
    if (taken != NONE) {
        hand->free_debt = hand->debts[taken].next;
        return taken;
    }
    return ARRAY_ROOM(hand->debts, hand->debt_capacity, hand->debt_count + 1) ? hand->debt_count++ : NONE;
}

/* The next frame with edits, from this one on. Beats are frames 1, 1 + beat, 1 + 2 × beat … */
static uint64_t on_beat(const editor *hand, uint64_t frame) {
    const uint64_t beat = hand->def.beat;
    return beat == 0 ? frame : frame + (beat - (frame - 1) % beat) % beat;
}

static void put_due(editor *hand, uint32_t index, uint64_t frame) {
    frame = on_beat(hand, frame);
    uint32_t *slot = &hand->due[frame % SLOTS];
    hand->debts[index].next = *slot;
    *slot = index;
}

/* ---- the batch ---- */

static bool add(editor *hand, uint64_t what, uint32_t value) {
    if (!ARRAY_ROOM(hand->batch, hand->batch_capacity, hand->batch_count + 1)) return false;
    hand->batch[hand->batch_count++] = (change){what, value};
    hand->saved -= hand->saved > 0;
    return true;
}

/* Restore cells that are due, up to this frame's number of cells; cells with an agent on them wait. Restored cells
   count as edited until the batch is complete, so that it changes no cell twice. */
static bool restore(editor *hand, uint64_t frame) {
    uint32_t index = hand->due[frame % SLOTS];
    hand->due[frame % SLOTS] = NONE;
    while (index != NONE) {
        debt *owed = &hand->debts[index];
        uint32_t next = owed->next;
        if (hand->saved == 0 || is_held(hand, owed->old.what)) {
            put_due(hand, index, frame + 1);
        } else {
            if (!add(hand, owed->old.what, owed->old.value)) return false;
            owed->next = hand->free_debt;
            hand->free_debt = index;
        }
        index = next;
    }
    return true;
}

static bool may_change(const editor *hand, uint64_t what) {
    const bool exists = what >= hand->def.land->cells || terrain_exists(hand->def.land, (uint32_t)what);
    return exists && !is_edited(hand, what) && !is_held(hand, what);
}

static uint32_t value_of(const editor *hand, const wend_map *map, uint64_t what) {
    const terrain_copy *land = hand->def.land;
    uint8_t terrain = 0;
    if (what >= land->cells) return terrain_get(land, what);
    wend_map_get_terrain(map, terrain_cell(land, (uint32_t)what), &terrain);
    return terrain;
}

static bool spoil(editor *hand, const wend_map *map, uint64_t what, uint32_t value, uint64_t until) {
    uint32_t index = allocate_debt(hand);
    if (index == NONE) return false;
    hand->debts[index].old = (change){what, value_of(hand, map, what)};
    put_due(hand, index, until);
    flip_edited(hand, what);
    return add(hand, what, value);
}

static uint64_t restored_in(editor *hand, uint64_t frame) {
    return frame + (uint64_t)random_between(&hand->random, STAY_MIN, STAY_MAX);
}

/* Removes a link or makes it dearer, or opens a closed step. Seams are only removed. */
static bool change_way(editor *hand, const wend_map *map, uint64_t frame) {
    const terrain_copy *land = hand->def.land;
    const uint64_t ways = terrain_value_count(land) - land->cells;
    const uint64_t what = land->cells + random_below(&hand->random, ways);
    const bool link = what < terrain_step_value(land), goes = random_below(&hand->random, 2) == 0;
    if (!may_change(hand, what)) return true;
    const uint32_t cost = terrain_get(land, what), more = cost < WEND_MAX_COST / 2 ? 2 * cost : cost - 1;
    return spoil(hand, map, what, link && !goes && cost != TERRAIN_SEAM ? more : 0, restored_in(hand, frame));
}

/* Changes a straight row of cells: a wall falls where the first cell is blocked, else one is built, all for the same
   time. A single cell may also become slow. */
static bool stroke(editor *hand, const wend_map *map, uint32_t first, uint32_t length, uint64_t frame) {
    const terrain_copy *land = hand->def.land;
    bool falls = land->factors[first] == 0, across = random_below(&hand->random, 2) == 0;
    if (falls ? !hand->can_open : !hand->can_block && hand->slow_count == 0) return true;
    uint8_t terrain = falls ? hand->open : length > 1 && hand->can_block ? hand->blocked : worse(hand);
    if (land->rules.factors[terrain] == land->factors[first]) return true; /* the same factor: no change */
    const uint64_t until = restored_in(hand, frame);
    wend_cell at = terrain_cell(land, first);
    for (uint32_t i = 0; i < length && terrain_on_map(land, at); i++) {
        uint32_t cell = terrain_index(land, at);
        bool fits = (land->factors[cell] == 0) == falls && may_change(hand, cell);
        if (fits && !spoil(hand, map, cell, terrain, until)) return false;
        if (across)
            at.x++;
        else
            at.y++;
    }
    return true;
}

/* New edits; fewer where chance finds no cell that may change. */
static bool make_new(editor *hand, const wend_map *map, uint64_t frame) {
    const terrain_copy *land = hand->def.land;
    const bool has_ways = terrain_value_count(land) > land->cells;
    uint32_t length = hand->def.walls ? (uint32_t)random_between(&hand->random, WALL_MIN, WALL_MAX) : 1;
    for (uint32_t tries = 0; tries < TRIES && hand->saved >= length;) {
        const bool way = has_ways && random_below(&hand->random, WAYS_EACH) == 0;
        uint32_t first = (uint32_t)random_below(&hand->random, land->cells);
        size_t before = hand->batch_count;
        if (way ? !change_way(hand, map, frame) : may_change(hand, first) && !stroke(hand, map, first, length, frame))
            return false;
        tries = hand->batch_count > before ? 0 : tries + 1;
    }
    return true;
}

/* ---- publishing ---- */

static void put_change(wend_edit *edit, const terrain_copy *land, const change *one) {
    if (one->what < land->cells) {
        wend_edit_set_cell(edit, terrain_cell(land, (uint32_t)one->what), (uint8_t)one->value);
    } else if (one->what < terrain_step_value(land)) {
        const terrain_way *link = &land->ways[one->what - terrain_link_value(land)];
        const wend_cell from = terrain_cell(land, link->from), to = terrain_cell(land, link->to);
        if (one->value > 0)
            wend_edit_add_link(
                edit, &(wend_link){from, to, one->value == TERRAIN_SEAM ? WEND_LINK_SEAM : (int32_t)one->value, 0});
        else
            wend_edit_remove_link(edit, from, to);
    } else {
        const wend_step *step = &land->closed_steps[one->what - terrain_step_value(land)];
        wend_edit_set_step(edit, step->from, step->to, one->value == 0);
    }
}

static wend_error publish(const editor *hand, wend_map *map, uint64_t *epoch) {
    wend_edit *edit;
    wend_error error = wend_edit_begin(map, &edit);
    if (error != WEND_OK) return error;
    for (size_t i = 0; i < hand->batch_count; i++) put_change(edit, hand->def.land, &hand->batch[i]);
    return wend_edit_publish(edit, epoch); /* returns the first error of the batch */
}

wend_error editor_go(editor *hand, wend_map *map, uint64_t frame, uint64_t *cells) {
    hand->batch_count = 0;
    *cells = 0;
    if (on_beat(hand, frame) != frame) return WEND_OK;
    hand->saved += hand->def.each_frame;
    if (!restore(hand, frame)) return WEND_OUT_OF_MEMORY;
    size_t restored = hand->batch_count;
    if (!make_new(hand, map, frame)) return WEND_OUT_OF_MEMORY;
    for (size_t i = 0; i < restored; i++) flip_edited(hand, hand->batch[i].what);
    if (!hand->def.walls) hand->saved = 0;
    *cells = hand->batch_count;
    if (hand->batch_count == 0) return WEND_OK;
    uint64_t epoch;
    const lab_moment began = lab_now();
    wend_error error = publish(hand, map, &epoch);
    hand->publishing = lab_since(began);
    if (error != WEND_OK) return error;
    terrain_copy *land = hand->def.land;
    terrain_begin_epoch(land, epoch);
    for (size_t i = 0; i < hand->batch_count; i++) {
        const change *one = &hand->batch[i];
        const uint32_t value = one->what < land->cells ? land->rules.factors[one->value] : one->value;
        if (!terrain_set(land, one->what, value)) return WEND_OUT_OF_MEMORY;
    }
    return WEND_OK;
}

lab_moment editor_publishing(const editor *hand) {
    return hand->publishing;
}

uint64_t editor_compare(const editor *hand, const wend_map *map) {
    uint64_t differing = 0;
    for (size_t i = 0; i < hand->batch_count; i++) {
        const change *one = &hand->batch[i];
        uint8_t terrain = 0;
        if (one->what >= hand->def.land->cells) continue; /* terrain_compare() compares these at the end */
        wend_error error = wend_map_get_terrain(map, terrain_cell(hand->def.land, (uint32_t)one->what), &terrain);
        differing += error != WEND_OK || terrain != one->value;
    }
    return differing;
}

/* ---- life ---- */

editor *editor_create(const editor_def *def) {
    editor *hand = calloc(1, sizeof *hand);
    if (!hand) return NULL;
    hand->def = *def;
    hand->random = def->seed ^ UINT64_C(0x5EED0FED17500000);
    hand->free_debt = NONE;
    for (int i = 0; i < SLOTS; i++) hand->due[i] = NONE;
    hand->edited = calloc((size_t)(terrain_value_count(def->land) / 64 + 1), sizeof *hand->edited);
    choose_classes(hand);
    if (hand->edited) return hand;
    editor_free(hand);
    return NULL;
}

void editor_free(editor *hand) {
    if (!hand) return;
    free(hand->edited);
    free(hand->debts);
    free(hand->batch);
    free(hand);
}
