/* SPDX-License-Identifier: MIT */
/* wend explain: the library's plain A* on a flat grid, an expansion at a time, as text and as a film. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wend/query.h>
#include <wend/versions.h>

#include "base/array.h"
#include "cli/output/cells.h"
#include "cli/output/draw.h"
#include "cli/output/explain_film.h"
#include "cli/output/messages.h"
#include "cli/shared/ends.h"
#include "cli/shared/options.h"
#include "cli/shared/rules.h"

typedef struct arguments {
    const char *map, *from, *to, *film;
    cli_rules rules;
    uint64_t steps;
} arguments;

/* The open list, each cell once, in the order in which cells are taken. */
typedef struct open_list {
    wend_search_node *nodes;
    size_t count, capacity;
} open_list;

typedef struct explanation {
    wend_search *search;
    explain_story story;
    wend_cell *closed;
    size_t closed_count, closed_capacity;
    open_list before, after; /* open lists before and after the step */
} explanation;

/* ---- a single step ---- */

/* Reads the open list; drops entries of nodes that became cheaper since. @return WEND_EMPTY: the search has ended */
static wend_error read_open(explanation *e, open_list *list, uint32_t step) {
    size_t entries;
    wend_error error = wend_search_get_open(e->search, NULL, 0, &entries);
    if (error) return error;
    if (!WEND__ARRAY_ROOM(list->nodes, list->capacity, entries)) return WEND_OUT_OF_MEMORY;
    error = wend_search_get_open(e->search, list->nodes, entries, &entries);
    list->count = 0;
    for (size_t i = 0; i < entries && !error; i++) {
        explain_cell *cell = explain_cell_at(&e->story, list->nodes[i].cell);
        if (cell->listed == step + 1) continue;
        cell->listed = step + 1;
        list->nodes[list->count++] = list->nodes[i];
    }
    return error;
}

/* Searches on until the first cell of the list is taken. A slow cell counts as two expansions, and a search also tests
 * whether its goal is enclosed: then a step of one takes no cell. @return false: the search ended without it */
static wend_error take_first(explanation *e, uint32_t step, bool *taken) {
    const open_list *before = &e->before;
    for (;;) {
        const wend_status status = wend_search_step(e->search, 1, NULL);
        const wend_error error = read_open(e, &e->after, step);
        *taken = before->count > 0;
        if (error == WEND_EMPTY && status == WEND_STATUS_PENDING) continue; /* the search owes, and has ended */
        if (error == WEND_EMPTY) {                                          /* the taken goal leads to no more cells */
            *taken = *taken && status == WEND_STATUS_FOUND;
            e->after.count = 0;
            const size_t rest = *taken ? before->count - 1 : 0;
            if (!WEND__ARRAY_ROOM(e->after.nodes, e->after.capacity, rest)) return WEND_OUT_OF_MEMORY;
            if (rest > 0) memcpy(e->after.nodes, before->nodes + 1, rest * sizeof *before->nodes);
            e->after.count = rest;
            return WEND_OK;
        }
        if (error) return error;
        const bool same = e->after.count > 0 && *taken && cli_same_cell(e->after.nodes[0].cell, before->nodes[0].cell);
        if (*taken && !same) return WEND_OK;
        for (size_t i = 0; i < e->after.count; i++) explain_cell_at(&e->story, e->after.nodes[i].cell)->listed = 0;
    }
}

/* ---- as text ---- */

static void print_node(const explanation *e, const wend_search_node *node, const char *news) {
    const cli_cell_words cell = cli_cell_text(WEND_KIND_GRID, node->cell),
                         parent = cli_cell_text(WEND_KIND_GRID, node->parent);
    printf("%-7s from %-7s g=%-5" PRId64 " h=%-5" PRId64 " f=%s%s\n", cell.text,
           cli_same_cell(node->cell, node->parent) ? "-" : parent.text, node->g, node->h,
           explain_f(&e->story, node).text, news);
}

static const char *news_of(const explanation *e, const wend_search_node *node) {
    const explain_cell *cell = explain_cell_at(&e->story, node->cell);
    return !cell->first ? "  new" : node->g < cell->g ? "  cheaper" : "";
}

static void print_step(const explanation *e, uint32_t step) {
    printf("step %" PRIu32 "\n  take    ", step);
    print_node(e, &e->before.nodes[0], "");
    if (e->after.count == 0) puts("  open    -");
    for (size_t i = 0; i < e->after.count; i++) {
        fputs(i == 0 ? "  open    " : "          ", stdout);
        print_node(e, &e->after.nodes[i], news_of(e, &e->after.nodes[i]));
    }
    fputs("  closed ", stdout);
    for (size_t i = 0; i < e->closed_count; i++) printf(" %s", cli_cell_text(WEND_KIND_GRID, e->closed[i]).text);
    putchar('\n');
}

static void print_end(const explanation *e, const wend_completion *result) {
    if (result->status != WEND_STATUS_FOUND) {
        printf("%s\n", wend_status_name(result->status));
        return;
    }
    fputs("path   ", stdout);
    for (size_t i = 0; i < e->story.path_count; i++)
        printf(" %s", cli_cell_text(WEND_KIND_GRID, e->story.path[i]).text);
    printf("\ncost    %" PRId64 " after %" PRIu32 " steps\n", result->cost, e->story.steps);
}

/* ---- all steps ---- */

/* Keeps the cells of the list that are new or cheaper. */
static bool keep_news(explanation *e, const open_list *list, uint32_t step) {
    bool good = true;
    for (size_t i = 0; i < list->count && good; i++)
        if (*news_of(e, &list->nodes[i])) good = explain_add(&e->story, step, false, &list->nodes[i]);
    return good;
}

static bool keep_taken(explanation *e, uint32_t step) {
    const wend_search_node *node = &e->before.nodes[0];
    if (!WEND__ARRAY_ROOM(e->closed, e->closed_capacity, e->closed_count + 1)) return false;
    e->closed[e->closed_count++] = node->cell;
    return explain_add(&e->story, step, true, node);
}

static wend_error tell_steps(explanation *e, uint64_t most) {
    explain_story *story = &e->story;
    wend_error error = read_open(e, &e->before, 0);
    if (error) return error == WEND_EMPTY ? WEND_OK : error; /* answered without a search */
    if (!keep_news(e, &e->before, 0)) return WEND_OUT_OF_MEMORY;
    while (story->steps < most) {
        bool taken;
        error = take_first(e, story->steps + 1, &taken);
        if (error || !taken) return error;
        story->steps++;
        if (!keep_taken(e, story->steps)) return WEND_OUT_OF_MEMORY;
        print_step(e, story->steps);
        if (!keep_news(e, &e->after, story->steps)) return WEND_OUT_OF_MEMORY;
        const open_list swap = e->before;
        e->before = e->after, e->after = swap;
        if (cli_result_of(e->search).status != WEND_STATUS_PENDING) break;
    }
    return WEND_OK;
}

static wend_error keep_path(explanation *e, const wend_completion *result) {
    if (result->status != WEND_STATUS_FOUND) return WEND_OK;
    e->story.path = malloc(result->cell_count * sizeof *e->story.path);
    if (!e->story.path) return WEND_OUT_OF_MEMORY;
    return wend_search_get_path(e->search, e->story.path, result->cell_count, &e->story.path_count);
}

static int write_film(const explain_story *story, const char *name) {
    wend__replacement file;
    const int status = cli_output_open(&file, name);
    if (status) return status;
    explain_write_film(story, file.stream, cli_ends_with(name, ".html"));
    return cli_output_close(&file, name);
}

static int explain_search(explanation *e, const arguments *given, const wend_request *request) {
    wend_error error = cli_search_create(&e->story.info, false, &e->search);
    if (!error) error = wend_search_begin(e->search, request);
    if (!error) error = tell_steps(e, given->steps);
    const wend_completion result = error ? (wend_completion){0} : cli_result_of(e->search);
    if (!error) error = keep_path(e, &result);
    if (error == WEND_UNSUPPORTED) return cli_fail("explain is for maps without links: %s", wend_error_detail(error));
    if (error) return cli_fail("%s", wend_error_detail(error));
    const bool cut = result.status == WEND_STATUS_PENDING;
    if (cut) cli_note("the search goes on: --steps has more of it");
    if (!cut) print_end(e, &result);
    int status = given->film ? write_film(&e->story, given->film) : CLI_DONE;
    return status ? status : cut || result.status == WEND_STATUS_FOUND ? CLI_DONE : CLI_ANSWER_IS_NO;
}

/* ---- the command ---- */

static int choose_ends(const arguments *given, const cli_world *world, const wend_map_info *info,
                       wend_request *request) {
    const wend_map_markers *markers = &world->markers;
    request->start = markers->start, request->goal = markers->goal;
    if (!given->from && !markers->has_start) return cli_fail("--from is missing, and the map has no start");
    if (!given->to && !markers->has_goal) return cli_fail("--to is missing, and the map has no goal");
    int status = given->from ? cli_read_end(world->map, info, "--from", given->from, &request->start) : CLI_DONE;
    if (!status && given->to) status = cli_read_end(world->map, info, "--to", given->to, &request->goal);
    return status;
}

static int check_map(const arguments *given, const wend_map_info *info) {
    if (info->kind != WEND_KIND_GRID) return cli_fail("explain is for flat grids: it shows the plain A* for them");
    if (!given->film) return CLI_DONE;
    if (!cli_ends_with(given->film, ".svg") && !cli_ends_with(given->film, ".html"))
        return cli_fail("--film %s: a film's name ends with .svg, or .html for a page with a slider", given->film);
    return info->cells <= EXPLAIN_FILM_CELLS
               ? CLI_DONE
               : cli_fail("--film: a film shows at most %d cells, and the map has %" PRIu64, EXPLAIN_FILM_CELLS,
                          info->cells);
}

static int explain_world(const arguments *given, cli_world *world) {
    explanation e = {.story = {.map = world->map, .weight_milli = given->rules.weight_milli}};
    explain_story *story = &e.story;
    wend_map_rules rules = cli_map_rules(world->map);
    wend_request request;
    wend_search_options options;
    story->info.struct_bytes = sizeof story->info;
    wend_map_get_info(world->map, &story->info);
    wend_request_init(&request, sizeof request);
    wend_search_options_init(&options, sizeof options);
    request.map = world->map;
    request.options = &options;
    options.engine = WEND_ENGINE_ASTAR;
    options.heuristic = given->rules.heuristic;
    options.weight_milli = given->rules.weight_milli;
    int status = check_map(given, &story->info);
    if (!status) status = cli_rules_apply(&given->rules, story->info.kind, &rules);
    if (!status && cli_world_set_rules(world, &rules)) status = cli_fail("%s", wend_error_detail(WEND_BAD_ARGUMENT));
    if (!status) status = choose_ends(given, world, &story->info, &request);
    story->start = request.start, story->goal = request.goal;
    story->cells = calloc((size_t)story->info.cells, sizeof *story->cells);
    if (!status && !story->cells) status = cli_fail("no memory for the map's cells");
    if (!status) status = explain_search(&e, given, &request);
    wend_search_destroy(e.search);
    free(story->cells), free(story->events), free(story->path);
    free(e.closed), free(e.before.nodes), free(e.after.nodes);
    return status;
}

static int run(int argc, char **argv) {
    arguments given = {.rules = {.neighbours = -1, .corners = -1}};
    const cli_option options[] = {
        {"from", CLI_TEXT, &given.from, "CELL", 0, 0, 0, "start: X,Y; default: the map file's"},
        {"to", CLI_TEXT, &given.to, "CELL", 0, 0, 0, "goal; default: the map file's"},
        {"steps", CLI_NUMBER, &given.steps, "N", 0, UINT32_MAX - 8, 1000, "the most steps that are shown"},
        {"film", CLI_TEXT, &given.film, "FILE", 0, 0, 0,
         "also write a film: .svg plays by itself, .html is a page with a slider"},
        {"neighbours", CLI_CHOICE, &given.rules.neighbours, "4|8", 0, 0, 0, "steps from a cell"},
        {"corners", CLI_CHOICE, &given.rules.corners, CLI_CORNERS, 0, 0, 0,
         "when a diagonal step past a blocked cell is allowed"},
        {"cost", CLI_TEXT, &given.rules.cost, "S,D", 0, 0, 0, "costs of a straight and a diagonal step"},
        {"heuristic", CLI_CHOICE, &given.rules.heuristic, CLI_HEURISTICS, 0, 0, 0, "estimate of the cost that is left"},
        {"weight", CLI_DECIMAL_MILLI, &given.rules.weight_milli, "W", 1000, WEND_WEIGHT_MAX_MILLI, 1000,
         "f is g + W h"},
        CLI_READING_OPTIONS};
    size_t words;
    int status =
        cli_parse(&cli_explain, options, sizeof options / sizeof options[0], argc, argv, &given.map, 1, &words);
    if (status) return status;
    if (words == 0) return cli_fail("explain: which map? (see wend explain --help)");
    cli_world world;
    status = cli_world_load(given.map, &world);
    if (status) return status;
    cli_world_number_cells(&world);
    status = explain_world(&given, &world);
    cli_world_free(&world);
    return status;
}

const cli_command cli_explain = {
    .name = "explain",
    .usage = "MAP [OPTION]...",
    .summary = "show A* step by step, as text and as a film",
    .details = "MAP is a flat grid: a map file, a world file, or - for standard input. It shows\n"
               "the search that wend solve --engine astar runs. A block a step has the cell that\n"
               "it takes, which is the first of the open list; where it was reached from; g, its\n"
               "cost; h, the estimate of the rest; and f. Then the open list in the order in\n"
               "which its cells would be taken, and the closed cells. A search takes only one of\n"
               "several ways of equal cost over even ground: it leaves out steps whose cells are\n"
               "reached as cheaply by others. A film has f and the step above, g and h below.\n"
               "Exit status: 0 found, or cut short by --steps; 1 no path; 2 bad usage or input.",
    .run = run,
};
