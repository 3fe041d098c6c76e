/* SPDX-License-Identifier: MIT */
/* Requests are answered when they come: by a tick in the same turn of the loop, as long as the budget of the frame to
 * come lasts. The clock's frame has the rest. So answers do not wait for the clock, and go out with their `ok`. */
#define _GNU_SOURCE

#include "serve/game/serve.h"

static uint64_t rest_of(uint64_t budget, uint64_t spent) {
    return budget == WEND_NO_LIMIT ? budget : budget > spent ? budget - spent : 0;
}

wend_budget serve_budget_left(const serve_clock *clock) {
    wend_budget left = clock->budget;
    left.expansions = rest_of(left.expansions, clock->early.expansions);
    left.us = rest_of(left.us, clock->early.us);
    return left;
}

/* Deadlines count frames: while a request has one, frames come by the clock alone. */
static bool have_deadlines(const serve *server) {
    wend_live_stats counts = {.struct_bytes = sizeof counts};
    wend_live_get_stats(server->clients.live, &counts);
    return counts.deadlines > 0;
}

/* A node's frames are its own; the clock's frames load land first; and requests share a search where they meet. */
static bool has_clock_only(const serve *server) {
    return server->clock.before || server->options->stream || server->original.limits.def.share;
}

static bool is_time(const serve *server) {
    const serve_clock *clock = &server->clock;
    if (clock->paused || clock->ending || clock->step_reference != 0 || has_clock_only(server)) return false;
    return wend_service_get_pending(server->world.service) > clock->pending_before && !have_deadlines(server);
}

static void add_frame(wend_frame *sum, const wend_frame *frame) {
    sum->expansions += frame->expansions;
    sum->us += frame->us;
    sum->rounds += frame->rounds;
    sum->intakes += frame->intakes;
    sum->deliveries += frame->deliveries;
    sum->cells += frame->cells;
    sum->submitted += frame->submitted;
}

static void on_turn(uv_check_t *check) {
    serve *server = check->data;
    serve_clock *clock = &server->clock;
    if (!is_time(server)) return;
    const wend_budget left = serve_budget_left(clock);
    if (left.expansions == 0 || left.us == 0) return;
    wend_frame frame = {.struct_bytes = sizeof frame};
    wend_service_tick(server->world.service, &left, &frame);
    wend_live_skip_frame(server->clients.live, &frame);
    serve_totals_add(&server->counts.totals, &frame);
    add_frame(&clock->early, &frame);
    clock->pending_before = wend_service_get_pending(server->world.service);
}

void serve_arrivals_begin(serve *server) {
    uv_check_init(&server->loop, &server->clock.arrivals);
    server->clock.arrivals.data = server;
    uv_check_start(&server->clock.arrivals, on_turn);
}

void serve_arrivals_frame(serve *server) {
    add_frame(&server->clock.last, &server->clock.early);
    server->clock.early = (wend_frame){.struct_bytes = sizeof(wend_frame)};
    server->clock.pending_before = wend_service_get_pending(server->world.service);
}
