/* SPDX-License-Identifier: MIT */
/* The journal of the server: orders that a restart repeats.
 *
 * An order is checked, written, synced, and then done and answered. So one that cannot be written has changed nothing.
 * Orders that come meanwhile are judged with those before them; where a commit fails, all that gathered behind it are
 * refused with it. An agent may have walked into the way of an order while the disk was busy: then it is refused, and a
 * further record says so before its client hears of it. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "cli/journal/journal_orders.h"
#include "cli/serve/serve.h"
#include "cli/shared/messages.h"

/// An order that waits for the disk, or for others that do.
typedef struct kept_order {
    serve *server;
    uint64_t reference;
    wend_live_reply reply;
    wend_live_order *order; ///< a copy
    bool checked;           ///< what it will do is noted
    char *text;             ///< of the reply, where it waits; NULL: it does not
    struct kept_order *previous, *next;
} kept_order;

struct serve_log {
    serve_journal *journal;
    kept_order *first, *last; ///< on their way, in order
    bool resetting;           ///< a reset is on its way
    uint64_t failures;        ///< orders that were refused as they could not be written
    bool failing;             ///< the last commit failed
    uint64_t say_again_ms;
};

/* ---- orders on their way ---- */

static void add(struct serve_log *log, kept_order *kept) {
    kept->previous = log->last;
    if (log->last != NULL)
        log->last->next = kept;
    else
        log->first = kept;
    log->last = kept;
}

static void take_out(struct serve_log *log, kept_order *kept) {
    if (kept->next != NULL)
        kept->next->previous = kept->previous;
    else
        log->last = kept->previous;
    if (kept->previous != NULL)
        kept->previous->next = kept->next;
    else
        log->first = kept->next;
}

static kept_order *keep(serve *server, uint64_t reference, const wend_live_order *order) {
    kept_order *kept = calloc(1, sizeof *kept);
    if (kept == NULL) return NULL;
    *kept = (kept_order){.server = server, .reference = reference, .reply = {.struct_bytes = sizeof kept->reply}};
    kept->order = serve_order_copy(order);
    if (kept->order != NULL) return kept;
    free(kept);
    return NULL;
}

static void forget(kept_order *kept) {
    free(kept->order);
    free(kept->text);
    free(kept);
}

static void answer(kept_order *kept) {
    if (kept->server->live != NULL) wend_live_answer(kept->server->live, kept->reference, &kept->reply);
    forget(kept);
}

/* ---- a disk that refuses ---- */

/* Forgets what the orders on their way would have done, the last one first. */
static void forget_all(struct serve_log *log) {
    for (kept_order *kept = log->last; kept != NULL; kept = kept->previous) {
        if (kept->checked) serve_forget_order(kept->server, kept->order);
        kept->checked = false;
    }
}

static void note_failure(serve *server, int error) {
    enum { MINUTE_MS = 60000 };
    struct serve_log *log = server->log;
    const uint64_t now = uv_now(&server->loop);
    log->failures++;
    if (log->failing && now < log->say_again_ms) return;
    cli_note_at(server->options->journal, "orders are refused, as the journal cannot be written: %s", strerror(error));
    log->failing = true;
    log->say_again_ms = now + MINUTE_MS;
}

static void note_success(serve *server) {
    if (server->log->failing) cli_note_at(server->options->journal, "the journal is written again");
    server->log->failing = false;
}

static void refuse_unwritten(kept_order *kept, int error) {
    note_failure(kept->server, error);
    serve_refuse(&kept->reply, WEND_LIVE_BUSY, strerror(error));
}

/* ---- orders that cannot be done any more ---- */

static void taken_back(void *context, int error) {
    kept_order *kept = context;
    if (error != 0)
        cli_note_at(kept->server->options->journal, "an order that was refused is in the journal: %s", strerror(error));
    answer(kept);
}

/* Writes that an order that was written has been refused. @return whether it is answered later */
static bool take_back(kept_order *kept) {
    serve_journal *journal = kept->server->log->journal;
    if (kept->server->log->resetting) return false; /* the new file is without it */
    kept->reply.text = strdup(kept->reply.text != NULL ? kept->reply.text : "it cannot be done any more");
    kept->text = (char *)(uintptr_t)kept->reply.text;
    serve_journal_write_void(journal, serve_journal_records(journal));
    const int error = serve_journal_end_record(journal, taken_back, kept);
    if (error != 0) taken_back(kept, error);
    return true;
}

/* ---- what was written is done ---- */

static void order_written(void *context, int error) {
    kept_order *kept = context;
    serve *server = kept->server;
    if (error != 0) {
        forget_all(server->log);
        refuse_unwritten(kept, error);
    } else {
        note_success(server);
        serve_do_order(server, kept->order, &kept->reply);
    }
    take_out(server->log, kept);
    if (error == 0 && kept->reply.error != WEND_LIVE_OK && take_back(kept)) return;
    answer(kept);
}

static void reset_written(void *context, int error) {
    kept_order *kept = context;
    kept->server->log->resetting = false;
    if (error != 0) {
        refuse_unwritten(kept, error);
    } else {
        note_success(kept->server);
        serve_do_order(kept->server, kept->order, &kept->reply);
    }
    take_out(kept->server->log, kept);
    answer(kept);
}

/* An order about time, whose turn has come. */
static void turn_came(void *context, int error) {
    kept_order *kept = context;
    (void)error;
    take_out(kept->server->log, kept);
    if (kept->server->live != NULL) serve_order_now(kept->server, kept->reference, kept->order);
    forget(kept);
}

/* ---- taking orders ---- */

static bool is_about_time(const wend_live_order *order) {
    return order->order == WEND_LIVE_ORDER_PAUSE || order->order == WEND_LIVE_ORDER_RESUME ||
           order->order == WEND_LIVE_ORDER_STEP || order->order == WEND_LIVE_ORDER_PACE;
}

/* Could the edit be made when those before it have been? */
static bool check_edit(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    wend_edit *batch;
    wend_error error = wend_edit_begin(server->map, &batch);
    serve_refuse_error(reply, error);
    if (error != WEND_OK) return false;
    for (const kept_order *kept = server->log->first; kept != NULL; kept = kept->next) {
        for (uint64_t i = 0; i < kept->order->change_count; i++)
            if (kept->order->changes[i].what >= WEND_LIVE_LINK)
                serve_edit_change(server, batch, &kept->order->changes[i], reply);
    }
    const bool good = serve_edit_changes(server, batch, order, reply);
    wend_edit_discard(batch);
    return good;
}

/* Room for agents is certain only while no other order is on its way. */
static bool check(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    if (server->log->resetting) serve_refuse(reply, WEND_LIVE_BUSY, "a reset is under way");
    if (reply->error != WEND_LIVE_OK || is_about_time(order)) return reply->error == WEND_LIVE_OK;
    if (order->order == WEND_LIVE_ORDER_EDIT && !check_edit(server, order, reply)) return false;
    if (!serve_check_order(server, order, reply)) return false;
    if (server->log->first != NULL || serve_has_room(server, order, reply)) return true;
    serve_forget_order(server, order);
    return false;
}

/* Where agents are that become another mover: a restart has them elsewhere, where there may be no room. */
static void write_places(const serve *server, serve_journal *journal, const wend_live_order *order) {
    for (uint64_t i = 0; order->mover != NULL && i < order->name_count; i++) {
        wend_agent_state state = {.struct_bytes = sizeof state};
        const serve_agent *agent = serve_agent_find(server, order->names[i]);
        if (agent == NULL || wend_crowd_get_agent(server->crowd, agent->id, &state) != WEND_OK) continue;
        const wend_live_order place = {.order = WEND_LIVE_ORDER_ADJUST,
                                       .names = &order->names[i],
                                       .name_count = 1,
                                       .cells = &state.cell,
                                       .cell_count = 1};
        serve_journal_write(journal, server->kind, &place);
    }
}

/* @return 0, or an errno */
static int write_order(kept_order *kept) {
    const serve *server = kept->server;
    const wend_live_order *order = kept->order;
    serve_journal *journal = server->log->journal;
    if (order->order == WEND_LIVE_ORDER_RESET) return serve_journal_restart(journal, reset_written, kept);
    if (is_about_time(order)) return serve_journal_end_record(journal, turn_came, kept);
    if (order->order == WEND_LIVE_ORDER_ADJUST) write_places(server, journal, order);
    serve_journal_write(journal, server->kind, order);
    return serve_journal_end_record(journal, order_written, kept);
}

bool serve_log_takes(const serve *server, const wend_live_order *order) {
    return server->log != NULL && (serve_journal_keeps(order) || (is_about_time(order) && server->log->first != NULL));
}

void serve_log_order(serve *server, uint64_t reference, const wend_live_order *order) {
    struct serve_log *log = server->log;
    kept_order *kept = keep(server, reference, order);
    if (kept == NULL) {
        const wend_live_reply reply = {.struct_bytes = sizeof reply, .error = WEND_LIVE_BUSY, .text = "no memory"};
        wend_live_answer(server->live, reference, &reply);
        return;
    }
    if (!check(server, order, &kept->reply)) {
        answer(kept);
        return;
    }
    const int error = write_order(kept);
    if (error != 0) {
        serve_forget_order(server, order);
        refuse_unwritten(kept, error);
        answer(kept);
        return;
    }
    kept->checked = true;
    log->resetting = log->resetting || order->order == WEND_LIVE_ORDER_RESET;
    add(log, kept);
    serve_journal_commit(log->journal);
}

/* The records that gathered while the disk was busy are next. */
static void disk_is_idle(void *context) {
    serve_journal_commit(context);
}

bool serve_log_numbers(const serve *server, serve_numbers *out) {
    if (server->log == NULL) return false;
    out->journal_bytes = serve_journal_bytes(server->log->journal);
    out->journal_failures = server->log->failures;
    return true;
}

/* ---- the beginning and the end ---- */

/* Places for an agent near a cell, as others stand where they were sent from, or not yet where they went. */
static size_t find_places(const serve *server, int32_t mover, wend_cell cell, wend_cell *out, size_t capacity) {
    wend_places_def def;
    size_t count = 0;
    int32_t found;
    wend_places_def_init(&def, sizeof def);
    def.mover = mover;
    def.goal = def.from = cell;
    if (wend_map_nearest_open(server->map, mover, cell, WEND_MAX_NEAREST, &found, &def.from) != WEND_OK) return 0;
    return wend_map_free_places(server->map, &def, out, capacity, &count) == WEND_OK ? count : 0;
}

enum { PLACES = 64 };

/* Adds an agent near its cell. */
static void add_nearby(serve *server, wend_live_order order, wend_live_reply *reply) {
    wend_cell places[PLACES];
    const size_t count = find_places(server, serve_mover_of(server, &order), order.cells[0], places, PLACES);
    for (size_t i = 0; i < count && reply->error != WEND_LIVE_OK; i++) {
        *reply = (wend_live_reply){.struct_bytes = sizeof *reply};
        order.cells = &places[i];
        if (serve_check_order(server, &order, reply)) serve_do_order(server, &order, reply);
    }
}

/* Agents that become larger go where they fit. */
static void adjust_nearby(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    wend_cell places[PLACES];
    const int32_t mover = serve_mover_of(server, order);
    for (uint64_t i = 0; i < order->name_count; i++) {
        wend_agent_state state = {.struct_bytes = sizeof state};
        const serve_agent *agent = serve_agent_find(server, order->names[i]);
        wend_live_order one = *order;
        if (agent == NULL || wend_crowd_get_agent(server->crowd, agent->id, &state) != WEND_OK) return;
        one.names = &order->names[i], one.name_count = 1;
        *reply = (wend_live_reply){.struct_bytes = sizeof *reply};
        serve_do_order(server, &one, reply);
        const size_t count = reply->error != WEND_LIVE_OK ? find_places(server, mover, state.cell, places, PLACES) : 0;
        for (size_t k = 0; k < count && reply->error != WEND_LIVE_OK; k++) {
            *reply = (wend_live_reply){.struct_bytes = sizeof *reply};
            if (wend_crowd_move(server->crowd, agent->id, places[k]) == WEND_OK) serve_do_order(server, &one, reply);
        }
        if (reply->error != WEND_LIVE_OK) return;
    }
}

/* Agents walk again from where they began. One that is steered does not: it stands where its last step was to lead. */
static void put_steered(serve *server, const wend_live_order *order) {
    const wend_agent_id id = serve_agent_find(server, order->names[0])->id;
    if (wend_crowd_move(server->crowd, id, order->cells[0]) == WEND_OK)
        (void)wend_crowd_step(server->crowd, id, order->cells[0]);
}

/* Agents may be elsewhere by now. */
static void repeat_order(serve *server, const wend_live_order *order, wend_live_reply *reply) {
    const bool adjusts = order->order == WEND_LIVE_ORDER_ADJUST;
    if (adjusts && order->cell_count > 0) {
        const serve_agent *agent = serve_agent_find(server, order->names[0]);
        if (agent != NULL) wend_crowd_move(server->crowd, agent->id, order->cells[0]);
    }
    serve_do_order(server, order, reply);
    if (reply->error == WEND_LIVE_OK && order->order == WEND_LIVE_ORDER_STEER) put_steered(server, order);
    if (reply->error != WEND_LIVE_OK && order->order == WEND_LIVE_ORDER_AGENT) add_nearby(server, *order, reply);
    if (reply->error != WEND_LIVE_OK && adjusts && order->mover != NULL) adjust_nearby(server, order, reply);
}

/* All orders of a record, or none: they are checked before the first is done. */
static bool repeat_record(serve *server, const serve_journal_record *record, const char **why) {
    wend_live_reply reply = {.struct_bytes = sizeof reply};
    size_t checked = 0;
    while (checked < record->count && serve_check_order(server, record->orders[checked], &reply)) checked++;
    for (size_t i = checked; checked < record->count && i-- > 0;) serve_forget_order(server, record->orders[i]);
    for (size_t i = 0; checked == record->count && i < record->count; i++)
        if (reply.error == WEND_LIVE_OK)
            repeat_order(server, record->orders[i], &reply);
        else
            serve_forget_order(server, record->orders[i]);
    *why = reply.text;
    return reply.error == WEND_LIVE_OK;
}

static int repeat_all(serve *server, const serve_journal_past *past, const uint64_t *voids, size_t void_count,
                      uint64_t *aside) {
    serve_journal_orders orders = {.past = past, .kind = server->kind};
    serve_journal_record record = {0};
    bool found = true;
    int status = serve_journal_next_record(&orders, &record, &found);
    for (; status == -1 && found; status = serve_journal_next_record(&orders, &record, &found)) {
        const char *why = record.wrong;
        if (void_count > 0 && *voids == record.number) {
            voids++, void_count--;
            continue;
        }
        if (why == NULL && repeat_record(server, &record, &why)) continue;
        cli_fail_at(server->options->journal, record.wrong != NULL ? record.wrong_line : record.line, 1,
                    "this record cannot be taken again: %s", why);
        ++*aside;
    }
    serve_journal_record_free(&record);
    serve_journal_orders_free(&orders);
    return status;
}

/* A record that cannot be taken stays in the file, and the others are taken. */
static int repeat(serve *server, const serve_journal_past *past) {
    uint64_t *voids, aside = 0;
    const size_t count = serve_journal_voids(past, &voids);
    const int status = count == SIZE_MAX ? cli_fail("out of memory") : repeat_all(server, past, voids, count, &aside);
    free(voids);
    if (aside > 0)
        cli_note_at(server->options->journal, "%llu records are set aside, and stay in the file; the rest is served",
                    (unsigned long long)aside);
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
    if (status != -1) {
        free(log);
        return status;
    }
    serve_journal_on_idle(log->journal, disk_is_idle, log->journal);
    server->log = log;
    return -1;
}

void serve_log_close(serve *server) {
    if (server->log == NULL) return;
    serve_journal_close(server->log->journal);
    free(server->log);
    server->log = NULL;
}
