/* SPDX-License-Identifier: MIT */
/* The journal of the server: orders that a restart repeats.
 *
 * An order is checked, written, synced, and then executed and answered. So an unwritten order has changed nothing.
 * Later orders are judged with those before them; if a commit fails, all orders behind it are refused with it.
 * Resources of an order are reserved at its check, so it can be executed once it is written. An order that may need
 * a cell of agents waits with its check, and later orders with theirs, until the orders before it are done. */
#define _GNU_SOURCE

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "journal/journal_orders.h"
#include "serve/serve_log.h"
#include "cli/output/messages.h"

/// An order that waits for the disk, or for others that do.
typedef struct kept_order {
    serve *server;
    uint64_t reference;
    world_client who;
    world_error error;
    wend_order *order; ///< a copy
    uint64_t once;     ///< 0: the order has no number
    char session[SERVE_ONCE_NAME_BYTES + 1];
    serve_roll_back *back; ///< way back of ROLL_BACK
    bool counts;           ///< the order counts in `others` of the log
    bool checked;          ///< its effect is noted, and its resources are reserved
    struct kept_order *previous, *next;
} kept_order;

struct serve_log {
    serve_journal *journal;
    kept_order *first, *last; ///< orders under way, in order, then waiting ones
    kept_order *waiting;      ///< the first order to be judged later; NULL: none
    size_t others;            ///< orders under way that do not add agents
    bool resetting;           ///< a reset is under way
    serve_roll_back *saving;  ///< the journal begins again from the present world; NULL: it does not
    uint64_t save_at;         ///< size of the file above which it begins again; 0: never
    uint64_t failures;        ///< orders refused because they could not be written
    bool failing;             ///< the last commit failed
    uint64_t say_again_ms;
};

/* ---- orders under way ---- */

static void add(struct serve_log *log, kept_order *kept) {
    kept->previous = log->last;
    if (log->last)
        log->last->next = kept;
    else
        log->first = kept;
    log->last = kept;
}

static void unlink_order(struct serve_log *log, kept_order *kept) {
    log->others -= kept->counts;
    if (kept->next)
        kept->next->previous = kept->previous;
    else
        log->last = kept->previous;
    if (kept->previous)
        kept->previous->next = kept->next;
    else
        log->first = kept->next;
}

static kept_order *keep(serve *server, uint64_t reference, const wend_live_sender *sender, const world_client *who,
                        const wend_order *order) {
    kept_order *kept = calloc(1, sizeof *kept);
    if (!kept) return NULL;
    *kept = (kept_order){.server = server, .reference = reference, .who = *who, .order = wend__order_copy(order)};
    kept->once = sender->once;
    if (sender->name) snprintf(kept->session, sizeof kept->session, "%s", sender->name);
    if (kept->order) return kept;
    free(kept);
    return NULL;
}

static void forget(kept_order *kept) {
    free(kept->order);
    free(kept);
}

static void answer(kept_order *kept) {
    serve_answer(kept->server, kept->reference, &kept->error);
    forget(kept);
}

/* ---- failing disks ---- */

/* Undoes the noted effects of the orders under way, the last one first. */
static void forget_all(struct serve_log *log) {
    for (kept_order *kept = log->last; kept; kept = kept->previous) {
        if (kept->checked) world_forget(&kept->server->world, kept->order);
        kept->checked = false;
    }
}

static void report_failure(serve *server, int error) {
    enum { MINUTE_MS = 60000 };
    struct serve_log *log = server->log;
    const uint64_t now = uv_now(&server->loop);
    log->failures++;
    if (log->failing && now < log->say_again_ms) return;
    cli_note_at(server->log_name, "orders are refused, as the journal cannot be written: %s", strerror(error));
    log->failing = true;
    log->say_again_ms = now + MINUTE_MS;
}

static void report_success(serve *server) {
    if (server->log->failing) cli_note_at(server->log_name, "the journal is written again");
    server->log->failing = false;
}

/* In a cluster, only orders that were sent and not answered may be executed later. */
static void refuse_unlogged(kept_order *kept, int error) {
    world_error *out = &kept->error;
    if (error == ESTALE)
        serve_node_refuse(kept->server, out);
    else if (error == ETIMEDOUT)
        world_refuse(out, WORLD_UNCERTAIN, NULL, "the log did not answer: this may be done");
    else if (error == EFBIG)
        world_refuse(out, WORLD_TOO_LARGE, NULL, "an entry of the log has no room for it");
    else if (error == ENOTCONN)
        world_refuse(out, WORLD_UNAVAILABLE, NULL, "the log cannot be written now: this is not done");
    else
        world_refuse(out, WORLD_BUSY, NULL, "%s", strerror(error));
    kept->server->log->failures++;
}

static void refuse_unwritten(kept_order *kept, int error) {
    if (kept->server->node) {
        refuse_unlogged(kept, error);
        return;
    }
    report_failure(kept->server, error);
    world_refuse(&kept->error, WORLD_BUSY, NULL, "%s", strerror(error));
}

/* ---- written orders are executed ---- */

static void judge_waiting(serve *server);

static void order_written(void *context, int error) {
    kept_order *kept = context;
    serve *server = kept->server;
    if (error != 0) {
        forget_all(server->log);
        refuse_unwritten(kept, error);
    } else {
        report_success(server);
        if (kept->once > 0) (void)serve_once_note(&server->once, kept->session, kept->once);
        (void)world_do(&server->world, &kept->who, kept->order, &kept->error);
        serve_state_note(server, kept->order);
    }
    unlink_order(server->log, kept);
    answer(kept);
    judge_waiting(server);
}

/* ---- the journal begins again: with the world of its file, or from a save next to it ---- */

static void begun_again(void *context, int error) {
    kept_order *kept = context;
    serve *server = kept->server;
    wend_live_reply reply = {.struct_bytes = sizeof reply};
    server->log->resetting = false;
    if (error != 0) {
        refuse_unwritten(kept, error);
        serve_refuse_error(&reply, &kept->error);
    } else {
        report_success(server);
        serve_state_forget(server);
        serve_roll_back_done(server, kept->back);
        if (kept->back)
            serve_scene_take(server, &kept->back->scene), serve_went_back(server, &reply);
        else
            serve_reset(server, &reply);
    }
    if (kept->back) serve_roll_back_end(kept->back, error == 0);
    unlink_order(server->log, kept);
    if (server->clients.live) wend_live_answer(server->clients.live, kept->reference, &reply);
    forget(kept);
    judge_waiting(server);
}

static void run_now(kept_order *kept) {
    serve *server = kept->server;
    unlink_order(server->log, kept);
    if (server->clients.live) serve_order_now(server, kept->reference, kept->order);
    forget(kept);
}

/* Runs an order about time in its turn. */
static void turn_came(void *context, int error) {
    serve *server = ((kept_order *)context)->server;
    (void)error;
    run_now(context);
    judge_waiting(server);
}

/* ---- taking orders ---- */

static bool check(serve *server, const world_client *who, const wend_order *order, world_error *error) {
    world_state *w = &server->world;
    if (server->log->resetting) return world_refuse(error, WORLD_BUSY, NULL, "a reset is under way");
    if (!world_accepts(order->kind)) return true;
    if (!world_check(w, who, order, error)) return false;
    if (world_reserve(w, order, error)) return true;
    world_forget(w, order);
    return false;
}

/* Handles agents that become another mover: after a restart they stand elsewhere, maybe without room. */
static void write_places(const serve *server, serve_journal *journal, const wend_order *order) {
    if (!world_becomes(order)) return;
    for (size_t i = 0; i < order->adjust.names.count; i++) {
        wend_agent_state state = {.struct_bytes = sizeof state};
        const wend_name name = wend__names_at(&order->adjust.names, i);
        const world_agent *agent = world_agent_find(&server->world, name.text, name.length);
        if (!agent || wend_crowd_get_agent(server->world.crowd, agent->id, &state)) continue;
        wend_order place = {.kind = WEND_ORDER_ADJUST, .adjust = {.names = {.items = &name, .count = 1}}};
        place.adjust.cell = state.cell;
        wend__order_give(&place, &place.adjust.cell);
        serve_journal_write(journal, server->world.kind, &place);
    }
}

/* @return 0, or an errno */
static int write_order(kept_order *kept) {
    const serve *server = kept->server;
    serve_journal *journal = server->log->journal;
    if (kept->order->kind == WEND_ORDER_RESET) return serve_journal_restart(journal, begun_again, kept);
    if (kept->back) return serve_journal_restart_from(journal, &kept->back->save, begun_again, kept);
    if (!world_accepts(kept->order->kind)) return serve_journal_end_record(journal, turn_came, kept);
    if (kept->once > 0) {
        char line[SERVE_ONCE_LINE_BYTES];
        serve_once_line(kept->session, kept->once, line);
        serve_journal_line(journal, "%s", line);
    }
    if (kept->order->kind == WEND_ORDER_ADJUST) write_places(server, journal, kept->order);
    serve_journal_write(journal, server->world.kind, kept->order);
    return serve_journal_end_record(journal, order_written, kept);
}

static void commit(kept_order *kept) {
    struct serve_log *log = kept->server->log;
    const int error = write_order(kept);
    if (error != 0) {
        if (kept->checked) world_forget(&kept->server->world, kept->order);
        if (world_needs_standstill(&kept->server->world, kept->order))
            kept->server->clock.stands = false; /* no other order is under way */
        refuse_unwritten(kept, error);
        if (kept->back) serve_roll_back_end(kept->back, false);
        unlink_order(log, kept);
        answer(kept);
        return;
    }
    log->resetting = log->resetting || kept->order->kind == WEND_ORDER_RESET || kept->back;
    serve_journal_commit(log->journal);
}

static void judge(kept_order *kept) {
    serve *server = kept->server;
    if (kept->order->kind == WEND_ORDER_CHECKPOINT) {
        run_now(kept);
        return;
    }
    bool good = check(server, &kept->who, kept->order, &kept->error);
    if (good && kept->order->kind == WEND_ORDER_ROLL_BACK) {
        const bool alone = server->log->first == kept && !kept->next;
        kept->back = serve_roll_back_begin(server, kept->order, alone, &kept->error);
        good = kept->back;
    }
    kept->checked = good && world_accepts(kept->order->kind);
    kept->counts = kept->order->kind != WEND_ORDER_AGENT;
    server->log->others += kept->counts;
    server->clock.stands = server->clock.stands || (good && world_needs_standstill(&kept->server->world, kept->order));
    if (good) {
        commit(kept);
    } else {
        unlink_order(server->log, kept);
        answer(kept);
    }
}

/* ---- a journal that grows begins again, from a save of the present world ---- */

static bool is_save_due(const struct serve_log *log) {
    return log->save_at > 0 && !log->saving && serve_journal_bytes(log->journal) > log->save_at;
}

static void save_written(void *context, int error) {
    serve *server = context;
    struct serve_log *log = server->log;
    if (error == 0)
        serve_roll_back_done(server, log->saving);
    else
        cli_note_at(server->log_name, "it goes on without a save: %s", strerror(error));
    log->save_at = serve_journal_bytes(log->journal) + server->options->journal_bytes;
    if (log->saving) serve_roll_back_end(log->saving, true);
    log->saving = NULL;
    judge_waiting(server);
}

/* No order is under way, and none is judged until the save is written: so it has all acknowledged orders. */
static void begin_save(serve *server) {
    struct serve_log *log = server->log;
    world_error refused = {0};
    if (serve_journal_is_writing(log->journal)) return;
    log->saving = serve_roll_back_begin(server, NULL, true, &refused);
    const int error =
        log->saving ? serve_journal_restart_from(log->journal, &log->saving->save, save_written, server) : ENOMEM;
    if (error != 0)
        save_written(server, error);
    else
        serve_journal_commit(log->journal);
}

/* Several new agents may be under way together, as each has its cells. With other orders before it, an agent waits.
 * Reservations of orders under way must not be in a checkpoint. */
static bool may_be_judged(const struct serve_log *log, const kept_order *kept) {
    if (log->saving || (is_save_due(log) && log->first != kept)) return false;
    if (kept->order->kind == WEND_ORDER_CHECKPOINT || world_needs_standstill(&kept->server->world, kept->order))
        return log->first == kept;
    return kept->order->kind != WEND_ORDER_AGENT || log->others == 0;
}

/* Judges waiting orders, once all before them are done. */
static void judge_waiting(serve *server) {
    struct serve_log *log = server->log;
    if (log->first == log->waiting && server->clock.stands) serve_walk_again(server);
    if (log->first != log->waiting) return;
    if (is_save_due(log)) begin_save(server);
    while (log->waiting && may_be_judged(log, log->waiting)) {
        kept_order *kept = log->waiting;
        log->waiting = kept->next;
        judge(kept);
    }
}

void serve_log_order(serve *server, uint64_t reference, const wend_live_sender *sender, const world_client *who,
                     const wend_order *order) {
    world_error error = {0};
    kept_order *kept = keep(server, reference, sender, who, order);
    if (!kept) {
        world_refuse(&error, WORLD_NO_MEMORY, NULL, "no memory");
        serve_answer(server, reference, &error);
        return;
    }
    if (!server->log->first && is_save_due(server->log)) begin_save(server);
    add(server->log, kept);
    if (!server->log->waiting && may_be_judged(server->log, kept))
        judge(kept);
    else if (!server->log->waiting)
        server->log->waiting = kept;
}

bool serve_log_waits_for(const serve *server, const char *session, uint64_t once, bool *same) {
    bool found = false;
    *same = false;
    for (const kept_order *kept = server->log ? server->log->first : NULL; kept; kept = kept->next) {
        if (kept->once == 0 || strcmp(kept->session, session) != 0) continue;
        found = true;
        *same = *same || kept->once == once;
    }
    return found;
}

bool serve_log_takes(const serve *server, int32_t kind) {
    if (!server->log) return false;
    return world_accepts(kind) || kind == WEND_ORDER_RESET || kind == WEND_ORDER_ROLL_BACK ||
           (wend__order_is(kind, WEND__TIME) && server->log->first);
}

/* Commits the records that gathered while the disk was busy. */
static void disk_is_idle(void *context) {
    serve *server = context;
    serve_journal_commit(server->log->journal);
}

bool serve_log_is_busy(const serve *server) {
    return server->log && serve_journal_waiting(server->log->journal) > 0;
}

serve_journal *serve_log_journal(const serve *server) {
    return server->log->journal;
}

bool serve_log_numbers(const serve *server, serve_numbers *out) {
    if (!server->log) return false;
    out->journal_bytes = serve_journal_bytes(server->log->journal);
    out->journal_failures = server->log->failures;
    return true;
}

/* ---- the beginning and the end ---- */

static bool has_orders(const serve *server) {
    return server->log && server->log->first;
}

/* A record that cannot be applied stays in the file, and the others are applied. */
static int repeat(serve *server, const serve_journal_past *past) {
    uint64_t aside = 0;
    const int status = serve_repeat(server, past, &aside);
    if (past->size > 0 && !serve_once_take(&server->once, past->text)) return cli_fail("out of memory");
    if (aside > 0)
        cli_note_at(server->options->journal, "%llu records are set aside, and stay in the file; the rest is served",
                    (unsigned long long)aside);
    return status;
}

/* Writes the agents that exist when the journal begins. */
static int write_agents(serve *server, serve_journal *journal) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    wend_crowd_get_view(server->world.crowd, &view);
    for (uint32_t i = 0; i < view.count; i++) {
        if (!server->world.agents.by_index[i] || server->world.agents.by_index[i]->of_file) continue;
        wend_order order;
        wend__order_init(&order, WEND_ORDER_AGENT);
        order.agent.name = world_agent_name(server->world.agents.by_index[i]);
        order.agent.def.cell = view.cells[i];
        serve_journal_write(journal, server->world.kind, &order);
    }
    const int error = serve_journal_end_record(journal, NULL, NULL);
    if (error != 0) return cli_fail_at(server->log_name, 0, 0, "%s", strerror(error));
    serve_journal_commit(journal);
    return CLI_DONE;
}

int serve_log_open(serve *server) {
    const char *file = server->options->journal;
    serve_journal_past past;
    if (!file || server->options->cluster) return CLI_DONE;
    server->log_name = file;
    int status = serve_journal_read(file, server->options->world, &past);
    if (status) return status;
    struct serve_log *log = calloc(1, sizeof *log);
    const bool fresh = past.size == 0;
    status = !log ? cli_fail("out of memory") : repeat(server, &past);
    if (!status) status = serve_journal_open(&server->loop, file, &past, &log->journal);
    serve_journal_forget(&past);
    if (!status && fresh && server->options->agents > 0) {
        serve_world_populate(server);
        status = write_agents(server, log->journal);
    }
    if (status) {
        if (log && log->journal) serve_journal_close(log->journal);
        free(log);
        return status;
    }
    serve_journal_on_idle(log->journal, disk_is_idle, server);
    log->save_at = server->options->journal_bytes;
    server->log = log;
    server->clock.busy = has_orders;
    return CLI_DONE;
}

int serve_log_open_sink(serve *server, const serve_journal_sink *sink, void (*on_idle)(void *context)) {
    struct serve_log *log = calloc(1, sizeof *log);
    if (log) log->journal = serve_journal_open_sink(&server->loop, sink);
    if (!log || !log->journal) {
        free(log);
        return cli_fail("out of memory");
    }
    serve_journal_on_idle(log->journal, on_idle, server);
    server->log = log;
    return CLI_DONE;
}

void serve_log_populate(serve *server) {
    if (server->options->agents == 0) return;
    serve_world_populate(server);
    (void)write_agents(server, server->log->journal);
}

void serve_log_close(serve *server) {
    if (!server->log) return;
    serve_journal_close(server->log->journal);
    free(server->log);
    server->log = NULL;
}
