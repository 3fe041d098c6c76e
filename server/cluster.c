/* SPDX-License-Identifier: MIT */
/* wend cluster: who owns which map, and requests that another node should. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "cli/shared/options.h"
#include "cluster/member.h"

static const char details[] =
    "status   every map with its owner, term and epoch, and the nodes that follow it, with the entries of the log\n"
    "         that they have not done yet\n"
    "move     hands a map over to a node that follows it, and waits until it owns it\n"
    "drain    hands over every map that a node owns, each to the follower that is least behind\n"
    "URL is that of wend serve --cluster. Nodes that said nothing for 10 s are left out.\n"
    "Exit status: 0 done; 1 a map was not handed over; 2 bad usage, or no cluster there.";

/// Notes of nodes: each has how far the node is with one map.
typedef struct notes {
    struct note {
        char map[CLUSTER_NODE_BYTES + 1], node[CLUSTER_NODE_BYTES + 1];
        cluster_note said;
    } * items;
    size_t count, capacity;
} notes;

typedef struct names {
    char (*items)[CLUSTER_NODE_BYTES + 1];
    size_t count, capacity;
} names;

/// All answers of the store.
typedef struct view {
    cluster_store *store;
    names maps, nodes;
    notes notes;
    bool failed;
} view;

static void add_name(names *list, const char *name) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], name) == 0) return;
    if (!WEND__ARRAY_ROOM(list->items, list->capacity, list->count + 1)) return;
    snprintf(list->items[list->count++], sizeof list->items[0], "%s", name);
}

static void read_note(view *v, const char *key) {
    struct note note = {.map = ""};
    cluster_value value;
    if (!cluster_node_key_read(key, note.map, note.node)) return;
    if (v->store->get(v->store, key, &value) != CLUSTER_DONE) return;
    if (!cluster_note_read(value.text, &note.said) || !cluster_note_is_new(&note.said)) return;
    if (!WEND__ARRAY_ROOM(v->notes.items, v->notes.capacity, v->notes.count + 1)) return;
    v->notes.items[v->notes.count++] = note;
    add_name(&v->nodes, note.node);
}

static void read_key(void *context, const char *key) {
    view *v = context;
    if (strncmp(key, "node.", strlen("node.")) == 0)
        read_note(v, key);
    else if (!strchr(key, '.'))
        add_name(&v->maps, key);
}

static int compare(const void *a, const void *b) {
    return strcmp(a, b);
}

static int compare_notes(const void *a, const void *b) {
    const struct note *one = a, *two = b;
    const int maps = strcmp(one->map, two->map);
    return maps ? maps : strcmp(one->node, two->node);
}

static void read_store(view *v) {
    v->failed = v->store->list(v->store, "", read_key, v) != CLUSTER_DONE;
    if (v->maps.count > 0) qsort(v->maps.items, v->maps.count, sizeof v->maps.items[0], compare);
    if (v->nodes.count > 0) qsort(v->nodes.items, v->nodes.count, sizeof v->nodes.items[0], compare);
    if (v->notes.count > 0) qsort(v->notes.items, v->notes.count, sizeof v->notes.items[0], compare_notes);
}

static bool read_holder(const view *v, const char *map, cluster_holder *out) {
    cluster_value value;
    return v->store->get(v->store, map, &value) == CLUSTER_DONE && cluster_holder_read(value.text, out);
}

static bool owns(const cluster_holder *holder, const char *node) {
    return strcmp(holder->node, node) == 0;
}

static uint64_t lag(const cluster_holder *holder, const struct note *note) {
    return holder->entry > note->said.entry ? holder->entry - note->said.entry : 0;
}

/* ---- status ---- */

static void print_json(const view *v) {
    printf("{\"maps\":[");
    for (size_t i = 0; i < v->maps.count; i++) {
        cluster_holder holder;
        const char *separator = "";
        if (!read_holder(v, v->maps.items[i], &holder)) holder = (cluster_holder){.node = "-"};
        printf("%s{\"map\":\"%s\",\"owner\":", i > 0 ? "," : "", v->maps.items[i]);
        printf(owns(&holder, "-") ? "null" : "\"%s\"", holder.node);
        printf(",\"term\":%" PRIu64 ",\"epoch\":%" PRIu64 ",\"replicas\":[", holder.term, holder.epoch);
        for (size_t k = 0; k < v->notes.count; k++) {
            const struct note *note = &v->notes.items[k];
            if (strcmp(note->map, v->maps.items[i]) != 0 || owns(&holder, note->node)) continue;
            printf("%s{\"node\":\"%s\",\"lag\":%" PRIu64 "}", separator, note->node, lag(&holder, note));
            separator = ",";
        }
        printf("]}");
    }
    printf("],\"nodes\":[");
    for (size_t i = 0; i < v->nodes.count; i++) printf("%s\"%s\"", i > 0 ? "," : "", v->nodes.items[i]);
    printf("]}\n");
}

static void print_text(const view *v) {
    for (size_t i = 0; i < v->maps.count; i++) {
        cluster_holder holder;
        if (!read_holder(v, v->maps.items[i], &holder)) continue;
        printf("%s: %s, term %" PRIu64 ", epoch %" PRIu64, v->maps.items[i],
               owns(&holder, "-") ? "nobody owns it" : holder.node, holder.term, holder.epoch);
        for (size_t k = 0; k < v->notes.count; k++) {
            const struct note *note = &v->notes.items[k];
            if (strcmp(note->map, v->maps.items[i]) == 0 && !owns(&holder, note->node))
                printf("; %s follows, %" PRIu64 " behind", note->node, lag(&holder, note));
        }
        printf("\n");
    }
    if (v->maps.count == 0) printf("no map has an owner yet\n");
}

/* ---- move and drain ---- */

/* The owner heeds a request when it renews its lease, and forgets it where the node does not follow closely yet. */
static int move(const view *v, const char *map, const char *node) {
    enum { PATIENCE_S = 10, STEP_NS = 20000000 };
    const uint64_t second_ns = 1000000000;
    cluster_holder holder;
    const uint64_t until = cluster_now_ns() + PATIENCE_S * second_ns;
    uint64_t again = 0;
    if (!read_holder(v, map, &holder)) return cli_fail("cluster: there is no map '%s'", map);
    if (owns(&holder, node)) return CLI_DONE;
    while (cluster_now_ns() < until) {
        if (cluster_now_ns() >= again) {
            if (!cluster_request_move(v->store, map, node)) return cli_fail("cluster: the wish could not be written");
            again = cluster_now_ns() + second_ns;
        }
        if (read_holder(v, map, &holder) && owns(&holder, node)) {
            printf("%s: %s, term %" PRIu64 "\n", map, node, holder.term);
            return CLI_DONE;
        }
        nanosleep(&(struct timespec){.tv_nsec = STEP_NS}, NULL);
    }
    (void)cluster_request_move(v->store, map, "");
    cli_fail("cluster: map %s stays with %s: %s does not follow it closely", map, holder.node, node);
    return CLI_ANSWER_IS_NO;
}

static const char *best_follower(const view *v, const char *map, const char *but) {
    const struct note *best = NULL;
    for (size_t k = 0; k < v->notes.count; k++) {
        const struct note *note = &v->notes.items[k];
        if (strcmp(note->map, map) != 0 || strcmp(note->node, but) == 0) continue;
        if (!best || note->said.entry > best->said.entry) best = note;
    }
    return best ? best->node : NULL;
}

static int drain(const view *v, const char *node) {
    int status = CLI_DONE;
    for (size_t i = 0; i < v->maps.count; i++) {
        cluster_holder holder;
        if (!read_holder(v, v->maps.items[i], &holder) || !owns(&holder, node)) continue;
        const char *heir = best_follower(v, v->maps.items[i], node);
        if (!heir) cli_fail("cluster: no other node follows map %s", v->maps.items[i]);
        const int moved = heir ? move(v, v->maps.items[i], heir) : CLI_ANSWER_IS_NO;
        if (moved) status = moved;
    }
    return status;
}

static int act(view *v, const char **words, size_t count, bool json) {
    read_store(v);
    if (v->failed) return cli_fail("cluster: no answer");
    if (strcmp(words[1], "move") == 0 && count == 4) return move(v, words[2], words[3]);
    if (strcmp(words[1], "drain") == 0 && count == 3) return drain(v, words[2]);
    if (json)
        print_json(v);
    else
        print_text(v);
    return CLI_DONE;
}

/* Names go into keys. */
static int check(const char **words, size_t count) {
    const bool status = count == 2 && strcmp(words[1], "status") == 0;
    const bool moves = count == 4 && strcmp(words[1], "move") == 0,
               drains = count == 3 && strcmp(words[1], "drain") == 0;
    if (!status && !moves && !drains)
        return cli_fail("cluster: what to do? (usage: wend cluster %s)", cli_cluster.usage);
    for (size_t i = 2; i < count; i++)
        if (!cluster_is_name(words[i])) return cli_fail("cluster: '%s' is no name of a map or a node", words[i]);
    return CLI_DONE;
}

static int run(int argc, char **argv) {
    enum { WORDS = 4 };
    const char *words[WORDS];
    char why[CLUSTER_WHY_BYTES];
    bool json = false;
    size_t count;
    view v = {.store = NULL};
    const cli_option options[] = {{"json", CLI_FLAG, &json, NULL, 0, 0, 0, "status as JSON"}};
    int status = cli_parse(&cli_cluster, options, 1, argc, argv, words, WORDS, &count);
    if (status) return status;
    status = check(words, count);
    if (status) return status;
    v.store = cluster_store_open(words[0], why);
    if (!v.store) return cli_fail("cluster: %s", why);
    status = act(&v, words, count, json);
    v.store->close(v.store);
    free(v.maps.items);
    free(v.nodes.items);
    free(v.notes.items);
    return status;
}

const cli_command cli_cluster = {"cluster", "URL status|move MAP NODE|drain NODE [--json]", "which node owns which map",
                                 details, run};
