/* SPDX-License-Identifier: MIT */
/* Answers to orders, and reports of changes that no client of this server gave. */
#define _GNU_SOURCE

#include "serve/game/serve.h"
#include <wend/versions.h>

void serve_refuse(wend_live_reply *reply, int32_t error, const char *text) {
    reply->error = error;
    reply->text = text;
}

void serve_refuse_error(wend_live_reply *reply, const world_error *error) {
    static const int32_t errors[] = {[WORLD_TAKEN] = WEND_LIVE_OK,
                                     [WORLD_UNKNOWN] = WEND_LIVE_UNKNOWN,
                                     [WORLD_DENIED] = WEND_LIVE_DENIED,
                                     [WORLD_BUSY] = WEND_LIVE_BUSY,
                                     [WORLD_MOVED] = WEND_LIVE_MOVED,
                                     [WORLD_UNAVAILABLE] = WEND_LIVE_UNAVAILABLE,
                                     [WORLD_UNCERTAIN] = WEND_LIVE_UNCERTAIN,
                                     [WORLD_TOO_LARGE] = WEND_LIVE_TOO_LARGE,
                                     [WORLD_TOO_OLD] = WEND_LIVE_TOO_OLD,
                                     [WORLD_FORGOTTEN] = WEND_LIVE_FORGOTTEN,
                                     [WORLD_NO_MEMORY] = WEND_LIVE_BUSY,
                                     [WORLD_BAD_ARGUMENT] = WEND_LIVE_BAD_ARGUMENT,
                                     [WORLD_OUT_OF_RANGE] = WEND_LIVE_OUT_OF_RANGE,
                                     [WORLD_NO_CROWD] = WEND_LIVE_BAD_ARGUMENT};
    serve_refuse(reply, errors[error->refusal], error->text);
}

void serve_answer(const serve *server, uint64_t reference, const world_error *error) {
    wend_live_reply reply = {.struct_bytes = sizeof reply};
    serve_refuse_error(&reply, error);
    if (reply.error == WEND_LIVE_OK) reply.epoch = wend_map_get_epoch(server->world.map);
    if (reply.error == WEND_LIVE_MOVED) reply.fields = server->clients.owner;
    if (server->clients.live) wend_live_answer(server->clients.live, reference, &reply);
}

void serve_answer_again(const serve *server, uint64_t reference) {
    const wend_live_reply reply = {
        .struct_bytes = sizeof reply, .again = 1, .epoch = wend_map_get_epoch(server->world.map)};
    if (server->clients.live) wend_live_answer(server->clients.live, reference, &reply);
}

void serve_send_order(const serve *server, const wend_order *order) {
    if (server->clients.live) wend_live_send_order(server->clients.live, order, wend_map_get_epoch(server->world.map));
}
