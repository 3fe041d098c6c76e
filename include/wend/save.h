/* SPDX-License-Identifier: MIT */
/* Growing: hooks of the host may be added; what a save settles may change. See docs/stability.md. */
/* Save and restore: a map, a service and a crowd as they are between two frames, in a buffer of the host's.
 *
 * A game saves its maps, its services, then its crowds, all between the same two frames, and restores them in that
 * order: into the same objects, to go back, or into new ones that it makes with the same definitions.
 *
 * A save settles what it saves. Unfinished begins again in the world that is saved, as in one that restores the save:
 * searches and flow fields of requests, answers that are not delivered, and the ways of agents that were pushed off their paths. So the same requests are completed, some in other frames
 * than without the save. From there on both worlds have the same frames, byte for byte, with the same calls and budgets
 * in expansions, on any machine. One thing is that of the map that is restored into: landmarks, which show in the
 * number of expansions and in ties. While a service is recorded, a save does not settle it or its crowd, as the
 * recording could not repeat that. To go back exactly, set marks: mark.h.
 *
 * Ids of agents, tickets and numbers of routes stay good. Pointers of the host's are in no save: see wend_save_host. A
 * save is checked by a checksum and value by value: other bytes are refused. Later versions of wend read
 * all earlier saves. Bodies are part of their crowd's save. examples/save_game.c saves in a file.
 *
 * Threads: the ticking one; no other thread uses the objects meanwhile. */
#ifndef WEND_SAVE_H
#define WEND_SAVE_H

#include <wend/crowd.h>
#include <wend/record.h>
#include <wend/search_options.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The host's side of a save: objects that it names by number, and pointers that are in no save.
typedef struct wend_save_host {
    uint32_t struct_bytes;
    uint32_t map_count;
    wend_map *const *maps; ///< of pending requests, in the same order at the save and the restore; all in the service's
                           ///< arena, or in none
    void *context;
    /// Called for each pending request of the host's that a service is restored with: it sets on_done and context, and
    /// changes nothing else. A request without on_done is completed without a call. NULL: none has any
    void (*request)(void *context, wend_ticket ticket, wend_request *request);
    /// Returns the context of an agent; also of a removed agent, for an event that still waits. NULL: none has any
    void *(*agent)(void *context, wend_agent_id id);
} wend_save_host;

/// Set the defaults: no maps, no functions.
/// @param bytes   sizeof *host
/// Threads: any. Cost: O(1).
WEND_API void wend_save_host_init(wend_save_host *host, size_t bytes);

/// Save the newest version of a map: its epoch, rules, movers, loaded land, terrain, closed steps, links, units, layers
/// and profiles.
/// @param buffer   NULL with capacity 0: the bytes are counted
/// @param bytes    receives how many the save takes, also where there is no room for it; may be NULL
/// @return WEND_OK, WEND_OUT_OF_MEMORY (the buffer is too small)
/// Cost: O(chunks + units + edges of a graph); O(cells) of chunks of several classes, and of layers.
WEND_API wend_error wend_map_save_state(wend_map *map, void *buffer, size_t capacity, size_t *bytes);

/// Bring a map of the same kind and size to what was saved: an edit of what differs. A graph has to have the save's
/// edges. Movers that the map has are those of the save; it may lack later ones. After an error cells, links and units
/// are as before.
/// @return WEND_OK, WEND_BAD_FORMAT (no save, or damaged), WEND_UNSUPPORTED (of a later format), WEND_BAD_ARGUMENT (of
///         something else, or of another map), WEND_IN_USE (a batch is open; rules differ and a search runs),
///         WEND_OUT_OF_MEMORY
/// Cost: as wend_map_save_state(), and a publish of what differs.
WEND_API wend_error wend_map_restore_state(wend_map *map, const void *buffer, size_t bytes);

/// Save the pending requests of a service, their tickets and their order, and what it has counted. Then searches that
/// run, flow fields in work and answers that wait begin again in this service, too, unless it is being recorded; an
/// error, or a call that only counts bytes, changes nothing. Searches that take more frames than there are between two
/// saves never end: save less often, or set marks.
/// @param host   its maps; NULL: nothing is pending
/// @return WEND_OK, WEND_BAD_ARGUMENT (a request is on another map), WEND_IN_CALLBACK, WEND_OUT_OF_MEMORY (the buffer
///         is too small)
/// Cost: O(places of the queue that were ever used + edges of graphs), and that of a restore.
WEND_API wend_error wend_service_save_state(wend_service *service, const wend_save_host *host, void *buffer,
                                            size_t capacity, size_t *bytes);

/// Replace the requests of a service by those of a save. Those that it had are gone, without a call. Bytes that are
/// damaged, or no save of a service, change nothing; after another error it has none.
/// @return WEND_OK, WEND_BAD_FORMAT, WEND_UNSUPPORTED, WEND_BAD_ARGUMENT (of something else, or of another graph),
///         WEND_IN_CALLBACK, WEND_IN_USE (it is being recorded)
/// Cost: O(places of the queue that were ever used, and log pending for each request).
WEND_API wend_error wend_service_restore_state(wend_service *service, const wend_save_host *host, const void *buffer,
                                               size_t bytes);

/// Give the host's pending requests their callbacks again, by host->request: after a rewind (mark.h), where what their
/// contexts point to is gone. Those that get none are completed without a call.
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_IN_CALLBACK
/// Threads: owner; no other one submits meanwhile. Cost: O(places of the queue that were ever used).
WEND_API wend_error wend_service_adopt(wend_service *service, const wend_save_host *host);

/// Save a crowd: agents, in the middle of their steps; goals, groups, routes, paths, patience, waiting events; bodies.
/// Before, near ways are forgotten, in this crowd, too, unless its service is being recorded, and also where only bytes
/// are counted.
/// @return WEND_OK, WEND_IN_CALLBACK, WEND_OUT_OF_MEMORY (the buffer is too small)
/// Cost: O(agents + blocks of their paths + edges of a graph).
WEND_API wend_error wend_crowd_save_state(wend_crowd *crowd, void *buffer, size_t capacity, size_t *bytes);

/// Replace the agents of a crowd by those of a save. Its map and its service have been restored from saves of the same
/// frame. What is damaged, no save of a crowd, or of other limits changes nothing; after another error the crowd is
/// empty, and the map keeps the units of its agents.
/// @return WEND_OK, WEND_BAD_FORMAT, WEND_UNSUPPORTED, WEND_BAD_ARGUMENT (of something else, of another graph, or of a
///         crowd with other limits, or with bodies where this one has none; the service lacks its requests),
///         WEND_IN_CALLBACK, WEND_IN_USE (its service is being recorded), WEND_OUT_OF_MEMORY (tables of the floor)
/// Cost: O(agents + steps of their paths); of a group on a flow field the field, O(cells).
WEND_API wend_error wend_crowd_restore_state(wend_crowd *crowd, const wend_save_host *host, const void *buffer,
                                             size_t bytes);

/// Hash all that decides the frames to come: what saves of these hold, and how far searches and fields are. Addresses,
/// times, counts of refusals and the map's epoch are not in it, so peers that play the same frames have the same hash,
/// and one that has another has parted from them in the last frame. Nor is the room that a crowd or a graph has: it
/// decides something where it is full. It is another one in another version of wend.
/// @param map, service, crowd   any may be NULL
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_IN_CALLBACK
/// Cost: O(agents + pending requests + chunks with units), and the steps of the paths of agents that have changed since
/// the last one; for a new map version O(cells + steps of all paths).
WEND_API wend_error wend_world_hash(wend_map *map, wend_service *service, wend_crowd *crowd, uint64_t *hash);

/// Hash what a save has of one agent, to find the one in which two peers differ.
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_STALE_TICKET, WEND_IN_CALLBACK
/// Cost: O(steps of its path).
WEND_API wend_error wend_crowd_hash_agent(wend_crowd *crowd, wend_agent_id id, uint64_t *hash);

/// Begin to record a service that runs, as wend_service_record() does one that is idle: the script goes on from saves
/// that it has. Service and crowd are restored from the same saves at once, so unfinished searches and fields begin
/// again here, too, and what the service has learnt about searches is forgotten: some answers come in other frames than
/// without a recording. Requests keep their submission numbers as names. Other maps come with their first request.
/// @param map     of all pending requests; it is written as it is
/// @param crowd   on that map; recorded by its orders. NULL: there is none. No agent of another crowd is searching
/// @return as wend_service_record() but WEND_BUSY, and as saves and restores; after their errors nothing is recorded
/// Threads: owner, while no other thread calls the service or its maps. Cost: as wend_service_record_map(), two saves
/// and a restore, with an allocation of their size from the service's allocator.
WEND_API wend_error wend_service_record_state(wend_service *service, wend_map *map, wend_crowd *crowd,
                                              wend_record_fn *write, void *context);

#ifdef __cplusplus
}
#endif
#endif
