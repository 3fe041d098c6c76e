/* SPDX-License-Identifier: MIT */
/* Internal: scenarios in memory. */
#ifndef WEND_SRC_IO_SCENARIOS_SCENARIO_H
#define WEND_SRC_IO_SCENARIOS_SCENARIO_H

#include "base/base.h"
#include <wend/io.h>
#include <wend/scen.h>

/// A map's name, allocated with its text and a NUL behind it.
typedef struct wend__scen_name {
    struct wend__scen_name *next;
    size_t size;
    char text[];
} wend__scen_name;

struct wend_scen {
    wend_allocator allocator;
    wend_scen_query *queries;
    size_t count, capacity;
    wend__scen_name *names; ///< the newest first; equal names on successive lines are kept once
};

/// Returns whether a map name ends in .3dmap. Its scenario is then one of voxels.
bool wend__is_voxel_name(const char *text, size_t size);

/// wend_scen_parse() with an allocator.
wend_error wend__scen_parse(const void *bytes, size_t size, wend_allocator allocator, wend_scen **out,
                            wend_file_error *error);

#endif
