/* SPDX-License-Identifier: MIT */
/* Cells as text: read from words, printed, in JSON; and their order. */
#ifndef WEND_SRC_CLI_OUTPUT_CELLS_H
#define WEND_SRC_CLI_OUTPUT_CELLS_H

#include <stdbool.h>
#include <stdio.h>

#include <wend/map.h>

#include "base/hash.h"

/// The numbers of the map's cell 0,0 for people: an infinite map of Tiled has its own. All functions here but
/// cli_has_cell() and the comparisons read and print such numbers.
extern wend_cell cli_first_cell;

/// Up to three whole numbers of at most 9 digits, with commas between them. @return how many; 0 for any other text
int cli_parse_ints(const char *text, int32_t out[3]);
/// A cell of a map of that kind: "X,Y" or "X,Y,Z", on a graph a number. @return false for any other text
bool cli_parse_cell(const char *text, int32_t kind, wend_cell *out);
/// Returns whether it is a cell or a node of the map.
bool cli_has_cell(const wend_map *map, const wend_map_info *info, wend_cell cell);
static inline bool cli_same_cell(wend_cell a, wend_cell b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}
static inline uint64_t cli_hash_cell(uint64_t hash, wend_cell cell) {
    hash = wend__mix64(hash ^ (uint32_t)cell.x);
    return wend__mix64(wend__mix64(hash ^ (uint32_t)cell.y) ^ (uint32_t)cell.z);
}
/// x,y; in space x,y,z; on a graph a number.
typedef struct cli_cell_words {
    char text[40];
} cli_cell_words;
cli_cell_words cli_cell_text(int32_t kind, wend_cell cell);
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
