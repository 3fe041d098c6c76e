/* SPDX-License-Identifier: MIT */
/* Orders of clients, between two frames: the owner of the map, the journal, the world or the server takes each. */
#define _GNU_SOURCE

#include "serve/serve_log.h"

/* Orders that followers answer, too. */
static bool only_looks(const wend_order *order) {
    return order->kind == WEND_ORDER_INSPECT || order->kind == WEND_ORDER_SAVE || order->kind == WEND_ORDER_FIELD;
}

void serve_order(void *context, uint64_t reference, const wend_live_sender *sender, const wend_order *order) {
    serve *server = context;
    const world_client who = {sender->session, sender->owner};
    world_error error = {0};
    if (!serve_node_owns(server) && !only_looks(order)) {
        if (serve_pass_order(server, reference, sender->session, order)) return; /* answered by the owner */
        world_refuse(&error, WORLD_MOVED, NULL, "this node does not own the map");
        serve_node_refused(server);
        serve_answer(server, reference, &error);
    } else if (serve_log_takes(server, order->kind)) {
        serve_log_order(server, reference, &who, order);
    } else if (world_accepts(order->kind)) {
        world_check_and_do(&server->world, &who, order, &error);
        serve_answer(server, reference, &error);
    } else {
        serve_order_now(server, reference, order);
    }
}
