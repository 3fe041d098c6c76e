/* SPDX-License-Identifier: MIT */
/* wend run: a game server in a text file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/script/script.h"
#include "cli/script/world.h"
#include "cli/shared/draw.h"
#include "cli/shared/messages.h"
#include "cli/shared/options.h"

static const char details[] =
    "A script has one command a line; # begins a comment. It begins with its map:\n"
    "  map FILE | grid W H | voxels W H D | graph\n"
    "  neighbours N | corners never|one|always | cost S D [T]\n"
    "  limit queue|reserve|displace|share|nodes|lanes|slice|quantum|fair|restarts|horizon|versions|cells N\n"
    "  limit searches|list|evictions|goals|polls|paths N\n"
    "  mover NAME [size=N] [CLASS=FACTOR|blocked]...\n"
    "  node ID [X Y [Z]] | edge A B COST\n"
    "  set CELL open|blocked|N | fill CELL CELL open|blocked|N\n"
    "  step A B open|blocked | link A B COST | unlink A B\n"
    "  occupy CELL | vacate CELL\n"
    "  request NAME FROM TO [urgency=N] [deadline=N] [max=N] [mode=exact|nearest]\n"
    "          [reach=N] [goals=CELL;CELL...] [mover=NAME] [occupied=ignore|block|COST]\n"
    "          [occupied_within=N] [leave_blocked_start] [agent=N]\n"
    "          [on_stale=restart|deliver] [weight=W] [engine=auto|astar|jump]\n"
    "          [heuristic=exact|manhattan|euclid|zero]\n"
    "  cancel NAME | urgency NAME N | goal NAME CELL\n"
    "  agent NAME CELL [speed=N] [mover=NAME] [urgency=N] [ghost]\n"
    "  go NAME... to CELL [reach=N] | follow NAME NAME2 [reach=N]\n"
    "  flee NAME NAME2 [distance=N] [keep] | steer NAME CELL\n"
    "  halt NAME... | remove NAME... | positions\n"
    "  route NAME once|loop|back CELL... | take NAME ROUTE | watch NAME\n"
    "  crowd [agents|paths|events|units_within|tries|retry|routes|route_cells|head_start=N]\n"
    "        [fields=N] [field_agents=N] [work=N] [patience=N]\n"
    "  adjust NAME [cell=CELL] [speed=N] [urgency=N]\n"
    "  publish | accelerate [mover=NAME] [landmarks=N] [units] | expect NAME STATUS [cost=N]\n"
    "  frame [COUNT] [budget=N] [rounds=N] [intakes=N] [deliveries=N] [cells=N]\n"
    "        [changes=N] [checks=N] [chosen=N] | drain [budget=N] | walk [frames=N] [budget=N]\n"
    "A recording also has: recording | during [NAME] | maintain EFFORT | poll | close\n"
    "  update [MILLI] | disband\n"
    "  and request ... polled, prepare [mover=NAME] [landmarks=N] [tables=0|1] [effort=N]\n"
    "  [bytes=N] [later] [units]\n"
    "The recording of several maps is played by the file that begins with recording.\n"
    "A CELL is X,Y or X,Y,Z; on a graph it is the number of a node.\n"
    "Options win over the script's limits. What is pending at the end of the script is cancelled.\n"
    "Each completion is a JSON object: frame, id, status, cost, cells, expansions, frames, epoch,\n"
    "checked, exact, engine. A request that is refused prints frame, id and error.\n"
    "Agents of the crowd walk by themselves, never two in one cell; a step of theirs ends each frame.\n"
    "What becomes of their wishes is a line each: frame, agent, event, cell (and why for gave_up).\n"
    "walk runs frames until every wish of an agent has ended.\n"
    "Exit status: 0 the script ran to its end, whatever the answers; 1 an answer is not what expect\n"
    "names; 2 bad usage or input.";

static int run_text(const char *path, const char *text, size_t size, const cli_run_options *options) {
    cli_script script;
    if (cli_maps_begins(text, size)) {
        if (options->picture != 0 || options->film_file != NULL || options->record_file != NULL)
            return cli_fail("run: --draw, --animate and --record are for one map");
        const int of_maps = cli_maps_run(path, text, size, options);
        return of_maps == -1 ? CLI_DONE : of_maps;
    }
    cli_script_init(&script, path, text, size, options);
    int status = cli_script_run(&script);
    if (status == -1 && script.cancelled > 0)
        cli_note_at(path, "the script ended with %llu request%s pending, now cancelled; drain answers them first",
                    (unsigned long long)script.cancelled, script.cancelled == 1 ? "" : "s");
    cli_script_free(&script);
    cli_world_free(&script.built);
    if (fflush(options->out) != 0 || ferror(options->out)) return cli_fail("standard output cannot be written");
    return status == -1 ? CLI_DONE : status;
}

static int run(int argc, char **argv) {
    bool json = false; /* has no effect: run always prints JSON */
    int32_t engine = 0, draw = CLI_DRAW_NONE;
    cli_run_options given = {.budget = CLI_DEFAULT_BUDGET, .out = stdout};
    const cli_option options[] = {
        {"json", CLI_FLAG, &json, NULL, 0, 0, "print JSON, which is done anyway"},
        {"workers", CLI_NUMBER, &given.workers, "N", 0, 64, "threads beside the thread that ticks; default 0"},
        {"lanes", CLI_NUMBER, &given.lanes, "N", 1, 64, "searches that take turns in a round; default 4"},
        {"slice", CLI_NUMBER, &given.slice, "N", 1, UINT64_MAX, "expansions of a lane in a round; default 1000"},
        {"budget", CLI_NUMBER, &given.budget, "N", 0, UINT64_MAX,
         "expansions of a frame where the script names none; default 20000"},
        {"engine", CLI_CHOICE, &engine, "auto|astar|jump", 0, 0, "which search; A* where jump search cannot serve"},
        {"landmarks", CLI_NUMBER, &given.landmarks, "N", 0, WEND_MAX_LANDMARKS,
         "landmarks made for jump search before the first frame; default 0"},
        {"hash", CLI_FLAG, &given.hash, NULL, 0, 0,
         "print a hash over all completions, and one over all positions, at the end"},
        {"draw", CLI_CHOICE, &draw, CLI_DRAWS, 0, 0,
         "a picture of the last frame; without --output, JSON goes to stderr"},
        {"output", CLI_TEXT, &given.picture_file, "FILE", 0, 0, "write the picture there"},
        {"record", CLI_TEXT, &given.record_file, "FILE", 0, 0, "write a recording there, for wend run --hash"},
        {"animate", CLI_TEXT, &given.film_file, "FILE.svg", 0, 0, "write a film of the agents there, as one SVG"},
    };
    const char *path;
    size_t word_count;
    int status = cli_parse(&cli_run, options, sizeof options / sizeof options[0], argc, argv, &path, 1, &word_count);
    if (status != -1) return status;
    if (word_count == 0) return cli_fail("run: which script? (usage: wend run %s)", cli_run.usage);
    status = cli_draw_check_options(&draw, given.picture_file, json);
    if (status != -1) return status;
    given.engine = engine;
    given.picture = draw == CLI_DRAW_NONE ? 0 : draw + WEND_PICTURE_ANSI;
    if (given.picture != 0 && given.picture_file == NULL) given.out = stderr; /* the picture is on stdout */
    size_t size;
    char *text = cli_read_file(path, CLI_MAX_SCRIPT_BYTES, &size);
    if (text == NULL) return CLI_BAD_INPUT;
    status = run_text(path, text, size, &given);
    free(text);
    return status;
}

const cli_command cli_run = {"run", "SCRIPT [OPTION]...", "run a script, a game server in a text file", details, run};
