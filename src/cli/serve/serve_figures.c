/* SPDX-License-Identifier: MIT */
/* The figures that Prometheus reads: of the service, its frames and its memory. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "cli/serve/serve.h"
#include "cli/shared/messages.h"

int serve_figures_open(serve *server) {
    wend_figures_def def;
    wend_figures_def_init(&def, sizeof def);
    def.frames = 0; /* histograms only */
    const wend_error error = wend_figures_create(&def, &server->figures);
    if (error != WEND_OK) return cli_fail("serve: figures: %s", wend_error_text(error));
    wend_service_set_figures(server->service, server->figures);
    return -1;
}

void serve_figures_close(serve *server) {
    wend_figures_destroy(server->figures);
    server->figures = NULL;
}

/* Resident bytes of the process; 0: the system does not say. */
static uint64_t resident_bytes(void) {
    size_t bytes;
    if (uv_resident_set_memory(&bytes) != 0) return 0;
    return bytes;
}

size_t serve_figures_write(void *context, char *out, size_t capacity) {
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
    const size_t length = serve_metrics_write(&numbers, NULL, 0);
    char *text = malloc(length + 1);
    if (text == NULL) return 0;
    serve_metrics_write(&numbers, text, length + 1);
    if (capacity > 0) memcpy(out, text, length < capacity ? length : capacity);
    free(text);
    return length;
}
