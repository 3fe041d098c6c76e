/* SPDX-License-Identifier: MIT */
/* A history of marks: the world lies in the heap (cli/world/heap.h) and goes back exactly, with its searches. Data
 * about it in other places is written into a block of the heap before each mark. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "cli/output/messages.h"
#include "cli/world/heap.h"
#include "serve/game/serve.h"
#include <wend/control.h>
#include <wend/versions.h>

/// The slot of the present, while a save is made from a mark.
enum { PRESENT = SERVE_MOST_MARKS };

/// A block of the heap.
typedef struct serve_marked {
    serve_scene scene;
    wend_field *fields[SERVE_MOST_FIELDS]; ///< unfinished fields
    size_t field_count;
    uint64_t wander; ///< random state
} serve_marked;

int serve_marks_open(serve *server) {
    const serve_options *options = server->options;
    if (options->history == 0 || options->cluster || options->stream || options->record) return CLI_DONE;
    const wend_error error = cli_heap_open(SERVE_MOST_MARKS + 1);
    if (error) cli_note("serve: the history is one of saves: %s", wend_error_detail(error));
    if (error) return CLI_DONE;
    server->history.marked = cli_alloc_zero(1, sizeof *server->history.marked);
    return server->history.marked ? CLI_DONE : cli_fail("serve: no memory for a history");
}

void serve_marks_close(serve *server) {
    cli_free(server->history.marked);
    server->history.marked = NULL;
    const wend_error error = cli_heap_close();
    if (error) cli_note("serve: %s", wend_error_detail(error));
}

static wend_arena_info info_of_heap(void) {
    wend_arena_info info = {.struct_bytes = sizeof info};
    wend_arena_get_info(cli_heap_arena(), &info);
    return info;
}

uint64_t serve_marks_bytes(const serve *server) {
    return server->history.marked ? info_of_heap().mark_bytes : 0;
}

static bool mark(serve *server, uint32_t slot, world_error *error) {
    serve_marked *marked = server->history.marked;
    const serve_fields *fields = &server->clients.fields;
    marked->scene = serve_scene_now(server);
    for (size_t i = 0; i < fields->count; i++) marked->fields[i] = fields->made[i].field;
    marked->field_count = fields->count;
    marked->wander = server->wander.random;
    const wend_error failed = wend_arena_mark(cli_heap_arena(), slot);
    return !failed || world_refuse(error, WORLD_NO_MEMORY, NULL, "%s", wend_error_detail(failed));
}

static bool go(uint32_t slot, world_error *error) {
    const wend_error failed = wend_arena_rewind(cli_heap_arena(), slot);
    return !failed || world_refuse(error, WORLD_BUSY, NULL, "%s", wend_error_detail(failed));
}

bool serve_mark_make(serve *server, uint32_t slot, size_t *size, world_error *error) {
    if (!mark(server, slot, error)) return false;
    *size = (size_t)info_of_heap().changed_bytes;
    return true;
}

void serve_mark_forget(uint32_t slot) {
    (void)wend_arena_forget(cli_heap_arena(), slot); /* it is in no callback */
}

/* Requests of clients are completed before they are removed. */
static void end_requests(serve *server) {
    wend_service *service = server->world.service;
    serve_fields_drop(&server->clients);
    wend_service_cancel_map(service, server->world.map, NULL);
    wend_service_tick(service, NULL, NULL);
}

/* Clients of that time may have left. */
static bool drop_clients(serve *server) {
    serve_marked *marked = server->history.marked;
    for (size_t i = 0; i < marked->field_count; i++) wend_field_destroy(marked->fields[i]);
    marked->field_count = 0;
    return serve_cancel_unheard(server->world.service);
}

/* Goes to a slot with the figures of now: counters of /metrics never fall. */
static bool go_on_counting(serve *server, uint32_t slot, world_error *error) {
    const size_t bytes = server->counts.figures_bytes;
    void *figures = malloc(bytes);
    if (!figures) return world_refuse(error, WORLD_NO_MEMORY, NULL, "no memory");
    memcpy(figures, server->counts.figures, bytes);
    const bool went = go(slot, error);
    memcpy(server->counts.figures, figures, bytes);
    free(figures);
    return went;
}

/* The server's pages hold the map, and those at the mark held it then. */
bool serve_mark_go(serve *server, uint32_t slot, world_error *error) {
    serve_marked *marked = server->history.marked;
    wend_live *live = server->clients.live;
    const serve_scene present = serve_scene_now(server);
    end_requests(server);
    if (live) wend_map_retain(present.world.map), wend_live_set_map(live, NULL, NULL, 0);
    const bool went = go_on_counting(server, slot, error);
    serve_scene_begin(server, went ? &marked->scene : &present);
    if (went) server->wander.random = marked->wander;
    if (went) server->world.agents.names_revision = present.world.agents.names_revision + 1;
    if (live) wend_map_release(server->world.map);
    if (went && !drop_clients(server)) cli_note("serve: no memory: requests of before the way back go on");
    return went;
}

/* The save is written in the past, and the present is restored then. */
serve_checkpoint *serve_mark_save(serve *server, uint32_t slot, world_error *error) {
    serve_checkpoint *made = NULL;
    world_error lost = {0};
    if (!mark(server, PRESENT, error)) return NULL;
    if (go(slot, error)) {
        serve_scene scene = server->history.marked->scene;
        scene.world.routes = &scene.routes, scene.world.units = &scene.units, scene.world.layers = &scene.layers;
        made = serve_checkpoint_make(server, &scene, error);
        if (!go(PRESENT, &lost)) { /* the journal has all acknowledged orders */
            cli_fail("serve: the present is lost: %s", lost.text);
            abort();
        }
    }
    serve_mark_forget(PRESENT);
    return made;
}
