/* SPDX-License-Identifier: MIT */
/* wend diff: two runs, or two saves; the first frame after which they differ, and an object that differs in it. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/output/messages.h"
#include "cli/shared/options.h"
#include "diff/diff.h"
#include "saves/saves.h"
#include "server_version.h"

static int compare(const char *const paths[2], char *const texts[2], const size_t sizes[2], uint64_t budget) {
    static diff_side sides[2];
    bool saves[2];
    for (int i = 0; i < 2; i++) {
        saves[i] = saved_is_one(texts[i], sizes[i]);
        if (script_maps_begins(texts[i], sizes[i]))
            return cli_fail("diff: '%s' is a recording of several maps", paths[i]);
        sides[i] = (diff_side){.path = paths[i], .text = texts[i], .size = sizes[i], .budget = budget};
    }
    if (saves[0] != saves[1]) return cli_fail("diff: one is a save, and one is not");
    return saves[0] ? diff_saves(sides, stdout) : diff_scripts(sides, stdout);
}

static int diff(int argc, char **argv) {
    const char *paths[2];
    char *texts[2] = {NULL, NULL};
    size_t sizes[2], count;
    uint64_t budget = SCRIPT_DEFAULT_BUDGET;
    const cli_option options[] = {
        {"budget", CLI_NUMBER, &budget, "N", 0, UINT64_MAX, SCRIPT_DEFAULT_BUDGET,
         "expansions of a frame where a script names none"},
        CLI_READING_OPTIONS,
    };
    int status = cli_parse(&cli_diff, options, sizeof options / sizeof options[0], argc, argv, paths, 2, &count);
    if (status) return status;
    if (count < 2) return cli_fail("diff: which two? (usage: wend diff %s)", cli_diff.usage);
    for (int i = 0; i < 2 && !status; i++) {
        texts[i] = cli_read_file(paths[i], CLI_MAX_SCRIPT_BYTES, &sizes[i]);
        if (!texts[i]) status = CLI_BAD_INPUT;
    }
    if (!status) status = compare(paths, texts, sizes, budget);
    for (int i = 0; i < 2; i++) free(texts[i]);
    return status;
}

static const char details[] = "Runs two scripts or recordings, or reads two files of `save`, and prints one\n"
                              "JSON object: the first frame after which they differ, and an object that does\n"
                              "(map, layer, chunk, cell, edge, link, step, route, agent, box, request, unit,\n"
                              "queue, crowd, frame), as each has it; or {\"same\":true,\"frames\":N}. A script\n"
                              "and its own recording are the same. Exit status 1 where they differ.\n";

const cli_command cli_diff = {
    .name = "diff",
    .usage = "A B [OPTION]...",
    .summary = "where two runs, or two saves, part",
    .details = details,
    .run = diff,
    .package = SERVER_VERSION,
};
