/* SPDX-License-Identifier: MIT */
/* wend cluster: commands of an operator on the logs of maps and their nodes. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli/shared/options.h"
#include "cluster/archive.h"
#include "cluster/login.h"
#include "script/script.h"
#include "server_version.h"

static const char details[] = "init     makes the two streams of a map, and its first entry: what nodes must\n"
                              "         have to serve it\n"
                              "status   every map whose nodes say something, with its owner and the nodes that\n"
                              "         follow it\n"
                              "check    settings of the streams, versions of the servers, the chain of entries,\n"
                              "         hashes of the nodes\n"
                              "backup   writes the newest snapshot and all entries into a new file\n"
                              "restore  makes the streams, which must not exist, from a backup\n"
                              "repair   appends the entries of a node's journal that the log lacks; where the\n"
                              "         two part, --keep says which one stays: with journal, the log is made\n"
                              "         again, after a backup into MAP-NUMBER.backup\n"
                              "world    the world begins again, from another file, which all nodes have\n"
                              "move     hands a map over to a node that follows it, and waits until it owns it\n"
                              "format   entries of a newer format may be written, as all nodes read them\n"
                              "init, restore, repair, world and format fail while an owner is heard. URL:\n"
                              "nats://HOST:PORT or tls://HOST:PORT, several parted by commas.\n"
                              "Exit status: 0 done; 1 something is wrong with the map; 2 bad usage, or no\n"
                              "cluster there.";

/// The command line.
typedef struct cluster_given {
    const char *words[4]; ///< URL, command, its words
    size_t count;
    cluster_log_login login;
    uint64_t replicas, most_agents;
    const char *journal;
    int32_t keep;
    bool json;
} cluster_given;

/* ---- status ---- */

enum { LISTEN_MS = 2500 };

static bool owns(const session_node *beat, const session_node *node) {
    return beat && strcmp(beat->said.node, node->node) == 0;
}

static json_t *hash_text(uint64_t hash) {
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    return json_string(text);
}

static json_t *describe_node(const session_node *node) {
    char why[CLUSTER_REASONS_BYTES + 1], *rest = NULL;
    json_t *reasons = json_array();
    snprintf(why, sizeof why, "%s", node->why);
    for (char *line = strtok_r(why, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        json_array_append_new(reasons, json_string(line));
    return json_pack("{s:s,s:s,s:I,s:I,s:o,s:s,s:b,s:o}", "node", node->node, "role",
                     cluster_role_name(node->said.role), "sequence", (json_int_t)node->said.sequence, "lag_ms",
                     (json_int_t)node->said.lag_ms, "hash", hash_text(node->said.state), "version", node->said.version,
                     "ready", node->why[0] == '\0', "why", reasons);
}

/* A beat comes before the nodes of its map, as its node has no name. */
static json_t *describe_map(const cluster_session *s, size_t *at) {
    const char *map = s->nodes[*at].map;
    const session_node *beat = s->nodes[*at].node[0] == '\0' ? &s->nodes[(*at)++] : NULL;
    json_t *nodes = json_array(), *hash = NULL;
    for (; *at < s->node_count && strcmp(s->nodes[*at].map, map) == 0; (*at)++) {
        json_array_append_new(nodes, describe_node(&s->nodes[*at]));
        if (owns(beat, &s->nodes[*at])) hash = hash_text(s->nodes[*at].said.state);
    }
    return json_pack("{s:s,s:o,s:o,s:I,s:I,s:o,s:o}", "map", map, "owner",
                     beat ? json_string(beat->said.node) : json_null(), "address",
                     beat ? json_string(beat->said.address) : json_null(), "term",
                     (json_int_t)(beat ? beat->said.term : 0), "sequence", (json_int_t)(beat ? beat->said.sequence : 0),
                     "hash", hash ? hash : json_null(), "nodes", nodes);
}

static void print_map(const json_t *map) {
    const char *owner = json_string_value(json_object_get(map, "owner"));
    const json_t *nodes = json_object_get(map, "nodes");
    printf("%s: ", json_string_value(json_object_get(map, "map")));
    if (owner)
        printf("%s at %s, term %" PRIu64 ", entry %" PRIu64 "\n", owner,
               json_string_value(json_object_get(map, "address")),
               (uint64_t)json_integer_value(json_object_get(map, "term")),
               (uint64_t)json_integer_value(json_object_get(map, "sequence")));
    else
        printf("no owner is heard\n");
    for (size_t i = 0; i < json_array_size(nodes); i++) {
        const json_t *node = json_array_get(nodes, i), *why = json_object_get(node, "why");
        printf("  %s: %s, entry %" PRIu64 ", lag %" PRIu64 " ms%s", json_string_value(json_object_get(node, "node")),
               json_string_value(json_object_get(node, "role")),
               (uint64_t)json_integer_value(json_object_get(node, "sequence")),
               (uint64_t)json_integer_value(json_object_get(node, "lag_ms")),
               json_array_size(why) > 0 ? ", not ready" : "");
        for (size_t k = 0; k < json_array_size(why); k++)
            printf("%s%s", k > 0 ? "; " : ": ", json_string_value(json_array_get(why, k)));
        printf("\n");
    }
}

static int show_status(const cluster_given *given) {
    cluster_session s;
    int status = cluster_session_open(&s, &given->login, "*");
    if (!status) {
        cluster_session_listen(&s, LISTEN_MS);
        uv_mutex_lock(&s.mutex);
        json_t *maps = json_array();
        for (size_t at = 0; at < s.node_count;) json_array_append_new(maps, describe_map(&s, &at));
        uv_mutex_unlock(&s.mutex);
        json_t *all = json_pack("{s:o}", "maps", maps);
        char *text = given->json ? json_dumps(all, JSON_COMPACT) : NULL;
        if (text) printf("%s\n", text);
        for (size_t i = 0; i < json_array_size(maps) && !given->json; i++) print_map(json_array_get(maps, i));
        if (json_array_size(maps) == 0 && !given->json) printf("no node is heard\n");
        free(text);
        json_decref(all);
    }
    cluster_session_close(&s);
    return status;
}

/* ---- check ---- */

/* Checks each server of the list by itself. @return whether all can be used */
static bool check_servers(const cluster_given *given, const char *map) {
    char urls[4096], *rest = NULL;
    bool good = true;
    snprintf(urls, sizeof urls, "%s", given->login.urls);
    for (char *url = strtok_r(urls, ",", &rest); url; url = strtok_r(NULL, ",", &rest)) {
        cluster_log_login login = given->login;
        cluster_session s;
        login.urls = url;
        const bool connected = cluster_session_open(&s, &login, map) == CLI_DONE;
        const bool usable = connected && cluster_session_need_log(&s) == CLI_DONE;
        if (connected) printf("%s: %s%s\n", url, s.state.server, usable ? "" : ", not usable");
        good = good && usable;
        cluster_session_close(&s);
    }
    return good;
}

/* @return whether all nodes with the log's newest check entry have its state */
static bool check_nodes(const cluster_session *s, uint64_t checked, uint64_t state) {
    bool good = true;
    for (size_t i = 0; i < s->node_count; i++) {
        const session_node *node = &s->nodes[i];
        if (node->node[0] == '\0') continue;
        const bool differs = checked > 0 && node->said.checked == checked && node->said.state != state;
        printf("node %s: %s, entry %" PRIu64 ", state %016" PRIx64 " at entry %" PRIu64 "%s%s\n", node->node,
               cluster_role_name(node->said.role), node->said.sequence, node->said.state, node->said.checked,
               differs ? ", which differs from the log's" : "", node->why[0] != '\0' ? ", not ready" : "");
        good = good && !differs && node->why[0] == '\0';
    }
    return good;
}

static int check_map(cluster_session *s, const cluster_given *given) {
    uint64_t checked = 0, state = 0;
    bool good = check_servers(given, s->map);
    int status = cluster_session_need_log(s);
    if (!status) status = cluster_session_read(s, 1);
    if (status) return status;
    if (cluster_chain_fits(s->entries, s->entry_count, &checked, &state) && s->entry_count > 0)
        printf("entries %" PRIu64 " to %" PRIu64 ": whole; newest check entry %" PRIu64 "\n", s->entries[0].sequence,
               s->entries[s->entry_count - 1].sequence, checked);
    else
        good = false;
    cluster_session_listen(s, LISTEN_MS);
    uv_mutex_lock(&s->mutex);
    good = check_nodes(s, checked, state) && good;
    uv_mutex_unlock(&s->mutex);
    return good ? CLI_DONE : CLI_ANSWER_IS_NO;
}

/* ---- heads ---- */

static int describe_file(const char *file, uint64_t most_agents, cluster_world *out) {
    cli_world loaded = {0};
    const int status = script_load_served(file, &loaded);
    if (status) return status;
    const bool good = cluster_world_read(file, &loaded, most_agents, out);
    cli_world_free(&loaded);
    return good ? CLI_DONE : cli_fail("cluster: %s cannot be described", file);
}

static int append_head(cluster_session *s, const session_entry *before, uint64_t term, const cluster_world *world) {
    cluster_entry head = {.kind = CLUSTER_KIND_HEAD, .writer = "operator", .term = term, .world = *world};
    char text[CLUSTER_HEAD_BYTES];
    const uint64_t last = before ? before->sequence : 0;
    snprintf(head.map, sizeof head.map, "%s", s->map);
    head.number = last + 1;
    if (before) head.after = cluster_entry_hash(before->bytes, before->size);
    const size_t size = cluster_entry_write(&head, true, text);
    const int status = cluster_session_append(s, last, text, size);
    if (!status)
        printf("map %s: entry %" PRIu64 ", world %016" PRIx64 ", limits %s\n", s->map, head.number, world->world,
               world->limits);
    return status;
}

static int init_map(cluster_session *s, const cluster_given *given) {
    cluster_world world;
    int status = describe_file(given->words[3], given->most_agents, &world);
    if (!status) status = cluster_session_make(s, given->replicas, 1);
    return !status ? append_head(s, NULL, 0, &world) : status;
}

/* Writes a new head behind the last entry. @param format   0: of another world */
static int renew_head(cluster_session *s, const cluster_given *given, uint64_t format) {
    cluster_world world = {.format = 0};
    cluster_entry entry = {.term = 0};
    uint64_t checked, state;
    int status = format > 0 ? CLI_DONE : describe_file(given->words[3], given->most_agents, &world);
    if (!status) status = cluster_session_need_log(s);
    if (!status) status = cluster_session_read(s, 1);
    if (status) return status;
    if (!cluster_chain_fits(s->entries, s->entry_count, &checked, &state)) return CLI_ANSWER_IS_NO;
    for (size_t i = 0; i < s->entry_count; i++) {
        (void)cluster_entry_read(s->entries[i].bytes, s->entries[i].size, &entry);
        if (format > 0 && entry.kind == CLUSTER_KIND_HEAD) world = entry.world;
    }
    if (s->entry_count == 0) return cli_fail("cluster: map %s has no entry: is it initialised?", s->map);
    if (world.format == 0)
        return cli_fail("cluster: the head of map %s was purged: say `world %s FILE`", s->map, s->map);
    if (format > 0) world.format = format;
    return append_head(s, &s->entries[s->entry_count - 1], entry.term, &world);
}

static int set_format(cluster_session *s, const cluster_given *given) {
    char *end;
    const uint64_t format = strtoull(given->words[3], &end, 10);
    if (*end != '\0' || format < 1 || format > CLUSTER_FORMAT)
        return cli_fail("cluster: this wend reads formats 1 to %d", CLUSTER_FORMAT);
    return renew_head(s, given, format);
}

static int set_world(cluster_session *s, const cluster_given *given) {
    return renew_head(s, given, 0);
}

/* ---- move ---- */

/* Finds the owner. @return whether a node that is no owner has all of its entries but the last few */
static bool look_at_nodes(cluster_session *s, const char *name, char owner[CLUSTER_NAME_BYTES + 1]) {
    enum { FEW = 16 };
    bool follows = false;
    uv_mutex_lock(&s->mutex);
    const session_node *beat = s->node_count > 0 && s->nodes[0].node[0] == '\0' ? &s->nodes[0] : NULL;
    if (beat) snprintf(owner, CLUSTER_NAME_BYTES + 1, "%s", beat->said.node);
    for (size_t i = 0; beat && i < s->node_count; i++)
        follows =
            follows || (strcmp(s->nodes[i].node, name) == 0 && s->nodes[i].said.sequence + FEW >= beat->said.sequence);
    uv_mutex_unlock(&s->mutex);
    return follows;
}

/* The owner may lose the message, or still be behind. */
static int move_map(cluster_session *s, const cluster_given *given) {
    enum { ATTEMPTS = 10, EACH_MS = 1000 };
    const char *node = given->words[3];
    char owner[CLUSTER_NAME_BYTES + 1] = "", text[CLUSTER_NAME_BYTES + 8];
    const int length = snprintf(text, sizeof text, "move %s", node);
    for (int i = 0; i < ATTEMPTS && strcmp(owner, node) != 0; i++) {
        cluster_session_listen(s, EACH_MS);
        const bool follows = look_at_nodes(s, node, owner);
        if (owner[0] == '\0') return cli_fail("cluster: no owner of map %s is heard", s->map);
        if (follows && strcmp(owner, node) != 0) s->log->publish(s->log, CLUSTER_LOG_ASK, text, (size_t)length);
    }
    if (strcmp(owner, node) == 0) printf("%s: %s\n", s->map, owner);
    if (strcmp(owner, node) == 0) return CLI_DONE;
    cli_fail("cluster: map %s stays with %s: %s does not follow it closely", s->map, owner, node);
    return CLI_ANSWER_IS_NO;
}

/* ---- the command line ---- */

static int backup_map(cluster_session *s, const cluster_given *given) {
    return cluster_backup(s, given->words[3]);
}

static int restore_map(cluster_session *s, const cluster_given *given) {
    return cluster_restore(s, given->words[3], given->replicas);
}

static int repair_map(cluster_session *s, const cluster_given *given) {
    if (!given->journal) return cli_fail("cluster: repair goes with --journal FILE");
    return cluster_repair(s, given->journal, given->keep);
}

typedef int verb_fn(cluster_session *session, const cluster_given *given);
static const struct verb {
    const char *name;
    size_t words; ///< words of the command line
    bool silent;  ///< the command fails while beats of an owner arrive
    verb_fn *run;
} verbs[] = {{"init", 4, true, init_map},       {"check", 3, false, check_map},  {"backup", 4, false, backup_map},
             {"restore", 4, true, restore_map}, {"repair", 3, true, repair_map}, {"world", 4, true, set_world},
             {"move", 4, false, move_map},      {"format", 4, true, set_format}};

static int run_verb(const struct verb *verb, const cluster_given *given) {
    cluster_session s;
    if (!cluster_is_word(given->words[2])) return cli_fail("cluster: '%s' is no name of a map", given->words[2]);
    if (verb->run == move_map && !cluster_is_word(given->words[3]))
        return cli_fail("cluster: '%s' is no name of a node", given->words[3]);
    int status = cluster_session_open(&s, &given->login, given->words[2]);
    if (!status && verb->silent) status = cluster_session_need_silence(&s);
    if (!status) status = verb->run(&s, given);
    cluster_session_close(&s);
    return status;
}

static int run(int argc, char **argv) {
    enum { WORDS = 4, OWN = 5 };
    cluster_given given = {.json = false};
    const cli_option options[OWN + CLUSTER_LOGIN_OPTIONS] = {
        {"json", CLI_FLAG, &given.json, NULL, 0, 0, 0, "status as JSON"},
        {"replicas", CLI_NUMBER, &given.replicas, "N", 1, 5, 1, "of the streams that init and restore make: 1, 3 or 5"},
        {"max-agents", CLI_NUMBER, &given.most_agents, "N", 1, WEND_MAX_AGENTS, 32768,
         "of the nodes of the map, for init and world"},
        {"journal", CLI_TEXT, &given.journal, "FILE", 0, 0, 0, "of a node, for repair"},
        {"keep", CLI_CHOICE, &given.keep, "neither|log|journal", 0, 0, 0, "where log and journal part"},
        CLUSTER_LOGIN_ROWS(given.login)};
    int status =
        cli_parse(&cli_cluster, options, OWN + CLUSTER_LOGIN_OPTIONS, argc, argv, given.words, WORDS, &given.count);
    if (status) return status;
    given.login.urls = given.words[0];
    if (given.replicas == 2 || given.replicas == 4) return cli_fail("cluster: replicas are 1, 3 or 5");
    if (given.count == 2 && strcmp(given.words[1], "status") == 0) return show_status(&given);
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0] && given.count >= 2; i++)
        if (strcmp(given.words[1], verbs[i].name) == 0 && given.count == verbs[i].words)
            return run_verb(&verbs[i], &given);
    return cli_fail("cluster: what to do? (usage: wend cluster %s)", cli_cluster.usage);
}

const cli_command cli_cluster = {
    .name = "cluster",
    .usage =
        "URL status|init MAP FILE|check MAP|backup MAP FILE|restore MAP FILE|repair MAP|world MAP FILE|move MAP NODE|"
        "format MAP N [OPTION]...",
    .summary = "which node owns which map",
    .details = details,
    .run = run,
    .package = SERVER_VERSION,
};
