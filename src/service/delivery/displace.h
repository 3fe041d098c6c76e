/* SPDX-License-Identifier: MIT */
/* Internal: requests that gave their places in a full queue. */
#ifndef WEND_SRC_SERVICE_DISPLACE_H
#define WEND_SRC_SERVICE_DISPLACE_H

#include "service/state/service_state.h"

/// After the intake: the least urgent waiting requests end as displaced, one for each whose place was taken.
void wend__displace(wend_service *service, wend__turn *turn);

#endif
