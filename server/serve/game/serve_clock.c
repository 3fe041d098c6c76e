/* SPDX-License-Identifier: MIT */
/* The clock of the server: frames when they are due, single steps, and the drain before the end. */
#define _GNU_SOURCE

#include "cli/output/messages.h"
#include "serve/game/serve.h"

/* ---- frames ---- */

/* Tells watchers of the last frame; of one that they know, where the agents are. */
static void show_frame(serve *server) {
    wend_live_send_frame(server->live, &server->last, NULL);
    server->shown_revision = server->host.agents.names_revision;
}

static void run_frame(serve *server) {
    enum { A_FRAME = 1000 };
    const bool walks = !server->before_frame || server->before_frame(server);
    serve_stream_frame(server);
    serve_wander_frame(server);
    wend_service_tick(server->host.service, &server->budget, &server->last);
    if (walks) wend_crowd_update(server->host.crowd, A_FRAME);
    host_agents_updated(&server->host);
    serve_totals_add(&server->totals, &server->last);
    show_frame(server);
    host_engine_upkeep(server->host.map);
}

/* Clients that were refused as descriptors ran out are told of once a minute. */
static void say_refused(serve *server) {
    enum { MINUTE_MS = 60000 };
    wend_live_stats counts = {.struct_bytes = sizeof counts};
    const uint64_t now = uv_now(&server->loop);
    wend_live_get_stats(server->live, &counts);
    if (counts.no_descriptors == server->said_refused || now < server->say_again_ms) return;
    host_note("serve: %llu connections refused: no descriptors are left (ulimit -n)",
              (unsigned long long)(counts.no_descriptors - server->said_refused));
    server->said_refused = counts.no_descriptors;
    server->say_again_ms = now + MINUTE_MS;
}

/* Frames are due as those of libwend-uv are: a late one does not delay later ones, and those missed are left out. Its
 * adapter sleeps while the service has no work. This clock goes on: agents walk, and frames count. */
static void wait_for_next(serve *server);

static void on_clock(uv_timer_t *timer) {
    serve *server = timer->data;
    say_refused(server);
    if (!server->paused && !server->ending)
        run_frame(server);
    else if (server->shown_revision != server->host.agents.names_revision)
        show_frame(server);
    wait_for_next(server);
}

static void wait_for_next(serve *server) {
    enum { NS_A_MS = 1000000 };
    const uint64_t now = uv_hrtime(), next = wend__frame_last_due(&server->times, now) + 1;
    server->due = next > server->due ? next : server->due + 1;
    const uint64_t due_ns = wend__frame_due(&server->times, server->due);
    const uint64_t wait = due_ns > now ? due_ns - now : 0;
    uv_timer_start(&server->clock, on_clock, (wait + NS_A_MS / 2) / NS_A_MS, 0);
}

void serve_set_hz(serve *server, uint64_t hz) {
    server->times = (wend__frame_times){uv_hrtime(), (uint32_t)hz};
    server->due = 0;
    wait_for_next(server);
}

/* ---- frames that do not wait for the clock: steps, and the drain ---- */

static void on_closed(void *context) {
    serve *server = context;
    server->closed = true;
    server->live = NULL; /* the disk may still be at an order */
    uv_stop(&server->loop);
    uv_close((uv_handle_t *)&server->clock, NULL);
    uv_close((uv_handle_t *)&server->hurry, NULL);
    uv_close((uv_handle_t *)&server->field_timer, NULL);
    uv_close((uv_handle_t *)&server->terminate, NULL);
    uv_close((uv_handle_t *)&server->interrupt, NULL);
}

static void end_step(serve *server) {
    const wend_live_reply reply = {.struct_bytes = sizeof reply};
    const uint64_t reference = server->step_reference;
    server->steps_left = server->step_reference = 0;
    wend_live_answer(server->live, reference, &reply);
}

static void drain(serve *server) {
    wend_live_stats counts = {.struct_bytes = sizeof counts};
    wend_live_get_stats(server->live, &counts);
    if (counts.requests > 0 && uv_now(&server->loop) < server->give_up_ms) {
        run_frame(server);
        return;
    }
    uv_idle_stop(&server->hurry);
    uv_timer_stop(&server->clock);
    wend_live *live = server->live;
    wend_live_close(live, on_closed, server);
}

static void on_hurry(uv_idle_t *idle) {
    serve *server = idle->data;
    if (server->ending) {
        if (server->step_reference != 0) end_step(server);
        serve_fields_drop(server);
        drain(server);
        return;
    }
    run_frame(server);
    if (server->steps_left > 0 && --server->steps_left > 0 && server->paused) return;
    uv_idle_stop(idle);
    if (server->step_reference != 0) end_step(server);
}

bool serve_step(serve *server, uint64_t reference, uint64_t frames) {
    if (server->step_reference != 0) return false;
    server->step_reference = reference;
    server->steps_left = frames;
    uv_idle_start(&server->hurry, on_hurry);
    return true;
}

void serve_end(serve *server, int status) {
    enum { PATIENCE_MS = 5000 };
    if (server->ending) return;
    server->ending = true;
    server->status = status;
    server->give_up_ms = uv_now(&server->loop) + PATIENCE_MS;
    wend_live_drain(server->live);
    uv_idle_start(&server->hurry, on_hurry);
}

void serve_clock_open(serve *server) {
    uv_timer_init(&server->loop, &server->clock);
    uv_idle_init(&server->loop, &server->hurry);
    uv_timer_init(&server->loop, &server->field_timer);
    server->clock.data = server->hurry.data = server->field_timer.data = server;
}
