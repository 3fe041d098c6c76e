/* SPDX-License-Identifier: MIT */
/* Internal: detecting the format of some bytes. */
#ifndef WEND_SRC_IO_READERS_DETECT_FORMAT_H
#define WEND_SRC_IO_READERS_DETECT_FORMAT_H

#include "io/text/text.h"

/* The formats that wend reads, and others that it can name in an error. */
enum {
    WEND__LOOKS_UNKNOWN = WEND_FORMAT_UNKNOWN,
    WEND__LOOKS_GRID_TEXT = WEND_FORMAT_GRID_TEXT,
    WEND__LOOKS_MOVINGAI = WEND_FORMAT_MOVINGAI,
    WEND__LOOKS_VOXEL = WEND_FORMAT_VOXEL,
    WEND__LOOKS_DIMACS = WEND_FORMAT_DIMACS,
    WEND__LOOKS_TILED,
    WEND__LOOKS_TMX, ///< XML, as Tiled writes it
    WEND__LOOKS_SCENARIO
};

/// The format of some bytes: WEND__LOOKS_….
/// @param first   receives the first word outside comments, which decided; or the end of the file
int32_t wend__looks_like(const void *bytes, size_t size, wend__word *first);

#endif
