/* SPDX-License-Identifier: MIT */
/* Level files, as triangles. */
#ifndef WEND_GROUND_PROGRAM_LEVEL_H
#define WEND_GROUND_PROGRAM_LEVEL_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/// Most corners of a face.
enum { LEVEL_MAX_CORNERS = 1024 };

typedef struct level_file {
    float *vertices;
    uint32_t *triangles;
    size_t vertex_count, triangle_count;
} level_file;

/// Reads a level. Prints errors. @return CLI_DONE, or the exit status
int level_load(const char *path, level_file *out);
/// The same by assimp, with its nodes' places, whatever the file's name. A build without assimp refuses.
int level_load_other(const char *path, level_file *out);

static inline void level_free(level_file *level) {
    free(level->vertices);
    free(level->triangles);
    *level = (level_file){0};
}

#endif
