/* SPDX-License-Identifier: MIT */
/* A film of agents: the place of each in each frame, stored as the points at which it turns, and written as one SVG. */
#ifndef WEND_SERVER_FILM_FILM_H
#define WEND_SERVER_FILM_FILM_H

#include <stdbool.h>
#include <stdio.h>

#include <wend/wend.h>

#include "base/system/replace.h"

/// A film has at most this many agents and changes of ground; and points, those of goals included. It ends where it has
/// no room for more points. So its file has at most about 20 MB besides the map.
enum { FILM_MAX_TRACKS = 1000, FILM_MAX_POINTS = 400000, FILM_MAX_CHANGES = 4096 };

/// A place at a frame, in thousandths of a cell.
typedef struct film_point {
    uint32_t frame;
    int32_t x, y;
} film_point;

typedef struct film_line {
    film_point *points;
    size_t count, capacity;
} film_line;

/// An agent: its way, and its goals. Between two points of the way it glides, goals jump.
typedef struct film_track {
    film_line way, goals;
    film_point last;                 ///< last seen point, if it is no point of the way
    uint32_t first_frame, end_frame; ///< end_frame: frame of its removal; UINT32_MAX: it stays
    int32_t size;                    ///< cells
    int32_t radius;                  ///< radius of its body, thousandths of a cell; 0: none
    bool ghost, pending;             ///< pending: `last` is no point of the way
} film_track;

/// Ground that an edit changed: all cells of a box.
typedef struct film_change {
    uint32_t frame;
    int32_t x, y, width, height;
    uint8_t ground; ///< its class
} film_change;

typedef struct film {
    char *base; ///< an SVG of the map before the first frame, without its last tag
    size_t base_bytes;
    bool hexagons;        ///< the map has hexagons, which are two units wide in that SVG, with rows two units apart
    int32_t unit;         ///< units of that SVG to a cell, thousandths
    int32_t off_x, off_y; ///< thousandths of a cell, added to all places
    film_track *tracks;
    uint32_t track_count;
    film_change *changes;
    uint32_t change_count;
    uint32_t frames, points;
    bool left_out;         ///< agents or changes found no room
    bool full;             ///< no point finds room
    wend__replacement out; ///< opened before the run, for film_write(); film_free() leaves it alone
} film;

/// Writes all of it to `out`.
wend_error film_write(film *f);

#endif
