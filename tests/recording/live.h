/* SPDX-License-Identifier: MIT */
/* A service that is used at random and records; its completions, as `wend run` prints them; and the playback. */
#ifndef WEND_TESTS_RECORDING_LIVE_H
#define WEND_TESTS_RECORDING_LIVE_H

#include "models/worlds.h"
#include <wend/wend.h>

#include <stdio.h>

enum { LIVE_MAPS = 4 };

/// A text that grows.
typedef struct live_text {
    char *bytes;
    size_t size;
    FILE *out;
} live_text;
void live_text_open(live_text *text);
void live_text_close(live_text *text); ///< keeps the bytes
void live_text_free(live_text *text);

typedef struct live live;

/// The acts of a live run.
typedef struct live_options {
    int kind;
    bool timed;     ///< budgets of time, with a clock of random pace
    bool callbacks; ///< callbacks submit, cancel, edit, and move units
    bool late;      ///< the recording begins in the middle of all that, from saves
    bool past;      ///< much happens to the map before the recording
    bool crowds;    ///< each map has a crowd now and then, with agents, routes and flow fields
    int maps;       ///< more than one: of several kinds
    int frames;
} live_options;

struct live {
    live_options options;
    oracle_random random;
    struct live_land {
        world *land;
        wend_map *map;
        int kind;
        uint64_t first_epoch;
        bool dated; ///< first_epoch is known
        struct live_crowd *crowd;
    } lands[LIVE_MAPS], *at;
    int land_count;
    uint32_t recorded; ///< maps
    wend_service *service;
    uint64_t frame, clock;
    live_text files[1 + LIVE_MAPS], expected;
    wend_error fail_with; ///< error of the recording's write
    uint64_t writes_left; ///< until it fails
    struct live_request *requests;
    size_t count, capacity;
    uint64_t refused;
};

/// Returns true in `percent` of a hundred cases.
bool live_chance(live *l, int percent);
/// Do something at random.
void live_act(live *l);
wend_cell live_cell(live *l);
void live_print_cell(FILE *out, int kind, wend_cell cell);
/// A map is in the recording from now on, if it was not.
void live_note_map(live *l);

/* live_crowd.c */

/// Do something with the crowd of the map l->at, which may be to make it.
void live_crowd_act(live *l);
/// Updates each crowd once, never, or several times.
void live_crowd_steps(live *l);
void live_crowd_end(live *l, struct live_land *at);
/// The crowd of a map; NULL: it has none.
wend_crowd *live_crowd_on(const struct live_land *at);

/// Run all of it, at random, and destroy the service.
void live_run(live *l, uint64_t seed, const live_options *options);
void live_free(live *l);
/// Returns the output of `wend run` for a script, to be freed; `status` receives its exit status.
char *live_play(const char *script, size_t size, int *status);
/// The same of the recording of several maps, from files in a folder of its own.
char *live_play_maps(const live *l, int *status);

#endif
