/* SPDX-License-Identifier: MIT */
/* Landmarks by a plain search, worlds to have them in, and checks that compare the library with both. */
#ifndef WEND_TESTS_LANDMARKS_MODEL_H
#define WEND_TESTS_LANDMARKS_MODEL_H

#include "models/steps_model.h"

#include "map/landmarks/landmarks.h"
#include "map/store/map_layout.h"

enum { WALL = WEND_CLASS_BLOCKED, OPEN = WEND_CLASS_OPEN, MUD = 7 };
/// The steps to the 8 neighbours, diagonal ones last.
extern const int32_t step_x[8], step_y[8];

typedef struct world {
    walled w;
    wend_map *map;
    uint64_t seed;
    uint32_t mended, rested, risen; ///< how often landmarks were, came to rest, stood again
} world;

wend_map_info info_of(const wend_map *map);
int32_t cells_of(const walled *w);
wend_map_rules rules_of_costs(int32_t straight, int32_t diagonal);

/// Every component's numbers. No step may be closed in one direction only.
void check_fresh(const walled *w, const wend__version *v);
/// The same of a map's newest version, with so many landmarks, just made.
void check_fresh_map(const walled *w, wend_map *map, int32_t count);
/// The landmarks that some step belies, a bit each.
uint32_t belied(const walled *w, const wend__landmarks *l, bool closed);
/// Numbers that were mended: the greatest that fit and are nowhere greater than before; of those that rest, not
/// below these nor above those from before. No step is closed one way only.
void check_mended(const walled *w, const wend__landmarks *before, const wend__landmarks *now);
/// How many numbers of a landmark are others.
uint32_t count_lowered(const walled *w, const wend__landmarks *before, const wend__landmarks *now, uint32_t landmark);
/// Something that belies a map's landmarks is done, to forks: with all effort all stand, rightly mended; with none
/// those that are belied rest, until they are mended bit by bit. The world itself stays as it is.
void check_opening(const world *w, void (*act)(world *w, const void *what), const void *what);
/// What is left of a map's landmarks is belied by no step.
void check_left(const walled *w, wend_map *map);
/// A number that changes with anything in a version's landmarks.
uint64_t landmarks_sum(const wend__version *v);

world world_create(int32_t width, int32_t height, uint32_t blocked, uint64_t seed, const wend_map_rules *rules);
/// From rows of '.' and '#', with so many landmarks.
world world_of_text(const char *const *rows, int32_t count, int32_t landmarks);
/// A wall through the middle, open at its east end only.
world world_with_wall(int32_t landmarks);
world world_fork(const world *from);
void world_free(world *w);

/// A map that is like the model, with an allocator and a limit of its own.
wend_map *map_with(const model *m, wend_allocator allocator, uint64_t max_bytes);
/// For allocators whose memory is from malloc.
void plain_free(void *context, void *pointer, size_t bytes);

wend_edit *edit_begin(wend_map *map);
void edit_publish(wend_edit *edit);
void set_cell(world *w, wend_edit *edit, int32_t x, int32_t y, uint8_t class);
void publish_cell(world *w, int32_t x, int32_t y, uint8_t class);
void publish_step(world *w, int32_t x, int32_t y, int32_t dx, int32_t dy, bool open);
/// Steps closed in any direction at random, one way or both.
void close_some(walled *w, wend_map *map, uint64_t seed, uint32_t count);
/// Four neighbours have no diagonal steps to open: there are eight from now on.
void open_all_steps(world *w);
/// For check_opening(): a cell (`what` are its x and y), and all steps.
void open_cell(world *w, const void *what);
void open_steps(world *w, const void *what);

#endif
