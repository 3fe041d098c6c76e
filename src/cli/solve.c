/* SPDX-License-Identifier: MIT */
/* wend solve: one path on one map, by a search on its own. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct arguments {
    const char *map, *from, *mover, *output;
    cli_list to;
    cli_rules rules;
    int32_t mode, smooth, draw;
    uint64_t reach, slice;
    bool json;
} arguments;

static int parse(int argc, char **argv, arguments *out) {
    const cli_option options[] = {
        {"from", CLI_TEXT, &out->from, "CELL", 0, 0, "start, as X,Y; otherwise the file's A"},
        {"to", CLI_LIST, &out->to, "CELL", 0, 0, "goal, as X,Y; otherwise the file's B"},
        {"mover", CLI_TEXT, &out->mover, "NAME", 0, 0, "kind of agent; only 'default' in this version"},
        {"neighbours", CLI_CHOICE, &out->rules.neighbours, CLI_NEIGHBOURS, 0, 0,
         "steps from a cell; 4 or 8 on flat grids"},
        {"corners", CLI_CHOICE, &out->rules.corners, CLI_CORNERS, 0, 0, "when a diagonal step is allowed"},
        {"cost", CLI_TEXT, &out->rules.cost, "S,D[,T]", 0, 0, "of a straight and a diagonal step"},
        {"heuristic", CLI_CHOICE, &out->rules.heuristic, CLI_HEURISTICS, 0, 0, "estimate of what is left"},
        {"weight", CLI_DECIMAL_MILLI, &out->rules.weight_milli, "W", 1000, WEND_WEIGHT_MAX_MILLI,
         "cost up to W times the optimum"},
        {"engine", CLI_CHOICE, &out->rules.engine, CLI_ENGINES, 0, 0, "which search; jump is not available yet"},
        {"reach", CLI_NUMBER, &out->reach, "N", 0, UINT32_MAX, "end within N cells of the goal; only 0 yet"},
        {"mode", CLI_CHOICE, &out->mode, "exact|nearest", 0, 0, "nearest is not available yet"},
        {"slice", CLI_NUMBER, &out->slice, "N", 1, UINT64_MAX, "expansions at a time"},
        {"smooth", CLI_CHOICE, &out->smooth, "none|pull|spline|arc", 0, 0, "only none in this version"},
        {"draw", CLI_CHOICE, &out->draw, CLI_DRAWS, 0, 0, "a picture instead of the coordinates"},
        {"output", CLI_TEXT, &out->output, "FILE", 0, 0, "put the picture there, and the coordinates on stdout"},
        {"json", CLI_FLAG, &out->json, NULL, 0, 0, "one JSON object"},
    };
    size_t words;
    int status = cli_parse(&cli_solve, options, sizeof options / sizeof options[0], argc, argv, &out->map, 1, &words);
    if (status != -1) return status;
    if (words == 0) return cli_fail("solve: which map? (see wend solve --help)");
    return -1;
}

static int refuse_later_features(const arguments *given) {
    if (given->mode == 1) return cli_fail("--mode nearest is not available in this version");
    if (given->reach > 0) return cli_fail("--reach is not available in this version");
    if (given->smooth > 0) return cli_fail("--smooth is not available in this version; only --smooth none is");
    if (given->to.count > 1) return cli_fail("several --to are not available in this version");
    if (given->mover != NULL && strcmp(given->mover, "default") != 0)
        return cli_fail("--mover %s is not available in this version; only 'default' is", given->mover);
    return cli_engine_check(given->rules.engine);
}

/* One end of the path, from its option or from the file. */
static int take_cell(const wend_map_info *info, const char *option, const char *text, bool has_marker, wend_cell marker,
                     wend_cell *out) {
    if (text == NULL && !has_marker)
        return cli_fail("%s is missing, and the map has no %c", option, strcmp(option, "--from") == 0 ? 'A' : 'B');
    if (text == NULL) {
        *out = marker;
        return -1;
    }
    if (!cli_parse_cell(text, out)) return cli_fail("%s is a cell such as 3,1; not '%s'", option, text);
    if (out->x < 0 || out->y < 0 || out->z < 0 || out->x >= info->width || out->y >= info->height ||
        out->z >= info->depth)
        return cli_fail("%s %s is not on the map: x is from 0 to %" PRId32 ", y from 0 to %" PRId32, option, text,
                        info->width - 1, info->height - 1);
    return -1;
}

static int make_request(const arguments *given, const cli_world *world, wend_request *request) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_describe(world->map, &info);
    int status = cli_rules_apply(&given->rules, &info.rules);
    if (status != -1) return status;
    int32_t error = wend_map_set_rules(world->map, &info.rules);
    if (error != WEND_OK) return cli_fail("%s", wend_error_text(error));
    *request = wend_request_default();
    request->map = world->map;
    request->heuristic = given->rules.heuristic;
    request->engine = given->rules.engine;
    request->weight_milli = given->rules.weight_milli;
    const wend_map_markers *markers = &world->markers;
    status = take_cell(&info, "--from", given->from, markers->has_start, markers->start, &request->start);
    if (status != -1) return status;
    const char *to = given->to.count > 0 ? given->to.items[0] : NULL;
    return take_cell(&info, "--to", to, markers->has_goal, markers->goal, &request->goal);
}

/* Room for the whole map, twice as a long or dear path needs; memory that is never touched costs nothing. Where that is
   more than there is, or than can be counted, less has to do. */
static int32_t create_search(const wend_map *map, wend_search **out) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_describe(map, &info);
    wend_search_def def = wend_search_default();
    def.nodes = 2 * WEND_PAGE_NODES * (uint64_t)((info.width + 63) / 64) * (uint64_t)((info.height + 63) / 64);
    int32_t error = wend_search_create(&def, out);
    while (error != WEND_OK && def.nodes > WEND_PAGE_NODES) {
        def.nodes /= 2;
        error = wend_search_create(&def, out);
    }
    return error;
}

static void run_search(wend_search *search, uint64_t slice, const wend_map *map) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_describe(map, &info);
    uint64_t cells = (uint64_t)info.width * (uint64_t)info.height, done = 0, used = 0;
    while (wend_search_step(search, slice, &used) == WEND_STATUS_PENDING) {
        done += used;
        cli_progress("searching", done, cells);
    }
    cli_progress_end();
}

static void print_json(const wend_completion *result, const wend_cell *cells, size_t count) {
    printf("{\"status\":\"%s\",\"cost\":%" PRId64 ",\"cells\":", wend_status_name(result->status), result->cost);
    cli_json_cells(stdout, cells, count);
    printf(",\"expansions\":%" PRIu64 ",\"exact\":%s", result->expansions, result->exact ? "true" : "false");
    if (!result->exact) printf(",\"bound\":%.3f", (double)result->bound_milli / 1000);
    printf(",\"engine\":\"%s\"}\n", result->engine == WEND_ENGINE_ASTAR ? "astar" : "auto");
}

static int draw_path(const arguments *given, const wend_request *request, const wend_cell *cells, size_t count) {
    wend_picture picture = wend_picture_default();
    wend_picture_path path = {cells, count};
    picture.map = request->map;
    picture.paths = &path;
    picture.path_count = count > 0 ? 1 : 0;
    picture.starts = &request->start;
    picture.goals = &request->goal;
    picture.start_count = picture.goal_count = 1;
    return cli_draw(&picture, given->draw, given->output);
}

static int report(const arguments *given, const wend_request *request, const wend_completion *result,
                  const wend_cell *cells, size_t count) {
    if (given->draw != CLI_DRAW_NONE) {
        int status = draw_path(given, request, cells, count);
        if (status != -1) return status;
    }
    if (given->json)
        print_json(result, cells, count);
    else if (given->draw == CLI_DRAW_NONE || given->output != NULL)
        for (size_t i = 0; i < count; i++) printf("%" PRId32 ",%" PRId32 "\n", cells[i].x, cells[i].y);
    if (result->status == WEND_STATUS_FOUND) return CLI_DONE;
    if (!given->json) cli_fail("%s", wend_status_name(result->status));
    return CLI_ANSWER_IS_NO;
}

static int solve(const arguments *given, const cli_world *world) {
    wend_request request;
    int status = make_request(given, world, &request);
    if (status != -1) return status;
    wend_search *search = NULL;
    wend_cell *cells = NULL;
    size_t count = 0;
    wend_completion result = {.struct_bytes = sizeof result};
    int32_t error = create_search(world->map, &search);
    if (error == WEND_OK) error = wend_search_begin(search, &request);
    if (error == WEND_OK) {
        run_search(search, given->slice, world->map);
        wend_search_result(search, &result);
        size_t capacity = result.status == WEND_STATUS_FOUND ? result.cell_count : 0;
        cells = malloc((capacity + 1) * sizeof *cells);
        if (cells == NULL)
            error = WEND_OUT_OF_MEMORY;
        else if (capacity > 0)
            error = wend_search_path(search, cells, capacity, &count);
    }
    status = error == WEND_OK ? report(given, &request, &result, cells, count) : cli_fail("%s", wend_error_text(error));
    wend_search_destroy(search);
    free(cells);
    return status;
}

static int run(int argc, char **argv) {
    arguments given = {.rules = {.neighbours = -1, .corners = -1, .weight_milli = 1000},
                       .mode = -1,
                       .smooth = -1,
                       .draw = CLI_DRAW_NONE,
                       .reach = 0,
                       .slice = 4096};
    int status = parse(argc, argv, &given);
    if (status == -1) status = refuse_later_features(&given);
    if (status == -1) status = cli_draw_settle(&given.draw, given.output, given.json);
    if (status != -1) return status;
    cli_world world;
    status = cli_world_load(given.map, &world);
    if (status != -1) return status;
    status = solve(&given, &world);
    cli_world_free(&world);
    return status;
}

const cli_command cli_solve = {
    "solve",
    "MAP [--from CELL] [--to CELL]... [--mover NAME] [--neighbours 4|8|6|18|26] [--corners never|one|always]\n"
    "     [--cost S,D[,T]] [--heuristic exact|manhattan|euclid|zero] [--weight W] [--engine auto|astar|jump] [--reach "
    "N]\n"
    "     [--mode exact|nearest] [--slice N] [--smooth none|pull|spline|arc] [--draw ansi|svg|png] [--output FILE] "
    "[--json]",
    "find a shortest path on a map and print its cells",
    "MAP is a map file, a world file, or - for standard input. Prints one x,y a line, start and goal included.\n"
    "Exit status: 0 found; 1 there is no path; 2 bad usage or input.",
    run};
