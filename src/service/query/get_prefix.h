/* SPDX-License-Identifier: MIT */
/* Internal: prefixes for a crowd, which reads many of them. */
#ifndef WEND_SRC_SERVICE_GET_PREFIX_H
#define WEND_SRC_SERVICE_GET_PREFIX_H

#include <wend/service.h>
#include <wend/search.h>

/// As wend_service_get_prefix(), but WEND_EMPTY also if the search has made no progress.
/// @param since    expansions of the search at the last call; WEND_NO_LIMIT: there was none. Receives the
/// present number
/// @param prefix   not NULL
wend_error wend__service_prefix(wend_service *service, wend_ticket ticket, uint64_t *since, wend_cell *cells,
                                size_t capacity, wend_prefix *prefix);

#endif
