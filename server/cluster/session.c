/* SPDX-License-Identifier: MIT */
/* Waits for events from the log's threads. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/array.h"
#include "cli/output/messages.h"
#include "cluster/session.h"

enum { PATIENCE_MS = 10000, SILENCE_MS = 1500, ATTEMPTS = 10 };
#define NS_A_MS UINT64_C(1000000)

/* ---- events ---- */

static void on_state(void *context, const cluster_log_state *state) {
    cluster_session *s = context;
    uv_mutex_lock(&s->mutex);
    s->state = *state;
    uv_cond_broadcast(&s->changed);
    uv_mutex_unlock(&s->mutex);
}

static void on_entry(void *context, uint64_t sequence, const char *bytes, size_t size) {
    cluster_session *s = context;
    char *copy = malloc(size + 1);
    uv_mutex_lock(&s->mutex);
    if (sequence > s->end) {
        free(copy);
    } else if (copy && WEND__ARRAY_ROOM(s->entries, s->entry_capacity, s->entry_count + 1)) {
        memcpy(copy, bytes, size);
        copy[size] = '\0';
        s->entries[s->entry_count++] = (session_entry){sequence, copy, size};
    } else {
        free(copy);
        s->no_memory = true;
    }
    uv_cond_broadcast(&s->changed);
    uv_mutex_unlock(&s->mutex);
}

static int compare_nodes(const session_node *a, const session_node *b) {
    const int maps = strcmp(a->map, b->map);
    return maps ? maps : strcmp(a->node, b->node);
}

/* Stores the last message of a node. */
static void keep_node(cluster_session *s, const session_node *said) {
    size_t at = 0;
    while (at < s->node_count && compare_nodes(&s->nodes[at], said) < 0) at++;
    const bool known = at < s->node_count && compare_nodes(&s->nodes[at], said) == 0;
    if (!known && !WEND__ARRAY_ROOM(s->nodes, s->node_capacity, s->node_count + 1)) return;
    if (!known) memmove(&s->nodes[at + 1], &s->nodes[at], (s->node_count++ - at) * sizeof *said);
    s->nodes[at] = *said;
}

static void on_message(void *context, cluster_log_message kind, const char *name, const char *bytes, size_t size) {
    cluster_session *s = context;
    session_node heard = {.map = ""};
    const bool all = s->map[0] == '*';
    if (all && sscanf(name, "%63[^.].%63s", heard.map, heard.node) < 1) return;
    if (!all) snprintf(heard.map, sizeof heard.map, "%s", s->map);
    if (!all) snprintf(heard.node, sizeof heard.node, "%s", name);
    const bool good = kind != CLUSTER_LOG_ASK && cluster_report_read(bytes, size, &heard.said);
    if (!good || !cluster_is_word(heard.map)) return;
    if (kind == CLUSTER_LOG_SEEN)
        snprintf(heard.why, sizeof heard.why, "%.*s", (int)(size - heard.said.line), bytes + heard.said.line);
    uv_mutex_lock(&s->mutex);
    keep_node(s, &heard);
    uv_cond_broadcast(&s->changed);
    uv_mutex_unlock(&s->mutex);
}

/* ---- waiting ---- */

typedef bool session_test(const cluster_session *session);

static bool is_connected(const cluster_session *s) {
    return s->state.connected;
}

static bool is_usable(const cluster_session *s) {
    return s->state.usable;
}

static bool never(const cluster_session *s) {
    (void)s;
    return false;
}

static bool has_beat(const cluster_session *s) {
    bool heard = false;
    for (size_t i = 0; i < s->node_count && !heard; i++) heard = s->nodes[i].node[0] == '\0';
    return heard;
}

static bool has_all(const cluster_session *s) {
    return s->no_memory || (s->entry_count > 0 && s->entries[s->entry_count - 1].sequence >= s->end);
}

static bool wait_until(cluster_session *s, session_test *test, unsigned ms) {
    const uint64_t end = uv_hrtime() + ms * NS_A_MS;
    uv_mutex_lock(&s->mutex);
    for (uint64_t now; !test(s) && (now = uv_hrtime()) < end;)
        (void)uv_cond_timedwait(&s->changed, &s->mutex, end - now);
    const bool good = test(s);
    uv_mutex_unlock(&s->mutex);
    return good;
}

int cluster_session_open(cluster_session *s, const cluster_log_login *login, const char *map) {
    char why[CLUSTER_LOG_WHY_BYTES];
    *s = (cluster_session){.map = map};
    uv_mutex_init(&s->mutex);
    uv_cond_init(&s->changed);
    s->log = cluster_log_open(&(cluster_log_def){.login = *login,
                                                 .map = map,
                                                 .node = "operator",
                                                 .operates = true,
                                                 .context = s,
                                                 .on_entry = on_entry,
                                                 .on_state = on_state,
                                                 .on_message = on_message},
                              why);
    if (!s->log) return cli_fail("cluster: %s", why);
    return wait_until(s, is_connected, PATIENCE_MS) ? CLI_DONE : cli_fail("cluster: %s", s->state.why);
}

void cluster_session_close(cluster_session *s) {
    if (s->log) s->log->close(s->log);
    for (size_t i = 0; i < s->entry_count; i++) free(s->entries[i].bytes);
    free(s->entries);
    free(s->nodes);
    uv_cond_destroy(&s->changed);
    uv_mutex_destroy(&s->mutex);
}

int cluster_session_need_log(cluster_session *s) {
    if (wait_until(s, is_usable, PATIENCE_MS / 4)) return CLI_DONE;
    return cli_fail("cluster: map %s: %s", s->map, s->state.why);
}

void cluster_session_listen(cluster_session *s, unsigned ms) {
    (void)wait_until(s, never, ms);
}

int cluster_session_need_silence(cluster_session *s) {
    if (!wait_until(s, has_beat, SILENCE_MS)) return CLI_DONE;
    return cli_fail("cluster: node %s owns map %s: stop its nodes first", s->nodes[0].said.node, s->map);
}

int cluster_session_read(cluster_session *s, uint64_t from) {
    char what[128], why[CLUSTER_LOG_WHY_BYTES];
    snprintf(what, sizeof what, "STREAM.INFO.WEND_%s", s->map);
    json_t *info = s->log->ask(s->log, what, "", why);
    if (!info) return cli_fail("cluster: map %s: %s", s->map, why);
    const json_t *now = json_object_get(info, "state");
    uv_mutex_lock(&s->mutex);
    s->state.first = (uint64_t)json_integer_value(json_object_get(now, "first_seq"));
    s->state.last = s->end = (uint64_t)json_integer_value(json_object_get(now, "last_seq"));
    uv_mutex_unlock(&s->mutex);
    json_decref(info);
    if (s->end < s->state.first || s->end < from || s->end == 0) return CLI_DONE;
    s->log->follow(s->log, from);
    if (!wait_until(s, has_all, PATIENCE_MS)) return cli_fail("cluster: map %s: the entries do not come", s->map);
    return s->no_memory ? cli_fail("out of memory") : CLI_DONE;
}

/* ---- writing ---- */

static int make_one(cluster_session *s, const char *prefix, const char *subject, uint64_t replicas, uint64_t first) {
    char what[128], json[1024], why[CLUSTER_LOG_WHY_BYTES], begin[64] = "";
    snprintf(what, sizeof what, "STREAM.INFO.%s_%s", prefix, s->map);
    json_t *answer = s->log->ask(s->log, what, "", why);
    const bool there = answer != NULL;
    json_decref(answer);
    if (there) return cli_fail("cluster: stream %s_%s is there already", prefix, s->map);
    snprintf(what, sizeof what, "STREAM.CREATE.%s_%s", prefix, s->map);
    if (first > 1) snprintf(begin, sizeof begin, ",\"first_seq\":%" PRIu64, first);
    snprintf(json, sizeof json,
             "{\"name\":\"%s_%s\",\"subjects\":[\"wend.%s.%s\"],\"retention\":\"limits\",\"storage\":\"file\","
             "\"discard\":\"new\",\"max_age\":0,\"max_msgs\":-1,\"max_bytes\":-1,\"max_msg_size\":-1,"
             "\"max_msgs_per_subject\":-1,\"max_consumers\":-1,\"num_replicas\":%" PRIu64 ",\"deny_delete\":true%s}",
             prefix, s->map, subject, s->map, replicas, begin);
    answer = s->log->ask(s->log, what, json, why);
    const bool silent = !answer && why[0] == '0'; /* the stream may still be created */
    if (!answer && !silent) return cli_fail("cluster: stream %s_%s: %s", prefix, s->map, why);
    json_decref(answer);
    return CLI_DONE;
}

int cluster_session_make(cluster_session *s, uint64_t replicas, uint64_t first) {
    int status = make_one(s, "WEND", "log", replicas, first);
    if (!status) status = make_one(s, "WENDS", "snap", replicas, 1);
    if (!status && !wait_until(s, is_usable, PATIENCE_MS))
        status = cli_fail("cluster: map %s: %s", s->map, s->state.why);
    return status;
}

int cluster_session_append(cluster_session *s, uint64_t expected, const char *bytes, size_t size) {
    cluster_log_answer answer = {.outcome = CLUSTER_LOG_UNKNOWN};
    for (int i = 0; i < ATTEMPTS && answer.outcome == CLUSTER_LOG_UNKNOWN; i++)
        answer = s->log->append(s->log, expected, bytes, size);
    if (answer.outcome == CLUSTER_LOG_DONE) return CLI_DONE;
    return cli_fail("cluster: map %s, entry %" PRIu64 ": %s", s->map, expected + 1, answer.why);
}
