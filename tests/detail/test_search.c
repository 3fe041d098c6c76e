/* SPDX-License-Identifier: MIT */
/* Details of search.h: requests, and searches without a service. */
#include "detail/refused.h"
#include "models/owned.h"

static wend_map *map;
static wend_request request;

static void set_up(void) {
    map = make_grid();
    request = default_request();
    request.map = map, request.start = CELL(1, 1), request.goal = CELL(3, 3);
}

static void tear_down(void) {
    wend_map_release(map);
}

Test(detail, of_a_request, .init = set_up, .fini = tear_down) {
    struct {
        wend_request request;
        uint64_t newer;
    } longer = {request, 1};
    longer.request.struct_bytes = sizeof longer;
    BAD("wend_request.struct_bytes is #...", wend_request_explain(&longer.request, NULL, NULL));
}

Test(detail, of_a_path_in_one_call, .init = set_up, .fini = tear_down) {
    size_t count;
    BAD(ABSENT("cells"), wend_find_path(map, CELL(0, 0), CELL(1, 1), NULL, 4, &count, NULL));
}

Test(detail, of_a_search, .init = set_up, .fini = tear_down) {
    OWNED_SEARCH *search = NULL;
    wend_cell cell;
    size_t count;
    wend_search_def def = default_search(), none = def;
    none.nodes = 0;
    BAD("nodes is 0, but must be at least 1", wend_search_create(&none, &search));
    cr_assert_eq(wend_search_create(&def, &search), WEND_OK);
    BAD("request.urgency is -1001...", request.urgency = -1001, wend_search_begin(search, &request));
    request.urgency = 0;
    FAILS(EMPTY, "nothing of a path is known yet, or there is none", wend_search_get_prefix(search, NULL, 0, NULL));
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    wend_completion result = {.struct_bytes = 1};
    BAD(SIZED("wend_completion", 1), wend_search_get_result(search, &result));
    FAILS(EMPTY, "the search has no path: its status is pending", wend_search_get_path(search, &cell, 1, &count));
    FAILS(EMPTY, "the search has no path: its status is pending", wend_search_get_crossings(search, &cell, 1, &count));
    BAD(ABSENT("cells"), wend_search_get_expanded(search, NULL, 1, &count));
    wend_nearest_def nearest = default_nearest();
    wend_hit hit;
    nearest.map = map;
    BAD("capacity is 0, but must be at least 1", wend_find_nearest(&nearest, &hit, 0, &count));
    BAD(ABSENT("nodes"), wend_search_get_open(search, NULL, 1, &count));
}
