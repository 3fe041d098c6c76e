/* SPDX-License-Identifier: MIT */
/* wend serve in a build without libwebsockets: an error. */
#include "cli/output/messages.h"
#include "cli/shared/options.h"
#include "server_version.h"

static int run_cluster(int argc, char **argv) {
    const char *word;
    size_t words;
    const int status = cli_parse(&cli_cluster, NULL, 0, argc, argv, &word, 1, &words);
    if (status) return status;
    return cli_fail("cluster: this program was built without wend serve");
}

static int run(int argc, char **argv) {
    const char *word;
    size_t words;
    const int status = cli_parse(&cli_serve, NULL, 0, argc, argv, &word, 1, &words);
    if (status) return status;
    return cli_fail("serve: this program was built without it: libwebsockets was not found, or --disable-serve given");
}

const cli_command cli_cluster = {
    .name = "cluster",
    .usage = "URL status",
    .summary = "which node owns which map (not in this build)",
    .run = run_cluster,
    .package = SERVER_VERSION,
};
const cli_command cli_serve = {
    .name = "serve",
    .usage = "WORLD",
    .summary = "a server with a page (not in this build)",
    .run = run,
    .package = SERVER_VERSION,
};
