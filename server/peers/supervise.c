/* SPDX-License-Identifier: MIT */
/* Reads the list of maps, starts their processes, and waits for one to end or for a signal. */
#define _GNU_SOURCE

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "cluster/lease.h"
#include "cli/output/messages.h"
#include "peers/supervise.h"
#include "script/script.h"

enum { FIRST_WAIT_MS = 100, LONGEST_WAIT_MS = 10000, NS_A_MS = 1000000 };

typedef struct process {
    char *name, *file; ///< of its map; the file's is to be freed, the name is in the text of the list
    pid_t pid;         ///< 0: it does not run
    bool served;       ///< it has run for a while once
    uint64_t begun_ms, again_ms, wait_ms; ///< started at; to be started again at, and after how long
} process;

typedef struct node {
    process *items;
    size_t count, capacity;
    const supervise_def *def;
    sigset_t signals, before;
} node;

static uint64_t now_ms(void) {
    return cluster_now_ns() / NS_A_MS;
}

/* ---- the list ---- */

static int add_map(node *n, const char *list, int number, char *line) {
    char *rest, *name = strtok_r(line, " \t\r", &rest);
    if (!name || name[0] == '#') return CLI_DONE;
    const char *file = strtok_r(NULL, " \t\r", &rest);
    if (!file || strtok_r(NULL, " \t\r", &rest)) return cli_fail_at(list, number, 0, "a line is NAME FILE");
    if (!cluster_is_name(name))
        return cli_fail_at(list, number, 0, "a map's name has 1 to 63 letters, digits, '_' and '-'");
    for (size_t i = 0; i < n->count; i++)
        if (strcmp(n->items[i].name, name) == 0) return cli_fail_at(list, number, 0, "map %s is here twice", name);
    if (n->count == SUPERVISE_MOST_MAPS)
        return cli_fail_at(list, number, 0, "a node has at most %d maps", SUPERVISE_MOST_MAPS);
    char *path = script_path_beside(list, (script_word){.text = file, .length = strlen(file)});
    if (!path || !WEND__ARRAY_ROOM(n->items, n->capacity, n->count + 1)) {
        free(path);
        return cli_fail("out of memory");
    }
    n->items[n->count++] = (process){.name = name, .file = path, .wait_ms = FIRST_WAIT_MS};
    return CLI_DONE;
}

static int read_list(node *n, const char *list, char *text) {
    int status = CLI_DONE, number = 0;
    char *rest = text;
    for (char *line; !status && (line = strsep(&rest, "\n"));) status = add_map(n, list, ++number, line);
    if (!status && n->count == 0) return cli_fail_at(list, 0, 0, "it names no map");
    return status;
}

/* ---- processes ---- */

/* The address of `given` with a free port; a path of lines with the map's name. */
static void own_address(const char *given, const char *name, char *out, size_t room) {
    const char *colon = strrchr(given, ':');
    if (strchr(given, '/'))
        snprintf(out, room, "%s.%s", given, name);
    else
        snprintf(out, room, "%.*s:0", colon ? (int)(colon - given) : 0, given);
}

/* Options that come later replace those before; without --maps, it serves one. */
static void become(const node *n, const process *p) {
    char listen[256], lines[256];
    const supervise_def *def = n->def;
    const char *extra[] = {p->file,    "--map",     p->name,   "--maps",   "",
                           "--listen", def->listen, "--lines", def->lines, NULL};
    char **argv = calloc((size_t)def->argc + sizeof extra / sizeof extra[0] + 1, sizeof *argv);
    if (!argv) _exit(CLI_BAD_INPUT);
    own_address(def->listen, p->name, listen, sizeof listen);
    own_address(def->lines ? def->lines : def->listen, p->name, lines, sizeof lines);
    if (p != n->items) extra[6] = listen;
    if (p != n->items || !def->lines) extra[8] = lines;
    static char program[] = "wend";
    argv[0] = program;
    memcpy(argv + 1, def->argv, (size_t)def->argc * sizeof *argv);
    memcpy(argv + 1 + def->argc, extra, sizeof extra);
    sigprocmask(SIG_SETMASK, &n->before, NULL);
    execv("/proc/self/exe", argv);
    _exit(CLI_BAD_INPUT);
}

/* A process ends with this one, however that ends. */
static void start(const node *n, process *p) {
    const pid_t parent = getpid();
    p->begun_ms = now_ms();
    p->again_ms = p->begun_ms + p->wait_ms;
    p->pid = fork();
    if (p->pid == 0) {
        if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || getppid() != parent) _exit(CLI_BAD_INPUT);
        become(n, p);
    }
    if (p->pid > 0) return;
    cli_note("serve: map %s: no process: %s", p->name, strerror(errno));
    p->pid = 0;
}

/* A process that ends soon after its start waits longer each time. */
static void plan_again(process *p, int how) {
    const uint64_t now = now_ms();
    const bool soon = now - p->begun_ms < LONGEST_WAIT_MS;
    p->served = p->served || !soon;
    p->wait_ms = !soon ? FIRST_WAIT_MS : p->wait_ms < LONGEST_WAIT_MS / 2 ? 2 * p->wait_ms : LONGEST_WAIT_MS;
    p->again_ms = now + p->wait_ms;
    cli_note("serve: the process of map %s ended with %s %d, and is started again in %u ms", p->name,
             WIFSIGNALED(how) ? "signal" : "status", WIFSIGNALED(how) ? WTERMSIG(how) : WEXITSTATUS(how),
             (unsigned)p->wait_ms);
}

/* @return CLI_DONE, or the status of a server that refused its world before it ever served */
static int collect(node *n, bool ending) {
    int how, status = CLI_DONE;
    for (pid_t pid; (pid = waitpid(-1, &how, WNOHANG)) > 0;)
        for (size_t i = 0; i < n->count; i++) {
            process *p = &n->items[i];
            if (p->pid != pid) continue;
            p->pid = 0;
            if (!p->served && WIFEXITED(how) && WEXITSTATUS(how) == CLI_BAD_INPUT) status = CLI_BAD_INPUT;
            if (!ending && !status) plan_again(p, how);
        }
    return status;
}

/* Starts the due ones. @return ms until the next one's time */
static uint64_t start_due(node *n) {
    uint64_t wait = LONGEST_WAIT_MS;
    const uint64_t now = now_ms();
    for (size_t i = 0; i < n->count; i++) {
        process *p = &n->items[i];
        if (p->pid == 0 && p->again_ms <= now) start(n, p);
        if (p->pid == 0 && p->again_ms - now < wait) wait = p->again_ms - now;
    }
    return wait;
}

static size_t end_all(const node *n, int signal) {
    size_t left = 0;
    for (size_t i = 0; i < n->count; i++)
        if (n->items[i].pid > 0) left++, kill(n->items[i].pid, signal);
    return left;
}

/* @return the signal that came; 0: none in that time */
static int await_signal(const node *n, uint64_t ms) {
    const struct timespec wait = {(time_t)(ms / 1000), (long)(ms % 1000) * NS_A_MS};
    const int signal = sigtimedwait(&n->signals, NULL, &wait);
    return signal > 0 ? signal : 0;
}

/* They answer what is pending, and have time for it. */
static void wind_down(node *n) {
    enum { PATIENCE_MS = 10000, STEP_MS = 100 };
    const uint64_t until = now_ms() + PATIENCE_MS;
    size_t left = end_all(n, SIGTERM);
    while (left > 0) {
        await_signal(n, STEP_MS);
        collect(n, true);
        left = end_all(n, now_ms() < until ? 0 : SIGKILL);
    }
}

static int run(node *n) {
    int status = CLI_DONE;
    sigemptyset(&n->signals);
    sigaddset(&n->signals, SIGCHLD);
    sigaddset(&n->signals, SIGTERM);
    sigaddset(&n->signals, SIGINT);
    sigprocmask(SIG_BLOCK, &n->signals, &n->before);
    for (int signal = 0; !status && signal != SIGTERM && signal != SIGINT;) {
        const uint64_t wait = start_due(n);
        signal = await_signal(n, wait);
        status = collect(n, false);
    }
    wind_down(n);
    sigprocmask(SIG_SETMASK, &n->before, NULL);
    return status;
}

static int check_replicas(const node *n) {
    for (size_t i = 0, k; i < n->def->replica_count; i++) {
        for (k = 0; k < n->count && strcmp(n->items[k].name, n->def->replicas[i]) != 0;) k++;
        if (k == n->count) return cli_fail_at(n->def->maps, 0, 0, "there is no map %s here", n->def->replicas[i]);
    }
    return CLI_DONE;
}

int supervise(const supervise_def *def) {
    node n = {.def = def};
    enum { MOST_BYTES = 1 << 20 };
    size_t size;
    char *text = cli_read_file(def->maps, MOST_BYTES, &size);
    if (!text) return CLI_BAD_INPUT;
    int status = read_list(&n, def->maps, text);
    if (!status) status = check_replicas(&n);
    if (!status) status = run(&n);
    for (size_t i = 0; i < n.count; i++) free(n.items[i].file);
    free(n.items);
    free(text);
    return status;
}
