/* SPDX-License-Identifier: MIT */
/* Assertions of the invariants of every version that searches can see. */
#include "map/version/validate.h"

#include "map/kinds/graph.h"
#include "map/store/directions.h"
#include "map/version/derivation.h"

#ifdef WEND_DEBUG

enum { SEALED = 8, SAMPLED = 16 }; /* chunks that are read: for a seal, and to be derived again */

/* Spreads a number over all numbers below `most`, for any map and any version. */
static uint32_t sample(const wend__version *version, uint32_t number, uint64_t most) {
    const uint64_t mixed = (version->serial * SAMPLED + number + 1) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)((mixed >> 32) * most >> 32);
}

wend_cell wend__sample_cell(const wend__version *version, uint32_t number) {
    const uint64_t width = (uint64_t)version->width, height = (uint64_t)version->height;
    return (wend_cell){(int32_t)sample(version, 3 * number, width), (int32_t)sample(version, 3 * number + 1, height),
                       (int32_t)sample(version, 3 * number + 2, (uint64_t)version->depth)};
}

/* ---- chunks ---- */

static uint8_t greatest(const wend__version *version, const wend__chunk *chunk, wend__place at) {
    uint8_t most = 0;
    for (at.local = 0; at.local < WEND__CHUNK_CELLS; at.local++) {
        const wend_cell cell = wend__cell_of_place(version, at);
        const bool inside = cell.x < version->width && cell.y < version->height && cell.z < version->depth;
        const uint8_t factor = inside ? version->rules.factors[wend__chunk_class(chunk, at.local)] : 0;
        if (factor > most) most = factor;
    }
    return most;
}

static void validate_chunk(const wend__version *version, int32_t column, int32_t row) {
    const wend__chunk *chunk = wend__version_chunk(version, column, row);
    const wend__block *block = version->blocks[wend__block_index(version, column, row)];
    const unsigned lacks = block->lacking[row % WEND__BLOCK_SIDE] >> column % WEND__BLOCK_SIDE & 1;
    WEND__ASSERT(!chunk->bits || (!chunk->terrain && chunk->bits->classes[0] != chunk->bits->classes[1]));
    WEND__ASSERT(chunk->masks || version->kind == WEND_KIND_GRAPH);
    WEND__ASSERT(!version->map || lacks == (chunk->land != WEND_LAND_LOADED));
    WEND__ASSERT(!version->map || !lacks || chunk->max_factor == 0);
    WEND__ASSERT(block->max_factor >= chunk->max_factor && version->max_factor >= block->max_factor);
    if (version->kind != WEND_KIND_GRAPH)
        WEND__ASSERT(chunk->max_factor == greatest(version, chunk, (wend__place){column, row, 0}));
}

/* Asserts that steps lead only to open cells of the map. */
static void validate_steps(const wend__version *version, wend_cell cell) {
    const unsigned steps = wend__version_steps(version, cell.x, cell.y);
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
        const int32_t x = cell.x + wend__dx[d], y = cell.y + wend__dy[d];
        WEND__ASSERT(!(steps >> d & 1) || (wend__on_map(version, x, y) && wend__version_factor(version, x, y)));
    }
}

/* Checks edges of a node: those with an edge back are marked as such, and no estimate exceeds a cost. */
static void validate_arcs(const wend__version *version, uint32_t node) {
    const wend__graph *graph = version->graph;
    const wend__arcs arcs = wend__graph_arcs(graph, node);
    for (const wend__arc *arc = arcs.first; arc != arcs.end; arc++) {
        uint32_t sources;
        (void)wend__graph_sources_of(graph, arc->to, &sources);
        const uint32_t back = wend__graph_cost(graph, arc->to, node), cost = wend__graph_cost(graph, node, arc->to);
        WEND__ASSERT(wend__graph_has(graph, node) && wend__graph_has(graph, arc->to) && cost > 0 && cost <= arc->cost);
        WEND__ASSERT(back > 0 || sources > 0);
        WEND__ASSERT(!graph->symmetric || back == cost);
        WEND__ASSERT(!graph->coordinates ||
                     wend__graph_estimate(graph, graph->coordinates[node], graph->coordinates[arc->to]) <= cost);
    }
}

void wend__version_validate(const wend__version *version) {
    const uint64_t columns = (uint64_t)version->chunk_columns, rows = (uint64_t)version->chunk_rows;
    const wend__version *older = version->map ? version->older : NULL;
    WEND__ASSERT(version->loaded <= columns * rows && version->known <= columns * rows - version->loaded);
    WEND__ASSERT(!older || older->serial < version->serial); /* a restore goes back to an earlier epoch */
    WEND__ASSERT(!older || (older->revision <= version->revision && older->newer == version));
    for (uint32_t k = 0; k < SAMPLED; k++)
        validate_chunk(version, (int32_t)sample(version, 2 * k, columns), (int32_t)sample(version, 2 * k + 1, rows));
    for (uint32_t k = 0; version->kind == WEND_KIND_GRID && k < 4 * SAMPLED; k++)
        validate_steps(version, wend__sample_cell(version, k));
    for (uint32_t k = 0; version->kind == WEND_KIND_GRAPH && k < SAMPLED; k++)
        validate_arcs(version, sample(version, k, version->graph->nodes));
    for (const wend__derivation *row = wend__derivations; row->name; row++)
        if (row->validate) row->validate(version);
}

/* ---- a version never changes once searches see it ---- */

static uint64_t add(uint64_t hash, const void *bytes, size_t count) {
    const uint8_t *at = bytes;
    for (uint64_t word; count >= sizeof word; at += sizeof word, count -= sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
    }
    return hash;
}

static uint64_t add_chunk(uint64_t hash, const wend__chunk *chunk, int32_t kind) {
    const uint64_t plain[] = {chunk->uniform, chunk->max_factor, chunk->closed_near, chunk->land};
    hash = add(hash, plain, sizeof plain);
    if (chunk->terrain) hash = add(hash, chunk->terrain->bytes, sizeof chunk->terrain->bytes);
    if (chunk->bits) hash = add(hash, chunk->bits->rows, sizeof chunk->bits->rows);
    if (chunk->closed) hash = add(hash, chunk->closed->steps, sizeof chunk->closed->steps);
    if (kind == WEND_KIND_GRID) hash = add(hash, chunk->masks->bytes, sizeof chunk->masks->bytes);
    if (kind == WEND_KIND_VOXEL) hash = add(hash, chunk->open->rows, sizeof chunk->open->rows);
    return hash;
}

/* Returns the same spread chunks each time for one version. */
static uint64_t seal_of(const wend__version *version) {
    const uint64_t plain[] = {version->epoch, version->revision, version->serial, version->closed_steps};
    uint64_t hash = add(add(1, plain, sizeof plain), version->legal, sizeof version->legal);
    for (uint32_t k = 0; k < SEALED; k++) {
        const uint32_t column = sample(version, 2 * k, (uint64_t)version->chunk_columns);
        const uint32_t row = sample(version, 2 * k + 1, (uint64_t)version->chunk_rows);
        hash = add_chunk(hash, wend__version_chunk(version, (int32_t)column, (int32_t)row), version->kind);
    }
    return hash | 1;
}

void wend__version_seal(wend__version *version) {
    version->seal = seal_of(version);
}

void wend__version_check_seal(const wend__version *version) {
    WEND__ASSERT(version->seal == 0 || version->seal == seal_of(version));
}

#endif
