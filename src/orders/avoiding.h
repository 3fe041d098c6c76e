/* SPDX-License-Identifier: MIT */
/* Internal: the mover of an order that avoids classes. */
#ifndef WEND_SRC_ORDERS_AVOIDING_H
#define WEND_SRC_ORDERS_AVOIDING_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <wend/movers.h>
#include <wend/order.h>

#define WEND__MOST_AVOIDING "there are too many different lists of classes to avoid"

/// Gets the mover that is like another one and avoids some classes, as wend_map_mover_avoiding() does.
/// @param reads   a query of a client: these leave orders half of the map's movers, so those of nodes agree. A list of
///                known classes counts as a new one if some of them are blocked for the mover
/// @return as wend_map_mover_avoiding(); also WEND_BUSY, whose text is the one above
static inline wend_error wend__mover_avoiding(wend_map *map, int32_t mover, const wend_classes *avoid, bool reads,
                                              int32_t *id) {
    wend_map_info info = {.struct_bytes = sizeof info};
    *id = mover;
    if (!(avoid->bits[0] | avoid->bits[1] | avoid->bits[2] | avoid->bits[3])) return WEND_OK;
    wend_map_get_info(map, &info);
    bool there = !reads || info.movers < WEND_MAX_MOVERS / 2;
    for (int32_t i = mover + 1; i < info.movers && !there; i++) {
        wend_mover own = {.struct_bytes = sizeof own};
        wend_map_get_mover(map, i, &own);
        there = own.like == mover && memcmp(own.avoided, avoid->bits, sizeof own.avoided) == 0;
    }
    return there ? wend_map_mover_avoiding(map, mover, avoid->bits, id) : WEND_BUSY;
}

#endif
