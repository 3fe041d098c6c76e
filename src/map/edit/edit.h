/* SPDX-License-Identifier: MIT */
/* Internal: batches of changes: a draft of the next version, and what the batch wrote to. */
#ifndef WEND_SRC_MAP_EDIT_EDIT_H
#define WEND_SRC_MAP_EDIT_EDIT_H

#include "map/links/links.h"
#include "map/store/map_layout.h"

/// What a batch knows of a block: there is one as soon as the block is the draft's own.
typedef struct wend__dirty {
    uint64_t rows[WEND__BLOCK_CHUNKS];  ///< a bit for each row written to, terrain or closed steps
    uint8_t around[WEND__BLOCK_CHUNKS]; ///< bit d: cells changed that the neighbour chunk in direction d looks at
    bool terrain[WEND__BLOCK_CHUNKS];   ///< classes were written: plane or bits are the draft's own
    bool steps[WEND__BLOCK_CHUNKS];     ///< steps were closed or opened: `closed` is the draft's own, or NULL
} wend__dirty;

/// What a batch does to links: the last change of each pair of cells, hashed by the pair. link_changes.c
typedef struct wend__link_changes {
    struct wend__link *slots; ///< cost 0: the link is removed; from = to: the slot is free
    size_t capacity;          ///< of slots, a power of two; 0: none yet
    size_t used;
    int64_t more; ///< links that there will be, less those before
} wend__link_changes;

struct wend_edit {
    wend_map *map;
    wend__version *base;  ///< what the batch began from; a reference
    wend__version *draft; ///< NULL once it is the newest version
    bool counted;         ///< it is the map's one open batch
    bool same;            ///< cells and rules stay as they are: no new revision
    wend_error error;     ///< the first
    size_t bytes;         ///< of this object
    wend__link_changes links;
    const wend__link_changes *changed_links; ///< by which the draft's links differ from the base's; NULL: they do not
    wend__dirty *dirty[];                    ///< one a block; NULL: the block is still the base's
};

/// The rows of a chunk of the table that a batch wrote to.
static inline uint64_t wend__dirty_rows(const wend__version *v, wend__dirty *const *dirty, int32_t column,
                                        int32_t row) {
    const wend__dirty *block = dirty[wend__block_index(v, column, row)];
    return block ? block->rows[wend__chunk_index(column, row)] : 0;
}

/// A chunk of a batch's own block; and what it knows of that.
static inline wend__chunk *wend__edit_chunk(wend_edit *edit, int32_t column, int32_t row) {
    wend__block *block = edit->draft->blocks[wend__block_index(edit->draft, column, row)];
    return &block->chunks[wend__chunk_index(column, row)];
}

static inline wend__dirty *wend__edit_dirty(const wend_edit *edit, int32_t column, int32_t row) {
    return edit->dirty[wend__block_index(edit->draft, column, row)];
}

wend_error wend__edit_create(wend_map *map, bool counted, wend_edit **out);
void wend__edit_free(wend_edit *edit);
/// Make a block the draft's own.
wend_error wend__edit_own_block(wend_edit *edit, int32_t column, int32_t row);
/// Give a chunk's terrain the form it has to have under the draft's rules.
wend_error wend__edit_compact(wend_edit *edit, int32_t column, int32_t row);

#endif
