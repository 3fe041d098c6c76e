/* SPDX-License-Identifier: MIT */
/* Callbacks out of WebAssembly: structs hold the addresses of these, and calls of them go to JavaScript. */
#include <wend/record.h>
#include <wend/save.h>
#include <wend/wend.h>

#define HOST(name) __attribute__((import_module("host"), import_name(#name)))
#define EXPORT(name) __attribute__((export_name(#name)))

HOST(done) void host_done(void *context, const wend_completion *done);
HOST(event) void host_event(void *context, const wend_agent_event *event);
HOST(write) wend_error host_write(void *context, uint32_t file, const void *bytes, size_t size);
HOST(resume) void host_resume(void *context, wend_ticket ticket, wend_request *request);

EXPORT(js_done) wend_done_fn *js_done(void);
EXPORT(js_event) wend_agent_event_fn *js_event(void);
EXPORT(js_write) wend_record_fn *js_write(void);
EXPORT(js_resume) void (*js_resume(void))(void *, wend_ticket, wend_request *);

wend_done_fn *js_done(void) {
    return host_done;
}

wend_agent_event_fn *js_event(void) {
    return host_event;
}

wend_record_fn *js_write(void) {
    return host_write;
}

void (*js_resume(void))(void *, wend_ticket, wend_request *) {
    return host_resume;
}
