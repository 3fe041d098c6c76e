/* SPDX-License-Identifier: MIT */
/* The file of `save` and `restore`: what a script's world has, and inside it the library's saves of map, service and
 * crowd. One function for each part both writes and reads it, so that the two cannot differ.
 *
 *   saved_bytes.c   numbers and texts, the head, the file
 *   saved_map.c     the map, and what is known by name on it
 *   saved_world.c   agents, units, boxes, edits that wait
 *   server/run/run_saves.c has the rest: requests, watches, the service, the crowd
 *
 * The head has 32 bytes: the mark, the version of the format, the number of bytes, a checksum. Numbers are in base 128
 * with the low digits first (LEB128), so a file is the same on every machine. */
#ifndef WEND_SERVER_SAVES_H
#define WEND_SERVER_SAVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "world/world.h"
#include <wend/save.h>

/// A save that is written or read. Zero at first, `reads` apart.
typedef struct saved {
    bool reads;
    bool bad;       ///< nothing more is written or read; `why` has the reason
    uint8_t *bytes; ///< freed with free()
    size_t size;    ///< reading: the number of bytes
    size_t capacity;
    size_t at; ///< written or read so far
    char why[512];
} saved;

/// Ends writing or reading for this reason. The first one stays.
void saved_spoil(saved *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/// The same with the library's text, if it refused. @return whether it did not
bool saved_allows(saved *s, wend_error error);

/* ---- values: each is written, or read into the one passed ---- */

uint64_t saved_number(saved *s, uint64_t value);
/// @param end   upper bound of a number that is read
uint64_t saved_below(saved *s, uint64_t value, uint64_t end);
int64_t saved_signed(saved *s, int64_t value);
int32_t saved_int(saved *s, int32_t value);
bool saved_flag(saved *s, bool value);
wend_cell saved_cell(saved *s, wend_cell cell);
/// The number of records that follow, of a byte at least each.
size_t saved_count(saved *s, size_t count);
/// A text. @return reading: a copy that ends with a zero, to be freed; NULL: it is bad, or it is written
char *saved_text(saved *s, const char *text, size_t length);
/// Passes a part of the library's. @param bytes   its length. @return its place for reading or writing; NULL: bad
uint8_t *saved_part(saved *s, size_t *bytes);
/// Begins a part of unknown length: it gets all the room, and is written again if it did not fit.
/// @param room   receives the number of bytes. @return the place for writing; NULL: bad
uint8_t *saved_part_begin(saved *s, size_t *room);
/// Ends it. @param bytes   its length, even without room. @return whether it is to be written again
bool saved_part_end(saved *s, wend_error error, const size_t *bytes);
/// Makes room for a save of this many bytes, so that its parts fit at once.
void saved_reserve(saved *s, size_t bytes);

/* ---- files ---- */

/// Writes the head, in memory.
void saved_finish(saved *s);
/// Writes the head and the file, first under another name. @return false: see `why`
bool saved_write(saved *s, const char *path);
/// Returns whether bytes begin as a save.
bool saved_is_one(const char *bytes, size_t size);
/// Reads a file and checks its head. @return false: see `why`
bool saved_read(saved *s, const char *path);
/// Checks the head of bytes in memory. @return false: see `why`
bool saved_begin_reading(saved *s);
/// Checks that all was read. @return false: see `why`
bool saved_end_reading(saved *s);
/// Sets the checksum of a save in memory.
void saved_sum(saved *s);

/* ---- parts ---- */

/// Passes the map with its terrain, rules, movers, layers, units. Reading: makes it, or restores a map of the caller.
/// @param most_cells   of a grid, or ids of a graph; 0: the most of any map
void saved_map(saved *s, wend_map **map, uint64_t most_cells);
/// Passes names of movers, layers and routes, links of teleports.
void saved_names(saved *s, cli_world *world);
/// Writes the pending requests of a service.
void saved_service(saved *s, wend_service *service, const wend_save_host *host);
/// Passes limits of the service.
void saved_limits(saved *s, cli_limits *limits);
/// Passes the map's requested data of the fast engine. @param made   a bit for each mover that has an entry
void saved_accelerations(saved *s, uint64_t *made, wend_acceleration of[WEND_MAX_MOVERS]);

/// Passes units and edits that wait.
void saved_land(saved *s, world_state *w);
/// Passes limits of the crowd. Reading: `def` and `tuning` have the defaults before, and those of the save then.
void saved_crowd_limits(saved *s, wend_crowd_def *def, wend_crowd_tuning *tuning);
/// Passes agents by name, boxes, the crowd itself, the agents that each waits for, whether jams are counted. Reading:
/// the crowd and its bodies were made with the limits of the save.
void saved_crowd(saved *s, world_state *w);

#endif
