/* SPDX-License-Identifier: MIT */
/* Replaces recordings in libwend-core: no service has one, so most of these functions are never called. */
#include "recording/calls/recording.h"

void wend__record_shut(wend_service *service) {
    (void)service;
}
void wend__record_open(wend_service *service) {
    (void)service;
}
void wend__record_shut_for(wend_service *service, const wend_request *request) {
    (void)service, (void)request;
}
void wend__record_submitted(wend_service *service, const wend__request *request, uint64_t number) {
    (void)service, (void)request, (void)number;
}
void wend__record_refused(wend_service *service) {
    (void)service;
}
void wend__record_changed(wend_service *service, uint32_t index, const wend__change *change) {
    (void)service, (void)index, (void)change;
}
void wend__record_closed(wend_service *service) {
    (void)service;
}
void wend__record_begin_frame(wend_service *service) {
    (void)service;
}
void wend__record_end_frame(wend_service *service, const wend__budget *budget, const wend_frame *did) {
    (void)service, (void)budget, (void)did;
}
void wend__record_enter_callback(wend_service *service, uint64_t number) {
    (void)service, (void)number;
}
void wend__record_leave_callback(wend_service *service) {
    (void)service;
}
wend_error wend__record_end(wend_service *service) {
    (void)service;
    return WEND_EMPTY;
}
void wend__record_unsupported(wend_service *service) {
    (void)service;
}
