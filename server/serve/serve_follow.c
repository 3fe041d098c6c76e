/* SPDX-License-Identifier: MIT */
/* A node that follows: it executes the entries of others, and begins at snapshots. If it cannot reproduce an entry of
 * the log, it stops. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/replace.h"
#include "cli/output/messages.h"
#include "serve/serve_node.h"

static const char no_memory[] = "no memory for an entry of the log";

static bool begin_again(serve *server) {
    serve_state_forget(server);
    if (!serve_world_reset(server)) return false;
    serve_send_order(server, &(wend_order){.kind = WEND_ORDER_RESET}); /* watchers read the whole map again */
    return true;
}

/* Applies the records of an entry or of a snapshot to the present world. */
static const char *do_records(serve *server, const char *bytes, size_t size, bool restores) {
    serve_journal_past past;
    uint64_t aside = 0;
    char *text = malloc(size + 1);
    if (!text) return no_memory;
    memcpy(text, bytes, size);
    text[size] = '\0';
    if (!serve_once_take(&server->once, text)) return free(text), no_memory;
    int status = serve_journal_read_entry(server->node->log_name, text, size, &past);
    if (!status) status = restores ? serve_restore(server, &past) : serve_repeat(server, &past, &aside);
    free(text);
    if (aside > 0) return "the log has an order that cannot be done here";
    return status ? "the log has an entry whose records cannot be read" : NULL;
}

/* A node with another state serves nothing, and keeps that state next to its journal. */
static const char *compare_state(serve *server, const cluster_entry *entry) {
    struct serve_node *node = server->node;
    static char why[CLUSTER_LOG_WHY_BYTES];
    const uint64_t epoch = live_get_epoch(server->clients.live);
    if (!serve_state_hash(server, &node->check_state)) return no_memory;
    node->checked = entry->number;
    if (node->check_state == entry->state && epoch == entry->epoch) return NULL;
    const char *file = node->copy.file ? node->copy.file : node->map;
    char *name = NULL;
    wend__replacement out;
    int reason = asprintf(&name, "%s.differs", file) > 0 ? wend__replace_begin(&out, name) : ENOMEM;
    if (!reason) reason = wend__replace_end(&out, serve_save(server, out.stream) ? EIO : 0);
    snprintf(why, sizeof why,
             "this node's state differs from the log's at entry %" PRIu64 ": %016" PRIx64 " at epoch %" PRIu64
             ", and the log has %016" PRIx64 " at epoch %" PRIu64 "%s%.200s",
             entry->number, node->check_state, epoch, entry->state, entry->epoch, reason ? "" : "; it is kept as ",
             reason ? "" : name);
    free(name);
    return why;
}

static const char *begin_world(serve *server, const cluster_entry *entry, const char *bytes, size_t size) {
    struct serve_node *node = server->node;
    static char why[CLUSTER_LOG_WHY_BYTES];
    if (cluster_world_differs(&entry->world, &node->world, why, sizeof why)) return why;
    if (!begin_again(server)) return no_memory;
    return do_records(server, bytes, size, true);
}

const char *serve_follow_entry(void *context, const cluster_entry *entry, const char *bytes, size_t size) {
    serve *server = context;
    struct serve_node *node = server->node;
    if (!cluster_copy_take(&node->copy, entry->number, bytes, size, false))
        return "the log has another entry than this node's journal: see wend cluster repair";
    node->last_ns = cluster_now_ns();
    switch (entry->kind) {
    case CLUSTER_KIND_HEAD: return begin_world(server, entry, bytes, size);
    case CLUSTER_KIND_ORDERS: return do_records(server, bytes, size, false);
    case CLUSTER_KIND_CHECK: return compare_state(server, entry);
    default: return NULL;
    }
}

bool serve_follow_snapshot(void *context, const cluster_log_snapshot *snapshot) {
    serve *server = context;
    struct serve_node *node = server->node;
    cluster_entry entry;
    uint64_t epoch = 0, state = 0;
    const bool good = cluster_entry_read(snapshot->text, snapshot->size, &entry) == CLUSTER_READ &&
                      entry.kind == CLUSTER_KIND_HEAD && entry.number == snapshot->entry &&
                      sscanf(snapshot->text + entry.records, SERVE_SNAPSHOT_EPOCH "%" SCNu64, &epoch) == 1;
    const char *wrong = good ? begin_world(server, &entry, snapshot->text, snapshot->size) : NULL;
    if (wrong) cluster_member_stop(node->member, wrong);
    if (!good || wrong || !serve_state_hash(server, &state)) return false;
    if (state != snapshot->state) {
        cli_note("serve: the snapshot of entry %" PRIu64 " has the state %016" PRIx64 ", and should have %016" PRIx64,
                 snapshot->entry, state, snapshot->state);
        return false;
    }
    live_set_epoch(server->clients.live, epoch);
    node->checked = snapshot->entry;
    node->check_state = state;
    serve_snapshot_seen(server, snapshot);
    cli_note("serve: node %s begins map %s at the snapshot of entry %" PRIu64, server->options->node, node->map,
             snapshot->entry);
    return true;
}
