/* SPDX-License-Identifier: MIT */
/* A second service that gets the same requests except for the impossible ones, frame by frame. */
#ifndef WEND_SRC_LAB_PROMISES_TWIN_H
#define WEND_SRC_LAB_PROMISES_TWIN_H

#include <stdbool.h>

#include <wend/service.h>

typedef struct twin twin;

/// @return NULL where memory ran out
twin *twin_create(const wend_service_def *def);
void twin_free(twin *other);

/// The service accepted a possible request as its `number`: the twin gets it too. @return false where memory ran out
bool twin_submit(twin *other, uint64_t number, const wend_request *request);
/// A frame, after that of the service.
void twin_tick(twin *other, const wend_budget *budget);
/// The service has answered that request.
void twin_answered(twin *other, uint64_t number, const wend_completion *completion);

/// Take a request that both have answered. @return false where there is none
bool twin_compare(twin *other, uint64_t *number, uint64_t *wait, uint64_t *twin_wait);

#endif
