/* SPDX-License-Identifier: MIT */
/* Spans and their eight neighbours. */
#include "spans.h"

#include <stdio.h>
#include <stdlib.h>

bool wend__ground_fail(ground_trouble *trouble, wend_error code, const char *text) {
    trouble->code = code;
    snprintf(trouble->text, sizeof trouble->text, "%s", text);
    return false;
}

void wend__ground_drop_spans(ground_spans *spans) {
    free(spans->columns);
    free(spans->spans);
    spans->columns = NULL;
    spans->spans = NULL;
}

void wend__ground_drop_air(ground_air *air) {
    free(air->columns);
    free(air->rooms);
    air->columns = NULL;
    air->rooms = NULL;
}

int32_t wend__ground_neighbour(const ground_spans *spans, int32_t span, int32_t k) {
    const int32_t first = k / 2, second = (first + 1) % GROUND_DIRECTIONS;
    const int32_t side = spans->spans[span].next[first];
    if (k % 2 == 0) return side;
    const int32_t other = spans->spans[span].next[second];
    if (side < 0 || other < 0) return -1;
    const int32_t corner = spans->spans[side].next[second];
    return corner == spans->spans[other].next[first] ? corner : -1;
}
