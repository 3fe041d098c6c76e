/* SPDX-License-Identifier: MIT */
/* Orders to the server itself: those about time are executed at once, and questions answered. */
#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "cli/output/cells.h"
#include "cli/output/messages.h"
#include "serve/game/serve.h"
#include <wend/versions.h>

/* ---- the whole world ---- */

void serve_reset(serve *server, wend_live_reply *reply) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(server->world.map, &info);
    reply->work = info.cells;
    if (!serve_stream_write(server))
        serve_refuse(reply, WEND_LIVE_BUSY, "changed land cannot be written");
    else if (!serve_world_reset(server))
        serve_refuse(reply, WEND_LIVE_BUSY, "no memory");
    reply->epoch = wend_map_get_epoch(server->world.map);
}

void serve_went_back(const serve *server, wend_live_reply *reply) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(server->world.map, &info);
    reply->work = info.cells;
    reply->epoch = wend_map_get_epoch(server->world.map);
}

static void roll_back_now(serve *server, const wend_order *order, wend_live_reply *reply) {
    static world_error error; /* the reply has its text */
    error = (world_error){0};
    if (serve_history_go(server, order, &error))
        serve_went_back(server, reply);
    else
        serve_refuse_error(reply, &error);
}

/* ---- questions ---- */

/* Writes why an agent waits, what blocks it, the time until its next search, and its route. */
static void put_waits(const serve *server, FILE *out, const world_agent *agent, const wend_agent_state *state) {
    const uint32_t blocker = state->blocker.index;
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(server->world.map, &info);
    fprintf(out, ",\"waits\":\"%s\"", wend_constant_name(WEND_NAME_WAIT, state->waits));
    if (state->blocker.generation > 0 && server->world.agents.by_index[blocker]) {
        fprintf(out, ",\"blocker\":");
        cli_json_string(out, server->world.agents.by_index[blocker]->name);
    }
    if (state->waits == WEND_WAIT_WAY || state->waits >= WEND_WAIT_AGENT) {
        fprintf(out, ",\"blocked_cell\":");
        cli_json_cell(out, info.kind, state->blocked_cell);
    }
    if (state->next_try > 0) fprintf(out, ",\"next_try\":%u", (unsigned)state->next_try);
    if (state->route < 0 || !agent->route) return;
    fprintf(out, ",\"route\":");
    cli_json_string(out, agent->route);
}

/* Writes weights in the form of `adjust`. */
static void put_weights(FILE *out, const wend_weights *weights) {
    for (uint32_t i = 0; i < weights->count; i++) {
        fputs(i > 0 ? "," : ",\"layers\":{", out);
        cli_json_string(out, weights->items[i].layer.text);
        fprintf(out, ":%d", (int)weights->items[i].weight);
    }
    if (weights->count > 0) fputs("}", out);
}

/* Writes the classes that an agent avoids, or shuns, if there are any. */
static void put_classes(FILE *out, const char *name, const wend_classes *classes) {
    bool any = false;
    for (int class = 0; class < 256; class++) {
        if (!(classes->bits[class / 64] >> class % 64 & 1)) continue;
        if (any)
            fprintf(out, ",%d", class);
        else
            fprintf(out, ",\"%s\":[%d", name, class);
        any = true;
    }
    if (any) fputs("]", out);
}

static bool put_agent(const serve *server, FILE *out, const wend_order *order, wend_live_reply *reply) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    const wend_name name = order->inspect.name;
    const world_agent *agent = world_agent_find(&server->world, name.text, name.length);
    if (!agent || wend_crowd_get_agent(server->world.crowd, agent->id, &state))
        serve_refuse(reply, WEND_LIVE_UNKNOWN, "there is no agent of that name");
    else
        reply->work = serve_inspect(out, server->world.service, server->world.crowd, server->world.map, agent->id,
                                    &state, !order->inspect.trace);
    if (reply->error != WEND_LIVE_OK) return true;
    wend_classes avoid = {{0}}, shun = {{0}};
    const int32_t mover = world_named_mover(&server->world, agent->mover, &avoid, &shun);
    const bool standard = mover == server->original.movers.standard;
    fprintf(out, ",\"mover\":");
    cli_json_string(out, standard ? "default" : cli_movers_name(&server->original.movers, mover));
    put_classes(out, "avoid", &avoid);
    put_classes(out, "shun", &shun);
    fprintf(out, ",\"size\":%d", server->world.agents.sizes[agent->id.index]);
    const wend_weights minds = world_weights_of(&server->world, state.profile);
    put_weights(out, &minds);
    put_waits(server, out, agent, &state);
    return true;
}

/* Writes the script as a text in JSON. */
static bool put_saved(const serve *server, FILE *out, wend_live_reply *reply) {
    enum { A_BYTE = 8, CELLS = 4 };
    wend_map_info info = {.struct_bytes = sizeof info};
    char *script = NULL;
    size_t count = 0;
    FILE *text = open_memstream(&script, &count);
    if (!text) return false;
    const int32_t error = serve_save(server, text);
    const bool good = fclose(text) == 0 && error != WEND_LIVE_BUSY;
    if (error == WEND_LIVE_BAD_ARGUMENT)
        serve_refuse(reply, error, "the name of the world's file cannot stand in a script");
    else if (good && wend__utf8_prefix(script, count) < count)
        serve_refuse(reply, WEND_LIVE_BAD_ARGUMENT, "a name in the world is not UTF-8, as a message must be");
    fprintf(out, ",\"script\":");
    if (good) cli_json_string(out, script);
    wend_map_get_info(server->world.map, &info);
    reply->work = info.cells / CELLS + count * A_BYTE;
    free(script);
    return good;
}

static void put_pace(serve *server, FILE *out, const wend_order *order) {
    if (order->pace.hz > 0) serve_set_hz(&server->clock, order->pace.hz);
    if (order->pace.budget > 0) serve_set_budget(&server->clock, order->pace.budget);
    if (wend_order_gave(order, &order->pace.wander)) serve_wander_begin(server, order->pace.wander);
    if (wend_order_gave(order, &order->pace.history)) serve_history_begin(server, order->pace.history);
    fprintf(out, ",\"hz\":%u,\"paused\":%s", (unsigned)server->clock.times.rate_hz,
            server->clock.paused ? "true" : "false");
    if (server->clock.budget.expansions != WEND_NO_LIMIT)
        fprintf(out, ",\"budget\":%llu", (unsigned long long)server->clock.budget.expansions);
    if (server->clock.budget.us != WEND_NO_LIMIT)
        fprintf(out, ",\"budget_us\":%llu", (unsigned long long)server->clock.budget.us);
    fprintf(out, ",\"wander\":%s", server->wander.on ? "true" : "false");
    fprintf(out, ",\"history\":%llu", (unsigned long long)server->history.seconds);
}

static bool put_nearest(const serve *server, FILE *out, const wend_order *order, wend_live_reply *reply) {
    enum { A_CELL = 16 };
    wend_map_info info = {.struct_bytes = sizeof info};
    static world_error error; /* the reply has its text */
    size_t count = 0;
    error = (world_error){0};
    wend_hit *hits = malloc(order->nearest.k * sizeof *hits);
    if (!hits) return false;
    const bool found = world_nearest(&server->world, order, hits, &count, &error);
    wend_map_get_info(server->world.map, &info);
    reply->work = count < order->nearest.k ? info.cells * A_CELL : info.cells;
    if (found) {
        fputc(',', out);
        world_put_places(out, server->world.kind, hits, count);
    } else {
        serve_refuse_error(reply, &error);
    }
    free(hits);
    return true;
}

/* The first question begins the counts. */
static bool put_jams(serve *server, FILE *out, const wend_order *order, wend_live_reply *reply) {
    enum { A_JAM = 4096 }; /* cost of a jam, as all cells with a count are read for each */
    reply->work = A_JAM * (order->jams.within > 0 ? order->jams.count : 16);
    return world_jams_begin(&server->world) && world_put_jams(&server->world, out, order);
}

static void query(serve *server, const wend_order *order, wend_live_reply *reply) {
    char *fields = NULL;
    size_t count = 0;
    bool good = true;
    FILE *out = open_memstream(&fields, &count);
    if (out && order->kind == WEND_ORDER_INSPECT) good = put_agent(server, out, order, reply);
    if (out && order->kind == WEND_ORDER_SAVE) good = put_saved(server, out, reply);
    if (out && order->kind == WEND_ORDER_NEAREST) good = put_nearest(server, out, order, reply);
    if (out && order->kind == WEND_ORDER_JAMS) good = put_jams(server, out, order, reply);
    if (out && order->kind == WEND_ORDER_PACE) put_pace(server, out, order);
    if (out && order->kind == WEND_ORDER_CHECKPOINT) serve_history_order(server, order, reply, out);
    if (out && order->kind == WEND_ORDER_CHECKPOINTS) serve_history_list(server, out);
    good = out && fclose(out) == 0 && good;
    if (!good) serve_refuse(reply, WEND_LIVE_BUSY, "no memory");
    free(server->clients.answer);
    server->clients.answer = fields;
    reply->fields = fields;
}

void serve_order_now(serve *server, uint64_t reference, const wend_order *order) {
    wend_live_reply reply = {.struct_bytes = sizeof reply};
    switch (order->kind) {
    case WEND_ORDER_PAUSE:
    case WEND_ORDER_RESUME: server->clock.paused = order->kind == WEND_ORDER_PAUSE; break;
    case WEND_ORDER_RESET: serve_reset(server, &reply); break;
    case WEND_ORDER_ROLL_BACK: roll_back_now(server, order, &reply); break;
    case WEND_ORDER_ADVANCE:
        if (server->clock.paused && serve_step(&server->clock, reference, order->frame.count))
            return; /* answered when they are run */
        serve_refuse(&reply, server->clock.paused ? WEND_LIVE_BUSY : WEND_LIVE_BAD_ARGUMENT,
                     server->clock.paused ? "another step is under way" : "the world is not paused");
        break;
    case WEND_ORDER_FIELD:
        if (serve_field_begin(server, reference, order, &reply)) return; /* answered when it is made */
        break;
    default: query(server, order, &reply);
    }
    wend_live_answer(server->clients.live, reference, &reply);
}
