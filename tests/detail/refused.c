/* SPDX-License-Identifier: MIT */
/* Comparing details, and the maps of the tables. */
#include "detail/refused.h"

#include <ctype.h>
#include <string.h>

static bool is_alike(const char *pattern, const char *text) {
    for (; *pattern; pattern++) {
        if (!strcmp(pattern, "...")) return true;
        if (*pattern != '#') {
            if (*pattern != *text++) return false;
            continue;
        }
        if (!isdigit((unsigned char)*text)) return false;
        while (isdigit((unsigned char)*text)) text++;
    }
    return !*text;
}

void check_refusal(const char *file, int line, wend_error expected, const char *detail, wend_error error) {
    const char *said = wend_error_detail(error);
    cr_expect_eq(error, expected, "%s:%d: %s: %s", file, line, wend_error_name(error), said);
    cr_expect(is_alike(detail, said), "%s:%d:\n  says     %s\n  expected %s", file, line, said, detail);
    cr_expect_lt(strlen(said), 200, "%s:%d: too long", file, line);
}

static wend_map *make_map(int32_t kind, int32_t depth) {
    wend_map *map;
    wend_map_def def = default_map();
    def.kind = kind, def.width = 10, def.height = 8, def.depth = depth;
    cr_assert_eq(wend_map_create(&def, &map), WEND_OK);
    return map;
}

wend_map *make_grid(void) {
    return make_map(WEND_KIND_GRID, 1);
}

wend_map *make_space(void) {
    return make_map(WEND_KIND_VOXEL, 4);
}

wend_map *make_graph(void) {
    static const wend_edge edges[] = {{.from = 0, .to = 1, .cost = 5}, {.from = 1, .to = 2, .cost = 5}};
    wend_map *map;
    wend_graph_def def = default_graph();
    def.node_count = 3, def.edges = edges, def.edge_count = 2;
    cr_assert_eq(wend_graph_create(&def, &map), WEND_OK);
    return map;
}
