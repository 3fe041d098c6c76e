/* SPDX-License-Identifier: MIT */
/* Orders of clients, between two frames: who takes them. The owner of the map, the journal, the host or the server. */
#define _GNU_SOURCE

#include "serve/serve_log.h"

/* Orders that followers answer, too. */
static bool only_looks(const wend_order *order) {
    return order->kind == WEND_ORDER_INSPECT || order->kind == WEND_ORDER_SAVE || order->kind == WEND_ORDER_FIELD;
}

void serve_order(void *context, uint64_t reference, const wend_live_sender *sender, const wend_order *order) {
    serve *server = context;
    const host_client who = {sender->session, sender->owner};
    host_error error = {0};
    if (!serve_node_owns(server) && !only_looks(order)) {
        if (serve_pass_order(server, reference, sender->session, order)) return; /* answered by the owner */
        host_refuse(&error, HOST_MOVED, NULL, "this node does not own the map");
        serve_node_refused(server);
        serve_answer(server, reference, &error);
    } else if (serve_log_takes(server, order->kind)) {
        serve_log_order(server, reference, &who, order);
    } else if (host_takes(order->kind)) {
        host_take(&server->host, &who, order, &error);
        serve_answer(server, reference, &error);
    } else {
        serve_order_now(server, reference, order);
    }
}
