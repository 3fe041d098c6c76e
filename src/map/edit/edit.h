/* SPDX-License-Identifier: MIT */
/* Internal: batches of changes: a draft of the next version, and the cells that the batch wrote to. */
#ifndef WEND_SRC_MAP_EDIT_EDIT_H
#define WEND_SRC_MAP_EDIT_EDIT_H

#include "map/links/links.h"
#include "recording/tap/tap.h"

/// The parts of a block that a batch wrote to. It exists as soon as the draft has its own copy of the block.
typedef struct wend__dirty {
    uint64_t rows[WEND__BLOCK_CHUNKS];  ///< a bit for each row with written terrain or closed steps
    uint8_t around[WEND__BLOCK_CHUNKS]; ///< bit d: the masks of the neighbour in direction d may be stale
    bool terrain[WEND__BLOCK_CHUNKS];   ///< classes were written: the plane or the bits belong to the draft
    bool steps[WEND__BLOCK_CHUNKS];     ///< steps were closed or opened: `closed` belongs to the draft, or is NULL
} wend__dirty;

/// A batch's changes of links: the last one for each pair of cells, in a hash table. edit_links.c
typedef struct wend__link_changes {
    struct wend__link *slots; ///< cost 0: the link is removed; from = to: the slot is free
    size_t capacity;          ///< number of slots, a power of two; 0: not allocated
    size_t used;
    int64_t more; ///< links after the batch minus links before it
} wend__link_changes;

struct wend_edit {
    wend_map *map;
    wend__version *base;  ///< the version that the batch began from; a reference
    wend__version *draft; ///< NULL once it is the newest version
    bool counted;         ///< true for the map's one open batch
    bool same;            ///< cells, links and rules stay: the revision stays, too
    wend_error error;     ///< the first one
    char why[160];        ///< its detail
    size_t bytes;         ///< size of this object
    wend__edit_log log;   ///< log for a map with a tap
    wend__link_changes links;
    const wend__link_changes *changed_links; ///< differences of the draft's links from the base's; NULL: none
    wend__dirty *dirty[];                    ///< by block; NULL: the draft shares the base's block
};

/// Returns the rows of a chunk that a batch wrote to.
static inline uint64_t wend__dirty_rows(const wend__version *v, wend__dirty *const *dirty, int32_t column,
                                        int32_t row) {
    const wend__dirty *block = dirty[wend__block_index(v, column, row)];
    return block ? block->rows[wend__chunk_index(column, row)] : 0;
}

/// Returns a chunk of one of the draft's own blocks, and marks of the writes to the block.
static inline wend__chunk *wend__edit_chunk(wend_edit *edit, int32_t column, int32_t row) {
    wend__block *block = edit->draft->blocks[wend__block_index(edit->draft, column, row)];
    return &block->chunks[wend__chunk_index(column, row)];
}

static inline wend__dirty *wend__edit_dirty(const wend_edit *edit, int32_t column, int32_t row) {
    return edit->dirty[wend__block_index(edit->draft, column, row)];
}

/// Begins an edit of the newest version.
/// @param counted   it is the map's one open batch: WEND_IN_USE while there is another
wend_error wend__edit_create(wend_map *map, bool counted, wend_edit **out);
void wend__edit_free(wend_edit *edit);
/// Keeps the batch's first error, and its detail. @return that error
wend_error wend__edit_keep(wend_edit *edit, wend_error error);
/// Returns the error of a batch that failed before, with its detail; or WEND_OK.
wend_error wend__edit_failed(const wend_edit *edit);
/// Copies the block of a chunk for the draft, unless it has a copy. WEND_OK, WEND_OUT_OF_MEMORY.
wend_error wend__edit_own_block(wend_edit *edit, int32_t column, int32_t row);
/// Sets a grid's chunk to two classes, a bit for each cell; bits off the map are ignored. WEND_OK, WEND_OUT_OF_MEMORY.
wend_error wend__edit_put_bits(wend_edit *edit, int32_t column, int32_t row, const uint8_t classes[2],
                               const uint64_t rows[WEND__CHUNK_SIDE]);
/// Sets all cells of a box, which is on the map, to a class; unrecorded. WEND_OK, WEND_OUT_OF_MEMORY.
wend_error wend__edit_fill(wend_edit *edit, wend_box box, uint8_t terrain);
/// As wend_edit_set_step(), between neighbours under any rules: a step stays closed under rules that lack it.
wend_error wend__edit_restore_step(wend_edit *edit, wend_cell from, wend_cell to, bool open);
/// Opens all steps out of the cells of a chunk. WEND_OK, WEND_OUT_OF_MEMORY.
wend_error wend__edit_open_steps(wend_edit *edit, int32_t column, int32_t row);
/// As wend__check_cell(), but for a graph of the batch: nodes that it added count.
wend_error wend__edit_check_cell(const wend_edit *edit, const char *name, wend_cell cell);
/// Returns WEND_OK if all chunks of a box are loaded, else WEND_BAD_ARGUMENT.
wend_error wend__edit_check_land(const wend_edit *edit, wend_box box);
/// Stores a chunk's terrain in the smallest form that the draft's rules allow.
wend_error wend__edit_compact(wend_edit *edit, int32_t column, int32_t row);

/* ---- links ---- */

/// Makes the links after the batch, with a reference; NULL if there are none.
wend_error wend__edit_links(const wend_edit *edit, const wend__links **out);
/// Returns true if the changes contain this link, added or removed.
bool wend__link_changed(const wend__link_changes *changes, uint32_t from, uint32_t to);
/// Returns true if the batch has a link from a node of a graph to another.
bool wend__edit_has_link(const wend_edit *edit, uint32_t from, uint32_t to);
/// Removes all links from and to a node of a graph; unrecorded. WEND_OK, WEND_OUT_OF_MEMORY.
wend_error wend__edit_remove_links(wend_edit *edit, uint32_t node);
void wend__link_changes_free(wend_map *map, wend__link_changes *changes);

/// Makes a chunk of a streamed grid an unloaded one, as in a save.
/// @param hash   hash of its cells, if KNOWN; else 0
/// @return WEND_OK, WEND_OUT_OF_MEMORY
wend_error wend__edit_set_unloaded(wend_edit *edit, int32_t chunk_x, int32_t chunk_y, int32_t land, uint32_t hash);

/* ---- publishing ---- */

/// Gives the draft its rules, and chunks to suit: derived again where the batch wrote, or all of them if the rules
/// require that.
/// @param changes   receives how the draft's rules changed: WEND__CHANGED_FACTORS, _CONTACT
wend_error wend__edit_derive(wend_edit *edit, const wend_map_rules *rules, uint32_t *changes);
/// Records the changes of a batch that becomes the newest version with that epoch. The writer lock is held.
void wend__edit_log_changes(const wend_edit *edit, uint64_t epoch);
/// Makes the draft of a mover's view final: its chunks, and the derived data that views have. Its links are final.
wend_error wend__edit_finish_view(wend_edit *edit, const wend_map_rules *rules);
/// Lets `fn` change the derived data of a draft of the newest version, then makes the draft the newest version.
wend_error wend__map_change(wend_map *map, bool counted, int32_t (*fn)(wend_edit *edit, void *context), void *context);
/// Makes the draft the newest version. The writer lock is held.
/// @param alone   refuse (WEND_IN_USE) while any version is pinned
wend_error wend__edit_install(wend_edit *edit, uint64_t epoch, bool alone);
/// Publish a loader's batch as the map's first version: the epoch stays 0.
wend_error wend__edit_publish_first(wend_edit *edit);
/// Publish a batch as the version of an epoch, which may be less than the map's. Changes since any
/// epoch are unknown then.
wend_error wend__edit_publish_as(wend_edit *edit, uint64_t epoch);

#endif
