/* SPDX-License-Identifier: MIT */
/* Internal: a tap tells a recorder what happens to a map, as lines of a script. A map without one pays a branch. */
#ifndef WEND_SRC_MAP_TAP_TAP_H
#define WEND_SRC_MAP_TAP_TAP_H

#include "base/base.h"
#include <wend/edit.h>

/// The functions of a recorder. They may be called from any thread.
typedef struct wend__tap {
    void *context;
    void (*shut)(void *context); ///< wait until no frame is under way, or it is in a callback; until open() none begins
    void (*open)(void *context);
    void (*note)(void *context, const char *lines, size_t size); ///< whole lines
    void (*fail)(void *context, wend_error error);               ///< something that no script can say
} wend__tap;

/// The lines of an open batch, in memory of the map's.
typedef struct wend__edit_log {
    bool kept; ///< the map had a tap when the batch began
    bool lost; ///< no memory for a line
    char *text;
    size_t used, capacity;
} wend__edit_log;

/// The map's tap; NULL: none. Threads: any.
wend__tap *wend__map_tap(const wend_map *map);
/// Threads: any; with the writer's lock held.
void wend__map_set_tap(wend_map *map, wend__tap *tap);
/// How many coordinates a cell of the map has: 1 on graphs, 2 on a plane, 3 in space.
int32_t wend__map_axes(const wend_map *map);

/* Lines of a batch; they do nothing where the log is not kept. */
void wend__log_fill(const wend_map *map, wend__edit_log *log, wend_box box, uint8_t terrain);
void wend__log_step(const wend_map *map, wend__edit_log *log, wend_cell from, wend_cell to, bool open);
void wend__log_link(const wend_map *map, wend__edit_log *log, wend_cell from, wend_cell to, int32_t cost);
void wend__log_unlink(const wend_map *map, wend__edit_log *log, wend_cell from, wend_cell to);
void wend__log_free(wend_map *map, wend__edit_log *log);

/// A batch was published; the writer's lock is held, and the tap is shut.
void wend__tap_published(wend__tap *tap, const wend__edit_log *log);
/// A unit came to a cell, or left one.
void wend__tap_moved(const wend_map *map, wend_cell cell, bool came);
/// wend_map_maintain() and wend_map_accelerate() have done their work.
void wend__tap_maintained(const wend_map *map, uint64_t effort);
void wend__tap_accelerated(const wend_map *map, const wend_acceleration *def);
void wend__tap_mover(const wend_map *map, const wend_mover *mover, int32_t id, const wend_map_rules *rules);
/// Something happened that no script can say at that place: `what` has a verb.
void wend__tap_unsupported(const wend_map *map, const char *what);

enum { WEND__MOVER_LINE_BYTES = 256 * 8 + 64, WEND__ACCELERATE_LINE_BYTES = 160 };
/// The line of a mover: the factors that differ from the rules'. @return its size; 0: no script can say that
size_t wend__mover_line(char out[WEND__MOVER_LINE_BYTES], const wend_mover *mover, int32_t id,
                        const uint8_t factors[256]);
size_t wend__accelerate_line(char out[WEND__ACCELERATE_LINE_BYTES], const wend_acceleration *def);

#endif
