/* SPDX-License-Identifier: MIT */
/* wend convert: from any map file to the format that the other file's name asks for. */
#include <string.h>

#include "cli.h"
#include "save.h"

static int run(int argc, char **argv) {
    const char *words[2];
    size_t count;
    int status = cli_parse(&cli_convert, NULL, 0, argc, argv, words, 2, &count);
    if (status != -1) return status;
    if (count < 2) return cli_fail("convert: from which file to which? (see wend convert --help)");
    int32_t format;
    status = cli_format_of(words[1], &format);
    if (status != -1) return status;
    cli_world world;
    status = cli_world_load(words[0], &world);
    if (status != -1) return status;
    status = cli_save(world.map, words[1], format, &world.markers);
    if (format == WEND_FORMAT_MOVINGAI && status == -1 && (world.markers.has_start || world.markers.has_goal))
        fprintf(stderr, "wend: start and goal are left out: a .map has no place for them\n");
    cli_world_free(&world);
    return status == -1 ? CLI_DONE : status;
}

const cli_command cli_convert = {
    "convert", "IN OUT", "write a map in another format",
    "IN is a map file, a world file, or - for standard input. OUT's name says the format: .txt (grid text) or .map\n"
    "(MovingAI). What the format cannot hold is refused, naming the first cell.",
    run};
