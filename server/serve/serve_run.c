/* SPDX-License-Identifier: MIT */
/* The loop of the server: frames by the clock, single steps, signals, and the end. */
#define _GNU_SOURCE

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "serve/serve.h"
#include "cli/output/messages.h"

/* ---- frames ---- */

/* Tells watchers of the last frame; of one that they know, where the agents are. */
static void show_frame(serve *server) {
    wend_live_send_frame(server->live, &server->last, NULL);
    server->shown_revision = server->host.agents.names_revision;
}

static void run_frame(serve *server) {
    enum { A_FRAME = 1000 };
    const bool walks = serve_node_frame(server);
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

static void on_signal(uv_signal_t *handle, int number) {
    (void)number;
    serve_end(handle->data, HOST_DONE);
}

/* ---- opening ---- */

/// Descriptors for files, folders and listeners; those that live_descriptor_is_last() leaves free; a table of
/// libwebsockets has one place for each that there may be.
enum { OTHERS = 64, LEAST = 32, SPARE = 8, LARGEST_TABLE = 1 << 20 };

/* A limit of a thousand million descriptors, as containers have it, is lowered; one too low for all clients is raised
 * as far as it goes. @return HOST_DONE, or the exit status: they are too few to begin */
static int set_descriptors(uint64_t clients) {
    struct rlimit limit;
    const rlim_t wanted = (rlim_t)clients + OTHERS;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return HOST_DONE;
    if (limit.rlim_cur > LARGEST_TABLE && limit.rlim_cur > 2 * wanted)
        limit.rlim_cur = wanted > LARGEST_TABLE ? wanted : LARGEST_TABLE;
    else if (limit.rlim_cur < wanted)
        limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur >= LEAST) return HOST_DONE;
    return host_fail("serve: %llu descriptors are too few: it needs %d at least (ulimit -n)",
                     (unsigned long long)limit.rlim_cur, LEAST);
}

/* Returns how many clients the descriptors suffice for that are still free. */
static uint64_t room_for_clients(uint64_t wanted) {
    struct rlimit limit;
    uint64_t room = 0;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
    for (rlim_t at = 0; at + SPARE < limit.rlim_cur && room < wanted; at++) room += fcntl((int)at, F_GETFD) == -1;
    return room;
}

/* @return HOST_DONE, or the exit status: there is no room for a client */
static int say_room(uint64_t clients) {
    const uint64_t room = room_for_clients(clients);
    if (room == 0) return host_fail("serve: no descriptor is left for a client (ulimit -n)");
    if (room < clients)
        host_note("room for %llu client%s only, not %llu: descriptors are few (ulimit -n)", (unsigned long long)room,
                  room == 1 ? "" : "s", (unsigned long long)clients);
    return HOST_DONE;
}

static void say_addresses(const serve *server) {
    const serve_options *options = server->options;
    const char *colon = strrchr(options->listen, ':');
    const int length = colon > options->listen ? (int)(colon - options->listen) : 0;
    const char *scheme = options->certificate ? "https" : "http";
    host_note("serving %s at %s://%.*s:%d/%s", options->world, scheme, length > 0 ? length : 9,
              length > 0 ? options->listen : "127.0.0.1", wend_live_get_port(server->live),
              options->token ? " (clients need the token)" : "");
    if (!options->lines) return;
    colon = strrchr(options->lines, ':');
    if (wend_live_get_lines_port(server->live) > 0 && colon)
        host_note("lines at %.*s:%d", (int)(colon - options->lines), options->lines,
                  wend_live_get_lines_port(server->live));
    else
        host_note("lines at %s", options->lines);
}

static int open_live(serve *server) {
    const serve_options *options = server->options;
    const char *why;
    wend_live_def def;
    wend_live_def_init(&def, sizeof def);
    def.listen = options->listen;
    def.lines = options->lines;
    def.host = options->host;
    def.token = options->token;
    def.owner_token = options->owner_token;
    def.certificate = options->certificate;
    def.key = options->key;
    def.read_only = options->read_only;
    def.map = server->map_name[0] != '\0' ? server->map_name : NULL;
    def.on_other_map = serve_node_pass;
    def.on_order = serve_order;
    def.get_positions = serve_agents_positions;
    def.get_metrics = serve_write_metrics;
    def.get_units = serve_units_list;
    def.context = server;
    def.limits = &options->limits;
    if (wend_live_open(&server->loop, &def, &server->live, &why) != 0) return host_fail("serve: %s", why);
    wend_live_set_map(server->live, server->host.map, (const char *const *)server->world.movers.names,
                      server->world.movers.count);
    wend_live_set_service(server->live, server->host.service);
    return HOST_DONE;
}

static void watch_signal(serve *server, uv_signal_t *handle, int number) {
    uv_signal_init(&server->loop, handle);
    uv_signal_start(handle, on_signal, number);
    handle->data = server;
}

int serve_run(serve *server) {
    signal(SIGPIPE, SIG_IGN);
    int status = set_descriptors(server->options->limits.clients);
    if (status) return status;
    if (uv_loop_init(&server->loop) != 0) return host_fail("serve: no event loop");
    status = serve_node_name(server);
    if (!status) status = serve_log_open(server);
    if (!status)
        status = host_record_open(&server->record, server->options->record, server->host.service, server->host.map);
    if (!status) status = open_live(server);
    if (!status) {
        status = say_room(server->options->limits.clients);
        if (!status) status = serve_node_open(server);
        if (status) wend_live_close(server->live, NULL, NULL);
    }
    if (!status) {
        uv_timer_init(&server->loop, &server->clock);
        uv_idle_init(&server->loop, &server->hurry);
        uv_timer_init(&server->loop, &server->field_timer);
        server->clock.data = server->hurry.data = server->field_timer.data = server;
        watch_signal(server, &server->terminate, SIGTERM);
        watch_signal(server, &server->interrupt, SIGINT);
        say_addresses(server);
        serve_wander_begin(server, server->options->wander);
        serve_set_hz(server, server->options->hz);
    }
    uv_run(&server->loop, UV_RUN_DEFAULT);
    serve_log_close(server);
    serve_node_close(server);
    uv_run(&server->loop, UV_RUN_DEFAULT);
    server->live = NULL;
    if (!status) status = server->status;
    uv_loop_close(&server->loop);
    return status;
}
