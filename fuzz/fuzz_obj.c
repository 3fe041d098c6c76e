/* SPDX-License-Identifier: MIT */
/* Wavefront .obj files: any bytes give triangles of the file's vertices, or an error with its place. */
#include "fuzz_bytes.h"

#include <math.h>

#include "ground/program/obj.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const obj_limits limits = {.vertices = 4000, .triangles = 20000};
    level_file level = {0};
    wend_file_error error = {.struct_bytes = sizeof error};
    const wend_error result = obj_parse(data, size, &limits, &level, &error);
    if (result) {
        FUZZ_CHECK((result == WEND_BAD_FORMAT || result == WEND_UNSUPPORTED) && !level.vertices && !level.triangles);
        fuzz_check_error(&error, 1);
        return 0;
    }
    FUZZ_CHECK(level.vertex_count <= limits.vertices && level.triangle_count <= limits.triangles);
    for (size_t i = 0; i < 3 * level.vertex_count; i++) FUZZ_CHECK(isfinite(level.vertices[i]));
    for (size_t i = 0; i < 3 * level.triangle_count; i++) FUZZ_CHECK(level.triangles[i] < level.vertex_count);
    level_free(&level);
    return 0;
}
