/* SPDX-License-Identifier: MIT */
/* Writing MovingAI .scen and .3dscen files. */
#include "io/scenarios/scenario.h"
#include "io/text/text.h"
#include "io/text/sink.h"

#include <math.h>
#include <string.h>

static bool is_name(const char *text) {
    size_t size = text ? strlen(text) : 0;
    if (size == 0 || text[0] == ' ' || text[size - 1] == ' ') return false;
    for (const char *at = text; *at; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7F) return false;
    return true;
}

static bool is_on(wend_cell cell, int32_t width, int32_t height, int32_t depth) {
    return cell.x >= 0 && cell.x < width && cell.y >= 0 && cell.y < height && cell.z >= 0 && cell.z < depth;
}

static bool is_voxel(const wend_scen_query *q) {
    return q->width == 0 && q->height == 0 && q->depth == 0;
}

/* Returns whether the query can be read back. All queries must be of the kind of the first. */
static bool is_query(const wend_scen_query *q, const wend_scen_query *first) {
    int32_t width = q->width, height = q->height, depth = q->depth;
    if (q->bucket < 0 || !is_name(q->map) || !isfinite(q->length) || q->length < 0) return false;
    if (is_voxel(first)) {
        bool named = strcmp(q->map, first->map) == 0 && wend__is_voxel_name(q->map, strlen(q->map));
        if (!is_voxel(q) || !named || q->bucket != 0) return false;
        width = height = depth = WEND_MAX_SIDE;
    } else if (width < 1 || width > WEND_MAX_SIDE || height < 1 || height > WEND_MAX_SIDE || depth != 1) {
        return false;
    }
    return is_on(q->start, width, height, depth) && is_on(q->goal, width, height, depth);
}

static void put_flat(wend__sink *sink, const wend_scen_query *q, const char *length) {
    wend__sink_print(sink, "%d\t", (int)q->bucket);
    wend__sink_put(sink, q->map, strlen(q->map));
    wend__sink_print(sink, "\t%d\t%d\t%d\t%d\t%d\t%d\t%s\n", (int)q->width, (int)q->height, (int)q->start.x,
                     (int)q->start.y, (int)q->goal.x, (int)q->goal.y, length);
}

static int64_t apart(int32_t a, int32_t b) {
    return a < b ? (int64_t)b - a : (int64_t)a - b;
}

/* The distance on empty ground with 26 neighbours. */
static double distance(wend_cell a, wend_cell b) {
    int64_t x = apart(a.x, b.x), y = apart(a.y, b.y), z = apart(a.z, b.z), most = x, least = x;
    if (y > most) most = y;
    if (z > most) most = z;
    if (y < least) least = y;
    if (z < least) least = z;
    const double sqrt_2 = 1.4142135623730951, sqrt_3 = 1.7320508075688772; /* constants, so that libm is not needed */
    return (double)most + (double)(x + y + z - most - least) * (sqrt_2 - 1) + (double)least * (sqrt_3 - sqrt_2);
}

static void put_voxel(wend__sink *sink, const wend_scen_query *q, const char *length) {
    double empty = distance(q->start, q->goal), ratio = empty > 0 ? q->length / empty : 1;
    char text[WEND__DECIMAL_BYTES];
    wend__decimal_text(ratio < 1e9 ? (double)(int64_t)(ratio * 1000 + 0.5) / 1000 : ratio, text);
    wend__sink_print(sink, "%d %d %d %d %d %d %s %s\n", (int)q->start.x, (int)q->start.y, (int)q->start.z,
                     (int)q->goal.x, (int)q->goal.y, (int)q->goal.z, length, text);
}

wend_error wend_scen_write(const wend_scen_query *queries, size_t count, wend_write_fn *write, void *context) {
    wend__sink sink;
    if (!write) return wend__refuse_null("write");
    wend_error error = wend__check_room("queries", queries, count);
    if (error) return error;
    for (size_t i = 0; i < count; i++)
        if (!is_query(&queries[i], &queries[0]))
            return wend__refuse(WEND_BAD_ARGUMENT, "queries[%zu] is none that a scenario file can hold", i);
    bool voxels = count && is_voxel(&queries[0]);
    wend__sink_init(&sink, write, context);
    wend__sink_print(&sink, "version 1\n");
    if (voxels) {
        wend__sink_put(&sink, queries[0].map, strlen(queries[0].map));
        wend__sink_put(&sink, "\n", 1);
    }
    for (const wend_scen_query *q = queries; q != queries + count && !sink.error; q++) {
        char length[WEND__DECIMAL_BYTES];
        wend__decimal_text(q->length, length);
        if (voxels)
            put_voxel(&sink, q, length);
        else
            put_flat(&sink, q, length);
    }
    error = wend__sink_flush(&sink);
    return error ? wend__refuse(error, "the callback that writes returned an error") : WEND_OK;
}
