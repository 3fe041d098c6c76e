/* SPDX-License-Identifier: MIT */
/* Internal: the mover of an order that avoids or shuns classes. */
#ifndef WEND_SRC_ORDERS_AVOIDING_H
#define WEND_SRC_ORDERS_AVOIDING_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <wend/movers.h>
#include <wend/order.h>

#define WEND__MOST_AVOIDING "there are too many different lists of classes to avoid or shun"

static inline bool wend__any_class(const wend_classes *classes) {
    return (classes->bits[0] | classes->bits[1] | classes->bits[2] | classes->bits[3]) != 0;
}

/// Returns whether a map has a mover that is like another one and avoids or shuns those classes.
static inline bool wend__has_minding(const wend_map *map, int32_t mover, const wend_classes *minded, bool shuns) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    for (int32_t i = mover + 1; i < info.movers; i++) {
        wend_mover own = {.struct_bytes = sizeof own};
        wend_map_get_mover(map, i, &own);
        if (own.like == mover && memcmp(shuns ? own.shunned : own.avoided, minded->bits, sizeof own.avoided) == 0)
            return true;
    }
    return false;
}

/// Gets the mover that is like another one and avoids some classes and shuns others, as wend_map_mover_avoiding() and
/// wend_map_mover_shunning() do.
/// @param reads   a query of a client: these leave orders half of the map's movers, so those of nodes agree. A list of
///                known classes counts as a new one if some of them are blocked for the mover
/// @return as those; also WEND_BUSY, whose text is the one above
static inline wend_error wend__mover_minding(wend_map *map, int32_t mover, const wend_classes *avoid,
                                             const wend_classes *shun, bool reads, int32_t *id) {
    *id = mover;
    for (int shuns = 0; shuns < 2; shuns++) {
        const wend_classes *minded = shuns ? shun : avoid;
        wend_map_info info = {.struct_bytes = sizeof info};
        if (!minded || !wend__any_class(minded)) continue;
        wend_map_get_info(map, &info);
        const bool full = reads && info.movers >= WEND_MAX_MOVERS / 2;
        if (full && !wend__has_minding(map, *id, minded, shuns)) return WEND_BUSY;
        const wend_error error = shuns ? wend_map_mover_shunning(map, *id, minded->bits, id)
                                       : wend_map_mover_avoiding(map, *id, minded->bits, id);
        if (error) return error;
    }
    return WEND_OK;
}

#endif
