/* SPDX-License-Identifier: MIT */
/* The exactness suite: random worlds with every feature mixed, asked by every engine, in slices and by services, before
 * and after edits and moves, against a plain Dijkstra. A plain program. Exits non-zero where an answer is wrong.
 *
 *   check_exact [QUERIES [SEED [JOBS [WRONG]]]]    4,000 queries, seed 1 and one process by default; 0 jobs: one a
 *                                                  processor. WRONG wrong answers end it, 20 by default
 *   check_exact world SEED NUMBER                  one world again; it is drawn where an answer is wrong
 *
 * Each world follows from the seed and its number alone, so the last line of a message repeats its mismatch. */
#define _DEFAULT_SOURCE
#include "exact/exact.h"
#include "models/fast.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_JOBS = 64 };

/* World of each process, for reports when it dies. */
static uint64_t *visited, *visiting;

/* Before any edit, after edits, after moves, after both; in every other world under other rules, too. */
static void visit_world(uint64_t seed, uint64_t number) {
    static world w;
    oracle_random random = {seed};
    random.state = oracle_next(&random) ^ number * UINT64_C(0xd1342543de82ef95);
    exact_here.number = number;
    if (visiting) *visiting = number;
    exact_total.worlds++;
    if (number % 6 == 5) {
        exact_other_kinds(&random);
        return;
    }
    exact_here.world = &w;
    world_fill_wide(&w, &random, number % 8 == 3 || number % 16 == 13 ? 1 + (int)(number / 16 % 3) : 0);
    exact_total.wrapped += w.wrap != 0;
    wend_map *map = exact_map(&w, &random, &exact_here.landmarks);
    exact_layers_make(&w, map);
    for (int phase = 0; phase < 3; phase++) {
        exact_by_search(&w, map, &random);
        if (oracle_below(&random, 3) == 0) exact_by_service(&w, map, &random);
        exact_while_moving(&w, map, &random);
        const int change = oracle_below(&random, 3);
        if (change != 1) exact_edit(&w, map, &random);
        if (change != 0) exact_move(&w, map, &random);
        exact_layers_change(&w, map);
        if (number % 2 == 0 || oracle_below(&random, 2) == 0) continue;
        exact_change_rules(&w, map, &random);
        exact_layers_derive(&w); /* walls follow from the rules */
        exact_total.ruled++;
    }
    wend_map_release(map);
}

static void visit_worlds(uint64_t queries, uint64_t seed, uint64_t first, uint64_t stride) {
    for (uint64_t number = first; exact_total.queries < queries; number += stride) visit_world(seed, number);
}

/* ---- processes ---- */

static void add_up(const exact_tally *part) {
    uint64_t *sums = (uint64_t *)&exact_total;
    const uint64_t *parts = (const uint64_t *)part;
    for (size_t i = 0; i < sizeof exact_total / sizeof *sums; i++) sums[i] += parts[i];
}

/* Where one process fails, the others need not go on. */
static bool wait_for(pid_t *children, long jobs) {
    bool good = true;
    for (long left = jobs; left > 0; left--) {
        int status = 0;
        const pid_t ended = wait(&status);
        const bool failed = ended < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
        for (long job = 0; job < jobs; job++) {
            if (children[job] == ended && failed && good)
                fprintf(stderr, "check_exact: it ended in world %" PRIu64 " %" PRIu64 "\n", exact_here.seed,
                        visited[job]);
            if (children[job] == ended) children[job] = 0;
            if (children[job] > 0 && failed && good) kill(children[job], SIGTERM);
        }
        good = good && !failed;
    }
    return good;
}

/* Each process takes every JOBS-th world. @return true if all succeeded */
static bool visit_in_jobs(uint64_t queries, uint64_t seed, long jobs) {
    int pipes[MOST_JOBS][2];
    pid_t children[MOST_JOBS];
    fflush(NULL);
    visited = mmap(NULL, MOST_JOBS * sizeof *visited, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(visited != MAP_FAILED);
    for (long job = 0; job < jobs; job++) {
        REQUIRE(pipe(pipes[job]) == 0);
        children[job] = fork();
        REQUIRE(children[job] >= 0);
        if (children[job] > 0) continue;
        visiting = &visited[job];
        visit_worlds(queries / (uint64_t)jobs, seed, (uint64_t)job, (uint64_t)jobs);
        const ssize_t written = write(pipes[job][1], &exact_total, sizeof exact_total);
        exit(written == (ssize_t)sizeof exact_total && exact_total.wrong == 0 ? 0 : 1);
    }
    const bool good = wait_for(children, jobs);
    for (long job = 0; job < jobs; job++) {
        exact_tally part;
        close(pipes[job][1]);
        if (read(pipes[job][0], &part, sizeof part) == (ssize_t)sizeof part) add_up(&part);
        close(pipes[job][0]);
    }
    return good;
}

static void report(void) {
    const exact_tally *t = &exact_total;
    const struct {
        const char *name;
        uint64_t count;
    } counts[] = {
        {"by jump search", t->jumped},        {"weighted", t->weighted},       {"by services", t->serviced},
        {"on voxels and graphs", t->kinds},   {"with a moved goal", t->moved}, {"again with other slices", t->repeated},
        {"paying for layers", t->tolled},     {"with limits", t->limited},     {"worlds with tables", t->accelerated},
        {"worlds with landmarks", t->marked}, {"changes of rules", t->ruled},  {"worlds that wrap", t->wrapped}};
    printf("%" PRIu64 " queries in %" PRIu64 " worlds, %" PRIu64 " wrong", t->queries, t->worlds, t->wrong);
    for (int status = 0; status < WEND_STATUS_COUNT; status++)
        if (t->statuses[status]) printf("; %" PRIu64 " %s", t->statuses[status], wend_status_name(status));
    printf("; while units moved");
    for (int status = 0; status < WEND_STATUS_COUNT; status++)
        if (t->stirred[status]) printf(" %" PRIu64 " %s", t->stirred[status], wend_status_name(status));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        printf("; %" PRIu64 " %s", counts[i].count, counts[i].name);
    printf("\n");
}

/* A suite in which a feature never came up would show nothing of it. */
static bool has_everything(uint64_t queries) {
    const exact_tally *t = &exact_total;
    if (queries < 1000) return true;
    const bool outcomes = t->statuses[WEND_STATUS_FOUND] > queries / 4 && t->statuses[WEND_STATUS_PARTIAL] > 0 &&
                          t->statuses[WEND_STATUS_NO_PATH] > 0 && t->statuses[WEND_STATUS_GOAL_BLOCKED] > 0 &&
                          t->statuses[WEND_STATUS_START_BLOCKED] > 0;
    const bool moves = t->stirred[WEND_STATUS_FOUND] > 0 && t->stirred[WEND_STATUS_NO_PATH] > 0 &&
                       t->stirred[WEND_STATUS_GOAL_BLOCKED] > 0 && t->stirred[WEND_STATUS_PARTIAL] > 0;
    const bool fast = !HAS_FAST || (t->jumped > queries / 100 && t->accelerated > 0 && t->marked > 0);
    const bool ways = t->weighted > queries / 50 && t->serviced > 0 && t->kinds > 0 && t->moved > 0 &&
                      t->repeated > 0 && t->limited > 0 && t->ruled > 0 && t->wrapped > 0 && t->tolled > queries / 100;
    if (!outcomes || !fast || !ways || !moves) fprintf(stderr, "check_exact: something never came up\n");
    return outcomes && fast && ways && moves;
}

/* Worlds that found mistakes which few others do. */
static void visit_known(void) {
    exact_here.seed = 20261123;
    visit_world(exact_here.seed, 42); /* the open list took the pages that a late directory needed */
    exact_here.seed = 1;
    visit_world(exact_here.seed, 144); /* jump search missed a way around a unit that came meanwhile */
}

int main(int argc, char **argv) {
    if (argc == 4 && strcmp(argv[1], "world") == 0) {
        exact_here.seed = strtoull(argv[2], NULL, 10), exact_here.draw = true;
        exact_here.most_wrong = 5;
        visit_world(exact_here.seed, strtoull(argv[3], NULL, 10));
        report();
        return exact_total.wrong > 0;
    }
    const uint64_t queries = argc > 1 ? strtoull(argv[1], NULL, 10) : 4000;
    long jobs = argc > 3 ? strtol(argv[3], NULL, 10) : 1;
    exact_here.seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    exact_here.most_wrong = argc > 4 ? strtoull(argv[4], NULL, 10) : 20;
    if (queries == 0 || argc > 5 || jobs < 0 || jobs > MOST_JOBS) {
        fprintf(stderr, "usage: check_exact [QUERIES [SEED [JOBS [WRONG]]]] | check_exact world SEED NUMBER\n");
        return 2;
    }
    if (jobs == 0) jobs = sysconf(_SC_NPROCESSORS_ONLN);
    const bool good = visit_in_jobs(queries, exact_here.seed, jobs);
    if (argc == 1) visit_known();
    report();
    return good && exact_total.wrong == 0 && has_everything(queries) ? 0 : 1;
}
