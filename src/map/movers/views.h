/* SPDX-License-Identifier: MIT */
/* Internal: what movers other than the default one see of a version: a view each, kept up to date by every edit.
 *
 * A view is laid out like a version, so everything that reads one (searches, labels, line of sight) serves any mover: the
 * class of a cell is the factor at which the mover may stand there (0: it cannot), with rules whose factors say the same.
 * It costs what a map costs. Versions and forks share those in which nothing changed; so a view belongs to no map: its
 * `map` is NULL, and epoch, revision and the chain of versions mean nothing in it. */
#ifndef WEND_SRC_MAP_MOVERS_VIEWS_H
#define WEND_SRC_MAP_MOVERS_VIEWS_H

#include "map/edit/edit.h"
#include "map/links/links.h"
#include "map/store/map_layout.h"

/// Immutable once a version that has it is visible; shared between versions and forks.
struct wend__views {
    uint32_t references; ///< guarded by the map's mutex
    int32_t count;       ///< movers other than the default one
    struct {
        wend_mover mover;
        wend__version *view; ///< a reference; shared with other versions where nothing in it changed
    } of[];
};

/* views.c */
/// The same views for another version (or a fork's): counted once more. NULL is passed through.
wend__views *wend__views_retain(wend_map *map, wend__views *views);
void wend__views_release(wend_map *map, wend__views *views); ///< NULL is ignored
/// Room for that many, to be filled in; NULL: no room.
wend__views *wend__views_create(wend_map *map, int32_t count);
wend__version *wend__view_retain(wend_map *map, wend__version *view);
void wend__view_release(wend_map *map, wend__version *view); ///< NULL is ignored

/* grounds_renew.c */
/// The view of one mover as the batch would leave it, from what it was before the batch.
/// @param rules, links   the version's
wend_error wend__view_renew(const wend_edit *edit, const wend_map_rules *rules, const wend__links *links,
                            const wend_mover *mover, wend__version *before, wend__version **out);
/// The view of a mover that is new.
wend_error wend__view_build(const wend__version *version, const wend_mover *mover, wend__version **out);

/// A batch of no map's, over a draft that becomes its own (and is freed where there is no room: NULL), to derive what follows
/// from changed chunks.
wend_edit *wend__scratch_edit_create(wend_map *map, wend__version *draft);
void wend__scratch_edit_free(wend_edit *edit); ///< NULL is ignored

/// What a mover sees. The mover is one that the version knows (wend__version_movers() are, and it never loses any).
const wend__version *wend__version_view(const wend__version *version, int32_t mover);
int32_t wend__version_movers(const wend__version *version);
/// Its size, in cells.
int32_t wend__version_mover_size(const wend__version *version, int32_t mover);
/// The same of the map's newest version. Threads: any.
int32_t wend__map_movers(wend_map *map);

/* ---- as derived data: see version/derivation.h ---- */

void wend__views_share(wend__version *version, const wend__version *from);
void wend__views_drop(wend__version *version);
/// From the views of the map's newest version, not those that the batch began with: movers may have been added since.
wend_error wend__views_renew(wend_edit *edit, uint32_t changes);

#endif
