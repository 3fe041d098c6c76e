/* SPDX-License-Identifier: MIT */
/* Scenario files of benches, read by the laboratory. */
#include "scenario_file.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness.h"

scenario read_scenario(const char *path) {
    scenario out;
    wend_file_error error;
    size_t size = 0, capacity = 1 << 16, more;
    FILE *file = fopen(path, "rb");
    char *bytes = malloc(capacity);
    need(file && bytes, path);
    while ((more = fread(bytes + size, 1, capacity - size, file)) > 0) {
        size += more;
        if (size == capacity) bytes = realloc(bytes, capacity *= 2);
        need(bytes, "out of memory");
    }
    fclose(file);
    if (scenario_parse(bytes, size, &out, &error)) {
        fprintf(stderr, "%s:%d: %s\n", path, (int)error.line, error.text);
        exit(2);
    }
    free(bytes);
    return out;
}
