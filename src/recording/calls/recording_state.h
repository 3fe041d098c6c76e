/* SPDX-License-Identifier: MIT */
/* Internal: the recording of a service: its buffer, its maps, and its position in a frame. */
#ifndef WEND_SRC_RECORDING_CALLS_RECORDING_STATE_H
#define WEND_SRC_RECORDING_CALLS_RECORDING_STATE_H

#include "base/phrase.h"
#include "recording/tap/tap.h"
#include "service/state/service_state.h"
#include <wend/record.h>

enum { WEND__RECORD_BUFFER = 1 << 18 };

/// A map of the recording. The recording holds a reference.
typedef struct wend__recorded_map {
    wend__tap tap; ///< its context is this struct
    wend__recording *recording;
    wend_map *map;
    uint32_t file;
    uint64_t marked; ///< the last callback with a written `during` line
    bool ordered;    ///< a crowd on the map is recorded by its orders
} wend__recorded_map;

/// Bytes of one file in the buffer, which follow it.
typedef struct wend__run {
    uint32_t file, bytes;
} wend__run;

/// Locks, in the order in which they are taken: a map's `writer`, the gate, the inbox's, a map's `mutex`, the
/// recording's `mutex`. The ticking thread holds the gate in a frame, but not in callbacks.
struct wend__recording {
    wend_service *service;
    wend_record_fn *write;
    void *context;
    size_t object_bytes;
    wend__mutex *gate;
    wend__mutex *mutex; ///< guards the fields below
    wend_error error;
    char why[160]; ///< the detail of the error
    uint64_t frames, bytes, refused;
    const wend_map *saved_map; ///< map with saves and tables behind its head; NULL: none
    uint64_t first_number;     ///< submission number of the request with the name 0
    uint64_t callbacks;        ///< number of callbacks entered
    uint64_t callback_name;    ///< name of the request of that callback
    bool in_callback;          ///< lines belong to the callback; else between two frames
    uint32_t block_file;       ///< script of the following lines; 0: none
    uint64_t block_lines;      ///< number of its lines so far
    size_t used;
    size_t run; ///< beginning of the last run
    uint32_t map_count;
    wend__recorded_map maps[WEND_MAX_RECORDED_MAPS];
    char buffer[WEND__RECORD_BUFFER];
};

/* stream.c: requires the mutex. */

/// Appends bytes of a file.
void wend__stream_put(wend__recording *recording, uint32_t file, const char *bytes, size_t size);
/// Passes the buffer to the host.
void wend__stream_flush(wend__recording *recording);
/// Ends the recording for this thread's last error: nothing more is written.
void wend__stream_fail(wend__recording *recording, wend_error error);
/// Writes an order to a map's script, at the present position.
void wend__stream_order(wend__recorded_map *map, const wend_order *order);
/// Writes an order of a map's script, without its line's end.
void wend__stream_put_order(wend__recorded_map *map, const wend_order *order);
/// Writes a line of file 0 that names a new script; or the number of a script's lines that follow.
void wend__stream_new_script(wend__recording *recording, uint32_t file);
void wend__stream_count(wend__recording *recording, uint32_t file, uint64_t count);
/// Writes the line `frame` to file 0, after the current block.
void wend__stream_end_frame(wend__recording *recording);
/// Ends the current block of lines, and passes the buffer to the host.
void wend__stream_close(wend__recording *recording);

/* world.c */

/// Writes the head of a map's script: limits, and the present map. The map's writer lock is held, the mutex is not.
/// @return WEND_OK, WEND_UNSUPPORTED, WEND_OUT_OF_MEMORY
wend_error wend__record_world(wend__recorded_map *map);
/// Returns the present tables and landmarks of a mover.
wend_acceleration wend__record_acceleration(wend_map *map, int32_t mover);
/// Fills the order that makes them. @return false: there are none
bool wend__record_prepares(const wend__version *version, int32_t mover, wend_order *out);

#endif
