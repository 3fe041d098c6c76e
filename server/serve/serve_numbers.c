/* SPDX-License-Identifier: MIT */
/* Numbers of the server for /metrics: of frames, memory, the journal and the node. */
#define _GNU_SOURCE

#include <stdio.h>
#include <unistd.h>

#include "serve/serve_log.h"

/* Resident pages are the second number of /proc/self/statm. Systems without it have no such number. */
static uint64_t resident_bytes(void) {
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    if (fscanf(file, "%*s %llu", &pages) != 1) pages = 0;
    fclose(file);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

size_t serve_write_metrics(void *context, char *out, size_t capacity) {
    serve *server = context;
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(server->world.map, &info);
    serve_numbers numbers = {.totals = &server->counts.totals,
                             .figures = server->counts.figures,
                             .budget = server->clock.budget.expansions,
                             .budget_us = server->clock.budget.us,
                             .service_bytes = server->counts.service_bytes,
                             .map_bytes = info.bytes,
                             .resident_bytes = resident_bytes()};
    numbers.journal = serve_log_numbers(server, &numbers);
    serve_node_numbers(server, &numbers);
    return serve_metrics_write(&numbers, out, capacity);
}
