/* SPDX-License-Identifier: MIT */
/* Watched paths: a host keeps paths of a map, and is told which of them an edit has broken.
 *
 * A watcher holds copies of paths. Once a frame it compares the map's newest version with the version that it knew, and
 * looks only at paths near a cell that was blocked, a step that was closed, or a link that was removed. Terrain, steps,
 * links and the size of movers count; units do not.
 *
 * On a streamed map a chunk that is unloaded but known breaks no path: what crosses it is unverified. Once it is loaded
 * again, a path breaks only where the chunk's cells are not those that the map knew by their hash, and the path cannot
 * be walked on them. Forgotten land breaks paths at once; so does any unloaded land those of movers larger than a cell,
 * and all after wend_map_set_rules(). */
#ifndef WEND_WATCH_H
#define WEND_WATCH_H

#include <wend/map.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wend_watcher wend_watcher;

/// A watched path of a watcher. All zero: none.
typedef struct wend_watch_id {
    uint32_t index, generation;
} wend_watch_id;

/// A watched path broke. Its id is not valid any more.
typedef struct wend_watch_event {
    uint32_t struct_bytes;
    uint32_t reserved;
    wend_watch_id id;
    wend_cell cell; ///< the first cell that cannot be entered from the one before
    uint32_t index; ///< of that cell in the path
    uint32_t reserved2;
    uint64_t epoch; ///< of the version on which it was found broken
    void *context;  ///< of the watched path
} wend_watch_event;

typedef void wend_watch_fn(void *context, const wend_watch_event *event);

/// Limits of a watcher; all memory follows from them.
typedef struct wend_watcher_def {
    uint32_t struct_bytes;
    uint32_t paths;           ///< most watched paths, 1 to 2^20. Default 1,024
    uint64_t cells;           ///< of all paths together, up to 2^31; 0: 128 a path. Each takes about 23 bytes
    wend_map *map;            ///< the watcher holds a reference, and one on the version that it knows
    wend_watch_fn *on_broken; ///< called in wend_watcher_update(); NULL: events wait to be polled
    void *context;            ///< of on_broken
    wend_allocator allocator; ///< alloc NULL: the C library's
} wend_watcher_def;

/// A path to watch.
typedef struct wend_watch {
    uint32_t struct_bytes;
    int32_t mover;          ///< WEND_MOVER_DEFAULT, or an added one
    const wend_cell *cells; ///< the path; copied
    uint64_t cell_count;    ///< from 1
    void *context;          ///< for its event
} wend_watch;

/// Set the defaults.
/// @param bytes   sizeof of the struct
/// Threads: any. Cost: O(1).
WEND_API void wend_watcher_def_init(wend_watcher_def *def, size_t bytes);
WEND_API void wend_watch_init(wend_watch *watch, size_t bytes);

/// Get the number of bytes that wend_watcher_create() takes from the allocator, in one piece.
/// @return bytes; 0 for a bad def
/// Threads: any. Cost: O(1).
WEND_API size_t wend_watcher_bytes(const wend_watcher_def *def);

/// Make a watcher. It allocates here and never again.
/// @param out   receives the watcher, for wend_watcher_destroy()
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_OUT_OF_MEMORY
/// Threads: any; the calls below come from one thread at a time. Cost: O(paths + cells / 4).
WEND_API wend_error wend_watcher_create(const wend_watcher_def *def, wend_watcher **out);

/// Free a watcher. NULL is ignored. Not inside its callback.
/// Threads: one at a time. Cost: O(1).
WEND_API void wend_watcher_destroy(wend_watcher *watcher);

/// Watch a path. A path that cannot be walked on the newest version breaks in the next update.
/// @param id   receives the path's name, for wend_watcher_remove(); may be NULL
/// @return WEND_OK, WEND_BUSY (no room for another path or its cells), WEND_BAD_ARGUMENT (no cells, no such mover),
///         WEND_OUT_OF_RANGE (a cell is off the map)
/// Threads: one at a time; inside the callback too. Cost: O(cells); where the map has changed since the last update,
/// also that of an update.
WEND_API wend_error wend_watcher_add(wend_watcher *watcher, const wend_watch *watch, wend_watch_id *id);

/// End a watch without an event.
/// @return WEND_OK, WEND_STALE_TICKET (broken, or removed before)
/// Threads: one at a time; inside the callback too. Cost: O(1); later calls of wend_watcher_add() free its room.
WEND_API wend_error wend_watcher_remove(wend_watcher *watcher, wend_watch_id id);

/// Say how far an agent has come: steps before cells[index] do not count any more. It may be called in any order with
/// rising indices.
/// @return WEND_OK, WEND_STALE_TICKET, WEND_OUT_OF_RANGE (the path has no such cell)
/// Threads: one at a time; inside the callback too. Cost: O(1).
WEND_API wend_error wend_watcher_advance(wend_watcher *watcher, wend_watch_id id, uint32_t index);

/// Find the paths that edits have broken since the last update, and tell of each once, in the order of their adding:
/// by the callback, or for wend_watcher_poll(). A path is broken where a step of the rest of it cannot be taken.
/// Whether the cell that the agent stands on is open does not matter. A broken path is watched no more.
/// @param broken   receives the number of paths found broken; may be NULL
/// @return WEND_OK, WEND_IN_CALLBACK
/// Threads: one at a time. Cost: O(chunks that changed + paths near cells that were closed); O(cells of all paths)
/// after wend_map_set_rules(). O(1) where the map has not changed.
WEND_API wend_error wend_watcher_update(wend_watcher *watcher, size_t *broken);

/// Collect the next event.
/// @param event   receives the event
/// @return WEND_OK, WEND_EMPTY, WEND_BAD_ARGUMENT (struct_bytes)
/// Threads: one at a time. Cost: O(1).
WEND_API wend_error wend_watcher_poll(wend_watcher *watcher, wend_watch_event *event);

/// Get the number of watched paths; those whose event waits do not count.
/// Threads: one at a time. Cost: O(1).
WEND_API size_t wend_watcher_get_count(const wend_watcher *watcher);

#ifdef __cplusplus
}
#endif
#endif
