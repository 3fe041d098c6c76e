/* SPDX-License-Identifier: MIT */
/* Making and freeing a field: one allocation, and what never changes. */
#include "field/field_queue.h"
#include "field/field_state.h"
#include "field/field_service.h"
#include "field/field_ways.h"
#include "map/movers/views.h"
#include "map/version/layers.h"
#include "map/version/map.h"
#include "map/version/version.h"
#include "mark/beside.h"

#include <stdlib.h>
#include <string.h>
#include <wend/host.h>

/* ---- the list of a service's fields ---- */

void wend__fields_add(wend__fields *fields, wend_field *field) {
    WEND__DEBUG_ASSERT(!field->fields);
    wend_field **at = &fields->first;
    while (*at && (*at)->def.urgency >= field->def.urgency) at = &(*at)->next;
    field->next = *at;
    field->fields = fields;
    *at = field;
}

void wend__fields_remove(wend__fields *fields, wend_field *field) {
    WEND__DEBUG_ASSERT(field->fields == fields);
    wend_field **at = &fields->first;
    while (*at != field) at = &(*at)->next;
    *at = field->next;
    field->fields = NULL;
}

/* Takes a field out of its list, if it is in one. */
static void leave_service(wend_field *field) {
    if (field->fields) wend__fields_remove(field->fields, field);
}

void wend__fields_repair(wend__fields *fields) {
    for (wend_field *field = fields->first; field; field = field->next) wend_field_repair(field, false);
}

wend_field *wend__fields_first(const wend__fields *fields) {
    for (wend_field *field = fields->first; field; field = field->next)
        if (!wend__field_is_complete(field)) return field;
    return NULL;
}

enum { DEFAULT_GOALS = 64, DEFAULT_FEAR = 1200, MOST_CHUNKS = 1 << 19, LINE = 64 };

/* ---- definition ---- */

static wend_field_def default_def(void) {
    return (wend_field_def){.struct_bytes = sizeof(wend_field_def),
                            .most_goals = DEFAULT_GOALS,
                            .largest_cost = WEND_FIELD_MAX_COST,
                            .fear_milli = DEFAULT_FEAR,
                            .allocator = wend_allocator_default()};
}

void wend_field_def_init(wend_field_def *def, size_t bytes) {
    const wend_field_def own = default_def();
    wend__sized_init(def, bytes, &own, sizeof own);
}

static wend_error check_def(const wend_field_def *def) {
    wend_error error = wend__check_range("purpose", def->purpose, WEND_FIELD_TOWARD, WEND_FIELD_AWAY);
    if (!error) error = wend__check_range("urgency", def->urgency, WEND_URGENCY_MIN, WEND_URGENCY_MAX);
    if (!error)
        error = wend__check_range("fear_milli", def->fear_milli, WEND_FIELD_FEAR_MIN_MILLI, WEND_FIELD_FEAR_MAX_MILLI);
    if (!error) error = wend__check_range("largest_cost", def->largest_cost, 1, WEND_FIELD_MAX_COST);
    if (!error) error = wend__check_range("goal_count", def->goal_count, 0, WEND_FIELD_MAX_GOALS);
    if (!error) error = wend__check_range("most_goals", def->most_goals, 0, WEND_FIELD_MAX_GOALS);
    if (!error) error = wend__check_room("goals", def->goals, def->goal_count);
    return error ? error : wend__check_allocator(&def->allocator);
}

/* No worth exceeds the largest cost of all. */
static bool read_def(const wend_field_def *theirs, wend_field_def *out) {
    *out = default_def();
    if (!WEND__READ_STRUCT(wend_field_def, allocator, out, theirs)) return false;
    if (!out->map) return wend__refuse_null("map"), false;
    WEND__ALIVE_IN("wend_field_create", out->map, "the map");
    if (check_def(out) || wend__check_mover(out->map, out->mover)) return false;
    if (wend__check_profile(out->map, "profile", out->profile)) return false;
    if (out->most_goals < out->goal_count) out->most_goals = out->goal_count;
    const uint64_t most = UINT64_C(1000) * WEND_FIELD_MAX_COST / out->fear_milli;
    if (out->purpose == WEND_FIELD_AWAY && out->largest_cost > most) out->largest_cost = (uint32_t)most;
    return true;
}

/* ---- memory ---- */

typedef struct layout {
    uint64_t columns, rows, chunks;
    uint64_t costs, ways, entries, blocks, least, plain, ends, changed, farthest, goals, bytes;
} layout;

static uint64_t place_array(layout *l, uint64_t bytes) {
    const uint64_t at = l->bytes;
    l->bytes = (at + bytes + LINE - 1) / LINE * LINE;
    return at;
}

static void place_all(layout *l, uint32_t goals) {
    const uint64_t cells = l->chunks << 12, pages = l->chunks + wend__field_open_pages(0);
    place_array(l, sizeof(wend_field));
    l->costs = place_array(l, cells * sizeof(uint32_t));
    l->ways = place_array(l, cells);
    l->entries = place_array(l, pages * WEND__OPEN_PAGE_WORDS * sizeof(uint32_t));
    l->blocks = place_array(l, l->chunks * sizeof(uint32_t));
    l->least = place_array(l, l->chunks * sizeof(uint32_t));
    l->plain = place_array(l, (l->chunks + 63) / 64 * sizeof(uint64_t));
    l->ends = place_array(l, cells / 8);
    l->changed = place_array(l, (l->chunks + 63) / 64 * sizeof(uint64_t));
    l->farthest = place_array(l, l->chunks * sizeof(uint32_t));
    l->goals = place_array(l, goals * sizeof(uint32_t));
}

/* Where `l` ends, a field of distances follows, of the same form. */
static uint64_t start_of_tolls(const layout *l, int32_t purpose) {
    return purpose == WEND_FIELD_AWAY ? 2 * l->bytes : l->bytes;
}

/* Tolls come last; both fields read them. */
static uint64_t bytes_of(const layout *l, const wend_field_def *def) {
    const uint64_t tolls = def->profile != WEND_PROFILE_NONE ? (l->chunks << 12) * sizeof(uint32_t) : 0;
    return start_of_tolls(l, def->purpose) + tolls;
}

static layout layout_of(const wend_map *map, uint32_t goals) {
    int32_t width, height, depth;
    const int32_t kind = wend__map_kind(map);
    wend__map_size(map, &width, &height, &depth);
    const unsigned shift = kind == WEND_KIND_GRID ? WEND__CHUNK_SHIFT : WEND__VOXEL_SHIFT;
    const uint64_t side = UINT64_C(1) << shift;
    layout l = {.columns = ((uint64_t)width + side - 1) >> shift, .rows = ((uint64_t)height + side - 1) >> shift};
    if (kind == WEND_KIND_VOXEL) l.rows *= ((uint64_t)depth + side - 1) >> shift;
    if (kind == WEND_KIND_GRAPH) l.columns = ((uint64_t)width + 4095) >> 12, l.rows = 1;
    l.chunks = l.columns * l.rows;
    place_all(&l, goals);
    return l;
}

size_t wend__field_bytes(const wend_field_def *def) {
    wend_field_def own;
    if (!read_def(def, &own)) return 0;
    const layout l = layout_of(own.map, own.most_goals);
    const uint64_t bytes = bytes_of(&l, &own);
    return l.chunks <= MOST_CHUNKS && bytes <= SIZE_MAX ? (size_t)bytes : 0;
}

/* ---- constant fields ---- */

static void set_steps(wend_field *f) {
    const wend_map_rules *rules = &f->view->rules;
    const bool flat = f->view->kind == WEND_KIND_GRID;
    for (unsigned d = 0; d < WEND__SPACE_DIRECTIONS; d++) {
        const bool straight = d < (flat ? WEND__NE : WEND__SPACE_FLAT);
        const int32_t cost = straight                        ? rules->cost_straight
                             : flat || d < WEND__SPACE_SPACE ? rules->cost_diagonal
                                                             : rules->cost_space;
        f->steps[d] = (uint32_t)cost;
        if (flat && d >= WEND__DIRECTIONS) continue;
        f->offsets[d] = flat ? wend__dy[d] * 64 + wend__dx[d] : wend__sz[d] * 256 + wend__sy[d] * 16 + wend__sx[d];
        f->opposite[d] = flat ? (uint8_t)wend__opposite(d)
                              : (uint8_t)wend__space_direction(-wend__sx[d], -wend__sy[d], -wend__sz[d]);
    }
    const uint32_t unit = f->version->graph ? f->version->graph->mean_cost / 4 : 0;
    f->shift = unit > 1 ? wend__top64(unit) : 0;
    const uint32_t longest = f->steps[WEND__SPACE_DIRECTIONS - 1] * UINT8_MAX + wend__field_most_toll(f);
    while (!f->version->graph && longest >> f->shift >= WEND__BUCKETS - 1) f->shift++;
}

static void set_successors(wend_field *f) {
    const int table = f->view->kind == WEND_KIND_GRID ? wend__grid_canonical_choose(&f->version->rules) : -1;
    f->canonical = table >= 0 && !f->tolls;
    f->successors = f->canonical ? wend__grid_canonical_of(table) : NULL;
}

static void set_blocks(wend_field *f) {
    for (uint32_t chunk = 0; chunk < f->chunks; chunk++) {
        const int32_t column = (int32_t)(chunk % f->columns), row = (int32_t)(chunk / f->columns);
        f->blocks[chunk] = (uint32_t)wend__block_index(f->view, column, row) << 8 | wend__chunk_index(column, row);
    }
}

static void place_arrays(wend_field *f, const layout *l) {
    uint8_t *memory = (uint8_t *)f;
    f->costs = (uint32_t *)(void *)(memory + l->costs);
    f->ways = memory + l->ways;
    f->blocks = (uint32_t *)(void *)(memory + l->blocks);
    f->least = (uint32_t *)(void *)(memory + l->least);
    f->plain = (uint64_t *)(void *)(memory + l->plain);
    f->ends = (uint64_t *)(void *)(memory + l->ends);
    f->changed = (uint64_t *)(void *)(memory + l->changed);
    f->farthest = (uint32_t *)(void *)(memory + l->farthest);
    f->goals = (uint32_t *)(void *)(memory + l->goals);
    wend__open_init(&f->open);
    f->open_pages = wend__field_open_pages(f->chunks);
    wend__open_reset(&f->open, (uint32_t *)(void *)(memory + l->entries), 0);
    memset(f->ends, 0, (size_t)f->chunks * 512);
    memset(f->least, 0, f->chunks * sizeof *f->least);
}

/* Works on a version that is pinned for the field. `def` and `tolls` are set. */
static void open_field(wend_field *f, const layout *l, wend__version *version) {
    f->chunks = (uint32_t)l->chunks;
    f->columns = (uint32_t)l->columns;
    place_arrays(f, l);
    f->version = version;
    f->view = wend__version_view(f->version, f->def.mover);
    f->size = wend__version_mover_size(f->version, f->def.mover);
    f->layer = (uint32_t)f->view->chunk_y * f->columns;
    set_steps(f);
    set_successors(f);
    set_blocks(f);
    wend__field_mark_link_ends(f, f->version, true);
}

/* ---- goals ---- */

static int compare_ids(const void *a, const void *b) {
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static wend_error set_goals(wend_field *f, const wend_cell *goals, uint32_t count) {
    wend_error error = wend__check_range("count", count, 0, f->def.most_goals);
    if (!error) error = wend__check_room("goals", goals, count);
    if (!error) error = wend__check_each_cell(f->def.map, "goals", goals, count);
    if (error) return error;
    wend_field *to = f->distances ? f->distances : f;
    for (uint32_t i = 0; i < count; i++) to->goals[i] = wend__field_id(f, goals[i]);
    to->goal_count = count;
    qsort(to->goals, count, sizeof *to->goals, compare_ids);
    wend__field_freeze_layers(to);
    wend__field_begin(f);
    return WEND_OK;
}

wend_error wend_field_set_goals(wend_field *f, const wend_cell *goals, uint32_t count) {
    WEND__ALIVE(f, "the field");
    return set_goals(f, goals, count);
}

/* ---- making and freeing ---- */

static void add_distances(wend_field *f, const layout *l) {
    wend_field *d = (wend_field *)(void *)((uint8_t *)f + l->bytes);
    memset(d, 0, sizeof *d);
    d->def = f->def;
    d->def.purpose = WEND_FIELD_TOWARD;
    d->tolls = f->tolls;
    open_field(d, l, f->version);
    f->distances = d;
    WEND__BORN(d, "the field");
}

wend_error wend_field_create(const wend_field_def *def, wend_field **out) {
    wend_field_def own;
    if (!out) return wend__refuse_null("out");
    if (!read_def(def, &own)) return WEND_BAD_ARGUMENT;
    wend_error error = wend__check_each_cell(own.map, "goals", own.goals, own.goal_count);
    if (error) return error;
    const layout l = layout_of(own.map, own.most_goals);
    const uint64_t bytes = bytes_of(&l, &own);
    if (l.chunks > MOST_CHUNKS || bytes > SIZE_MAX)
        return wend__refuse(WEND_UNSUPPORTED, "the map has more than 2^31 cells in whole chunks, the most of a field");
    if ((error = wend_map_changes(own.map, 0, NULL, 0, NULL, NULL))) return error;
    own.allocator = wend__allocator_or_default(own.allocator);
    wend_field *f = wend__allocate(&own.allocator, (size_t)bytes, LINE);
    if (!f) return WEND_OUT_OF_MEMORY;
    if (!wend__arena_shares(own.map->arena, f)) {
        own.allocator.free(own.allocator.context, f, (size_t)bytes);
        return wend__refuse_arenas();
    }
    memset(f, 0, sizeof *f);
    f->def = own;
    f->bytes = (size_t)bytes;
    if (own.profile != WEND_PROFILE_NONE)
        f->tolls = (uint32_t *)(void *)((uint8_t *)f + start_of_tolls(&l, own.purpose));
    wend_map_retain(own.map);
    open_field(f, &l, wend__map_acquire(f->def.map, true));
    if (own.purpose == WEND_FIELD_AWAY) add_distances(f, &l);
    (void)set_goals(f, own.goals, own.goal_count);
    WEND__BORN(f, "the field");
    *out = f;
    return WEND_OK;
}

/* ---- in memory of the caller's ---- */

size_t wend__field_room(uint64_t cells) {
    layout l = {.chunks = cells >> 12};
    if (l.chunks == 0 || l.chunks > MOST_CHUNKS) return 0;
    place_all(&l, 1);
    return (size_t)l.bytes;
}

bool wend__field_fits(const wend_map *map, size_t bytes) {
    const layout l = layout_of(map, 1);
    return l.chunks <= MOST_CHUNKS && wend__map_symmetric(map) && l.bytes <= bytes;
}

wend_field *wend__field_place(void *memory, wend__version *version, int32_t mover, wend_cell goal) {
    const layout l = layout_of(version->map, 1);
    WEND__DEBUG_ASSERT(l.chunks > 0 && l.chunks <= MOST_CHUNKS);
    wend_field *f = memory;
    memset(f, 0, sizeof *f);
    f->def = default_def();
    f->def.map = version->map;
    f->def.mover = mover;
    f->def.most_goals = 1;
    open_field(f, &l, version);
    (void)set_goals(f, &goal, 1);
    WEND__BORN(f, "the field");
    return f;
}

void wend_field_destroy(wend_field *f) {
    if (!f) return;
    WEND__GONE(f, "the field");
    if (f->distances) WEND__GONE(f->distances, "the field");
    leave_service(f);
    wend__field_drop_layers(wend__field_with_layers(f));
    wend__map_release(f->version, true);
    wend_map_release(f->def.map);
    const wend_allocator allocator = f->def.allocator;
    allocator.free(allocator.context, f, f->bytes);
}
