/* SPDX-License-Identifier: MIT */
/* Internal: what movers other than the default one see of a version: a ground each, kept up to date by every edit.
 *
 * A ground is laid out like a version, so everything that reads one (searches, labels, line of sight) serves any mover: the
 * class of a cell is the factor at which the mover may stand there (0: it cannot), with rules whose factors say the same. */
#ifndef WEND_SRC_GROUNDS_H
#define WEND_SRC_GROUNDS_H

#include "map/map_private.h"

struct wend__grounds {
    int32_t count; ///< movers other than the default one
    struct {
        wend_mover mover;
        wend__version *ground; ///< a reference; shared with other versions where nothing in it changed
    } of[];
};

/// Bring a draft's grounds up to date with what the batch wrote to; all anew where `everywhere`. The draft's terrain,
/// closed steps and rules are final.
int32_t wend__grounds_renew(wend_edit *edit, bool everywhere);
/// The same grounds for another version (or a fork's): counted once more. NULL is passed through; *failed: no room.
wend__grounds *wend__grounds_copy(wend_map *map, const wend__grounds *grounds, bool *failed);
void wend__grounds_release(wend_map *map, wend__grounds *grounds); ///< NULL is ignored

#endif
