/* SPDX-License-Identifier: MIT */
/* The world of the server: its map, the service and the crowd on it, its figures, and the way back to how its file has
 * it. */
#define _GNU_SOURCE

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/script.h"
#include "serve/game/serve.h"
#include "cli/output/messages.h"
#include <wend/control.h>
#include <wend/versions.h>
#include <wend/crowd_tuning.h>

/* ---- the map ---- */

/* Where memory is lacking, A* answers. */
static void accelerate(wend_map *map) {
    enum { LANDMARKS = 4 };
    (void)host_engine_prepare(map, WEND_ENGINE_AUTO, LANDMARKS, WEND_FAR_LARGE);
}

static wend_error make_crowd(serve *server) {
    enum { LEG_CELLS = 1 << 22, MOST_ROUTES = 65536, UNTIL_LAND_COMES = 1000 };
    wend_crowd_def def;
    wend_crowd_tuning tuning;
    wend_crowd_def_init(&def, sizeof def);
    wend_crowd_tuning_init(&tuning, sizeof tuning);
    def.tuning = &tuning;
    def.map = server->host.map;
    def.service = server->host.service;
    def.allocator = host_lazy_allocator();
    def.agents = (uint32_t)server->options->most_agents;
    def.path_bytes = (uint64_t)def.agents * 512;
    tuning.events = def.agents < (1 << 21) ? def.agents * 8 : 1 << 24;
    tuning.routes = MOST_ROUTES;
    tuning.route_cells = LEG_CELLS;
    if (server->options->stream) tuning.patience_updates = UNTIL_LAND_COMES;
    def.on_event = serve_agents_event;
    def.context = server;
    return host_crowd_make(&server->host, &def);
}

/* The routes of the file stay as they are there. */
static bool copy_routes(serve *server) {
    for (size_t i = 0; i < server->world.routes.count; i++) {
        const host_route *route = &server->world.routes.items[i];
        if (!host_route_keep(&server->routes, route->name, strlen(route->name), route->mode, route->cells,
                             route->count))
            return false;
    }
    return true;
}

/* A fork, with the file's units, and a crowd on it. */
static bool begin_world(serve *server) {
    wend_map *map;
    if (wend_map_fork(server->world.map, &map)) return false;
    if (server->world.limits.versions > 0) wend_map_set_max_versions(map, server->world.limits.versions);
    accelerate(map);
    server->host.map = map;
    return !make_crowd(server) && copy_routes(server) && host_units_begin(&server->host, &server->world.units) &&
           serve_agents_bring(server);
}

static void end_world(serve *server) {
    host_crowd_free(&server->host);
    free(server->clients.answer);
    server->clients.answer = NULL;
    free(server->clients.unit_list);
    server->clients.unit_list = NULL;
    serve_fields_drop(&server->clients);
    host_routes_free(&server->routes);
    host_units_free(&server->units);
    host_edits_free(&server->host.edits);
    wend_map *map = server->host.map;
    if (server->host.service && map) wend_service_cancel_map(server->host.service, map, NULL);
    wend_map_release(map);
    server->host.map = NULL;
}

static void show_world(serve *server) {
    wend_live_set_map(server->clients.live, server->host.map, (const char *const *)server->world.movers.names,
                      server->world.movers.count);
}

/* The old world stays where there is no memory for another. */
bool serve_world_reset(serve *server) {
    host_record_close(&server->record); /* it is of one map */
    serve_fields_drop(&server->clients);
    serve old = *server;
    server->clients.answer = NULL;
    server->clients.unit_list = NULL;
    server->routes = (host_routes){0};
    server->units = (host_units){0};
    server->host.agents = (host_agents){.names_revision = old.host.agents.names_revision + 1};
    server->host.edits = (host_edits){0};
    server->host.crowd = NULL;
    server->host.map = NULL;
    if (!begin_world(server)) {
        end_world(server);
        *server = old;
        return false;
    }
    end_world(&old);
    if (server->clients.live) show_world(server);
    return true;
}

/* ---- figures, for /metrics ---- */

static int open_numbers(serve *server) {
    wend_figures_def def;
    wend_figures_def_init(&def, sizeof def);
    const wend_error error = wend_figures_create(&def, &server->counts.figures);
    if (error) return host_fail("serve: figures: %s", wend_error_detail(error));
    wend_service_set_figures(server->host.service, server->counts.figures);
    return HOST_DONE;
}

static void close_numbers(serve *server) {
    wend_figures_destroy(server->counts.figures);
    server->counts.figures = NULL;
}

/* ---- opening ---- */

/* Limits of the world's file; options of the command line win. */
static int make_service(serve *server) {
    enum { MOST_GOALS = 1 << 20, SPARE_PATHS = 4 << 20 };
    const serve_options *options = server->options;
    host_limits *given = &server->world.limits;
    wend_service_def *def = &given->def;
    if (def->struct_bytes == 0) {
        wend_service_def_init(def, sizeof *def);
        wend_tuning_init(&given->tuning, sizeof given->tuning);
    }
    if (options->lanes > 0) def->lanes = (uint32_t)options->lanes;
    if (options->queue > 0) def->queue = (uint32_t)options->queue;
    def->workers = (uint32_t)options->workers;
    host_limits_complete(given, server->world.map, SPARE_PATHS);
    if (!host_limit_given(given, WEND__LIMIT_GOALS)) given->tuning.goals = MOST_GOALS;
    server->counts.service_bytes = wend_service_bytes(def);
    const wend_error error = wend_service_create(def, &server->host.service);
    return !error ? open_numbers(server) : host_fail("serve: the service: %s", wend_error_detail(error));
}

void serve_world_populate(serve *server) {
    const serve_options *options = server->options;
    const uint64_t added = serve_agents_scatter(&server->host, options->agents, options->seed);
    if (added < options->agents)
        host_note("%llu of %llu agents found a place", (unsigned long long)added, (unsigned long long)options->agents);
}

int serve_world_open(serve *server) {
    const serve_options *options = server->options;
    wend_map_info info = {.struct_bytes = sizeof info};
    int status = host_world_load_served(options->world, &server->world);
    if (status) return status;
    if (server->world.left_out > 0)
        host_note_at(options->world,
                     "%" PRIu64 " line%s left out, which only wend run does: requests, and all from the "
                     "first frame on",
                     server->world.left_out, server->world.left_out == 1 ? " is" : "s are");
    wend_map_get_info(server->world.map, &info);
    server->host = (host){.kind = info.kind,
                          .movers = &server->world.movers,
                          .routes = &server->routes,
                          .tells_events = true,
                          .units = &server->units,
                          .has_clients = true};
    accelerate(server->world.map);
    status = make_service(server);
    if (status) return status;
    if (!begin_world(server)) /* what is wrong with an agent was said */
        return server->world.agents.count > 0 && server->host.crowd ? HOST_BAD_INPUT
                                                                    : host_fail("serve: no memory for this world");
    status = serve_stream_open(server);
    if (status) return status;
    if (!options->journal && !options->cluster) serve_world_populate(server);
    wend_budget_init(&server->clock.budget, sizeof server->clock.budget);
    server->clock.budget.expansions = options->budget;
    if (options->budget_us > 0) {
        server->clock.budget.us = options->budget_us;
        server->clock.budget.expansions = WEND_NO_LIMIT;
    }
    server->clock.last.struct_bytes = sizeof server->clock.last;
    return HOST_DONE;
}

void serve_world_close(serve *server) {
    host_record_close(&server->record);
    serve_stream_close(server);
    end_world(server);
    wend_service_destroy(server->host.service);
    server->host.service = NULL;
    close_numbers(server);
    host_world_free(&server->world);
}
