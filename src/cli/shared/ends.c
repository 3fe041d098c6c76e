/* SPDX-License-Identifier: MIT */
/* Reads the cells of --from and --to, and makes searches for commands that answer one query. */
#include <inttypes.h>

#include "cli/output/cells.h"
#include "cli/output/messages.h"
#include "cli/shared/ends.h"
#include "cli/world/world.h"

static int fail_off_map(const wend_map_info *info, const char *option, const char *text) {
    const wend_cell first = cli_first_cell;
    if (info->kind == WEND_KIND_GRAPH) return cli_fail("%s %s is not on the map: there is no such node", option, text);
    if (info->kind == WEND_KIND_GRID)
        return cli_fail("%s %s is not on the map: x is from %" PRId32 " to %" PRId32 ", y from %" PRId32 " to %" PRId32,
                        option, text, first.x, first.x + info->width - 1, first.y, first.y + info->height - 1);
    return cli_fail("%s %s is not on the map: x is from %" PRId32 " to %" PRId32 ", y from %" PRId32 " to %" PRId32
                    ", z from 0 to %" PRId32,
                    option, text, first.x, first.x + info->width - 1, first.y, first.y + info->height - 1,
                    info->depth - 1);
}

int cli_read_end(const wend_map *map, const wend_map_info *info, const char *option, const char *text, wend_cell *out) {
    static const char *const forms[] = {"a cell such as 3,1", "a cell such as 3,1,2",
                                        "the number of a node, such as 3"};
    if (!cli_parse_cell(text, info->kind, out))
        return cli_fail("%s is %s; not '%s'", option, forms[info->kind - WEND_KIND_GRID], text);
    return cli_has_cell(map, info, *out) ? CLI_DONE : fail_off_map(info, option, text);
}

wend_error cli_search_create(const wend_map_info *info, bool far, wend_search **out) {
    wend_search_def def;
    wend_search_def_init(&def, sizeof def);
    def.nodes = cli_search_nodes(info);
    if (!far) def.far_nodes = 0;
    wend_error error = wend_search_create(&def, out);
    while (error && def.nodes > WEND_PAGE_NODES) {
        def.nodes /= 2;
        error = wend_search_create(&def, out);
    }
    return error;
}

wend_completion cli_result_of(const wend_search *search) {
    wend_completion result = {.struct_bytes = sizeof result};
    wend_search_get_result(search, &result);
    return result;
}
