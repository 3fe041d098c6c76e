/* SPDX-License-Identifier: MIT */
/* Writing MovingAI .scen files. */
#include "io/file.h"
#include "io/number.h"

#include <math.h>
#include <string.h>

static bool is_name(const char *text) {
    size_t size = text ? strlen(text) : 0;
    if (size == 0 || text[0] == ' ' || text[size - 1] == ' ') return false;
    for (const char *at = text; *at; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7F) return false;
    return true;
}

static bool is_on(wend_cell cell, int32_t width, int32_t height) {
    return cell.x >= 0 && cell.x < width && cell.y >= 0 && cell.y < height && cell.z == 0;
}

/* Only what reads back. */
static bool is_query(const wend_scen_query *q) {
    bool sizes = q->width >= 1 && q->width <= WEND_MAX_SIDE && q->height >= 1 && q->height <= WEND_MAX_SIDE;
    bool cells = sizes && is_on(q->start, q->width, q->height) && is_on(q->goal, q->width, q->height);
    return cells && q->bucket >= 0 && is_name(q->map) && isfinite(q->length) && q->length >= 0;
}

int32_t wend_scen_write(const wend_scen_query *queries, size_t count, wend_write_fn *write, void *context) {
    wend__sink sink;
    if (!write || (!queries && count)) return WEND_BAD_ARGUMENT;
    for (size_t i = 0; i < count; i++)
        if (!is_query(&queries[i])) return WEND_BAD_ARGUMENT;
    wend__sink_init(&sink, write, context);
    wend__sink_print(&sink, "version 1\n");
    for (const wend_scen_query *q = queries; q != queries + count && !sink.error; q++) {
        char length[WEND__DECIMAL_BYTES];
        wend__decimal_text(q->length, length);
        wend__sink_print(&sink, "%d\t", (int)q->bucket);
        wend__sink_put(&sink, q->map, strlen(q->map));
        wend__sink_print(&sink, "\t%d\t%d\t%d\t%d\t%d\t%d\t%s\n", (int)q->width, (int)q->height, (int)q->start.x,
                         (int)q->start.y, (int)q->goal.x, (int)q->goal.y, length);
    }
    return wend__sink_flush(&sink);
}
