/* SPDX-License-Identifier: MIT */
/* Commands of a package that is not in this build: they read no words and print that they are missing. */
#ifndef WEND_SRC_CLI_SHARED_MISSING_H
#define WEND_SRC_CLI_SHARED_MISSING_H

#include "cli/output/messages.h"
#include "cli/shared/options.h"

static inline int cli_missing(const cli_command *command, int argc, char **argv) {
    const char *words[16];
    size_t count;
    const int status = cli_parse(command, NULL, 0, argc, argv, words, 16, &count);
    return status ? status : cli_fail("%s: this program was built without it", command->name);
}

#define MISSING(NAME, USAGE, SUMMARY)                                                                                  \
    static int run_##NAME(int argc, char **argv) {                                                                     \
        return cli_missing(&cli_##NAME, argc, argv);                                                                   \
    }                                                                                                                  \
    const cli_command cli_##NAME = {.name = #NAME, .usage = USAGE, .summary = SUMMARY, .run = run_##NAME};

#endif
