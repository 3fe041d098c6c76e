/* SPDX-License-Identifier: MIT */
/* DetourCrowd at its best avoidance on an open scene of 64 x 64 cells. */
#include "bodies.h"

#include <cstring>
#include <vector>

#include <recastnavigation/DetourCrowd.h>
#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourNavMeshBuilder.h>
#include <recastnavigation/DetourNavMeshQuery.h>
#include <recastnavigation/DetourObstacleAvoidance.h>

extern "C" void need(bool done, const char *what);

namespace {

constexpr int PARTS = 8, SIDE = 64;
constexpr float CELL = 0.25f;
dtNavMesh *mesh;
dtCrowd *crowd;
std::vector<int> ids;

unsigned short corner(int x, int y) { return static_cast<unsigned short>(y * (PARTS + 1) + x); }

unsigned short part(int x, int y) {
    return x < 0 || y < 0 || x >= PARTS || y >= PARTS ? 0xffff : static_cast<unsigned short>(y * PARTS + x);
}

/* A mesh of 8 x 8 squares. */
void make_mesh() {
    std::vector<unsigned short> corners, squares(PARTS * PARTS * 8, 0xffff), flags(PARTS * PARTS, 1);
    std::vector<unsigned char> areas(PARTS * PARTS, 0);
    for (int y = 0; y <= PARTS; y++)
        for (int x = 0; x <= PARTS; x++)
            for (int v : {x * SIDE / PARTS, 0, y * SIDE / PARTS}) corners.push_back(static_cast<unsigned short>(v / CELL));
    for (int y = 0; y < PARTS; y++)
        for (int x = 0; x < PARTS; x++) {
            const unsigned short one[] = {corner(x, y),   corner(x, y + 1), corner(x + 1, y + 1), corner(x + 1, y),
                                          part(x - 1, y), part(x, y + 1),   part(x + 1, y),       part(x, y - 1)};
            std::memcpy(&squares[static_cast<size_t>(y * PARTS + x) * 8], one, sizeof one);
        }
    dtNavMeshCreateParams p{};
    p.verts = corners.data(), p.vertCount = static_cast<int>(corners.size() / 3);
    p.polys = squares.data(), p.polyAreas = areas.data(), p.polyFlags = flags.data();
    p.polyCount = PARTS * PARTS, p.nvp = 4;
    p.walkableHeight = 2, p.walkableRadius = .4f, p.walkableClimb = .5f;
    p.bmax[0] = SIDE, p.bmax[1] = 1, p.bmax[2] = SIDE;
    p.cs = CELL, p.ch = .2f, p.buildBvTree = true;
    unsigned char *data;
    int bytes;
    need(dtCreateNavMeshData(&p, &data, &bytes), "a mesh");
    mesh = dtAllocNavMesh();
    mesh->init(data, bytes, DT_TILE_FREE_DATA);
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

void begin(const body_scene *scene) {
    make_mesh();
    crowd = dtAllocCrowd();
    crowd->init(scene->count, .6f, mesh);
    dtObstacleAvoidanceParams best = *crowd->getObstacleAvoidanceParams(0);
    best.velBias = .5f, best.adaptiveDivs = 7, best.adaptiveRings = 3, best.adaptiveDepth = 3;
    crowd->setObstacleAvoidanceParams(3, &best);
    dtNavMeshQuery *query = dtAllocNavMeshQuery();
    query->init(mesh, 2048);
    ids.clear();
    for (int i = 0; i < scene->count; i++) {
        const body_start &b = scene->of[i];
        const float at[] = {static_cast<float>(b.x), 0, static_cast<float>(b.y)}, reach[] = {2, 4, 2};
        const float goal[] = {b.goal_x + .5f, 0, b.goal_y + .5f};
        const dtCrowdAgentParams agent = agent_of(b);
        float nearest[3];
        dtPolyRef ref;
        ids.push_back(crowd->addAgent(at, &agent));
        need(ids.back() >= 0, "an agent");
        query->findNearestPoly(goal, reach, crowd->getFilter(0), &ref, nearest);
        crowd->requestMoveTarget(ids.back(), ref, nearest);
    }
    dtFreeNavMeshQuery(query);
}

void update() { crowd->update(.05f, nullptr); }

void read(body_points *points) {
    for (size_t i = 0; i < ids.size(); i++) {
        const dtCrowdAgent *agent = crowd->getAgent(ids[i]);
        points->x[i] = agent->npos[0];
        points->y[i] = agent->npos[2];
    }
}

void end() {
    dtFreeCrowd(crowd);
    dtFreeNavMesh(mesh);
}

} // namespace

const body_mover detour_mover = {"DetourCrowd", begin, update, read, end};
