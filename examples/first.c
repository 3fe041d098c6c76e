/* SPDX-License-Identifier: MIT */
/* The first path: a map from a file, one call, the cells. */
#include <stdio.h>
#include <wend/wend.h>

int main(void) {
    wend_map *map = NULL;
    wend_cell cells[64];
    size_t count;
    wend_error error = wend_map_load("data/problem1.txt", NULL, &map, NULL, NULL);
    if (!error) error = wend_find_path(map, (wend_cell){3, 1, 0}, (wend_cell){0, 3, 0}, cells, 64, &count, NULL);
    if (error) return fprintf(stderr, "first: %s\n", wend_error_detail(error)), 1;
    for (size_t i = 0; i < count && i < 64; i++) printf("%d,%d\n", (int)cells[i].x, (int)cells[i].y);
    wend_map_release(map);
}
