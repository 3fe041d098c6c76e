/* SPDX-License-Identifier: MIT */
/* Reading Wavefront .obj files as triangles. */
#ifndef WEND_GROUND_PROGRAM_OBJ_H
#define WEND_GROUND_PROGRAM_OBJ_H

#include <wend/io.h>

#include "level.h"

/// Most bytes of a file, and of a number.
#define OBJ_MAX_BYTES (UINT64_C(4) << 30)
enum { OBJ_MAX_NUMBER = 64 };

typedef struct obj_limits {
    uint32_t vertices, triangles;
} obj_limits;

/// WEND_MAX_GROUND_TRIANGLES of both.
extern const obj_limits obj_default_limits;

/// Reads the vertices (`v`) and faces (`f`) of a text; other lines are skipped. A face is cut by polygon_cut().
/// @param out     owned by the caller: level_free(); untouched on error
/// @return WEND_OK, WEND_BAD_FORMAT, WEND_UNSUPPORTED (a limit), WEND_OUT_OF_MEMORY; the error is filled in
/// Cost: O(size); for a face with n corners of which r are concave, also O(n · r).
wend_error obj_parse(const void *bytes, size_t size, const obj_limits *limits, level_file *out, wend_file_error *error);

#endif
