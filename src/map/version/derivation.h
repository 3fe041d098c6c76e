/* SPDX-License-Identifier: MIT */
/* Internal: derived data: all that follows from a version's cells, steps and links, listed in one table. */
#ifndef WEND_SRC_MAP_VERSION_DERIVATION_H
#define WEND_SRC_MAP_VERSION_DERIVATION_H

#include "map/store/map_layout.h"

/// How the rules of a version differ from those before it, one bit each.
enum {
    WEND__CHANGED_FACTORS = 1, ///< classes have other factors: any cell may be open or blocked now
    WEND__CHANGED_CONTACT = 2  ///< other directions connect neighbours
};

/// A kind of derived data. A version holds it by a typed pointer of its own, so readers do not come here.
typedef struct wend__derivation {
    const char *name;
    uint32_t rebuilt_by;   ///< changes of rules after which it is made again; 0: it is updated after any change
    bool in_views;         ///< a mover's view of a version has it, too; and the draft of a batch from its beginning
    bool rebuilt_in_views; ///< a mover's view may have it, too, but no draft has it before it is rebuilt
    /// Gives a version without such data that of another version of the same cells. Cost: O(1). NULL, as `drop` and
    /// `rebuild`: no version has any.
    void (*share)(wend__version *version, const wend__version *from);
    /// Releases a version's data; it may have none.
    void (*drop)(wend__version *version);
    /// Makes it for a map's first version, with all cells open. NULL: a first version has none.
    wend_error (*create)(wend__version *version);
    /// Gives the draft its data: those of its base (or of the map's newest version), updated for the batch's
    /// writes. The draft's rules, chunks and links are final, and so are the rows above this one. On failure
    /// the draft holds something that `drop` can release.
    /// @param changes   those of `rebuilt_by` that happened; 0: only what the batch touched is new
    wend_error (*rebuild)(wend_edit *edit, uint32_t changes);
    /// Handles that the first unit comes to a cell (before it is counted), or that the last one has left. Without
    /// memory, the data stop following. NULL: the data do not follow units.
    void (*moved)(wend_map *map, wend_cell cell, bool came);
    /// Frees the data that `moved` keeps apart from the versions, when a map is freed. NULL: nothing.
    void (*forget_units)(wend_map *map);
    /// Discards unfinished jobs, when a map is freed, before its versions are. NULL: there never are any.
    void (*end)(wend_map *map);
    /// Debug builds: assert that a version's data is right, or a sample of it. NULL: nothing is checked.
    void (*validate)(const wend__version *version);
} wend__derivation;

/// The table, in the order in which rows are rebuilt; a row without a name ends it. derivations.c fills it, so that
/// this room and `edit` need not include the rooms above.
extern const wend__derivation wend__derivations[];

/// Subsets of the rows: all, those that movers' views and drafts of batches have, or the rest.
typedef enum wend__rows { WEND__ROWS_ALL, WEND__ROWS_IN_VIEWS, WEND__ROWS_NOT_IN_VIEWS } wend__rows;

void wend__derivations_share(wend__version *version, const wend__version *from, wend__rows rows);
void wend__derivations_drop(wend__version *version);
wend_error wend__derivations_create(wend__version *version);
wend_error wend__derivations_rebuild(wend_edit *edit, uint32_t changes, wend__rows rows);
void wend__derivations_moved(wend_map *map, wend_cell cell, bool came);
void wend__derivations_forget_units(wend_map *map);
void wend__derivations_end(wend_map *map);

#endif
