/* SPDX-License-Identifier: MIT */
/* Maps: their rules, movers, land, terrain, closed steps, links, units and costs by place. A restore compares all of
 * them with the map, and edits only differences. Derived data (components, tables, landmarks, views) is in no save: the
 * edit updates it. */
#include "base/hash.h"
#include "fast/far/far_layer.h"
#include "map/edit/edit.h"
#include "map/links/sheet_table.h"
#include "map/kinds/graph.h"
#include "map/store/directions.h"
#include "map/store/memory.h"
#include "map/links/links.h"
#include "map/movers/views.h"
#include "map/version/layers.h"
#include "map/version/map.h"
#include "map/version/occupancy.h"
#include "map/version/version.h"
#include "save/save_crowd.h"
#include <wend/save.h>
#include <wend/stream.h>
#include <wend/ways.h>

/// A map that is saved or restored.
typedef struct map_save {
    wend__save save;
    wend_map *map;
    wend__version *version; ///< the newest version when the call began
    wend__series series;
    wend_edit *edit;  ///< restoring: NULL: nothing differs so far
    wend_error error; ///< restoring: the first error of the map
    bool applies;     ///< restoring: units and layers are set now; else they are only read
    int32_t movers;   ///< number of saved movers
    uint32_t known;   ///< restoring: known chunks that are not loaded
} map_save;

/* ---- the head ---- */

typedef struct map_head {
    int32_t kind, width, height, depth, wrap, movers;
    bool streamed;
    uint32_t links, layers, profiles;
    uint64_t epoch;
    uint64_t edges; ///< hash of a graph's edges, or of a grid's sheets; 0: there are none
} map_head;

WEND__INLINE uint32_t head_fields(uint32_t *words, bool reads, map_head *head, bool *bad) {
    wend__words own = {.at = words}, *f = &own;
    WEND__FIELD(head->kind);
    WEND__FIELD(head->width);
    WEND__FIELD(head->height);
    WEND__FIELD(head->depth);
    WEND__FIELD(head->wrap);
    WEND__FIELD(head->streamed);
    WEND__FIELD_BELOW(head->movers, WEND_MAX_MOVERS + 1);
    WEND__FIELD(head->links);
    WEND__FIELD_BELOW(head->layers, WEND_MAX_LAYERS + 1);
    WEND__FIELD_BELOW(head->profiles, WEND_MAX_PROFILES + 1);
    WEND__FIELD(head->epoch);
    WEND__FIELD(head->edges);
    *bad = own.bad;
    return (uint32_t)(own.at - words);
}

uint64_t wend__save_hash_graph(const wend__version *version) {
    const wend__graph *graph = version->graph;
    uint64_t hash = WEND__HASH_START;
    for (uint32_t node = 0; graph && node < graph->nodes; node++) {
        if (!wend__graph_has(graph, node)) continue;
        hash = wend__hash_u32(hash, node);
        const wend__arcs arcs = wend__graph_arcs(graph, node);
        for (const wend__arc *arc = arcs.first; arc != arcs.end; arc++)
            hash = wend__hash_u64(hash, (uint64_t)arc->to << 32 | arc->cost);
    }
    return graph ? hash : 0;
}

static uint64_t edges_of(const map_save *m) {
    return m->map->sheets ? wend__sheets_hash(m->map) : wend__save_hash_graph(m->version);
}

/* Returns the head without the hash of the edges, which reads them all. */
static map_head head_of(const map_save *m) {
    const wend_map *map = m->map;
    return (map_head){.kind = map->kind,
                      .width = map->width,
                      .height = map->height,
                      .depth = map->depth,
                      .wrap = map->wrap,
                      .movers = wend__version_movers(m->version),
                      .streamed = map->streamed,
                      .links = wend__links_of_host(m->version->links),
                      .layers = map->tolls ? map->tolls->layers->count : 0,
                      .profiles = map->tolls ? map->tolls->profile_count : 0,
                      .epoch = m->version->epoch};
}

static void pass_head(map_save *m, map_head *head) {
    bool bad = false;
    wend__series_begin(&m->series);
    wend__series_pass(&m->save, &m->series, head_fields(m->series.words, false, head, &bad));
    if (m->save.reads) head_fields(m->series.words, true, head, &bad);
    m->save.bad |= bad;
}

/* Returns whether a save may belong to this map. */
static wend_error check_head(const map_save *m, const map_head *head) {
    map_head own = head_of(m);
    own.edges = edges_of(m);
    if (own.kind == head->kind && own.width == head->width && own.height == head->height && own.depth == head->depth &&
        own.wrap == head->wrap && own.streamed == head->streamed && own.edges == head->edges)
        return WEND_OK;
    if (own.kind == WEND_KIND_GRID && head->kind == own.kind && own.edges != head->edges)
        return wend__refuse(WEND_BAD_ARGUMENT, "the save is of a map with other sheets");
    if (own.kind == head->kind && own.edges != head->edges)
        return wend__refuse(WEND_BAD_ARGUMENT, "the save is of a graph with other nodes or edges");
    return wend__refuse(WEND_BAD_ARGUMENT, "the save is of another map: of kind %d, with %d x %d x %d cells",
                        head->kind, head->width, head->height, head->depth);
}

/* ---- rules and movers ---- */

WEND__INLINE uint32_t rules_fields(uint32_t *words, bool reads, wend_map_rules *rules, bool *bad) {
    wend__words own = {.at = words}, *f = &own;
    WEND__FIELD(rules->neighbours);
    WEND__FIELD(rules->corners);
    WEND__FIELD(rules->cost_straight);
    WEND__FIELD(rules->cost_diagonal);
    WEND__FIELD(rules->cost_space);
    for (int i = 0; i < 256; i++) WEND__FIELD(rules->factors[i]);
    *bad = own.bad;
    return (uint32_t)(own.at - words);
}

WEND__INLINE uint32_t mover_fields(uint32_t *words, bool reads, wend_mover *mover, bool *bad) {
    wend__words own = {.at = words}, *f = &own;
    WEND__FIELD(mover->size);
    WEND__FIELD(mover->walker);
    WEND__FIELD(mover->step_up);
    WEND__FIELD(mover->drop);
    WEND__FIELD(mover->headroom);
    for (int i = 0; i < 256; i++) WEND__FIELD(mover->factors[i]);
    for (int i = 0; i < 4; i++) WEND__FIELD(mover->avoided[i]);
    for (int i = 0; i < 4; i++) WEND__FIELD(mover->shunned[i]);
    WEND__FIELD(mover->like);
    *bad = own.bad;
    return (uint32_t)(own.at - words);
}

enum { RULES_WORDS = 5 + 256, MOVER_WORDS = RULES_WORDS + 8 * 2 + 1 };

static wend_error restore_rules(map_save *m) {
    wend_map_rules rules = {.struct_bytes = sizeof rules}, own = {.struct_bytes = sizeof own};
    bool bad;
    wend__series_pass(&m->save, &m->series, RULES_WORDS);
    rules_fields(m->series.words, true, &rules, &bad);
    if (!wend__save_check(&m->save, !bad)) return WEND_OK;
    wend_map_get_rules(m->map, &own);
    return memcmp(&own, &rules, sizeof own) == 0 ? WEND_OK : wend_map_set_rules(m->map, &rules);
}

/* A map of the host's may lack movers that were added later; its own movers must be equal. */
static wend_error restore_mover(map_save *m, int32_t id) {
    wend_mover mover = {.struct_bytes = sizeof mover, .like = -1}, own = {.struct_bytes = sizeof own};
    bool bad;
    wend__series_pass(&m->save, &m->series, MOVER_WORDS);
    mover_fields(m->series.words, true, &mover, &bad);
    if (!wend__save_check(&m->save, !bad && mover.like >= -1 && mover.like < id)) return WEND_OK;
    if (wend_map_get_mover(m->map, id, &own)) return wend_map_add_mover(m->map, &mover, NULL);
    if (memcmp(&own, &mover, sizeof own) == 0) return WEND_OK;
    return wend__refuse(WEND_BAD_ARGUMENT, "mover %d of the save is another one than that of the map", id);
}

static void save_rules(map_save *m) {
    wend_map_rules rules = {.struct_bytes = sizeof rules};
    bool bad;
    wend_map_get_rules(m->map, &rules);
    wend__series_pass(&m->save, &m->series, rules_fields(m->series.words, false, &rules, &bad));
    for (int32_t id = 1; id < wend__version_movers(m->version); id++) {
        wend_mover mover = {.struct_bytes = sizeof mover};
        wend_map_get_mover(m->map, id, &mover);
        wend__series_pass(&m->save, &m->series, mover_fields(m->series.words, false, &mover, &bad));
    }
}

/* ---- terrain ---- */

enum { FORM_UNIFORM, FORM_RUNS, FORM_ROWS };
enum { MOST_TERRAIN = 1 + 4 * WEND__CHUNK_CELLS }; ///< most bytes of a chunk's terrain

static void put_run(wend__save *save, uint8_t terrain, uint64_t length) {
    WEND__DEBUG_ASSERT(length > 0 && length <= WEND__CHUNK_CELLS);
    wend__save_byte(save, &terrain);
    wend__save_number(save, &length);
}

static void put_runs(wend__save *save, const uint8_t *classes) {
    for (uint32_t from = 0, to; from < WEND__CHUNK_CELLS; from = to) {
        for (to = from + 1; to < WEND__CHUNK_CELLS && classes[to] == classes[from];) to++;
        put_run(save, classes[from], to - from);
    }
}

/// The terrain of a chunk, in its saved form: equal cells give equal bytes, whatever form a version
/// stores.
typedef struct terrain_form {
    uint8_t form;   ///< FORM_…
    uint8_t two[2]; ///< ROWS: the classes of bits 0 and 1, the lower one first; UNIFORM: the first one
    uint64_t rows[WEND__CHUNK_SIDE];
    uint8_t classes[WEND__CHUNK_CELLS]; ///< RUNS
} terrain_form;

/* Cells beyond the rim of the map, and nodes that a graph lacks, have class 0. */
static void read_classes(const map_save *m, int32_t column, int32_t row, uint8_t *classes) {
    const wend__chunk *chunk = wend__version_chunk(m->version, column, row);
    for (uint32_t local = 0; local < WEND__CHUNK_CELLS; local++) {
        const wend_cell cell = wend__cell_of_place(m->version, (wend__place){column, row, local});
        classes[local] = wend__map_has(m->map, cell) ? wend__chunk_class(chunk, local) : 0;
    }
}

static void find_form(terrain_form *f) {
    f->form = FORM_UNIFORM;
    f->two[0] = f->two[1] = f->classes[0];
    for (uint32_t local = 0; local < WEND__CHUNK_CELLS; local++) {
        const uint8_t class = f->classes[local];
        if (class != f->two[0] && f->form == FORM_UNIFORM) f->two[1] = class, f->form = FORM_ROWS;
        if (class != f->two[0] && class != f->two[1]) f->form = FORM_RUNS;
        if (local % 64 == 0) f->rows[local >> 6] = 0;
        f->rows[local >> 6] |= (uint64_t)(class != f->two[0]) << (local & 63);
    }
}

static void order_two(terrain_form *f) {
    const uint8_t first = f->two[0];
    if (first <= f->two[1]) return;
    f->two[0] = f->two[1], f->two[1] = first;
    for (unsigned y = 0; y < WEND__CHUNK_SIDE; y++) f->rows[y] = ~f->rows[y];
}

static bool is_inside(const map_save *m, int32_t column, int32_t row) {
    const wend_map *map = m->map;
    return map->kind == WEND_KIND_GRID && (column + 1) * WEND__CHUNK_SIDE <= map->width &&
           (row + 1) * WEND__CHUNK_SIDE <= map->height;
}

static void read_terrain(const map_save *m, int32_t column, int32_t row, terrain_form *f) {
    const wend__chunk *chunk = wend__version_chunk(m->version, column, row);
    const bool inside = is_inside(m, column, row);
    uint64_t any = 0, all = UINT64_MAX;
    if (inside && chunk->bits) {
        f->form = FORM_ROWS;
        memcpy(f->two, chunk->bits->classes, 2), memcpy(f->rows, chunk->bits->rows, sizeof f->rows);
        for (unsigned y = 0; y < WEND__CHUNK_SIDE; y++) any |= f->rows[y], all &= f->rows[y];
        if (any == 0 || all == UINT64_MAX) f->form = FORM_UNIFORM, f->two[0] = f->two[any != 0];
    } else if (inside && !chunk->terrain) {
        f->form = FORM_UNIFORM, f->two[0] = chunk->uniform;
    } else {
        read_classes(m, column, row, f->classes);
        find_form(f);
    }
    if (f->form == FORM_ROWS) order_two(f);
}

static void put_terrain(wend__save *save, terrain_form *f) {
    WEND__DEBUG_ASSERT(f->form != FORM_ROWS || f->two[0] < f->two[1]);
    wend__save_byte(save, &f->form);
    if (f->form == FORM_UNIFORM) wend__save_byte(save, &f->two[0]);
    if (f->form == FORM_RUNS) put_runs(save, f->classes);
    if (f->form != FORM_ROWS) return;
    wend__save_bytes(save, f->two, 2);
    wend__save_rows(save, f->rows);
}

static void get_runs(wend__save *save, uint8_t *classes) {
    uint64_t length = 0;
    for (uint32_t at = 0; at < WEND__CHUNK_CELLS && !save->bad; at += (uint32_t)length) {
        uint8_t terrain = 0;
        wend__save_byte(save, &terrain);
        wend__save_number(save, &length);
        if (!wend__save_check(save, length > 0 && length <= WEND__CHUNK_CELLS - at)) return;
        memset(classes + at, terrain, (size_t)length);
    }
}

static void get_terrain(wend__save *save, uint8_t *classes) {
    uint64_t rows[WEND__CHUNK_SIDE];
    uint8_t form = 0, two[2] = {0, 0};
    wend__save_byte(save, &form);
    if (!wend__save_check(save, form <= FORM_ROWS)) return;
    if (form == FORM_RUNS) get_runs(save, classes);
    if (form == FORM_UNIFORM) wend__save_byte(save, two), memset(classes, two[0], WEND__CHUNK_CELLS);
    if (form != FORM_ROWS) return;
    wend__save_bytes(save, two, 2);
    wend__save_rows(save, rows);
    for (uint32_t at = 0; at < WEND__CHUNK_CELLS; at++) classes[at] = two[rows[at / 64] >> at % 64 & 1];
}

/* Begins the batch at the first difference. */
static bool has_edit(map_save *m) {
    if (!m->edit && !m->error) m->error = wend_edit_begin(m->map, &m->edit);
    return !m->error;
}

static void keep_error(map_save *m, wend_error error) {
    if (!m->error) m->error = error;
}

/* Returns whether the next bytes are those of this chunk: then nothing needs to change. */
static bool skip_equal(map_save *m, int32_t column, int32_t row) {
    wend__save *save = &m->save;
    uint8_t bytes[MOST_TERRAIN];
    wend__save own = {.to = bytes, .room = sizeof bytes};
    terrain_form form;
    read_terrain(m, column, row, &form);
    put_terrain(&own, &form);
    WEND__DEBUG_ASSERT(own.at <= sizeof bytes);
    if (save->bad || own.at > save->bytes - save->at || memcmp(save->from + save->at, bytes, own.at) != 0) return false;
    save->at += own.at;
    return true;
}

static void restore_cells(map_save *m, int32_t column, int32_t row, const uint8_t *classes) {
    for (uint32_t local = 0; local < WEND__CHUNK_CELLS && !m->error; local++) {
        const wend_cell cell = wend__cell_of_place(m->version, (wend__place){column, row, local});
        const wend__version *now = m->edit ? m->edit->draft : m->version;
        if (!wend__map_has(m->map, cell)) continue;
        if (wend__chunk_class(wend__version_chunk(now, column, row), local) == classes[local]) continue;
        if (has_edit(m)) keep_error(m, wend_edit_set_cell(m->edit, cell, classes[local]));
    }
}

static void restore_terrain(map_save *m, int32_t column, int32_t row) {
    uint8_t classes[WEND__CHUNK_CELLS];
    if (skip_equal(m, column, row)) return;
    get_terrain(&m->save, classes);
    if (!m->save.bad) restore_cells(m, column, row, classes);
}

/* ---- land ---- */

static bool is_as_saved(const wend__chunk *chunk, uint8_t land, uint32_t hash) {
    return chunk->land == land && (land != WEND_LAND_KNOWN || chunk->hash == hash);
}

static bool restore_land(map_save *m, int32_t column, int32_t row) {
    const wend__chunk *before = wend__version_chunk(m->version, column, row);
    uint8_t land = before->land;
    uint64_t hash = 0;
    if (!m->map->streamed) return true;
    wend__save_byte(&m->save, &land);
    if (!wend__save_check(&m->save, land <= WEND_LAND_ABSENT)) return false;
    if (land == WEND_LAND_KNOWN) wend__save_number(&m->save, &hash);
    if (!wend__save_check(&m->save, hash <= UINT32_MAX)) return false;
    if (land == WEND_LAND_LOADED) {
        if (before->land != land && has_edit(m)) keep_error(m, wend_edit_load(m->edit, column, row, NULL, 0));
    } else if (!is_as_saved(before, land, (uint32_t)hash) && has_edit(m)) {
        keep_error(m, wend__edit_set_unloaded(m->edit, column, row, land, (uint32_t)hash));
    }
    return land == WEND_LAND_LOADED;
}

/* ---- known land in far layers: for each mover the records of chunks ---- */

enum { MOST_FAR_COST = 1 << 28 };

/* Crossings out go by what is beyond now: a stale record still has those of before. */
static void save_record(wend__save *save, const wend__version *view, wend__far_area area, const wend__far_record *r) {
    const uint32_t count = wend__far_count(r);
    WEND__DEBUG_ASSERT(count <= WEND__FAR_GATES);
    const uint8_t *component = wend__far_components(r);
    uint32_t costs[WEND__FAR_GATES];
    uint8_t mixed = r->mixed;
    wend__save_byte(save, &mixed);
    for (unsigned side = 0; side < 4; side++) {
        uint8_t gates = (uint8_t)(r->first[side + 1] - r->first[side]);
        wend__save_byte(save, &gates);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint8_t gate[] = {(uint8_t)wend__far_places(r)[i], component[i],
                          (uint8_t)wend__far_crossing_out(view, view->far, area, r, i),
                          (uint8_t)wend__far_crossing(r, i, true)};
        wend__save_bytes(save, gate, sizeof gate);
    }
    for (uint32_t i = 0; i < count; i++) {
        wend__far_row(r, i, false, costs);
        for (uint32_t j = 0; j < (mixed ? count : i); j++) {
            uint64_t cost = costs[j] == WEND__FAR_NONE ? 0 : costs[j] + UINT64_C(1);
            if (j != i && component[j] == component[i]) wend__save_number(save, &cost);
        }
    }
}

static void read_costs(wend__save *save, wend__far_draft *draft) {
    const uint32_t count = draft->first[4];
    WEND__DEBUG_ASSERT(count <= WEND__FAR_GATES);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < count; j++) draft->costs[i * WEND__FAR_GATES + j] = i == j ? 0 : WEND__FAR_NONE;
    for (uint32_t i = 0; i < count && !save->bad; i++)
        for (uint32_t j = 0; j < (draft->mixed ? count : i); j++) {
            uint64_t cost = 0;
            if (j == i || draft->component[j] != draft->component[i]) continue;
            wend__save_number(save, &cost);
            if (!wend__save_check(save, cost <= MOST_FAR_COST)) return;
            if (cost == 0) continue;
            draft->costs[i * WEND__FAR_GATES + j] = (uint32_t)cost - 1;
            if (!draft->mixed) draft->costs[j * WEND__FAR_GATES + i] = (uint32_t)cost - 1;
        }
}

static void read_record(wend__save *save, wend__far_draft *draft) {
    uint8_t mixed = 0, gates = 0;
    wend__save_byte(save, &mixed);
    draft->first[0] = 0;
    draft->mixed = mixed != 0;
    for (unsigned side = 0; side < 4; side++) {
        wend__save_byte(save, &gates);
        if (!wend__save_check(save, gates <= WEND__FAR_SIDE_GATES)) return;
        draft->first[side + 1] = (uint8_t)(draft->first[side] + gates);
    }
    for (unsigned side = 0; side < 4; side++)
        for (uint32_t i = draft->first[side]; i < draft->first[side + 1]; i++) {
            uint8_t gate[4];
            wend__save_bytes(save, gate, sizeof gate);
            const bool rises = i == draft->first[side] || gate[0] > draft->place[i - 1];
            if (!wend__save_check(save, rises && gate[0] < WEND__CHUNK_SIDE && gate[1] < draft->first[4])) return;
            draft->place[i] = gate[0], draft->component[i] = gate[1], draft->out[i] = gate[2], draft->in[i] = gate[3];
        }
    if (wend__save_check(save, mixed <= 1)) read_costs(save, draft);
}

/// The records of a mover as they are read, into an unpublished layer if there is one.
typedef struct known_land {
    map_save *m;
    wend_edit *edit; ///< edit of the layer
    wend__far *far;
    wend__far_maker *maker;
} known_land;

static wend_error read_known(const known_land *k, const wend__version *now) {
    wend__save *save = &k->m->save;
    wend_error error = WEND_OK;
    for (int32_t row = 0; row < now->chunk_rows; row++)
        for (int32_t column = 0; column < now->chunk_columns && !error && !save->bad; column++) {
            uint8_t known = 0;
            if (wend__version_chunk(now, column, row)->land != WEND_LAND_KNOWN) continue;
            wend__save_byte(save, &known);
            if (wend__save_check(save, known <= 1) && known) read_record(save, &k->maker->draft);
            if (k->far && !save->bad) error = wend__far_learn(k->edit, k->far, column, row, k->maker, known);
        }
    return error;
}

/* Reads the known land of a mover into its layer, if it has one. */
static wend_error learn(wend_edit *edit, void *context) {
    known_land *k = context;
    wend__version *draft = edit->draft;
    k->edit = edit;
    k->far = draft->far ? wend__far_copy(edit->map, draft->far) : NULL;
    if (draft->far && !k->far) return WEND_OUT_OF_MEMORY;
    const wend_error error = read_known(k, draft);
    if (k->far) wend__shared_release(edit->map, error ? k->far : draft->far);
    if (k->far && !error) draft->far = k->far;
    k->far = NULL;
    return error;
}

static wend_error learn_all(wend_edit *edit, void *context) {
    known_land *k = context;
    wend_error error = WEND_OK;
    for (int32_t mover = 0; mover < k->m->movers && !error; mover++) {
        const bool has = wend__version_view(edit->draft, mover)->far;
        error = has ? wend__view_change(edit, mover, learn, k) : read_known(k, edit->draft);
    }
    return error;
}

static void save_known(map_save *m) {
    const wend__version *v = m->version;
    for (int32_t mover = 0; mover < m->movers; mover++)
        for (int32_t row = 0; row < v->chunk_rows; row++)
            for (int32_t column = 0; column < v->chunk_columns; column++) {
                if (wend__version_chunk(v, column, row)->land != WEND_LAND_KNOWN) continue;
                const wend__version *view = wend__version_view(v, mover);
                const wend__far_record *r = wend__far_told(view, column, row);
                uint8_t known = r != NULL;
                wend__save_byte(&m->save, &known);
                if (r) save_record(&m->save, view, (wend__far_area){0, column, row}, r);
            }
}

/* The draft has the land of the save before the publish, and the newest version after it. */
static void pass_known(map_save *m) {
    const wend__version *now = m->edit ? m->edit->draft : m->version;
    if (!m->map->streamed) return;
    if (!m->save.reads) {
        save_known(m);
        return;
    }
    if (!m->applies) m->known = now->known;
    if (m->known == 0 || m->save.bad || m->error) return;
    known_land k = {.m = m, .maker = wend__map_alloc(m->map, sizeof *k.maker)};
    if (!k.maker) {
        keep_error(m, WEND_OUT_OF_MEMORY);
        return;
    }
    if (m->applies)
        keep_error(m, wend__map_change(m->map, true, learn_all, &k));
    else
        for (int32_t mover = 0; mover < m->movers; mover++) keep_error(m, read_known(&k, now));
    wend__map_free(m->map, k.maker, sizeof *k.maker);
}

/* ---- closed steps ---- */

static void save_steps(map_save *m, const wend__chunk *chunk) {
    const wend__closed *closed = chunk->closed;
    uint64_t count = 0, gap = 1;
    for (uint32_t local = 0; closed && local < WEND__CHUNK_CELLS; local++) count += closed->steps[local] != 0;
    wend__save_number(&m->save, &count);
    WEND__DEBUG_ASSERT(closed || count == 0);
    for (uint32_t local = 0; count > 0 && local < WEND__CHUNK_CELLS; local++, gap++) {
        uint64_t steps = closed->steps[local];
        if (!steps) continue;
        wend__save_number(&m->save, &gap);
        wend__save_number(&m->save, &steps);
        gap = 0;
    }
}

static void restore_cell_steps(map_save *m, wend__place place, uint32_t steps) {
    WEND__DEBUG_ASSERT(place.local < WEND__CHUNK_CELLS);
    const wend__version *now = m->edit ? m->edit->draft : m->version;
    const wend__closed *closed = wend__version_chunk(now, place.column, place.row)->closed;
    uint32_t other = (closed ? closed->steps[place.local] : 0) ^ steps;
    const bool flat = m->map->kind == WEND_KIND_GRID;
    for (; other && has_edit(m); other &= other - 1) {
        const unsigned d = wend__ctz32(other);
        const wend_cell from = wend__cell_of_place(m->version, place);
        wend_cell to = {from.x + (flat ? wend__dx[d] : wend__sx[d]), from.y + (flat ? wend__dy[d] : wend__sy[d]),
                        from.z + (flat ? 0 : wend__sz[d])};
        keep_error(m, wend__edit_restore_step(m->edit, from, to, !(steps >> d & 1)));
    }
}

static void restore_steps(map_save *m, int32_t column, int32_t row) {
    const uint32_t known = m->map->kind == WEND_KIND_GRID ? WEND__DIRECTIONS : WEND__SPACE_DIRECTIONS;
    uint64_t count = 0, gap = 0, steps = 0;
    uint32_t next = 0;
    wend__save_number(&m->save, &count);
    if (!wend__save_check(&m->save, count <= WEND__CHUNK_CELLS)) return;
    for (; count > 0 && !m->save.bad && !m->error; count--) {
        wend__save_number(&m->save, &gap);
        wend__save_number(&m->save, &steps);
        if (!wend__save_check(&m->save, gap > 0 && gap <= WEND__CHUNK_CELLS - next && steps >> known == 0)) return;
        for (; gap > 1; gap--) restore_cell_steps(m, (wend__place){column, row, next++}, 0);
        restore_cell_steps(m, (wend__place){column, row, next++}, (uint32_t)steps);
    }
    const bool any = wend__version_chunk(m->version, column, row)->closed;
    while (any && next < WEND__CHUNK_CELLS) restore_cell_steps(m, (wend__place){column, row, next++}, 0);
}

static void save_chunk(map_save *m, int32_t column, int32_t row) {
    const wend__chunk *chunk = wend__version_chunk(m->version, column, row);
    uint8_t land = chunk->land;
    uint64_t hash = chunk->hash;
    if (m->map->streamed) wend__save_byte(&m->save, &land);
    if (m->map->streamed && land == WEND_LAND_KNOWN) wend__save_number(&m->save, &hash);
    if (m->map->streamed && land != WEND_LAND_LOADED) return;
    terrain_form form;
    read_terrain(m, column, row, &form);
    put_terrain(&m->save, &form);
    save_steps(m, chunk);
}

static void restore_chunk(map_save *m, int32_t column, int32_t row) {
    if (!restore_land(m, column, row) || m->save.bad || m->error) return;
    restore_terrain(m, column, row);
    if (!m->save.bad && !m->error) restore_steps(m, column, row);
}

/* Returns the number of columns of chunks. A hash leaves out the room that a graph has for nodes: chunks behind its
 * last node. */
static int32_t columns_of(const map_save *m) {
    const wend__graph *graph = m->version->graph;
    int32_t columns = m->version->chunk_columns;
    if (!graph || !m->save.hash) return columns;
    for (; columns > 0; columns--)
        for (unsigned page = 0; page < WEND__NODE_PAGES; page++)
            if (graph->blocks[columns - 1]->present[page]) return columns;
    return 0;
}

/* Calls a function for each chunk of the table. */
static void each_chunk(map_save *m, void (*fn)(map_save *m, int32_t column, int32_t row)) {
    const int32_t columns = columns_of(m);
    for (int32_t row = 0; row < m->version->chunk_rows; row++)
        for (int32_t column = 0; column < columns && !m->save.bad && !m->error; column++) fn(m, column, row);
}

/* ---- links: both lists are sorted ---- */

WEND__INLINE void link_fields(uint32_t *words, bool reads, wend__link *link) {
    wend__words own = {.at = words}, *f = &own;
    WEND__FIELD(link->from);
    WEND__FIELD(link->to);
    WEND__FIELD(link->cost);
    WEND__FIELD(link->movers);
}

static void save_links(map_save *m) {
    const wend__links *links = m->version->links;
    wend__series_begin(&m->series);
    for (uint32_t i = 0; links && i < links->count; i++) {
        wend__link link = links->sorted[i];
        if (link.cost == WEND__SEAM) continue;
        link.cost = (uint32_t)wend__link_cost_said(&link);
        link_fields(m->series.words, false, &link);
        wend__series_pass(&m->save, &m->series, 4);
    }
}

/* Removes the map's links before a key; then *next is the first one behind it. Returns the one with the key. */
static const wend__link *remove_before(map_save *m, uint32_t *next, uint64_t key) {
    const wend__links *links = m->version->links;
    for (; links && *next < links->count && wend__link_key(&links->sorted[*next]) <= key; ++*next) {
        const wend__link *link = &links->sorted[*next];
        if (link->cost == WEND__SEAM) continue;
        if (wend__link_key(link) == key) return &links->sorted[(*next)++];
        if (!has_edit(m)) return NULL;
        keep_error(m, wend_edit_remove_link(m->edit, wend__cell_of_number(m->version, link->from),
                                            wend__cell_of_number(m->version, link->to)));
    }
    return NULL;
}

static void restore_links(map_save *m, uint32_t count) {
    const uint64_t cells = (uint64_t)m->map->width * (uint64_t)m->map->height * (uint64_t)m->map->depth;
    uint32_t next = 0;
    wend__series_begin(&m->series);
    for (; count > 0 && !m->save.bad && !m->error; count--) {
        wend__link link;
        wend__series_pass(&m->save, &m->series, 4);
        link_fields(m->series.words, true, &link);
        if (!wend__save_check(&m->save, link.from < cells && link.to < cells && link.cost <= WEND_MAX_COST)) return;
        const wend__link *own = remove_before(m, &next, wend__link_key(&link));
        if (own && wend__link_cost_said(own) == (int32_t)link.cost && own->movers == link.movers) continue;
        if (!has_edit(m)) continue;
        keep_error(m, wend_edit_add_link(m->edit, &(wend_link){wend__cell_of_number(m->version, link.from),
                                                               wend__cell_of_number(m->version, link.to),
                                                               (int32_t)link.cost, link.movers}));
    }
    if (!m->save.bad && !m->error) remove_before(m, &next, UINT64_MAX);
}

/* ---- units ---- */

static const uint8_t *units_of(const map_save *m, int32_t column, int32_t row) {
    static const uint8_t none[WEND__CHUNK_CELLS];
    const uint8_t *plane = wend__occupancy_plane(m->map->occupancy, column, row);
    return plane ? plane : none;
}

/* Returns whether there is a unit in 64 cells. Compilers turn this and the first loop below into vector code. */
static bool any_unit(const uint8_t *row) {
    uint8_t all = 0;
    for (unsigned at = 0; at < WEND__CHUNK_SIDE; at++) all |= row[at];
    return all != 0;
}

/* Returns a bit for each of 64 cells in which there are units. */
static uint64_t find_units(const uint8_t *row) {
    uint8_t flags[WEND__CHUNK_SIDE];
    uint64_t cells = 0;
    for (unsigned at = 0; at < WEND__CHUNK_SIDE; at++) flags[at] = row[at] != 0;
    for (unsigned at = 0; at < WEND__CHUNK_SIDE; at += 8) cells |= wend__gather_flags(flags + at) << at;
    return cells;
}

/* Writes for each unit: 1 + the number of free cells before it, and the units there; at the end 0. */
static void save_units(map_save *m, int32_t column, int32_t row) {
    const uint8_t *plane = wend__occupancy_plane(m->map->occupancy, column, row);
    uint32_t next = 0;
    uint8_t end = 0;
    for (uint32_t first = 0; plane && first < WEND__CHUNK_CELLS; first += WEND__CHUNK_SIDE) {
        if (!any_unit(plane + first)) continue;
        for (uint64_t left = find_units(plane + first); left; left &= left - 1) {
            const uint32_t at = first + wend__ctz64(left);
            uint64_t gap = at - next + 1;
            uint8_t count = plane[at];
            WEND__DEBUG_ASSERT(count > 0 && at >= next);
            wend__save_number(&m->save, &gap);
            wend__save_byte(&m->save, &count);
            next = at + 1;
        }
    }
    wend__save_byte(&m->save, &end);
}

static void set_units(map_save *m, wend_cell cell, uint32_t count) {
    uint32_t now = wend__occupancy_at(m->map->occupancy, cell);
    for (; now < count && !m->error; now++)
        keep_error(m, wend__map_restore_unit(m->map, cell, wend__map_has(m->map, cell)));
    for (; now > count && !m->error; now--) keep_error(m, wend__map_vacate(m->map, cell, true));
}

static void set_units_of(map_save *m, int32_t column, int32_t row, const uint8_t *plane) {
    for (uint32_t first = 0; first < WEND__CHUNK_CELLS; first += WEND__CHUNK_SIDE) {
        const uint8_t *own = units_of(m, column, row); /* the first unit of a chunk makes its plane */
        if (memcmp(own + first, plane + first, WEND__CHUNK_SIDE) == 0) continue;
        for (uint32_t local = first; local < first + WEND__CHUNK_SIDE; local++)
            if (own[local] != plane[local])
                set_units(m, wend__cell_of_place(m->version, (wend__place){column, row, local}), plane[local]);
    }
}

/* @param plane   receives the counts; NULL: they are only read */
static void read_units(map_save *m, int32_t column, int32_t row, uint8_t *plane) {
    uint64_t gap = 0;
    uint32_t next = 0;
    while (wend__save_number(&m->save, &gap), gap > 0) {
        uint8_t count = 0;
        if (!wend__save_check(&m->save, gap <= WEND__CHUNK_CELLS - next)) return;
        next += (uint32_t)gap;
        wend__save_byte(&m->save, &count);
        const wend_cell cell = wend__cell_of_place(m->version, (wend__place){column, row, next - 1});
        if (!wend__save_check(&m->save, count > 0 && wend__map_inside(m->map, cell))) return;
        if (plane) plane[next - 1] = count;
    }
}

static void restore_units(map_save *m, int32_t column, int32_t row) {
    uint8_t plane[WEND__CHUNK_CELLS];
    if (!m->applies) {
        read_units(m, column, row, NULL);
        return;
    }
    memset(plane, 0, sizeof plane);
    read_units(m, column, row, plane);
    if (!m->save.bad) set_units_of(m, column, row, plane);
}

/* ---- layers ---- */

/* A removed node keeps its value until another one has its number. */
static void read_plane(const map_save *m, int32_t layer, int32_t column, int32_t row,
                       uint8_t values[WEND__CHUNK_CELLS]) {
    WEND__DEBUG_ASSERT(m->map->tolls && layer >= 0 && (uint32_t)layer < m->map->tolls->layers->count);
    const wend__layers *layers = m->map->tolls->layers;
    for (uint32_t local = 0; local < WEND__CHUNK_CELLS; local++)
        values[local] = wend__layer_value(layers, layer, (wend__place){column, row, local});
}

static void save_plane(map_save *m, int32_t layer, int32_t column, int32_t row) {
    uint8_t values[WEND__CHUNK_CELLS];
    read_plane(m, layer, column, row, values);
    put_runs(&m->save, values);
}

/* Sets runs of cells in a row that differ. */
static void set_plane(map_save *m, int32_t layer, int32_t column, int32_t row, const uint8_t *values) {
    uint8_t now[WEND__CHUNK_CELLS];
    uint32_t end;
    read_plane(m, layer, column, row, now);
    for (uint32_t from = 0; from < WEND__CHUNK_CELLS && !m->error; from = end) {
        const wend_cell first = wend__cell_of_place(m->version, (wend__place){column, row, from});
        wend_cell last = first;
        end = from + 1;
        if (now[from] == values[from] || !wend__map_inside(m->map, first)) continue;
        for (; end < WEND__CHUNK_CELLS && now[end] != values[end]; end++, last.x++) {
            const wend_cell next = wend__cell_of_place(m->version, (wend__place){column, row, end});
            if (next.x != last.x + 1 || next.y != first.y || next.z != first.z || next.x >= m->map->width) break;
        }
        keep_error(m, wend_map_set_layer_box(m->map, layer, (wend_box){first, last}, &values[from], end - from));
    }
}

static void restore_plane(map_save *m, int32_t layer, int32_t column, int32_t row) {
    uint8_t values[WEND__CHUNK_CELLS];
    get_runs(&m->save, values);
    if (m->applies && !m->save.bad) set_plane(m, layer, column, row, values);
}

static void pass_planes(map_save *m, int32_t layer) {
    const int32_t columns = columns_of(m);
    for (int32_t row = 0; row < m->version->chunk_rows; row++)
        for (int32_t column = 0; column < columns && !m->save.bad && !m->error; column++)
            (m->save.reads ? restore_plane : save_plane)(m, layer, column, row);
}

/* In a number: half_life, and `within` above it. */
static uint64_t form_of(const wend__layer *layer) {
    return layer->half_life | (uint64_t)layer->within << 32;
}

static void restore_layer(map_save *m, uint32_t layer, uint64_t form) {
    const wend_layer_def def = {
        .struct_bytes = sizeof def, .half_life = (uint32_t)form, .within = (int32_t)(form >> 32)};
    const uint32_t own = m->map->tolls ? m->map->tolls->layers->count : 0;
    if (layer < own)
        wend__save_check(&m->save, form_of(m->map->tolls->layers->layers[layer]) == form);
    else if (m->applies)
        keep_error(m, wend_map_add_layer(m->map, &def, NULL));
}

static void pass_layers(map_save *m, uint32_t count) {
    uint64_t updates = !m->save.reads && count > 0 ? m->map->tolls->layers->updates : 0, walls = 0;
    if (count == 0) return;
    wend__save_number(&m->save, &updates);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t form = m->save.reads ? 0 : form_of(m->map->tolls->layers->layers[i]);
        wend__save_number(&m->save, &form);
        if (!wend__save_check(&m->save, form >> 32 <= WEND_MAX_WITHIN)) return;
        walls |= (uint64_t)(form >> 32 > 0) << i;
        if (m->save.reads) restore_layer(m, i, form);
    }
    if (m->save.reads && m->applies && !m->save.bad && !m->error)
        keep_error(m, wend__layers_set_updates(m->map, updates));
    for (uint32_t i = 0; i < count; i++)
        if (!(walls >> i & 1)) pass_planes(m, (int32_t)i);
}

static void pass_profiles(map_save *m, uint32_t count, uint32_t layers) {
    for (uint32_t i = 0; i < count && !m->save.bad && !m->error; i++) {
        wend__profile profile = {0};
        if (!m->save.reads) profile = m->map->tolls->profiles[i];
        wend__save_below(&m->save, &profile.count, WEND_MAX_PROFILE_LAYERS + 1);
        for (uint32_t k = 0; k < profile.count; k++) {
            uint32_t layer = (uint32_t)profile.weights[k].layer, weight = (uint32_t)profile.weights[k].weight;
            wend__save_below(&m->save, &layer, layers);
            wend__save_below(&m->save, &weight, WEND_MAX_COST + UINT64_C(1));
            profile.weights[k] = (wend_layer_weight){(int32_t)layer, (int32_t)weight};
        }
        int32_t number = (int32_t)i + 1;
        if (m->save.reads && m->applies)
            keep_error(m, wend_map_add_profile(m->map, profile.weights, profile.count, &number));
        if (!m->error) wend__save_check(&m->save, number == (int32_t)i + 1);
    }
}

/* ---- all of it ---- */

/* Saves the data outside of the versions. */
static void save_beside(map_save *m, const map_head *head) {
    uint64_t units = m->save.hash ? wend__occupancy_hash(m->map, m->version) : 0;
    if (m->save.hash)
        wend__save_number(&m->save, &units);
    else
        each_chunk(m, save_units);
    pass_layers(m, head->layers);
    pass_profiles(m, head->profiles, head->layers);
    m->movers = head->movers;
    pass_known(m);
}

wend_error wend_map_save_state(wend_map *map, void *buffer, size_t capacity, size_t *bytes) {
    map_save m = {.map = map};
    if (!map) return wend__refuse_null("map");
    WEND__ALIVE(map, "the map");
    m.version = wend__map_newest(map);
    map_head head = head_of(&m);
    head.edges = edges_of(&m);
    wend__save_begin(&m.save, WEND__SAVE_MAP, buffer, capacity);
    pass_head(&m, &head);
    save_rules(&m);
    each_chunk(&m, save_chunk);
    save_links(&m);
    save_beside(&m, &head);
    wend__map_release(m.version, false);
    return wend__save_end(&m.save, bytes);
}

/* The version's part does not change until the next version. */
static uint64_t hash_version(map_save *m) {
    wend__lanes lanes;
    wend_map *map = m->map;
    if (map->hashed_serial == m->version->serial && map->hashed != 0) return map->hashed;
    uint64_t edges = edges_of(m);
    wend__hash_begin(&m->save, WEND__SAVE_MAP, &lanes);
    wend__save_number(&m->save, &edges);
    each_chunk(m, save_chunk);
    save_links(m);
    map->hashed = wend__hash_end(&m->save);
    map->hashed_serial = m->version->serial;
    return map->hashed;
}

uint64_t wend__hash_map(wend_map *map) {
    wend__lanes lanes;
    map_save m = {.map = map};
    m.version = wend__map_newest(map);
    map_head head = head_of(&m);
    uint64_t version = hash_version(&m);
    head.epoch = 0;                       /* it decides nothing: a recording counts from the map that it began with */
    if (m.version->graph) head.width = 0; /* room for nodes */
    wend__hash_begin(&m.save, WEND__SAVE_MAP, &lanes);
    wend__save_number(&m.save, &version);
    pass_head(&m, &head);
    save_rules(&m);
    save_beside(&m, &head);
    wend__map_release(m.version, false);
    return wend__hash_end(&m.save);
}

/* Restores units and layers, which are outside of the versions. The first time they are only read, so that a bad save
 * changes nothing. */
static void restore_beside(map_save *m, const map_head *head) {
    each_chunk(m, restore_units);
    pass_layers(m, head->layers);
    pass_profiles(m, head->profiles, head->layers);
    pass_known(m);
}

static wend_error restore(map_save *m) {
    map_head head = {0};
    pass_head(m, &head);
    if (m->save.bad) return wend__load_end(&m->save);
    wend_error error = check_head(m, &head);
    if (!error) error = restore_rules(m);
    m->movers = head.movers;
    for (int32_t id = 1; id < head.movers && !error && !m->save.bad; id++) error = restore_mover(m, id);
    if (error || m->save.bad) return error ? error : wend__load_end(&m->save);
    each_chunk(m, restore_chunk);
    if (!m->error && !m->save.bad) restore_links(m, head.links);
    const size_t beside = m->save.at;
    if (!m->error && !m->save.bad) restore_beside(m, &head);
    error = m->error ? m->error : wend__load_end(&m->save);
    if (!error && head.epoch != m->version->epoch && !has_edit(m)) error = m->error;
    wend_edit *edit = m->edit;
    m->edit = NULL;
    if (edit && error) wend_edit_discard(edit);
    if (edit && !error) error = wend__edit_publish_as(edit, head.epoch);
    if (error) return error;
    m->save.at = beside;
    m->applies = true;
    restore_beside(m, &head);
    return m->error ? m->error : wend__load_end(&m->save);
}

wend_error wend_map_restore_state(wend_map *map, const void *buffer, size_t bytes) {
    map_save m = {.map = map};
    if (!map) return wend__refuse_null("map");
    WEND__ALIVE(map, "the map");
    wend_error error = wend__load_begin(&m.save, WEND__SAVE_MAP, buffer, bytes);
    if (error) return error;
    m.version = wend__map_newest(map);
    error = restore(&m);
    wend__map_release(m.version, false);
    if (error == WEND_OUT_OF_RANGE || error == WEND_BLOCKED || error == WEND_EMPTY)
        return wend__refuse(WEND_BAD_FORMAT, "the save has what a map cannot have");
    return error;
}
