/* SPDX-License-Identifier: MIT */
/* A navigation mesh of a grid: open cells merged into rectangles, tile by tile. */
#include "detour_mesh.h"

#include <cstdio>
#include <cstdlib>
#include <recastnavigation/DetourNavMeshBuilder.h>
#include <utility>
#include <vector>

static const int CORNERS = 6;
static const unsigned short NONE = 0xffff;

void detour_need(bool done, const char *what) {
    if (done) return;
    std::fprintf(stderr, "Detour: %s\n", what);
    std::exit(2);
}

struct rectangle {
    int x0, y0, x1, y1; /* the last two lie outside */
};
struct corner {
    int x, y;
};

/* A tile's cells: which rectangle each is of; -1 closed, -2 not in the tile. */
struct tile_cells {
    int side, left, top;
    std::vector<int> owners;
    std::vector<rectangle> rectangles;

    int owner(int x, int y) const {
        return x < 0 || y < 0 || x >= side || y >= side ? -2 : owners[(size_t)(y * side + x)];
    }
    void own(const rectangle &r, int id) {
        for (int y = r.y0; y < r.y1; y++)
            for (int x = r.x0; x < r.x1; x++) owners[(size_t)(y * side + x)] = id;
    }
};

static void merge(tile_cells &tile, const detour_ground &ground) {
    const int OPEN = -3;
    for (int i = 0; i < tile.side * tile.side; i++) {
        const int x = tile.left + i % tile.side, y = tile.top + i / tile.side;
        tile.owners.push_back(ground.is_open(ground.context, x, y) ? OPEN : -1);
    }
    for (int i = 0; i < tile.side * tile.side; i++) {
        rectangle r = {i % tile.side, i / tile.side, i % tile.side, i / tile.side + 1};
        while (tile.owner(r.x1, r.y0) == OPEN) r.x1++;
        if (r.x1 == r.x0) continue;
        for (bool whole = true; whole; r.y1 += whole)
            for (int x = r.x0; x < r.x1 && whole; x++) whole = tile.owner(x, r.y1) == OPEN;
        tile.own(r, (int)tile.rectangles.size());
        tile.rectangles.push_back(r);
    }
}

/* A rectangle's corners and those of its neighbours on its rim: from (x0, y0) towards y, x, back along y, and x. */
static std::vector<corner> rim(const tile_cells &tile, const rectangle &r) {
    std::vector<corner> corners;
    for (int y = r.y0; y < r.y1; y++)
        if (y == r.y0 || tile.owner(r.x0 - 1, y - 1) != tile.owner(r.x0 - 1, y)) corners.push_back({r.x0, y});
    for (int x = r.x0; x < r.x1; x++)
        if (x == r.x0 || tile.owner(x - 1, r.y1) != tile.owner(x, r.y1)) corners.push_back({x, r.y1});
    for (int y = r.y1; y > r.y0; y--)
        if (y == r.y1 || tile.owner(r.x1, y - 1) != tile.owner(r.x1, y)) corners.push_back({r.x1, y});
    for (int x = r.x1; x > r.x0; x--)
        if (x == r.x1 || tile.owner(x - 1, r.y0 - 1) != tile.owner(x, r.y0 - 1)) corners.push_back({x, r.y0});
    return corners;
}

static void cut(tile_cells &tile, size_t id, const corner &at) {
    rectangle &r = tile.rectangles[id], other = r;
    if (at.x > r.x0 && at.x < r.x1)
        r.x1 = other.x0 = at.x;
    else
        r.y1 = other.y0 = at.y;
    tile.own(other, (int)tile.rectangles.size());
    tile.rectangles.push_back(other);
}

static bool is_true_corner(const rectangle &r, const corner &c) {
    return (c.x == r.x0 || c.x == r.x1) && (c.y == r.y0 || c.y == r.y1);
}

/* Until no rectangle has too many corners. One a cell wide has four, so this ends. */
static void cut_all(tile_cells &tile) {
    for (bool again = true; again;) {
        again = false;
        for (size_t id = 0; id < tile.rectangles.size(); id++) {
            std::vector<corner> corners = rim(tile, tile.rectangles[id]), more;
            if (corners.size() <= (size_t)CORNERS) continue;
            for (const corner &c : corners)
                if (!is_true_corner(tile.rectangles[id], c)) more.push_back(c);
            cut(tile, id, more[more.size() / 2]);
            again = true;
        }
    }
}

/* What lies beyond the edge between two corners of a rim. */
static unsigned short beyond(const tile_cells &tile, const corner &a, const corner &b) {
    int id = a.y < b.y   ? tile.owner(a.x - 1, a.y)
             : a.x < b.x ? tile.owner(a.x, a.y)
             : a.y > b.y ? tile.owner(a.x, b.y)
                         : tile.owner(b.x, a.y - 1);
    if (id == -2) return (unsigned short)(0x8000 | (a.y < b.y ? 0 : a.x < b.x ? 1 : a.y > b.y ? 2 : 3));
    return id < 0 ? NONE : (unsigned short)id;
}

static void add_tile(dtNavMesh *navigation, const tile_cells &tile, float cell, int column, int row) {
    std::vector<unsigned short> vertices, polygons, flags(tile.rectangles.size(), 1);
    std::vector<unsigned char> areas(tile.rectangles.size(), 0);
    std::vector<int> index((size_t)((tile.side + 1) * (tile.side + 1)), -1);
    for (const rectangle &r : tile.rectangles) {
        std::vector<corner> corners = rim(tile, r);
        std::vector<unsigned short> polygon(2 * (size_t)CORNERS, NONE);
        for (size_t i = 0; i < corners.size(); i++) {
            const corner &c = corners[i];
            int &vertex = index[(size_t)(c.y * (tile.side + 1) + c.x)];
            if (vertex < 0) {
                vertex = (int)vertices.size() / 3;
                for (int value : {c.x, 0, c.y}) vertices.push_back((unsigned short)value);
            }
            polygon[i] = (unsigned short)vertex;
            polygon[(size_t)CORNERS + i] = beyond(tile, c, corners[(i + 1) % corners.size()]);
        }
        polygons.insert(polygons.end(), polygon.begin(), polygon.end());
    }
    dtNavMeshCreateParams params = {};
    params.verts = vertices.data();
    params.vertCount = (int)vertices.size() / 3;
    params.polys = polygons.data();
    params.polyAreas = areas.data();
    params.polyFlags = flags.data();
    params.polyCount = (int)tile.rectangles.size();
    params.nvp = CORNERS;
    params.walkableHeight = 2;
    params.walkableClimb = 1;
    params.tileX = column;
    params.tileY = row;
    params.bmin[0] = cell * (float)tile.left, params.bmin[2] = cell * (float)tile.top;
    params.bmax[0] = cell * (float)(tile.left + tile.side), params.bmax[2] = cell * (float)(tile.top + tile.side);
    params.bmax[1] = 1;
    params.cs = cell, params.ch = 1;
    params.buildBvTree = true;
    unsigned char *data = nullptr;
    int size = 0;
    detour_need(dtCreateNavMeshData(&params, &data, &size), "no tile");
    detour_need(dtStatusSucceed(navigation->addTile(data, size, DT_TILE_FREE_DATA, 0, nullptr)), "no room for a tile");
}

dtNavMesh *detour_build(const detour_ground &ground, int side, size_t *polygons) {
    int columns = (ground.width + side - 1) / side, rows = (ground.height + side - 1) / side, tile_bits = 1;
    while (1 << tile_bits < columns * rows) tile_bits++;
    dtNavMeshParams params = {};
    params.tileWidth = params.tileHeight = ground.cell * (float)side;
    params.maxTiles = 1 << tile_bits;
    params.maxPolys = 1 << (22 - tile_bits);
    dtNavMesh *navigation = dtAllocNavMesh();
    detour_need(dtStatusSucceed(navigation->init(&params)), "no mesh");
    for (int i = 0; i < columns * rows; i++) {
        tile_cells tile = {side, i % columns * side, i / columns * side, {}, {}};
        merge(tile, ground);
        cut_all(tile);
        *polygons += tile.rectangles.size();
        if (!tile.rectangles.empty()) add_tile(navigation, tile, ground.cell, i % columns, i / columns);
    }
    return navigation;
}

dtPolyRef detour_polygon_at(const dtNavMeshQuery *query, const dtQueryFilter *filter, int x, int y, float *point) {
    const float centre[3] = {(float)x + 0.5f, 0, (float)y + 0.5f}, reach[3] = {0.3f, 1, 0.3f};
    dtPolyRef polygon = 0;
    query->findNearestPoly(centre, reach, filter, &polygon, point);
    return polygon;
}
