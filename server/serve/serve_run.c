/* SPDX-License-Identifier: MIT */
/* The server from its opening to its end: descriptors, addresses, signals, the loop. */
#define _GNU_SOURCE

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "cli/output/messages.h"
#include "serve/serve_log.h"

static void on_signal(uv_signal_t *handle, int number) {
    (void)number;
    serve_end(handle->data, CLI_DONE);
}

/* ---- opening ---- */

/// Descriptors for files, folders and listeners; those that live_descriptor_is_last() leaves free; the largest table of
/// libwebsockets, with a place for each possible one.
enum { OTHERS = 64, LEAST = 32, SPARE = 8, LARGEST_TABLE = 1 << 20 };

/* Lowers a limit of a thousand million descriptors, as in containers; raises one too low for all clients as far as
 * possible. @return CLI_DONE, or the exit status: they are too few to begin */
static int set_descriptors(uint64_t clients) {
    struct rlimit limit;
    const rlim_t wanted = (rlim_t)clients + OTHERS;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return CLI_DONE;
    if (limit.rlim_cur > LARGEST_TABLE && limit.rlim_cur > 2 * wanted)
        limit.rlim_cur = wanted > LARGEST_TABLE ? wanted : LARGEST_TABLE;
    else if (limit.rlim_cur < wanted)
        limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur >= LEAST) return CLI_DONE;
    return cli_fail("serve: %llu descriptors are too few: it needs %d at least (ulimit -n)",
                    (unsigned long long)limit.rlim_cur, LEAST);
}

/* Returns for how many clients the free descriptors suffice. */
static uint64_t room_for_clients(uint64_t wanted) {
    struct rlimit limit;
    uint64_t room = 0;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
    for (rlim_t at = 0; at + SPARE < limit.rlim_cur && room < wanted; at++) room += fcntl((int)at, F_GETFD) == -1;
    return room;
}

/* @return CLI_DONE, or the exit status: there is no room for a client */
static int report_room(uint64_t clients) {
    const uint64_t room = room_for_clients(clients);
    if (room == 0) return cli_fail("serve: no descriptor is left for a client (ulimit -n)");
    if (room < clients)
        cli_note("room for %llu client%s only, not %llu: descriptors are few (ulimit -n)", (unsigned long long)room,
                 room == 1 ? "" : "s", (unsigned long long)clients);
    return CLI_DONE;
}

static void report_addresses(const serve *server) {
    const serve_options *options = server->options;
    const char *colon = strrchr(options->listen, ':');
    const int length = colon > options->listen ? (int)(colon - options->listen) : 0;
    const char *scheme = options->certificate ? "https" : "http";
    cli_note("serving %s at %s://%.*s:%d/%s", options->world, scheme, length > 0 ? length : 9,
             length > 0 ? options->listen : "127.0.0.1", wend_live_get_port(server->clients.live),
             options->token ? " (clients need the token)" : "");
    if (!options->lines) return;
    colon = strrchr(options->lines, ':');
    if (live_get_lines_port(server->clients.live) > 0 && colon)
        cli_note("lines at %.*s:%d", (int)(colon - options->lines), options->lines,
                 live_get_lines_port(server->clients.live));
    else
        cli_note("lines at %s", options->lines);
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
    def.map = server->clients.map_name[0] != '\0' ? server->clients.map_name : NULL;
    def.on_order = serve_order;
    def.get_positions = serve_agents_positions;
    def.get_metrics = serve_write_metrics;
    def.get_units = serve_units_list;
    const wend_map_markers *markers = &server->original.markers;
    def.start = markers->has_start ? &markers->start : NULL;
    def.goal = markers->has_goal ? &markers->goal : NULL;
    def.get_unready = serve_node_unready;
    def.get_profile = serve_get_profile;
    def.get_layers = serve_get_layers;
    def.get_hash = serve_get_hash;
    def.context = server;
    def.limits = &options->limits;
    def.files = server->pictures.files;
    def.file_count = server->pictures.count;
    if (wend_live_open(&server->loop, &def, &server->clients.live, &why) != 0) return cli_fail("serve: %s", why);
    wend_live_set_map(server->clients.live, server->world.map, (const char *const *)server->original.movers.names,
                      server->original.movers.count);
    wend_live_set_service(server->clients.live, server->world.service);
    return CLI_DONE;
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
    if (uv_loop_init(&server->loop) != 0) return cli_fail("serve: no event loop");
    status = serve_node_name(server);
    if (!status) status = serve_log_open(server);
    if (!status)
        status =
            world_recording_open(&server->record, server->options->record, server->world.service, server->world.map);
    if (!status) status = open_live(server);
    if (!status) {
        status = report_room(server->options->limits.clients);
        if (!status) status = serve_node_open(server);
        if (status) wend_live_close(server->clients.live, NULL, NULL);
        if (status) serve_node_close(server);
    }
    if (!status) {
        serve_clock_open(server);
        watch_signal(server, &server->terminate, SIGTERM);
        watch_signal(server, &server->interrupt, SIGINT);
        report_addresses(server);
        serve_wander_begin(server, server->options->wander);
        serve_history_begin(server, server->options->history);
        serve_set_hz(&server->clock, server->options->hz);
    }
    uv_run(&server->loop, UV_RUN_DEFAULT);
    serve_node_end(server);
    serve_log_close(server);
    serve_snapshot_close(server);
    serve_node_close(server);
    uv_run(&server->loop, UV_RUN_DEFAULT);
    server->clients.live = NULL;
    if (!status) status = server->clock.status;
    uv_loop_close(&server->loop);
    return status;
}
