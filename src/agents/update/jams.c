/* SPDX-License-Identifier: MIT */
/* Counts where agents are blocked, over a window of updates. The window has eight slices. Each cell with a count has a
 * place in a hash table, with a count for each slice; the oldest slice is emptied when the next one begins. */
#include "agents/update/agents.h"
#include "base/hash.h"
#include "base/heap.h"
#include "mark/beside.h"

#include <wend/host.h>

enum { SLICES = 8, NOWHERE = UINT32_MAX, DEFAULT_WINDOW = 200, DEFAULT_PLACES = 4096, LEAST_BUCKETS = 8 };

typedef struct jam_place {
    wend_cell cell;
    uint32_t next; ///< place in the same bucket; NOWHERE: none
    uint32_t waits[SLICES];
    uint32_t agents; ///< number of agents blocked in `update`
    uint32_t taken;  ///< 1: a jam of the present answer contains the cell
    uint64_t update; ///< the last one with a blocked agent
} jam_place;

typedef struct jam_rank {
    uint64_t waits;
    uint32_t place;
} jam_rank;

struct wend_jams {
    wend_jams_def def;
    size_t bytes;
    wend_crowd *crowd;          ///< NULL: none
    int32_t around_x, around_y; ///< sides of its map, if that wraps
    bool graph;
    uint32_t slice, slice_updates, bucket_count, place_count;
    uint64_t updates, waits, missed; ///< since the counts were emptied; `waits` in the window
    jam_place *places;
    jam_rank *ranks;   ///< a heap, while an answer is made
    uint32_t *buckets; ///< first places
};

/* ---- making them ---- */

void wend_jams_def_init(wend_jams_def *def, size_t bytes) {
    const wend_jams_def own = {.struct_bytes = sizeof own,
                               .window = DEFAULT_WINDOW,
                               .places = DEFAULT_PLACES,
                               .allocator = wend_allocator_default()};
    wend__sized_init(def, bytes, &own, sizeof own);
}

static bool read_jams_def(const wend_jams_def *theirs, wend_jams_def *out) {
    wend_jams_def_init(out, sizeof *out);
    if (!WEND__READ_STRUCT(wend_jams_def, allocator, out, theirs)) return false;
    const wend__range ranges[] = {{"window", out->window, SLICES, WEND_MAX_JAM_WINDOW},
                                  {"places", out->places, 1, WEND_MAX_JAM_PLACES},
                                  {"reserved", out->reserved, 0, 0}};
    return !wend__check_ranges(ranges, 3) && !wend__check_allocator(&out->allocator);
}

static uint32_t buckets_for(uint32_t places) {
    uint32_t count = LEAST_BUCKETS;
    while (count < places) count *= 2;
    return count;
}

static uint64_t bytes_of_jams(const wend_jams_def *def) {
    return sizeof(wend_jams) + def->places * (uint64_t)(sizeof(jam_place) + sizeof(jam_rank)) +
           buckets_for(def->places) * (uint64_t)sizeof(uint32_t);
}

size_t wend__jams_bytes(const wend_jams_def *def) {
    wend_jams_def own;
    if (!read_jams_def(def, &own)) return 0;
    const uint64_t bytes = bytes_of_jams(&own);
    return bytes <= SIZE_MAX ? (size_t)bytes : 0;
}

wend_error wend_jams_create(const wend_jams_def *def, wend_jams **out) {
    wend_jams_def own;
    if (!out) return wend__refuse_null("out");
    if (!read_jams_def(def, &own)) return WEND_BAD_ARGUMENT;
    own.allocator = wend__allocator_or_default(own.allocator);
    const uint64_t bytes = bytes_of_jams(&own);
    if (bytes > SIZE_MAX) return wend__refuse_memory(bytes);
    wend_jams *jams = wend__allocate(&own.allocator, (size_t)bytes, 64);
    if (!jams) return WEND_OUT_OF_MEMORY;
    *jams = (wend_jams){.def = own, .bytes = (size_t)bytes};
    jams->slice_updates = (own.window + SLICES - 1) / SLICES;
    jams->bucket_count = buckets_for(own.places);
    jams->places = (jam_place *)(void *)(jams + 1);
    jams->ranks = (jam_rank *)(void *)(jams->places + own.places);
    jams->buckets = (uint32_t *)(void *)(jams->ranks + own.places);
    memset(jams->buckets, 0xFF, jams->bucket_count * sizeof *jams->buckets);
    WEND__BORN(jams, "the jams");
    *out = jams;
    return WEND_OK;
}

void wend__jams_leave(wend_jams *jams) {
    if (jams->crowd) jams->crowd->jams = NULL;
    jams->crowd = NULL;
}

void wend_jams_destroy(wend_jams *jams) {
    if (!jams) return;
    WEND__GONE(jams, "the jams");
    wend__jams_leave(jams);
    const wend_allocator allocator = jams->def.allocator;
    allocator.free(allocator.context, jams, jams->bytes);
}

static void clear_jams(wend_jams *jams) {
    memset(jams->buckets, 0xFF, jams->bucket_count * sizeof *jams->buckets);
    jams->place_count = jams->slice = 0;
    jams->updates = jams->waits = jams->missed = 0;
}

wend_error wend_crowd_set_jams(wend_crowd *crowd, wend_jams *jams) {
    if (!crowd) return wend__refuse_null("crowd");
    WEND__CROWD_CALL(crowd);
    if (jams) WEND__ALIVE(jams, "the jams");
    if (jams && jams->crowd && jams->crowd != crowd) return wend__refuse(WEND_IN_USE, "another crowd has the jams");
    const wend_map *map = crowd->def.map;
    if (jams && !wend__arena_shares(map->arena, jams)) return wend__refuse_arenas();
    if (crowd->jams) wend__jams_leave(crowd->jams);
    if (!jams) return WEND_OK;
    clear_jams(jams);
    jams->crowd = crowd;
    jams->graph = map->kind == WEND_KIND_GRAPH;
    jams->around_x = map->wrap & WEND_WRAP_X ? map->width : 0;
    jams->around_y = map->wrap & WEND_WRAP_Y ? map->height : 0;
    crowd->jams = jams;
    return WEND_OK;
}

/* ---- places ---- */

static uint32_t *bucket_of(const wend_jams *jams, wend_cell cell) {
    const uint64_t plane = (uint64_t)(uint32_t)cell.x << 32 | (uint32_t)cell.y;
    return &jams->buckets[wend__mix64(plane ^ wend__mix64((uint32_t)cell.z)) & (jams->bucket_count - 1)];
}

static uint32_t find_place(const wend_jams *jams, wend_cell cell) {
    uint32_t at = *bucket_of(jams, cell);
    while (at != NOWHERE && !wend__same_cell(jams->places[at].cell, cell)) at = jams->places[at].next;
    return at;
}

static uint64_t waits_at(const jam_place *place) {
    uint64_t sum = 0;
    for (uint32_t k = 0; k < SLICES; k++) sum += place->waits[k];
    return sum;
}

/* Replaces the number of a place in its bucket's list. */
static void relink(wend_jams *jams, uint32_t place, uint32_t by) {
    uint32_t *link = bucket_of(jams, jams->places[place].cell);
    while (*link != place) link = &jams->places[*link].next;
    *link = by;
}

/* Removes a place. The last one takes its number. */
static void remove_place(wend_jams *jams, uint32_t place) {
    const uint32_t last = --jams->place_count;
    relink(jams, place, jams->places[place].next);
    if (place == last) return;
    relink(jams, last, place);
    jams->places[place] = jams->places[last];
}

/* ---- counting ---- */

/* Begins the next slice, in the counts of the oldest. */
static void begin_slice(wend_jams *jams) {
    jams->slice = (jams->slice + 1) % SLICES;
    for (uint32_t i = jams->place_count; i-- > 0;) {
        jam_place *place = &jams->places[i];
        jams->waits -= place->waits[jams->slice];
        place->waits[jams->slice] = 0;
        if (waits_at(place) == 0) remove_place(jams, i);
    }
}

static void count_wait(wend_jams *jams, wend_cell cell) {
    uint32_t at = find_place(jams, cell);
    if (at == NOWHERE && jams->place_count == jams->def.places) {
        jams->missed++;
        return;
    }
    if (at == NOWHERE) {
        uint32_t *bucket = bucket_of(jams, cell);
        at = jams->place_count++;
        jams->places[at] = (jam_place){.cell = cell, .next = *bucket};
        *bucket = at;
    }
    jam_place *place = &jams->places[at];
    if (place->update != jams->updates) place->agents = 0;
    place->update = jams->updates;
    place->agents++;
    place->waits[jams->slice]++;
    jams->waits++;
}

void wend__jams_count(wend_jams *jams) {
    const wend_crowd *crowd = jams->crowd;
    if (jams->updates > 0 && jams->updates % jams->slice_updates == 0) begin_slice(jams);
    jams->updates++;
    for (uint32_t i = 0; i < crowd->used; i++) {
        if (crowd->phase[i] == WEND__PHASE_STEPPING || crowd->in_traffic[i].waited == 0) continue;
        if (wend__agent_state_of(crowd, i) == WEND_AGENT_BLOCKED) count_wait(jams, crowd->in_traffic[i].at);
    }
}

/* ---- answers ---- */

static uint32_t blocked_now(const wend_jams *jams, const jam_place *place) {
    return place->update == jams->updates ? place->agents : 0;
}

/* Returns how many updates the counts cover: the present slice, and up to seven full ones. */
static uint32_t updates_counted(const wend_jams *jams) {
    if (jams->updates == 0) return 0;
    const uint64_t full = (jams->updates - 1) / jams->slice_updates;
    const uint64_t present = jams->updates - full * jams->slice_updates;
    return (uint32_t)(present + (full < SLICES ? full : SLICES - 1) * jams->slice_updates);
}

wend_error wend_jams_get_stats(const wend_jams *jams, wend_jams_stats *out) {
    WEND__ALIVE(jams, "the jams");
    wend_jams_stats own = {.struct_bytes = sizeof own,
                           .updates = updates_counted(jams),
                           .places = jams->place_count,
                           .waits = jams->waits,
                           .missed = jams->missed};
    for (uint32_t i = 0; i < jams->place_count; i++) own.agents += blocked_now(jams, &jams->places[i]);
    return WEND__GIVE(wend_jams_stats, missed, out, &own) ? WEND_OK : WEND_BAD_ARGUMENT;
}

uint64_t wend_jams_get_waits(const wend_jams *jams, wend_cell cell) {
    WEND__ALIVE(jams, "the jams");
    const uint32_t at = find_place(jams, cell);
    return at == NOWHERE ? 0 : waits_at(&jams->places[at]);
}

static bool is_worse_jam(const wend_jams *jams, jam_rank a, jam_rank b) {
    const wend_cell p = jams->places[a.place].cell, q = jams->places[b.place].cell;
    if (a.waits != b.waits) return a.waits > b.waits;
    return p.z != q.z ? p.z < q.z : p.y != q.y ? p.y < q.y : p.x < q.x;
}

/* The worst rank is on top. */
WEND__HEAP_DOWN(jam_rank, const wend_jams *, jam_rank, is_worse_jam, WEND__HEAP_PUT)

static void heap_places(wend_jams *jams) {
    const uint32_t count = jams->place_count;
    for (uint32_t i = 0; i < count; i++) {
        jams->ranks[i] = (jam_rank){.waits = waits_at(&jams->places[i]), .place = i};
        jams->places[i].taken = 0;
    }
    for (uint32_t i = count / 2; i-- > 0;) jam_rank_down(jams, jams->ranks, count, i, jams->ranks[i]);
}

static bool is_within(const wend_jams *jams, wend_cell a, wend_cell b, int32_t within) {
    const int32_t x = wend__shorter_way(b.x - a.x, jams->around_x), y = wend__shorter_way(b.y - a.y, jams->around_y);
    const int32_t z = b.z - a.z;
    return x >= -within && x <= within && y >= -within && y <= within && z >= -within && z <= within;
}

static void add_to_jam(const wend_jams *jams, jam_place *place, wend_jam *jam) {
    place->taken = 1;
    jam->cells++;
    jam->agents += blocked_now(jams, place);
    jam->waits += waits_at(place);
}

static wend_jam jam_around(wend_jams *jams, jam_rank peak, int32_t within) {
    wend_jam jam = {.cell = jams->places[peak.place].cell, .peak = peak.waits};
    if (within == 0 || jams->graph) {
        add_to_jam(jams, &jams->places[peak.place], &jam);
        return jam;
    }
    for (uint32_t i = 0; i < jams->place_count; i++) {
        jam_place *place = &jams->places[i];
        if (!place->taken && is_within(jams, jam.cell, place->cell, within)) add_to_jam(jams, place, &jam);
    }
    return jam;
}

size_t wend_jams_get_worst(wend_jams *jams, int32_t within, wend_jam *out, size_t bytes, size_t capacity) {
    WEND__ALIVE(jams, "the jams");
    size_t copied = 0;
    if (wend__check_range("within", within, 0, WEND_MAX_REACH)) return 0;
    heap_places(jams);
    for (uint32_t left = jams->place_count; left > 0 && copied < capacity;) {
        const jam_rank peak = jams->ranks[0];
        left--;
        jam_rank_down(jams, jams->ranks, left, 0, jams->ranks[left]);
        if (jams->places[peak.place].taken) continue;
        const wend_jam jam = jam_around(jams, peak, within);
        uint8_t *to = (uint8_t *)out + copied++ * bytes;
        memset(to, 0, bytes);
        memcpy(to, &jam, bytes < sizeof jam ? bytes : sizeof jam);
    }
    return copied;
}
