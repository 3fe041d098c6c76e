/* SPDX-License-Identifier: MIT */
/* Cells read from words, and printed as words and JSON. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/output/cells.h"
#include <wend/graph.h>
#include <wend/ways.h>

wend_cell cli_first_cell;

/* Reads a whole number of at most 9 digits and moves *text past it. */
static bool read_int(const char **text, int32_t *out) {
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

int cli_parse_ints(const char *text, int32_t out[3]) {
    int count = 0;
    while (count < 3) {
        if (!read_int(&text, &out[count++])) return 0;
        if (*text == '\0') return count;
        if (*text++ != ',') return 0;
    }
    return 0;
}

bool cli_parse_cell(const char *text, int32_t kind, wend_cell *out) {
    int32_t numbers[3] = {0, 0, 0};
    int count = cli_parse_ints(text, numbers);
    if (kind == WEND_KIND_GRAPH ? count != 1 : count < 2) return false;
    *out = (wend_cell){numbers[0] - cli_first_cell.x, numbers[1] - cli_first_cell.y, numbers[2]};
    return true;
}

bool cli_has_cell(const wend_map *map, const wend_map_info *info, wend_cell cell) {
    if (cell.x < 0 || cell.y < 0 || cell.z < 0) return false;
    if (cell.x >= info->width || cell.y >= info->height || cell.z >= info->depth) return false;
    size_t edges;
    return info->kind != WEND_KIND_GRAPH || !wend_map_get_edges(map, (uint32_t)cell.x, NULL, 0, &edges);
}

cli_cell_words cli_cell_text(int32_t kind, wend_cell cell) {
    cli_cell_words words;
    cell.x += cli_first_cell.x, cell.y += cli_first_cell.y;
    if (kind == WEND_KIND_GRAPH)
        snprintf(words.text, sizeof words.text, "%" PRId32, cell.x);
    else if (kind == WEND_KIND_GRID)
        snprintf(words.text, sizeof words.text, "%" PRId32 ",%" PRId32, cell.x, cell.y);
    else
        snprintf(words.text, sizeof words.text, "%" PRId32 ",%" PRId32 ",%" PRId32, cell.x, cell.y, cell.z);
    return words;
}

void cli_print_cell(FILE *out, int32_t kind, wend_cell cell) {
    fputs(cli_cell_text(kind, cell).text, out);
}

void cli_json_cell(FILE *out, int32_t kind, wend_cell cell) {
    if (kind != WEND_KIND_GRAPH) fputc('[', out);
    cli_print_cell(out, kind, cell);
    if (kind != WEND_KIND_GRAPH) fputc(']', out);
}

void cli_json_cells(FILE *out, int32_t kind, const wend_cell *cells, size_t count) {
    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        if (i > 0) fputc(',', out);
        cli_json_cell(out, kind, cells[i]);
    }
    fputc(']', out);
}

int cli_compare_cells(const void *one, const void *two) {
    const wend_cell *a = one, *b = two;
    if (a->z != b->z) return a->z < b->z ? -1 : 1;
    if (a->y != b->y) return a->y < b->y ? -1 : 1;
    return a->x == b->x ? 0 : a->x < b->x ? -1 : 1;
}

int cli_compare_links(const void *one, const void *two) {
    const wend_link *a = one, *b = two;
    const int order = cli_compare_cells(&a->from, &b->from);
    return order != 0 ? order : cli_compare_cells(&a->to, &b->to);
}
