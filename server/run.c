/* SPDX-License-Identifier: MIT */
/* wend run: a game server in a text file. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/script.h"
#include "cli/world/world.h"
#include "cli/output/draw.h"
#include "cli/output/messages.h"
#include "cli/shared/options.h"
#include "cli/shared/rules.h"
#include "server_version.h"

static const char explanation[] = "The recording of several maps is played by the file that begins with recording.\n"
                                  "A CELL is X,Y or X,Y,Z; on a graph it is the number of a node.\n"
                                  "Options win over the script's limits. What is pending at the end of the script\n"
                                  "is cancelled. Each completion is a JSON object: frame, id, status, cost, cells,\n"
                                  "expansions, frames, epoch, checked, exact, engine. A request that is refused\n"
                                  "prints frame, id and error.\n"
                                  "Agents of the crowd walk by themselves, never two in one cell; a step of theirs\n"
                                  "ends each frame. What becomes of their goals is a line each: frame, agent,\n"
                                  "event, cell (and why for gave_up). The event displaced: the agent was pushed off\n"
                                  "its goal, could not come back, and goes on trying. away: its land is not loaded,\n"
                                  "and it goes on by time; back: it stands on loaded land again. walk runs frames\n"
                                  "until every goal of an agent has ended.\n"
                                  "Exit status: 0 the script ran to its end, whatever the answers; 1 an answer is\n"
                                  "not what expect names; 2 bad usage or input.";

static char details[8192]; /* text for --help: the commands, and `explanation` */

static void make_details(void) {
    FILE *out = fmemopen(details, sizeof details, "w");
    char limits[512];
    int at = snprintf(limits, sizeof limits, "WHAT is one of");
    if (!out) return;
    fprintf(out, "A script has one command a line; # begins a comment. It begins with its map.\n");
    for (int32_t kind = 0; kind < WEND_ORDER_KINDS; kind++) {
        if ((wend__order_rows[kind].where & WEND__SCRIPT) == 0) continue;
        fprintf(out, "  ");
        cli_print_wrapped(out, 2, 6, wend__order_rows[kind].usage);
    }
    for (int32_t i = 0; i < WEND__LIMIT_COUNT; i++)
        at += snprintf(limits + at, sizeof limits - (size_t)at, " %s", wend__limit_words[i].text);
    snprintf(limits + at, sizeof limits - (size_t)at, ".");
    cli_print_wrapped(out, 0, 2, limits);
    fprintf(out, "%s", explanation);
    fclose(out);
}

static int run_text(const char *path, const char *text, size_t size, const script_options *options) {
    script_state script;
    if (script_maps_begins(text, size)) {
        if (options->picture != 0 || options->film_file || options->record_file)
            return cli_fail("run: --draw, --animate and --record are for one map");
        const int of_maps = script_maps_run(path, text, size, options);
        return of_maps;
    }
    script_init(&script, path, text, size, options);
    int status = script_marks_begin(&script);
    if (!status) status = script_run(&script);
    if (!status && script.cancelled > 0)
        cli_note_at(path, "the script ended with %llu request%s pending, now cancelled; drain answers them first",
                    (unsigned long long)script.cancelled, script.cancelled == 1 ? "" : "s");
    script_free(&script);
    cli_world_free(&script.built);
    script_marks_end();
    if (fflush(options->out) != 0 || ferror(options->out)) return cli_fail("standard output cannot be written");
    return status;
}

static int run(int argc, char **argv) {
    make_details();
    bool json = false; /* has no effect: run always prints JSON */
    int32_t engine = 0, verbose = 0, draw = CLI_DRAW_NONE;
    script_options given = {.out = stdout};
    wend_service_tuning tuning;
    wend_service_tuning_init(&tuning, sizeof tuning);
    const cli_option options[] = {
        {"json", CLI_FLAG, &json, NULL, 0, 0, 0, "print JSON, which is done anyway"},
        {"workers", CLI_NUMBER, &given.workers, "N", 0, 64, 0, "threads that search with the ticking one"},
        {"lanes", CLI_GIVEN, &given.lanes, "N", 1, 64, tuning.lanes, "searches that take turns in a round"},
        {"slice", CLI_GIVEN, &given.slice, "N", 1, UINT64_MAX, tuning.slice, "expansions of a lane in a round"},
        {"budget", CLI_NUMBER, &given.budget, "N", 0, UINT64_MAX, SCRIPT_DEFAULT_BUDGET,
         "expansions of a frame where the script names none"},
        {"engine", CLI_CHOICE, &engine, CLI_ENGINES, 0, 0, 0, "which search; A* where jump search cannot serve"},
        {"landmarks", CLI_NUMBER, &given.landmarks, "N", 0, WEND_MAX_LANDMARKS, 0,
         "landmarks made for jump search before the first frame"},
        {"hash", CLI_FLAG, &given.hash, NULL, 0, 0, 0,
         "print a hash over all completions, and one over all positions, at the end"},
        {"hash-frames", CLI_FLAG, &given.hash_frames, NULL, 0, 0, 0,
         "print a hash of all that decides later frames after each one"},
        {"draw", CLI_CHOICE, &draw, CLI_DRAWS, 0, 0, 0,
         "a picture of the last frame; without --output, JSON goes to stderr"},
        {"output", CLI_TEXT, &given.picture_file, "FILE", 0, 0, 0, "write the picture there"},
        {"record", CLI_TEXT, &given.record_file, "FILE", 0, 0, 0, "write a recording there, for wend run --hash"},
        {"record-from", CLI_NUMBER, &given.record_from, "FRAME", 0, UINT64_MAX, 0,
         "begin it, and the hashes, behind that frame, with a save; 0: with the first request"},
        {"animate", CLI_TEXT, &given.film_file, "FILE.svg", 0, 0, 0, "write a film of the agents there, as one SVG"},
        CLI_VERBOSE_OPTION(&verbose),
        CLI_READING_OPTIONS,
    };
    const char *path;
    size_t word_count;
    int status = cli_parse(&cli_run, options, sizeof options / sizeof options[0], argc, argv, &path, 1, &word_count);
    if (status) return status;
    if (word_count == 0) return cli_fail("run: which script? (usage: wend run %s)", cli_run.usage);
    status = cli_draw_check_options(&draw, given.picture_file, json);
    if (status) return status;
    given.engine = engine;
    cli_print_log(verbose);
    given.picture = draw == CLI_DRAW_NONE ? 0 : draw + WEND_PICTURE_ANSI;
    if (given.picture != 0 && !given.picture_file) given.out = stderr; /* the picture is on stdout */
    size_t size;
    char *text = cli_read_file(path, CLI_MAX_SCRIPT_BYTES, &size);
    if (!text) return CLI_BAD_INPUT;
    status = run_text(path, text, size, &given);
    free(text);
    return status;
}

const cli_command cli_run = {
    .name = "run",
    .usage = "SCRIPT [OPTION]...",
    .summary = "run a script, a game server in a text file",
    .details = details,
    .run = run,
    .package = SERVER_VERSION,
};
