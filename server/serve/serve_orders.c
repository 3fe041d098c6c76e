/* SPDX-License-Identifier: MIT */
/* Orders of clients, between two frames: passes each to the journal, the world or the server. A node that does not own
 * the map names the owner. */
#define _GNU_SOURCE

#include "serve/serve_log.h"

/* Judges an order's number. @return true: it is new, or has none */
static bool is_new(serve *server, const wend_live_sender *sender, const wend_order *order, bool *again,
                   world_error *error) {
    *again = false;
    if (sender->once == 0) return true;
    if (!world_accepts(order->kind))
        return world_refuse(error, WORLD_BAD_ARGUMENT, NULL, "once is for orders that change the world");
    const serve_once_verdict verdict = serve_once_look(&server->once, sender->name, sender->once);
    bool same = false;
    const bool waits = serve_log_waits_for(server, sender->name, sender->once, &same);
    if (same) return world_refuse(error, WORLD_BUSY, NULL, "the order of this number is under way");
    if (verdict == ONCE_TOO_OLD)
        return world_refuse(error, WORLD_TOO_OLD, NULL, "the number is more than %d below the highest one",
                            SERVE_ONCE_BELOW);
    if (verdict == ONCE_FORGOTTEN && !waits)
        return world_refuse(error, WORLD_FORGOTTEN, NULL, "no order of this session is known: it may begin at 1");
    *again = verdict == ONCE_AGAIN;
    return !*again;
}

static void do_now(serve *server, uint64_t reference, const wend_live_sender *sender, const world_client *who,
                   const wend_order *order) {
    world_error error = {0};
    if (serve_stream_allows(server, order, &error) && world_check_and_do(&server->world, who, order, &error) &&
        sender->once > 0)
        (void)serve_once_note(&server->once, sender->name, sender->once);
    serve_answer(server, reference, &error);
}

void serve_order(void *context, uint64_t reference, const wend_live_sender *sender, const wend_order *order) {
    serve *server = context;
    const world_client who = {sender->session, sender->owner};
    world_error error = {0};
    bool again = false;
    if (!serve_node_owns(server) && !wend__order_is(order->kind, WEND__BY_FOLLOWERS)) {
        serve_node_refuse(server, &error);
        serve_answer(server, reference, &error);
    } else if (!is_new(server, sender, order, &again, &error)) {
        if (again)
            serve_answer_again(server, reference);
        else
            serve_answer(server, reference, &error);
    } else if (serve_log_takes(server, order->kind)) {
        serve_log_order(server, reference, sender, &who, order);
    } else if (world_accepts(order->kind)) {
        do_now(server, reference, sender, &who, order);
    } else {
        serve_order_now(server, reference, order);
    }
}
