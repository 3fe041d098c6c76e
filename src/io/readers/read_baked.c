/* SPDX-License-Identifier: MIT */
/* Reading baked maps. The file is checked first, then each section at its use. Errors are at line 1, the byte's
 * column. */
#include "io/baked/baked.h"
#include "io/baked/checksum.h"
#include "io/readers/map_readers.h"
#include "io/text/text.h"
#include "map/version/accelerator.h"
#include "map/edit/edit.h"
#include "map/links/links.h"
#include "map/store/memory.h"
#include "map/store/rules.h"
#include "map/version/map.h"
#include "map/version/version.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <wend/ways.h>

typedef struct baked {
    wend__map_source *source;
    const unsigned char *bytes;
    wend__baked_head head;
    wend__baked_section sections[WEND__BAKED_SECTIONS]; ///< without bytes: not in the file
    wend__baked_shape shape;
    wend_map_rules rules;
    wend_map *map;
} baked;

/* ---- errors ---- */

static wend_error fail(const baked *b, wend_error code, uint64_t offset, const char *format, ...) WEND__PRINTF(4, 5);

static wend_error fail(const baked *b, wend_error code, uint64_t offset, const char *format, ...) {
    char text[200];
    va_list arguments;
    const wend__word place = {.line = 1, .column = offset < INT32_MAX ? (int32_t)offset + 1 : INT32_MAX};
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return wend__fail(b->source->error, code, &place, "%s", text);
}

/* Refuses a byte of a section. */
static wend_error fail_in(const baked *b, int32_t which, uint64_t at, const char *what) {
    WEND__DEBUG_ASSERT(which >= 0 && which < WEND__BAKED_SECTIONS);
    return fail(b, WEND_BAD_FORMAT, b->sections[which].offset + at, "%s: %s", wend__baked_names[which], what);
}

/* Returns the error of src/map with the place of a section. */
static wend_error fail_as_refused(const baked *b, int32_t which, uint64_t at, wend_error code) {
    char why[160];
    if (code == WEND_OUT_OF_MEMORY) return code;
    snprintf(why, sizeof why, "%s", wend_error_detail(code));
    return fail_in(b, which, at, why);
}

/* ---- the file as a whole ---- */

static wend_error check_sum(const baked *b) {
    wend__checksum sum;
    wend__baked_head head = b->head;
    head.checksum = 0;
    wend__checksum_begin(&sum);
    wend__checksum_add(&sum, &head, sizeof head);
    wend__checksum_add(&sum, b->bytes + sizeof head, (size_t)b->head.bytes - sizeof head);
    if (wend__checksum_of(&sum) == b->head.checksum) return WEND_OK;
    return fail(b, WEND_BAD_FORMAT, offsetof(wend__baked_head, checksum), "the checksum differs: the file is damaged");
}

static wend_error check_head(baked *b) {
    const size_t size = b->source->size;
    if (!wend__baked_fits_host()) return fail(b, WEND_UNSUPPORTED, 0, "baked maps are for little-endian processors");
    if (size < sizeof b->head) return fail(b, WEND_BAD_FORMAT, size, "the file ends in its head");
    memcpy(&b->head, b->bytes, sizeof b->head);
    if (b->head.version != WEND__BAKED_VERSION)
        return fail(b, WEND_UNSUPPORTED, offsetof(wend__baked_head, version),
                    "version %" PRIu32 " of baked maps, but this library reads version %d: bake the map again",
                    b->head.version, WEND__BAKED_VERSION);
    if (b->head.bytes > size)
        return fail(b, WEND_BAD_FORMAT, size, "the file ends here, but it should have %" PRIu64 " bytes",
                    b->head.bytes);
    if (b->head.bytes < size)
        return fail(b, WEND_BAD_FORMAT, b->head.bytes, "%" PRIu64 " bytes follow the end", size - b->head.bytes);
    return check_sum(b);
}

/* The section of that name; WEND__BAKED_SECTIONS: there is none. */
static int32_t section_named(const char name[WEND__BAKED_NAME]) {
    int32_t which = 0;
    while (which < WEND__BAKED_SECTIONS && memcmp(wend__baked_names[which], name, WEND__BAKED_NAME) != 0) which++;
    return which;
}

/* Sections come in their order, each behind the one before, and the last one ends the file. */
static wend_error read_sections(baked *b) {
    const uint64_t table = sizeof b->head, unit = WEND__BAKED_ALIGNMENT;
    if (b->head.sections > WEND__BAKED_SECTIONS ||
        table + b->head.sections * sizeof(wend__baked_section) > b->head.bytes)
        return fail(b, WEND_BAD_FORMAT, offsetof(wend__baked_head, sections), "%" PRIu32 " sections are too many",
                    b->head.sections);
    uint64_t end = table + b->head.sections * sizeof(wend__baked_section);
    int32_t last = -1;
    for (uint32_t i = 0; i < b->head.sections; i++) {
        const uint64_t at = table + i * sizeof(wend__baked_section);
        wend__baked_section section;
        memcpy(&section, b->bytes + at, sizeof section);
        const int32_t which = section_named(section.name);
        if (which == WEND__BAKED_SECTIONS)
            return fail(b, WEND_UNSUPPORTED, at, "section %u has an unknown name", i + 1);
        if (which <= last) return fail(b, WEND_BAD_FORMAT, at, "%s: comes too late", wend__baked_names[which]);
        if (section.offset != (end + unit - 1) / unit * unit || section.offset > b->head.bytes || section.bytes < 1 ||
            section.bytes > b->head.bytes - section.offset)
            return fail(b, WEND_BAD_FORMAT, at, "%s: is not where it should be", wend__baked_names[which]);
        b->sections[which] = section;
        end = section.offset + section.bytes;
        last = which;
    }
    return end == b->head.bytes ? WEND_OK : fail(b, WEND_BAD_FORMAT, end, "no section has these bytes");
}

/* ---- the shape ---- */

static bool asks_for_others(const baked *b) {
    const wend_map_rules *file = &b->rules;
    if (!b->source->rules_given) return false;
    const wend_map_rules asked = wend__rules_complete(b->source->def->rules, b->shape.kind);
    return asked.neighbours != file->neighbours || asked.corners != file->corners ||
           asked.cost_straight != file->cost_straight || asked.cost_diagonal != file->cost_diagonal ||
           asked.cost_space != file->cost_space || memcmp(asked.factors, file->factors, sizeof file->factors) != 0;
}

static wend_error read_shape(baked *b) {
    const wend__baked_section *section = &b->sections[WEND__BAKED_SHAPE];
    wend__baked_shape *s = &b->shape;
    if (section->bytes != sizeof *s)
        return fail(b, WEND_BAD_FORMAT, section->offset, "shape: has %" PRIu64 " bytes, but should have %zu",
                    section->bytes, sizeof *s);
    memcpy(s, b->bytes + section->offset, sizeof *s);
    if (s->kind != WEND_KIND_GRID && s->kind != WEND_KIND_VOXEL)
        return fail_in(b, WEND__BAKED_SHAPE, 0, "neither a grid nor voxels");
    b->rules = (wend_map_rules){.struct_bytes = sizeof b->rules,
                                .neighbours = s->neighbours,
                                .corners = s->corners,
                                .cost_straight = s->cost_straight,
                                .cost_diagonal = s->cost_diagonal,
                                .cost_space = s->cost_space};
    memcpy(b->rules.factors, s->factors, sizeof s->factors);
    if (!asks_for_others(b)) return WEND_OK;
    return fail(b, WEND_UNSUPPORTED, section->offset,
                "the map was baked under other rules: ask for none, or bake it again");
}

/* Each chunk takes two bytes at least, so that a small file cannot claim a large map. */
static wend_error make_map(baked *b) {
    const wend__baked_shape *s = &b->shape;
    wend_map_def def = wend__source_def(b->source, s->kind, s->width, s->height, s->depth);
    def.rules = &b->rules;
    def.wrap = (int32_t)s->wrap;
    const unsigned shift = s->kind == WEND_KIND_GRID ? WEND__CHUNK_SHIFT : WEND__VOXEL_SHIFT;
    uint64_t chunks = 1;
    if (s->width > 0 && s->height > 0 && s->depth > 0)
        chunks = (((uint64_t)s->width - 1) >> shift) + 1, chunks *= (((uint64_t)s->height - 1) >> shift) + 1;
    if (s->kind == WEND_KIND_VOXEL && s->depth > 0) chunks *= (((uint64_t)s->depth - 1) >> shift) + 1;
    if (chunks > b->sections[WEND__BAKED_TERRAIN].bytes / 2)
        return fail_in(b, WEND__BAKED_TERRAIN, 0, "too few bytes for the map's size");
    const wend__baked_section *section = &b->sections[WEND__BAKED_SHEETS];
    const wend_allocator allocator = wend__allocator_or_default(def.allocator);
    if (section->bytes % sizeof *def.sheets != 0 || section->bytes > WEND_MAX_SHEETS * sizeof *def.sheets)
        return fail_in(b, WEND__BAKED_SHEETS, 0, "not a number of sheets that a map can have");
    const size_t bytes = (size_t)section->bytes;
    wend_sheet *sheets = bytes ? wend__allocate(&allocator, bytes, _Alignof(wend_sheet)) : NULL;
    if (bytes && !sheets) return WEND_OUT_OF_MEMORY;
    if (sheets) memcpy(sheets, b->bytes + section->offset, bytes);
    def.sheets = sheets, def.sheet_count = (uint32_t)(bytes / sizeof *sheets);
    wend_error error = wend_map_create(&def, &b->map);
    if (error) error = fail_as_refused(b, bytes ? WEND__BAKED_SHEETS : WEND__BAKED_SHAPE, 0, error);
    if (sheets) allocator.free(allocator.context, sheets, bytes);
    return error;
}

/* ---- terrain, links, closed steps ---- */

static wend_box box_of_chunk(const wend__version *v, wend__place chunk) {
    const int32_t side = v->kind == WEND_KIND_GRID ? WEND__CHUNK_SIDE : WEND__VOXEL_SIDE;
    const wend_cell min = wend__cell_of_place(v, (wend__place){chunk.column, chunk.row, 0});
    return (wend_box){min,
                      {wend__least(min.x + side, v->width) - 1, wend__least(min.y + side, v->height) - 1,
                       wend__least(min.z + side, v->depth) - 1}};
}

/* A class for each place of a chunk. */
static wend_error set_chunk(wend_edit *edit, wend__place chunk, const uint8_t *classes) {
    const wend_box box = box_of_chunk(edit->draft, chunk);
    const size_t side = edit->draft->kind == WEND_KIND_GRID ? WEND__CHUNK_SIDE : WEND__VOXEL_SIDE;
    wend_error error = WEND_OK;
    for (int32_t z = box.min.z; z <= box.max.z && !error; z++) {
        const wend_box layer = {{box.min.x, box.min.y, z}, {box.max.x, box.max.y, z}};
        error = wend_edit_set_box(edit, layer, classes + (size_t)(z - box.min.z) * side * side, side);
    }
    return error;
}

static wend_error set_bits(wend_edit *edit, wend__place chunk, const wend__bits *bits) {
    if (edit->draft->kind == WEND_KIND_GRID)
        return wend__edit_put_bits(edit, chunk.column, chunk.row, bits->classes, bits->rows);
    uint8_t classes[WEND__CHUNK_CELLS];
    for (uint32_t i = 0; i < WEND__CHUNK_CELLS; i++) classes[i] = bits->classes[bits->rows[i >> 6] >> (i & 63) & 1];
    return set_chunk(edit, chunk, classes);
}

/* Reads the next chunk; *at moves on. */
static wend_error read_chunk(const baked *b, wend_edit *edit, wend__place chunk, uint64_t *at) {
    const wend__baked_section *section = &b->sections[WEND__BAKED_TERRAIN];
    WEND__DEBUG_ASSERT(*at <= section->bytes);
    const unsigned char *from = b->bytes + section->offset + *at;
    const uint64_t left = section->bytes - *at;
    wend__bits bits;
    const uint64_t bytes[] = {[WEND__BAKED_UNIFORM] = 2,
                              [WEND__BAKED_BITS] = 1 + sizeof bits.classes + sizeof bits.rows,
                              [WEND__BAKED_BYTES] = 1 + WEND__CHUNK_CELLS};
    if (left < 1) return fail_in(b, WEND__BAKED_TERRAIN, *at, "ends early");
    if (from[0] > WEND__BAKED_BYTES) return fail_in(b, WEND__BAKED_TERRAIN, *at, "a chunk is stored in an unknown way");
    if (left < bytes[from[0]]) return fail_in(b, WEND__BAKED_TERRAIN, *at, "ends early");
    *at += bytes[from[0]];
    if (from[0] == WEND__BAKED_UNIFORM) return wend_edit_fill_box(edit, box_of_chunk(edit->draft, chunk), from[1]);
    if (from[0] == WEND__BAKED_BYTES) return set_chunk(edit, chunk, from + 1);
    memcpy(bits.classes, from + 1, sizeof bits.classes);
    memcpy(bits.rows, from + 1 + sizeof bits.classes, sizeof bits.rows);
    if (bits.classes[0] == bits.classes[1])
        return fail_in(b, WEND__BAKED_TERRAIN, *at - bytes[WEND__BAKED_BITS], "two classes of a chunk are the same");
    return set_bits(edit, chunk, &bits);
}

static wend_error read_terrain(const baked *b, wend_edit *edit) {
    const wend__version *v = edit->draft;
    wend_error error = WEND_OK;
    uint64_t at = 0;
    for (int32_t row = 0; row < v->chunk_rows && !error; row++)
        for (int32_t column = 0; column < v->chunk_columns && !error; column++)
            error = read_chunk(b, edit, (wend__place){column, row, 0}, &at);
    if (error || at == b->sections[WEND__BAKED_TERRAIN].bytes) return error;
    return fail_in(b, WEND__BAKED_TERRAIN, at, "more bytes than the map's size needs");
}

/* Adds the item at `from`. */
typedef wend_error add_fn(wend_edit *edit, const unsigned char *from);

static wend_error add_link(wend_edit *edit, const unsigned char *from) {
    wend__baked_link link;
    memcpy(&link, from, sizeof link);
    const uint64_t cells = (uint64_t)edit->map->width * (uint64_t)edit->map->height * (uint64_t)edit->map->depth;
    if (link.from >= cells || link.to >= cells) return wend__refuse(WEND_OUT_OF_RANGE, "a link is off the map");
    return wend_edit_add_link(edit, &(wend_link){wend__cell_of_number(edit->draft, link.from),
                                                 wend__cell_of_number(edit->draft, link.to), (int32_t)link.cost, 0});
}

static wend_error add_step(wend_edit *edit, const unsigned char *from) {
    wend__baked_step step;
    memcpy(&step, from, sizeof step);
    return wend__edit_restore_step(edit, step.from, step.to, false);
}

static wend_error read_items(const baked *b, wend_edit *edit, int32_t which, size_t each, add_fn *add) {
    const wend__baked_section *section = &b->sections[which];
    wend_error error = WEND_OK;
    for (uint64_t at = 0; at < section->bytes; at += each) {
        if (section->bytes - at < each) return fail_in(b, which, at, "ends early");
        error = add(edit, b->bytes + section->offset + at);
        if (error) return fail_as_refused(b, which, at, error);
    }
    return WEND_OK;
}

static wend_error read_version(const baked *b) {
    wend_edit *edit;
    wend_error error = wend_edit_begin(b->map, &edit);
    if (error) return error;
    error = read_terrain(b, edit);
    if (!error) error = read_items(b, edit, WEND__BAKED_LINKS, sizeof(wend__baked_link), add_link);
    if (!error) error = read_items(b, edit, WEND__BAKED_STEPS, sizeof(wend__baked_step), add_step);
    if (!error) return wend__edit_publish_first(edit);
    wend_edit_discard(edit);
    return error;
}

/* ---- acceleration ---- */

static wend_error read_landmarks(baked *b) {
    const wend__baked_section *section = &b->sections[WEND__BAKED_LANDMARKS];
    if (section->bytes == 0) return WEND_OK;
    b->bytes = wend__family_keep_file(b->map->family, b->bytes, (size_t)b->head.bytes, b->source->mapped);
    if (!b->bytes) return WEND_OUT_OF_MEMORY;
    b->source->kept = b->source->mapped;
    const void *bytes = b->bytes + section->offset;
    const wend_error error = wend__accelerator.take_landmarks(b->map, bytes, (size_t)section->bytes);
    return error ? fail_as_refused(b, WEND__BAKED_LANDMARKS, 0, error) : WEND_OK;
}

static wend_error read_acceleration(baked *b) {
    const wend__baked_shape *s = &b->shape;
    wend_error error = read_landmarks(b);
    if (error) return error;
    error = wend__accelerator.restore(b->map, s->tables, s->landmarks, s->publish_effort);
    return error ? fail_as_refused(b, WEND__BAKED_SHAPE, offsetof(wend__baked_shape, tables), error) : WEND_OK;
}

wend_error wend__baked_parse(wend__map_source *source, wend_map **out) {
    baked b = {.source = source, .bytes = source->bytes};
    wend_error error = check_head(&b);
    if (!error) error = read_sections(&b);
    if (!error) error = read_shape(&b);
    if (!error) error = make_map(&b);
    if (!error) error = read_version(&b);
    if (!error) error = read_acceleration(&b);
    if (error)
        wend_map_release(b.map);
    else
        *out = b.map;
    return error;
}
