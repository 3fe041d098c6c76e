/* SPDX-License-Identifier: MIT */
/* Internal: views: the ground as movers other than the default one see it. Every edit updates them.
 *
 * A view has the layout of a version, so everything that reads a version (searches, components, line of sight) serves
 * any mover. The class of a cell in a view is the factor at which the mover can stand there, or 0; the view's rules map
 * each class to itself. A view takes as much memory as a map, but versions and forks share views that an edit did not
 * change. So a view belongs to no map: its `map` is NULL, and its epoch, revision and chain of versions are not
 * used. */
#ifndef WEND_SRC_MAP_MOVERS_VIEWS_H
#define WEND_SRC_MAP_MOVERS_VIEWS_H

#include "map/edit/edit.h"
#include <wend/movers.h>

/// Never changes once searches can see a version that has it; shared between versions and forks.
struct wend__views {
    wend__shared shared;
    int32_t count; ///< movers other than the default one
    struct {
        wend_mover mover;
        wend__version *view; ///< a reference
    } of[];
};

void wend__views_release(wend_map *map, wend__views *views); ///< NULL is ignored
/// Views of that many movers, still to be filled in; NULL: out of memory.
wend__views *wend__views_create(wend_map *map, int32_t count);
wend__version *wend__view_retain(wend_map *map, wend__version *view);
void wend__view_release(wend_map *map, wend__version *view); ///< NULL is ignored

/// Makes the view of one mover after a batch, from its previous view.
/// @param rules, links   those of the version after the batch
wend_error wend__view_rebuild(const wend_edit *edit, const wend_map_rules *rules, const wend__links *links,
                              const wend_mover *mover, wend__version *before, wend__version **out);
/// @param link_movers   as in wend__version
wend_error wend__view_build(const wend__version *version, const wend_mover *mover, uint32_t link_movers,
                            wend__version **out);

/// Lets `fn` change the derived data of a mover's view in a draft, by an edit of the view. The default mover's is the
/// draft's own; for another one the draft gets views of its own, with a copy of that one.
typedef wend_error wend__view_fn(wend_edit *edit, void *context);
wend_error wend__view_change(wend_edit *edit, int32_t mover, wend__view_fn *fn, void *context);

/// Makes an unpublished edit, to derive a draft. The caller may take the draft out again. NULL: out of memory.
wend_edit *wend__scratch_edit_of(wend_map *map, wend__version *draft);
/// The same for a draft that the edit then owns. NULL: out of memory, and the draft is freed.
wend_edit *wend__scratch_edit_create(wend_map *map, wend__version *draft);
void wend__scratch_edit_free(wend_edit *edit); ///< NULL is ignored

/// Returns the view of a mover: of the default one, the version itself. The number is below wend__version_movers().
const wend__version *wend__version_view(const wend__version *version, int32_t mover);
int32_t wend__version_movers(const wend__version *version);
/// Returns the mover as which one that shuns classes goes where nothing else leads to its goal; −1: it shuns none.
int32_t wend__version_bolder(const wend__version *version, int32_t mover);
/// Returns the mover as which one leaves ground that it avoids or shuns: the bolder one or, where it avoids classes, the
/// nearest of those it is like that avoids none. −1: there is none, or it is of another size or walks otherwise.
int32_t wend__version_way_out(const wend__version *version, int32_t mover);
int32_t wend__version_mover_size(const wend__version *version, int32_t mover);
/// The number of movers of the map's newest version. Threads: any.
int32_t wend__map_movers(wend_map *map);
/// Returns WEND_OK, or WEND_BAD_ARGUMENT and its detail if the map, or a map with that many movers, has no such mover.
wend_error wend__check_mover(const wend_map *map, int32_t mover);
wend_error wend__check_mover_below(int32_t movers, int32_t mover);

/* ---- as derived data: see version/derivation.h ---- */

void wend__views_share(wend__version *version, const wend__version *from);
void wend__views_drop(wend__version *version);
/// Rebuilds the views of the map's newest version, not the base's: movers may have been added since the batch began.
wend_error wend__views_rebuild(wend_edit *edit, uint32_t changes);
void wend__views_validate(const wend__version *version);

#endif
