/* SPDX-License-Identifier: MIT */
/* Level files, as triangles. */
#ifndef WEND_GROUND_PROGRAM_LEVEL_H
#define WEND_GROUND_PROGRAM_LEVEL_H

#include <stddef.h>
#include <stdint.h>

/// Most corners of a face.
enum { LEVEL_MAX_CORNERS = 1024 };

typedef struct level_file {
    float *vertices;
    uint32_t *triangles;
    size_t vertex_count, triangle_count;
} level_file;

/// Read a level by assimp, with its nodes' places. Prints errors. @return CLI_DONE, or the exit status
int level_load(const char *path, level_file *out);
void level_free(level_file *level);

#endif
