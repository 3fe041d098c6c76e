/* SPDX-License-Identifier: MIT */
/* Internal: what frames did. */
#ifndef WEND_SRC_SERVICE_FIGURES_H
#define WEND_SRC_SERVICE_FIGURES_H

#include "service/state/service_state.h"

void wend__figures_completed(wend__figures *figures, const wend__entry *entry);
void wend__figures_frame(wend_service *service, wend_frame *frame);

#endif
