/* SPDX-License-Identifier: MIT */
/* Levels of triangles: libwend-ground beside Detour, on pairs of random points of the ground. Prints CSV: whether both
 * reach the same goals, times of whole queries (nearest places, path, straight line) in one run, lengths, and what
 * making the ground took; and tiles that are made again where a block is put down and taken away, one a frame, with
 * their publishes. With triangles=N it prints what a ground of that many takes, hills of squares of half a metre.
 * Usage: bench_ground [pairs=N] [triangles=N] LEVEL... */
#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourNavMeshBuilder.h>
#include <recastnavigation/DetourNavMeshQuery.h>
#include <recastnavigation/Recast.h>

#include <math.h>

#include "harness.h"
#include <wend/geometry.h>
#include <wend/ground.h>

extern "C" {
#include "../ground/program/level.h"
}

namespace {

constexpr int MOST = 4096;

struct Pair {
    float from[3], to[3];
    double wend_length, detour_length; // below 0: not reached
    bool off;                          // not on Detour's mesh
};

struct Peer {
    dtNavMesh *mesh;
    dtNavMeshQuery *query;
    double made_us, shared_us;
};

/* The settings of wend_ground_def_init(), and RecastDemo's for what follows from the spans. */
Peer open_detour(const level_file &level, const wend_ground_def &def) {
    Peer peer = {};
    rcContext context(false);
    float least[3], most[3];
    int width, height;
    const int *triangles = reinterpret_cast<const int *>(level.triangles);
    const int vertex_count = static_cast<int>(level.vertex_count), count = static_cast<int>(level.triangle_count);
    const int tall = static_cast<int>(ceilf(def.height / def.level)), climb = static_cast<int>(def.climb / def.level + 1e-4f);
    const double began = cpu_us();
    rcCalcBounds(level.vertices, vertex_count, least, most);
    rcCalcGridSize(least, most, def.cell, &width, &height);
    rcHeightfield *solid = rcAllocHeightfield();
    unsigned char *areas = static_cast<unsigned char *>(calloc(level.triangle_count, 1));
    need(rcCreateHeightfield(&context, *solid, width, height, least, most, def.cell, def.level), "a height field");
    rcMarkWalkableTriangles(&context, def.slope, level.vertices, vertex_count, triangles, count, areas);
    need(rcRasterizeTriangles(&context, level.vertices, vertex_count, triangles, areas, count, *solid, climb), "voxels");
    rcFilterLowHangingWalkableObstacles(&context, climb, *solid);
    rcFilterLedgeSpans(&context, tall, climb, *solid);
    rcFilterWalkableLowHeightSpans(&context, tall, *solid);
    rcCompactHeightfield *open = rcAllocCompactHeightfield();
    need(rcBuildCompactHeightfield(&context, tall, climb, *solid, *open), "spans");
    need(rcErodeWalkableArea(&context, static_cast<int>(ceilf(def.radius / def.cell - 1e-4f)), *open), "a rim");
    peer.shared_us = cpu_us() - began;
    rcContourSet *contours = rcAllocContourSet();
    rcPolyMesh *polygons = rcAllocPolyMesh();
    rcPolyMeshDetail *detail = rcAllocPolyMeshDetail();
    need(rcBuildDistanceField(&context, *open) && rcBuildRegions(&context, *open, 0, 64, 400) &&
             rcBuildContours(&context, *open, 1.3f, static_cast<int>(12 / def.cell), *contours) &&
             rcBuildPolyMesh(&context, *contours, 6, *polygons) &&
             rcBuildPolyMeshDetail(&context, *polygons, *open, 6 * def.cell, def.level, *detail),
         "a mesh of polygons");
    for (int i = 0; i < polygons->npolys; i++) polygons->flags[i] = 1, polygons->areas[i] = 0;
    dtNavMeshCreateParams p = {};
    p.verts = polygons->verts, p.vertCount = polygons->nverts;
    p.polys = polygons->polys, p.polyAreas = polygons->areas, p.polyFlags = polygons->flags;
    p.polyCount = polygons->npolys, p.nvp = polygons->nvp;
    p.detailMeshes = detail->meshes, p.detailVerts = detail->verts, p.detailVertsCount = detail->nverts;
    p.detailTris = detail->tris, p.detailTriCount = detail->ntris;
    p.walkableHeight = def.height, p.walkableRadius = def.radius, p.walkableClimb = def.climb;
    rcVcopy(p.bmin, polygons->bmin), rcVcopy(p.bmax, polygons->bmax);
    p.cs = def.cell, p.ch = def.level, p.buildBvTree = true;
    unsigned char *data;
    int bytes;
    need(dtCreateNavMeshData(&p, &data, &bytes), "Detour's data");
    peer.mesh = dtAllocNavMesh();
    peer.query = dtAllocNavMeshQuery();
    need(dtStatusSucceed(peer.mesh->init(data, bytes, DT_TILE_FREE_DATA)) &&
             dtStatusSucceed(peer.query->init(peer.mesh, 65535)), "Detour");
    peer.made_us = cpu_us() - began;
    rcFreePolyMeshDetail(detail), rcFreePolyMesh(polygons), rcFreeContourSet(contours);
    rcFreeCompactHeightfield(open), rcFreeHeightField(solid);
    free(areas);
    return peer;
}

double between(const float *a, const float *b) { return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2)); }

/* @return microseconds */
double ask_detour(const Peer &peer, const wend_ground_def &def, Pair *pair) {
    static dtPolyRef path[MOST];
    static float corners[3 * MOST];
    const float reach[3] = {def.cell * 2, 1, def.cell * 2};
    dtQueryFilter filter;
    dtPolyRef ends[2];
    float at[2][3];
    int count = 0, turns = 0;
    const double began = cpu_us();
    peer.query->findNearestPoly(pair->from, reach, &filter, &ends[0], at[0]);
    peer.query->findNearestPoly(pair->to, reach, &filter, &ends[1], at[1]);
    pair->off = !ends[0] || !ends[1];
    pair->detour_length = -1;
    for (int i = 0; i < 2 && !pair->off; i++) {
        const float *from = i ? pair->to : pair->from;
        pair->off = hypot(from[0] - at[i][0], from[2] - at[i][2]) > def.cell; // regions under 64 cells are left out there
    }
    if (pair->off) return 0;
    peer.query->findPath(ends[0], ends[1], at[0], at[1], &filter, path, &count, MOST);
    const bool reached = count > 0 && path[count - 1] == ends[1];
    if (reached) peer.query->findStraightPath(at[0], at[1], path, count, corners, nullptr, nullptr, &turns, MOST);
    const double spent = cpu_us() - began;
    if (!reached) return spent;
    pair->detour_length = 0;
    for (int i = 1; i < turns; i++) pair->detour_length += between(&corners[3 * i - 3], &corners[3 * i]);
    return spent;
}

/* @param pull_us   grows by the time of pulling the path straight, which is a part of the result */
double ask_wend(const wend_ground *ground, wend_map *map, wend_search *search, const wend_ground_def &def, Pair *pair,
                double *pull_us) {
    static wend_cell cells[1 << 16];
    static wend_turn turns[1 << 16];
    wend_cell ends[2];
    size_t count = 0, turn_count = 0;
    const double began = cpu_us();
    check(wend_ground_get_cell(ground, pair->from, 2 * def.cell, &ends[0]));
    check(wend_ground_get_cell(ground, pair->to, 2 * def.cell, &ends[1]));
    const wend_request request = path_request(map, ends[0], ends[1]);
    check(wend_search_begin(search, &request));
    const bool reached = wend_search_step(search, UINT64_MAX / 2, nullptr) == WEND_STATUS_FOUND;
    if (reached) check(wend_search_get_path(search, cells, 1 << 16, &count));
    const double found = cpu_us();
    if (reached) check(wend_path_pull(map, nullptr, cells, count, turns, 1 << 16, &turn_count));
    const double spent = cpu_us() - began;
    if (reached) *pull_us += cpu_us() - found;
    pair->wend_length = reached ? 0 : -1;
    for (size_t i = 1; reached && i < turn_count; i++) {
        float a[3], b[3];
        check(wend_ground_get_world(ground, cells[turns[i - 1].index], a));
        check(wend_ground_get_world(ground, cells[turns[i].index], b));
        pair->wend_length += between(a, b);
    }
    return spent;
}

void draw_place(const wend_ground *ground, const wend_map *map, uint64_t *seed, float out[3]) {
    const wend_map_info info = info_now(map);
    while (wend_ground_get_world(ground, random_place(info.width, info.height, seed), out)) {}
}

/* Two triangles as a roof that one can stand on, and four walls. */
void describe_block(const float at[3], float half, float height, float out[10 * 9]) {
    const float x[4] = {-half, half, half, -half}, z[4] = {-half, -half, half, half};
    static const int roof[6] = {0, 3, 2, 0, 2, 1};
    int n = 0;
    const auto corner = [&](int i, float y) {
        out[n++] = at[0] + x[i], out[n++] = at[1] + y, out[n++] = at[2] + z[i];
    };
    for (int i : roof) corner(i, height);
    for (int i = 0; i < 4; i++) {
        const int j = (i + 1) % 4;
        corner(i, 0), corner(i, height), corner(j, height);
        corner(i, 0), corner(j, height), corner(j, 0);
    }
}

struct Changes {
    double tile_us, worst_us, publish_us, worst_publish_us;
    int tiles;
};

/* Makes the marked tiles again, one a frame. */
void update_tiles(wend_ground *ground, wend_map *map, Changes *out) {
    uint32_t left = 1;
    while (left > 0) {
        wend_edit *edit;
        check(wend_edit_begin(map, &edit));
        const double began = cpu_us();
        check(wend_ground_update(ground, edit, 1, &left));
        const double made = cpu_us();
        check(wend_edit_publish(edit, nullptr));
        const double spent = made - began, published = cpu_us() - made;
        out->tiles++;
        out->tile_us += spent, out->publish_us += published;
        if (spent > out->worst_us) out->worst_us = spent;
        if (published > out->worst_publish_us) out->worst_publish_us = published;
    }
}

Changes change(const char *path, wend_ground_def def) {
    wend_ground *ground;
    wend_map *map;
    wend_ground_info info = {};
    Changes spent = {};
    uint64_t seed = 2;
    float at[3], corners[10 * 9];
    info.struct_bytes = sizeof info;
    def.changes = 1, def.spare_sheets = 2;
    if (wend_ground_create(&def, &ground, &map, nullptr)) {
        fprintf(stderr, "%s: no ground that changes\n", path);
        exit(2);
    }
    check(wend_ground_get_info(ground, &info));
    for (int i = 0; i < 100; i++) {
        draw_place(ground, map, &seed, at);
        describe_block(at, 1, 2, corners);
        check(wend_ground_set_triangles(ground, info.triangles, 10, corners, nullptr, nullptr));
        update_tiles(ground, map, &spent);
        check(wend_ground_set_triangles(ground, info.triangles, 10, nullptr, nullptr, nullptr));
        update_tiles(ground, map, &spent);
    }
    wend_ground_destroy(ground);
    wend_map_release(map);
    return spent;
}

float hill(void *, int32_t x, int32_t y) {
    return 6 * sinf(static_cast<float>(x) * .021f) * cosf(static_cast<float>(y) * .034f) + sinf(static_cast<float>(x + y) * .3f) * .3f;
}

/* Prints what making hills of that many triangles takes, without tables and with them. */
void make_hills(double triangles) {
    wend_ground_def def;
    wend_map_def map_def = default_map();
    wend_acceleration tables = default_acceleration();
    wend_ground_def_init(&def, sizeof def);
    def.heights = hill, def.square = .5f;
    def.columns = def.rows = static_cast<int32_t>(sqrt(triangles / 2));
    printf("hill_triangles,spans,sheets,made_ms,with_tables_ms\n");
    double spent[2];
    wend_ground_info info = {};
    info.struct_bytes = sizeof info;
    for (int i = 0; i < 2; i++) {
        wend_ground *ground;
        wend_map *map;
        if (i) map_def.acceleration = &tables, def.map = &map_def;
        const double began = cpu_us();
        check(wend_ground_create(&def, &ground, &map, nullptr));
        spent[i] = cpu_us() - began;
        check(wend_ground_get_info(ground, &info));
        wend_ground_destroy(ground);
        wend_map_release(map);
    }
    printf("%d,%u,%u,%.0f,%.0f\n", 2 * def.columns * def.rows, info.spans, info.sheets, spent[0] / 1000, spent[1] / 1000);
}

void race(const char *path, const level_file &level, int pair_count) {
    wend_ground_def def;
    wend_acceleration tables = default_acceleration();
    wend_map_def map_def = default_map();
    wend_ground *ground;
    wend_map *map;
    wend_ground_info info = {};
    wend_file_error error = {};
    uint64_t seed = 1;
    info.struct_bytes = sizeof info, error.struct_bytes = sizeof error;
    wend_ground_def_init(&def, sizeof def);
    map_def.acceleration = &tables;
    def.vertices = level.vertices, def.vertex_count = level.vertex_count;
    def.triangles = level.triangles, def.triangle_count = level.triangle_count;
    def.map = &map_def;
    const double began = cpu_us();
    if (wend_ground_create(&def, &ground, &map, &error)) {
        fprintf(stderr, "%s: %s\n", path, error.text);
        exit(2);
    }
    const double made_us = cpu_us() - began;
    check(wend_ground_get_info(ground, &info));
    const Peer peer = open_detour(level, def);
    wend_search *search = open_search(1 << 24);
    double wend_us = 0, pull_us = 0, detour_us = 0, lengths = 0;
    int same = 0, judged = 0, both = 0;
    for (int i = 0; i < pair_count; i++) {
        Pair pair = {};
        draw_place(ground, map, &seed, pair.from);
        draw_place(ground, map, &seed, pair.to);
        const double theirs = ask_detour(peer, def, &pair), ours = ask_wend(ground, map, search, def, &pair, &pull_us);
        if (pair.off) continue;
        judged++;
        same += (pair.wend_length >= 0) == (pair.detour_length >= 0);
        if (pair.wend_length < 0 || pair.detour_length < 0) continue;
        both++;
        wend_us += ours, detour_us += theirs;
        lengths += pair.detour_length > 3 ? pair.wend_length / pair.detour_length : 1;
    }
    const Changes made = change(path, def);
    printf("%s,%zu,%u,%u,%.2f,%d,%.2f,%.1f,%.1f,%.1f,%.2f,%.4f,%.1f,%.1f,%.2f,%.2f,%.2f,%.2f\n", base_name(path), level.triangle_count, info.spans,
           info.sheets, 100. * info.seams / info.spans, judged, 100. * same / judged, wend_us / both, pull_us / both, detour_us / both,
           wend_us / detour_us, lengths / both, made_us / 1000, peer.made_us / 1000, made.tile_us / made.tiles / 1000, made.worst_us / 1000,
           made.publish_us / made.tiles / 1000, made.worst_publish_us / 1000);
    wend_search_destroy(search);
    wend_ground_destroy(ground);
    wend_map_release(map);
    dtFreeNavMeshQuery(peer.query);
    dtFreeNavMesh(peer.mesh);
}

} // namespace

int main(int argc, char **argv) {
    int pairs = 3000;
    printf("level,triangles,spans,sheets,seams_of_100_spans,pairs,same_reach_percent,wend_us,wend_pull_us,detour_us,time_ratio,length_ratio,"
           "made_ms,detour_made_ms,tile_ms,tile_worst_ms,publish_ms,publish_worst_ms\n");
    for (int i = 1; i < argc; i++) {
        level_file level;
        double hills;
        if (sscanf(argv[i], "pairs=%d", &pairs) == 1) continue;
        if (sscanf(argv[i], "triangles=%lf", &hills) == 1) {
            make_hills(hills);
            continue;
        }
        if (level_load(argv[i], &level)) return 2;
        race(argv[i], level, pairs);
        level_free(&level);
    }
    return 0;
}
