/* SPDX-License-Identifier: MIT */
/* Scenario files: any bytes give queries within their ranges, or an error with its cause and place. */
#include "fuzz_bytes.h"

#include "scen/scenario.h"

static int is_on(wend_cell cell, int32_t width, int32_t height, int32_t depth) {
    return cell.x >= 0 && cell.x < width && cell.y >= 0 && cell.y < height && cell.z >= 0 && cell.z < depth;
}

static void check_ranges(const scenario_query *q) {
    int voxel = q->depth == 0;
    int32_t most = WEND_MAX_SIDE, width = voxel ? most : q->width, height = voxel ? most : q->height;
    FUZZ_CHECK(q->width <= most && q->height <= most && q->length >= 0 && q->map[0]);
    FUZZ_CHECK(voxel ? q->width == 0 && q->height == 0 : q->depth == 1);
    FUZZ_CHECK(is_on(q->start, width, height, voxel ? most : 1) && is_on(q->goal, width, height, voxel ? most : 1));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    scenario s;
    wend_file_error error;
    wend_error result = scenario_parse(data, size, &s, &error);
    if (result != WEND_OK) {
        FUZZ_CHECK(!s.queries && (result == WEND_BAD_FORMAT || result == WEND_UNSUPPORTED));
        fuzz_check_error(&error, 1);
        return 0;
    }
    for (size_t i = 0; i < s.count; i++) check_ranges(&s.queries[i]);
    scenario_free(&s);
    return 0;
}
