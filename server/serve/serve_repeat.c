/* SPDX-License-Identifier: MIT */
/* Applies the records of a journal again: orders of clients that were executed before, here or on another node. Agents
 * walk, so one may stand elsewhere by now, and its order is executed near the place that it names. */
#define _GNU_SOURCE

#include <stdlib.h>

#include "cli/output/messages.h"
#include "serve/serve_log.h"
#include "world/rows.h"
#include <wend/agents.h>
#include <wend/query.h>

/* Finds places for an agent near a cell, as others stand at their old places, or not at their new ones. */
size_t serve_find_places(const world_state *w, int32_t mover, wend_cell cell, wend_cell *out, size_t capacity) {
    wend_places_def def;
    size_t count = 0;
    bool found;
    wend_places_def_init(&def, sizeof def);
    def.mover = mover;
    def.goal = def.from = cell;
    if (wend_map_nearest_open(w->map, mover, cell, WEND_MAX_NEAREST, &found, &def.from)) return 0;
    return !wend_map_free_places(w->map, &def, out, capacity, &count) ? count : 0;
}

enum { PLACES = 64 };

static const world_client itself = {.owner = true};

/* ---- missing room: others stand at their old places ---- */

static bool overlap(wend_cell a, int32_t size, wend_cell b, int32_t other) {
    return a.z == b.z && a.x < b.x + other && b.x < a.x + size && a.y < b.y + other && b.y < a.y + size;
}

/* Moves an agent that stands in a square to the nearest place outside of it. @return false: there is none */
static bool give_way(world_state *w, const world_agent *agent, wend_cell cell, int32_t size) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    wend_cell places[PLACES];
    const int32_t own = world_mover_size(w, agent->mover);
    if (wend_crowd_get_agent(w->crowd, agent->id, &state)) return false;
    if (state.ghost || !overlap(state.cell, own, cell, size)) return true;
    const size_t count = serve_find_places(w, agent->mover, state.cell, places, PLACES);
    for (size_t i = 0; i < count; i++)
        if (!overlap(places[i], own, cell, size) && !wend_crowd_move(w->crowd, agent->id, places[i])) return true;
    return false;
}

/* Moves others out of a square. @param agent   is not moved; may be NULL */
static bool make_room(world_state *w, const world_agent *agent, wend_cell cell, int32_t size) {
    for (const world_agent *other = w->agents.first; other; other = other->next)
        if (other != agent && !give_way(w, other, cell, size)) return false;
    return true;
}

/* ---- orders that depend on where agents stand ---- */

/* The cells round one, ring after ring. @param k   below ROUND */
enum { RINGS = 4, ROUND = (2 * RINGS + 1) * (2 * RINGS + 1) };

static wend_cell cell_round(wend_cell cell, int32_t k) {
    int32_t ring = 0;
    while ((2 * ring + 1) * (2 * ring + 1) <= k) ring++;
    const int32_t at = k - (2 * ring - 1) * (2 * ring - 1), side = 2 * ring, along = ring > 0 ? at % side - ring : 0;
    switch (ring > 0 ? at / side : 0) {
    case 0: return (wend_cell){cell.x + along, cell.y - ring, cell.z};
    case 1: return (wend_cell){cell.x + ring, cell.y + along, cell.z};
    case 2: return (wend_cell){cell.x - along, cell.y + ring, cell.z};
    default: return (wend_cell){cell.x - ring, cell.y - along, cell.z};
    }
}

/* Adds an agent near its cell. */
static bool add_nearby(world_state *w, wend_order order, world_error *error) {
    wend_cell places[PLACES];
    const int32_t mover = world_agent_mover(w, &order, error), size = world_mover_size(w, mover);
    const wend_cell cell = order.agent.def.cell;
    const size_t count = serve_find_places(w, mover, cell, places, PLACES);
    for (size_t i = 0; i < count; i++) {
        order.agent.def.cell = places[i];
        if (world_check_and_do(w, &itself, &order, error)) return true;
    }
    for (int32_t k = 0; k < ROUND; k++) {
        order.agent.def.cell = cell_round(cell, k);
        if (make_room(w, NULL, order.agent.def.cell, size) && world_check_and_do(w, &itself, &order, error))
            return true;
    }
    return false;
}

/* Puts an agent that becomes larger, or another disc, where it fits. */
static bool change_nearby(world_state *w, const wend_order *one, const world_agent *agent, int32_t mover,
                          world_error *error) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    wend_cell places[PLACES];
    if (world_do(w, &itself, one, error)) return true;
    if (wend_crowd_get_agent(w->crowd, agent->id, &state)) return false;
    const size_t count = serve_find_places(w, mover, state.cell, places, PLACES);
    for (size_t i = 0; i < count; i++)
        if (!wend_crowd_move(w->crowd, agent->id, places[i]) && world_do(w, &itself, one, error)) return true;
    for (int32_t k = 0; k < ROUND; k++) {
        const wend_cell cell = cell_round(state.cell, k);
        if (make_room(w, agent, cell, world_mover_size(w, mover)) && !wend_crowd_move(w->crowd, agent->id, cell) &&
            world_do(w, &itself, one, error))
            return true;
    }
    return false;
}

static bool adjust_all_nearby(world_state *w, const wend_order *order, world_error *error) {
    for (size_t i = 0; i < order->adjust.names.count; i++) {
        const wend_name name = wend__names_at(&order->adjust.names, i);
        const world_agent *agent = world_agent_find(w, name.text, name.length);
        wend_order one = *order;
        one.adjust.names = (wend_names){.items = &name, .count = 1};
        const int32_t mover = agent ? world_adjusted_mover(w, order, agent, error) : -1;
        if (mover < 0 || !change_nearby(w, &one, agent, mover, error)) return false;
    }
    return true;
}

static bool body_nearby(world_state *w, const wend_order *order, world_error *error) {
    const world_agent *agent = world_agent_find(w, order->body.name.text, order->body.name.length);
    return agent && change_nearby(w, order, agent, agent->mover, error);
}

static bool repeat_nearby(world_state *w, const wend_order *order, world_error *error) {
    if (order->kind == WEND_ORDER_AGENT) return add_nearby(w, *order, error);
    if (order->kind == WEND_ORDER_BODY) return body_nearby(w, order, error);
    const bool becomes = order->kind == WEND_ORDER_ADJUST && world_becomes(order);
    return becomes && adjust_all_nearby(w, order, error);
}

static bool is_of_units(int32_t kind) {
    return kind == WEND_ORDER_OCCUPY || kind == WEND_ORDER_VACATE;
}

/* Agents may be elsewhere by now: those without room go near the place that their order names. */
static bool repeat_order(serve *server, const wend_order *order, world_error *error) {
    const bool done = world_do(&server->world, &itself, order, error) || repeat_nearby(&server->world, order, error);
    if (!done && !world_only_moves(order->kind)) return false;
    serve_state_note(server, order);
    if (server->node && wend__order_is(order->kind, WEND__WATCHED) && !is_of_units(order->kind))
        serve_send_order(server, order);
    return true;
}

/* Informs watchers about a message's units: a record has an order for each. */
static void send_units(const serve *server, const serve_journal_record *record) {
    const int32_t kind = record->count > 0 ? record->orders[0]->kind : WEND_ORDER_EDIT;
    if (!server->clients.live || !is_of_units(kind)) return;
    wend_cell *cells = malloc(record->count * sizeof *cells);
    for (size_t i = 0; cells && i < record->count; i++) cells[i] = record->orders[i]->cells.items[0];
    if (cells) serve_send_order(server, &(wend_order){.kind = kind, .cells = {cells, record->count}});
    free(cells);
}

/* Applies all orders of a record, or none: they are checked before the first is executed. */
static bool repeat_record(serve *server, const serve_journal_record *record, world_error *error) {
    world_state *w = &server->world;
    size_t checked = 0;
    bool good = true;
    while (checked < record->count && world_check(w, &itself, record->orders[checked], error)) checked++;
    for (size_t i = checked; checked < record->count && i-- > 0;) world_forget(w, record->orders[i]);
    for (size_t i = 0; checked == record->count && i < record->count; i++)
        if (good)
            good = repeat_order(server, record->orders[i], error);
        else
            world_forget(w, record->orders[i]);
    if (good && checked == record->count) send_units(server, record);
    return good && checked == record->count;
}

/* ---- a journal that continues from a save ---- */

static bool is_restore(const serve_journal_record *record) {
    return !record->wrong && record->count == 1 && record->orders[0]->kind == WEND_ORDER_RESTORE;
}

int serve_repeat(serve *server, const serve_journal_past *past, uint64_t *aside) {
    serve_journal_orders orders = {.past = past, .kind = server->world.kind};
    serve_journal_record record = {0};
    bool found = true;
    server->world.repeats = true;
    int status = serve_journal_next_record(&orders, &record, &found);
    for (; !status && found; status = serve_journal_next_record(&orders, &record, &found)) {
        world_error error = {0};
        if (is_restore(&record) && !server->options->cluster) {
            status = serve_roll_back_again(server, record.orders[0], record.line);
            if (status) break;
            continue;
        }
        if (!record.wrong && repeat_record(server, &record, &error)) continue;
        cli_fail_at(server->log_name, record.wrong ? record.wrong_line : record.line, 1,
                    "this record cannot be taken again: %s", record.wrong ? record.wrong : error.text);
        ++*aside;
    }
    server->world.repeats = false;
    serve_journal_record_free(&record);
    serve_journal_orders_free(&orders);
    return status;
}

/* Applies each order by itself: those of a snapshot belong to no message, and watchers get the whole map afterwards.
 * Failures are printed; the state that the snapshot names decides whether the world is right all the same. */
static void restore_record(serve *server, const serve_journal_record *record) {
    world_state *w = &server->world;
    for (size_t i = 0; i < record->count; i++) {
        world_error error = {0};
        const wend_order *order = record->orders[i];
        if (world_check(w, &itself, order, &error) &&
            (world_do(w, &itself, order, &error) || repeat_nearby(&server->world, order, &error)))
            continue;
        cli_fail_at(server->log_name, 0, 0, "a part of the snapshot cannot be taken: %s", error.text);
    }
}

int serve_restore(serve *server, const serve_journal_past *past) {
    serve_journal_orders orders = {.past = past, .kind = server->world.kind};
    serve_journal_record record = {0};
    bool found = true;
    int status = serve_journal_next_record(&orders, &record, &found);
    for (; !status && found; status = serve_journal_next_record(&orders, &record, &found)) {
        restore_record(server, &record);
        if (record.wrong) cli_fail_at(server->log_name, record.wrong_line, 1, "%s", record.wrong);
    }
    serve_journal_record_free(&record);
    serve_journal_orders_free(&orders);
    return status;
}
