/* SPDX-License-Identifier: MIT */
/* Detour's mesh of a map, exact: in each tile open cells are merged into rectangles, greedily, and these are its
 * polygons; a polygon with more than the six corners that Detour allows is cut. */
#ifndef WEND_BENCH_DETOUR_MESH_H
#define WEND_BENCH_DETOUR_MESH_H

#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourNavMeshQuery.h>

#include <stddef.h>

enum { DETOUR_MOST_NODES = 65535, DETOUR_MOST_POLYGONS = 65536 };

/// Ends the program where something failed.
void detour_need(bool done, const char *what);
/// Where agents, which are points for a mesh, can be.
struct detour_ground {
    int width, height; ///< in cells of the mesh
    float cell;        ///< side of a cell
    bool (*is_open)(const void *context, int x, int y);
    const void *context;
};
/// @param side   of a tile, in cells of the mesh
/// @param polygons   receives their number, added to it
dtNavMesh *detour_build(const detour_ground &ground, int side, size_t *polygons);
/// The polygon at the centre of a cell of side 1; *point receives the centre.
dtPolyRef detour_polygon_at(const dtNavMeshQuery *query, const dtQueryFilter *filter, int x, int y, float *point);

#endif
