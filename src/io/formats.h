/* SPDX-License-Identifier: MIT */
/* Internal: the map formats: which one some bytes are in, and one parser for each. */
#ifndef WEND_SRC_IO_FORMATS_H
#define WEND_SRC_IO_FORMATS_H

#include "io/file.h"
#include "io/text.h"

/* What bytes look like, beyond the formats that this version reads. */
enum {
    WEND__LOOKS_UNKNOWN = WEND_FORMAT_UNKNOWN,
    WEND__LOOKS_GRID_TEXT = WEND_FORMAT_GRID_TEXT,
    WEND__LOOKS_MOVINGAI = WEND_FORMAT_MOVINGAI,
    WEND__LOOKS_VOXEL = WEND_FORMAT_VOXEL,
    WEND__LOOKS_DIMACS = WEND_FORMAT_DIMACS,
    WEND__LOOKS_TILED,
    WEND__LOOKS_SCENARIO
};

/// `first` receives the first word that is not in a comment: what told the format, or nothing (the end of the file).
int32_t wend__looks_like(const void *bytes, size_t size, wend__word *first);

/// What the parsers share: where a map comes from and what it becomes.
typedef struct wend__map_source {
    const void *bytes;
    size_t size;
    const wend_map_def *def; ///< never NULL; its kind and size are ignored
    wend_map_markers markers;
    wend_file_error *error;                           ///< may be NULL
    const struct wend__coordinates_file *coordinates; ///< of a graph; NULL: none
} wend__map_source;

/// A DIMACS .co file, whole in memory.
typedef struct wend__coordinates_file {
    const void *bytes;
    size_t size;
    char name[WEND__NAME_BYTES]; ///< for errors
} wend__coordinates_file;

/// What the map of a file of this kind and size is to be made of.
static inline wend_map_def wend__source_def(const wend__map_source *source, int32_t kind, int32_t width, int32_t height,
                                            int32_t depth) {
    wend_map_def def = *source->def;
    def.acceleration = NULL; /* made when the map is complete */
    def.kind = kind;
    def.width = width, def.height = height, def.depth = depth;
    return def;
}

wend_error wend__grid_text_parse(wend__map_source *source, wend_map **out);
wend_error wend__movingai_parse(wend__map_source *source, wend_map **out);
wend_error wend__voxel_parse(wend__map_source *source, wend_map **out);
wend_error wend__dimacs_parse(wend__map_source *source, wend_map **out);

/// A DIMACS .co file of a graph of nodes 1 to `nodes`: into coordinates[1] and on, of which it must say all; [0] is set
/// too. What is wrong is said without a line, as that would be one of the .gr file: the text has name, line and column.
wend_error wend__coordinates_parse(const wend__coordinates_file *file, int32_t nodes, wend_cell *coordinates,
                                   wend_file_error *error);

#endif
