/* SPDX-License-Identifier: MIT */
/* Cells on the command line, in printed paths and in JSON. */
#ifndef WEND_SRC_CLI_SHARED_CELLS_H
#define WEND_SRC_CLI_SHARED_CELLS_H

#include <stdbool.h>
#include <stdio.h>

#include <wend/map.h>

/// Up to three whole numbers of at most 9 digits, with commas between them. @return how many; 0 for any other text
int cli_parse_ints(const char *text, int32_t out[3]);
/// A cell of a map of that kind: "X,Y" or "X,Y,Z", on a graph a number. @return false for any other text
bool cli_parse_cell(const char *text, int32_t kind, wend_cell *out);
/// Is it a cell or a node of the map?
bool cli_has_cell(const wend_map *map, const wend_map_info *info, wend_cell cell);
static inline bool cli_same_cell(wend_cell a, wend_cell b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}
/// For qsort(): cells by z, y and x; links (wend_link) by where they begin, then where they end.
int cli_compare_cells(const void *one, const void *two);
int cli_compare_links(const void *one, const void *two);
/// Print x,y; in space x,y,z; on a graph a number.
void cli_print_cell(FILE *out, int32_t kind, wend_cell cell);
/// Print [x,y]; in space [x,y,z]; on a graph a number.
void cli_json_cell(FILE *out, int32_t kind, wend_cell cell);
/// Print [[x,y],…].
void cli_json_cells(FILE *out, int32_t kind, const wend_cell *cells, size_t count);

#endif
