/* SPDX-License-Identifier: MIT */
/* A log by commands: reads commands from standard input, and prints all that happens. For log.py. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/output/messages.h"
#include "store/log.h"

static const char *const outcomes[] = {"done", "refused", "too_large", "failed", "unknown"};

static void on_entry(void *context, uint64_t sequence, const char *bytes, size_t size) {
    (void)context;
    printf("entry %" PRIu64 " %zu %.*s\n", sequence, size, (int)strcspn(bytes, "."), bytes);
}

static void on_state(void *context, const cluster_log_state *state) {
    (void)context;
    printf("state %s %" PRIu64 " %" PRIu64 " %s | %s\n", state->usable ? "usable" : "unusable", state->first,
           state->last, state->server, state->why);
}

static void on_message(void *context, cluster_log_message kind, const char *node, const char *bytes, size_t size) {
    (void)context;
    printf("message %d %s %.*s\n", (int)kind, node, (int)size, bytes);
}

static void print_answer(const char *what, const cluster_log_answer *answer) {
    printf("%s %s %" PRIu64 " %s\n", what, outcomes[answer->outcome], answer->sequence, answer->why);
}

/* A text of `size` bytes that begins with a word and a dot. */
static char *fill(const char *word, size_t size) {
    char *text = malloc(size + strlen(word) + 2);
    if (!text) exit(1);
    memset(text, 'x', size + strlen(word) + 1);
    memcpy(text, word, strlen(word));
    text[strlen(word)] = '.';
    text[size] = '\0';
    return text;
}

static void put(cluster_log *log, uint64_t entry, size_t size) {
    cluster_log_snapshot snapshot = {.entry = entry, .term = 3, .after = 4, .state = 5, .size = size};
    char word[24];
    snprintf(word, sizeof word, "%" PRIu64, entry);
    snapshot.text = fill(word, size);
    const cluster_log_answer answer = log->snapshot_put(log, &snapshot);
    print_answer("put", &answer);
    printf("pieces %" PRIu64 " %" PRIu64 "\n", snapshot.first, snapshot.last);
    free(snapshot.text);
}

static void get(cluster_log *log, uint64_t before) {
    cluster_log_snapshot snapshot = {.text = NULL};
    const cluster_log_answer answer = log->snapshot_get(log, before, &snapshot);
    print_answer("get", &answer);
    if (answer.outcome != CLUSTER_LOG_DONE) return;
    char word[24];
    snprintf(word, sizeof word, "%" PRIu64, snapshot.entry);
    char *same = fill(word, snapshot.size);
    printf("snapshot %" PRIu64 " %zu %s\n", snapshot.entry, snapshot.size,
           memcmp(same, snapshot.text, snapshot.size) == 0 ? "same" : "other");
    free(same);
    free(snapshot.text);
}

static void act(cluster_log *log, const char *line) {
    uint64_t a = 0, b = 0;
    char word[256] = "";
    if (sscanf(line, "append %" SCNu64 " %" SCNu64 " %255s", &a, &b, word) == 3) {
        char *text = fill(word, b);
        const cluster_log_answer answer = log->append(log, a, text, strlen(text));
        print_answer("append", &answer);
        free(text);
    } else if (sscanf(line, "follow %" SCNu64, &a) == 1) {
        log->follow(log, a);
    } else if (sscanf(line, "put %" SCNu64 " %" SCNu64, &a, &b) == 2) {
        put(log, a, b);
    } else if (sscanf(line, "get %" SCNu64, &a) == 1) {
        get(log, a);
    } else if (sscanf(line, "purge %" SCNu64 " %" SCNu64, &a, &b) == 2) {
        const cluster_log_answer answer = log->purge(log, a, b);
        print_answer("purge", &answer);
    } else if (sscanf(line, "publish %" SCNu64 " %255s", &a, word) == 2) {
        log->publish(log, (cluster_log_message)a, word, strlen(word));
    } else if (strncmp(line, "most", strlen("most")) == 0) {
        printf("most %zu\n", log->most_entry_bytes(log));
    } else {
        printf("what? %s", line);
    }
}

int main(int argc, char **argv) {
    char why[CLUSTER_LOG_WHY_BYTES], line[512];
    cluster_log_def def = {
        .map = "town", .node = "n1", .on_entry = on_entry, .on_state = on_state, .on_message = on_message};
    setvbuf(stdout, NULL, _IOLBF, 0);
    cli_date_messages();
    for (int option; (option = getopt(argc, argv, "u:n:a:k:c:rv")) >= 0;) switch (option) {
        case 'u': def.login.urls = optarg; break;
        case 'n': def.node = optarg; break;
        case 'a': def.login.auth_file = optarg; break;
        case 'k': def.login.nkey = optarg; break;
        case 'c': def.login.ca = optarg; break;
        case 'r': def.read_only = true; break;
        case 'v': def.login.any_version = true; break;
        default: return 2;
        }
    cluster_log *log = cluster_log_open(&def, why);
    if (!log) printf("not opened: %s\n", why);
    if (!log) return 1;
    while (fgets(line, sizeof line, stdin)) act(log, line);
    log->close(log);
    return 0;
}
