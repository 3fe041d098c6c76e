/* SPDX-License-Identifier: MIT */
/* The journal of the server: orders that a restart repeats, each on disk before its client is told `ok`.
 *
 * An edit is made when it is on disk, so one that cannot be written is never seen. Other orders are done first, as
 * whether they can be done depends on where agents are; those that cannot be written are undone as far as that goes. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "cli/journal/journal_orders.h"
#include "cli/serve/serve.h"
#include "cli/shared/messages.h"

/// An order that waits for the disk.
typedef struct kept_order {
    serve *server;
    uint64_t reference;
    wend_live_reply reply;
    wend_live_order order; ///< with its own changes, cells and first name; without its other pointers
    wend_live_change *changes;
    wend_cell *cells;
    char *name;
    const char *names[1];
    struct kept_order *next; ///< of edits: the one that came after it
} kept_order;

struct serve_log {
    serve_journal *journal;
    kept_order *first_edit, *last_edit; ///< on their way to the disk, in order
    bool resetting;                     ///< a reset is on its way there
    bool committed;                     ///< a commit began since the last frame
};

/* ---- orders on their way ---- */

static void forget(kept_order *kept) {
    free(kept->changes);
    free(kept->cells);
    free(kept->name);
    free(kept);
}

static void *copy(const void *items, uint64_t count, size_t bytes) {
    void *out = malloc(count > 0 ? (size_t)count * bytes : 1);
    if (out != NULL && count > 0) memcpy(out, items, (size_t)count * bytes);
    return out;
}

static kept_order *keep(serve *server, uint64_t reference, const wend_live_order *order) {
    kept_order *kept = calloc(1, sizeof *kept);
    if (kept == NULL) return NULL;
    *kept = (kept_order){.server = server, .reference = reference, .reply = {.struct_bytes = sizeof kept->reply}};
    kept->changes = copy(order->changes, order->change_count, sizeof *order->changes);
    kept->cells = copy(order->cells, order->cell_count, sizeof *order->cells);
    kept->name = strdup(order->name_count > 0 ? order->names[0] : "");
    kept->names[0] = kept->name;
    kept->order = (wend_live_order){.struct_bytes = sizeof kept->order,
                                    .order = order->order,
                                    .session = order->session,
                                    .owner = order->owner,
                                    .changes = kept->changes,
                                    .change_count = order->change_count,
                                    .names = kept->names,
                                    .name_count = order->name_count > 0 ? 1 : 0,
                                    .cells = kept->cells,
                                    .cell_count = order->cell_count};
    if (kept->changes != NULL && kept->cells != NULL && kept->name != NULL) return kept;
    forget(kept);
    return NULL;
}

static void answer(kept_order *kept, int error) {
    if (error != 0) {
        kept->reply.error = WEND_LIVE_BUSY;
        kept->reply.text = strerror(error);
    }
    if (kept->server->live != NULL) wend_live_answer(kept->server->live, kept->reference, &kept->reply);
    forget(kept);
}

static void edit_written(void *context, int error) {
    kept_order *kept = context;
    struct serve_log *log = kept->server->log;
    log->first_edit = kept->next;
    if (log->first_edit == NULL) log->last_edit = NULL;
    if (error == 0) serve_edit(kept->server, &kept->order, &kept->reply);
    answer(kept, error);
}

static void reset_written(void *context, int error) {
    kept_order *kept = context;
    kept->server->log->resetting = false;
    if (error == 0) serve_do_order(kept->server, &kept->order, &kept->reply);
    answer(kept, error);
}

/* Takes back what was done at once; wishes and routes stay. */
static void undo(kept_order *kept) {
    wend_live_reply reply = {.struct_bytes = sizeof reply};
    wend_live_order back = kept->order;
    back.owner = 1;
    switch (kept->order.order) {
    case WEND_LIVE_ORDER_OCCUPY: back.order = WEND_LIVE_ORDER_VACATE; break;
    case WEND_LIVE_ORDER_VACATE: back.order = WEND_LIVE_ORDER_OCCUPY; break;
    case WEND_LIVE_ORDER_AGENT: back.order = WEND_LIVE_ORDER_REMOVE; break;
    default: return;
    }
    serve_do_order(kept->server, &back, &reply);
}

static void order_written(void *context, int error) {
    kept_order *kept = context;
    if (error != 0) undo(kept);
    answer(kept, error);
}

/* ---- taking orders ---- */

/* Could the edit be made when those before it have been? */
static bool check_edit(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    wend_edit *batch;
    wend_error error = wend_edit_begin(server->map, &batch);
    serve_refuse_error(reply, error);
    if (error != WEND_OK) return false;
    for (const kept_order *kept = server->log->first_edit; kept != NULL; kept = kept->next) {
        for (uint64_t i = 0; i < kept->order.change_count; i++)
            if (kept->changes[i].what >= WEND_LIVE_LINK) serve_edit_change(server, batch, &kept->changes[i], reply);
    }
    const bool good = serve_edit_changes(server, batch, order, reply);
    wend_edit_discard(batch);
    return good;
}

/* The order that gives an agent its wish, or lets it stand. @return false: none did */
static bool wish_of(const serve *server, const serve_agent *agent, wend_cell *cell, wend_live_order *out) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    if (wend_crowd_get_agent(server->crowd, agent->id, &state) != WEND_OK) return false;
    const wend_crowd_goal *goal = &state.goal;
    const bool steered = (state.flags & WEND_AGENT_STEERED) != 0;
    *cell = steered ? state.cell : goal->cell;
    if (agent->stays) {
        *out = (wend_live_order){.order = steered ? WEND_LIVE_ORDER_STEER : WEND_LIVE_ORDER_HALT,
                                 .names = &server->names[agent->id.index],
                                 .name_count = 1,
                                 .cells = cell,
                                 .cell_count = 1};
        return true;
    }
    if (!state.has_wish || agent->wanders) return false;
    *out = (wend_live_order){.names = &server->names[agent->id.index],
                             .name_count = 1,
                             .cells = cell,
                             .cell_count = 1,
                             .reach = goal->reach,
                             .distance = goal->distance,
                             .keep = goal->keep,
                             .target = goal->kind != WEND_CROWD_CELL ? server->names[goal->target.index] : NULL};
    out->order = goal->kind == WEND_CROWD_FOLLOW ? WEND_LIVE_ORDER_FOLLOW
                 : goal->kind == WEND_CROWD_FLEE ? WEND_LIVE_ORDER_FLEE
                                                 : WEND_LIVE_ORDER_GO;
    if (agent->route[0] != '\0') out->order = WEND_LIVE_ORDER_TAKE, out->target = agent->route;
    return out->order == WEND_LIVE_ORDER_GO || out->target != NULL;
}

/* Scripts change no agent: it goes, and comes again as it is now, with its wish. */
static void write_adjusted(struct serve_log *log, serve *server, const wend_live_order *order) {
    wend_live_order line = {.order = WEND_LIVE_ORDER_REMOVE, .names = order->names, .name_count = order->name_count};
    wend_cell cell;
    serve_journal_write(log->journal, server->kind, &line);
    for (uint64_t i = 0; i < order->name_count; i++) {
        const serve_agent *agent = serve_agent_find(server, order->names[i]);
        serve_agent_order(server, agent, &cell, &line);
        serve_journal_write(log->journal, server->kind, &line);
    }
    for (uint64_t i = 0; i < order->name_count; i++)
        if (wish_of(server, serve_agent_find(server, order->names[i]), &cell, &line))
            serve_journal_write(log->journal, server->kind, &line);
}

/* @return 0, or an errno */
static int write_order(struct serve_log *log, kept_order *kept, const wend_live_order *order) {
    if (order->order == WEND_LIVE_ORDER_RESET) return serve_journal_restart(log->journal, reset_written, kept);
    if (order->order == WEND_LIVE_ORDER_ADJUST)
        write_adjusted(log, kept->server, order);
    else
        serve_journal_write(log->journal, kept->server->kind, order);
    return serve_journal_end_record(log->journal, order->order == WEND_LIVE_ORDER_EDIT ? edit_written : order_written,
                                    kept);
}

static void note_written(struct serve_log *log, kept_order *kept) {
    if (kept->order.order == WEND_LIVE_ORDER_RESET) log->resetting = true;
    if (kept->order.order != WEND_LIVE_ORDER_EDIT) return;
    if (log->last_edit != NULL)
        log->last_edit->next = kept;
    else
        log->first_edit = kept;
    log->last_edit = kept;
}

/* @return whether it is done or can be done */
static bool prepare(kept_order *kept, const wend_live_order *order) {
    serve *server = kept->server;
    if (server->log->resetting)
        serve_refuse(&kept->reply, WEND_LIVE_BUSY, "a reset is under way");
    else if (order->order == WEND_LIVE_ORDER_EDIT)
        return check_edit(server, order, &kept->reply);
    else if (order->order != WEND_LIVE_ORDER_RESET)
        serve_do_order(server, order, &kept->reply);
    return kept->reply.error == WEND_LIVE_OK;
}

bool serve_log_takes(const serve *server, const wend_live_order *order) {
    return server->log != NULL && serve_journal_keeps(order);
}

void serve_log_order(serve *server, uint64_t reference, const wend_live_order *order) {
    struct serve_log *log = server->log;
    kept_order *kept = keep(server, reference, order);
    if (kept == NULL) {
        const wend_live_reply reply = {.struct_bytes = sizeof reply, .error = WEND_LIVE_BUSY, .text = "no memory"};
        wend_live_answer(server->live, reference, &reply);
        return;
    }
    if (!prepare(kept, order)) {
        answer(kept, 0);
        return;
    }
    const int error = write_order(log, kept, order);
    if (error == 0) {
        note_written(log, kept);
        if (!log->committed) serve_log_frame(server);
        log->committed = true;
    } else if (order->order == WEND_LIVE_ORDER_EDIT || order->order == WEND_LIVE_ORDER_RESET) {
        answer(kept, error);
    } else {
        order_written(kept, error);
    }
}

void serve_log_frame(serve *server) {
    if (server->log == NULL) return;
    server->log->committed = false;
    serve_journal_commit(server->log->journal);
}

/* ---- the beginning and the end ---- */

/* The cell of an agent may be taken or blocked by now: agents walk, and are where they began again. */
static void add_nearby(serve *server, wend_live_order order, wend_live_reply *reply) {
    enum { PLACES = 64 };
    wend_cell places[PLACES];
    wend_places_def def;
    size_t count = 0;
    int32_t found;
    wend_places_def_init(&def, sizeof def);
    def.goal = def.from = order.cells[0];
    if (wend_map_nearest_open(server->map, WEND_MOVER_DEFAULT, def.goal, WEND_MAX_NEAREST, &found, &def.from)) return;
    if (wend_map_free_places(server->map, &def, places, PLACES, &count) != WEND_OK) return;
    for (size_t i = 0; i < count && reply->error != WEND_LIVE_OK; i++) {
        *reply = (wend_live_reply){.struct_bytes = sizeof *reply};
        order.cells = &places[i];
        serve_do_order(server, &order, reply);
    }
}

/* Agents walk again from where they began. One that is steered does not: it stands where its last step was to lead. */
static void put_steered(serve *server, const wend_live_order *order) {
    const wend_agent_id id = serve_agent_find(server, order->names[0])->id;
    if (wend_crowd_move(server->crowd, id, order->cells[0]) == WEND_OK)
        (void)wend_crowd_step(server->crowd, id, order->cells[0]);
}

/* Edits are as they were sealed, so each can be made again. Agents may be elsewhere by now. */
static int repeat_order(serve *server, const serve_journal_orders *orders) {
    const char *file = server->options->journal;
    wend_live_reply reply = {.struct_bytes = sizeof reply};
    serve_do_order(server, &orders->order, &reply);
    if (reply.error != WEND_LIVE_OK && orders->order.order == WEND_LIVE_ORDER_AGENT)
        add_nearby(server, orders->order, &reply);
    if (reply.error == WEND_LIVE_OK && orders->order.order == WEND_LIVE_ORDER_STEER)
        put_steered(server, &orders->order);
    if (reply.error == WEND_LIVE_OK) return -1;
    if (orders->order.order <= WEND_LIVE_ORDER_VACATE)
        return cli_fail_at(file, orders->line, 1, "this cannot be done: %s", reply.text);
    cli_note_at(file, "line %d is left out: %s", orders->line, reply.text);
    return -1;
}

static int repeat(serve *server, const serve_journal_past *past) {
    serve_journal_orders orders = {.file = server->options->journal, .past = past, .kind = server->kind};
    bool found = true;
    int status = -1;
    while (status == -1 && found) {
        status = serve_journal_next_order(&orders, &found);
        if (status == -1 && found) status = repeat_order(server, &orders);
    }
    serve_journal_orders_free(&orders);
    return status;
}

/* The agents that are there when the journal begins. */
static int write_agents(serve *server, serve_journal *journal) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    wend_crowd_get_view(server->crowd, &view);
    for (uint32_t i = 0; i < view.count; i++) {
        if (server->agents[i] == NULL || server->agents[i]->of_file) continue;
        const char *name = server->agents[i]->name;
        wend_cell cell = view.cells[i];
        const wend_live_order order = {.order = WEND_LIVE_ORDER_AGENT,
                                       .names = &name,
                                       .name_count = 1,
                                       .cells = &cell,
                                       .cell_count = 1,
                                       .speed_milli = 250};
        serve_journal_write(journal, server->kind, &order);
    }
    const int error = serve_journal_end_record(journal, NULL, NULL);
    if (error != 0) return cli_fail_at(server->options->journal, 0, 0, "%s", strerror(error));
    serve_journal_commit(journal);
    return -1;
}

int serve_log_open(serve *server) {
    const char *file = server->options->journal;
    serve_journal_past past;
    if (file == NULL) return -1;
    int status = serve_journal_read(file, server->options->world, &past);
    if (status != -1) return status;
    struct serve_log *log = calloc(1, sizeof *log);
    const bool fresh = past.size == 0;
    status = log == NULL ? cli_fail("out of memory") : repeat(server, &past);
    if (status == -1) status = serve_journal_open(&server->loop, file, &past, &log->journal);
    serve_journal_forget(&past);
    if (status == -1 && fresh && server->options->agents > 0) {
        serve_world_populate(server);
        status = write_agents(server, log->journal);
    }
    if (status == -1)
        server->log = log;
    else
        free(log);
    return status;
}

void serve_log_close(serve *server) {
    if (server->log == NULL) return;
    serve_journal_close(server->log->journal);
    free(server->log);
    server->log = NULL;
}
