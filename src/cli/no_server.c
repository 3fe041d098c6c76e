/* SPDX-License-Identifier: MIT */
/* The commands of the package `server`, and world files, in a build without it: each prints that it is missing. */
#include "cli/output/messages.h"
#include "cli/shared/missing.h"
#include "cli/world/world.h"

static int load(const char *path, const char *bytes, size_t size, int32_t depth, const struct script_options *options,
                cli_world *out) {
    (void)bytes, (void)size, (void)depth, (void)options, (void)out;
    return cli_fail_at(path, 0, 0, "a script, which this program reads only where it was built with its server");
}
const cli_world_files cli_world_files_read = {load};

MISSING(run, "SCRIPT", "play a script (not in this build)")
MISSING(diff, "A B", "where two runs part (not in this build)")
MISSING(serve, "WORLD", "a server with a page (not in this build)")
MISSING(cluster, "URL status", "which node owns which map (not in this build)")
MISSING(orders, "", "the catalogue of orders (not in this build)")
