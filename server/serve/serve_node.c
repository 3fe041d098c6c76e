/* SPDX-License-Identifier: MIT */
/* A server that is a node of a cluster: it owns its map, or follows the log of the node that does.
 *
 * The owner's journal is the log: an order is done when the log has it. A follower does the orders of the log as they
 * come, and puts its agents where the owner has them; it runs no crowd, and answers read-only orders. */
#define _GNU_SOURCE

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cluster/member.h"
#include "cli/output/messages.h"
#include "peers/nats_clients.h"
#include "peers/other_maps.h"
#include "serve/serve_log.h"
#include <wend/agents.h>

enum { NS_A_MS = 1000000, PLACES_MS = 250, PLACE_BYTES = SERVE_NAME_BYTES + 64 };

/// Where the agents are, as it is being written.
typedef struct written_places {
    char *text;
    size_t begins[(size_t)WEND_MAX_AGENTS * PLACE_BYTES / CLUSTER_PART_BYTES + 2]; ///< of its parts, and its end
    size_t count;
    bool busy, failed, said;
} written_places;

struct serve_node {
    cluster_store *store, *copy;
    cluster_member *member;
    cluster_holder holder; ///< by the lease
    bool owns, leaves, hands;
    const char *map;
    char lines[CLUSTER_ADDRESS_BYTES + 1], page[CLUSTER_ADDRESS_BYTES + 1];
    char log_name[CLUSTER_NODE_BYTES + 32], owner[2 * CLUSTER_ADDRESS_BYTES + 64];
    other_maps *others;    ///< that messages of clients name
    nats_clients *by_nats; ///< NULL: the store is not NATS
    char *last_entry;      ///< text of the entry before, for records that are taken back
    size_t last_bytes;
    cluster_bytes places; ///< that came last
    char *pages;          ///< addresses of other nodes' pages, parted by blanks; NULL: none
    uint64_t next_places_ns;
    uv_work_t places_work;
    written_places written;
    uint64_t takeovers, refused; ///< maps got; orders refused as another node owns the map
};

static const world_client itself = {.owner = true};

/* ---- who owns the map ---- */

bool serve_node_owns(const serve *server) {
    const struct serve_node *node = server->node;
    return !node || (node->owns && !node->leaves && cluster_member_owns(node->member));
}

const char *serve_node_lines(const serve *server) {
    const cluster_holder *holder = &server->node->holder;
    const bool known = holder->term > 0 && strcmp(holder->node, "-") != 0 && strcmp(holder->lines, "-") != 0;
    return known && strcmp(holder->node, server->options->node) != 0 ? holder->lines : NULL;
}

static void send_holder(serve *server) {
    const struct serve_node *node = server->node;
    const cluster_holder *holder = &node->holder;
    const bool known = holder->term > 0 && strcmp(holder->node, "-") != 0;
    if (server->clients.live)
        wend_live_set_owner(server->clients.live, holder->term, known ? holder->node : NULL,
                            known ? holder->page : NULL, node->pages);
}

/* Addresses and names have no character that JSON would escape. */
static void show_owner(serve *server) {
    struct serve_node *node = server->node;
    const cluster_holder *holder = &node->holder;
    const bool known = holder->term > 0 && strcmp(holder->node, "-") != 0;
    server->clients.owner = known ? node->owner : NULL;
    if (known)
        snprintf(node->owner, sizeof node->owner, ",\"owner\":\"%s\",\"page\":\"%s\"",
                 strcmp(holder->lines, "-") != 0 ? holder->lines : holder->page, holder->page);
    serve_pass_watch(server);
    send_holder(server);
}

/* ---- where the agents are ---- */

/* A line an agent: its cell, the bytes of its name, the name. Each part begins with a line that has the frame. */
static bool write_places(const serve *server, written_places *p) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    size_t size = 0, bytes = CLUSTER_PART_BYTES;
    p->count = 0;
    if (wend_crowd_get_view(server->world.crowd, &view)) return false;
    FILE *out = open_memstream(&p->text, &size);
    if (!out) return false;
    for (uint32_t i = 0; i < view.count; i++) {
        const world_agent *agent = server->world.agents.by_index[i];
        if (!agent || !server->world.agents.names[i]) continue;
        if (bytes >= CLUSTER_PART_BYTES) {
            if (p->count > 0) fputs(CLUSTER_MORE, out);
            fflush(out);
            p->begins[p->count++] = size;
            bytes = (size_t)fprintf(out, "frame %" PRIu64 "\n", server->clock.last.frame);
        }
        bytes += (size_t)fprintf(out, "%d %d %d %zu ", (int)view.cells[i].x, (int)view.cells[i].y, (int)view.cells[i].z,
                                 (size_t)agent->length) +
                 fwrite(agent->name, 1, agent->length, out) + 1;
        fputc('\n', out);
    }
    const bool good = fclose(out) == 0;
    p->begins[p->count] = size;
    return good;
}

/* Puts the last part first: a reader of a part that announces more finds them. */
static void put_places(uv_work_t *work) {
    const serve *server = work->data;
    struct serve_node *node = server->node;
    written_places *p = &node->written;
    char key[CLUSTER_KEY_BYTES + 1];
    p->failed = false;
    for (size_t i = p->count; i-- > 0;) {
        const char *part = p->text + p->begins[i];
        cluster_places_key(node->map, (unsigned)i, key);
        if (node->store->put(node->store, key, part, p->begins[i + 1] - p->begins[i]) != CLUSTER_DONE) p->failed = true;
    }
}

static void places_are_put(uv_work_t *work, int status) {
    const serve *server = work->data;
    written_places *p = &server->node->written;
    (void)status;
    free(p->text);
    p->text = NULL;
    p->busy = false;
    if (p->failed && !p->said) cli_note("serve: the store does not take where the agents are");
    p->said = p->failed;
}

/* Several times a second; where the last ones are still being written, later. */
static void send_places(serve *server) {
    struct serve_node *node = server->node;
    const uint64_t now = cluster_now_ns();
    if (node->written.busy || now < node->next_places_ns) return;
    node->next_places_ns = now + (uint64_t)PLACES_MS * NS_A_MS;
    node->places_work.data = server;
    node->written.busy = true;
    if (!write_places(server, &node->written) ||
        uv_queue_work(&server->loop, &node->places_work, put_places, places_are_put) != 0)
        places_are_put(&node->places_work, 0);
}

/// An agent that is to be elsewhere.
typedef struct mover {
    const world_agent *agent;
    wend_cell cell;
} mover;

static bool is_there(const wend_crowd_view *view, const mover *m) {
    const wend_cell *cell = &view->cells[m->agent->id.index];
    return cell->x == m->cell.x && cell->y == m->cell.y && cell->z == m->cell.z;
}

/* Agents move up one behind another, so an agent with a taken cell tries again once others have left. */
static size_t move_all(const serve *server, mover *movers, size_t count) {
    for (size_t before = count + 1; count > 0 && count < before;) {
        size_t left = 0;
        before = count;
        for (size_t i = 0; i < count; i++)
            if (wend_crowd_move(server->world.crowd, movers[i].agent->id, movers[i].cell)) movers[left++] = movers[i];
        count = left;
    }
    return count;
}

/* Where some go round in a ring, one of them steps aside. */
static void step_aside(const serve *server, const mover *m) {
    enum { PLACES = 8 };
    wend_cell places[PLACES];
    const size_t count = serve_find_places(&server->world, m->agent->mover, m->cell, places, PLACES);
    for (size_t i = 0; i < count; i++)
        if (!wend_crowd_move(server->world.crowd, m->agent->id, places[i])) return;
}

static void apply_places(const serve *server, const cluster_bytes *bytes) {
    const char *end = bytes->bytes + bytes->size, *at = memchr(bytes->bytes, '\n', bytes->size);
    wend_crowd_view view = {.struct_bytes = sizeof view};
    if (!at || wend_crowd_get_view(server->world.crowd, &view)) return;
    mover *movers = malloc((view.count + 1) * sizeof *movers);
    cluster_place place;
    size_t count = 0;
    if (!movers) return;
    for (at++; count < view.count && cluster_place_read(&at, end, &place);) {
        const world_agent *agent = world_agent_find(&server->world, place.name, place.name_bytes);
        const mover next = {agent, {place.x, place.y, place.z}};
        if (agent && !is_there(&view, &next)) movers[count++] = next;
    }
    const size_t left = move_all(server, movers, count);
    if (left > 0) {
        step_aside(server, &movers[0]);
        move_all(server, movers, left);
    }
    free(movers);
}

/* ---- the log ---- */

static size_t sink_head(void *context, const char *words, char *out, size_t capacity) {
    const serve *server = context;
    return cluster_member_head(server->node->member, words, out, capacity);
}

/* ESTALE: another node owns the map. */
static serve_journal_outcome sink_append(void *context, const char *bytes, size_t size) {
    const serve *server = context;
    switch (cluster_member_append(server->node->member, bytes, size)) {
    case CLUSTER_DONE: return (serve_journal_outcome){0, false};
    case CLUSTER_FAILED: return (serve_journal_outcome){ENOSPC, false};
    default: return (serve_journal_outcome){ESTALE, false};
    }
}

/* Takes back the record of the entry before that its owner refused after all: only an agent that found no place. */
static void revert_record(serve *server, uint64_t number) {
    struct serve_node *node = server->node;
    serve_journal_past past = {.text = node->last_entry, .size = node->last_bytes};
    serve_journal_orders orders = {.past = &past, .kind = server->world.kind};
    serve_journal_record record = {0};
    bool found = node->last_entry;
    while (found && !serve_journal_next_record(&orders, &record, &found) && found) {
        if (record.number != number) continue;
        for (size_t i = 0; i < record.count; i++) {
            world_error error = {0};
            if (record.orders[i]->kind != WEND_ORDER_AGENT) continue;
            const wend_order gone = {.kind = WEND_ORDER_REMOVE,
                                     .names = {.items = &record.orders[i]->agent.name, .count = 1}};
            world_check_and_do(&server->world, &itself, &gone, &error);
        }
    }
    serve_journal_record_free(&record);
    serve_journal_orders_free(&orders);
}

static void take_voids(serve *server, const serve_journal_past *past) {
    uint64_t *voids;
    const size_t count = serve_journal_voids(past, &voids);
    for (size_t i = 0; count != SIZE_MAX && i < count; i++) revert_record(server, voids[i]);
    free(voids);
}

static void note_epoch(serve *server) {
    cluster_member_set_epoch(server->node->member, wend_live_get_epoch(server->clients.live));
}

/* @return NULL: no memory */
static char *copy_text(serve *server, const cluster_bytes *bytes) {
    char *text = malloc(bytes->size + 1);
    if (text)
        memcpy(text, bytes->bytes, bytes->size + 1);
    else
        serve_end(server, cli_fail("out of memory"));
    return text;
}

/* A node that follows has what a snapshot has. */
static void skip_piece(serve *server, const cluster_head *head) {
    const uint64_t own = wend_live_get_epoch(server->clients.live);
    if (head->piece == 1 && own != head->epoch)
        serve_end(server, cli_fail("serve: the map is at epoch %" PRIu64 " here, and was at %" PRIu64
                                   " where the snapshot of entry %" PRIu64 " was made: start this node again",
                                   own, head->epoch, head->entry));
}

/* Watchers ask for the whole map again. */
static void tell_reset(const serve *server) {
    serve_send_order(server, &(wend_order){.kind = WEND_ORDER_RESET});
}

static bool begin_again(serve *server) {
    if (serve_world_reset(server)) return true;
    serve_end(server, cli_fail("serve: no memory to begin the world again"));
    return false;
}

static void take_entry(serve *server, const cluster_bytes *bytes) {
    struct serve_node *node = server->node;
    serve_journal_past past;
    cluster_head head;
    uint64_t aside = 0;
    const bool known = cluster_head_read(bytes->bytes, &head);
    if (known && head.piece > 0) {
        skip_piece(server, &head);
        return;
    }
    if (known && head.fresh && !begin_again(server)) return;
    if (known && head.fresh) tell_reset(server);
    char *text = copy_text(server, bytes);
    if (!text) return;
    int status = serve_journal_read_entry(node->log_name, text, bytes->size, &past);
    if (!status) take_voids(server, &past);
    if (!status) status = serve_repeat(server, &past, NULL, 0, &aside);
    free(node->last_entry);
    node->last_entry = text;
    node->last_bytes = bytes->size;
    note_epoch(server);
    if (status) serve_end(server, status);
}

/* Takes all pieces together, so that no part of the world is visible alone. Its epochs go on from the snapshot's. */
static void apply_snapshot(serve *server, const cluster_bytes *bytes) {
    struct serve_node *node = server->node;
    serve_journal_past past;
    cluster_head head;
    if (server->clock.ending || !cluster_head_read(bytes->bytes, &head)) return;
    if (head.piece == 1 && !begin_again(server)) return;
    char *text = copy_text(server, bytes);
    if (!text) return;
    int status = serve_journal_read_entry(node->log_name, text, bytes->size, &past);
    if (!status) status = serve_restore(server, &past);
    free(text);
    if (status) serve_end(server, status);
    if (head.piece < head.pieces) return;
    free(node->last_entry);
    node->last_entry = NULL;
    wend_live_set_epoch(server->clients.live, head.epoch);
    note_epoch(server);
    if (node->places.bytes) apply_places(server, &node->places);
    tell_reset(server);
    cli_note("serve: node %s begins map %s at the snapshot before entry %" PRIu64, server->options->node, node->map,
             head.entry + 1);
}

/* ---- changes of owner ---- */

/* Nothing is on its way to the log any more: the node follows. */
static void settle(serve *server) {
    struct serve_node *node = server->node;
    if (!node->leaves || serve_log_is_busy(server)) return;
    const bool hands = node->hands;
    node->leaves = node->hands = node->owns = false;
    if (hands)
        cluster_member_hand(node->member);
    else
        cluster_member_follow(node->member);
}

static void log_is_idle(void *context) {
    serve *server = context;
    serve_snapshot_step(server);
    serve_journal_commit(serve_log_journal(server));
    settle(server);
}

static void become_owner(serve *server) {
    struct serve_node *node = server->node;
    if (node->places.bytes) apply_places(server, &node->places);
    node->owns = true;
    nats_clients_serve(node->by_nats, true);
    node->takeovers++;
    if (serve_node_chain(server).entry == 1) serve_log_populate(server);
    cli_note("serve: node %s owns map %s, term %" PRIu64, server->options->node, node->map, node->holder.term);
}

static void leave(serve *server, bool hands) {
    struct serve_node *node = server->node;
    node->leaves = true;
    node->hands = hands;
    serve_snapshot_drop(server);
    nats_clients_serve(node->by_nats, false);
    cli_note("serve: node %s %s map %s", server->options->node, hands ? "hands over" : "has lost", node->map);
    settle(server);
}

static void keep_places(serve *server, const cluster_event *event) {
    struct serve_node *node = server->node;
    char *copy = malloc(event->bytes.size + 1);
    if (!copy) return;
    memcpy(copy, event->bytes.bytes, event->bytes.size + 1);
    free(node->places.bytes);
    node->places = (cluster_bytes){copy, event->bytes.size, 0};
    if (!node->owns) apply_places(server, &node->places);
}

static void keep_pages(serve *server, const char *pages) {
    free(server->node->pages);
    server->node->pages = strdup(pages);
    send_holder(server);
}

static void on_event(void *context, const cluster_event *event) {
    serve *server = context;
    struct serve_node *node = server->node;
    switch (event->kind) {
    case CLUSTER_ENTRY: take_entry(server, &event->bytes); break;
    case CLUSTER_SNAPSHOT: apply_snapshot(server, &event->bytes); break;
    case CLUSTER_PLACES: keep_places(server, event); break;
    case CLUSTER_PAGES: keep_pages(server, event->bytes.bytes); break;
    case CLUSTER_HOLDER:
        node->holder = event->holder;
        show_owner(server);
        break;
    case CLUSTER_ELECTED:
        node->holder = event->holder;
        become_owner(server);
        show_owner(server);
        break;
    case CLUSTER_HAND: leave(server, true); break;
    case CLUSTER_LOST: leave(server, false); break;
    case CLUSTER_DAMAGED: serve_end(server, cli_fail("serve: %s", event->why)); break;
    }
}

/* ---- frames ---- */

static bool before_frame(serve *server) {
    if (!server->node) return true;
    other_maps_close_ended(server->node->others);
    nats_clients_end_quiet(server->node->by_nats);
    if (!serve_node_owns(server)) {
        if (server->world.agents.removed) wend_crowd_update(server->world.crowd, 0);
        settle(server);
        return false;
    }
    note_epoch(server);
    serve_snapshot_step(server);
    send_places(server);
    return true;
}

cluster_chain serve_node_chain(const serve *server) {
    return cluster_member_set_epoch(server->node->member, UINT64_MAX);
}

void serve_node_numbers(const serve *server, serve_numbers *out) {
    const struct serve_node *node = server->node;
    if (!node) return;
    const cluster_chain chain = serve_node_chain(server);
    out->node = server->options->node;
    out->map = node->map;
    out->owns = serve_node_owns(server);
    out->term = node->holder.term;
    out->entries = chain.entry;
    out->lag = node->holder.entry > chain.entry ? node->holder.entry - chain.entry : 0;
    out->snapshot_entries = chain.entry - chain.snapshot;
    out->snapshot_bytes = chain.bytes;
    out->takeovers = node->takeovers;
    out->moved = node->refused;
}

void serve_node_refused(serve *server) {
    server->node->refused++;
}

/* ---- opening ---- */

static bool is_replica(const serve *server) {
    for (size_t i = 0; i < server->options->replica_count; i++)
        if (strcmp(server->options->replicas[i], server->clients.map_name) == 0) return true;
    return false;
}

int serve_node_name(serve *server) {
    const serve_options *options = server->options;
    const char *path = options->world, *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const int length = options->map ? (int)strlen(options->map) : (int)strcspn(name, ".");
    if (options->map) name = options->map;
    if (length < (int)sizeof server->clients.map_name)
        snprintf(server->clients.map_name, sizeof server->clients.map_name, "%.*s", length, name);
    const bool good = cluster_is_name(server->clients.map_name);
    if (!good) server->clients.map_name[0] = '\0';
    if (!options->cluster) return CLI_DONE;
    if (!cluster_is_name(options->node))
        return cli_fail("serve: a node's name has 1 to 63 letters, digits, '_' and '-'");
    if (good && options->replica_count > 0 && !options->one_of_many && !is_replica(server))
        return cli_fail("serve: --replica %s: this node's map is %s", options->replicas[0], server->clients.map_name);
    if (good) return CLI_DONE;
    return cli_fail("serve: a map's name has 1 to 63 letters, digits, '_' and '-'; --map gives it one");
}

/* ---- other maps ---- */

int32_t serve_node_pass(void *context, const wend_live_message *message) {
    const serve *server = context;
    const struct serve_node *node = server->node;
    return node && node->others ? other_maps_pass(node->others, message) : WEND_LIVE_UNKNOWN;
}

static int send_to_session(void *context, uint64_t session, const char *text, size_t size) {
    const serve *server = context;
    return server->clients.live ? wend_live_send_text(server->clients.live, session, text, size) : UV_ENOENT;
}

static int add_client(void *context, int socket) {
    const serve *server = context;
    if (server->clients.live) return wend_live_add_client(server->clients.live, socket);
    close(socket);
    return UV_ECANCELED;
}

/* Clients over NATS come to who owns the map. */
static bool open_by_nats(serve *server) {
    const serve_options *options = server->options;
    const nats_clients_def def = {.loop = &server->loop,
                                  .url = options->cluster,
                                  .map = server->clients.map_name,
                                  .token = options->token,
                                  .session_seconds = options->limits.session_seconds,
                                  .add_client = add_client,
                                  .context = server};
    if (strncmp(options->cluster, "nats://", strlen("nats://")) != 0) return true;
    server->node->by_nats = nats_clients_open(&def);
    return server->node->by_nats;
}

static bool open_others(serve *server) {
    const serve_options *options = server->options;
    const other_maps_def def = {.loop = &server->loop,
                                .store = server->node->store,
                                .node = options->node,
                                .token = options->token,
                                .owner_token = options->owner_token,
                                .tell = send_to_session,
                                .context = server};
    server->node->others = other_maps_open(&def);
    return server->node->others;
}

static void write_address(const serve *server, const char *given, int port, char *out) {
    const serve_options *options = server->options;
    const char *colon = given ? strrchr(given, ':') : NULL;
    const char *name = options->host;
    int length = name ? (int)strlen(name) : 0;
    if (!name && colon > given) name = given, length = (int)(colon - given);
    if (!name) name = "127.0.0.1", length = 9;
    if (port > 0)
        snprintf(out, CLUSTER_ADDRESS_BYTES + 1, "%.*s:%d", length, name, port);
    else
        snprintf(out, CLUSTER_ADDRESS_BYTES + 1, "%s", given && strlen(given) <= CLUSTER_ADDRESS_BYTES ? given : "-");
    if (!cluster_is_address(out)) snprintf(out, CLUSTER_ADDRESS_BYTES + 1, "-");
}

int serve_node_open(serve *server) {
    const serve_options *options = server->options;
    char why[CLUSTER_WHY_BYTES];
    if (!options->cluster) return CLI_DONE;
    struct serve_node *node = calloc(1, sizeof *node);
    if (!node) return cli_fail("out of memory");
    server->node = node;
    server->clock.before = before_frame;
    server->log_name = node->log_name;
    node->map = server->clients.map_name;
    snprintf(node->log_name, sizeof node->log_name, "the log of map %s", node->map);
    node->store = cluster_store_open(options->cluster, why);
    if (!node->store) return cli_fail("serve: %s", why);
    if (options->journal &&
        !(node->copy = cluster_store_open_file(options->journal, options->durable != SERVE_DURABLE_LOG, why)))
        return cli_fail("serve: %s", why);
    write_address(server, options->listen, wend_live_get_port(server->clients.live), node->page);
    write_address(server, options->lines, wend_live_get_lines_port(server->clients.live), node->lines);
    const serve_journal_sink sink = {sink_head, sink_append, CLUSTER_ENTRY_BYTES, server};
    int status = serve_log_open_sink(server, &sink, log_is_idle);
    if (!status && !serve_snapshot_open(server)) status = cli_fail("out of memory");
    if (status) return status;
    const cluster_member_def def = {.store = node->store,
                                    .copy = node->copy,
                                    .map = node->map,
                                    .node = options->node,
                                    .lines = node->lines,
                                    .page = node->page,
                                    .lease_ms = options->lease_ms,
                                    .balance_ms = options->balance_seconds * 1000,
                                    .never_owns = is_replica(server),
                                    .on_event = on_event,
                                    .context = server};
    node->member = open_others(server) && open_by_nats(server) ? cluster_member_open(&server->loop, &def) : NULL;
    return node->member ? CLI_DONE : cli_fail("out of memory");
}

static void member_closed(void *context) {
    serve *server = context;
    struct serve_node *node = server->node;
    node->store->close(node->store);
    if (node->copy) node->copy->close(node->copy);
    free(node->last_entry);
    free(node->places.bytes);
    free(node->pages);
    free(node);
    server->node = NULL;
}

void serve_node_close(serve *server) {
    struct serve_node *node = server->node;
    if (!node) return;
    server->clients.owner = NULL;
    serve_pass_close(server);
    if (node->others) other_maps_close(node->others);
    nats_clients_close(node->by_nats);
    while (node->written.busy) uv_run(&server->loop, UV_RUN_ONCE);
    if (node->member) {
        cluster_member_close(node->member, member_closed, server);
        uv_run(&server->loop, UV_RUN_DEFAULT);
        return;
    }
    if (node->store) node->store->close(node->store);
    if (node->copy) node->copy->close(node->copy);
    free(node);
    server->node = NULL;
}
