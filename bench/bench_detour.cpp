/* SPDX-License-Identifier: MIT */
/* Detour on a MovingAI map and scenario: thread CPU time, the best of REPS for each query.
 *
 *   bench_detour MAP SCEN [REPS [TILE]]      TILE: cells a side of a tile (64)
 *
 * detour_mesh.h says what the mesh is. What is timed is findPath(), which gives a row of polygons, not cells; the ends'
 * polygons are looked up before, and the corners of the way are not pulled tight. */
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "detour_mesh.h"
#include "peer.h"

int main(int argc, char **argv) {
    peer_task task;
    peer_open(&task, argc, argv);
    size_t polygons = 0;
    double begun = cpu_us();
    const detour_ground ground = {task.width, task.height, 1, peer_is_open, &task};
    dtNavMesh *navigation = detour_build(ground, argc > 4 ? std::atoi(argv[4]) : 64, &polygons);
    double build_us = cpu_us() - begun;
    dtNavMeshQuery *query = dtAllocNavMeshQuery();
    detour_need(dtStatusSucceed(query->init(navigation, DETOUR_MOST_NODES)), "no query");
    dtQueryFilter filter;
    std::vector<dtPolyRef> path((size_t)DETOUR_MOST_POLYGONS);
    for (size_t i = 0; i < task.count; i++) {
        float from[3], to[3];
        dtPolyRef start = detour_polygon_at(query, &filter, task.queries[i].start.x, task.queries[i].start.y, from);
        dtPolyRef goal = detour_polygon_at(query, &filter, task.queries[i].goal.x, task.queries[i].goal.y, to);
        double best = 1e18;
        bool found = false;
        for (int repeat = 0; repeat < task.repeats; repeat++) {
            int count = 0;
            double began = cpu_us();
            dtStatus status =
                query->findPath(start, goal, from, to, &filter, path.data(), &count, DETOUR_MOST_POLYGONS);
            best = peer_least(best, cpu_us() - began);
            found = dtStatusSucceed(status) && !dtStatusDetail(status, DT_PARTIAL_RESULT);
        }
        peer_count(&task, best, found);
    }
    std::fprintf(stderr, "%s: %zu polygons made in %.0f ms\n", argv[1], polygons, build_us / 1e3);
    dtFreeNavMeshQuery(query);
    dtFreeNavMesh(navigation);
    return peer_close(&task);
}
