/* SPDX-License-Identifier: MIT */
/* Messages of nodes to each other, which may be lost: the owner's beats, with its agents' positions, the state of
 * each node, and the reasons why it is not ready.
 *
 * A follower's agents do not walk, but stand at the owner's positions, as a picture for watchers that blocks nothing
 * that the log decides. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/messages.h"
#include "serve/serve_node.h"
#include <wend/agents.h>

enum { BEAT_MS = 250, SEEN_MS = 1000, READY_LAG_MS = 2000 };

/* ---- positions of agents ---- */

/* Writes a line for each agent: its cell, the bytes of its name, the name. */
static size_t write_places(const serve *server, uint32_t *next, char *out, size_t capacity) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    size_t used = 0;
    out[0] = '\0';
    if (wend_crowd_get_view(server->world.crowd, &view)) return 0;
    for (uint32_t i = 0; i < view.count; i++) {
        const uint32_t at = (*next + i) % view.count;
        const world_agent *agent = server->world.agents.by_index[at];
        if (!agent || !server->world.agents.names[at]) continue;
        if (used + agent->length + 64 > capacity) {
            *next = at;
            return used;
        }
        used += (size_t)snprintf(out + used, capacity - used, "%d %d %d %u ", (int)view.cells[at].x,
                                 (int)view.cells[at].y, (int)view.cells[at].z, agent->length);
        memcpy(out + used, agent->name, agent->length);
        used += agent->length;
        out[used++] = '\n';
        out[used] = '\0';
    }
    *next = 0;
    return used;
}

/// An agent to be moved.
typedef struct mover {
    const world_agent *agent;
    wend_cell cell;
} mover;

static bool is_there(const wend_crowd_view *view, const mover *m) {
    const wend_cell *cell = &view->cells[m->agent->id.index];
    return cell->x == m->cell.x && cell->y == m->cell.y && cell->z == m->cell.z;
}

/* Agents move up one behind another, so an agent with a taken cell retries once others have left. */
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

/* Moves one agent aside if some go round in a ring. */
static void step_aside(const serve *server, const mover *m) {
    enum { PLACES = 8 };
    wend_cell places[PLACES];
    const size_t count = serve_find_places(&server->world, m->agent->mover, m->cell, places, PLACES);
    for (size_t i = 0; i < count; i++)
        if (!wend_crowd_move(server->world.crowd, m->agent->id, places[i])) return;
}

/* No sscanf(), which looks for the end of the whole text. @return the next line; NULL: bad line */
static const char *read_place(const serve *server, const char *at, mover *out) {
    long numbers[4];
    for (int i = 0; i < 4; i++) {
        char *end;
        numbers[i] = strtol(at, &end, 10);
        if (end == at || *end != ' ') return NULL;
        at = end + 1;
    }
    const char *name = at;
    const size_t length = numbers[3] > 0 ? (size_t)numbers[3] : 0;
    if (length > SERVE_NAME_BYTES || strnlen(name, length + 1) <= length || name[length] != '\n') return NULL;
    *out = (mover){world_agent_find(&server->world, name, length),
                   {(int32_t)numbers[0], (int32_t)numbers[1], (int32_t)numbers[2]}};
    return name + length + 1;
}

static void apply_places(const serve *server, const char *lines) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    if (*lines == '\0' || wend_crowd_get_view(server->world.crowd, &view)) return;
    mover *movers = malloc((view.count + 1) * sizeof *movers), next;
    size_t count = 0;
    for (const char *at = lines; movers && count < view.count && (at = read_place(server, at, &next));)
        if (next.agent && !is_there(&view, &next)) movers[count++] = next;
    const size_t left = movers ? move_all(server, movers, count) : 0;
    if (left > 0) {
        step_aside(server, &movers[0]);
        move_all(server, movers, left);
    }
    free(movers);
}

/* ---- messages of other nodes ---- */

void serve_beats_beat(void *context, const cluster_report *beat, const char *places) {
    serve *server = context;
    struct serve_node *node = server->node;
    const uint64_t now = cluster_now_ns(), number = cluster_member_term(node->member).number;
    node->beat = *beat;
    node->heard_ns = now;
    if (beat->sequence <= number)
        node->behind_ns = 0;
    else if (node->behind_ns == 0)
        node->behind_ns = now;
    if (!node->owns) apply_places(server, places);
    if (beat->purged <= number) cluster_copy_cut(&node->copy, beat->purged);
    serve_node_show(server);
}

/* Keeps the page of a node, in place of the node without a message for longest. */
static void keep_page(struct serve_node *node, const char *page) {
    serve_peer *at = node->peers, *oldest = at;
    for (; at < node->peers + SERVE_PEERS && strcmp(at->page, page) != 0; at++)
        if (at->heard_ns < oldest->heard_ns) oldest = at;
    if (at == node->peers + SERVE_PEERS) at = oldest;
    snprintf(at->page, sizeof at->page, "%s", page);
    at->heard_ns = cluster_now_ns();
}

void serve_beats_seen(void *context, const cluster_report *seen, const char *why) {
    serve *server = context;
    struct serve_node *node = server->node;
    if (why[0] == '\0' && serve_is_address(seen->page)) keep_page(node, seen->page);
    serve_node_show(server);
    if (node->owns && seen->checked > 0 && seen->checked == node->checked && seen->state != node->check_state)
        cli_note("serve: node %s has state %016" PRIx64 " at entry %" PRIu64 " of map %s, and this node %016" PRIx64,
                 seen->node, seen->state, seen->checked, node->map, node->check_state);
}

/* An operator's request. */
void serve_beats_move(void *context, const char *name) {
    serve *server = context;
    struct serve_node *node = server->node;
    if (!serve_node_owns(server) || strcmp(name, server->options->node) == 0) return;
    snprintf(node->heir, sizeof node->heir, "%s", name);
    serve_node_write(server);
}

/* ---- messages of this node ---- */

static uint64_t lag_ms(const serve *server, uint64_t now) {
    const struct serve_node *node = server->node;
    return node->owns || node->behind_ns == 0 ? 0 : (now - node->behind_ns) / SERVE_NS_A_MS;
}

size_t serve_node_unready(void *context, char *out, size_t capacity) {
    const serve *server = context;
    const struct serve_node *node = server->node;
    const uint64_t now = cluster_now_ns(), patience = 2 * server->options->lease_ms * SERVE_NS_A_MS;
    if (!node || !node->member) return 0;
    const cluster_term term = cluster_member_term(node->member);
    const bool silent = !node->owns && (node->heard_ns == 0 || now - node->heard_ns > patience);
    const bool waits = node->owns && !serve_node_owns(server);
    const struct {
        bool there;
        const char *why;
    } reasons[] = {
        {node->why[0] != '\0', node->why},
        {true, cluster_member_problem(node->member)},
        {true, cluster_member_waits(node->member)},
        {true, node->copy.why},
        {silent, "no owner of the map is heard"},
        {term.number == 0, "it has nothing of the log yet"},
        {waits, "the log has not answered for a lease"},
        {lag_ms(server, now) >= READY_LAG_MS, "it lacks entries that the owner has"},
        {term.number < term.floor, "its journal has entries that the log has not sent: wend cluster repair"}};
    FILE *text = fmemopen(out, capacity, "w");
    if (!text) return 0;
    setbuf(text, NULL);
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (reasons[i].there && reasons[i].why[0] != '\0') fprintf(text, "%s\n", reasons[i].why);
    const long size = ftell(text);
    fclose(text);
    return size > 0 ? (size_t)size : 0;
}

/* @param owner   as in the owner's beat */
static void send_report(serve *server, uint64_t now, bool owner) {
    struct serve_node *node = server->node;
    const cluster_term term = cluster_member_term(node->member);
    cluster_report own = {.role = node->owns                   ? CLUSTER_ROLE_OWNER
                                  : server->options->read_only ? CLUSTER_ROLE_REPLICA
                                                               : CLUSTER_ROLE_FOLLOWER,
                          .term = term.term,
                          .sequence = term.number,
                          .epoch = server->clients.live ? live_get_epoch(server->clients.live) : 0,
                          .lag_ms = lag_ms(server, now),
                          .checked = node->checked,
                          .state = node->check_state,
                          .purged = node->purged};
    snprintf(own.node, sizeof own.node, "%s", server->options->node);
    memcpy(own.address, node->address, sizeof own.address);
    memcpy(own.page, node->page, sizeof own.page);
    snprintf(own.version, sizeof own.version, "%s", wend_version());
    const size_t line = cluster_report_write(&own, node->lines, SERVE_BEAT_BYTES);
    char *more = node->lines + line;
    const size_t size = owner ? write_places(server, &node->next_place, more, SERVE_BEAT_BYTES - line)
                              : serve_node_unready(server, more, CLUSTER_REASONS_BYTES + 1);
    node->log->publish(node->log, owner ? CLUSTER_LOG_BEAT : CLUSTER_LOG_SEEN, node->lines, line + size);
}

void serve_beats_turn(void *context, uint64_t now) {
    serve *server = context;
    struct serve_node *node = server->node;
    if (serve_node_owns(server) && now >= node->next_beat_ns) {
        send_report(server, now, true);
        node->next_beat_ns = now + (uint64_t)BEAT_MS * SERVE_NS_A_MS;
    }
    if (now < node->next_seen_ns) return;
    const char *waits = cluster_member_waits(node->member);
    if (waits != node->waits && waits[0] != '\0')
        cli_note("serve: node %s waits for a snapshot of map %s: %s", server->options->node, node->map, waits);
    node->waits = waits;
    send_report(server, now, false);
    if (!node->owns) cluster_copy_sync(&node->copy);
    node->next_seen_ns = now + (uint64_t)SEEN_MS * SERVE_NS_A_MS;
    serve_node_show(server);
}
