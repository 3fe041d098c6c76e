/* SPDX-License-Identifier: MIT */
/* Makes landmarks: reads the ground, finds components, then covers all of them by one spread for each slot.
 *
 * A component's first landmark is the cell farthest from its first cell; each next one is farthest from all before
 * (Goldberg and Harrelson 2005). Of several such cells, the first in the order of chunks is chosen. So the result
 * depends neither on slices nor on the order in which a spread visits chunks. */
#include "fast/landmarks/landmark_make.h"
#include "map/store/memory.h"

/* Efforts of work other than the cells that a spread expands. */
enum { CHUNK_EFFORT = 1024, STRIP_EFFORT = 128, QUICK_CELLS = 2, LOOKS = 16 };
enum { DISCARDED_BYTES = 1 << 18, DISCARD_EFFORT = 512 };
enum { FINDING_WEIGHT = 64, FIRST_RANGE = 100 };
#define MIDDLE (UINT32_C(1) << 30) /* numbers begin here, as they may become less */
#define LARGEST_RANGE (UINT64_C(1) << 60)

wend__landmark_build *wend__landmark_build_begin(wend_map *map, const wend__version *view, uint32_t landmarks) {
    wend__landmark_build *b = wend__map_alloc(map, sizeof *b);
    if (!b) return NULL;
    memset(b, 0, sizeof *b);
    b->map = map, b->view = view, b->count = wend__landmark_slots(view->graph, landmarks);
    b->error = wend__ground_open(&b->ground, map, view);
    const size_t list = b->ground.cells * sizeof(uint32_t);
    if (!b->error) b->error = wend__spread_open(&b->spread, &b->ground);
    if (!b->error) b->reached = b->spread.reached = wend__map_alloc(map, list);
    if (!b->error) b->least = wend__map_alloc(map, list);
    b->strips = (b->ground.cells + WEND__STRIP_CELLS - 1) >> WEND__STRIP_SHIFT;
    if (!b->error) b->low = wend__map_alloc(map, b->strips * sizeof *b->low);
    if (!b->error) b->high = wend__map_alloc(map, b->strips * sizeof *b->high);
    if (b->low) memset(b->low, 0xff, b->strips * sizeof *b->low);
    b->best = UINT32_MAX;
    if (!b->error && b->reached && b->least && b->low && b->high) return b;
    wend__landmark_build_end(b, NULL);
    return NULL;
}

wend_error wend__landmark_build_end(wend__landmark_build *b, wend__landmarks **out) {
    const size_t list = b->ground.cells * sizeof(uint32_t);
    const wend_error error = b->error;
    const bool done = !error && b->phase == WEND__LANDMARK_DONE;
    if (out) *out = done ? b->landmarks : NULL;
    if (!done || !out) wend__landmarks_release(b->map, b->landmarks);
    wend__map_free(b->map, b->reached, list);
    wend__map_free(b->map, b->least, list);
    wend__map_free(b->map, b->low, b->strips * sizeof *b->low);
    wend__map_free(b->map, b->high, b->strips * sizeof *b->high);
    wend__map_free(b->map, b->parts, b->part_room * sizeof *b->parts);
    wend__spread_free(&b->spread);
    wend__ground_free(&b->ground);
    wend__map_free(b->map, b, sizeof *b);
    return error;
}

static void spend(uint64_t *effort, uint64_t by) {
    *effort -= by < *effort ? by : *effort;
}

static void fail(wend__landmark_build *b) {
    b->error = WEND_OUT_OF_MEMORY;
}

/* Cells that are left in this slice, for phases that take a part of the time of expanding. */
static uint64_t quick_cells(uint64_t effort) {
    return effort < UINT64_MAX / QUICK_CELLS ? effort * QUICK_CELLS : UINT64_MAX;
}

/* ---- reading ---- */

static void read_ground(wend__landmark_build *b, uint64_t *effort) {
    for (; b->next * WEND__CHUNK_CELLS < b->ground.cells; b->next++) {
        if (*effort == 0) return;
        spend(effort, CHUNK_EFFORT);
        wend__spread_clear(&b->spread, (uint32_t)b->next);
        wend__ground_read(&b->ground, (uint32_t)b->next);
    }
    b->phase = WEND__LANDMARK_LINKING;
}

static void link_ground(wend__landmark_build *b, uint64_t *effort) {
    if (wend__ground_link(&b->ground, effort)) fail(b);
    if (b->error || *effort == 0) return;
    /* Weights fine enough to know how far the farthest cell is, and coarse enough for 31 bits. */
    const uint64_t straight = (uint32_t)b->view->rules.cost_straight;
    wend__landmark_scale scale = wend__landmark_scale_for(b->view, WEND__LANDMARK_SPAN * straight / FINDING_WEIGHT);
    if (!b->ground.directions) scale = (wend__landmark_scale){.rate = UINT64_C(1) << WEND__LANDMARK_FRACTION};
    wend__spread_scale(&b->spread, &scale);
    b->range = b->ground.directions ? FIRST_RANGE * straight : WEND__LANDMARK_SPAN - 2;
    b->phase = WEND__LANDMARK_FINDING;
    b->next = 0;
}

/* ---- components ---- */

/* Keeps the farther of two cells; of equal ones the first. */
static void keep_farthest(wend__landmark_build *b, uint32_t cell, uint32_t number) {
    if (b->best != UINT32_MAX && (number < b->best_number || (number == b->best_number && cell > b->best))) return;
    b->best = cell, b->best_number = number;
}

/* A cell's number. Cells that a directed spread did not reach count as the farthest cell. That is a bound, too: no way
   leads from reached cells to such a cell, or back if the spread goes against the edges. */
static uint32_t number_of(const wend__landmark_build *b, uint32_t cell) {
    const uint32_t number = b->spread.numbers[cell];
    return number == WEND__UNREACHED ? b->spread.farthest : number;
}

/* Moves the numbers of a component near to those of another component in its first strip: then the
   strip's numbers differ less. Only differences count. */
static void begin_part(wend__landmark_build *b, uint32_t first_cell) {
    const uint32_t near = b->low[first_cell >> WEND__STRIP_SHIFT];
    b->offset = (near == WEND__UNREACHED ? MIDDLE : near) - number_of(b, first_cell);
    b->best = UINT32_MAX;
}

/* The range of a strip, with one more number. */
static void widen_strip(wend__landmark_build *b, uint32_t cell, uint32_t number) {
    const size_t strip = cell >> WEND__STRIP_SHIFT;
    if (b->low[strip] == WEND__UNREACHED) b->low[strip] = b->high[strip] = number;
    if (number < b->low[strip]) b->low[strip] = number;
    if (number > b->high[strip]) b->high[strip] = number;
}

static void add_part(wend__landmark_build *b) {
    wend__landmark_part *parts = wend__map_grown(b->map, b->parts, b->part_count, &b->part_room, sizeof *parts);
    if (!parts) {
        fail(b);
        return;
    }
    b->parts = parts;
    parts[b->part_count++] = (wend__landmark_part){b->reached_count, b->best, b->best, 0};
    b->best = UINT32_MAX;
}

/* Processes the cells that the last spread reached. */
static void process_part(wend__landmark_build *b, uint64_t *effort) {
    uint64_t left = quick_cells(*effort);
    for (; b->reached_count < b->spread.count && left > 0; b->reached_count++, left--) {
        const uint32_t cell = b->reached[b->reached_count], number = b->spread.numbers[cell];
        keep_farthest(b, cell, number);
        if (!b->ground.directions) widen_strip(b, cell, number);
    }
    *effort = left / QUICK_CELLS;
    if (b->reached_count == b->spread.count) add_part(b);
}

/* The greatest range of a strip's numbers, and a little more. */
static uint64_t range_of_strips(const wend__landmark_build *b) {
    uint64_t most = WEND__LANDMARK_SPAN - 2;
    for (size_t i = 0; i < b->strips; i++) {
        const uint64_t range = b->low[i] == WEND__UNREACHED ? 0 : b->high[i] - b->low[i];
        if (range > most) most = range;
    }
    return most > WEND__LANDMARK_SPAN - 2 ? most + most / 8 : most;
}

/* Begins with the first slot, at the finest scale, or at half of the one before. */
static void begin_slots(wend__landmark_build *b) {
    const wend__landmark_scale scale = wend__landmark_scale_for(b->view, b->range);
    wend__landmarks_release(b->map, b->landmarks);
    b->landmarks = wend__landmarks_create(b->map, b->view, b->count);
    if (!b->landmarks) {
        fail(b);
        return;
    }
    b->landmarks->scale = scale;
    if (b->ground.directions) wend__spread_scale(&b->spread, &scale);
    for (size_t i = 0; i < b->part_count; i++) b->parts[i].landmark = b->parts[i].first;
    b->spread.reached = NULL;
    b->slot = 0;
    b->next = b->part = 0;
    b->phase = WEND__LANDMARK_CLEARING;
}

static void clear_numbers(wend__landmark_build *b, uint64_t *effort) {
    uint64_t left = quick_cells(*effort);
    for (; b->next < b->reached_count && left > 0; b->next++, left--)
        b->spread.numbers[b->reached[b->next]] = WEND__UNREACHED;
    *effort = left / QUICK_CELLS;
    if (b->next == b->reached_count) b->phase = WEND__LANDMARK_SPREADING;
}

static void run_spread(wend__landmark_build *b, uint64_t *effort) {
    const uint64_t before = b->spread.work;
    if (wend__spread_run(&b->spread, *effort)) b->begun = false;
    spend(effort, b->spread.work - before);
}

/* Returns true if some cell from `next` on is not reached by any spread. */
static bool find_start(wend__landmark_build *b, uint64_t *effort) {
    for (; b->next<b->ground.cells && * effort> 0; b->next++) {
        if (b->next % LOOKS == 0) spend(effort, 1);
        if (b->spread.numbers[b->next] == WEND__UNREACHED && wend__ground_has(&b->ground, (uint32_t)b->next))
            return true;
    }
    return false;
}

static void find_components(wend__landmark_build *b, uint64_t *effort) {
    while (*effort > 0 && !b->error) {
        if (b->begun) {
            run_spread(b, effort);
        } else if (b->reached_count < b->spread.count) {
            process_part(b, effort);
        } else if (find_start(b, effort)) {
            wend__spread_from(&b->spread, (uint32_t)b->next);
            b->begun = true;
        } else if (b->next == b->ground.cells) {
            if (!b->ground.directions) b->range = range_of_strips(b);
            begin_slots(b);
            return;
        }
    }
}

/* ---- slots ---- */

/* Returns the divisor of distances on a graph. */
static uint64_t unit_of(const wend__landmark_build *b) {
    return b->ground.directions ? 1 : b->landmarks->scale.rate >> WEND__LANDMARK_FRACTION;
}

static void spread_slot(wend__landmark_build *b, uint64_t *effort) {
    if (!b->begun) {
        b->spread.towards = !b->landmarks->directed ? WEND__SPREAD_BOTH
                            : b->slot % 2 == 0      ? WEND__SPREAD_ALONG
                                                    : WEND__SPREAD_AGAINST;
        if (b->part == 0) b->spread.farthest = 0;
        for (; b->part<b->part_count && * effort> 0; b->part++, spend(effort, 1))
            wend__spread_from(&b->spread, b->parts[b->part].landmark);
        if (*effort == 0) return;
    }
    b->begun = true;
    run_spread(b, effort);
    if (b->begun) return;
    b->phase = WEND__LANDMARK_MEASURING;
    b->next = b->part = 0;
    memset(b->low, 0xff, b->strips * sizeof *b->low);
}

/* If a scale is too fine, all slots begin again with a coarser one. */
static void begin_again(wend__landmark_build *b) {
    const uint64_t rate = b->landmarks->scale.rate;
    for (b->range *= 2; !b->error; b->range *= 2) {
        const wend__landmark_scale scale = wend__landmark_scale_for(b->view, b->range);
        if (b->range >= LARGEST_RANGE) b->error = WEND_UNSUPPORTED;
        if (scale.rate > rate) break;
    }
    if (!b->error) begin_slots(b);
}

/* Bases that leave room above and below, so that numbers may be lowered later. */
static void set_bases(wend__landmark_build *b, uint64_t *effort) {
    const uint64_t unit = unit_of(b);
    for (; b->next<b->strips && * effort> 0 && !b->error; b->next++) {
        const size_t i = b->next;
        if (b->low[i] == WEND__UNREACHED) continue;
        spend(effort, STRIP_EFFORT);
        const uint32_t low = (uint32_t)(b->low[i] / unit), range = (uint32_t)(b->high[i] / unit) - low;
        if (b->landmarks->unpaged && range > WEND__LANDMARK_SPAN - 2) {
            begin_again(b);
            return;
        }
        const uint32_t below = range < WEND__LANDMARK_SPAN - 1 ? (WEND__LANDMARK_SPAN - range) / 2 : 1;
        if (!wend__landmark_set_base(b->map, b->landmarks, i, b->slot, low - below)) fail(b);
    }
    if (b->next < b->strips || b->error) return;
    b->next = 0;
    b->phase = WEND__LANDMARK_STORING;
}

static bool is_last_slot(const wend__landmark_build *b) {
    return !b->landmarks->directed || b->slot % 2 == 1;
}

static void measure_slot(wend__landmark_build *b, uint64_t *effort) {
    uint64_t left = quick_cells(*effort);
    for (; b->part < b->part_count; b->part++) {
        const size_t first = b->part ? b->parts[b->part - 1].end : 0;
        if (b->next == first) begin_part(b, b->reached[first]);
        b->parts[b->part].offset = b->offset;
        for (; b->next < b->parts[b->part].end && left > 0; b->next++, left--) {
            const uint32_t cell = b->reached[b->next], number = number_of(b, cell);
            if (b->slot == 0 || number < b->least[b->next]) b->least[b->next] = number;
            keep_farthest(b, cell, b->least[b->next]);
            widen_strip(b, cell, number + b->offset);
        }
        if (b->next < b->parts[b->part].end) break;
        if (is_last_slot(b)) b->parts[b->part].landmark = b->best;
    }
    *effort = left / QUICK_CELLS;
    if (b->part < b->part_count) return;
    b->next = b->part = 0;
    b->phase = WEND__LANDMARK_BASING;
}

/* Stores a cell's number and forgets it. False: the numbers of a strip differ too much, or out of memory. */
static bool store_cell(wend__landmark_build *b, uint32_t cell) {
    const uint32_t number = (uint32_t)((number_of(b, cell) + b->parts[b->part].offset) / unit_of(b));
    const wend__landmark_fit fit = wend__landmark_set(b->map, b->landmarks, cell >> WEND__STRIP_SHIFT,
                                                      cell & (WEND__STRIP_CELLS - 1), b->slot, number);
    if (fit == WEND__LANDMARK_FULL) fail(b);
    if (fit == WEND__LANDMARK_TOO_FAR) begin_again(b);
    b->spread.numbers[cell] = WEND__UNREACHED;
    return fit == WEND__LANDMARK_FITS;
}

static void store_slot(wend__landmark_build *b, uint64_t *effort) {
    for (; b->part < b->part_count; b->part++) {
        for (; b->next<b->parts[b->part].end && * effort> 0; b->next++, --*effort)
            if (!store_cell(b, b->reached[b->next])) return;
        if (b->next < b->parts[b->part].end) break;
    }
    if (b->part < b->part_count) return;
    b->phase = ++b->slot == b->count ? WEND__LANDMARK_DISCARDING : WEND__LANDMARK_SPREADING;
    b->next = b->part = 0;
}

/* ---- all ---- */

/* The system takes large pieces back slowly, page by page, so parts are freed before the whole. */
static void discard_next(wend__landmark_build *b, uint64_t *effort) {
    const size_t list = b->ground.cells * sizeof(uint32_t);
    uint32_t *const pieces[] = {b->reached, b->least, b->spread.numbers, b->spread.heap, b->spread.place};
    if (b->part == sizeof pieces / sizeof *pieces) {
        b->phase = WEND__LANDMARK_DONE;
        return;
    }
    const size_t left = pieces[b->part] ? list - b->next : 0;
    if (left == 0) {
        b->part++, b->next = 0;
        return;
    }
    const size_t part = left < DISCARDED_BYTES ? left : DISCARDED_BYTES;
    wend__allocator_discard(&b->map->family->allocator, (uint8_t *)pieces[b->part] + b->next, part);
    b->next += part;
    spend(effort, DISCARD_EFFORT);
}

typedef void run_phase(wend__landmark_build *b, uint64_t *effort);
static run_phase *const phases[WEND__LANDMARK_DONE] = {
    [WEND__LANDMARK_READING] = read_ground,     [WEND__LANDMARK_LINKING] = link_ground,
    [WEND__LANDMARK_FINDING] = find_components, [WEND__LANDMARK_CLEARING] = clear_numbers,
    [WEND__LANDMARK_SPREADING] = spread_slot,   [WEND__LANDMARK_MEASURING] = measure_slot,
    [WEND__LANDMARK_BASING] = set_bases,        [WEND__LANDMARK_STORING] = store_slot,
    [WEND__LANDMARK_DISCARDING] = discard_next,
};

bool wend__landmark_build_run(wend__landmark_build *b, uint64_t effort) {
    while (!b->error && b->phase != WEND__LANDMARK_DONE && effort > 0) phases[b->phase](b, &effort);
    return b->error || b->phase == WEND__LANDMARK_DONE;
}

uint64_t wend__landmark_build_left(const wend__landmark_build *b) {
    const uint64_t cells = b->phase > WEND__LANDMARK_FINDING ? b->reached_count : b->ground.cells / 2;
    const uint64_t spreads = b->count - b->slot + (b->phase <= WEND__LANDMARK_FINDING);
    return b->phase == WEND__LANDMARK_DONE ? 0 : cells * spreads + 1;
}
