/* SPDX-License-Identifier: MIT */
/* Internal: which format some bytes are in. */
#ifndef WEND_SRC_IO_READERS_DETECT_FORMAT_H
#define WEND_SRC_IO_READERS_DETECT_FORMAT_H

#include "io/text/text.h"

/* What bytes look like, beyond the formats that this version reads. */
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

/// `first` receives the first word that is not in a comment: what told the format, or nothing (the end of the file).
int32_t wend__looks_like(const void *bytes, size_t size, wend__word *first);

#endif
