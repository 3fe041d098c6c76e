/* SPDX-License-Identifier: MIT */
/* Scripts for `wend run`: any text runs to its end or stops with one message that has a place; every request is
 * answered or refused, once; and a second run prints the same bytes. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz_bytes.h"
#include "fuzz_messages.h"

#include "script/script.h"

/* Returns the output, to be freed. */
static char *run(const char *text, size_t size, size_t *printed) {
    char *bytes = NULL;
    FILE *out = open_memstream(&bytes, printed);
    FUZZ_CHECK(out);
    script_options options = {.budget = SCRIPT_DEFAULT_BUDGET,
                              .out = out,
                              .most_cells = 1 << 12,
                              .most_frames = 100,
                              .most_bytes = 1 << 28,
                              .no_files = true};
    script_state script;
    script_init(&script, "script", text, size, &options);
    fuzz_messages = 0;
    int status = script_run(&script);
    FUZZ_CHECK(status == CLI_DONE ? fuzz_messages == 0
                                  : fuzz_messages == 1 && (status == CLI_BAD_INPUT || status == CLI_ANSWER_IS_NO));
    FUZZ_CHECK(script.service == NULL || status != CLI_DONE);
    for (size_t i = 0; i < script.names.capacity; i++) {
        const script_name *name = (const void *)script.names.items[i];
        FUZZ_CHECK(name == NULL || !name->pending || status != CLI_DONE);
    }
    script_free(&script);
    cli_world_free(&script.built);
    FUZZ_CHECK(fclose(out) == 0);
    return bytes;
}

/* As wend serve loads it. */
static void load_served(const char *text, size_t size) {
    script_options options = {.most_cells = 1 << 12, .no_files = true, .serves = true};
    script_state script;
    script_init(&script, "script", text, size, &options);
    script.is_world = true;
    fuzz_messages = 0;
    const int status = script_run(&script);
    FUZZ_CHECK(status == CLI_DONE ? fuzz_messages == 0 : fuzz_messages == 1 && status == CLI_BAD_INPUT);
    FUZZ_CHECK(script.service == NULL && script.frames == 0);
    script_free(&script);
    cli_world_free(&script.built);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    /* in memory of its own, with nothing behind its end */
    char *text = malloc(size > 0 ? size : 1);
    FUZZ_CHECK(text);
    if (size > 0) memcpy(text, data, size);
    size_t first_size, second_size;
    char *first = run(text, size, &first_size), *second = run(text, size, &second_size);
    FUZZ_CHECK(first_size == second_size && memcmp(first, second, first_size) == 0);
    load_served(text, size);
    free(first);
    free(second);
    free(text);
    return 0;
}
