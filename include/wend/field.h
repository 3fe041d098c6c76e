/* SPDX-License-Identifier: MIT */
/* Growing: purposes may be added, and calls that a service does itself may go. See docs/stability.md. */
/* Flow fields: for every cell the next step toward the nearest of some goals, or away from them, and the cost left.
 *
 * One field answers for any number of agents. A field is made within budgets, by hand or by a service in its frames.
 * It can be asked while it is made: what is known is final. After edits it is repaired where they matter. Occupancy is
 * ignored. With a profile a step costs what layers add to it, as in a search. */
#ifndef WEND_FIELD_H
#define WEND_FIELD_H

#include <wend/service.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wend_field wend_field;

/// Purposes of a field.
///
/// AWAY is a flee map ("The Incredible Power of Dijkstra Maps", RogueBasin). With d(c), the cost from c to the nearest
/// goal, a cell is worth w(c) = floor(d(c) × fear_milli ÷ 1000). An agent on c walks to the cell t with the largest
/// w(t) − cost(c to t), over cells from which a goal can be reached for largest_cost at most. No worth exceeds
/// WEND_FIELD_MAX_COST: cells farther from all goals than floor(WEND_FIELD_MAX_COST × 1000 ÷ fear_milli) are left out,
/// too.
enum {
    WEND_FIELD_TOWARD = 0, ///< to the goal of the cheapest path
    WEND_FIELD_AWAY = 1    ///< to refuges far from all goals
};

/// Largest cost in a field. A costlier way is no way.
#define WEND_FIELD_MAX_COST 2000000000
/// Most goals of a field.
#define WEND_FIELD_MAX_GOALS 65536
/// Range of fear_milli.
#define WEND_FIELD_FEAR_MIN_MILLI 1000
#define WEND_FIELD_FEAR_MAX_MILLI 10000

typedef struct wend_field_def {
    uint32_t struct_bytes;
    int32_t mover;            ///< WEND_MOVER_DEFAULT, or one added to the map
    wend_map *map;            ///< any kind, up to 2^31 cells in whole chunks
    const wend_cell *goals;   ///< copied; blocked ones count while they are open; may be NULL where goal_count is 0
    uint32_t goal_count;      ///< 0 to most_goals
    uint32_t most_goals;      ///< room for goals, up to WEND_FIELD_MAX_GOALS; raised to goal_count. Default 64
    int32_t purpose;          ///< WEND_FIELD_TOWARD or WEND_FIELD_AWAY
    int32_t urgency;          ///< in a service: WEND_URGENCY_MIN to WEND_URGENCY_MAX, as of requests
    uint32_t largest_cost;    ///< cells farther from all goals have no way; 1 to WEND_FIELD_MAX_COST, the default.
                              ///< AWAY: or less, see WEND_FIELD_AWAY
    uint32_t fear_milli;      ///< AWAY: worth of a unit of distance, in thousandths of the cost of walking it:
                              ///< WEND_FIELD_FEAR_MIN_MILLI to WEND_FIELD_FEAR_MAX_MILLI. Default 1200
    wend_allocator allocator; ///< alloc NULL: the C library's
    int32_t profile;          ///< of wend_map_add_profile(): costs by place that the field minds. Default 0: none
    uint32_t reserved;        ///< 0
} wend_field_def;

/// Set the defaults: toward no goals, urgency 0, no limit of cost.
/// @param bytes   sizeof *def
/// Threads: any. Cost: O(1).
WEND_API void wend_field_def_init(wend_field_def *def, size_t bytes);

/// Make a field. It allocates here and never again, in one piece: about 6.5 bytes a cell, in whole chunks of 4,096
/// cells, 13 AWAY, 4 more with a profile, and 8 for each edge of a graph unless all lead both ways at one cost. It
/// holds its map and pins the newest version, until it is repaired or destroyed: meanwhile wend_map_set_rules()
/// refuses. The first field begins the map's log of changes, see wend_map_changes().
/// @param out   receives the field, for wend_field_destroy()
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_OUT_OF_RANGE (a goal is off the map), WEND_UNSUPPORTED (too many cells),
///         WEND_OUT_OF_MEMORY
/// Threads: any, with a profile not while layers change; one at a time uses a field. Cost: O(chunks + goals + links);
/// O(nodes + edges) on graphs whose edges do not all lead both ways at one cost.
WEND_API wend_error wend_field_create(const wend_field_def *def, wend_field **out);

/// Free a field, and take it out of its service. NULL is ignored.
/// Threads: any, one at a time; of a field in a service, the service's owner. Cost: O(fields of the service).
WEND_API void wend_field_destroy(wend_field *field);

/// Make the field, or repair it, for up to `expansions`. The result does not depend on how many calls the work is split
/// into. Work that takes longer than an expansion is counted by the next call, first.
/// @param used   receives the expansions spent by this call; may be NULL
/// @return true: the field is complete; false: there is work left
/// Threads: any, one at a time. Cost: O(expansions). Allocates nothing, reads no clock; without a profile no locks.
WEND_API bool wend_field_step(wend_field *field, uint64_t expansions, uint64_t *used);

/// Bring the field to its map's newest version: find where the map changed, and mark what may depend on it. The steps
/// after that settle only cells with a better or worse way. What costs less than the changed places stays known;
/// AWAY nothing is known until all distances to the goals are. A field of a map that changed in too many places is made
/// again. So are the ways of one AWAY where the farthest cell is farther by more than an eighth.
/// The values of layers stay as they were when it was made or got goals: what is painted later, and time that passes,
/// do not show.
/// @param layers   take over the map's layers as they are now, too: the field is made again, in the same memory, and no
///                 way is known until it is complete. Call it so now and then, or for two fields by turns. A field
///                 with a layer of walls in its profile always does so where the map changed
/// @return WEND_OK (also where nothing changed)
/// Threads: any, one at a time, with a profile not while layers change. Cost: O(changed cells + chunks), O(links) where
/// links changed; with `layers` O(1), as each first change of a layer after it.
WEND_API wend_error wend_field_repair(wend_field *field, bool layers);

/// Replace the goals. The field takes over the map's layers, and is made again, in the same memory.
/// @param goals   copied; up to most_goals
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_OUT_OF_RANGE (the field keeps its goals)
/// Threads: any, one at a time, with a profile not while layers change. Cost: O(count × log count).
WEND_API wend_error wend_field_set_goals(wend_field *field, const wend_cell *goals, uint32_t count);

/// Get an agent's next cell, on the version that the field has.
/// @param next   receives the next cell: a neighbour, the end of a link, or of an edge. The cell itself where the way
///               ends: at a goal, or at a refuge
/// @param cost   receives what is left. TOWARD: cost of the way to the goal. AWAY: how much worse the cell is than the
///               best refuge of the field. In both, each step's cost is what it falls by
/// @return WEND_STATUS_FOUND; WEND_STATUS_PENDING (not known now); WEND_STATUS_NO_PATH; WEND_STATUS_START_BLOCKED (the
///         cell is blocked for the mover, or off the map). next and cost are written only for WEND_STATUS_FOUND
/// Threads: any, several at a time, while no other call changes the field. Cost: O(1); O(links or edges of the cell).
WEND_API wend_status wend_field_next(const wend_field *field, wend_cell cell, wend_cell *next, uint64_t *cost);

/// Let a service make and repair a field in its frames. The service repairs it at the start of each frame after an
/// edit, and steps it by its urgency: before requests of less urgency, in turn with those of the same, and of more
/// urgent ones it leaves seven eighths of the rounds. Its expansions count as the frame's. The ticking thread does the
/// work, so the field may be asked between frames and in callbacks.
/// @return WEND_OK, WEND_IN_USE (it is in a service), WEND_BAD_ARGUMENT (only one of both is in an arena: mark.h),
///         WEND_IN_CALLBACK
/// Threads: owner. Cost: O(fields of the service).
WEND_API wend_error wend_service_add_field(wend_service *service, wend_field *field);

/// Take a field out of a service. It stays as it is. wend_service_destroy() does so with all.
/// @return WEND_OK, WEND_BAD_ARGUMENT (it is not in this service), WEND_IN_CALLBACK
/// Threads: owner. Cost: O(fields of the service).
WEND_API wend_error wend_service_remove_field(wend_service *service, wend_field *field);

#ifdef __cplusplus
}
#endif
#endif
