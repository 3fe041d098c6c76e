/* SPDX-License-Identifier: MIT */
/* Landmarks of a far layer: distances from eight gates of the top level to all others, made by searches from the
 * farthest gate so far (Goldberg, Harrelson 2005), and lowered where ways became shorter. Numbers may be too low where
 * ways became longer; then they are made again after as many records as there are. */
#include "fast/far/far_layer.h"
#include "map/store/memory.h"

enum { COUNT = WEND__FAR_LANDMARKS, AREA_EFFORT = 8 };

/* All gates of the top level: those on the east and south sides, by area. */
typedef struct wend__far_ground {
    wend_map *map;
    const wend__far *far;
    wend__far_area area; ///< with the numbers to lower
    bool all;            ///< all landmarks are made instead
    uint32_t turn;       ///< turns begun; a turn lowers the numbers of one landmark
    uint32_t start;      ///< gate where the previous turn began
    int32_t columns;
    uint32_t areas, gates;
    size_t bytes;
    uint32_t *first;   ///< first gate of each area: areas + 1 numbers
    uint32_t *at;      ///< by gate: number of its area << 8 | index there
    uint32_t *numbers; ///< COUNT of each gate
    uint32_t *open;    ///< a heap of gates by their number
    uint32_t *place;   ///< for each gate: its position in the heap; WEND__FAR_NONE: not in it
    uint32_t open_count;
} ground;

static wend__far_area area_of(const ground *g, uint32_t number) {
    return (wend__far_area){g->far->levels - 1, (int32_t)number % g->columns, (int32_t)number / g->columns};
}

static uint32_t number_of(const ground *g, wend__far_area a, uint32_t gate) {
    const wend__far_area owner = wend__far_owner(g->far, a, &gate);
    const uint32_t area = (uint32_t)(owner.row * g->columns + owner.column);
    return g->first[area] + gate - wend__far_get(g->far, owner)->first[WEND__FAR_EAST];
}

static wend__far_area numbers_area(wend__far_area a) {
    return (wend__far_area){WEND__FAR_NUMBERS, a.column, a.row};
}

static uint32_t owned(const wend__far_record *r) {
    return wend__far_count(r) - r->first[WEND__FAR_EAST];
}

/* ---- reading and writing the numbers of the layer ---- */

void wend__far_numbers_end(ground *g) {
    if (g) wend__map_free(g->map, g, g->bytes);
}

static uint32_t count_gates(const wend__far *far, int32_t top, uint32_t columns, uint32_t areas) {
    uint32_t gates = 0;
    for (uint32_t i = 0; i < areas; i++)
        gates += owned(wend__far_get(far, (wend__far_area){top, (int32_t)(i % columns), (int32_t)(i / columns)}));
    return gates;
}

/* Returns a ground whose arrays lie behind it; NULL: out of memory. */
static ground *ground_alloc(wend_map *map, const wend__far *far) {
    const int32_t top = far->levels - 1;
    const uint32_t columns = (uint32_t)far->columns[top], areas = (uint32_t)far->rows[top] * columns;
    const uint32_t gates = count_gates(far, top, columns, areas);
    const size_t bytes = sizeof(ground) + (areas + 1 + (size_t)gates * (COUNT + 3)) * sizeof(uint32_t);
    ground *g = wend__map_alloc(map, bytes);
    if (!g) return NULL;
    *g = (ground){.map = map, .far = far, .columns = far->columns[top], .areas = areas, .gates = gates, .bytes = bytes};
    g->first = (uint32_t *)(g + 1);
    g->at = g->first + g->areas + 1;
    g->numbers = g->at + g->gates;
    g->open = g->numbers + (size_t)g->gates * COUNT;
    g->place = g->open + g->gates;
    return g;
}

/* Reads the gates of an area and their numbers; those that the layer lacks are all ones. */
static void read_area(ground *g, uint32_t area) {
    const wend__far_record *r = wend__far_get(g->far, area_of(g, area));
    const wend__far_numbers *numbers = wend__far_at(g->far, numbers_area(area_of(g, area)));
    const uint32_t first = g->first[area], count = owned(r);
    uint32_t *out = g->numbers + (size_t)first * COUNT;
    for (uint32_t k = 0; k < count; k++) g->at[first + k] = area << 8 | (k + r->first[WEND__FAR_EAST]);
    if (numbers)
        memcpy(out, numbers->of, count * COUNT * sizeof *out);
    else
        memset(out, 0xFF, count * COUNT * sizeof *out);
    g->first[area + 1] = first + count;
}

/* Reads the numbers of the layer. Returns NULL if out of memory. */
static ground *ground_begin(wend_map *map, const wend__far *far) {
    ground *g = ground_alloc(map, far);
    if (!g) return NULL;
    memset(g->place, 0xFF, g->gates * sizeof *g->place);
    g->first[0] = 0;
    for (uint32_t area = 0; area < g->areas; area++) read_area(g, area);
    return g;
}

static wend__far_numbers *numbers_create(wend_map *map, uint32_t gates) {
    return wend__shared_create(map, sizeof(wend__far_numbers) + gates * COUNT * sizeof(uint32_t));
}

/* Returns true if the record of an area, or of one next to it, changed since the numbers were made. */
static bool is_outdated(const ground *g, const wend__far *far, wend__far_area a) {
    bool outdated = wend__far_get(far, a) != wend__far_get(g->far, a);
    for (unsigned side = 0; side < 4; side++) {
        const wend__far_area beyond = wend__far_beyond(a, side);
        if (wend__far_has(far, beyond)) outdated |= wend__far_get(far, beyond) != wend__far_get(g->far, beyond);
    }
    return outdated;
}

/* Areas with unchanged numbers keep their object. */
static bool store_area(const ground *g, wend__far *far, uint32_t i) {
    const wend__far_area a = area_of(g, i);
    const uint32_t gates = g->first[i + 1] - g->first[i];
    const uint32_t *now = g->numbers + (size_t)g->first[i] * COUNT;
    const wend__far_numbers *before = wend__far_at(far, numbers_area(a));
    if (wend__far_get(far, a) != wend__far_get(g->far, a)) return wend__far_mark_stale(g->map, far, numbers_area(a));
    if (!before || memcmp(before->of, now, gates * COUNT * sizeof *now) != 0) {
        wend__far_numbers *numbers = numbers_create(g->map, gates);
        if (!numbers) return false;
        memcpy(numbers->of, now, gates * COUNT * sizeof *now);
        const bool stale = wend__far_is_stale(far, numbers_area(a));
        if (!wend__far_put(g->map, far, numbers_area(a), numbers)) return false;
        if (stale && !wend__far_mark_stale(g->map, far, numbers_area(a))) return false;
    }
    return !is_outdated(g, far, a) || wend__far_mark_stale(g->map, far, numbers_area(a));
}

bool wend__far_numbers_store(const ground *g, wend__far *far, uint64_t *effort) {
    for (uint32_t i = 0; i < g->areas; i++)
        if (!store_area(g, far, i)) return false;
    if (g->all) far->age = 0;
    wend__far_spend(effort, g->areas * AREA_EFFORT);
    return is_outdated(g, far, g->area) || wend__far_put(g->map, far, numbers_area(g->area), NULL);
}

bool wend__far_numbers_move(wend_map *map, wend__far *far, wend__far_area a, const wend__far_record *before) {
    const wend__far_record *now = wend__far_get(far, a);
    const wend__far_numbers *old = wend__far_at(far, numbers_area(a));
    wend__far_numbers *numbers = old ? numbers_create(map, owned(now)) : NULL;
    if (!old) return wend__far_mark_stale(map, far, numbers_area(a));
    if (!numbers) return false;
    memset(numbers->of, 0xFF, owned(now) * COUNT * sizeof *numbers->of);
    for (uint32_t i = now->first[WEND__FAR_EAST]; i < wend__far_count(now); i++) {
        const uint32_t was = wend__far_gate_at(before, wend__far_side(now, i), wend__far_places(now)[i]);
        if (was != WEND__FAR_NONE)
            memcpy(numbers->of + (i - now->first[WEND__FAR_EAST]) * COUNT,
                   old->of + (was - before->first[WEND__FAR_EAST]) * COUNT, COUNT * sizeof *numbers->of);
    }
    return wend__far_put(map, far, numbers_area(a), numbers);
}

/* ---- lowering ---- */

/* The cheaper of the two ways between two gates of a record, from `there[j]` and `back[j]` of gate i. */
static uint32_t between(const wend__far_record *r, uint32_t i, uint32_t j, const uint32_t *there,
                        const uint32_t *back) {
    const uint32_t out = wend__far_crossing(r, j, false), home = wend__far_crossing(r, i, false);
    const uint32_t a = there[j] == WEND__FAR_NONE || !out ? WEND__FAR_NONE : there[j] + WEND__FAR_STRAIGHT * out;
    const uint32_t b = back[j] == WEND__FAR_NONE || !home ? WEND__FAR_NONE : back[j] + WEND__FAR_STRAIGHT * home;
    return a < b ? a : b;
}

static bool less(const ground *g, uint32_t m, uint32_t a, uint32_t b) {
    const uint32_t x = g->numbers[(size_t)a * COUNT + m], y = g->numbers[(size_t)b * COUNT + m];
    return x != y ? x < y : a < b;
}

static void put(ground *g, uint32_t place, uint32_t gate) {
    g->open[place] = gate;
    g->place[gate] = place;
}

static void raise_in_heap(ground *g, uint32_t m, uint32_t gate) {
    uint32_t place = g->place[gate] == WEND__FAR_NONE ? g->open_count++ : g->place[gate];
    for (; place > 0 && less(g, m, gate, g->open[(place - 1) / 2]); place = (place - 1) / 2)
        put(g, place, g->open[(place - 1) / 2]);
    put(g, place, gate);
}

static uint32_t pop(ground *g, uint32_t m) {
    const uint32_t top = g->open[0], last = g->open[--g->open_count];
    uint32_t place = 0;
    g->place[top] = WEND__FAR_NONE;
    while (2 * place + 1 < g->open_count) {
        uint32_t child = 2 * place + 1;
        if (child + 1 < g->open_count && less(g, m, g->open[child + 1], g->open[child])) child++;
        if (!less(g, m, g->open[child], last)) break;
        put(g, place, g->open[child]);
        place = child;
    }
    if (g->open_count > 0) put(g, place, last);
    return top;
}

/* Lowers the numbers of the other gates of an area if they exceed gate i's by more than the way between them. */
static void spread_in(ground *g, uint32_t m, wend__far_area a, uint32_t gate) {
    const wend__far_record *r = wend__far_get(g->far, a);
    const uint32_t from = g->numbers[(size_t)number_of(g, a, gate) * COUNT + m];
    uint32_t there[WEND__FAR_GATES], back[WEND__FAR_GATES];
    wend__far_row(r, gate, false, there);
    wend__far_row(r, gate, true, back);
    for (uint32_t j = 0; j < wend__far_count(r); j++) {
        const uint32_t way = between(r, gate, j, there, back);
        if (j == gate || way == WEND__FAR_NONE) continue;
        const uint32_t to = number_of(g, a, j);
        uint32_t *number = &g->numbers[(size_t)to * COUNT + m];
        if (from + way >= *number) continue;
        *number = from + way;
        raise_in_heap(g, m, to);
    }
}

/* Returns whether nothing is left to lower. */
static bool lower(ground *g, uint32_t m, uint64_t *effort) {
    for (; g->open_count > 0 && *effort > 0;) {
        const uint32_t at = g->at[pop(g, m)];
        const wend__far_area a = area_of(g, at >> 8);
        const wend__far_record *r = wend__far_get(g->far, a);
        const unsigned side = wend__far_side(r, at & 255);
        const wend__far_area beyond = wend__far_beyond(a, side);
        const wend__far_record *there = wend__far_get(g->far, beyond);
        spread_in(g, m, a, at & 255);
        spread_in(g, m, beyond, (at & 255) - r->first[side] + there->first[side ^ 2]);
        wend__far_spend(effort, wend__far_count(r) + wend__far_count(there));
    }
    return g->open_count == 0;
}

/* A record's numbers may be too high at its other gates. */
static void spread_all(ground *g, uint32_t m) {
    for (uint32_t i = 0; i < wend__far_count(wend__far_get(g->far, g->area)); i++)
        if (g->numbers[(size_t)number_of(g, g->area, i) * COUNT + m] != WEND__FAR_NONE) spread_in(g, m, g->area, i);
}

/* ---- making ---- */

/* Returns the gate with the greatest least number among the first landmarks. */
static uint32_t farthest(const ground *g, uint32_t count, uint32_t otherwise) {
    uint32_t found = otherwise, most = 0;
    for (uint32_t i = 0; i < g->gates; i++) {
        uint32_t least = WEND__FAR_NONE;
        for (uint32_t m = 0; m < count; m++)
            if (g->numbers[(size_t)i * COUNT + m] < least) least = g->numbers[(size_t)i * COUNT + m];
        if (least != WEND__FAR_NONE && least >= most) most = least, found = i;
    }
    return found;
}

static void begin_at(ground *g, uint32_t m, uint32_t gate) {
    for (uint32_t i = 0; i < g->gates; i++) g->numbers[(size_t)i * COUNT + m] = WEND__FAR_NONE;
    g->numbers[(size_t)gate * COUNT + m] = 0;
    g->start = gate;
    raise_in_heap(g, m, gate);
}

static uint32_t middle_gate(const ground *g) {
    const uint32_t middle = g->areas / 2 + (uint32_t)g->columns / 2;
    const uint32_t gate = g->first[middle < g->areas ? middle : 0];
    return gate < g->gates ? gate : gate - 1;
}

/* Returns the landmark of a turn. Where all are made, the first turn finds the gate farthest from one in the middle. */
static uint32_t landmark_of(const ground *g, uint32_t turn) {
    return g->all && turn > 0 ? turn - 1 : turn;
}

static void begin_turn(ground *g) {
    const uint32_t m = landmark_of(g, g->turn);
    if (!g->all)
        spread_all(g, m);
    else if (g->turn == 0)
        begin_at(g, m, middle_gate(g));
    else
        begin_at(g, m, farthest(g, m > 0 ? m : 1, g->start));
    g->turn++;
}

/* ---- the layer ---- */

static bool area_holds(const wend__far *far, wend__far_area a) {
    const wend__far_record *r = wend__far_get(far, a);
    uint32_t there[WEND__FAR_GATES], back[WEND__FAR_GATES];
    for (uint32_t i = 0; i < wend__far_count(r); i++) {
        const uint32_t *numbers = wend__far_numbers_at(far, a, i);
        wend__far_row(r, i, false, there);
        wend__far_row(r, i, true, back);
        for (uint32_t j = 0; j < wend__far_count(r); j++) {
            const uint32_t way = between(r, i, j, there, back), *other = wend__far_numbers_at(far, a, j);
            for (unsigned m = 0; m < COUNT && way != WEND__FAR_NONE && i != j; m++)
                if (!numbers || !other || (numbers[m] != WEND__FAR_NONE && numbers[m] + way < other[m])) return false;
        }
    }
    return true;
}

bool wend__far_numbers_hold(const wend__far *far) {
    const int32_t top = far->levels - 1;
    for (wend__far_area a = {top, 0, 0}; a.row < far->rows[top]; a.row++)
        for (a.column = 0; a.column < far->columns[top]; a.column++)
            if (!area_holds(far, a)) return false;
    return true;
}

wend_error wend__far_numbers_begin(wend_map *map, const wend__far *far, wend__far_area numbers, ground **out,
                                   uint64_t *effort) {
    const wend__far_area a = {far->levels - 1, numbers.column, numbers.row};
    const bool old = far->age >= (uint64_t)far->columns[a.level] * (uint64_t)far->rows[a.level];
    const uint64_t gates = wend__far_count(wend__far_get(far, a));
    wend__far_spend(effort, AREA_EFFORT + gates * gates / 2);
    *out = NULL;
    if (!old && wend__far_at(far, numbers) && area_holds(far, a)) return WEND_OK;
    *out = ground_begin(map, far);
    if (!*out) return WEND_OUT_OF_MEMORY;
    (*out)->area = a;
    (*out)->all = old;
    if ((*out)->gates == 0) (*out)->turn = COUNT + 1;
    wend__far_spend(effort, (*out)->gates + (*out)->areas);
    return WEND_OK;
}

bool wend__far_numbers_continue(ground *g, uint64_t *effort) {
    const uint32_t turns = g->all ? COUNT + 1 : COUNT;
    while (g->turn < turns || g->open_count > 0) {
        if (*effort == 0) return false;
        if (g->open_count == 0) {
            begin_turn(g);
            wend__far_spend(effort, g->gates);
        }
        if (!lower(g, landmark_of(g, g->turn - 1), effort)) return false;
    }
    return true;
}
