/* SPDX-License-Identifier: MIT */
/* Orders of clients, between two frames: those to the world are the host's, those about time, and questions, are the
 * server's. */
#define _GNU_SOURCE

#include "host/serve/serve.h"

void serve_refuse(wend_live_reply *reply, int32_t error, const char *text) {
    reply->error = error;
    reply->text = text;
}

void serve_refuse_error(wend_live_reply *reply, const host_error *error) {
    static const int32_t errors[] = {[HOST_TAKEN] = WEND_LIVE_OK,
                                     [HOST_UNKNOWN] = WEND_LIVE_UNKNOWN,
                                     [HOST_DENIED] = WEND_LIVE_DENIED,
                                     [HOST_BUSY] = WEND_LIVE_BUSY,
                                     [HOST_NO_MEMORY] = WEND_LIVE_BUSY,
                                     [HOST_BAD_ARGUMENT] = WEND_LIVE_BAD_ARGUMENT,
                                     [HOST_OUT_OF_RANGE] = WEND_LIVE_OUT_OF_RANGE,
                                     [HOST_NO_CROWD] = WEND_LIVE_BAD_ARGUMENT};
    serve_refuse(reply, errors[error->refusal], error->text);
}

/* ---- orders to the world ---- */

void serve_answer(const serve *server, uint64_t reference, const host_error *error) {
    wend_live_reply reply = {.struct_bytes = sizeof reply};
    serve_refuse_error(&reply, error);
    if (reply.error == WEND_LIVE_OK) reply.epoch = wend_map_get_epoch(server->host.map);
    if (server->live) wend_live_answer(server->live, reference, &reply);
}

/* ---- orders to the server ---- */

void serve_reset(serve *server, wend_live_reply *reply) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(server->host.map, &info);
    reply->work = info.cells;
    if (!serve_world_reset(server)) serve_refuse(reply, WEND_LIVE_BUSY, "no memory");
    reply->epoch = wend_map_get_epoch(server->host.map);
}

void serve_order_now(serve *server, uint64_t reference, const wend__order *order) {
    wend_live_reply reply = {.struct_bytes = sizeof reply};
    switch (order->kind) {
    case WEND__ORDER_PAUSE:
    case WEND__ORDER_RESUME: server->paused = order->kind == WEND__ORDER_PAUSE; break;
    case WEND__ORDER_RESET: serve_reset(server, &reply); break;
    case WEND__ORDER_ADVANCE:
        if (server->paused && serve_step(server, reference, order->frame.count))
            return; /* answered when they are run */
        serve_refuse(&reply, server->paused ? WEND_LIVE_BUSY : WEND_LIVE_BAD_ARGUMENT,
                     server->paused ? "another step is under way" : "the world is not paused");
        break;
    case WEND__ORDER_FIELD:
        if (serve_field_begin(server, reference, order, &reply)) return; /* answered when it is made */
        break;
    default: serve_query(server, order, &reply);
    }
    wend_live_answer(server->live, reference, &reply);
}

void serve_order(void *context, uint64_t reference, const wend_live_order *order) {
    serve *server = context;
    const wend__order *said = order->said;
    const host_client who = {order->session, order->owner};
    host_error error = {0};
    if (serve_log_takes(server, said->kind)) {
        serve_log_order(server, reference, &who, said);
    } else if (host_takes(said->kind)) {
        host_take(&server->host, &who, said, &error);
        serve_answer(server, reference, &error);
    } else {
        serve_order_now(server, reference, said);
    }
}
