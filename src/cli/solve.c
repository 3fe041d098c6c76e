/* SPDX-License-Identifier: MIT */
/* wend solve: one path on one map, by a single search without a service. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wend/geometry.h>
#include <wend/movers.h>
#include <wend/query.h>
#include <wend/search.h>

#include "cli/shared/legs.h"
#include "cli/world/world.h"
#include "cli/output/cells.h"
#include "cli/output/draw.h"
#include "cli/output/messages.h"
#include "cli/shared/ends.h"
#include "cli/shared/options.h"
#include "cli/shared/rules.h"

/* The option's choices. */
#define SMOOTHS "none|pull|spline|arc"
enum { SMOOTH_NONE, SMOOTH_PULL, SMOOTH_SPLINE, SMOOTH_ARC };

/* A smoothed path: the turns of the pulled line, and the points of the line or curve. */
typedef struct smooth_line {
    int32_t kind; ///< SMOOTH_…
    wend_turn *turns;
    wend_point *line; ///< the turns' points, one for each
    size_t turn_count;
    wend_point *points; ///< points of a curve; of a pulled line the same as `line`
    size_t point_count;
    uint32_t clearance; ///< with --radius: the least distance of the points' line
    bool blocked;       ///< there is no room for a vehicle
} smooth_line;

typedef struct arguments {
    const char *map, *from, *mover, *output;
    cli_list to, avoid;
    cli_rules rules;
    const char *heading;
    int32_t mode, draw, smooth, radius, turning;
    uint64_t reach, slice;
    bool snap, draw_expanded, json;
} arguments;

static int parse(int argc, char **argv, arguments *out) {
    const cli_option options[] = {
        {"from", CLI_TEXT, &out->from, "CELL", 0, 0, 0,
         "start: X,Y or X,Y,Z, or a node's number; default: the map file's"},
        {"to", CLI_LIST, &out->to, "CELL", 0, 0, 0,
         "goal; of several (up to 64) the cheapest one wins; default: the map file's"},
        {"mover", CLI_TEXT, &out->mover, "NAME", 0, 0, 0, "kind of agent, from a world file; default: default"},
        {"avoid", CLI_LIST, &out->avoid, "CLASS", 0, 0, 0, "a terrain class that it never enters; may be repeated"},
        {"neighbours", CLI_CHOICE, &out->rules.neighbours, CLI_NEIGHBOURS, 0, 0, 0,
         "steps from a cell: 4, 6 (hexagons) or 8 on flat grids, 6, 18 or 26 in space"},
        {"corners", CLI_CHOICE, &out->rules.corners, CLI_CORNERS, 0, 0, 0,
         "when a diagonal step past a blocked cell is allowed"},
        {"cost", CLI_TEXT, &out->rules.cost, "S,D[,T]", 0, 0, 0,
         "costs of a straight and a diagonal step, and of one through space"},
        {"heuristic", CLI_CHOICE, &out->rules.heuristic, CLI_HEURISTICS, 0, 0, 0, "estimate of the cost that is left"},
        {"weight", CLI_DECIMAL_MILLI, &out->rules.weight_milli, "W", 1000, WEND_WEIGHT_MAX_MILLI, 1000,
         "a path may cost up to W times the optimum"},
        {"engine", CLI_CHOICE, &out->rules.engine, CLI_ENGINES, 0, 0, 0,
         "which search; A* where jump search cannot serve"},
        {"reach", CLI_NUMBER, &out->reach, "N", 0, WEND_MAX_REACH, 0,
         "end at any cell within N of a goal in x, y and z"},
        {"mode", CLI_CHOICE, &out->mode, "exact|nearest|far", 0, 0, 0,
         "nearest: where no path leads to the goal, go to the nearest cell that can be reached; far: a route "
         "across a large grid, walked leg by leg"},
        {"slice", CLI_NUMBER, &out->slice, "N", 1, UINT64_MAX, 4096, "expansions in one step of the search"},
        {"smooth", CLI_CHOICE, &out->smooth, SMOOTHS, 0, 0, 0,
         "pull: the turns of a line pulled straight; spline, arc: points of a curve along it"},
        {"radius", CLI_DECIMAL_MILLI, &out->radius, "R", 0, WEND_MAX_CLEARANCE, 0,
         "with --smooth: the line keeps R cells from all that is blocked"},
        {"turning", CLI_DECIMAL_MILLI, &out->turning, "R", 0, WEND_MAX_TURNING, 0,
         "with --smooth arc: the curve of a vehicle that turns in circles of R cells at least"},
        {"heading", CLI_TEXT, &out->heading, "DX,DY", 0, 0, 0, "with --turning: the direction in which it begins"},
        {"snap", CLI_FLAG, &out->snap, NULL, 0, 0, 0,
         "take the nearest open cell where the start or a goal is blocked"},
        {"draw", CLI_CHOICE, &out->draw, CLI_DRAWS, 0, 0, 0, "a picture instead of the coordinates"},
        {"draw-expanded", CLI_FLAG, &out->draw_expanded, NULL, 0, 0, 0,
         "show the cells that were expanded in the picture"},
        {"output", CLI_TEXT, &out->output, "FILE", 0, 0, 0,
         "write the picture there; the coordinates go to standard output"},
        {"json", CLI_FLAG, &out->json, NULL, 0, 0, 0, "one JSON object"},
        CLI_READING_OPTIONS,
    };
    size_t words;
    int status = cli_parse(&cli_solve, options, sizeof options / sizeof options[0], argc, argv, &out->map, 1, &words);
    if (status) return status;
    if (words == 0) return cli_fail("solve: which map? (see wend solve --help)");
    return CLI_DONE;
}

/* The arguments, the map and the request; the request's further goals are goals[1] and on. */
typedef struct problem {
    const arguments *given;
    cli_world *world;
    wend_map_info info;
    wend_request request;
    wend_search_options options;
    wend_cell goals[WEND_MAX_GOALS];
    size_t goal_count;
    struct snapped {
        wend_cell asked, taken;
    } snapped[WEND_MAX_GOALS + 1]; /* ends moved by --snap */
    size_t snapped_count;
    wend_cell heading;
    uint64_t expanded; /* cells, of all searches: an expansion is a unit of work, which may count as several */
    struct far_way {
        int64_t cost_at_most;
        wend_cell *crossings;
        size_t crossing_count, first_leg;
    } far; /* the far route */
} problem;

/* Start and goals from the options, or from the map file. */
static int choose_ends(problem *p) {
    const arguments *given = p->given;
    const wend_map_markers *markers = &p->world->markers;
    p->request.start = markers->start;
    p->goals[0] = markers->goal;
    p->goal_count = given->to.count > 0 ? given->to.count : 1;
    if (!given->from && !markers->has_start) return cli_fail("--from is missing, and the map has no start");
    int status =
        given->from ? cli_read_end(p->world->map, &p->info, "--from", given->from, &p->request.start) : CLI_DONE;
    if (!status && given->to.count == 0 && !markers->has_goal)
        return cli_fail("--to is missing, and the map has no goal");
    for (size_t i = 0; i < given->to.count && !status; i++)
        status = cli_read_end(p->world->map, &p->info, "--to", given->to.items[i], &p->goals[i]);
    p->request.goal = p->goals[0];
    p->options.more_goals = p->goals + 1;
    p->options.more_goal_count = (uint32_t)(p->goal_count - 1);
    return status;
}

static int choose_heading(problem *p) {
    wend_cell *to = &p->heading;
    char rest;
    const char *text = p->given->heading;
    if (!text) return CLI_DONE;
    const int read = sscanf(text, "%4" SCNd32 ",%4" SCNd32 "%c", &to->x, &to->y, &rest);
    return read == 2 && (to->x != 0 || to->y != 0) ? CLI_DONE
                                                   : cli_fail("--heading is a direction such as 1,0; not '%s'", text);
}

static int choose_mover(problem *p) {
    const char *name = p->given->mover ? p->given->mover : "default";
    p->request.mover = cli_movers_find(&p->world->movers, name, strlen(name));
    return p->request.mover >= 0 ? CLI_DONE : cli_fail("--mover: the map knows no '%s'", name);
}

static int choose_avoided(problem *p) {
    uint64_t avoided[4] = {0};
    for (size_t i = 0; i < p->given->avoid.count; i++) {
        const char *text = p->given->avoid.items[i];
        uint8_t class;
        char rest;
        if (text[0] < '0' || text[0] > '9' || strlen(text) > 3 || atoi(text) > 255 ||
            sscanf(text, "%" SCNu8 "%c", &class, &rest) != 1)
            return cli_fail("--avoid is a terrain class from 0 to 255; not '%s'", text);
        avoided[class / 64] |= UINT64_C(1) << class % 64;
    }
    const wend_error error = wend_map_mover_avoiding(p->world->map, p->request.mover, avoided, &p->request.mover);
    return error ? cli_fail("--avoid: %s", wend_error_detail(error)) : CLI_DONE;
}

/* Refuse options that have no meaning on a graph. */
static int check_graph(const problem *p) {
    if (p->info.kind != WEND_KIND_GRAPH) return CLI_DONE;
    if (p->given->reach > 0) return cli_fail("--reach is for grids: a graph has no cells to count");
    if (p->given->smooth != SMOOTH_NONE) return cli_fail("--smooth is for grids: edges of a graph are kept");
    if (p->given->mode == WEND_MODE_NEAREST && !p->info.has_coordinates)
        return cli_fail("--mode nearest: the graph's nodes have no coordinates");
    return CLI_DONE;
}

static int set_rules(problem *p) {
    wend_map_rules rules = cli_map_rules(p->world->map);
    int status = cli_rules_apply(&p->given->rules, p->info.kind, &rules);
    if (status) return status;
    wend_error error = cli_world_set_rules(p->world, &rules);
    if (error) return cli_fail("%s", wend_error_detail(error));
    return cli_engine_prepare(p->world->map, p->given->rules.engine, 0, p->given->mode == WEND_MODE_FAR);
}

/* ---- blocked ends ---- */

/* The open cell nearest to a cell, for the request's mover: the cell itself where it is open. */
static bool find_open(const problem *p, wend_cell cell, wend_cell *out) {
    bool found = false;
    wend_error error = wend_map_nearest_open(p->world->map, p->request.mover, cell, WEND_MAX_NEAREST, &found, out);
    return !error && found != 0;
}

static void report_cells(const problem *p, const char *format, wend_cell first, wend_cell second) {
    const cli_cell_words one = cli_cell_text(p->info.kind, first), two = cli_cell_text(p->info.kind, second);
    cli_note(format, one.text, two.text);
}

/* --snap: a blocked end moves to the nearest open cell; one with no open cell in range stays blocked. */
static void snap(problem *p, wend_cell *end) {
    wend_cell open;
    if (!find_open(p, *end, &open) || cli_same_cell(*end, open)) return;
    p->snapped[p->snapped_count++] = (struct snapped){*end, open};
    if (!p->given->json) report_cells(p, "%s is blocked: %s is taken, the nearest that is open", *end, open);
    *end = open;
}

static void snap_ends(problem *p) {
    snap(p, &p->request.start);
    for (size_t i = 0; i < p->goal_count; i++) snap(p, &p->goals[i]);
    p->request.goal = p->goals[0];
}

/* Returns the blocked end that prevents a path, or NULL. */
static const wend_cell *blocked_end(const problem *p, const wend_completion *result) {
    if (result->status == WEND_STATUS_START_BLOCKED) return &p->request.start;
    return result->status == WEND_STATUS_GOAL_BLOCKED ? &p->request.goal : NULL;
}

static int make_request(problem *p) {
    const arguments *given = p->given;
    p->info.struct_bytes = sizeof p->info;
    wend_map_get_info(p->world->map, &p->info);
    wend_request_init(&p->request, sizeof p->request);
    wend_search_options_init(&p->options, sizeof p->options);
    p->request.map = p->world->map;
    p->request.options = &p->options;
    p->options.heuristic = given->rules.heuristic;
    p->options.engine = given->rules.engine;
    p->options.weight_milli = given->rules.weight_milli;
    p->request.mode = given->mode;
    p->request.reach = (int32_t)given->reach;
    int status = set_rules(p);
    if (!status) status = check_graph(p);
    if (!status) status = choose_heading(p);
    if (!status) status = choose_mover(p);
    if (!status) status = choose_avoided(p);
    if (!status) status = choose_ends(p);
    if (!status && given->snap) snap_ends(p);
    return status;
}

static void run_search(problem *p, wend_search *search) {
    uint64_t done = 0, used = 0;
    size_t expanded = 0;
    while (wend_search_step(search, p->given->slice, &used) == WEND_STATUS_PENDING) {
        done += used;
        cli_progress("searching", done, p->info.cells);
    }
    cli_progress_end();
    wend_search_get_expanded(search, NULL, 0, &expanded);
    p->expanded += expanded;
}

/* ---- smooth paths ---- */

static wend_error pull_path(const problem *p, const wend_cell *cells, size_t count, smooth_line *out) {
    const wend_map *map = p->world->map;
    wend_pull_def def;
    wend_pull_def_init(&def, sizeof def);
    def.mover = p->request.mover;
    def.radius_milli = (uint32_t)p->given->radius;
    def.search = true;
    size_t capacity;
    wend_error error = wend_path_pull(map, &def, cells, count, NULL, 0, &capacity);
    if (error) return error;
    out->turns = malloc((capacity + 1) * sizeof *out->turns);
    out->line = malloc((capacity + 1) * sizeof *out->line);
    if (!out->turns || !out->line) return WEND_OUT_OF_MEMORY;
    error = wend_path_pull(map, &def, cells, count, out->turns, capacity, &out->turn_count);
    for (size_t i = 0; i < out->turn_count && !error; i++) {
        const wend_turn *t = &out->turns[i];
        out->line[i] = (wend_point){1000 * t->cell.x + t->offset_x, 1000 * t->cell.y + t->offset_y, 1000 * t->cell.z};
    }
    return error;
}

static wend_error round_line(const problem *p, smooth_line *out) {
    const wend_map *map = p->world->map;
    wend_round_def def;
    size_t count;
    wend_round_def_init(&def, sizeof def);
    def.mover = p->request.mover;
    def.kind = out->kind == SMOOTH_ARC ? WEND_ROUND_ARC : WEND_ROUND_SPLINE;
    def.clearance_milli = (uint32_t)p->given->radius;
    def.turning_milli = (uint32_t)p->given->turning;
    def.heading_x = p->heading.x, def.heading_y = p->heading.y;
    wend_error error = wend_path_round(map, &def, out->turns, out->turn_count, NULL, 0, &count);
    out->blocked = error == WEND_BLOCKED;
    if (error) return out->blocked ? WEND_OK : error;
    out->points = malloc((count + 1) * sizeof *out->points);
    if (!out->points) return WEND_OUT_OF_MEMORY;
    return wend_path_round(map, &def, out->turns, out->turn_count, out->points, count, &out->point_count);
}

/* Smooths a path of any length, also 0. The result is to be freed, also after an error. */
static wend_error smooth_path(const problem *p, const wend_cell *cells, size_t count, smooth_line *out) {
    *out = (smooth_line){.kind = p->given->smooth};
    if (out->kind == SMOOTH_NONE || count == 0) return WEND_OK;
    wend_error error = pull_path(p, cells, count, out);
    if (error) return error;
    if (out->kind == SMOOTH_PULL) {
        out->points = out->line;
        out->point_count = out->turn_count;
    } else {
        error = round_line(p, out);
    }
    if (error || p->given->radius == 0 || out->blocked) return error;
    return wend_line_clearance(p->world->map, p->request.mover, out->points, out->point_count, &out->clearance);
}

static void free_smooth(smooth_line *smooth) {
    if (smooth->points != smooth->line) free(smooth->points);
    free(smooth->turns);
    free(smooth->line);
}

/* Thousandths as a decimal number. */
static void print_milli(FILE *file, int64_t milli) {
    int64_t size = milli < 0 ? -milli : milli;
    fprintf(file, "%s%" PRId64 ".%03" PRId64, milli < 0 ? "-" : "", size / 1000, size % 1000);
}

static void print_point(FILE *file, int32_t map_kind, wend_point p) {
    print_milli(file, p.x + 1000 * (int64_t)cli_first_cell.x);
    fputc(',', file);
    print_milli(file, p.y + 1000 * (int64_t)cli_first_cell.y);
    if (map_kind != WEND_KIND_VOXEL) return;
    fputc(',', file);
    print_milli(file, p.z);
}

/* One point a line: the turns as cells, or else with three decimals, as the samples of a curve. */
static void print_smooth(FILE *file, int32_t map_kind, const smooth_line *smooth, bool exact_points) {
    for (size_t i = 0; i < smooth->point_count; i++) {
        if (smooth->kind == SMOOTH_PULL && !exact_points)
            cli_print_cell(file, map_kind, smooth->turns[i].cell);
        else
            print_point(file, map_kind, smooth->points[i]);
        fputc('\n', file);
    }
}

/* A list of all points, with three decimals. */
static void json_smooth(FILE *file, int32_t map_kind, const smooth_line *smooth) {
    fputc('[', file);
    for (size_t i = 0; i < smooth->point_count; i++) {
        fputs(i == 0 ? "[" : ",[", file);
        print_point(file, map_kind, smooth->points[i]);
        fputc(']', file);
    }
    fputc(']', file);
}

/* ---- printed results ---- */

/* Writes blocked ends: the cells chosen by --snap, or the cell that it would choose. */
static void json_ends(const problem *p, const wend_completion *result) {
    const wend_cell *blocked = blocked_end(p, result);
    wend_cell open;
    for (size_t i = 0; i < p->snapped_count; i++) {
        printf(i == 0 ? ",\"snapped\":[{\"asked\":" : ",{\"asked\":");
        cli_json_cell(stdout, p->info.kind, p->snapped[i].asked);
        printf(",\"taken\":");
        cli_json_cell(stdout, p->info.kind, p->snapped[i].taken);
        printf(i + 1 == p->snapped_count ? "}]" : "}");
    }
    if (!blocked || !find_open(p, *blocked, &open)) return;
    printf(",\"nearest_open\":");
    cli_json_cell(stdout, p->info.kind, open);
}

static void print_json(const problem *p, const wend_completion *result, const wend_cell *cells, size_t count,
                       const smooth_line *smooth) {
    printf("{\"status\":\"%s\",\"cost\":%" PRId64 ",\"cells\":", wend_status_name(result->status), result->cost);
    cli_json_cells(stdout, p->info.kind, cells, count);
    if (smooth->kind != SMOOTH_NONE) {
        printf(",\"points\":");
        json_smooth(stdout, p->info.kind, smooth);
    }
    if (smooth->blocked) printf(",\"blocked\":true");
    if (p->given->radius > 0 && smooth->point_count > 0) {
        printf(",\"clearance\":");
        print_milli(stdout, (int32_t)smooth->clearance);
    }
    if (p->given->mode == WEND_MODE_FAR && result->status == WEND_STATUS_FOUND) {
        printf(",\"cost_at_most\":%" PRId64 ",\"crossings\":", p->far.cost_at_most);
        cli_json_cells(stdout, p->info.kind, p->far.crossings, p->far.crossing_count);
        printf(",\"first_leg\":%zu", p->far.first_leg);
    }
    printf(",\"expansions\":%" PRIu64 ",\"expanded\":%" PRIu64, result->expansions, p->expanded);
    printf(",\"exact\":%s", result->exact ? "true" : "false");
    const bool bounded = !result->exact && result->bound_milli > 0;
    if (bounded) printf(",\"bound\":%.3f", (double)result->bound_milli / 1000);
    printf(",\"engine\":\"%s\"", cli_engine_name(result->engine));
    if (result->unknown) printf(",\"unknown\":true");
    if (cli_first_cell.x || cli_first_cell.y)
        printf(",\"origin\":[%" PRId32 ",%" PRId32 "]", cli_first_cell.x, cli_first_cell.y);
    json_ends(p, result);
    printf("}\n");
}

/* The cells that the search has expanded, to be freed, where the picture shows them. */
static bool copy_expanded(const problem *p, const wend_search *search, wend_cell **cells, size_t *count) {
    const size_t capacity = p->expanded;
    *cells = NULL;
    if (!p->given->draw_expanded) return true;
    *cells = malloc((capacity + 1) * sizeof **cells);
    return *cells && !wend_search_get_expanded(search, *cells, capacity, count);
}

static int draw_path(const problem *p, const wend_search *search, const wend_completion *result, const wend_cell *cells,
                     size_t count, const smooth_line *smooth) {
    wend_picture picture;
    wend_picture_init(&picture, sizeof picture);
    wend_picture_path path = {cells, count};
    char caption[WEND_PICTURE_MAX_CAPTION + 1];
    wend_cell *units = NULL, *expanded = NULL;
    bool good = cli_occupied_cells(p->world->map, &units, &picture.unit_count);
    good = good && copy_expanded(p, search, &expanded, &picture.expanded_count);
    cli_caption(result, p->info.kind, p->expanded, caption);
    picture.map = p->world->map;
    picture.paths = &path;
    picture.path_count = count > 0 ? 1 : 0;
    picture.starts = &p->request.start;
    picture.start_count = 1;
    picture.goals = p->goals;
    picture.goal_count = p->goal_count;
    picture.units = units;
    picture.expanded = expanded;
    picture.caption = caption;
    picture.track = WEND_TRACK_FEET;
    const uint32_t radius = (uint32_t)p->given->radius;
    const wend_picture_line lines[] = {{smooth->points, smooth->point_count, radius},
                                       {smooth->line, smooth->turn_count, 0}};
    picture.lines = lines;
    picture.line_count = smooth->turn_count == 0 ? 0 : smooth->kind == SMOOTH_PULL ? 1 : 2;
    int status =
        good ? cli_draw(&picture, p->given->draw, p->given->output, true) : cli_fail("no memory for the picture");
    free(units);
    free(expanded);
    return status;
}

static void explain(const problem *p, const wend_completion *result) {
    const wend_cell *blocked = blocked_end(p, result);
    wend_cell open;
    cli_note("%s", wend_status_name(result->status));
    if (blocked && find_open(p, *blocked, &open) && !cli_same_cell(*blocked, open))
        report_cells(p,
                     p->info.kind == WEND_KIND_GRAPH
                         ? "%s is blocked; the nearest open node is %s, and --snap takes it"
                         : "%s is blocked; the nearest open cell is %s, and --snap takes it",
                     *blocked, open);
}

static int report_smooth(const problem *p, const wend_search *search, const wend_completion *result,
                         const wend_cell *cells, size_t count, const smooth_line *smooth) {
    const arguments *given = p->given;
    if (given->draw != CLI_DRAW_NONE) {
        int status = draw_path(p, search, result, cells, count, smooth);
        if (status) return status;
    }
    bool print = (given->draw == CLI_DRAW_NONE || given->output) && !given->json;
    if (given->json) print_json(p, result, cells, count, smooth);
    if (print) print_smooth(stdout, p->info.kind, smooth, given->radius > 0);
    for (size_t i = 0; i < count && print && smooth->kind == SMOOTH_NONE; i++) {
        cli_print_cell(stdout, p->info.kind, cells[i]);
        putchar('\n');
    }
    if (result->status == WEND_STATUS_FOUND && !smooth->blocked) return CLI_DONE;
    if (smooth->blocked)
        cli_note("there is no room for a vehicle that turns in circles of %g cells", given->turning / 1000.0);
    else if (!given->json)
        explain(p, result);
    return CLI_ANSWER_IS_NO;
}

static int report(const problem *p, const wend_search *search, const wend_completion *result, const wend_cell *cells,
                  size_t count) {
    smooth_line smooth;
    wend_error error = smooth_path(p, cells, count, &smooth);
    int status =
        !error ? report_smooth(p, search, result, cells, count, &smooth) : cli_fail("%s", wend_error_detail(error));
    free_smooth(&smooth);
    return status;
}

/* Copies the cells of a path, to be freed; none if there is no path. */
static wend_error copy_path(const wend_search *search, const wend_completion *result, wend_cell **cells,
                            size_t *count) {
    size_t capacity = result->cost >= 0 ? result->cell_count : 0;
    *count = 0;
    *cells = malloc((capacity + 1) * sizeof **cells);
    if (!*cells) return WEND_OUT_OF_MEMORY;
    return capacity > 0 ? wend_search_get_path(search, *cells, capacity, count) : WEND_OK;
}

/* ---- a far route, leg by leg ---- */

/* Appends the walked part of a leg, without its first cell, where the previous leg ended. */
static wend_error append_leg(const wend_search *search, const cli_legs *legs, wend_cell **cells, size_t *count) {
    const wend_completion leg = cli_result_of(search);
    const size_t before = *count > 0 ? *count - 1 : 0;
    size_t length;
    wend_cell *longer = realloc(*cells, (before + leg.cell_count) * sizeof **cells);
    if (!longer) return WEND_OUT_OF_MEMORY;
    *cells = longer;
    const wend_error error = wend_search_get_path(search, longer + before, leg.cell_count, &length);
    if (!error) *count = before + cli_legs_walk(legs, longer + before, length);
    return error;
}

/* Walks the rest of a far route. Its result becomes that of the whole way. */
static wend_error walk_legs(problem *p, wend_search *search, wend_completion *result, wend_cell **cells,
                            size_t *count) {
    wend_request leg;
    wend_search_options options;
    const wend_completion route = *result;
    p->far.cost_at_most = result->cost;
    p->far.crossing_count = route.crossing_count;
    p->far.crossings = malloc((route.crossing_count + 1) * sizeof *p->far.crossings);
    if (!p->far.crossings) return WEND_OUT_OF_MEMORY;
    cli_legs legs = {.far = &p->request,
                     .crossings = p->far.crossings,
                     .count = route.crossing_count,
                     .last = route.crossing_count == 0};
    wend_error error = wend_search_get_crossings(search, p->far.crossings, route.crossing_count, NULL);
    if (!error && result->status == WEND_STATUS_FOUND) error = append_leg(search, &legs, cells, count);
    p->far.first_leg = route.cell_count;
    while (!error && cli_legs_next(&legs, (*cells)[*count - 1], &leg, &options)) {
        error = wend_search_begin(search, &leg);
        if (error) break;
        run_search(p, search);
        result->expansions += cli_result_of(search).expansions;
        error = append_leg(search, &legs, cells, count);
    }
    if (error || route.crossing_count == 0) return error;
    uint64_t cost;
    error = wend_map_path_cost(p->world->map, p->request.mover, *cells, *count, NULL, &cost);
    result->cost = (int64_t)cost;
    return error;
}

static int solve(const arguments *given, cli_world *world) {
    problem p = {.given = given, .world = world};
    int status = make_request(&p);
    if (status) return status;
    wend_search *search = NULL;
    wend_cell *cells = NULL;
    size_t count = 0;
    wend_completion result = {0};
    wend_error error = cli_search_create(&p.info, given->mode == WEND_MODE_FAR, &search);
    if (!error) error = wend_search_begin(search, &p.request);
    if (!error) {
        run_search(&p, search);
        result = cli_result_of(search);
        error = given->mode == WEND_MODE_FAR && result.status == WEND_STATUS_FOUND
                    ? walk_legs(&p, search, &result, &cells, &count)
                    : copy_path(search, &result, &cells, &count);
    }
    status = !error ? report(&p, search, &result, cells, count) : cli_fail("%s", wend_error_detail(error));
    wend_search_destroy(search);
    free(p.far.crossings);
    free(cells);
    return status;
}

static int check_smooth(const arguments *given) {
    if (given->radius > 0 && given->smooth == SMOOTH_NONE)
        return cli_fail("--radius is for smooth lines: say --smooth pull|spline|arc");
    if (given->turning > 0 && given->smooth != SMOOTH_ARC) return cli_fail("--turning is for arcs: say --smooth arc");
    return given->heading && given->turning == 0 ? cli_fail("--heading is for vehicles: say --turning R") : CLI_DONE;
}

static int run(int argc, char **argv) {
    arguments given = {.rules = {.neighbours = -1, .corners = -1}, .mode = WEND_MODE_EXACT, .draw = CLI_DRAW_NONE};
    int status = parse(argc, argv, &given);
    if (!status) status = cli_draw_check_options(&given.draw, given.output, given.json);
    if (!status && given.draw_expanded && given.draw == CLI_DRAW_NONE)
        status = cli_fail("--draw-expanded is for pictures: say --draw ansi|svg|png, or name one with --output");
    if (!status) status = check_smooth(&given);
    if (status) return status;
    cli_world world;
    status = cli_world_load(given.map, &world);
    if (status) return status;
    cli_world_number_cells(&world);
    status = solve(&given, &world);
    cli_world_free(&world);
    return status;
}

const cli_command cli_solve = {
    .name = "solve",
    .usage = "MAP [OPTION]...",
    .summary = "find a shortest path on a map and print its cells",
    .details = "MAP is a map file, a world file, or - for standard input. The path is printed as\n"
               "one cell a line, start and goal included: x,y; in space x,y,z; on a graph the\n"
               "number of a node. The cells of an infinite map of Tiled are those that Tiled\n"
               "shows; JSON has the first as origin. World files name movers; the mover\n"
               "'default' is always there. --neighbours, --corners, --cost and --reach are for\n"
               "grids. --mode nearest needs coordinates on a graph, --mode far a flat grid with\n"
               "8 neighbours and corners that are never cut.\n"
               "--smooth pull prints the turns of the line instead of the cells, spline and arc\n"
               "its points with three decimals; a cell's centre is a whole number. With --radius\n"
               "so does pull. Where the path itself is narrower the line stays on it; clearance\n"
               "in the JSON is its least distance. Pictures (not ansi) show the cells, the\n"
               "pulled line and the curve, and with --radius the way of a disc. JSON: status,\n"
               "cost (-1: no path), cells, points (with --smooth), clearance (with --radius),\n"
               "blocked (with --turning, where there is no room for such a curve), expansions\n"
               "(the unit of budgets), expanded (cells), exact, engine; bound where the cost is\n"
               "not exact; with --mode far, cost_at_most, crossings and first_leg (its cells);\n"
               "nearest_open where the start or the goal is blocked; with --snap, snapped: a\n"
               "list of asked and taken.\n"
               "Exit status: 0 found; 1 no path, or only one to the nearest cell; 2 bad usage or\n"
               "input.",
    .run = run,
};
