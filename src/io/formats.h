/* SPDX-License-Identifier: MIT */
/* Internal: the map formats: which one some bytes are in, and one parser for each. */
#ifndef WEND_SRC_IO_FORMATS_H
#define WEND_SRC_IO_FORMATS_H

#include "io/text.h"

/* What bytes look like, beyond the formats that this version reads. */
enum {
    WEND__LOOKS_UNKNOWN = WEND_FORMAT_UNKNOWN,
    WEND__LOOKS_GRID_TEXT = WEND_FORMAT_GRID_TEXT,
    WEND__LOOKS_MOVINGAI = WEND_FORMAT_MOVINGAI,
    WEND__LOOKS_VOXELS,
    WEND__LOOKS_DIMACS,
    WEND__LOOKS_TILED,
    WEND__LOOKS_SCENARIO
};

/// `first` receives the first word that is not in a comment: what told the format, or nothing (the end of the file).
int32_t wend__looks_like(const void *bytes, size_t size, wend__word *first);

/// What the parsers share: where a map comes from and what it becomes.
typedef struct wend__map_source {
    const void *bytes;
    size_t size;
    const wend_map_def *def; ///< never NULL; its size is ignored
    wend_map_markers markers;
    wend_file_error *error; ///< may be NULL
} wend__map_source;

int32_t wend__grid_text_parse(wend__map_source *source, wend_map **out);
int32_t wend__movingai_parse(wend__map_source *source, wend_map **out);

#endif
