/* SPDX-License-Identifier: MIT */
/* Triangles to spans, by Recast: its filters of ledges, low ceilings and small steps, and the agent's radius. C++ inside,
 * C outside. Recast reports no reason of a failure: arguments are checked before, so what is left is a lack of memory.
 *
 * A tile is voxelised with the columns around it that have a say: as many as the agent's radius, and two. Recast puts
 * what it cuts off into its field's first column, so at the next one ledges are not known, and edges not one later. */
#include <recastnavigation/Recast.h>

#include <stdlib.h>
#include <string.h>

#include "triangles.h"

namespace {

struct Stages {
    rcHeightfield solid; // not by rcAllocHeightfield(), which does not look whether there is memory
    rcCompactHeightfield open;
    int32_t *numbers = nullptr; // of the spans in the tile that are walkable; -1 for the others
    int border = 0;
    ~Stages() { free(numbers); }
};

/* Recast has 6 bits for an area, and of two areas in one span it keeps the higher one. */
struct Classes {
    unsigned char area[256];   // of a class
    unsigned char terrain[64]; // of an area
};

void number_classes(const bool used[256], Classes *out) {
    int count = 0;
    memset(out, 0, sizeof *out);
    for (int c = 1; c < 256; c++) {
        if (!used[c]) continue;
        out->area[c] = static_cast<unsigned char>(++count);
        out->terrain[count] = static_cast<unsigned char>(c);
    }
}

bool rasterise(rcContext *context, const ground_triangles &triangles, const ground_spans &grid, uint32_t tile,
               const Classes &classes, Stages *s) {
    const int side = GROUND_TILE + 2 * s->border;
    const int x = static_cast<int>(tile) % grid.tiles_x * GROUND_TILE - s->border,
              y = static_cast<int>(tile) / grid.tiles_x * GROUND_TILE - s->border;
    const float least[3] = {grid.least[0] + static_cast<float>(x) * grid.cell, grid.least[1],
                            grid.least[2] + static_cast<float>(y) * grid.cell};
    const float most[3] = {least[0] + static_cast<float>(side) * grid.cell, grid.top + grid.level, // a flat level has a height, too
                           least[2] + static_cast<float>(side) * grid.cell};
    if (!rcCreateHeightfield(context, s->solid, side, side, least, most, grid.cell, grid.level)) return false;
    const ground_list &list = triangles.tiles[tile];
    for (uint32_t i = 0; i < list.count; i++) {
        const float *c = &triangles.corners[9 * static_cast<size_t>(list.numbers[i])];
        if (!rcRasterizeTriangle(context, c, c + 3, c + 6, classes.area[triangles.classes[list.numbers[i]]], s->solid,
                                 grid.climb))
            return false;
    }
    return true;
}

/* Recast's own filter of low ceilings (issue 626 there): versions before 1.6 also shut those just high enough. */
void filter_low_ceilings(const ground_spans &grid, rcHeightfield *solid) {
    for (int column = 0; column < solid->width * solid->height; column++)
        for (rcSpan *span = solid->spans[column]; span && span->next; span = span->next)
            if (static_cast<int>(span->next->smin) - static_cast<int>(span->smax) < grid.tall) span->area = RC_NULL_AREA;
}

/* The filter of ledges looks for gaps higher than what it is given. */
void filter(rcContext *context, const ground_spans &grid, Stages *s) {
    rcFilterLowHangingWalkableObstacles(context, grid.climb, s->solid);
    rcFilterLedgeSpans(context, grid.tall - 1, grid.climb, s->solid);
    filter_low_ceilings(grid, &s->solid);
}

int count_floors(const rcSpan *span) {
    int floors = 0;
    for (; span; span = span->next) floors += span->area != RC_NULL_AREA;
    return floors;
}

/* Recast numbers the floors of a column with 6 bits, and forgets the steps to those that have no number. Steps to
 * columns farther from the tile than the radius change nothing in it. */
bool has_too_many_floors(const rcHeightfield &solid) {
    static_assert(WEND_MAX_GROUND_FLOORS == RC_NOT_CONNECTED, "the last number stands for none");
    for (int y = GROUND_SPOILED; y < solid.height - GROUND_SPOILED; y++)
        for (int x = GROUND_SPOILED; x < solid.width - GROUND_SPOILED; x++)
            if (count_floors(solid.spans[y * solid.width + x]) > WEND_MAX_GROUND_FLOORS) return true;
    return false;
}

bool open_up(rcContext *context, const ground_spans &grid, Stages *s) {
    if (!rcBuildCompactHeightfield(context, grid.tall, grid.climb, s->solid, s->open)) return false;
    return grid.radius <= 0 || rcErodeWalkableArea(context, grid.radius, s->open);
}

/* Calls visit(column in the tile, column of the field, x, y) for the columns of the tile that are on the grid. */
template <typename Visit> void for_columns(const ground_spans &grid, uint32_t tile, const Stages &s, Visit visit) {
    const int x0 = static_cast<int>(tile) % grid.tiles_x * GROUND_TILE, y0 = static_cast<int>(tile) / grid.tiles_x * GROUND_TILE;
    for (int y = 0; y < GROUND_TILE && y0 + y < grid.height; y++)
        for (int x = 0; x < GROUND_TILE && x0 + x < grid.width; x++)
            visit(y * GROUND_TILE + x, (y + s.border) * s.solid.width + x + s.border, x0 + x, y0 + y);
}

/* In order of the columns. @return false: no memory */
bool number_spans(const ground_spans &grid, uint32_t tile, Stages *s, ground_piece *out) {
    const rcCompactHeightfield &open = s->open;
    const size_t bytes = (static_cast<size_t>(open.spanCount) + 1) * sizeof *s->numbers;
    s->numbers = static_cast<int32_t *>(malloc(bytes));
    if (!s->numbers) return false;
    memset(s->numbers, 0xff, bytes);
    uint32_t count = 0, rooms = 0;
    for_columns(grid, tile, *s, [&](int, int column, int, int) {
        const rcCompactCell &cell = open.cells[column];
        for (unsigned i = cell.index, end = i + cell.count; i < end; i++)
            if (open.areas[i] != RC_NULL_AREA) s->numbers[i] = static_cast<int32_t>(count++);
        for (const rcSpan *span = s->solid.spans[column]; span; span = span->next) rooms++;
    });
    return wend__ground_reserve_piece(out, count, grid.room_columns ? rooms : 0);
}

void describe_span(const Stages &s, const Classes &classes, unsigned from, int column, int x, int y, ground_span *out) {
    const rcCompactHeightfield &open = s.open;
    const rcCompactSpan &span = open.spans[from];
    out->x = x;
    out->y = y;
    out->floor = span.y;
    out->terrain = classes.terrain[open.areas[from] & 63];
    out->sheet = 0;
    out->free_levels = static_cast<uint8_t>(span.h);
    for (int d = 0; d < GROUND_DIRECTIONS; d++) {
        const int way = rcGetCon(span, d);
        out->next[d] = -1;
        if (way == RC_NOT_CONNECTED) continue;
        out->next[d] = s.numbers[open.cells[column + ground_dx[d] + ground_dy[d] * open.width].index + static_cast<unsigned>(way)];
    }
}

/* The compact height field has only floors that are walkable, so rooms are those of the solid one. */
uint32_t describe_rooms(const Stages &s, int column, ground_room *out) {
    const rcCompactHeightfield &open = s.open;
    unsigned i = open.cells[column].index;
    const unsigned end = i + open.cells[column].count;
    uint32_t count = 0;
    for (const rcSpan *solid = s.solid.spans[column]; solid; solid = solid->next, count++) {
        const int32_t floor = static_cast<int32_t>(solid->smax);
        while (i < end && open.spans[i].y < floor) i++;
        out[count] = {floor, solid->next ? static_cast<int32_t>(solid->next->smin) : INT32_MAX,
                      i < end && open.spans[i].y == floor ? s.numbers[i] : -1};
    }
    return count;
}

void describe_tile(const ground_spans &grid, uint32_t tile, const Stages &s, const Classes &classes, ground_piece *out) {
    const rcCompactHeightfield &open = s.open;
    int done = 0; // columns that have their first spans
    const auto begin_columns = [&](int end) {
        for (; done < end; done++) {
            out->columns[done] = out->count;
            out->room_columns[done] = out->room_count;
        }
    };
    for_columns(grid, tile, s, [&](int own, int column, int x, int y) {
        begin_columns(own + 1);
        const rcCompactCell &cell = open.cells[column];
        for (unsigned i = cell.index, end = i + cell.count; i < end; i++)
            if (s.numbers[i] >= 0) describe_span(s, classes, i, column, x, y, &out->spans[out->count++]);
        if (grid.room_columns) out->room_count += describe_rooms(s, column, &out->rooms[out->room_count]);
    });
    begin_columns(GROUND_TILE_COLUMNS + 1);
}

} // namespace

bool wend__ground_is_walkable(float slope, const float corners[9]) {
    static const int order[3] = {0, 1, 2};
    unsigned char area = RC_NULL_AREA;
    rcContext context(false);
    rcMarkWalkableTriangles(&context, slope, corners, 3, order, 1, &area);
    return area != RC_NULL_AREA;
}

wend_error wend__ground_voxelise(const ground_triangles *triangles, const ground_spans *grid, uint32_t tile, ground_piece *out) {
    Classes classes;
    Stages stages;
    rcContext context(false);
    out->count = out->room_count = 0;
    memset(out->columns, 0, sizeof out->columns);
    memset(out->room_columns, 0, sizeof out->room_columns);
    if (triangles->tiles[tile].count == 0) return WEND_OK;
    stages.border = grid->radius + GROUND_SPOILED;
    number_classes(triangles->used, &classes);
    if (!rasterise(&context, *triangles, *grid, tile, classes, &stages)) return WEND_OUT_OF_MEMORY;
    filter(&context, *grid, &stages);
    if (has_too_many_floors(stages.solid)) return WEND_UNSUPPORTED;
    if (!open_up(&context, *grid, &stages) || !number_spans(*grid, tile, &stages, out)) return WEND_OUT_OF_MEMORY;
    describe_tile(*grid, tile, stages, classes, out);
    return WEND_OK;
}
