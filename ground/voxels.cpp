/* SPDX-License-Identifier: MIT */
/* Triangles to spans, by Recast: its filters of ledges, low ceilings and small steps, and the agent's radius. C++ inside,
 * C outside. Recast reports no reason of a failure: arguments are checked before, so what is left is a lack of memory. */
#include <recastnavigation/Recast.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "spans.h"

namespace {

struct Stages {
    rcHeightfield *solid = nullptr;
    rcCompactHeightfield *open = nullptr;
    unsigned char *areas = nullptr;
    ~Stages() {
        rcFreeHeightField(solid);
        rcFreeCompactHeightfield(open);
        free(areas);
    }
};

/* Recast has 6 bits for an area; 63 is what it marks as walkable itself. */
struct Classes {
    unsigned char area[256];  // of a class
    unsigned char terrain[64]; // of an area
};

bool number_classes(const wend_ground_def *def, Classes *out) {
    bool used[256] = {};
    if (!def->classes) used[WEND_CLASS_OPEN] = true;
    for (size_t i = 0; def->classes && i < def->triangle_count; i++) used[def->classes[i]] = true;
    memset(out, 0, sizeof *out);
    int count = 0;
    for (int c = 1; c < 256; c++) {
        if (!used[c]) continue;
        if (++count > WEND_MAX_GROUND_CLASSES) return false;
        out->area[c] = static_cast<unsigned char>(count);
        out->terrain[count] = static_cast<unsigned char>(c);
    }
    return true;
}

/* Lengths as whole cells or levels; a hair's breadth is forgiven. */
int up_to_cells(float length, float unit) { return static_cast<int>(ceilf(length / unit - 1e-4f)); }
int down_to_cells(float length, float unit) { return static_cast<int>(floorf(length / unit + 1e-4f)); }

bool rasterise(rcContext *context, const wend_ground_def *def, const float *vertices, const Classes *classes,
               const ground_spans *grid, const float most[3], Stages *s) {
    const int vertex_count = static_cast<int>(def->vertex_count), count = static_cast<int>(def->triangle_count);
    const int *triangles = reinterpret_cast<const int *>(def->triangles);
    s->areas = static_cast<unsigned char *>(calloc(static_cast<size_t>(count) + 1, 1));
    s->solid = rcAllocHeightfield();
    if (!s->areas || !s->solid ||
        !rcCreateHeightfield(context, *s->solid, grid->width, grid->height, grid->least, most, grid->cell, grid->level))
        return false;
    rcMarkWalkableTriangles(context, def->slope, vertices, vertex_count, triangles, count, s->areas);
    for (int i = 0; i < count; i++)
        if (s->areas[i] != RC_NULL_AREA)
            s->areas[i] = classes->area[def->classes ? def->classes[i] : static_cast<int>(WEND_CLASS_OPEN)];
    return rcRasterizeTriangles(context, vertices, vertex_count, triangles, s->areas, count, *s->solid,
                                down_to_cells(def->climb, def->level));
}

bool open_up(rcContext *context, const wend_ground_def *def, Stages *s) {
    const int height = up_to_cells(def->height, def->level), climb = down_to_cells(def->climb, def->level);
    const int radius = up_to_cells(def->radius, def->cell);
    rcFilterLowHangingWalkableObstacles(context, climb, *s->solid);
    rcFilterLedgeSpans(context, height, climb, *s->solid);
    rcFilterWalkableLowHeightSpans(context, height, *s->solid);
    s->open = rcAllocCompactHeightfield();
    if (!s->open || !rcBuildCompactHeightfield(context, height, climb, *s->solid, *s->open)) return false;
    return radius <= 0 || rcErodeWalkableArea(context, radius, *s->open);
}

/* Numbers those that are walkable, in order of the columns; the others get -1. */
bool number_spans(const rcCompactHeightfield &open, int32_t *numbers, ground_spans *out) {
    const size_t columns = static_cast<size_t>(open.width) * static_cast<size_t>(open.height);
    out->columns = static_cast<uint32_t *>(malloc((columns + 1) * sizeof *out->columns));
    if (!out->columns) return false;
    uint32_t count = 0;
    for (size_t c = 0; c < columns; c++) {
        const rcCompactCell &cell = open.cells[c];
        out->columns[c] = count;
        for (unsigned i = cell.index, end = i + cell.count; i < end; i++)
            numbers[i] = open.areas[i] != RC_NULL_AREA ? static_cast<int32_t>(count++) : -1;
    }
    out->columns[columns] = out->count = count;
    out->spans = static_cast<ground_span *>(malloc((static_cast<size_t>(count) + 1) * sizeof *out->spans));
    return out->spans != nullptr;
}

void describe_span(const rcCompactHeightfield &open, const Classes &classes, const int32_t *numbers, unsigned from, int x,
                   int y, ground_span *out) {
    const rcCompactSpan &span = open.spans[from];
    out->x = x;
    out->y = y;
    out->floor = span.y;
    out->terrain = classes.terrain[open.areas[from] & 63];
    for (int d = 0; d < GROUND_DIRECTIONS; d++) {
        const int way = rcGetCon(span, d);
        out->next[d] = -1;
        if (way == RC_NOT_CONNECTED) continue;
        const int column = x + ground_dx[d] + (y + ground_dy[d]) * open.width;
        out->next[d] = numbers[open.cells[column].index + static_cast<unsigned>(way)];
    }
}

/* The compact height field has only floors that are walkable, so rooms are those of the solid one. */
uint32_t copy_column(const rcCompactHeightfield &open, const rcSpan *solid, size_t column, const int32_t *numbers,
                     ground_room *out) {
    unsigned i = open.cells[column].index;
    const unsigned end = i + open.cells[column].count;
    uint32_t count = 0;
    for (; solid; solid = solid->next, count++) {
        const int32_t floor = static_cast<int32_t>(solid->smax);
        while (i < end && open.spans[i].y < floor) i++;
        out[count] = {floor, solid->next ? static_cast<int32_t>(solid->next->smin) : INT32_MAX,
                      i < end && open.spans[i].y == floor ? numbers[i] : -1};
    }
    return count;
}

bool copy_air(const Stages &stages, const int32_t *numbers, ground_air *out) {
    const rcHeightfield &solid = *stages.solid;
    const size_t columns = static_cast<size_t>(solid.width) * static_cast<size_t>(solid.height);
    size_t spans = 0;
    for (size_t c = 0; c < columns; c++)
        for (const rcSpan *span = solid.spans[c]; span; span = span->next) spans++;
    out->columns = static_cast<uint32_t *>(malloc((columns + 1) * sizeof *out->columns));
    out->rooms = static_cast<ground_room *>(malloc((spans + 1) * sizeof *out->rooms));
    if (!out->columns || !out->rooms) return false;
    uint32_t count = 0;
    for (size_t c = 0; c < columns; c++) {
        out->columns[c] = count;
        count += copy_column(*stages.open, solid.spans[c], c, numbers, &out->rooms[count]);
    }
    out->columns[columns] = count;
    return true;
}

bool copy_spans(const Stages &stages, const Classes &classes, ground_spans *out, ground_air *air) {
    const rcCompactHeightfield &open = *stages.open;
    int32_t *numbers = static_cast<int32_t *>(malloc((static_cast<size_t>(open.spanCount) + 1) * sizeof *numbers));
    if (!numbers) return false;
    bool good = number_spans(open, numbers, out);
    for (int y = 0; good && y < open.height; y++) {
        for (int x = 0; x < open.width; x++) {
            const rcCompactCell &cell = open.cells[x + y * open.width];
            for (unsigned i = cell.index, end = i + cell.count; i < end; i++)
                if (numbers[i] >= 0) describe_span(open, classes, numbers, i, x, y, &out->spans[numbers[i]]);
        }
    }
    if (good && air) good = copy_air(stages, numbers, air);
    free(numbers);
    return good;
}

} // namespace

bool wend__ground_voxelise(const wend_ground_def *def, const float *y_up, ground_spans *out, ground_air *air,
                           ground_trouble *trouble) {
    Classes classes;
    Stages stages;
    rcContext context(false);
    float most[3];
    *out = {};
    out->cell = def->cell;
    out->level = def->level;
    if (!number_classes(def, &classes)) return wend__ground_fail(trouble, WEND_UNSUPPORTED, "more than 62 terrain classes");
    rcCalcBounds(y_up, static_cast<int>(def->vertex_count), out->least, most);
    const double columns = (static_cast<double>(most[0]) - out->least[0]) / def->cell + 1,
                 rows = (static_cast<double>(most[2]) - out->least[2]) / def->cell + 1,
                 levels = (static_cast<double>(most[1]) - out->least[1]) / def->level;
    if (columns > WEND_MAX_GROUND_SIDE || rows > WEND_MAX_GROUND_SIDE)
        return wend__ground_fail(trouble, WEND_UNSUPPORTED, "more than 16,384 columns on a side: take larger cells");
    if (levels > WEND_MAX_GROUND_LEVELS)
        return wend__ground_fail(trouble, WEND_UNSUPPORTED, "more than 8,190 levels: take higher ones");
    out->width = static_cast<int32_t>(columns);
    out->height = static_cast<int32_t>(rows);
    most[1] += def->level; /* a flat level has a height, too */
    if (!rasterise(&context, def, y_up, &classes, out, most, &stages) || !open_up(&context, def, &stages) ||
        !copy_spans(stages, classes, out, air)) {
        wend__ground_drop_spans(out);
        return wend__ground_fail(trouble, WEND_OUT_OF_MEMORY, "no memory");
    }
    if (out->count > 0) return true;
    wend__ground_drop_spans(out);
    return wend__ground_fail(trouble, WEND_EMPTY, "there is nowhere to stand (do triangles turn counter-clockwise, seen from above?)");
}
