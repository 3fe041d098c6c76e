/* SPDX-License-Identifier: MIT */
/* Growing: settings may be added. See docs/stability.md. */
/* Recordings: every call that a service, its maps and its crowds get, as scripts that `wend run` plays back.
 *
 * A recording is one script for each map, and a file with how they take turns. While a service records, the maps
 * of its requests tell it of their edits and units. docs/design/recording.md lists what a script can hold. */
#ifndef WEND_RECORD_H
#define WEND_RECORD_H

#include <wend/service.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Most maps of a recording.
#define WEND_MAX_RECORDED_MAPS 1024

/// Receives the files of a recording, piece by piece, each file's pieces in order. File 0 has how the scripts take
/// turns; file N, from 1, is the script of the N-th map, which file 0 names `mapN.wend`. The script of one map plays
/// back without file 0.
/// Any thread that calls the service or its maps may call it, one at a time, mostly the ticking one at a frame's end.
/// The function must not call the service or its maps.
/// @return WEND_OK; anything else ends the recording
typedef wend_error wend_record_fn(void *context, uint32_t file, const void *bytes, size_t size);

/// Begin to record. Destroying the service ends a recording.
/// - Requests: the next ones have the numbers from 0 in the recording. The service forgets what it has learnt about the
///   length of searches, as a later player cannot know it.
/// - A map is written whole when its first request comes: its terrain, rules, movers, links, closed steps and units.
///   Its tables and landmarks are made again then.
/// - A crowd that is made while its service records, no other thread calling it at that time, is recorded by its
///   orders: its searches and the units that its agents are follow from them. An older crowd, and a second one on the
///   same map, is recorded by its searches and units.
/// - Threads: while a service records, an edit, a request or a change of one by another thread than the ticking one
///   waits for the end of the frame under way, or for its next callback. With the host's threads
///   (wend_service_def.jobs) none of these may come from a thread that wend_jobs.run() needs.
/// @param write   receives the files
/// @return WEND_OK, WEND_BUSY (requests are pending: wend_service_record_state()), WEND_IN_USE (a recording is under
///         way), WEND_OUT_OF_MEMORY,
///         WEND_UNSUPPORTED (fields are in the service), WEND_BAD_ARGUMENT (NULL), WEND_IN_CALLBACK
/// Threads: owner, while no other thread calls the service or its maps. Cost: O(1) and an allocation of about 400
/// KB from the service's allocator; a map's first request O(cells).
WEND_API wend_error wend_service_record(wend_service *service, wend_record_fn *write, void *context);

/// End the recording that is under way. All that is left is written before the call returns.
/// @return WEND_OK, WEND_EMPTY (none is under way), WEND_IN_CALLBACK, the error that ended the recording before
/// Threads: owner, while no other thread calls the service or its maps. Cost: O(maps of the recording).
WEND_API wend_error wend_service_end_recording(wend_service *service);

/// Write a map now, and not when its first request comes. A map that is in the recording stays.
/// @return WEND_OK, WEND_EMPTY (no recording is under way), WEND_BAD_ARGUMENT (NULL; only one of both is in an arena:
///         mark.h), WEND_IN_CALLBACK, the recording's error
/// Threads: owner. Cost: O(cells), and that of wend_map_accelerate() for what the map has.
WEND_API wend_error wend_service_record_map(wend_service *service, wend_map *map);

/// Description of a recording.
typedef struct wend_recording {
    uint32_t struct_bytes;
    wend_error error; ///< WEND_OK, or what ended it: what `write` returned; WEND_UNSUPPORTED: a call that no script can
        ///< say, such as other rules or a field; WEND_IN_USE: another service records that map, or a batch was open
        ///< when its first request came; WEND_BUSY: too many maps; WEND_OUT_OF_MEMORY
    uint32_t maps;
    uint32_t reserved;
    uint64_t frames; ///< recorded
    uint64_t bytes;  ///< of all files
} wend_recording;

/// Describe the recording under way. After an error nothing more is written; ending it returns the same error.
/// @param out   receives the description
/// @return WEND_OK, WEND_EMPTY (none is under way), WEND_BAD_ARGUMENT (struct_bytes)
/// Threads: owner. Cost: O(1).
WEND_API wend_error wend_service_get_recording(const wend_service *service, wend_recording *out);

#ifdef __cplusplus
}
#endif
#endif
