/* SPDX-License-Identifier: MIT */
/* A server that is a node of a cluster: it owns its map, or follows the log of the node that does.
 *
 * The owner's journal is the log: an order is executed when the log has it. A follower executes the orders of the log
 * as they come, and puts its agents at the owner's positions; it runs no crowd, and answers read-only orders. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "cli/output/messages.h"
#include "output/serve_metrics.h"
#include "serve/serve_node.h"

enum { CHECK_RECORDS = 256, CHECK_MS = 60000, AGAIN_MS = 1000 };

/* ---- the owner of the map ---- */

bool serve_node_owns(const serve *server) {
    const struct serve_node *node = server->node;
    return !node || (node->owns && !node->leaves && cluster_member_owns(node->member));
}

/* Writes the pages of nodes with recent messages, separated by blanks. */
static void list_pages(const struct serve_node *node, char *out, size_t capacity) {
    const uint64_t fresh_ns = UINT64_C(5000) * SERVE_NS_A_MS, now = cluster_now_ns();
    size_t used = 0;
    out[0] = '\0';
    for (const serve_peer *at = node->peers; at < node->peers + SERVE_PEERS; at++)
        if (at->heard_ns > 0 && now - at->heard_ns < fresh_ns && used + sizeof at->page < capacity)
            used += (size_t)snprintf(out + used, capacity - used, "%s%s", used > 0 ? " " : "", at->page);
}

/* Addresses and names have no character that JSON would escape. */
void serve_node_show(serve *server) {
    struct serve_node *node = server->node;
    const cluster_term term = cluster_member_term(node->member);
    const bool own = node->owns && !node->leaves,
               known = own || (term.owner[0] != '\0' && node->beat.term == term.term);
    const char *address = own ? node->address : node->beat.address, *page = own ? node->page : node->beat.page;
    char pages[2048];
    list_pages(node, pages, sizeof pages);
    uint64_t hash = wend__hash_bytes(wend__hash_u64(term.term * 2 + known, own), page, strlen(page));
    hash = wend__hash_bytes(hash, pages, strlen(pages));
    if (hash == node->shown) return;
    node->shown = hash;
    server->clients.owner = known ? node->owner : NULL;
    snprintf(node->owner, sizeof node->owner, ",\"address\":\"%s\",\"page\":\"%s\"", address, page);
    if (server->clients.live)
        live_set_owner(server->clients.live, term.term, known ? term.owner : NULL, known ? page : NULL, pages);
}

/* ---- entries that this node writes ---- */

/* The kinds of entries that are no orders, as words for the journal. */
static const char word_check[] = "check", word_hand[] = "hand";

static size_t write_head(const serve *server, cluster_kind kind, bool sealed, char out[CLUSTER_HEAD_BYTES]) {
    const struct serve_node *node = server->node;
    const cluster_term term = cluster_member_term(node->member);
    cluster_entry entry = cluster_term_next(&term, node->map, kind);
    entry.world = node->world;
    entry.state = node->next_state;
    entry.epoch = node->next_epoch;
    memcpy(entry.heir, node->heir, sizeof entry.heir);
    return cluster_entry_write(&entry, sealed, out);
}

static size_t sink_head(void *context, const char *words, char *out, size_t capacity) {
    char head[CLUSTER_HEAD_BYTES];
    const cluster_kind kind = words == word_check  ? CLUSTER_KIND_CHECK
                              : words == word_hand ? CLUSTER_KIND_HAND
                              : words[0] != '\0'   ? CLUSTER_KIND_HEAD
                                                   : CLUSTER_KIND_ORDERS;
    const size_t size = write_head(context, kind, false, head);
    if (size > capacity) return 0;
    memcpy(out, head, size);
    return size;
}

/* ESTALE: another node owns the map, and nothing is executed; ETIMEDOUT: it may be. */
static serve_journal_outcome sink_append(void *context, const char *bytes, size_t size) {
    const serve *server = context;
    const uint64_t began = uv_hrtime();
    const cluster_log_outcome outcome = cluster_member_append(server->node->member, bytes, size);
    server->node->append_us = (uv_hrtime() - began) / 1000;
    switch (outcome) {
    case CLUSTER_LOG_DONE: return (serve_journal_outcome){0, false};
    case CLUSTER_LOG_REFUSED: return (serve_journal_outcome){ESTALE, false};
    case CLUSTER_LOG_TOO_LARGE: return (serve_journal_outcome){EFBIG, false};
    case CLUSTER_LOG_FAILED: return (serve_journal_outcome){ENOTCONN, false};
    default: server->node->unknowns++; return (serve_journal_outcome){ETIMEDOUT, false};
    }
}

static size_t sink_most(void *context) {
    const serve *server = context;
    const size_t most = server->node->log->most_entry_bytes(server->node->log);
    return most > 0 ? most : CLUSTER_LOG_LEAST_ENTRY_BYTES;
}

/* On the thread that appended it. */
static void own_entry_is_written(void *context, const cluster_entry *entry, const char *bytes, size_t size) {
    const serve *server = context;
    (void)cluster_copy_take(&server->node->copy, entry->number, bytes, size, true);
}

/* ---- check entries, and the steps that follow ---- */

static void check_is_written(void *context, int error) {
    serve *server = context;
    struct serve_node *node = server->node;
    if (error != 0) {
        node->again_ns = cluster_now_ns() + (uint64_t)AGAIN_MS * SERVE_NS_A_MS;
        return;
    }
    node->checked = cluster_member_term(node->member).number;
    node->checked_records = serve_journal_records(serve_log_journal(server));
    node->check_state = node->next_state;
    node->last_ns = cluster_now_ns();
    serve_snapshot_at_check(server, node->check_state);
}

static void hand_is_written(void *context, int error) {
    const serve *server = context;
    struct serve_node *node = server->node;
    if (error == 0) cli_note("serve: node %s hands map %s to %s", server->options->node, node->map, node->heir);
    node->heir[0] = '\0';
    if (error == 0) cluster_member_leave(node->member);
}

/* While nothing is under way to the log: writes an entry that is no order. */
void serve_node_write(serve *server) {
    struct serve_node *node = server->node;
    serve_journal *journal = serve_log_journal(server);
    const uint64_t now = cluster_now_ns(), number = cluster_member_term(node->member).number;
    if (!serve_node_owns(server) || serve_journal_is_writing(journal) || now < node->again_ns) return;
    if (node->heir[0] != '\0') {
        serve_journal_insert(journal, word_hand, "", 0, hand_is_written, server);
        return;
    }
    const bool quiet = now - node->last_ns >= (uint64_t)CHECK_MS * SERVE_NS_A_MS;
    const uint64_t records = serve_journal_records(journal) - node->checked_records;
    if (records < CHECK_RECORDS && !quiet && !serve_snapshot_is_due(server, number)) return;
    if (!server->clients.live || !serve_state_hash(server, &node->next_state)) return;
    node->next_epoch = live_get_epoch(server->clients.live);
    node->last_ns = now; /* a failure is not retried at once */
    serve_journal_insert(journal, word_check, "", 0, check_is_written, server);
}

/* Makes the node follow, as nothing is under way to the log any more. */
static void settle(serve *server) {
    struct serve_node *node = server->node;
    if (!node->leaves || serve_log_is_busy(server)) return;
    node->leaves = node->owns = false;
    if (node->why[0] == '\0') cluster_member_follow(node->member);
    serve_node_show(server);
}

static void count_append(struct serve_node *node) {
    uint32_t bucket = 0;
    while (bucket + 1 < WEND_HISTOGRAM_BUCKETS && serve_bucket_top(bucket) < node->append_us) bucket++;
    node->appends.counts[bucket]++;
    node->appends.total++;
    node->appends.sum += node->append_us;
}

static void log_is_idle(void *context) {
    serve *server = context;
    count_append(server->node);
    serve_node_write(server);
    serve_journal_commit(serve_log_journal(server));
    settle(server);
}

/* ---- changes of owner ---- */

static void on_owns(void *context) {
    serve *server = context;
    struct serve_node *node = server->node;
    const cluster_term term = cluster_member_term(node->member);
    node->owns = true;
    node->leaves = false;
    node->last_ns = cluster_now_ns();
    node->next_beat_ns = 0;
    node->takeovers++;
    if (term.number == 2) serve_log_populate(server); /* the first owner, behind the first head */
    cli_note("serve: node %s owns map %s, term %" PRIu64, server->options->node, node->map, term.term);
    serve_node_show(server);
}

static void on_lost(void *context) {
    serve *server = context;
    struct serve_node *node = server->node;
    if (!node->owns) return;
    node->leaves = true;
    node->heir[0] = '\0';
    cli_note("serve: node %s does not own map %s any more", server->options->node, node->map);
    settle(server);
}

/* Stays connected, so that operators see the reason, and serves nothing. */
static void on_stop(void *context, const char *why) {
    serve *server = context;
    snprintf(server->node->why, sizeof server->node->why, "%s", why);
    cli_note("serve: node %s stops serving map %s: %s", server->options->node, server->node->map, why);
    wend_live_set_service(server->clients.live, NULL);
}

/* ---- frames ---- */

static bool before_frame(serve *server) {
    if (serve_node_owns(server)) {
        serve_node_write(server);
        return true;
    }
    if (server->world.agents.removed) world_crowd_update(&server->world, 0, NULL);
    settle(server);
    return false;
}

void serve_node_numbers(serve *server, serve_numbers *out) {
    const struct serve_node *node = server->node;
    char why[CLUSTER_REASONS_BYTES];
    if (!node) return;
    const cluster_term term = cluster_member_term(node->member);
    out->node = server->options->node;
    out->map = node->map;
    out->owns = serve_node_owns(server);
    out->ready = serve_node_unready(server, why, sizeof why) == 0;
    out->term = term.term;
    out->entries = term.number;
    out->lag = !node->owns && node->beat.sequence > term.number ? node->beat.sequence - term.number : 0;
    out->checked = node->checked;
    out->takeovers = node->takeovers;
    out->moved = node->refused;
    out->unknowns = node->unknowns;
    out->appends = &node->appends;
    out->connected = cluster_member_problem(node->member)[0] == '\0';
}

void serve_node_refuse(serve *server, world_error *error) {
    struct serve_node *node = server->node;
    const bool stopped = node->why[0] != '\0';
    node->refused++;
    if (stopped)
        world_refuse(error, WORLD_UNAVAILABLE, NULL, "%.300s", node->why);
    else
        world_refuse(error, WORLD_MOVED, NULL, "this node does not own the map");
}

/* ---- opening ---- */

int serve_node_name(serve *server) {
    const serve_options *options = server->options;
    const char *path = options->world, *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const int length = options->map ? (int)strlen(options->map) : (int)strcspn(name, ".");
    if (options->map) name = options->map;
    if (length < (int)sizeof server->clients.map_name)
        snprintf(server->clients.map_name, sizeof server->clients.map_name, "%.*s", length, name);
    const bool good = cluster_is_word(server->clients.map_name);
    if (!good) server->clients.map_name[0] = '\0';
    if (!options->cluster) return CLI_DONE;
    if (!cluster_is_word(options->node))
        return cli_fail("serve: a node's name has 1 to 63 letters, digits, '_' and '-'");
    if (good) return CLI_DONE;
    return cli_fail("serve: a map's name has 1 to 63 letters, digits, '_' and '-'; --map gives it one");
}

/* Writes ADDRESS:PORT, for texts of blanks and lines; "-": none. */
static void write_address(const serve *server, const char *given, int port, char out[CLUSTER_HOST_BYTES + 1]) {
    const serve_options *options = server->options;
    const char *colon = given ? strrchr(given, ':') : NULL;
    const char *name = options->host ? options->host : "127.0.0.1";
    int length = (int)strlen(name);
    if (!options->host && colon > given) name = given, length = (int)(colon - given);
    const int size = port > 0 ? snprintf(out, CLUSTER_HOST_BYTES + 1, "%.*s:%d", length, name, port) : 0;
    if (size <= 0 || size > CLUSTER_HOST_BYTES || !serve_is_address(out)) snprintf(out, CLUSTER_HOST_BYTES + 1, "-");
}

bool serve_is_address(const char *text) {
    const size_t length = strlen(text);
    return length > 0 && length <= CLUSTER_HOST_BYTES && strcspn(text, " \t\r\n\"\\") == length && strchr(text, ':');
}

static int open_log(serve *server) {
    const serve_options *options = server->options;
    struct serve_node *node = server->node;
    char why[CLUSTER_LOG_WHY_BYTES];
    cluster_log_def def = {.login = options->login,
                           .map = node->map,
                           .node = options->node,
                           .read_only = options->read_only,
                           .context = node->member,
                           .on_entry = cluster_member_take_entry,
                           .on_state = cluster_member_take_state,
                           .on_message = cluster_member_take_message};
    def.login.urls = options->cluster;
    node->log = cluster_log_open(&def, why);
    if (!node->log) return cli_fail("serve: %s", why);
    cluster_member_begin(node->member, node->log);
    return CLI_DONE;
}

int serve_node_open(serve *server) {
    const serve_options *options = server->options;
    if (!options->cluster) return CLI_DONE;
    cli_date_messages();
    struct serve_node *node = calloc(1, sizeof *node);
    if (node) node->lines = malloc(SERVE_BEAT_BYTES);
    if (!node || !node->lines) return free(node), cli_fail("out of memory");
    server->node = node;
    uv_mutex_init(&node->copy.mutex);
    node->map = server->clients.map_name;
    snprintf(node->log_name, sizeof node->log_name, "the log of map %s", node->map);
    server->log_name = node->log_name;
    write_address(server, options->listen, wend_live_get_port(server->clients.live), node->page);
    write_address(server, options->lines, live_get_lines_port(server->clients.live), node->address);
    if (options->advertise) snprintf(node->address, sizeof node->address, "%s", options->advertise);
    if (!cluster_world_read(options->world, &server->original, options->most_agents, &node->world))
        return cli_fail("serve: %s cannot be read", options->world);
    int status = options->journal ? cluster_copy_open(&node->copy, options->journal, node->map) : CLI_DONE;
    if (status) return status;
    const cluster_member_def def = {.map = node->map,
                                    .node = options->node,
                                    .lease_ms = options->lease_ms,
                                    .floor = node->copy.last,
                                    .never_owns = options->read_only,
                                    .on_snapshot = serve_follow_snapshot,
                                    .on_entry = serve_follow_entry,
                                    .on_written = own_entry_is_written,
                                    .on_owns = on_owns,
                                    .on_lost = on_lost,
                                    .on_beat = serve_beats_beat,
                                    .on_seen = serve_beats_seen,
                                    .on_move = serve_beats_move,
                                    .on_turn = serve_beats_turn,
                                    .on_stop = on_stop,
                                    .context = server};
    const serve_journal_sink sink = {sink_head, sink_append, sink_most, server};
    node->member = cluster_member_open(&server->loop, &def);
    if (!node->member || !serve_snapshot_open(server)) return cli_fail("out of memory");
    status = open_log(server);
    if (!status) status = serve_log_open_sink(server, &sink, log_is_idle);
    if (!status) server->clock.before = before_frame;
    return status;
}

/* ---- closing ---- */

static void member_closed(void *context) {
    serve *server = context;
    struct serve_node *node = server->node;
    cluster_copy_close(&node->copy);
    uv_mutex_destroy(&node->copy.mutex);
    free(node->lines);
    free(node);
    server->node = NULL;
}

/* Ends the owner's term: any node may claim at once. */
static void release(const serve *server) {
    char head[CLUSTER_HEAD_BYTES];
    if (!serve_node_owns(server)) return;
    const size_t size = write_head(server, CLUSTER_KIND_RELEASE, true, head);
    (void)cluster_member_append(server->node->member, head, size);
}

void serve_node_end(serve *server) {
    if (server->node && server->node->member) cluster_member_end(server->node->member);
}

void serve_node_close(serve *server) {
    struct serve_node *node = server->node;
    if (!node) return;
    server->clients.owner = NULL;
    if (!node->member) {
        member_closed(server);
        return;
    }
    if (node->log) release(server);
    cluster_member_close(node->member, member_closed, server);
    uv_run(&server->loop, UV_RUN_DEFAULT);
}
