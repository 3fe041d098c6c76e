/* SPDX-License-Identifier: MIT */
/* Detour's mesh of a map, exact: in each tile open cells are merged into rectangles, greedily, and these are its
 * polygons; a polygon with more than the six corners that Detour allows is cut. No erosion: agents are points. */
#ifndef WEND_BENCH_DETOUR_MESH_H
#define WEND_BENCH_DETOUR_MESH_H

#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourNavMeshQuery.h>

#include "peer.h"

enum { DETOUR_MOST_NODES = 65535, DETOUR_MOST_POLYGONS = 65536 };

/// Ends the program where something failed.
void detour_need(bool done, const char *what);
/// @param side   of a tile, in cells
/// @param polygons   receives their number, added to it
dtNavMesh *detour_build(const peer_task &task, int side, size_t *polygons);
/// The polygon of a cell; *point receives the cell's centre.
dtPolyRef detour_polygon_at(const dtNavMeshQuery *query, const dtQueryFilter *filter, wend_cell cell, float *point);

#endif
