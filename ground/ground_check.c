/* SPDX-License-Identifier: MIT */
/* Which definitions and levels are refused, and with which words. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "ground_map.h"

__attribute__((format(printf, 3, 4))) static wend_error refuse(ground_trouble *trouble, wend_error code,
                                                               const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(trouble->text, sizeof trouble->text, format, arguments);
    va_end(arguments);
    return trouble->code = code;
}

wend_error wend__ground_check_vertices(const wend_ground_def *def, ground_trouble *trouble) {
    for (size_t i = 0; i < 3 * def->vertex_count; i++)
        if (!isfinite(def->vertices[i]))
            return refuse(trouble, WEND_BAD_ARGUMENT, "vertex %zu: %c is no number", i / 3, "xyz"[i % 3]);
    return WEND_OK;
}

static wend_error check_triangles(const wend_ground_def *def, ground_trouble *trouble) {
    if (!def->vertices || !def->triangles || def->triangle_count == 0)
        return refuse(trouble, WEND_BAD_ARGUMENT, "there are no triangles");
    if (def->vertex_count > WEND_MAX_GROUND_TRIANGLES || def->triangle_count > WEND_MAX_GROUND_TRIANGLES)
        return refuse(trouble, WEND_UNSUPPORTED, "more than 67,108,864 vertices or triangles");
    const wend_error error = wend__ground_check_vertices(def, trouble);
    if (error) return error;
    for (size_t i = 0; i < 3 * def->triangle_count; i++)
        if (def->triangles[i] >= def->vertex_count)
            return refuse(trouble, WEND_BAD_ARGUMENT, "triangle %zu: vertex %" PRIu32 " of %zu", i / 3,
                          def->triangles[i], def->vertex_count);
    return WEND_OK;
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
    if (!error) error = check_rules(def, trouble);
    if (error) return error;
    return def->heights ? check_heights(def, trouble) : check_triangles(def, trouble);
}
