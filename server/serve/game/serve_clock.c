/* SPDX-License-Identifier: MIT */
/* The clock of the server: frames when they are due, single steps, and the drain before the end. */
#define _GNU_SOURCE

#include "live/must/must.h"
#include "cli/output/messages.h"
#include "serve/game/serve.h"

#include <wend/control.h>

/* ---- requests between frames ----
 *
 * Requests are answered when they come: by a tick in the same turn of the loop, within the budget of the next frame.
 * The clock's frame has the rest. So answers do not wait for the clock, and go out with their `ok`. */

static uint64_t rest_of(uint64_t budget, uint64_t spent) {
    return budget == WEND_NO_LIMIT ? budget : budget > spent ? budget - spent : 0;
}

static wend_budget budget_left(const serve_clock *clock) {
    wend_budget left = clock->budget;
    left.expansions = rest_of(left.expansions, clock->early.expansions);
    left.us = rest_of(left.us, clock->early.us);
    return left;
}

/* Deadlines count frames: while a request has one, frames come by the clock alone. */
static bool have_deadlines(const serve *server) {
    const live_stats counts = live_get_stats(server->clients.live);
    return counts.deadlines > 0;
}

/* Frames of a node are its own; frames of the clock load land first; and searches may be shared. */
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
    const wend_budget left = budget_left(clock);
    if (left.expansions == 0 || left.us == 0) return;
    wend_frame frame = {.struct_bytes = sizeof frame};
    wend_service_tick(server->world.service, &left, &frame);
    live_skip_frame(server->clients.live, &frame);
    serve_totals_add(&server->counts.totals, &frame);
    add_frame(&clock->early, &frame);
    clock->pending_before = wend_service_get_pending(server->world.service);
}

static void begin_arrivals(serve *server) {
    uv_check_init(&server->loop, &server->clock.arrivals);
    server->clock.arrivals.data = server;
    uv_check_start(&server->clock.arrivals, on_turn);
}

static void count_arrivals(serve *server) {
    add_frame(&server->clock.last, &server->clock.early);
    server->clock.early = (wend_frame){.struct_bytes = sizeof(wend_frame)};
    server->clock.pending_before = wend_service_get_pending(server->world.service);
}

/* ---- frames ---- */

/* Sends watchers the last frame; if they have it, the agents' positions. */
static void show_frame(serve *server) {
    wend_live_send_frame(server->clients.live, &server->clock.last, NULL);
    server->clients.shown_revision = server->world.agents.names_revision;
}

/// A frame's time, for a crowd.
enum { A_FRAME = 1000 };

void serve_walk_again(serve *server) {
    server->clock.stands = false;
    if (server->clock.put_off) world_crowd_update(&server->world, A_FRAME, NULL);
    server->clock.put_off = false;
}

/* Checks what holds after each frame. */
static void check_frame(const serve *server) {
    const serve_clock *clock = &server->clock;
    const serve_history *history = &server->history;
    MUST(clock->last.frame > 0 && clock->last.deliveries >= clock->last.shared);
    MUST(clock->early.frame == 0 && clock->early.expansions == 0);
    MUST(server->clients.fields.count <= SERVE_MOST_FIELDS);
    MUST(history->count <= history->capacity);
    MUST(history->count == 0 || history->kept[history->count - 1]->holders > 0);
    MUST(!server->record.file.stream || server->record.service == server->world.service);
    MUST(server->counts.totals.frames > 0);
}

static void run_frame(serve *server) {
    const bool may_walk = !server->clock.before || server->clock.before(server),
               walks = may_walk && !server->clock.stands;
    if (may_walk && !walks) server->clock.put_off = true;
    serve_stream_frame(server);
    serve_wander_frame(server);
    const wend_budget left = budget_left(&server->clock);
    wend_service_tick(server->world.service, &left, &server->clock.last);
    server->clock.work = wend_service_get_work(server->world.service);
    if (walks) world_crowd_update(&server->world, A_FRAME, NULL);
    if (walks) (void)world_layers_pass(&server->world, 1); /* without memory, time stands still */
    if (walks) world_agents_updated(&server->world);
    serve_totals_add(&server->counts.totals, &server->clock.last);
    count_arrivals(server);
    serve_history_frame(server, !server->clock.busy || !server->clock.busy(server));
    show_frame(server);
    cli_engine_upkeep(server->world.map);
    check_frame(server);
}

/* Reports clients refused for lack of descriptors, once a minute. */
static void report_refused(serve_clients *clients, uint64_t now) {
    enum { MINUTE_MS = 60000 };
    const live_stats counts = live_get_stats(clients->live);
    if (counts.no_descriptors == clients->said_refused || now < clients->say_again_ms) return;
    cli_note("serve: %llu connections refused: no descriptors are left (ulimit -n)",
             (unsigned long long)(counts.no_descriptors - clients->said_refused));
    clients->said_refused = counts.no_descriptors;
    clients->say_again_ms = now + MINUTE_MS;
}

/* Frames are due as in libwend-uv: a late one does not delay later ones, and missed ones are skipped. The adapter there
 * sleeps while the service has no work. This clock goes on: agents walk, and frames count. */
static void wait_for_next(serve_clock *clock);

static void on_clock(uv_timer_t *timer) {
    serve *server = timer->data;
    report_refused(&server->clients, uv_now(&server->loop));
    if (!server->clock.paused && !server->clock.ending)
        run_frame(server);
    else if (server->clients.shown_revision != server->world.agents.names_revision)
        show_frame(server);
    wait_for_next(&server->clock);
}

static void wait_for_next(serve_clock *clock) {
    enum { NS_A_MS = 1000000 };
    const uint64_t now = uv_hrtime(), next = wend__frame_last_due(&clock->times, now) + 1;
    clock->due = next > clock->due ? next : clock->due + 1;
    const uint64_t due_ns = wend__frame_due(&clock->times, clock->due);
    const uint64_t wait = due_ns > now ? due_ns - now : 0;
    uv_timer_start(&clock->timer, on_clock, (wait + NS_A_MS / 2) / NS_A_MS, 0);
}

void serve_set_hz(serve_clock *clock, uint64_t hz) {
    enum { US_A_SECOND = 1000000, PART = 4 };
    if (clock->shares_time) clock->budget.us = US_A_SECOND / PART / hz;
    clock->times = (wend__frame_times){uv_hrtime(), (uint32_t)hz};
    clock->due = 0;
    wait_for_next(clock);
}

void serve_set_budget(serve_clock *clock, uint64_t expansions) {
    if (clock->shares_time) clock->budget.us = WEND_NO_LIMIT;
    clock->shares_time = false;
    clock->budget.expansions = expansions;
}

/* ---- frames without the clock: steps, and the drain ---- */

static void on_closed(void *context) {
    serve *server = context;
    server->clients.live = NULL; /* the disk may still write an order */
    uv_stop(&server->loop);
    uv_close((uv_handle_t *)&server->clock.timer, NULL);
    uv_close((uv_handle_t *)&server->clock.hurry, NULL);
    uv_close((uv_handle_t *)&server->clock.arrivals, NULL);
    uv_close((uv_handle_t *)&server->clients.fields.timer, NULL);
    uv_close((uv_handle_t *)&server->terminate, NULL);
    uv_close((uv_handle_t *)&server->interrupt, NULL);
}

static void end_step(serve *server) {
    const wend_live_reply reply = {.struct_bytes = sizeof reply};
    const uint64_t reference = server->clock.step_reference;
    server->clock.steps_left = server->clock.step_reference = 0;
    wend_live_answer(server->clients.live, reference, &reply);
}

/* Cancels at once when all pending requests wait for land, as a server that ends takes no loads. */
static bool is_stuck(const serve *server) {
    return server->clock.work == 0 && !server->options->stream && wend_service_get_pending(server->world.service) > 0;
}

/* Cancels pending requests, so that each has a completion. */
static void call_back(serve *server) {
    enum { TO_DELIVER_MS = 1000 };
    wend_service_cancel_map(server->world.service, server->world.map, NULL);
    server->clock.called_back = true;
    server->clock.give_up_ms = uv_now(&server->loop) + TO_DELIVER_MS;
}

static void drain(serve *server) {
    const live_stats counts = live_get_stats(server->clients.live);
    const bool in_time = uv_now(&server->loop) < server->clock.give_up_ms, calls_back = !server->clock.called_back;
    if (counts.requests > 0 && calls_back && (!in_time || is_stuck(server))) call_back(server);
    if (counts.requests > 0 && (in_time || calls_back)) {
        run_frame(server);
        return;
    }
    uv_idle_stop(&server->clock.hurry);
    uv_timer_stop(&server->clock.timer);
    wend_live *live = server->clients.live;
    wend_live_close(live, on_closed, server);
}

static void on_hurry(uv_idle_t *idle) {
    serve *server = idle->data;
    if (server->clock.ending) {
        if (server->clock.step_reference != 0) end_step(server);
        serve_fields_drop(&server->clients);
        drain(server);
        return;
    }
    run_frame(server);
    if (server->clock.steps_left > 0 && --server->clock.steps_left > 0 && server->clock.paused) return;
    uv_idle_stop(idle);
    if (server->clock.step_reference != 0) end_step(server);
}

bool serve_step(serve_clock *clock, uint64_t reference, uint64_t frames) {
    if (clock->step_reference != 0) return false;
    clock->step_reference = reference;
    clock->steps_left = frames;
    uv_idle_start(&clock->hurry, on_hurry);
    return true;
}

void serve_end(serve *server, int status) {
    enum { PATIENCE_MS = 5000 };
    if (server->clock.ending) return;
    server->clock.ending = true;
    server->clock.status = status;
    server->clock.give_up_ms = uv_now(&server->loop) + PATIENCE_MS;
    server->clock.work = wend_service_get_pending(server->world.service);
    live_drain(server->clients.live);
    uv_idle_start(&server->clock.hurry, on_hurry);
}

void serve_clock_open(serve *server) {
    uv_timer_init(&server->loop, &server->clock.timer);
    uv_idle_init(&server->loop, &server->clock.hurry);
    uv_timer_init(&server->loop, &server->clients.fields.timer);
    begin_arrivals(server);
    server->clock.timer.data = server->clock.hurry.data = server->clients.fields.timer.data = server;
}
