/* SPDX-License-Identifier: MIT */
/* The features of a world, and combinations that no world has. */
#include "pairs/pairs.h"

const char *const factor_names[FACTORS] = {"ground", "corners", "terrain", "derived", "mover",    "ways",  "units",
                                           "layers", "mode",    "goals",   "engine",  "estimate", "land",  "option",
                                           "lanes",  "sharing", "pool",    "queue",   "crowd",    "memory"};

const char *const value_names[FACTORS][MOST_VALUES] = {
    [GROUND] = {"grid of 8", "grid of 4", "hexagons", "round", "sheets", "streamed", "voxels", "graph", "placed graph"},
    [CORNERS] = {"never", "one", "always"},
    [TERRAIN] = {"even", "slow"},
    [DERIVED] = {"none", "tables", "landmarks", "far", "later"},
    [MOVER] = {"default", "swimmer", "large", "walker", "shy"},
    [WAYS] = {"none", "links", "ledges", "links and walls"},
    [UNITS] = {"ignored", "block", "price", "within"},
    [LAYERS] = {"none", "values", "fading", "walls"},
    [MODE] = {"exact", "nearest", "far"},
    [GOALS] = {"one", "several", "reach", "several in reach"},
    [ENGINE] = {"auto", "astar", "jump"},
    [ESTIMATE] = {"exact", "manhattan", "euclid", "zero", "weight"},
    [LAND] = {"block", "wait", "known"},
    [OPTION] = {"none", "agent", "deadline", "maximum", "leaves its start", "delivers stale"},
    [THREADS] = {"one", "four", "workers"},
    [SHARING] = {"alone", "share"},
    [POOL] = {"ample", "small"},
    [QUEUE] = {"ample", "small", "displace"},
    [CROWD] = {"none", "cells", "bodies", "group", "field", "formation", "patrol", "followers"},
    [MEMORY] = {"blocks", "arena"},
};

const char *const moment_names[MOMENTS] = {"before", "under way", "finished", "edited"};

int value_count(int factor) {
    int count = 0;
    while (count < MOST_VALUES && value_names[factor][count]) count++;
    return count;
}

#define GRAPHS (BIT(GRAPH) | BIT(PLACED))
#define FLAT (BIT(GRID8) | BIT(GRID4) | BIT(HEX) | BIT(ROUND) | BIT(SHEETS) | BIT(STREAMED))
#define ALL 0x1ffu

const forbidden forbidden_rows[] = {
    {{{GROUND, BIT(HEX) | BIT(VOXELS) | GRAPHS}, {DERIVED, BIT(TABLES)}},
     "wend_map_accelerate",
     WEND_UNSUPPORTED,
     "tables, where no landmarks are asked for: maps other than flat grids of squares"},
    {{{GROUND, BIT(GRID8) | BIT(ROUND) | BIT(SHEETS) | BIT(STREAMED)},
      {CORNERS, BIT(WEND_CORNERS_ONE) | BIT(WEND_CORNERS_ALWAYS)},
      {DERIVED, BIT(TABLES)}},
     "wend_map_accelerate",
     WEND_UNSUPPORTED,
     "tables: with 8 neighbours rules that cut corners"},
    {{{GROUND, BIT(ROUND) | BIT(SHEETS)}, {DERIVED, BIT(FAR)}},
     "wend_map_accelerate",
     WEND_UNSUPPORTED,
     "a far layer, where `far` is 1, of a map that wraps or has sheets"},
    {{{GROUND, FLAT | GRAPHS}, {MOVER, BIT(WALKER)}},
     "wend_map_add_mover",
     WEND_BAD_ARGUMENT,
     "S28: a walker on no voxel map"},
    {{{GROUND, GRAPHS}, {MOVER, BIT(LARGE)}},
     "wend_map_add_mover",
     WEND_BAD_ARGUMENT,
     "S26: on graphs all movers have size 1"},
    {{{GROUND, BIT(HEX)}, {MOVER, BIT(LARGE)}},
     "wend_map_add_mover",
     WEND_UNSUPPORTED,
     "S26: hexagons have no movers larger than a cell"},
    {{{GROUND, GRAPHS}, {WAYS, BIT(LEDGES) | BIT(LINKS_AND_WALLS)}},
     "wend_edit_set_step",
     WEND_BAD_ARGUMENT,
     "a graph has no steps to close"},
    {{{GROUND, GRAPHS}, {UNITS, BIT(UNITS_WITHIN)}},
     "wend_service_submit",
     WEND_BAD_ARGUMENT,
     "occupied_within: graphs: WEND_EVERYWHERE"},
    {{{GROUND, GRAPHS}, {GOALS, BIT(REACH) | BIT(SEVERAL_REACH)}},
     "wend_service_submit",
     WEND_BAD_ARGUMENT,
     "S25: graphs: reach 0"},
    {{{GROUND, BIT(VOXELS) | GRAPHS}, {LAYERS, BIT(WALLS)}},
     "wend_map_add_layer",
     WEND_UNSUPPORTED,
     "walls in space or on a graph"},
    {{{GROUND, BIT(ROUND) | BIT(SHEETS)}, {MODE, BIT(FAR_ROUTE)}},
     "wend_service_submit",
     WEND_UNSUPPORTED,
     "S29: a map that wraps or has sheets has no far layer"},
    {{{GROUND, ALL & ~(BIT(GRID8) | BIT(ROUND) | BIT(SHEETS) | BIT(STREAMED))}, {MODE, BIT(FAR_ROUTE)}},
     "wend_service_submit",
     WEND_BAD_ARGUMENT,
     "S29: other maps than flat grids with 8 neighbours refuse it"},
    {{{CORNERS, BIT(WEND_CORNERS_ONE) | BIT(WEND_CORNERS_ALWAYS)}, {MODE, BIT(FAR_ROUTE)}},
     "wend_service_submit",
     WEND_BAD_ARGUMENT,
     "S29: other maps than those with corners `never` refuse it"},
    {{{GROUND, BIT(GRAPH)}, {MODE, BIT(NEAREST)}},
     "wend_service_submit",
     WEND_BAD_ARGUMENT,
     "S5: without coordinates submit refuses it"},
    {{{GROUND, BIT(HEX) | BIT(VOXELS) | GRAPHS}, {CROWD, BIT(BODIES)}},
     "wend_crowd_set_body",
     WEND_UNSUPPORTED,
     "bodies move on flat grids of squares"},
};
const size_t forbidden_count = sizeof forbidden_rows / sizeof forbidden_rows[0];
