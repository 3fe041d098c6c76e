/* SPDX-License-Identifier: MIT */
/* Writes baked maps. Everything is put twice: first for lengths and checksum, then to the file. */
#include "io/baked/baked.h"
#include "io/baked/checksum.h"
#include "io/text/text.h"
#include "io/writers/write_map.h"
#include "map/version/accelerator.h"
#include "map/links/sheet_table.h"
#include "map/links/links.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"

/* The target of bytes: a sink, or only sum and count. */
typedef struct output {
    wend__sink *sink; ///< NULL: nowhere
    wend__checksum sum;
    uint64_t bytes;
} output;

static void put(void *context, const void *bytes, size_t size) {
    output *out = context;
    if (out->sink)
        wend__sink_put(out->sink, bytes, size);
    else
        wend__checksum_add(&out->sum, bytes, size);
    out->bytes += size;
}

static void put_u8(output *out, uint8_t byte) {
    put(out, &byte, 1);
}

/* ---- sections ---- */

static void put_shape(const wend__map_writer *writer, output *out) {
    const wend__version *v = writer->version;
    wend_map *map = v->map;
    wend__mutex_lock(map->mutex);
    const wend__wanted wanted = map->wanted[WEND_MOVER_DEFAULT];
    wend__mutex_unlock(map->mutex);
    wend__baked_shape shape = {.kind = v->kind,
                               .width = v->width,
                               .height = v->height,
                               .depth = v->depth,
                               .neighbours = v->rules.neighbours,
                               .corners = v->rules.corners,
                               .cost_straight = v->rules.cost_straight,
                               .cost_diagonal = v->rules.cost_diagonal,
                               .cost_space = v->rules.cost_space,
                               .tables = wanted.tables,
                               .landmarks = wanted.landmarks,
                               .wrap = (uint32_t)map->wrap,
                               .publish_effort = atomic_load_explicit(&map->landmark_effort, memory_order_relaxed)};
    memcpy(shape.factors, v->rules.factors, sizeof shape.factors);
    put(out, &shape, sizeof shape);
}

static void put_sheets(const wend__map_writer *writer, output *out) {
    const wend__sheets *sheets = writer->version->sheets;
    if (sheets) put(out, sheets->list, sheets->count * sizeof *sheets->list);
}

static void put_chunk(const wend__chunk *chunk, output *out) {
    if (chunk->terrain) {
        put_u8(out, WEND__BAKED_BYTES);
        put(out, chunk->terrain->bytes, sizeof chunk->terrain->bytes);
    } else if (chunk->bits) {
        put_u8(out, WEND__BAKED_BITS);
        put(out, chunk->bits->classes, sizeof chunk->bits->classes);
        put(out, chunk->bits->rows, sizeof chunk->bits->rows);
    } else {
        put_u8(out, WEND__BAKED_UNIFORM);
        put_u8(out, chunk->uniform);
    }
}

static void put_terrain(const wend__map_writer *writer, output *out) {
    const wend__version *v = writer->version;
    for (int32_t row = 0; row < v->chunk_rows; row++)
        for (int32_t column = 0; column < v->chunk_columns; column++)
            put_chunk(wend__version_chunk(v, column, row), out);
}

static void put_links(const wend__map_writer *writer, output *out) {
    const wend__links *links = writer->version->links;
    for (uint32_t i = 0; links && i < links->count; i++) {
        const wend__link *way = &links->sorted[i];
        const wend__baked_link link = {way->from, way->to, (uint32_t)wend__link_cost_said(way)};
        if (way->cost != WEND__SEAM) put(out, &link, sizeof link);
    }
}

static void put_steps_of(const wend__version *v, wend_cell from, uint32_t steps, output *out) {
    const bool flat = v->kind == WEND_KIND_GRID;
    for (; steps; steps &= steps - 1) {
        const unsigned d = wend__ctz32(steps);
        const wend_cell to = {from.x + (flat ? wend__dx[d] : wend__sx[d]), from.y + (flat ? wend__dy[d] : wend__sy[d]),
                              from.z + (flat ? 0 : wend__sz[d])};
        const wend__baked_step step = {from, to};
        put(out, &step, sizeof step);
    }
}

static void put_steps(const wend__map_writer *writer, output *out) {
    const wend__version *v = writer->version;
    for (int32_t row = 0; row < v->chunk_rows && v->closed_steps > 0; row++)
        for (int32_t column = 0; column < v->chunk_columns; column++) {
            const wend__closed *closed = wend__version_chunk(v, column, row)->closed;
            for (uint32_t local = 0; closed && local < WEND__CHUNK_CELLS; local++)
                put_steps_of(v, wend__cell_of_place(v, (wend__place){column, row, local}), closed->steps[local], out);
        }
}

static void put_landmarks(const wend__map_writer *writer, output *out) {
    wend__accelerator.put_landmarks(writer->version, put, out);
}

typedef void put_section_fn(const wend__map_writer *writer, output *out);
static put_section_fn *const sections[WEND__BAKED_SECTIONS] = {
    [WEND__BAKED_SHAPE] = put_shape, [WEND__BAKED_SHEETS] = put_sheets, [WEND__BAKED_TERRAIN] = put_terrain,
    [WEND__BAKED_LINKS] = put_links, [WEND__BAKED_STEPS] = put_steps,   [WEND__BAKED_LANDMARKS] = put_landmarks,
};

/* ---- the file ---- */

typedef struct plan {
    wend__baked_head head;
    wend__baked_section sections[WEND__BAKED_SECTIONS];
    put_section_fn *puts[WEND__BAKED_SECTIONS];
} plan;

static void put_all(const wend__map_writer *writer, const plan *p, output *out) {
    static const char zeros[WEND__BAKED_ALIGNMENT];
    put(out, &p->head, sizeof p->head);
    put(out, p->sections, p->head.sections * sizeof *p->sections);
    for (uint32_t i = 0; i < p->head.sections; i++) {
        put(out, zeros, (size_t)(p->sections[i].offset - out->bytes));
        p->puts[i](writer, out);
    }
}

/* Finds which sections there are, and their lengths. */
static void measure(const wend__map_writer *writer, plan *p) {
    for (uint32_t i = 0; i < WEND__BAKED_SECTIONS; i++) {
        output out = {0};
        wend__checksum_begin(&out.sum);
        sections[i](writer, &out);
        if (out.bytes == 0) continue;
        wend__baked_section *section = &p->sections[p->head.sections];
        memcpy(section->name, wend__baked_names[i], sizeof section->name);
        section->bytes = out.bytes;
        p->puts[p->head.sections++] = sections[i];
    }
    uint64_t at = sizeof p->head + p->head.sections * sizeof *p->sections;
    for (uint32_t i = 0; i < p->head.sections; i++) {
        at = (at + WEND__BAKED_ALIGNMENT - 1) / WEND__BAKED_ALIGNMENT * WEND__BAKED_ALIGNMENT;
        p->sections[i].offset = at;
        at += p->sections[i].bytes;
    }
    p->head.bytes = at;
}

void wend__put_baked(wend__map_writer *writer, wend__sink *sink) {
    plan p = {.head = {.magic = WEND__BAKED_MAGIC, .version = WEND__BAKED_VERSION}};
    output dry = {0}, out = {.sink = sink};
    measure(writer, &p);
    wend__checksum_begin(&dry.sum);
    put_all(writer, &p, &dry);
    p.head.checksum = wend__checksum_of(&dry.sum);
    put_all(writer, &p, &out);
}

wend_error wend__check_baked(const wend__map_writer *writer) {
    if (!wend__baked_fits_host())
        return wend__fail(writer->error, WEND_UNSUPPORTED, NULL, "baked maps are for little-endian processors");
    if (writer->version->views)
        return wend__fail(writer->error, WEND_UNSUPPORTED, NULL, "the map has movers, which a baked map cannot hold");
    return wend__check_link_movers(writer);
}
