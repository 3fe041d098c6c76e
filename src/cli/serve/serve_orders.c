/* SPDX-License-Identifier: MIT */
/* Orders of clients: each is checked and done, between two frames, and answered. */
#define _GNU_SOURCE

#include <stdlib.h>

#include "cli/journal/journal_orders.h"
#include "cli/serve/serve.h"
#include "cli/shared/messages.h"

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

/// How an order is checked, what it leads to is forgotten, and it is done. NULL: there is nothing to do. Where `check`
/// is NULL, `apply` checks.
typedef struct order_row {
    bool (*check)(serve *server, const wend_live_order *order, wend_live_reply *reply);
    void (*forget)(serve *server, const wend_live_order *order);
    void (*apply)(serve *server, const wend_live_order *order, wend_live_reply *reply);
} order_row;

static const order_row rows[] = {
    [WEND_LIVE_ORDER_EDIT] = {NULL, NULL, serve_edit},
    [WEND_LIVE_ORDER_OCCUPY] = {serve_check_units, serve_unexpect_units, serve_set_units},
    [WEND_LIVE_ORDER_VACATE] = {serve_check_units, serve_unexpect_units, serve_set_units},
    [WEND_LIVE_ORDER_AGENT] = {serve_check_agent, serve_unexpect_agent, serve_add},
    [WEND_LIVE_ORDER_GO] = {serve_check_wish, NULL, serve_wish},
    [WEND_LIVE_ORDER_FOLLOW] = {serve_check_wish, NULL, serve_wish},
    [WEND_LIVE_ORDER_FLEE] = {serve_check_wish, NULL, serve_wish},
    [WEND_LIVE_ORDER_HALT] = {serve_check_named, NULL, serve_halt},
    [WEND_LIVE_ORDER_REMOVE] = {serve_check_remove, serve_unexpect_remove, serve_remove},
    [WEND_LIVE_ORDER_ROUTE] = {serve_check_route, serve_unexpect_route, serve_route_add},
    [WEND_LIVE_ORDER_TAKE] = {serve_check_take, NULL, serve_take},
    [WEND_LIVE_ORDER_PAUSE] = {NULL, NULL, pause_world},
    [WEND_LIVE_ORDER_RESUME] = {NULL, NULL, pause_world},
    [WEND_LIVE_ORDER_STEP] = {NULL, NULL, NULL},
    [WEND_LIVE_ORDER_RESET] = {NULL, NULL, reset_world},
    [WEND_LIVE_ORDER_INSPECT] = {NULL, NULL, serve_look},
    [WEND_LIVE_ORDER_PACE] = {NULL, NULL, serve_look},
    [WEND_LIVE_ORDER_SAVE] = {NULL, NULL, serve_look},
    [WEND_LIVE_ORDER_ADJUST] = {serve_check_adjust, NULL, serve_adjust},
    [WEND_LIVE_ORDER_FIELD] = {NULL, NULL, NULL},
    [WEND_LIVE_ORDER_STEER] = {serve_check_steer, NULL, serve_steer},
};

bool serve_check_order(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    return rows[order->order].check == NULL || rows[order->order].check(server, order, reply);
}

void serve_forget_order(serve *server, const wend_live_order *order) {
    if (rows[order->order].forget != NULL) rows[order->order].forget(server, order);
}

void serve_do_order(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    rows[order->order].apply(server, order, reply);
}

void serve_order_now(serve *server, uint64_t reference, const wend_live_order *order) {
    wend_live_reply reply = {.struct_bytes = sizeof reply};
    if (order->order == WEND_LIVE_ORDER_STEP) {
        if (server->paused && serve_step(server, reference, order->frames)) return; /* answered when they are run */
        serve_refuse(&reply, server->paused ? WEND_LIVE_BUSY : WEND_LIVE_BAD_ARGUMENT,
                     server->paused ? "another step is under way" : "the world is not paused");
    } else if (order->order == WEND_LIVE_ORDER_FIELD) {
        if (serve_field_begin(server, reference, order, &reply)) return; /* answered when it is made */
    } else if (serve_check_order(server, order, &reply)) {
        serve_do_order(server, order, &reply);
    }
    wend_live_answer(server->live, reference, &reply);
}

void serve_order(void *context, uint64_t reference, const wend_live_order *order) {
    serve *server = context;
    if (serve_log_takes(server, order))
        serve_log_order(server, reference, order);
    else
        serve_order_now(server, reference, order);
}

/* ---- orders of the world's file ---- */

/* The agent of that name when the line was read; NULL: a later line removed it. */
static serve_agent *find_of_line(const serve *server, const char *name, int line) {
    serve_agent *agent = serve_agent_find(server, name);
    return agent != NULL && agent->line <= line ? agent : NULL;
}

/* Leaves out agents that are gone. @return false: nobody is left to take the order */
static bool keep_present(const serve *server, wend_live_order *order, int line) {
    const char **names = (const char **)(uintptr_t)order->names; /* of the copy */
    const bool to_agent = order->order == WEND_LIVE_ORDER_FOLLOW || order->order == WEND_LIVE_ORDER_FLEE;
    const uint64_t count = order->name_count;
    order->name_count = 0;
    for (uint64_t i = 0; i < count; i++)
        if (find_of_line(server, order->names[i], line) != NULL) names[order->name_count++] = names[i];
    return order->name_count > 0 && (!to_agent || find_of_line(server, order->target, line) != NULL);
}

/* Only a script puts an agent elsewhere, so the order on the wire has no cell. */
static void give(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    if (order->order == WEND_LIVE_ORDER_ADJUST && order->cell_count > 0)
        serve_refuse_error(
            reply, wend_crowd_move(server->crowd, serve_agent_find(server, order->names[0])->id, order->cells[0]));
    if (reply->error == WEND_LIVE_OK && serve_check_order(server, order, reply)) serve_do_order(server, order, reply);
}

bool serve_orders_bring(serve *server) {
    serve_journal_orders reader = {.kind = server->kind};
    wend_live_reply reply = {.struct_bytes = sizeof reply};
    for (size_t i = 0; i < server->world.order_count && reply.error == WEND_LIVE_OK; i++) {
        const cli_world_order *kept = &server->world.orders[i];
        wend_live_order *order = serve_journal_read_line(&reader, kept->text);
        if (order == NULL)
            serve_refuse(&reply, WEND_LIVE_BUSY, "no memory");
        else if (keep_present(server, order, kept->line))
            give(server, order, &reply);
        free(order);
        if (reply.error != WEND_LIVE_OK) cli_fail_at(server->options->world, kept->line, 1, "%s", reply.text);
    }
    serve_journal_orders_free(&reader);
    return reply.error == WEND_LIVE_OK;
}
