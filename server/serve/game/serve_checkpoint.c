/* SPDX-License-Identifier: MIT */
/* Checkpoints: the world of a server between two frames as bytes, and back. They are saves of `wend run`, which can
 * continue from them: fields that only a script has get the values of a script at this point. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "saves/saves.h"
#include "serve/game/serve.h"
#include <wend/crowd_tuning.h>
#include <wend/save.h>
#include <wend/versions.h>

/* ---- fields that a script has besides its world ---- */

/* Passes the fields of script_state in server/run, in the order of run_saves.c. */
static void pass_script(saved *s, serve_scene *scene) {
    scene->frame = saved_number(s, scene->frame);
    scene->first_epoch = saved_number(s, scene->first_epoch);
    (void)saved_number(s, s->reads ? 0 : wend_map_get_epoch(scene->world.map)); /* at the crowd's last update */
    for (int i = 0; i < 3; i++) (void)saved_number(s, 0);                       /* completions, and hashes */
    const bool changed = true, stepped = true, accelerated = true, requested = true;
    (void)saved_flag(s, changed), (void)saved_flag(s, stepped);
    (void)saved_flag(s, accelerated), (void)saved_flag(s, requested);
    (void)saved_number(s, 0); /* lines read ahead */
}

/* The data of the fast engine is made as usual. */
static void pass_prepared(saved *s) {
    enum { LANDMARKS = 4 };
    wend_acceleration none[WEND_MAX_MOVERS];
    uint64_t made = 0;
    (void)saved_flag(s, true);
    (void)saved_number(s, WEND_ENGINE_AUTO);
    (void)saved_number(s, LANDMARKS);
    saved_accelerations(s, &made, none);
}

/* Requests with names of a script, watched paths, questions. */
static void pass_none(saved *s) {
    if (saved_count(s, 0) > 0) saved_spoil(s, "the save is of a script with requests of its own");
}

/* ---- the map ---- */

static void read_names(saved *s, const serve *server, serve_scene *scene) {
    cli_world names = {.map = scene->world.map};
    saved_names(s, &names);
    names.map = NULL;
    if (names.movers.count != server->original.movers.count) saved_spoil(s, "the save has other movers");
    scene->routes = names.routes, names.routes = (cli_routes){0};
    scene->layers = names.layers, names.layers = (cli_layers){0};
    cli_world_free(&names);
}

static void write_names(saved *s, const serve *server, const serve_scene *scene) {
    cli_world names = server->original;
    names.routes = scene->routes;
    names.layers = scene->layers;
    saved_names(s, &names);
}

/* A graph is made completely, as a fork would lack edges that were added. */
static void pass_map(saved *s, serve *server, serve_scene *scene) {
    wend_map **map = &scene->world.map;
    wend_map_info info = {.struct_bytes = sizeof info};
    if (s->reads && server->world.kind != WEND_KIND_GRAPH) saved_allows(s, wend_map_fork(server->original.map, map));
    if (s->reads && *map && !s->bad) serve_world_prepare_map(server, *map);
    if (!s->bad) saved_map(s, map, 0);
    if (s->bad) return;
    wend_map_get_info(*map, &info);
    if (info.kind != server->world.kind) {
        saved_spoil(s, "the save is of another kind of map");
        return;
    }
    if (s->reads && info.kind == WEND_KIND_GRAPH) serve_world_prepare_map(server, *map);
    (s->reads ? (void)read_names(s, server, scene) : write_names(s, server, scene));
    (void)saved_number(s, server->original.movers.count); /* all were declared */
    saved_land(s, &scene->world);
}

/* ---- the service ---- */

/// Finds the pending requests of clients, as a restore does.
typedef struct tickets {
    wend_ticket *items;
    size_t count, capacity;
    bool starved;
} tickets;

static void note_ticket(void *context, wend_ticket ticket, wend_request *request) {
    tickets *found = context;
    (void)request;
    if (WEND__ARRAY_ROOM(found->items, found->capacity, found->count + 1))
        found->items[found->count++] = ticket;
    else
        found->starved = true;
}

/* @return false: no memory; some are not cancelled */
static bool cancel_all(wend_service *service, tickets *found) {
    for (size_t i = 0; i < found->count; i++) wend_service_cancel(service, found->items[i]);
    free(found->items);
    return !found->starved;
}

bool serve_cancel_unheard(wend_service *service) {
    tickets found = {0};
    wend_save_host host;
    wend_save_host_init(&host, sizeof host);
    host.request = note_ticket;
    host.context = &found;
    const bool adopted = !wend_service_adopt(service, &host);
    return cancel_all(service, &found) && adopted;
}

static void read_service(saved *s, wend_service *service, wend_save_host *host, const uint8_t *part, size_t bytes) {
    tickets found = {0};
    host->request = note_ticket;
    host->context = &found;
    saved_allows(s, wend_service_restore_state(service, host, part, bytes));
    if (!cancel_all(service, &found)) saved_spoil(s, "no memory");
}

static void pass_service(saved *s, serve *server, serve_scene *scene) {
    wend_map *const maps[] = {scene->world.map};
    wend_service *service = scene->world.service;
    cli_limits limits = server->original.limits;
    wend_save_host host;
    size_t bytes = 0;
    saved_limits(s, &limits); /* options of the command line win */
    if (!saved_flag(s, true)) saved_spoil(s, "the save has no service");
    if (s->reads && !s->bad) saved_allows(s, wend_service_create(&server->original.limits.def, &service));
    scene->world.service = service;
    if (s->bad) return;
    wend_save_host_init(&host, sizeof host);
    host.maps = maps, host.map_count = 1;
    if (!s->reads) {
        saved_service(s, service, &host);
        return;
    }
    uint8_t *part = saved_part(s, &bytes);
    if (part) read_service(s, service, &host, part, bytes);
}

/* ---- the crowd ---- */

/* Its limits are those of the save, until a reset. */
static void pass_crowd(saved *s, serve *server, serve_scene *scene) {
    world_state *w = &scene->world;
    wend_crowd_def def;
    wend_crowd_tuning tuning;
    if (!saved_flag(s, true)) saved_spoil(s, "the save has no crowd");
    serve_world_crowd_def(server, w, &def, &tuning);
    saved_crowd_limits(s, &def, &tuning);
    const bool has_bodies = saved_flag(s, w->has_bodies);
    if (s->bad) return;
    if (s->reads) saved_allows(s, world_crowd_make(w, &def));
    if (s->reads && !s->bad) w->has_bodies = has_bodies;
    if (!s->bad) saved_crowd(s, w);
}

/* ---- all of it ---- */

static void pass_world(saved *s, serve *server, serve_scene *scene) {
    pass_script(s, scene);
    if (!s->bad) pass_map(s, server, scene);
    if (!s->bad) pass_prepared(s);
    for (int i = 0; i < 2 && !s->bad; i++) pass_none(s);
    if (!s->bad) pass_service(s, server, scene);
    if (!s->bad) pass_crowd(s, server, scene);
    if (!s->bad) pass_none(s);
}

/* @param s   receives the bytes, `at` of them, even on failure; to be freed. @return false: see `why` */
static bool write_world(serve *server, serve_scene *scene, saved *s) {
    *s = (saved){.reads = false};
    saved_reserve(s, server->history.last + server->history.last / 8); /* most are about as large as the previous one */
    pass_world(s, server, scene);
    if (!s->bad) saved_finish(s);
    return !s->bad;
}

bool serve_checkpoint_read(serve *server, saved *s, bool same_clients, serve_scene *scene) {
    *scene = (serve_scene){.world = server->world};
    world_state *w = &scene->world;
    w->map = NULL, w->service = NULL, w->crowd = NULL, w->has_bodies = false, w->jams = NULL;
    w->routes = &scene->routes, w->units = &scene->units, w->layers = &scene->layers;
    w->agents = (world_agents){.names_revision = server->world.agents.names_revision + 1};
    w->edits = (world_edits){0};
    w->boxes.count = 0;
    pass_world(s, server, scene);
    for (world_agent *agent = w->agents.first; agent && !same_clients; agent = agent->next)
        agent->owner = agent->orderer = 0;
    for (size_t i = 0; i < w->boxes.count && !same_clients; i++) w->boxes.orderers[i] = 0;
    if (saved_end_reading(s)) return true;
    serve_scene_free(scene);
    return false;
}

serve_checkpoint *serve_checkpoint_make(serve *server, serve_scene *scene, world_error *error) {
    saved s;
    serve_checkpoint *made = calloc(1, sizeof *made);
    const bool good = made && write_world(server, scene, &s);
    if (!good) {
        world_refuse(error, made ? WORLD_BUSY : WORLD_NO_MEMORY, NULL, "%s", made ? s.why : "no memory");
        if (made) free(s.bytes);
        free(made);
        return NULL;
    }
    uint8_t *less = realloc(s.bytes, s.at);
    *made = (serve_checkpoint){.holders = 1, .frame = scene->frame, .bytes = less ? less : s.bytes};
    made->size = server->history.last = s.at;
    return made;
}

void serve_checkpoint_release(serve_checkpoint *checkpoint) {
    if (!checkpoint || --checkpoint->holders > 0) return;
    free(checkpoint->bytes);
    free(checkpoint);
}
