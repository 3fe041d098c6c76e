/* SPDX-License-Identifier: MIT */
/* Internal to this room: how records are made. */
#ifndef WEND_SRC_FAST_FAR_FAR_MAKE_H
#define WEND_SRC_FAST_FAR_FAR_MAKE_H

#include "map/edit/edit.h"
#include "fast/far/far_gates.h"
#include "fast/far/far_flood.h"

/// A record that is being made: gates as in wend__far_record, costs[i * WEND__FAR_GATES + j] from gate i to gate j.
typedef struct wend__far_draft {
    uint8_t first[5];
    bool mixed;
    uint16_t place[WEND__FAR_GATES];
    uint8_t component[WEND__FAR_GATES]; ///< any numbers; of a record they are dense, from 0, in the order of the gates
    uint8_t out[WEND__FAR_GATES], in[WEND__FAR_GATES];
    uint32_t costs[WEND__FAR_GATES * WEND__FAR_GATES];
} wend__far_draft;

/// A gate one level lower.
typedef struct wend__far_lower {
    wend__far_area child;
    uint32_t gate;
} wend__far_lower;

/// Memory to make records with, and the record under way.
typedef struct wend__far_maker {
    const wend__version *view;
    const wend__far *far;
    uint32_t gate;  ///< next gate to compute costs from; number of gates: the record is complete
    bool searching; ///< the search for these costs is under way
    union {
        uint32_t cells[WEND__FAR_GATES];        ///< level 0: cells of the gates
        wend__far_lower below[WEND__FAR_GATES]; ///< other levels: the gates one level lower
    };
    wend__far_draft draft;
    wend__far_flood flood;
    wend__far_search search;
    wend__far_node nodes[16 * WEND__FAR_GATES];
    uint32_t open[16 * WEND__FAR_GATES];
    wend__far_nodes areas[16];
} wend__far_maker;

/// Sets up a maker.
void wend__far_maker_init(wend__far_maker *maker, const wend__version *view, const wend__far *far);

static inline void wend__far_spend(uint64_t *effort, uint64_t by) {
    *effort -= by < *effort ? by : *effort;
}

/// Begins a record: chooses its gates. Level 0 reads the view's cells and components; other levels read the records of
/// the level below, here and in the areas around, all of which are made.
void wend__far_record_begin(wend__far_maker *maker, wend__far_area area, uint64_t *effort);
/// Finds its costs, for about so much effort. @return true: all are found
bool wend__far_record_continue(wend__far_maker *maker, wend__far_area area, uint64_t *effort);
/// The record, when all costs are found. NULL: out of memory.
wend__far_record *wend__far_record_end(wend_map *map, wend__far_maker *maker);

/* ---- far_landmarks.c: the landmarks' numbers of a layer, made or lowered ---- */

/// Numbers of all gates of the top level, a copy to work on.
typedef struct wend__far_ground wend__far_ground;
/// Begins to lower the numbers of a record, and others because of them, until the invariant holds: at two gates
/// of a record a landmark's numbers differ by the cheaper of the two ways between them at most, crossing included.
/// Without numbers, or if many records changed since, it makes all landmarks. All records are made.
/// @param out   receives NULL if nothing is to be done
/// @return WEND_OK, WEND_OUT_OF_MEMORY
wend_error wend__far_numbers_begin(wend_map *map, const wend__far *far, wend__far_area area, wend__far_ground **out,
                                   uint64_t *effort);
/// Goes on for about so much effort. @return true: the invariant holds
bool wend__far_numbers_continue(wend__far_ground *ground, uint64_t *effort);
/// Stores them in an unpublished layer, perhaps a later one. Areas with changed records, and those next to them, become
/// stale. False: out of memory.
bool wend__far_numbers_store(const wend__far_ground *ground, wend__far *far, uint64_t *effort);
void wend__far_numbers_end(wend__far_ground *ground); ///< NULL is ignored

/// Puts the record that a maker has completed into an unpublished layer. WEND_OK, WEND_OUT_OF_MEMORY.
wend_error wend__far_put_made(wend_map *map, wend__far *far, wend__far_maker *maker, wend__far_area area);

/* ---- far_repair.c: a job makes one stale object again, in slices ---- */

typedef struct wend__far_job wend__far_job;

/// Returns NULL if out of memory.
wend__far_job *wend__far_job_create(wend_map *map);
void wend__far_job_free(wend_map *map, wend__far_job *job); ///< NULL is ignored
bool wend__far_job_is_busy(const wend__far_job *job);
bool wend__far_job_is_done(const wend__far_job *job); ///< returns whether its result can be adopted
int32_t wend__far_job_mover(const wend__far_job *job);
/// Ends a job without a result.
void wend__far_job_drop(wend__far_job *job);
bool wend__far_job_holds(const wend__far_job *job);
/// Keeps a reference to the version of a busy job until the job is over.
void wend__far_job_hold(wend__far_job *job, wend__version *version);
/// Begins with the first stale object of a layer, if there is one. The layer and its view stay until the job is over.
wend_error wend__far_job_begin(wend_map *map, wend__far_job *job, int32_t mover, const wend__version *view,
                               const wend__far *far, uint64_t *effort);
void wend__far_job_continue(wend__far_job *job, uint64_t *effort);
/// Puts a job's result into an unpublished layer, if its basis is unchanged; ends the job. WEND_OK, WEND_OUT_OF_MEMORY.
wend_error wend__far_job_adopt(wend_map *map, wend__far_job *job, const wend__version *view, wend__far *far,
                               uint64_t *effort);

/* ---- far_choose.c: which pairs of cells become gates ---- */

/// A run: consecutive pairs of cells at a border, of one group, from `begin` to before `end`. In a group all cells
/// on each side are connected.
typedef struct wend__far_run {
    uint16_t begin, end;
    uint8_t here, there; ///< components of the two sides
} wend__far_run;

enum { WEND__FAR_RUNS = 4 * WEND__FAR_SIDE_GATES }; ///< most runs of a side: a chunk has 64, a block 4 x 62

/// Choose the gates of a side, up to 62, and append them to a draft.
/// @param runs   by place
void wend__far_choose(int32_t level, const wend__far_run *runs, uint32_t count, wend__far_draft *draft);
/// The factors of the cells that the steps over a border enter, out of an area and into it; 0: closed.
typedef struct wend__far_step {
    uint8_t out, in;
} wend__far_step;
wend__far_step wend__far_step_over(const wend__version *view, wend__far_area area, unsigned side, uint32_t place);
/// Appends the gates of a side next to a known chunk: those of its record, regardless of this chunk's cells. A gate on
/// a blocked cell has a component of its own, from WEND__FAR_SHUT on.
enum { WEND__FAR_SHUT = 128 };
void wend__far_freeze(const wend__version *view, wend__far_area area, unsigned side, const wend__far_record *beyond,
                      wend__far_draft *draft);
/// The record of a chunk with known but unloaded cells; NULL: the chunk is loaded, or has no record.
static inline const wend__far_record *wend__far_kept(const wend__version *view, const wend__far *far,
                                                     wend__far_area area) {
    const bool known = wend__version_chunk(view, area.column, area.row)->land == WEND_LAND_KNOWN;
    return known ? wend__far_get(far, area) : NULL;
}
/// Returns the factor of the crossing out of a kept record at a gate, by what is beyond now: cells, or a kept record.
uint32_t wend__far_crossing_out(const wend__version *view, const wend__far *far, wend__far_area area,
                                const wend__far_record *kept, uint32_t gate);
/// The runs of a border of level 0, at most 64.
uint32_t wend__far_chunk_runs(const wend__version *view, wend__far_area area, unsigned side, wend__far_run *runs);

#endif
