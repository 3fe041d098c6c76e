/* SPDX-License-Identifier: MIT */
/* Counts where agents are blocked, over a window of updates. The window has eight slices. Each cell with a count has a
 * place in a hash table, with a count for each slice; the oldest slice is emptied when the next one begins. */
#include <stdlib.h>
#include <string.h>

#include "cli/output/cells.h"
#include "cli/world/heap.h"
#include "cli/world/jams.h"

enum { SLICES = 8, SLOTS = 2 * CLI_JAM_CELLS };

typedef struct jam_place {
    wend_cell cell; /* first: cli_compare_cells() reads it */
    uint32_t waits[SLICES];
    uint64_t sum;    ///< of `waits`; valid in cli_jams_worst()
    uint32_t agents; ///< number of agents blocked in `update`
    bool taken;      ///< an earlier jam of the answer contains the cell
    uint64_t update; ///< the last one with a blocked agent
} jam_place;

struct cli_jams {
    uint32_t slice, slice_updates, place_count;
    uint64_t updates, waits; ///< updates since the counts began; `waits` in the window
    jam_place places[CLI_JAM_CELLS];
    uint32_t slots[SLOTS]; ///< open addressing: a place's number + 1; 0: free
};

cli_jams *cli_jams_create(uint32_t window) {
    cli_jams *jams = cli_alloc_zero(1, sizeof *jams);
    if (jams) jams->slice_updates = (window + SLICES - 1) / SLICES;
    return jams;
}

void cli_jams_free(cli_jams *jams) {
    cli_free(jams);
}

/* ---- places ---- */

/* Returns the slot of a cell's place, or the free one where it would be. */
static uint32_t *slot_of(cli_jams *jams, wend_cell cell) {
    uint64_t at = cli_hash_cell(0, cell) % SLOTS;
    while (jams->slots[at] && !cli_same_cell(jams->places[jams->slots[at] - 1].cell, cell)) at = (at + 1) % SLOTS;
    return &jams->slots[at];
}

/* Fills the table again, after places have moved. */
static void fill_slots(cli_jams *jams) {
    memset(jams->slots, 0, sizeof jams->slots);
    for (uint32_t i = 0; i < jams->place_count; i++) *slot_of(jams, jams->places[i].cell) = i + 1;
}

static uint64_t waits_at(const jam_place *place) {
    uint64_t sum = 0;
    for (uint32_t k = 0; k < SLICES; k++) sum += place->waits[k];
    return sum;
}

/* ---- counting ---- */

/* Begins the next slice, in the counts of the oldest. Places without a count go. */
static void begin_slice(cli_jams *jams) {
    uint32_t kept = 0;
    jams->slice = (jams->slice + 1) % SLICES;
    for (uint32_t i = 0; i < jams->place_count; i++) {
        jam_place *place = &jams->places[i];
        jams->waits -= place->waits[jams->slice];
        place->waits[jams->slice] = 0;
        if (waits_at(place) > 0) jams->places[kept++] = *place;
    }
    jams->place_count = kept;
    fill_slots(jams);
}

static void count_wait(cli_jams *jams, wend_cell cell) {
    uint32_t *slot = slot_of(jams, cell);
    if (*slot == 0 && jams->place_count == CLI_JAM_CELLS) return;
    if (*slot == 0) {
        jams->places[jams->place_count] = (jam_place){.cell = cell};
        *slot = ++jams->place_count;
    }
    jam_place *place = &jams->places[*slot - 1];
    if (place->update != jams->updates) place->agents = 0;
    place->update = jams->updates;
    place->agents++;
    place->waits[jams->slice]++;
    jams->waits++;
}

void cli_jams_count(cli_jams *jams, wend_crowd *crowd) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    (void)wend_crowd_get_view(crowd, &view);
    if (jams->updates > 0 && jams->updates % jams->slice_updates == 0) begin_slice(jams);
    jams->updates++;
    for (uint32_t i = 0; i < view.count; i++)
        if (view.states[i] == WEND_AGENT_BLOCKED) count_wait(jams, view.cells[i]);
}

/* ---- answers ---- */

/* The present slice, and up to seven full ones. */
uint32_t cli_jams_updates(const cli_jams *jams) {
    if (jams->updates == 0) return 0;
    const uint64_t full = (jams->updates - 1) / jams->slice_updates;
    const uint64_t present = jams->updates - full * jams->slice_updates;
    return (uint32_t)(present + (full < SLICES ? full : SLICES - 1) * jams->slice_updates);
}

uint64_t cli_jams_waits(const cli_jams *jams) {
    return jams->waits;
}

bool cli_jams_rest(const cli_jams *jams) {
    return jams->waits == 0 && cli_jams_updates(jams) >= (SLICES - 1) * jams->slice_updates;
}

static int compare_places(const void *one, const void *two) {
    const jam_place *a = one, *b = two;
    return a->sum != b->sum ? (a->sum < b->sum) - (a->sum > b->sum) : cli_compare_cells(a, b);
}

static void sort_places(cli_jams *jams) {
    for (uint32_t i = 0; i < jams->place_count; i++) {
        jams->places[i].sum = waits_at(&jams->places[i]);
        jams->places[i].taken = false;
    }
    if (jams->place_count > 0) qsort(jams->places, jams->place_count, sizeof jams->places[0], compare_places);
    fill_slots(jams);
}

static bool is_within_on(int32_t a, int32_t b, int32_t around, int32_t within) {
    const int32_t apart = a < b ? b - a : a - b;
    return apart <= within || (around > 0 && around - apart <= within);
}

static void add_to_jam(const cli_jams *jams, jam_place *place, cli_jam *jam) {
    place->taken = true;
    jam->cells++;
    jam->agents += place->update == jams->updates ? place->agents : 0;
    jam->waits += place->sum;
}

/* No place before the peak is free. */
static cli_jam jam_around(cli_jams *jams, const wend_map_info *info, uint32_t peak, int32_t within) {
    cli_jam jam = {.cell = jams->places[peak].cell, .peak = jams->places[peak].sum};
    const int32_t around_x = info->wrap & WEND_WRAP_X ? info->width : 0;
    const int32_t around_y = info->wrap & WEND_WRAP_Y ? info->height : 0;
    const bool alone = within == 0 || info->kind == WEND_KIND_GRAPH;
    for (uint32_t i = peak; i < (alone ? peak + 1 : jams->place_count); i++) {
        jam_place *place = &jams->places[i];
        if (!place->taken && is_within_on(jam.cell.x, place->cell.x, around_x, within) &&
            is_within_on(jam.cell.y, place->cell.y, around_y, within) &&
            is_within_on(jam.cell.z, place->cell.z, 0, within))
            add_to_jam(jams, place, &jam);
    }
    return jam;
}

size_t cli_jams_worst(cli_jams *jams, const wend_map *map, int32_t within, cli_jam *out, size_t capacity) {
    wend_map_info info = {.struct_bytes = sizeof info};
    size_t copied = 0;
    wend_map_get_info(map, &info);
    sort_places(jams);
    for (uint32_t i = 0; i < jams->place_count && copied < capacity; i++)
        if (!jams->places[i].taken) out[copied++] = jam_around(jams, &info, i, within);
    return copied;
}
