/* SPDX-License-Identifier: MIT */
/* The world of the server: its map, the service and the crowd on it, its figures, and the return to the state of its
 * file. */
#define _GNU_SOURCE

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/script.h"
#include "serve/game/serve.h"
#include "cli/output/messages.h"
#include "cli/world/heap.h"
#include <wend/control.h>
#include <wend/versions.h>
#include <wend/crowd_tuning.h>

/* ---- the map ---- */

/* Where memory is lacking, A* answers. */
static void accelerate(wend_map *map) {
    enum { LANDMARKS = 4 };
    (void)cli_engine_prepare(map, WEND_ENGINE_AUTO, LANDMARKS, WEND_FAR_LARGE);
}

void serve_world_crowd_def(serve *server, const world_state *w, wend_crowd_def *def, wend_crowd_tuning *tuning) {
    enum { LEG_CELLS = 1 << 22, MOST_ROUTES = 65536, UNTIL_LAND_COMES = 1000 };
    wend_crowd_def_init(def, sizeof *def);
    wend_crowd_tuning_init(tuning, sizeof *tuning);
    def->tuning = tuning;
    def->map = w->map;
    def->service = w->service;
    def->allocator = cli_lazy_allocator();
    def->agents = (uint32_t)server->options->most_agents;
    def->path_bytes = (uint64_t)def->agents * 512;
    tuning->events = def->agents < (1 << 21) ? def->agents * 8 : 1 << 24;
    tuning->routes = MOST_ROUTES;
    tuning->route_cells = LEG_CELLS;
    if (server->options->stream) tuning->patience_updates = UNTIL_LAND_COMES;
    def->on_event = serve_agents_event;
    def->context = server;
}

static wend_error make_crowd(serve *server) {
    wend_crowd_def def;
    wend_crowd_tuning tuning;
    serve_world_crowd_def(server, &server->world, &def, &tuning);
    return world_crowd_make(&server->world, &def);
}

void serve_world_prepare_map(const serve *server, wend_map *map) {
    if (server->original.limits.versions > 0) wend_map_set_max_versions(map, server->original.limits.versions);
    accelerate(map);
}

/* Routes of the file stay as in the file. */
static bool copy_routes(serve *server) {
    for (size_t i = 0; i < server->original.routes.count; i++) {
        const cli_route *route = &server->original.routes.items[i];
        if (!cli_route_keep(&server->routes, route->name, strlen(route->name), route->mode, route->cells, route->count))
            return false;
    }
    return true;
}

/* Makes a fork, which has the layers of the file's map; with the file's units, and a crowd on it. */
static bool begin_world(serve *server) {
    wend_map *map;
    if (wend_map_fork(server->original.map, &map)) return false;
    serve_world_prepare_map(server, map);
    server->world.map = map;
    return !make_crowd(server) && copy_routes(server) && cli_layers_copy(&server->layers, &server->original.layers) &&
           world_units_begin(&server->world, &server->original.units) && serve_agents_bring(server);
}

static void end_world(serve *server) {
    world_crowd_free(&server->world);
    free(server->clients.answer);
    server->clients.answer = NULL;
    free(server->clients.unit_list);
    server->clients.unit_list = NULL;
    serve_fields_drop(&server->clients);
    cli_routes_free(&server->routes);
    cli_units_free(&server->units);
    cli_layers_free(&server->layers);
    world_edits_free(&server->world.edits);
    wend_map *map = server->world.map;
    if (server->world.service && map) wend_service_cancel_map(server->world.service, map, NULL);
    wend_map_release(map);
    server->world.map = NULL;
}

static void show_world(serve *server) {
    wend_live_set_map(server->clients.live, server->world.map, (const char *const *)server->original.movers.names,
                      server->original.movers.count);
}

/* The old world stays if there is no memory for another. */
bool serve_world_reset(serve *server) {
    world_recording_close(&server->record); /* one recording covers one map */
    serve_fields_drop(&server->clients);
    serve old = *server;
    server->clients.answer = NULL;
    server->clients.unit_list = NULL;
    server->routes = (cli_routes){0};
    server->units = (cli_units){0};
    server->layers = (cli_layers){0};
    server->world.agents = (world_agents){.names_revision = old.world.agents.names_revision + 1};
    server->world.edits = (world_edits){0};
    server->world.crowd = NULL;
    server->world.map = NULL;
    if (!begin_world(server)) {
        end_world(server);
        *server = old;
        return false;
    }
    end_world(&old);
    serve_once_clear(&server->once);
    if (server->clients.live) show_world(server);
    serve_stream_begin(server);
    return true;
}

/* ---- a world from a checkpoint ---- */

void serve_scene_free(serve_scene *scene) {
    world_state *w = &scene->world;
    world_crowd_free(w);
    wend_service_destroy(w->service);
    world_edits_free(&w->edits);
    cli_routes_free(&scene->routes);
    cli_units_free(&scene->units);
    cli_layers_free(&scene->layers);
    wend_map_release(w->map);
    *scene = (serve_scene){.frame = 0};
}

serve_scene serve_scene_now(const serve *server) {
    serve_scene scene = {.world = server->world,
                         .routes = server->routes,
                         .units = server->units,
                         .layers = server->layers,
                         .frame = server->clock.last.frame};
    if (server->clients.live)
        scene.first_epoch = wend_map_get_epoch(scene.world.map) - live_get_epoch(server->clients.live);
    return scene;
}

void serve_scene_begin(serve *server, const serve_scene *scene) {
    server->routes = scene->routes;
    server->units = scene->units;
    server->layers = scene->layers;
    server->world = scene->world;
    server->world.routes = &server->routes, server->world.units = &server->units;
    server->world.layers = &server->layers;
    if (server->counts.figures) wend_service_set_figures(server->world.service, server->counts.figures);
    server->clock.last = (wend_frame){.struct_bytes = sizeof(wend_frame), .frame = scene->frame};
    server->clock.early = (wend_frame){.struct_bytes = sizeof(wend_frame)};
    server->clock.pending_before = 0;
    server->clock.put_off = false;
    if (!server->clients.live) return;
    show_world(server);
    live_set_epoch(server->clients.live, wend_map_get_epoch(server->world.map) - scene->first_epoch);
    wend_live_set_service(server->clients.live, server->world.service);
}

/* The old service completes its pending requests as cancelled, before clients see the new one. */
void serve_scene_take(serve *server, serve_scene *scene) {
    world_recording_close(&server->record);
    serve_fields_drop(&server->clients);
    serve old = *server;
    server->clients.answer = NULL;
    server->clients.unit_list = NULL;
    end_world(&old);
    wend_service_destroy(old.world.service);
    serve_scene_begin(server, scene);
}

/* ---- figures, for /metrics ---- */

static void *take_from_heap(void *context, size_t bytes, size_t alignment) {
    const wend_allocator heap = cli_heap_allocator();
    *(size_t *)context = bytes;
    return heap.alloc(heap.context, bytes, alignment);
}

static void give_to_heap(void *context, void *memory, size_t bytes) {
    const wend_allocator heap = cli_heap_allocator();
    (void)context;
    heap.free(heap.context, memory, bytes);
}

/* A service in an arena takes only figures of that arena. serve_marks.c keeps what they counted on the way back. */
static int open_numbers(serve *server) {
    wend_figures_def def;
    wend_figures_def_init(&def, sizeof def);
    if (cli_heap_arena()) def.allocator = (wend_allocator){&server->counts.figures_bytes, take_from_heap, give_to_heap};
    wend_error error = wend_figures_create(&def, &server->counts.figures);
    if (!error) error = wend_service_set_figures(server->world.service, server->counts.figures);
    return error ? cli_fail("serve: figures: %s", wend_error_detail(error)) : CLI_DONE;
}

static void close_numbers(serve *server) {
    wend_figures_destroy(server->counts.figures);
    server->counts.figures = NULL;
}

/* ---- opening ---- */

/* Sets limits of the world's file; options of the command line win. */
static int make_service(serve *server) {
    enum { MOST_GOALS = 1 << 20, SPARE_PATHS = 4 << 20 };
    const serve_options *options = server->options;
    cli_limits *given = &server->original.limits;
    wend_service_def *def = &given->def;
    if (def->struct_bytes == 0) {
        wend_service_def_init(def, sizeof *def);
        wend_service_tuning_init(&given->tuning, sizeof given->tuning);
    }
    if (options->lanes > 0) given->tuning.lanes = (uint32_t)options->lanes;
    if (options->queue > 0) def->queue = (uint32_t)options->queue;
    def->workers = (uint32_t)options->workers;
    cli_limits_complete(given, server->original.map, SPARE_PATHS);
    if (!cli_limit_given(given, WEND__LIMIT_GOALS)) given->tuning.goals = MOST_GOALS;
    server->counts.service_bytes = wend_service_bytes(def);
    const wend_error error = wend_service_create(def, &server->world.service);
    return !error ? open_numbers(server) : cli_fail("serve: the service: %s", wend_error_detail(error));
}

void serve_world_populate(serve *server) {
    const serve_options *options = server->options;
    const uint64_t added = serve_agents_scatter(&server->world, options->agents, options->seed);
    if (added < options->agents)
        cli_note("%llu of %llu agents found a place", (unsigned long long)added, (unsigned long long)options->agents);
}

int serve_world_open(serve *server) {
    const serve_options *options = server->options;
    wend_map_info info = {.struct_bytes = sizeof info};
    int status = script_load_served(options->world, &server->original);
    if (status) return status;
    if (server->original.left_out > 0)
        cli_note_at(options->world,
                    "%" PRIu64 " line%s left out, which only wend run does: requests, and all from the "
                    "first frame on",
                    server->original.left_out, server->original.left_out == 1 ? " is" : "s are");
    wend_map_get_info(server->original.map, &info);
    server->world = (world_state){.kind = info.kind,
                                  .movers = &server->original.movers,
                                  .routes = &server->routes,
                                  .tells_events = true,
                                  .units = &server->units,
                                  .layers = &server->layers,
                                  .has_clients = true};
    accelerate(server->original.map);
    status = make_service(server);
    if (status) return status;
    if (!begin_world(server)) /* errors of agents were printed */
        return server->original.agents.count > 0 && server->world.crowd ? CLI_BAD_INPUT
                                                                        : cli_fail("serve: no memory for this world");
    status = serve_stream_open(server);
    if (status) return status;
    if (!options->journal && !options->cluster) serve_world_populate(server);
    wend_budget_init(&server->clock.budget, sizeof server->clock.budget);
    server->clock.budget.expansions = options->budget;
    if (options->budget_us > 0) {
        server->clock.budget.us = options->budget_us;
        server->clock.budget.expansions = WEND_NO_LIMIT;
    }
    server->clock.shares_time = options->budget_us == 0 && options->budget == WEND_NO_LIMIT;
    server->clock.last.struct_bytes = sizeof server->clock.last;
    return CLI_DONE;
}

int serve_world_close(serve *server) {
    int status = world_recording_close(&server->record);
    if (!serve_stream_write(server)) status = CLI_BAD_INPUT;
    serve_stream_close(server);
    serve_once_clear(&server->once);
    end_world(server);
    wend_service_destroy(server->world.service);
    server->world.service = NULL;
    close_numbers(server);
    cli_world_free(&server->original);
    return status;
}
