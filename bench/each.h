/* SPDX-License-Identifier: MIT */
/* Times every public function on a map, a row each. */
#ifndef WEND_BENCH_EACH_H
#define WEND_BENCH_EACH_H

#include "harness.h"

enum { EACH_PATH = 4096, EACH_BATCH = 16, EACH_AGENTS = 8 };

/// A map and what the rows share: a path of it, a search that has found it, a service.
typedef struct world {
    wend_map *map;
    int32_t side;
    wend_cell from, to, blocked; ///< `blocked` is none on a map of open cells only
    wend_cell path[EACH_PATH];
    size_t count;
    wend_search *search;
    wend_service *service;
    wend_request request;
    wend_budget budget;
} world;

/// A row under way.
typedef struct row {
    const char *function, *tag;
    uint32_t batch;
    double began, spent;
    samples all;
} row;

row row_of(const char *function, const char *tag, uint32_t batch);
/// False where it has enough samples: they are noted then.
bool row_goes_on(row *r);
void row_begin(row *r);
void row_end(row *r);
void row_untimed(const char *function, const char *why);

/// A call that does not change the cost of the next one; `tag`: its variant, or "".
#define ROW(function, tag, ...)                                                                                        \
    for (row r = row_of(#function, tag, EACH_BATCH); row_goes_on(&r);) {                                               \
        row_begin(&r);                                                                                                 \
        for (uint32_t k = 0; k < EACH_BATCH; k++) {                                                                    \
            __VA_ARGS__;                                                                                               \
        }                                                                                                              \
        row_end(&r);                                                                                                   \
    }
/// A call with work before and after each one, untimed.
#define ROW_ONCE(function, tag, before, call, after)                                                                   \
    for (row r = row_of(#function, tag, 1); row_goes_on(&r);) {                                                        \
        before;                                                                                                        \
        row_begin(&r);                                                                                                 \
        call;                                                                                                          \
        row_end(&r);                                                                                                   \
        after;                                                                                                         \
    }
#define NOT_TIMED(function, why) row_untimed(#function, why)

void each_map(world *w);
void each_map_changes(world *w);
void each_search(world *w);
void each_service(world *w);
void each_path(world *w);
void each_crowd(world *w);
void each_file(world *w);
void each_other_library(void);

/// Runs all rows on 5 x 5 cells, and on a map from a file where one is given.
int each_call(const char *file);

#endif
