/* SPDX-License-Identifier: MIT */
/* Scenario files: any bytes give queries or an error with its cause and place. Queries that were read can be written,
 * and read back as the same queries. */
#include "fuzz_bytes.h"

#include <wend/wend.h>
#include <wend/scen.h>

static void check_same(const wend_scen *a, const wend_scen *b) {
    size_t count, other;
    const wend_scen_query *one = wend_scen_get_queries(a, &count), *two = wend_scen_get_queries(b, &other);
    FUZZ_CHECK(count == other);
    for (size_t i = 0; i < count; i++) {
        FUZZ_CHECK(one[i].bucket == two[i].bucket && one[i].depth == two[i].depth);
        FUZZ_CHECK(one[i].width == two[i].width && one[i].height == two[i].height);
        FUZZ_CHECK(memcmp(&one[i].start, &two[i].start, sizeof one[i].start) == 0);
        FUZZ_CHECK(memcmp(&one[i].goal, &two[i].goal, sizeof one[i].goal) == 0);
        FUZZ_CHECK(strcmp(one[i].map, two[i].map) == 0);
        FUZZ_CHECK(one[i].length >= two[i].length && one[i].length <= two[i].length);
    }
}

static int is_on(wend_cell cell, int32_t width, int32_t height, int32_t depth) {
    return cell.x >= 0 && cell.x < width && cell.y >= 0 && cell.y < height && cell.z >= 0 && cell.z < depth;
}

static void check_ranges(const wend_scen_query *q) {
    int voxel = q->depth == 0;
    int32_t most = WEND_MAX_SIDE, width = voxel ? most : q->width, height = voxel ? most : q->height;
    FUZZ_CHECK(q->bucket >= 0 && q->width <= most && q->height <= most && q->length >= 0 && q->map[0]);
    FUZZ_CHECK(voxel ? q->width == 0 && q->height == 0 && q->bucket == 0 : q->depth == 1);
    FUZZ_CHECK(is_on(q->start, width, height, voxel ? most : 1) && is_on(q->goal, width, height, voxel ? most : 1));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    wend_scen *scen = NULL, *again = NULL;
    wend_file_error error = {.struct_bytes = sizeof error};
    int32_t result = wend_scen_parse(data, size, &scen, &error);
    if (result != WEND_OK) {
        FUZZ_CHECK(scen == NULL && (result == WEND_BAD_FORMAT || result == WEND_UNSUPPORTED));
        fuzz_check_error(&error, 1);
        return 0;
    }
    size_t count;
    const wend_scen_query *queries = wend_scen_get_queries(scen, &count);
    for (size_t i = 0; i < count; i++) check_ranges(&queries[i]);
    fuzz_bytes file = {0};
    FUZZ_CHECK(wend_scen_write(queries, count, fuzz_append, &file) == WEND_OK);
    FUZZ_CHECK(wend_scen_parse(file.bytes, file.size, &again, &error) == WEND_OK);
    check_same(scen, again);
    wend_scen_free(again);
    wend_scen_free(scen);
    free(file.bytes);
    return 0;
}
