/* SPDX-License-Identifier: MIT */
/* A search step by step, as events of its cells; and the film made of them, with f, g and h in each cell. */
#ifndef WEND_SRC_CLI_OUTPUT_EXPLAIN_FILM_H
#define WEND_SRC_CLI_OUTPUT_EXPLAIN_FILM_H

#include <stdio.h>

#include <wend/query.h>
#include <wend/search.h>
#include <wend/versions.h>

/// The most cells of a map in a film.
enum { EXPLAIN_FILM_CELLS = 4096 };

/// An event of a cell in a step.
typedef struct explain_event {
    uint32_t step; ///< 0: before the first
    bool taken;    ///< else it came onto the open list, or became cheaper there
    wend_search_node node;
    size_t next; ///< the cell's next event + 1; 0: none
} explain_event;

/// A cell, with its events.
typedef struct explain_cell {
    int64_t g;
    size_t first, last; ///< its events + 1; 0: none
    uint32_t listed;    ///< the step after which it stood on the open list
    bool taken;
} explain_cell;

typedef struct explain_story {
    const wend_map *map;
    wend_map_info info;
    wend_cell start, goal;
    int32_t weight_milli;
    explain_cell *cells; ///< cells of the map, row by row
    explain_event *events;
    size_t event_count, event_capacity;
    wend_cell *path;
    size_t path_count;
    uint32_t steps;
} explain_story;

static inline explain_cell *explain_cell_at(const explain_story *story, wend_cell cell) {
    return &story->cells[(size_t)cell.y * (size_t)story->info.width + (size_t)cell.x];
}

/// Keeps an event. @return false where memory ran out
bool explain_add(explain_story *story, uint32_t step, bool taken, const wend_search_node *node);

/// f as a decimal: g + weight x h.
typedef struct explain_words {
    char text[32];
} explain_words;
explain_words explain_f(const explain_story *story, const wend_search_node *node);

/// Writes the film as SVG, or as a page with a slider.
void explain_write_film(const explain_story *story, FILE *out, bool page);

#endif
