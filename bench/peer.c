/* SPDX-License-Identifier: MIT */
/* Shared by the benches of other libraries: a map and a scenario read by wend, and the line that they print. */
#include "harness.h"
#include "peer.h"

static void refuse(const char *path, const wend_file_error *error) {
    fprintf(stderr, "%s:%d: %s\n", path, (int)error->line, error->text);
    exit(2);
}

void peer_open(peer_task *task, int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: %s MAP SCEN [REPS]\n", argv[0]);
        exit(2);
    }
    wend_file_error error = {.struct_bytes = sizeof error};
    *task = (peer_task){.repeats = argc > 3 ? atoi(argv[3]) : 3};
    if (wend_map_load(argv[1], NULL, &task->map, NULL, &error) != WEND_OK) refuse(argv[1], &error);
    task->scen = read_scenario(argv[2]);
    wend_map_info info = info_now(task->map);
    task->width = info.width;
    task->height = info.height;
    task->queries = task->scen.queries, task->count = task->scen.count;
}

bool peer_is_open(const void *of, int x, int y) {
    const peer_task *task = of;
    uint8_t terrain = 0;
    if (x < 0 || y < 0 || wend_map_get_terrain(task->map, (wend_cell){x, y, 0}, &terrain) != WEND_OK) return false;
    wend_map_rules rules = default_rules();
    return rules.factors[terrain] > 0;
}

double peer_least(double a, double b) {
    return a < b ? a : b;
}

void peer_count(peer_task *task, double us, bool found) {
    task->us += us;
    task->found += found;
}

int peer_close(peer_task *task) {
    printf("{\"queries\":%zu,\"found\":%zu,\"us_per_query\":%.3f}\n", task->count, task->found,
           task->us / (double)(task->count > 0 ? task->count : 1));
    scenario_free(&task->scen);
    wend_map_release(task->map);
    return 0;
}
