/* SPDX-License-Identifier: MIT */
/* Internal to this room: the map object, its memory, and how a version is made from another. */
#ifndef WEND_SRC_MAP_PRIVATE_H
#define WEND_SRC_MAP_PRIVATE_H

#include "map/map_internal.h"

#include <stdatomic.h>
#include <string.h>

/// What a map and its forks share, because they share blocks and planes.
typedef struct wend__family {
    wend_allocator allocator;
    uint64_t max_bytes;
    size_t object_bytes; ///< of this object, with its lock
    wend__mutex *mutex;  ///< guards all below, the members' changing parts, and every count of who holds what
    uint32_t members;
    uint64_t bytes, bytes_peak;
    uint64_t jump_bytes; ///< of those, jump tables'
} wend__family;

struct wend_map {
    wend__family *family;
    size_t object_bytes; ///< of this object, with its lock
    int32_t kind;
    int32_t width, height, depth;
    const wend__graph *graph;  ///< NULL but in a graph; counted
    struct wend__crowd *crowd; ///< who stands where; NULL: nobody ever did
    _Atomic uint32_t references;
    _Atomic uint64_t serial;          ///< the newest version's; written under `mutex`
    _Atomic uint64_t landmark_effort; ///< of a publish, to mend landmarks
    wend__mutex *mutex;               ///< the family's: guards all below
    wend__mutex *writer;              ///< taken before `mutex` by who derives and installs a new newest version
    uint32_t max_versions;
    bool batch_open;
    wend__version *newest; ///< changes only under both locks; older ones that are held follow through `older`
};

/// What a batch knows of a block: there is one as soon as the block is the draft's own.
typedef struct wend__marks {
    uint64_t rows[WEND__BLOCK_CHUNKS];  ///< a bit for each row written to, terrain or closed steps
    uint8_t around[WEND__BLOCK_CHUNKS]; ///< bit d: cells changed that the neighbour chunk in direction d looks at
    bool terrain[WEND__BLOCK_CHUNKS];   ///< classes were written: plane or bits are the draft's own
    bool steps[WEND__BLOCK_CHUNKS];     ///< steps were closed or opened: `closed` is the draft's own, or NULL
} wend__marks;

/// What a batch does to links: the last change of each pair of cells, hashed by the pair. link_changes.c
typedef struct wend__link_changes {
    struct wend__way *slots; ///< cost 0: the link is removed; from = to: the slot is free
    size_t capacity;         ///< of slots, a power of two; 0: none yet
    size_t used;
    int64_t more; ///< links that there will be, less those before
} wend__link_changes;

struct wend_edit {
    wend_map *map;
    wend__version *base;  ///< what the batch began from; a reference
    wend__version *draft; ///< NULL once it is the newest version
    bool counted;         ///< it is the map's one open batch
    bool same;            ///< cells and rules stay as they are: no new revision
    int32_t error;        ///< the first
    size_t bytes;         ///< of this object
    wend__link_changes links;
    const wend__link_changes *relinked; ///< by which the draft's links differ from the base's; NULL: they do not
    wend__marks *marks[];               ///< one a block; NULL: the block is still the base's
};

/* map.c */
/// A map of a checked definition, without a version; and its first one, all open (the map is freed where that fails).
int32_t wend__map_found(const wend_map_def *def, wend_map **out);
int32_t wend__map_open(wend_map *map, const wend_map_rules *rules);

/* memory.c: all that a map and its forks hold is counted against their max_bytes. */
void *wend__family_alloc(wend__family *family, size_t bytes);
/// The same for a power of two up to 64.
void *wend__family_alloc_aligned(wend__family *family, size_t bytes, size_t alignment);
void wend__family_free(wend__family *family, void *pointer, size_t bytes);
void *wend__map_alloc(wend_map *map, size_t bytes);
void wend__map_free(wend_map *map, void *pointer, size_t bytes);
/// Room for one more in a list of `count`: the list, or one twice as long in its place; NULL: no room, the list stays.
void *wend__map_grown(wend_map *map, void *list, size_t count, size_t *room, size_t each);
/// Count one more who holds a thing, or one less (true: nobody does any more), under the map's mutex.
void wend__hold(wend_map *map, uint32_t *references);
bool wend__let_go(wend_map *map, uint32_t *references);
/// What nobody holds any more, to be freed when the mutex is not held: it lies where the thing did.
typedef struct wend__dead {
    struct wend__dead *next;
    size_t bytes;
} wend__dead;
/// One less holds a thing; true: nobody does any more, and it is on the list. The mutex is held.
bool wend__count_down(const void *thing, uint32_t *references, size_t bytes, wend__dead **list);
void wend__free_dead(wend_map *map, wend__dead *list);

/* planes.c */
extern const wend__plane wend__masks_open, wend__masks_closed;
extern const wend__bits wend__voxels_open, wend__voxels_blocked;
/// A plane with one reference and bytes still to be written; NULL: no room.
wend__plane *wend__plane_create(wend_map *map);
void wend__plane_retain(wend_map *map, const wend__plane *plane);
void wend__plane_release(wend_map *map, const wend__plane *plane); ///< NULL is ignored
wend__bits *wend__bits_create(wend_map *map);                      ///< as wend__plane_create()
void wend__bits_retain(wend_map *map, const wend__bits *bits);     ///< NULL is ignored
void wend__bits_release(wend_map *map, const wend__bits *bits);    ///< NULL is ignored
wend__closed *wend__closed_create(wend_map *map);                  ///< one reference, no step closed; NULL: no room
void wend__closed_retain(wend_map *map, const wend__closed *closed);
void wend__closed_release(wend_map *map, const wend__closed *closed);  ///< NULL is ignored
bool wend__closed_alike(const wend__closed *a, const wend__closed *b); ///< NULL: none
wend__block *wend__block_create(wend_map *map);                        ///< chunks still to be written, no jump tables
wend__block *wend__block_copy(wend_map *map, const wend__block *from); ///< without jump tables
void wend__block_release(wend_map *map, wend__block *block);

/* jump_users.c: which versions have jump tables, and so which blocks keep theirs. */
/// A version that has just been copied from another has its tables too, if it has any.
void wend__jumps_join(wend__version *version, const wend__version *from);
/// It has them no more; blocks that no other version has tables of lose theirs.
void wend__jumps_leave(wend__version *version);
/// A block's copy that a draft with tables is about to take in its place: it gets the tables, the block loses a user.
int32_t wend__jumps_move(wend_map *map, wend__block *from, wend__block *to);
/// jump_repair.c: bring the draft's tables up to date, where it has any.
int32_t wend__jumps_repair(wend_edit *edit);

/* landmarks.c: which versions have landmarks, see landmarks.h. */
/// As wend__jumps_join() and wend__jumps_leave().
void wend__landmarks_join(wend__version *version, const wend__version *from);
void wend__landmarks_leave(wend__version *version);
/// A draft about to be the newest version gets those of that one, mended with so much effort where its steps are new. The
/// writer lock is held. WEND_OK, WEND_OUT_OF_MEMORY.
int32_t wend__landmarks_renew(wend_edit *edit, uint64_t effort);

/* version.c */
/// A version of the map's size with one reference, without rules and blocks.
wend__version *wend__version_create(wend_map *map);
/// Sum up a block's largest factor from its chunks, and a version's from its blocks.
void wend__block_sum(wend__block *block);
void wend__version_sum(wend__version *version);
/// A version with the same blocks: for a batch to change, or for a fork of the map.
wend__version *wend__version_copy(const wend__version *from, wend_map *map);
void wend__version_free(wend__version *version);
void wend__version_set_rules(wend__version *version, const wend_map_rules *rules);
/// Give an empty version, which has its rules, its first blocks: every cell of class WEND_CLASS_OPEN.
int32_t wend__version_open(wend__version *version);

static inline size_t wend__version_blocks(const wend__version *v) {
    return (size_t)v->block_columns * (size_t)v->block_rows;
}

/// Where a chunk of a block lies in the table, perhaps beyond its rim. (`local` is 0.)
static inline wend__place wend__chunk_place(const wend__version *v, size_t block, unsigned chunk) {
    size_t columns = (size_t)v->block_columns;
    return (wend__place){(int32_t)(block % columns * WEND__BLOCK_SIDE + chunk % WEND__BLOCK_SIDE),
                         (int32_t)(block / columns * WEND__BLOCK_SIDE + chunk / WEND__BLOCK_SIDE), 0};
}

static inline bool wend__on_table(const wend__version *v, int32_t column, int32_t row) {
    return column >= 0 && row >= 0 && column < v->chunk_columns && row < v->chunk_rows;
}

/// The rows of a chunk of the table that a batch wrote to.
static inline uint64_t wend__rows_written(const wend__version *v, wend__marks *const *marks, int32_t column,
                                          int32_t row) {
    const wend__marks *block = marks[wend__block_index(v, column, row)];
    return block ? block->rows[wend__chunk_index(column, row)] : 0;
}

/// A chunk of a batch's own block; and what it knows of that.
static inline wend__chunk *wend__edit_chunk(wend_edit *edit, int32_t column, int32_t row) {
    wend__block *block = edit->draft->blocks[wend__block_index(edit->draft, column, row)];
    return &block->chunks[wend__chunk_index(column, row)];
}

static inline wend__marks *wend__edit_marks(const wend_edit *edit, int32_t column, int32_t row) {
    return edit->marks[wend__block_index(edit->draft, column, row)];
}

/// How many columns or rows of cells of a chunk are on the map.
static inline unsigned wend__chunk_extent(int32_t cells, int32_t chunk) {
    int32_t left = cells - (chunk << WEND__CHUNK_SHIFT);
    return left < WEND__CHUNK_SIDE ? (unsigned)left : WEND__CHUNK_SIDE;
}

/// How many columns and rows of a chunk's 64 x 64 places matter: on a grid those that are on the map; else all.
static inline void wend__chunk_extents(const wend__version *v, int32_t column, int32_t row, unsigned *width,
                                       unsigned *height) {
    bool grid = v->kind == WEND_KIND_GRID;
    *width = grid ? wend__chunk_extent(v->width, column) : WEND__CHUNK_SIDE;
    *height = grid ? wend__chunk_extent(v->height, row) : WEND__CHUNK_SIDE;
}

/// Sets of numbers: who is joined has a parent below it.
static inline uint32_t wend__set_find(uint32_t *parents, uint32_t i) {
    while (parents[i] != i) i = parents[i] = parents[parents[i]];
    return i;
}

/// @return false: they are joined already
static inline bool wend__set_unite(uint32_t *parents, uint32_t a, uint32_t b) {
    a = wend__set_find(parents, a);
    b = wend__set_find(parents, b);
    if (a < b)
        parents[b] = a;
    else
        parents[a] = b;
    return a != b;
}

/// A word whose lowest `count` bits are set: 0 to 64.
static inline uint64_t wend__low_bits(unsigned count) {
    return count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

/* terrain.c */
/// Bytes of 0xFF and 0 from the bits of a word, lowest first.
void wend__spread_row(uint64_t word, uint8_t out[WEND__CHUNK_SIDE]);
/// The classes of a row; those beyond the map's rim may be any.
void wend__chunk_row(const wend__chunk *chunk, unsigned y, uint8_t out[WEND__CHUNK_SIDE]);
/// Which cells of a row are open: bit x; beyond the map's rim it may be any.
uint64_t wend__open_row(const uint8_t factors[256], const wend__chunk *chunk, unsigned y);
/// All classes of a chunk as bytes; 0 beyond the rim.
void wend__chunk_expand(const wend__chunk *chunk, unsigned width, unsigned height, uint8_t *bytes);
void wend__chunk_make_uniform(wend_map *map, wend__chunk *chunk, uint8_t class);

enum { WEND__FORM_AS_IS, WEND__FORM_UNIFORM, WEND__FORM_BITS, WEND__FORM_BYTES };
typedef struct wend__form {
    int32_t kind;
    uint8_t classes[2];
} wend__form;

/// The form that a chunk has to have under these rules, where it is not the one it has.
wend__form wend__chunk_form(const wend__chunk *chunk, const wend_map_rules *rules, unsigned width, unsigned height);
/// Give it to a chunk of a block that nobody shares.
int32_t wend__chunk_reform(wend_map *map, wend__chunk *chunk, const wend__form *form, unsigned width, unsigned height);

/* masks.c */
enum { WEND__MEMO = 64, WEND__OPEN_STRIDE = 80 };

/// Derives the masks of many chunks of one version, whose terrain must be final.
typedef struct wend__deriver {
    const wend__version *version;
    wend__plane scratch;
    uint8_t cells[WEND__CHUNK_SIDE + 2][WEND__OPEN_STRIDE]; ///< open bytes of a chunk and the cells around it
    bool settled; ///< of the chunk last derived: closed steps bear on its cells
    uint8_t closed[WEND__CHUNK_SIDE + 2][WEND__OPEN_STRIDE]; ///< where settled: like `cells`, which steps were closed
    /* Chunks amid uniform ones look alike all along a rim or a filled box: those of one deriver share a plane. */
    uint16_t memo_keys[WEND__MEMO];
    const wend__plane *memo[WEND__MEMO];
} wend__deriver;

void wend__deriver_init(wend__deriver *deriver, const wend__version *version);

/// What a chunk's masks and largest factor should be. The plane is a shared one, or deriver->scratch; deriver->settled
/// says whether it holds final steps.
/// @param rows   a bit for each row whose masks may no longer be true
const wend__plane *wend__derive(wend__deriver *deriver, int32_t column, int32_t row, uint64_t rows, uint8_t *max_factor,
                                int32_t *key);

/// Is what wend__derive() said another thing than what the chunk has?
bool wend__derived_anew(const wend__deriver *deriver, const wend__chunk *chunk, const wend__plane *masks,
                        uint8_t max_factor);

/// Give a chunk what wend__derive() said. It is not written to where it has that already, as its block may be shared.
/// @return WEND_OK or WEND_OUT_OF_MEMORY
int32_t wend__derive_store(wend__deriver *deriver, wend__chunk *chunk, const wend__plane *masks, uint8_t max_factor,
                           int32_t key);

/// Give a chunk of a new version, whose block nobody shares, all that follows from its terrain. version.c
int32_t wend__chunk_derive(wend__deriver *deriver, wend__chunk *chunk, int32_t column, int32_t row);

/* labels.c */
wend__area *wend__area_retain(wend_map *map, wend__area *area); ///< NULL is passed through
void wend__area_release(wend_map *map, wend__area *area);       ///< NULL is ignored
/// Do the rules connect cells that only touch at a corner?
bool wend__labels_diagonal(const wend_map_rules *rules);
/// The labels of a version whose terrain is final: `old`, renewed where the batch touched; all anew where that is NULL.
int32_t wend__labels_renew(const wend__version *version, wend__area *old, wend__marks *const *marks, wend__area **out);
/// Those of a new map, all of which is open. Cost: O(levels + chunks on the rim).
int32_t wend__labels_create(const wend__version *version, wend__area **out);
/// Is the labels' part above the chunks what it was? Then cells of chunks that no batch touched are of the same components.
bool wend__labels_alike(const wend__version *version, const wend__area *before);

/* edit.c */
int32_t wend__edit_create(wend_map *map, bool counted, wend_edit **out);
void wend__edit_free(wend_edit *edit);
/// Make a block the draft's own.
int32_t wend__edit_own_block(wend_edit *edit, int32_t column, int32_t row);
/// Give a chunk's terrain the form it has to have under the draft's rules.
int32_t wend__edit_settle(wend_edit *edit, int32_t column, int32_t row);

/* walls.c */
/// Which steps out of a cell of the map were closed: bit d is direction d, of the 8 or of the 26. O(1).
uint32_t wend__closed_at(const wend__version *version, wend_cell cell);

/* publish.c */
/// Give the draft its rules, and masks and components to suit: derived anew where the batch touched, or everywhere where the
/// rules ask for it.
int32_t wend__edit_derive(wend_edit *edit, const wend_map_rules *rules);
/// That, and links and grounds. The writer's lock is held.
int32_t wend__edit_finish(wend_edit *edit, const wend_map_rules *rules);
/// Have a draft of the newest version changed by `fn`, and make it the newest: of the same cells.
/// @param counted  as a batch is: WEND_IN_USE while one is open, and no other is begun meanwhile
int32_t wend__map_change(wend_map *map, bool counted, int32_t (*fn)(wend_edit *edit, void *context), void *context);
/// Make the draft the newest version. The writer's lock is held.
/// @param alone   refuse (WEND_IN_USE) while any version is pinned
int32_t wend__edit_install(wend_edit *edit, uint64_t epoch, bool alone);
/// Mark the oldest of the versions in use as retired where there are more than the map may have. The mutex is held.
void wend__map_retire_excess(wend_map *map);

/* voxels.c */
/// Give a chunk of voxels its open bits, its largest factor and `settled`, from its terrain, which is final. The chunk's
/// block is the draft's own, or nobody else's yet.
int32_t wend__voxels_derive(const wend__version *version, wend__chunk *chunk, int32_t column, int32_t row);
/// Would that leave the chunk as it is?
bool wend__voxels_derived(const wend__version *version, const wend__chunk *chunk, int32_t column, int32_t row);
/// How many cells of a chunk are on the map, in x, y and z.
typedef struct wend__extent {
    unsigned width, height, depth;
} wend__extent;
wend__extent wend__voxels_extent(const wend__version *version, int32_t column, int32_t row);
/// Which of a row of 64 places (four rows of cells) are on the map.
uint64_t wend__voxels_on_map(const wend__extent *extent, unsigned row);
/// Give the places of a draft's own chunk that are beyond the map's rim the class of its first cell, so that they do not
/// keep it from having one class, or two.
void wend__voxels_paint_rim(wend__chunk *chunk, wend__extent extent);
/// Let the bits of a draft's own chunk, where some are open and some blocked, be its open bits as well.
void wend__voxels_turn_bits(wend__chunk *chunk, const uint8_t factors[256], wend__extent extent);

/* space_sight.c */
/// The last cell that the line reaches from an open voxel.
wend_cell wend__space_line(const wend__version *version, wend_cell from, wend_cell to);

/* graph.c */
/// A graph's chunk: its largest factor, from its terrain, which is final.
void wend__graph_derive(const wend__version *version, wend__chunk *chunk, int32_t column);
/// Class 0 for the places of a new version's blocks where there is no node.
int32_t wend__graph_open(wend__version *version);
void wend__graph_retain(wend_map *map, const wend__graph *graph);
void wend__graph_release(wend_map *map, const wend__graph *graph); ///< NULL is ignored

/* sort.c */
/// Sort numbers; scratch has room for as many.
void wend__sort_numbers(uint64_t *numbers, uint64_t *scratch, size_t count);

/* link_changes.c */
/// The links as the batch leaves them, with a reference; NULL where there are none.
int32_t wend__edit_links(const wend_edit *edit, const wend__links **out);
/// Is a link, or one that there was, among the changes?
bool wend__link_changed(const wend__link_changes *changes, uint32_t from, uint32_t to);
void wend__link_changes_free(wend_map *map, wend__link_changes *changes);

/* links.c */
const wend__links *wend__links_retain(wend_map *map, const wend__links *links); ///< NULL is passed through
void wend__links_release(wend_map *map, const wend__links *links);              ///< NULL is ignored
/* joined.c */
/// What links connect in a version (or ground) whose labels are final. *out: NULL where no link joins two components.
int32_t wend__links_join(const wend__version *version, wend__joined **out);
/* joined_renew.c */
/// The same of a batch's draft whose labels are final, from what links connect in its base. Looks at the links that end in
/// chunks that the batch touched, at those that it changed, and at those in parts of components that it cut off.
int32_t wend__joined_renew(const wend_edit *edit, wend__joined **out);
/* joined.c */
wend__joined *wend__joined_retain(wend_map *map, wend__joined *joined); ///< NULL is passed through
void wend__joined_release(wend_map *map, wend__joined *joined);         ///< NULL is ignored
/// A component as links leave it: the same number for all components that links connect.
uint64_t wend__joined_component(const wend__version *version, uint64_t component);

/* crowd.c */
void wend__crowd_free(wend_map *map); ///< of a map that goes away

/* read.c */
static inline bool wend__cell_on_map(const wend_map *map, wend_cell cell) {
    return wend__map_has(map, cell);
}

/// Are these the classes of `count` places of a chunk, one after another?
bool wend__chunk_run_is(const wend__chunk *chunk, unsigned place, unsigned count, const uint8_t *classes);

/// WEND_OK, WEND_BAD_ARGUMENT (max before min) or WEND_OUT_OF_RANGE.
int32_t wend__box_check(const wend_map *map, wend_box box);

/// The newest version for a short question, which does not change the map.
static inline wend__version *wend__map_look(const wend_map *map) {
    return wend__map_acquire((wend_map *)map, false);
}

#endif
