/* SPDX-License-Identifier: MIT */
/* Options that say how a map is walked and searched; cells in words and in JSON. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* Reads a whole number of at most 9 digits, moves *text past it. */
static bool take_int(const char **text, int32_t *out) {
    const char *at = *text;
    bool negative = *at == '-';
    int32_t value = 0, digits = 0;
    if (negative) at++;
    for (; *at >= '0' && *at <= '9'; at++) {
        if (++digits > 9) return false;
        value = value * 10 + (*at - '0');
    }
    if (digits == 0) return false;
    *text = at;
    *out = negative ? -value : value;
    return true;
}

/* Up to three whole numbers parted by commas. @return how many, 0 where it is not that */
static int take_ints(const char *text, int32_t out[3]) {
    int count = 0;
    while (count < 3) {
        if (!take_int(&text, &out[count++])) return 0;
        if (*text == '\0') return count;
        if (*text++ != ',') return 0;
    }
    return 0;
}

bool cli_parse_cell(const char *text, wend_cell *out) {
    int32_t numbers[3] = {0, 0, 0};
    if (take_ints(text, numbers) < 2) return false;
    *out = (wend_cell){numbers[0], numbers[1], numbers[2]};
    return true;
}

void cli_json_cell(FILE *out, wend_cell cell) {
    fprintf(out, "[%" PRId32 ",%" PRId32 "]", cell.x, cell.y);
}

void cli_json_cells(FILE *out, const wend_cell *cells, size_t count) {
    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        if (i > 0) fputc(',', out);
        cli_json_cell(out, cells[i]);
    }
    fputc(']', out);
}

static int apply_cost(const char *text, wend_map_rules *rules) {
    int32_t costs[3] = {0, 0, 1};
    int count = take_ints(text, costs);
    if (count < 2) return cli_fail("--cost is S,D[,T] in whole numbers, such as 10,14; not '%s'", text);
    for (int i = 0; i < count; i++) {
        if (costs[i] < 1 || costs[i] > WEND_MAX_COST)
            return cli_fail("--cost: each is from 1 to %d, not %" PRId32, WEND_MAX_COST, costs[i]);
    }
    if (costs[1] < costs[0] || costs[1] > 2 * costs[0])
        return cli_fail("--cost: a diagonal step costs from S to 2 S, here %" PRId32 " to %" PRId32 ", not %" PRId32,
                        costs[0], 2 * costs[0], costs[1]);
    rules->cost_straight = costs[0];
    rules->cost_diagonal = costs[1];
    return -1;
}

int cli_rules_apply(const cli_rules *given, wend_map_rules *rules) {
    static const int32_t neighbours[] = {4, 8, 6, 18, 26}; /* as in CLI_NEIGHBOURS */
    if (given->neighbours >= 2)
        return cli_fail("--neighbours %" PRId32 " is for maps in space; a flat grid has 4 or 8",
                        neighbours[given->neighbours]);
    if (given->neighbours >= 0) rules->neighbours = neighbours[given->neighbours];
    if (given->corners >= 0) rules->corners = given->corners;
    return given->cost != NULL ? apply_cost(given->cost, rules) : -1;
}

int cli_engine_check(int32_t engine_index) {
    if (engine_index == 2) return cli_fail("--engine jump is not available in this version");
    return -1;
}
