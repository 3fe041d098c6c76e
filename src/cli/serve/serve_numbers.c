/* SPDX-License-Identifier: MIT */
/* The numbers behind /metrics: figures of the service, sums over its frames, and memory. */
#define _GNU_SOURCE

#include <stdio.h>
#include <unistd.h>

#include "cli/serve/serve.h"
#include "cli/shared/messages.h"

int serve_numbers_open(serve *server) {
    wend_figures_def def;
    wend_figures_def_init(&def, sizeof def);
    const wend_error error = wend_figures_create(&def, &server->figures);
    if (error != WEND_OK) return cli_fail("serve: figures: %s", wend_error_text(error));
    wend_service_set_figures(server->service, server->figures);
    return -1;
}

void serve_numbers_close(serve *server) {
    wend_figures_destroy(server->figures);
    server->figures = NULL;
}

/* The second number of /proc/self/statm is of pages in memory. Systems without it have no such number. */
static uint64_t resident_bytes(void) {
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL) return 0;
    if (fscanf(file, "%*s %llu", &pages) != 1) pages = 0;
    fclose(file);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

size_t serve_numbers_write(void *context, char *out, size_t capacity) {
    const serve *server = context;
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(server->map, &info);
    const serve_numbers numbers = {.totals = &server->totals,
                                   .figures = server->figures,
                                   .budget = server->budget.expansions,
                                   .budget_us = server->budget.us,
                                   .service_bytes = server->service_bytes,
                                   .map_bytes = info.bytes,
                                   .resident_bytes = resident_bytes()};
    return serve_metrics_write(&numbers, out, capacity);
}
