/* SPDX-License-Identifier: MIT */
/* Internal: orders in a recording: what a crowd, or a field, is told, as lines of its map's script. */
#ifndef WEND_SRC_SERVICE_RECORD_ORDERS_H
#define WEND_SRC_SERVICE_RECORD_ORDERS_H

#include "service/state/service_state.h"

/// From now on a crowd on the map is recorded by its orders; the map is written where it is new. Submissions of other
/// threads wait for the gate, too, as the crowd's own are made inside its orders.
/// @return the number of the recording; 0: none is under way, or the map has such a crowd already
/// Threads: the ticking one.
uint64_t wend__record_orders(wend_service *service, wend_map *map);
/// The crowd is gone.
void wend__record_orders_end(wend_service *service, const wend_map *map);

/// Does the recording with that number go on?
static inline bool wend__record_goes_on(const wend_service *service, uint64_t number) {
    return number != 0 && service->recorder && service->recordings == number;
}

/// Keep other threads' calls out, until open. Threads: the ticking one, outside of a frame or in a callback.
void wend__record_shut(wend_service *service);
void wend__record_open(wend_service *service);

/// Begin a line of a map's script, with its first word. @return false: nothing more is written of it
bool wend__record_line(wend_service *service, const wend_map *map, const char *word);
/// A part of the line; then its end.
void wend__record_part(wend_service *service, const wend_map *map, const char *text, size_t size);
void wend__record_line_end(wend_service *service, const wend_map *map);

#endif
