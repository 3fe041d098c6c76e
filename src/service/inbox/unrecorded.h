/* SPDX-License-Identifier: MIT */
/* Internal: calls of a crowd that a recording does not tell of, because it tells of the crowd's orders. None of them
 * waits for the recorder's gate: the crowd, or the frame under way, holds it. */
#ifndef WEND_SRC_SERVICE_INBOX_UNRECORDED_H
#define WEND_SRC_SERVICE_INBOX_UNRECORDED_H

#include <wend/service.h>

/// As wend_service_submit(), wend_service_cancel() and wend_service_set_urgency(). Threads: the ticking one.
wend_error wend__submit_unrecorded(wend_service *service, const wend_request *request, wend_ticket *out);
wend_error wend__cancel_unrecorded(wend_service *service, wend_ticket ticket);
wend_error wend__set_urgency_unrecorded(wend_service *service, wend_ticket ticket, int32_t urgency);

#endif
