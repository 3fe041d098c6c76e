/* SPDX-License-Identifier: MIT */
/* Scenario files of the MovingAI benchmarks in memory: queries of a map, with their published lengths. */
#ifndef WEND_LAB_SCEN_SCENARIO_H
#define WEND_LAB_SCEN_SCENARIO_H

#include <wend/io.h>

/// A query, flat or of voxels.
typedef struct scenario_query {
    int32_t width, height, depth; ///< of the map, in cells, as in the file, depth 1. Voxel scenarios: all three 0
    wend_cell start, goal;
    const char *map; ///< the map's name as in the file; lives as long as the scenario
    double length;   ///< published length of the shortest path; 0 with start ≠ goal: no path
} scenario_query;

typedef struct scenario {
    scenario_query *queries; ///< in the file's order
    size_t count, capacity;
    struct scenario_name *names;
} scenario;

/// Largest scenario file that is read, in bytes.
#define SCENARIO_MOST_BYTES (UINT64_C(1) << 28)

/// Reads a scenario from memory. Blanks or tabs separate the columns; the line `version 1` may be missing. A voxel
/// scenario (.3dscen) first names its map, alone on a line that ends in ".3dmap". Its queries have start, goal, length,
/// and the ratio of length to the distance without obstacles; the ratio is not kept.
/// @param out     receives the scenario, for scenario_free(); empty after an error
/// @param error   receives the place and text of a mistake
/// @return WEND_OK, WEND_BAD_FORMAT, WEND_UNSUPPORTED (another version), WEND_OUT_OF_MEMORY
wend_error scenario_parse(const void *bytes, size_t size, scenario *out, wend_file_error *error);
void scenario_free(scenario *s);

#endif
