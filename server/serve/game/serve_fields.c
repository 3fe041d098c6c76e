/* SPDX-License-Identifier: MIT */
/* Flow fields for clients: made between frames, in small slices, and answered when complete. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "cli/world/heap.h"
#include "serve/game/serve.h"

/// Largest map, work of a turn of the timer, and time between two turns: a field slows no frame by much.
/// Charge for a cell in units of the limit `work`.
enum { MOST_CELLS = 1 << 22, EXPANSIONS = 5000, PERIOD_MS = 10, A_CELL = 8 };

/* ---- answers ---- */

static int32_t sign(int32_t n) {
    return (n > 0) - (n < 0);
}

/* Returns the way from a cell: 13 + dx + 3 dy + 9 dz, so 13 where it ends; 27: over a link; −1: there is none. */
static int32_t step_of(const wend_field *field, wend_cell cell) {
    enum { HERE = 13, LINK = 27, NONE = -1 };
    wend_cell next;
    uint64_t cost;
    if (wend_field_next(field, cell, &next, &cost) != WEND_STATUS_FOUND) return NONE;
    const int32_t dx = next.x - cell.x, dy = next.y - cell.y, dz = next.z - cell.z;
    if (dx != sign(dx) || dy != sign(dy) || dz != sign(dz)) return LINK;
    return HERE + dx + 3 * dy + 9 * dz;
}

static int32_t node_after(const wend_field *field, wend_cell node) {
    wend_cell next;
    uint64_t cost;
    return wend_field_next(field, node, &next, &cost) == WEND_STATUS_FOUND ? next.x : -1;
}

static void put_steps(int32_t kind, FILE *out, const wend_field *field, wend_box box) {
    const bool graph = kind == WEND_KIND_GRAPH;
    const char *separator = "";
    wend_cell cell;
    fprintf(out, ",\"steps\":[");
    for (cell.z = box.min.z; cell.z <= box.max.z; cell.z++)
        for (cell.y = box.min.y; cell.y <= box.max.y; cell.y++)
            for (cell.x = box.min.x; cell.x <= box.max.x; cell.x++) {
                fprintf(out, "%s%d", separator, (int)(graph ? node_after(field, cell) : step_of(field, cell)));
                separator = ",";
            }
    fprintf(out, "]");
}

static void answer(serve *server, const struct serve_field *made) {
    char *fields = NULL;
    size_t count = 0;
    wend_live_reply reply = {.struct_bytes = sizeof reply};
    wend_map_info info = {.struct_bytes = sizeof info};
    FILE *out = open_memstream(&fields, &count);
    if (out) put_steps(server->world.kind, out, made->field, made->box);
    if (!out || fclose(out) != 0) serve_refuse(&reply, WEND_LIVE_BUSY, "no memory");
    wend_map_get_info(server->world.map, &info);
    reply.fields = fields;
    reply.work = info.cells * A_CELL;
    wend_live_answer(server->clients.live, made->reference, &reply);
    free(fields);
}

/* ---- making ---- */

static void drop_first(serve_fields *asked) {
    wend_field_destroy(asked->made[0].field);
    asked->count--;
    memmove(&asked->made[0], &asked->made[1], asked->count * sizeof asked->made[0]);
    if (asked->count == 0) uv_timer_stop(&asked->timer);
}

static void make_some(uv_timer_t *timer) {
    serve *server = timer->data;
    struct serve_field *first = &server->clients.fields.made[0];
    if (!wend_field_step(first->field, EXPANSIONS, NULL)) return;
    answer(server, first);
    drop_first(&server->clients.fields);
}

void serve_fields_drop(serve_clients *clients) {
    const wend_live_reply reply = {
        .struct_bytes = sizeof reply, .error = WEND_LIVE_BUSY, .text = "the world has changed meanwhile"};
    while (clients->fields.count > 0) {
        if (clients->live) wend_live_answer(clients->live, clients->fields.made[0].reference, &reply);
        drop_first(&clients->fields);
    }
}

static bool is_on_map(const wend_map_info *info, wend_box box) {
    return box.min.x >= 0 && box.min.y >= 0 && box.min.z >= 0 && box.max.x < info->width && box.max.y < info->height &&
           box.max.z < info->depth;
}

static void refuse_error(wend_live_reply *reply, wend_error error) {
    world_error why = {0};
    if (world_refuse_error(&why, error, NULL)) return;
    serve_refuse_error(reply, &why);
    reply->text = wend_error_detail(error);
}

/* @return WEND_OK, with the field; else the reply has the reason */
static bool make_field(serve *server, const wend_order *order, wend_field **out, wend_live_reply *reply) {
    const wend_name *mover = &order->field.mover;
    wend_field_def def;
    wend_field_def_init(&def, sizeof def);
    def.map = server->world.map;
    def.goals = order->field.cells.items;
    def.goal_count = (uint32_t)order->field.cells.count;
    def.allocator = cli_heap_allocator();
    def.mover = mover->text ? cli_movers_find(&server->original.movers, mover->text, mover->length)
                            : server->original.movers.standard;
    if (def.mover < 0)
        serve_refuse(reply, WEND_LIVE_UNKNOWN, "there is no such mover");
    else
        refuse_error(reply, wend_field_create(&def, out));
    return reply->error == WEND_LIVE_OK;
}

bool serve_field_begin(serve *server, uint64_t reference, const wend_order *order, wend_live_reply *reply) {
    const wend_box box = {order->field.box.items[0], order->field.box.items[1]};
    serve_fields *asked = &server->clients.fields;
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_field *field = NULL;
    wend_map_get_info(server->world.map, &info);
    if (!is_on_map(&info, box))
        serve_refuse(reply, WEND_LIVE_OUT_OF_RANGE, "the box is not on the map");
    else if (info.cells > MOST_CELLS)
        serve_refuse(reply, WEND_LIVE_TOO_LARGE, "the map has too many cells for a field to look at");
    else if (order->field.cells.count > WEND_FIELD_MAX_GOALS)
        serve_refuse(reply, WEND_LIVE_TOO_LARGE, "a field has fewer goals");
    else if (asked->count == SERVE_MOST_FIELDS)
        serve_refuse(reply, WEND_LIVE_BUSY, "other fields are being made");
    if (reply->error != WEND_LIVE_OK || !make_field(server, order, &field, reply)) return false;
    asked->made[asked->count++] = (struct serve_field){field, box, reference};
    if (asked->count == 1) uv_timer_start(&server->clients.fields.timer, make_some, 0, PERIOD_MS);
    return true;
}
