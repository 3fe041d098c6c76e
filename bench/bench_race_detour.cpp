/* SPDX-License-Identifier: MIT */
/* Detour in the race, in three arrangements; the urgent go first where the arrangement has an order of its own.
 *
 *   bench_race_detour MAP SCEN FRAME_US distinct|shared [TILE [loop|sliced|dtPathQueue]]      TILE: cells a side (64)
 *
 * loop: whole searches (findPath) until the frame's time is over. sliced: one search after another in steps
 * (updateSlicedFindPath). queue: dtPathQueue, whose eight places are filled again whenever one is free. A step is 64
 * iterations, then the time is looked at. Paths are rows of polygons; the ends' polygons are looked up before, and the
 * corners of the way are not pulled tight. */
#include <recastnavigation/DetourPathQueue.h>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "detour_mesh.h"
#include "race.h"

enum { STEP = 64, PLACES = 8 };

struct ends {
    dtPolyRef start, goal;
    float from[3], to[3];
};

struct runner {
    dtNavMeshQuery *query;
    dtPathQueue *queue;
    dtQueryFilter filter;
    std::vector<ends> pairs;
    std::vector<dtPolyRef> path;
    bool searching;
    uint32_t current;              /* of `sliced` */
    dtPathQueueRef places[PLACES]; /* of `queue`; DT_PATHQ_INVALID: free */
    uint32_t in_place[PLACES];
};

static bool whole(dtStatus status) {
    return dtStatusSucceed(status) && !dtStatusDetail(status, DT_PARTIAL_RESULT);
}

static void loop_frame(void *state, race *all) {
    runner *run = static_cast<runner *>(state);
    uint32_t index;
    while (!race_is_over(all) && race_next(all, &index)) {
        const ends &pair = run->pairs[index];
        int count = 0;
        race_served(all, index,
                    whole(run->query->findPath(pair.start, pair.goal, pair.from, pair.to, &run->filter,
                                               run->path.data(), &count, DETOUR_MOST_POLYGONS)));
    }
}

static void sliced_frame(void *state, race *all) {
    runner *run = static_cast<runner *>(state);
    while (!race_is_over(all)) {
        if (!run->searching && !race_next(all, &run->current)) return;
        const ends &pair = run->pairs[run->current];
        dtStatus status = DT_IN_PROGRESS;
        if (!run->searching)
            status = run->query->initSlicedFindPath(pair.start, pair.goal, pair.from, pair.to, &run->filter);
        if (dtStatusInProgress(status)) status = run->query->updateSlicedFindPath(STEP, nullptr);
        run->searching = dtStatusInProgress(status);
        if (run->searching) continue;
        int count = 0;
        status = run->query->finalizeSlicedFindPath(run->path.data(), &count, DETOUR_MOST_POLYGONS);
        race_served(all, run->current, whole(status));
    }
}

/* A place that was free and gets no request ends the refill. */
static bool fill_places(runner *run, race *all) {
    bool any = false;
    for (int i = 0; i < PLACES; i++) {
        if (run->places[i] == DT_PATHQ_INVALID && race_next(all, &run->in_place[i])) {
            const ends &pair = run->pairs[run->in_place[i]];
            run->places[i] = run->queue->request(pair.start, pair.goal, pair.from, pair.to, &run->filter);
            detour_need(run->places[i] != DT_PATHQ_INVALID, "no place in the queue");
        }
        any = any || run->places[i] != DT_PATHQ_INVALID;
    }
    return any;
}

static void queue_frame(void *state, race *all) {
    runner *run = static_cast<runner *>(state);
    while (!race_is_over(all) && fill_places(run, all)) {
        run->queue->update(STEP);
        for (int i = 0; i < PLACES; i++) {
            if (run->places[i] == DT_PATHQ_INVALID) continue;
            const dtStatus status = run->queue->getRequestStatus(run->places[i]);
            if (!dtStatusSucceed(status) && !dtStatusFailed(status)) continue;
            int count = 0;
            run->queue->getPathResult(run->places[i], run->path.data(), &count, DETOUR_MOST_POLYGONS);
            race_served(all, run->in_place[i], whole(status));
            run->places[i] = DT_PATHQ_INVALID;
        }
    }
}

int main(int argc, char **argv) {
    static race all;
    race_open(&all, argc, argv);
    size_t polygons = 0;
    const detour_ground ground = {all.task.width, all.task.height, 1, peer_is_open, &all.task};
    dtNavMesh *navigation = detour_build(ground, argc > 5 ? std::atoi(argv[5]) : 64, &polygons);
    runner run = {};
    run.query = dtAllocNavMeshQuery();
    detour_need(dtStatusSucceed(run.query->init(navigation, DETOUR_MOST_NODES)), "no query");
    run.path.resize(DETOUR_MOST_POLYGONS);
    for (const race_ask &ask : all.asks) {
        ends pair = {};
        pair.start = detour_polygon_at(run.query, &run.filter, ask.start.x, ask.start.y, pair.from);
        pair.goal = detour_polygon_at(run.query, &run.filter, ask.goal.x, ask.goal.y, pair.to);
        run.pairs.push_back(pair);
    }
    dtPathQueue queue;
    detour_need(queue.init(DETOUR_MOST_POLYGONS, DETOUR_MOST_NODES, navigation), "no path queue");
    run.queue = &queue;
    const race_player players[] = {{"Detour loop", &run, nullptr, loop_frame},
                                   {"Detour sliced", &run, nullptr, sliced_frame},
                                   {"Detour dtPathQueue", &run, nullptr, queue_frame}};
    for (const race_player &player : players)
        if (argc < 7 || std::strcmp(player.name + std::strlen("Detour "), argv[6]) == 0) race_run(&all, &player);
    dtFreeNavMeshQuery(run.query);
    dtFreeNavMesh(navigation);
    race_close(&all);
    return 0;
}
