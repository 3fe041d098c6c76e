/* SPDX-License-Identifier: MIT */
/* Clocks, samples, random numbers and set-ups for all benches. A call that fails ends the program with status 2. */
#ifndef WEND_BENCH_HARNESS_H
#define WEND_BENCH_HARNESS_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>
#include <wend/search.h>

#include "../tests/models/defaults.h"
#include "../tests/models/random.h"

#ifdef __cplusplus
extern "C" {
#endif

void need(bool done, const char *what);
void check(wend_error error);

/* ---- clocks, in microseconds ---- */

double wall_us(void);
/// Processor time of this thread: other work on the machine counts little.
double cpu_us(void);
/// Processor time of all threads.
double process_us(void);
/// cpu_us() as the clock of a service.
wend_clock cpu_clock(void);

/* ---- samples ---- */

/// Returns the value above that many thousandths of all, the largest for 1,000. Sorts them; 0: there are none.
double percentile(double *values, size_t count, unsigned permille);
double median(double *values, size_t count);
double mean(const double *values, size_t count);

/// Samples of unknown number. {0}: none.
typedef struct samples {
    double *values;
    size_t count, capacity;
} samples;

void note(samples *all, double value);
void clear(samples *all);

/* ---- cells ---- */

/// Returns a number from 0 to below - 1.
uint32_t bench_random(uint64_t *state, uint32_t below);
wend_cell random_place(int32_t width, int32_t height, uint64_t *state);
/// Returns a random cell of a map of any kind.
wend_cell random_cell(const wend_map_info *info, uint64_t *state);
/// By the other generator of models/random.h.
wend_cell draw_cell(int32_t width, int32_t height, uint64_t *state);
/// Returns false for cells off the map, too.
bool is_connected(const wend_map *map, int32_t mover, wend_cell from, wend_cell to);
wend_cell open_near(const wend_map *map, wend_cell cell);

/* ---- maps ---- */

/// Returns a file's name without its folders.
const char *base_name(const char *path);
/// Loads a map with these costs of steps; straight 0: those of the file.
wend_map *load_map(const char *path, int32_t straight, int32_t diagonal);
/// Makes a grid of these classes, row by row; NULL: all open.
wend_map *grid_of(const uint8_t *cells, int32_t width, int32_t height);
void publish(wend_edit *edit);
/// Opens a cell that is blocked on the map, or blocks it.
void flip_cell(wend_edit *edit, const wend_map *map, wend_cell cell);
/// The same in an edit of its own.
void flip_one(wend_map *map, wend_cell cell);

/* ---- searches, services, crowds ---- */

/// Creates a search with this number of nodes; 0: the default.
wend_search *open_search(uint64_t nodes);
/// Runs a search to its end. Returns the time of it in microseconds.
double solve(wend_search *search, const wend_request *request, wend_completion *result);
/// NULL: the default service.
wend_service *open_service(const wend_service_def *def);
wend_crowd *open_crowd(const wend_crowd_def *def);
void submit(wend_service *service, const wend_request *request);
/// For requests with an unread completion.
void ignore(void *context, const wend_completion *completion);
/// Orders agents to a cell.
void send_to(wend_crowd *crowd, const wend_agent_id *agents, size_t count, wend_cell cell);

#ifdef __cplusplus
}
#endif
#endif
