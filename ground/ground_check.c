/* SPDX-License-Identifier: MIT */
/* Which definitions and levels are refused, and with which words. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ground_map.h"

__attribute__((format(printf, 3, 4))) static wend_error refuse(ground_trouble *trouble, wend_error code,
                                                               const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(trouble->text, sizeof trouble->text, format, arguments);
    va_end(arguments);
    return trouble->code = code;
}

wend_error wend__ground_tell(const ground_trouble *trouble, wend_file_error *error) {
    if (error) {
        error->line = error->column = 0;
        snprintf(error->text, sizeof error->text, "%s", trouble->text);
    }
    return trouble->code;
}

wend_error wend__ground_check_vertices(const float *vertices, size_t count, ground_trouble *trouble) {
    for (size_t i = 0; i < 3 * count; i++)
        if (!isfinite(vertices[i]))
            return refuse(trouble, WEND_BAD_ARGUMENT, "vertex %zu: %c is no number", i / 3, "xyz"[i % 3]);
    return WEND_OK;
}

static wend_error check_triangles(const wend_ground_def *def, ground_trouble *trouble) {
    if (!def->vertices || !def->triangles || def->triangle_count == 0)
        return refuse(trouble, WEND_BAD_ARGUMENT, "there are no triangles");
    if (def->vertex_count > WEND_MAX_GROUND_TRIANGLES || def->triangle_count > WEND_MAX_GROUND_TRIANGLES)
        return refuse(trouble, WEND_UNSUPPORTED, "more than 67,108,864 vertices or triangles");
    const wend_error error = wend__ground_check_vertices(def->vertices, def->vertex_count, trouble);
    if (error) return error;
    for (size_t i = 0; i < 3 * def->triangle_count; i++)
        if (def->triangles[i] >= def->vertex_count)
            return refuse(trouble, WEND_BAD_ARGUMENT, "triangle %zu: vertex %" PRIu32 " of %zu", i / 3,
                          def->triangles[i], def->vertex_count);
    return WEND_OK;
}

static wend_error check_classes(const ground_triangles *triangles, const uint8_t *classes, size_t count,
                                ground_trouble *trouble) {
    bool used[256];
    int used_count = 0;
    memcpy(used, triangles->used, sizeof used);
    if (!classes) used[WEND_CLASS_OPEN] = true;
    for (size_t i = 0; classes && i < count; i++) used[classes[i]] = true;
    for (int c = 1; c < 256; c++) used_count += used[c];
    if (used_count <= WEND_MAX_GROUND_CLASSES) return WEND_OK;
    return refuse(trouble, WEND_UNSUPPORTED, "more than 62 terrain classes");
}

wend_error wend__ground_check_change(const ground_triangles *triangles, size_t first, size_t count,
                                     const float *corners, const uint8_t *classes, ground_trouble *trouble) {
    if (first > triangles->count || (!corners && count > triangles->count - first))
        return refuse(trouble, WEND_OUT_OF_RANGE, "triangle %zu of %" PRIu32,
                      first > triangles->count ? first : first + count - 1, triangles->count);
    if (count > WEND_MAX_GROUND_TRIANGLES - first)
        return refuse(trouble, WEND_UNSUPPORTED, "more than 67,108,864 triangles");
    for (size_t i = 0; corners && i < 9 * count; i++)
        if (!isfinite(corners[i]))
            return refuse(trouble, WEND_BAD_ARGUMENT, "triangle %zu, corner %zu: %c is no number", first + i / 9,
                          i / 3 % 3, "xyz"[i % 3]);
    return corners ? check_classes(triangles, classes, count, trouble) : WEND_OK;
}

static wend_error check_heights(const wend_ground_def *def, ground_trouble *trouble) {
    if (def->columns < 1 || def->rows < 1) return refuse(trouble, WEND_BAD_ARGUMENT, "heights: no columns or rows");
    if ((uint64_t)def->columns * (uint64_t)def->rows > WEND_MAX_GROUND_TRIANGLES / 2)
        return refuse(trouble, WEND_UNSUPPORTED, "heights: more than 33,554,432 squares");
    if (!isfinite(def->square) || def->square <= 0)
        return refuse(trouble, WEND_BAD_ARGUMENT, "heights: square is not above 0");
    return WEND_OK;
}

static wend_error check_walker(const wend_ground_def *def, ground_trouble *trouble) {
    const struct {
        const char *name;
        float value;
        bool zero; /* is allowed */
        double most;
    } lengths[] = {{"cell", def->cell, false, 1e9},
                   {"level", def->level, false, 1e9},
                   {"radius", def->radius, true, 255. * def->cell},
                   {"height", def->height, false, 255. * def->level},
                   {"climb", def->climb, true, 255. * def->level},
                   {"slope", def->slope, true, 89},
                   {"drop", def->drop, true, 255. * def->level},
                   {"jump", def->jump, true, 255. * def->cell}};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const float value = lengths[i].value;
        if (!isfinite(value) || value < 0 || (!lengths[i].zero && value <= 0) || value > lengths[i].most)
            return refuse(trouble, WEND_BAD_ARGUMENT, "%s is %g, but must be %s 0, and at most %g", lengths[i].name,
                          (double)value, lengths[i].zero ? "at least" : "above", lengths[i].most);
    }
    return WEND_OK;
}

static wend_error check_changes(const wend_ground_def *def, ground_trouble *trouble) {
    if (!def->changes && def->spare_sheets != 0)
        return refuse(trouble, WEND_BAD_ARGUMENT, "spare_sheets without changes");
    if (def->spare_sheets < 0 || def->spare_sheets >= WEND_MAX_GROUND_SHEETS)
        return refuse(trouble, WEND_BAD_ARGUMENT, "spare_sheets is %" PRId32 ", but must be 0 to 63",
                      def->spare_sheets);
    for (int i = 0; i < 3; i++)
        if (!isfinite(def->least[i]) || !isfinite(def->most[i]) || def->least[i] > def->most[i])
            return refuse(trouble, WEND_BAD_ARGUMENT, "%c of least and most is no range", "xyz"[i]);
    return WEND_OK;
}

static wend_error check_rules(const wend_ground_def *def, ground_trouble *trouble) {
    const wend_map_rules *rules = def->map ? def->map->rules : NULL;
    if (rules && ((rules->neighbours != 8 && rules->neighbours != 0) || rules->corners != WEND_CORNERS_NEVER))
        return refuse(trouble, WEND_UNSUPPORTED, "the rules of a ground: neighbours 8, corners never");
    if (def->map && def->map->streamed) return refuse(trouble, WEND_UNSUPPORTED, "a ground is not streamed");
    return WEND_OK;
}

wend_error wend__ground_check(const wend_ground_def *def, ground_trouble *trouble) {
    if (!def || def->struct_bytes < sizeof *def) return refuse(trouble, WEND_BAD_ARGUMENT, "struct_bytes");
    wend_error error = check_walker(def, trouble);
    if (!error) error = check_changes(def, trouble);
    if (!error) error = check_rules(def, trouble);
    if (error) return error;
    return def->heights ? check_heights(def, trouble) : check_triangles(def, trouble);
}
