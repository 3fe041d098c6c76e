/* SPDX-License-Identifier: MIT */
/* A scene's agents by DetourCrowd at its best avoidance, on a mesh of where their centres can be. */
#include "bodies.h"
#include "detour_mesh.h"

#include <cmath>
#include <recastnavigation/DetourCrowd.h>
#include <recastnavigation/DetourObstacleAvoidance.h>
#include <vector>

namespace {

constexpr int PARTS = 5, TILE = 32 * PARTS; /* cells of the mesh: in a cell, in a tile */
constexpr double RADIUS = .4;
const body_scene *scene;
dtNavMesh *mesh;
dtCrowd *crowd;
dtNavMeshQuery *query;
std::vector<int> ids;
std::vector<body_start> agents; /* with their goals of now */

int within(int at, int side) { return at < 0 ? 0 : at < side ? at : side - 1; }

/* Returns whether a part of a cell is as far from walls as a radius, along each axis. The map's rim keeps no centre
 * off: with that it takes longer. */
bool is_open(const void *, int x, int y) {
    const int around = static_cast<int>(std::ceil(RADIUS * PARTS));
    bool open = x >= 0 && y >= 0 && x < scene->width * PARTS && y < scene->height * PARTS;
    for (int dy : {-around, around})
        for (int dx : {-around, around})
            open = open && scene_open(scene, within((x + dx) / PARTS, scene->width),
                                      within((y + dy) / PARTS, scene->height));
    return open;
}

dtCrowdAgentParams agent_of(const body_start &b) { /* updates are of 1/20 s */
    dtCrowdAgentParams a{};
    a.radius = static_cast<float>(b.radius), a.height = 2;
    a.maxSpeed = static_cast<float>(b.speed * 20), a.maxAcceleration = a.maxSpeed * 8 / 3.5f;
    a.collisionQueryRange = a.radius * 12, a.pathOptimizationRange = a.radius * 30;
    a.separationWeight = 2, a.obstacleAvoidanceType = 3;
    a.updateFlags = DT_CROWD_ANTICIPATE_TURNS | DT_CROWD_OBSTACLE_AVOIDANCE | DT_CROWD_SEPARATION |
                    DT_CROWD_OPTIMIZE_VIS | DT_CROWD_OPTIMIZE_TOPO;
    return a;
}

void send(int32_t i, int32_t x, int32_t y) {
    float point[3];
    const dtPolyRef polygon = detour_polygon_at(query, crowd->getFilter(0), x, y, point);
    detour_need(polygon && crowd->requestMoveTarget(ids[i], polygon, point), "a goal");
    agents[i].goal_x = x, agents[i].goal_y = y;
}

void begin(const body_scene *s) {
    size_t polygons = 0;
    scene = s;
    mesh = detour_build({s->width * PARTS, s->height * PARTS, 1.f / PARTS, is_open, nullptr}, TILE, &polygons);
    crowd = dtAllocCrowd();
    crowd->init(s->count, .6f, mesh);
    dtObstacleAvoidanceParams best = *crowd->getObstacleAvoidanceParams(0);
    best.velBias = .5f, best.adaptiveDivs = 7, best.adaptiveRings = 3, best.adaptiveDepth = 3;
    crowd->setObstacleAvoidanceParams(3, &best);
    query = dtAllocNavMeshQuery();
    query->init(mesh, 2048);
    ids.clear();
    agents.assign(s->of, s->of + s->count);
    for (int32_t i = 0; i < s->count; i++) {
        const body_start &b = s->of[i];
        const float at[] = {static_cast<float>(b.x), 0, static_cast<float>(b.y)};
        const dtCrowdAgentParams agent = agent_of(b);
        ids.push_back(crowd->addAgent(at, &agent));
        detour_need(ids.back() >= 0, "an agent");
        send(i, b.goal_x, b.goal_y);
    }
}

void update() { crowd->update(.05f, nullptr); }

void read(body_points *points) {
    for (size_t i = 0; i < ids.size(); i++) {
        const dtCrowdAgent *agent = crowd->getAgent(ids[i]);
        points->x[i] = agent->npos[0];
        points->y[i] = agent->npos[2];
    }
}

/* It knows no ends of goals: within half a cell is there. */
body_goal goal_of(int32_t i) {
    const float *at = crowd->getAgent(ids[i])->npos;
    return std::hypot(at[0] - agents[i].goal_x - .5, at[2] - agents[i].goal_y - .5) < .5 ? GOAL_REACHED : GOAL_OPEN;
}

void end() {
    dtFreeNavMeshQuery(query);
    dtFreeCrowd(crowd);
    dtFreeNavMesh(mesh);
}

} // namespace

const body_mover detour_mover = {begin, update, read, send, goal_of, end};
