/* SPDX-License-Identifier: MIT */
/* Internal: lower bounds of the costs of paths over several links, from the links and the costs of steps. */
#ifndef WEND_SRC_MAP_CHAINS_LINK_CHAINS_H
#define WEND_SRC_MAP_CHAINS_LINK_CHAINS_H

#include "map/links/links.h"

/// For each two groups of links, a lower bound of paths on an empty map from an entrance of the first to one of the
/// second that begin with a link, over any groups; 0 from a group to itself. Shared between versions.
struct wend__link_chains {
    wend__shared shared;
    uint64_t costs[WEND__LINK_GROUPS][WEND__LINK_GROUPS];
};

/* As derived data: see version/derivation.h. Versions of flat grids with 8 neighbours and links have them. */

void wend__link_chains_share(wend__version *version, const wend__version *from);
void wend__link_chains_drop(wend__version *version);
wend_error wend__link_chains_rebuild(wend_edit *edit, uint32_t changes);

#endif
