/* SPDX-License-Identifier: MIT */
/* Internal: how land that is not loaded may matter to a request. */
#ifndef WEND_SRC_SEARCH_REQUEST_REQUEST_LAND_H
#define WEND_SRC_SEARCH_REQUEST_REQUEST_LAND_H

#include "map/components/land_rim.h"
#include "search/store/request_fields.h"
#include <wend/search.h>

/// Returns true if some chunk of the version's map is not loaded.
static inline bool wend__version_lacks_land(const wend__version *version) {
    const uint64_t all = (uint64_t)version->chunk_columns * (uint64_t)version->chunk_rows;
    return version->map->streamed && version->loaded < all;
}

/// Returns true if a way may lead through land that is not loaded: the start's component ends there, or the start lies
/// there, and the same holds for a goal. False if no way could, whatever that land is.
/// After WEND__RIM_MOST expansions for the start, or for the goals, the answer is true.
/// @param taken   receives these expansions in addition
/// Cost: see wend__rim_add_component(); with a reach, also O(cells within it), up to a limit.
bool wend__request_meets_unloaded(const wend__version *version, const wend__request *request, uint64_t *taken);

static inline bool wend__is_loaded(const wend__version *version, wend_cell cell) {
    return wend__version_chunk(version, cell.x >> WEND__CHUNK_SHIFT, cell.y >> WEND__CHUNK_SHIFT)->land ==
           WEND_LAND_LOADED;
}

/// Returns true if a request's way may lead through chunks that are known, but not loaded, and a far layer may contain
/// them: WEND_UNLOADED_KNOWN, one goal, an open start; and a goal that is open, or lies in such a chunk.
bool wend__request_passes_known(const wend__version *view, const wend__request *request);

/// Returns true if only the layer, which is stale, is missing for that: once it is up to date there may be a way.
bool wend__request_awaits_layer(const wend__version *version, const wend__request *request);

/// Finds the chunks that are not loaded at which a request stops: those of its start and of its goals; if both are
/// loaded, those next to the start's component through which a way may cost least.
/// @param below   only chunks through which a way may cost less than that; WEND_NO_LIMIT: all
/// @param taken   receives its expansions in addition: WEND__RIM_MOST at most, then some may be missing
/// @return their number
uint32_t wend__request_beyond(const wend__version *version, const wend__request *request, uint64_t below,
                              wend__beyond out[WEND__MOST_BEYOND], uint64_t *taken);

#endif
