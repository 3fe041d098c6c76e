/* SPDX-License-Identifier: MIT */
/* Level files that assimp would read, in a build without it. */
#include "cli/output/messages.h"
#include "level.h"

int level_load_other(const char *path, level_file *out) {
    (void)out;
    return cli_fail_at(path, 0, 0, "this build has no assimp: it reads levels of .obj alone");
}
