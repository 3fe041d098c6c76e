/* SPDX-License-Identifier: MIT */
/* Internal: one parser for each map format. */
#ifndef WEND_SRC_IO_READERS_MAP_READERS_H
#define WEND_SRC_IO_READERS_MAP_READERS_H

#include "io/text/file.h"

#include <stdio.h>
#include <string.h>

/// The input of a parser, and its results besides the map.
typedef struct wend__map_source {
    const void *bytes;
    size_t size;
    const wend_map_def *def; ///< never NULL; its kind and size are ignored
    bool rules_given;        ///< the caller requested these rules
    bool mapped;             ///< the bytes are a file's, mapped into memory
    bool kept;               ///< a parser's answer: the map unmaps them
    wend_map_markers markers;
    wend_file_error *error;                           ///< may be NULL
    const struct wend__coordinates_file *coordinates; ///< coordinates of a graph; NULL: none
} wend__map_source;

/// A DIMACS .co file in memory.
typedef struct wend__coordinates_file {
    const void *bytes;
    size_t size;
    char name[WEND__NAME_BYTES]; ///< for errors
} wend__coordinates_file;

/// The definition of a map of this kind and size.
static inline wend_map_def wend__source_def(const wend__map_source *source, int32_t kind, int32_t width, int32_t height,
                                            int32_t depth) {
    wend_map_def def = *source->def;
    def.acceleration = NULL; /* made when the map is complete */
    def.kind = kind;
    def.width = width, def.height = height, def.depth = depth;
    return def;
}

/// Reports the assumptions of the reader to the caller.
static inline void wend__assume(wend__map_source *source, const char *text) {
    char *to = source->markers.assumed;
    size_t used = strlen(to), room = sizeof source->markers.assumed - used;
    snprintf(to + used, room, "%s%s", used ? "; " : "", text);
}

wend_error wend__grid_text_parse(wend__map_source *source, wend_map **out);
wend_error wend__movingai_parse(wend__map_source *source, wend_map **out);
wend_error wend__voxel_parse(wend__map_source *source, wend_map **out);
wend_error wend__dimacs_parse(wend__map_source *source, wend_map **out);
wend_error wend__baked_parse(wend__map_source *source, wend_map **out);

/// Parses the .co file of a graph of nodes 1 to `nodes` into coordinates[1] and on; every node must be there. [0] is
/// set, too. An error has no line of its own, as that would mean the .gr file; its text has the .co file's name,
/// line and column.
wend_error wend__coordinates_parse(const wend__coordinates_file *file, int32_t nodes, wend_cell *coordinates,
                                   wend_file_error *error);

#endif
