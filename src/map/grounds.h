/* SPDX-License-Identifier: MIT */
/* Internal: what movers other than the default one see of a version: a ground each, kept up to date by every edit.
 *
 * A ground is laid out like a version, so everything that reads one (searches, labels, line of sight) serves any mover: the
 * class of a cell is the factor at which the mover may stand there (0: it cannot), with rules whose factors say the same.
 * It costs what a map costs. Versions and forks share those in which nothing changed; so a ground belongs to no map: its
 * `map` is NULL, and epoch, revision and the chain of versions mean nothing in it. */
#ifndef WEND_SRC_GROUNDS_H
#define WEND_SRC_GROUNDS_H

#include "map/map_private.h"

/// Immutable once a version that has it is visible; shared between versions and forks.
struct wend__grounds {
    uint32_t references; ///< guarded by the map's mutex
    int32_t count;       ///< movers other than the default one
    struct {
        wend_mover mover;
        wend__version *ground; ///< a reference; shared with other versions where nothing in it changed
    } of[];
};

/* grounds.c */
/// The same grounds for another version (or a fork's): counted once more. NULL is passed through.
wend__grounds *wend__grounds_retain(wend_map *map, wend__grounds *grounds);
void wend__grounds_release(wend_map *map, wend__grounds *grounds); ///< NULL is ignored
/// Room for that many, to be filled in; NULL: no room.
wend__grounds *wend__grounds_create(wend_map *map, int32_t count);
wend__version *wend__ground_retain(wend_map *map, wend__version *ground);
void wend__ground_release(wend_map *map, wend__version *ground); ///< NULL is ignored

/* grounds_renew.c */
/// Give a draft, whose terrain, closed steps, links and rules are final, the grounds of the map's newest version, brought up
/// to date with what the batch wrote to. (Not those that it began with: movers may have been added since.) The writer's
/// lock is held.
wend_error wend__grounds_renew(wend_edit *edit);
/// The ground of one mover as the batch would leave it, from what it was before the batch.
/// @param rules, links   the version's
wend_error wend__ground_renew(const wend_edit *edit, const wend_map_rules *rules, const wend__links *links,
                              const wend_mover *mover, wend__version *before, wend__version **out);
/// The ground of a mover that is new.
wend_error wend__ground_build(const wend__version *version, const wend_mover *mover, wend__version **out);

/// A batch of no map's, over a draft that becomes its own (and is freed where there is no room: NULL), to derive what follows
/// from changed chunks.
wend_edit *wend__batch_create(wend_map *map, wend__version *draft);
void wend__batch_free(wend_edit *edit); ///< NULL is ignored

/* standing.c: how a mover stands in the places of a chunk. */
enum { WEND__STAND_CELLS = 31 * 31 * 32 }; ///< a chunk of voxels and 15 cells more each way; that of a grid needs less

typedef struct wend__stander {
    const wend__version *version;
    int32_t size;
    uint8_t
        lowered[256]; ///< factor - 1 of a class, blocked 255: so the largest of some cells tells how one stands there
    uint8_t cells[WEND__STAND_CELLS];
} wend__stander;

void wend__stander_init(wend__stander *stander, const wend__version *version, const wend_mover *mover);
/// Of how many chunks a mover that stands in one may cover cells: 1, 4 (right and down) or 8 (and up).
unsigned wend__stand_parts(const wend__stander *stander);
/// The k-th of those (sign 1), or the one of which this is the k-th (sign -1). False: there is none.
bool wend__stand_part(const wend__version *v, int32_t column, int32_t row, unsigned k, int32_t sign, int32_t *c,
                      int32_t *r);
/// Can one say, without looking at the cells, that the mover's factor is the same all over a chunk?
bool wend__stand_alike(const wend__stander *stander, int32_t column, int32_t row, uint8_t *factor);
/// The factors in a chunk, in these rows of 64 places at least; 0 beyond the map's rim.
void wend__stand(wend__stander *stander, int32_t column, int32_t row, uint64_t rows,
                 uint8_t factors[WEND__CHUNK_CELLS]);
/// Is any step closed of the cells that a mover which stands in a chunk may cover?
bool wend__stand_any_closed(const wend__stander *stander, int32_t column, int32_t row);
/// Which steps are closed for the mover in a chunk: those that are for any cell that it covers.
/// @param room   for WEND__STAND_CELLS words
void wend__stand_closed(const wend__stander *stander, int32_t column, int32_t row, uint32_t *room,
                        uint32_t steps[WEND__CHUNK_CELLS]);

#endif
