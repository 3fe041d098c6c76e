/* SPDX-License-Identifier: MIT */
/* Orders of clients: each is done at once, between two frames, and answered. */
#define _GNU_SOURCE

#include "cli/serve/serve.h"

static void pause_world(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    (void)reply;
    server->paused = order->order == WEND_LIVE_ORDER_PAUSE;
}

static void reset_world(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    wend_map_info info = {.struct_bytes = sizeof info};
    (void)order;
    wend_map_get_info(server->map, &info);
    reply->work = info.cells;
    if (!serve_world_reset(server)) serve_refuse(reply, WEND_LIVE_BUSY, "no memory");
    reply->epoch = wend_map_get_epoch(server->map);
}

typedef void order_fn(serve *server, const wend_live_order *order, wend_live_reply *reply);
static order_fn *const orders[] = {
    [WEND_LIVE_ORDER_EDIT] = serve_edit,     [WEND_LIVE_ORDER_OCCUPY] = serve_occupy,
    [WEND_LIVE_ORDER_VACATE] = serve_vacate, [WEND_LIVE_ORDER_AGENT] = serve_add,
    [WEND_LIVE_ORDER_GO] = serve_wish,       [WEND_LIVE_ORDER_FOLLOW] = serve_wish,
    [WEND_LIVE_ORDER_FLEE] = serve_wish,     [WEND_LIVE_ORDER_HALT] = serve_halt,
    [WEND_LIVE_ORDER_REMOVE] = serve_remove, [WEND_LIVE_ORDER_ROUTE] = serve_route_add,
    [WEND_LIVE_ORDER_TAKE] = serve_take,     [WEND_LIVE_ORDER_PAUSE] = pause_world,
    [WEND_LIVE_ORDER_RESUME] = pause_world,  [WEND_LIVE_ORDER_STEP] = NULL,
    [WEND_LIVE_ORDER_RESET] = reset_world,   [WEND_LIVE_ORDER_INSPECT] = serve_look,
    [WEND_LIVE_ORDER_PACE] = serve_look,     [WEND_LIVE_ORDER_SAVE] = serve_look,
    [WEND_LIVE_ORDER_ADJUST] = serve_adjust, [WEND_LIVE_ORDER_FIELD] = NULL,
    [WEND_LIVE_ORDER_STEER] = serve_steer,
};

void serve_do_order(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    orders[order->order](server, order, reply);
}

void serve_order(void *context, uint64_t reference, const wend_live_order *order) {
    serve *server = context;
    wend_live_reply reply = {.struct_bytes = sizeof reply};
    if (serve_log_takes(server, order)) {
        serve_log_order(server, reference, order);
        return;
    }
    if (order->order == WEND_LIVE_ORDER_STEP) {
        if (server->paused && serve_step(server, reference, order->frames)) return; /* answered when they are run */
        serve_refuse(&reply, server->paused ? WEND_LIVE_BUSY : WEND_LIVE_BAD_ARGUMENT,
                     server->paused ? "another step is under way" : "the world is not paused");
    } else if (order->order == WEND_LIVE_ORDER_FIELD) {
        if (serve_field_begin(server, reference, order, &reply)) return; /* answered when it is made */
    } else {
        serve_do_order(server, order, &reply);
    }
    wend_live_answer(server->live, reference, &reply);
}
