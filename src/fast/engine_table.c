/* SPDX-License-Identifier: MIT */
/* The table of engines: the core's, and the table-driven engines. A new engine gets a row here. */

/* Tried: an engine on contracted chunks (Geisberger and others 2008). 8room takes 12.9 µs, jump search 30, but only
 * while walls lie on borders of chunks: moved by one cell, 155 µs and 18 bytes a cell. */
#include "fast/jump/grid_jump.h"
#include "fast/jump_stops/stop_search.h"
#include "search/engines.h"

_Static_assert(sizeof(wend__grid_jump_search) <= sizeof(wend__search_memory), "it has room in every slot");
_Static_assert(sizeof(wend__stop_jump_search) <= sizeof(wend__search_memory), "it has room in every slot");

const wend__engine *const wend__engines[] = {
    &wend__voxel_astar, &wend__graph_astar, &wend__grid_jump, &wend__stop_jump, &wend__grid_astar, &wend__general_astar,
};
