/* SPDX-License-Identifier: MIT */
/* The edits of a stress run: cells are blocked, opened or slowed down, and restored some frames later, so the map
   changes all the time and stays like itself. */
#include <stdlib.h>

#include "lab/shared/array.h"
#include "lab/shared/random.h"
#include "lab/loads/edits.h"
#include <wend/edit.h>

enum { SLOTS = 128, TRIES = 64, STAY_MIN = 5, STAY_MAX = 60, WALL_MIN = 6, WALL_MAX = 24, NONE = UINT32_MAX };

/* A cell that is to be restored. */
typedef struct debt {
    uint32_t cell, next; /* next: in the list of a frame, or of free ones */
    uint8_t terrain;
} debt;

typedef struct change {
    uint32_t cell;
    uint8_t terrain;
} change;

struct editor {
    editor_def def;
    uint64_t random;
    uint64_t saved;   /* cells that may still be changed in this frame */
    uint64_t *edited; /* a bit for each cell: it differs from the first map */
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

static bool is_edited(const editor *hand, uint32_t cell) {
    return hand->edited[cell / 64] >> cell % 64 & 1;
}

static void flip_edited(editor *hand, uint32_t cell) {
    hand->edited[cell / 64] ^= UINT64_C(1) << cell % 64;
}

static uint32_t take_debt(editor *hand) {
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

static bool add(editor *hand, uint32_t cell, uint8_t terrain) {
    if (!ARRAY_ROOM(hand->batch, hand->batch_capacity, hand->batch_count + 1)) return false;
    hand->batch[hand->batch_count++] = (change){cell, terrain};
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
        if (hand->saved == 0 || agents_on(hand->def.all, owed->cell)) {
            put_due(hand, index, frame + 1);
        } else {
            if (!add(hand, owed->cell, owed->terrain)) return false;
            owed->next = hand->free_debt;
            hand->free_debt = index;
        }
        index = next;
    }
    return true;
}

static bool may_change(const editor *hand, uint32_t cell) {
    return !is_edited(hand, cell) && !agents_on(hand->def.all, cell);
}

static bool spoil(editor *hand, const wend_map *map, uint32_t cell, uint8_t terrain, uint64_t until) {
    uint32_t index = take_debt(hand);
    if (index == NONE) return false;
    debt *owed = &hand->debts[index];
    owed->cell = cell;
    wend_map_get_terrain(map, terrain_cell(hand->def.land, cell), &owed->terrain);
    put_due(hand, index, until);
    flip_edited(hand, cell);
    return add(hand, cell, terrain);
}

/* Change a straight row of cells: a wall falls where the first cell is blocked, else one is built, all for the same
   time. A single cell may also become slow. */
static bool stroke(editor *hand, const wend_map *map, uint32_t first, uint32_t length, uint64_t frame) {
    const terrain_copy *land = hand->def.land;
    bool falls = land->factors[first] == 0, across = random_below(&hand->random, 2) == 0;
    if (falls ? !hand->can_open : !hand->can_block && hand->slow_count == 0) return true;
    uint8_t terrain = falls ? hand->open : length > 1 && hand->can_block ? hand->blocked : worse(hand);
    if (land->rules.factors[terrain] == land->factors[first]) return true; /* the same factor: no change */
    uint64_t until = frame + (uint64_t)random_between(&hand->random, STAY_MIN, STAY_MAX);
    wend_cell at = terrain_cell(land, first);
    for (uint32_t i = 0; i < length && terrain_on_map(land, at.x, at.y); i++) {
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
    uint32_t length = hand->def.walls ? (uint32_t)random_between(&hand->random, WALL_MIN, WALL_MAX) : 1;
    for (uint32_t tries = 0; tries < TRIES && hand->saved >= length;) {
        uint32_t first = (uint32_t)random_below(&hand->random, hand->def.land->cells);
        size_t before = hand->batch_count;
        if (may_change(hand, first) && !stroke(hand, map, first, length, frame)) return false;
        tries = hand->batch_count > before ? 0 : tries + 1;
    }
    return true;
}

/* ---- publishing ---- */

static wend_error publish(const editor *hand, wend_map *map, uint64_t *epoch) {
    wend_edit *edit;
    wend_error error = wend_edit_begin(map, &edit);
    if (error != WEND_OK) return error;
    for (size_t i = 0; i < hand->batch_count; i++)
        wend_edit_set_cell(edit, terrain_cell(hand->def.land, hand->batch[i].cell), hand->batch[i].terrain);
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
    for (size_t i = 0; i < restored; i++) flip_edited(hand, hand->batch[i].cell);
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
        if (!terrain_set(land, hand->batch[i].cell, land->rules.factors[hand->batch[i].terrain]))
            return WEND_OUT_OF_MEMORY;
    }
    return WEND_OK;
}

lab_moment editor_publishing(const editor *hand) {
    return hand->publishing;
}

uint64_t editor_compare(const editor *hand, const wend_map *map) {
    uint64_t differing = 0;
    for (size_t i = 0; i < hand->batch_count; i++) {
        uint8_t terrain = 0;
        wend_error error = wend_map_get_terrain(map, terrain_cell(hand->def.land, hand->batch[i].cell), &terrain);
        differing += error != WEND_OK || terrain != hand->batch[i].terrain;
    }
    return differing;
}

/* ---- life ---- */

editor *editor_create(const editor_def *def) {
    editor *hand = calloc(1, sizeof *hand);
    if (hand == NULL) return NULL;
    hand->def = *def;
    hand->random = def->seed ^ UINT64_C(0x5EED0FED17500000);
    hand->free_debt = NONE;
    for (int i = 0; i < SLOTS; i++) hand->due[i] = NONE;
    hand->edited = calloc((size_t)(def->land->cells / 64 + 1), sizeof *hand->edited);
    choose_classes(hand);
    if (hand->edited != NULL) return hand;
    editor_free(hand);
    return NULL;
}

void editor_free(editor *hand) {
    if (hand == NULL) return;
    free(hand->edited);
    free(hand->debts);
    free(hand->batch);
    free(hand);
}
