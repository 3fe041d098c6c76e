/* SPDX-License-Identifier: MIT */
/* wend scen: answers every query of MovingAI scenario files and compares each length with the file. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scen/scen.h"
#include "cli/output/cells.h"
#include "cli/output/draw.h"
#include "cli/output/messages.h"
#include "cli/shared/options.h"
#include "cli/shared/rules.h"
#include "lab_version.h"

enum { MOST_TOLD = 5 };

static void print_json(const char *path, size_t files, const scen_figures *figures) {
    if (path) {
        printf("{\"scen\":");
        cli_json_string(stdout, path);
    } else {
        printf("{\"total\":true,\"files\":%zu", files);
    }
    printf(",\"queries\":%" PRIu64 ",\"mismatches\":%" PRIu64 ",\"unreachable\":%" PRIu64 ",\"expansions\":%" PRIu64,
           figures->queries, figures->mismatches, figures->unreachable, figures->expansions);
    printf(",\"search_us\":%.1f,\"tick_us\":%.1f,\"frames\":%" PRIu64 "}\n", figures->search_us, figures->tick_us,
           figures->frames);
}

static double ratio(double a, double b) {
    return b > 0 ? a / b : 0;
}

static void print_heading(void) {
    printf("%-40s %8s %8s %8s %12s %11s %11s %7s %8s\n", "scenario", "queries", "wrong", "unreach.", "expansions",
           "search us", "tick us", "tick/s.", "ns/exp.");
}

static void print_row(const char *name, const scen_figures *figures) {
    size_t length = strlen(name);
    if (length > 40) name += length - 40;
    printf("%-40s %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %12" PRIu64 " %11.0f %11.0f %7.3f %8.1f\n", name,
           figures->queries, figures->mismatches, figures->unreachable, figures->expansions, figures->search_us,
           figures->tick_us, ratio(figures->tick_us, figures->search_us),
           ratio(figures->tick_us * 1000, (double)figures->expansions));
}

static void print_mismatches(const scen_set *set) {
    uint64_t told = 0, more = 0;
    for (size_t i = 0; i < set->count; i++) {
        const scen_result *result = &set->results[i];
        if (!result->wrong) continue;
        if (told++ >= MOST_TOLD)
            more++;
        else
            cli_fail_at(set->path, scen_line(set, i), 0, "%s: published %.10g, got %.10g (%s)", result->wrong,
                        set->queries[i].length, scen_length(result), wend_status_name(result->status));
    }
    if (more > 0) cli_fail_at(set->path, 0, 0, "%" PRIu64 " more like these", more);
}

/* A line for each query: file, index, start, goal, published length, length, status, expansions, microseconds. */
static void write_tsv(FILE *file, const scen_set *set) {
    for (size_t i = 0; i < set->count; i++) {
        const scenario_query *query = &set->queries[i];
        const scen_result *result = &set->results[i];
        int32_t kind = set->map_of[i]->info.kind;
        fprintf(file, "%s\t%zu\t", set->path, i);
        cli_print_cell(file, kind, query->start);
        fputc('\t', file);
        cli_print_cell(file, kind, query->goal);
        fprintf(file, "\t%.10g\t%.10g\t%s\t%" PRIu64 "\t", query->length, scen_length(result),
                wend_status_name(result->status), result->expansions);
        if (result->us < 0)
            fprintf(file, "-\n");
        else
            fprintf(file, "%.3f\n", result->us);
    }
}

static void add(scen_figures *total, const scen_figures *one) {
    total->queries += one->queries;
    total->mismatches += one->mismatches;
    total->unreachable += one->unreachable;
    total->expansions += one->expansions;
    total->frames += one->frames;
    total->search_us += one->search_us;
    total->tick_us += one->tick_us;
}

static int run_file(const char *path, bool first, const scen_settings *settings, FILE *tsv, scen_figures *total) {
    scen_set set;
    scen_figures figures;
    int status = scen_load(path, settings, &set);
    if (status) return status;
    status = scen_run(&set, settings, &figures);
    if (!status) {
        if (first && !settings->json) print_heading();
        if (settings->json)
            print_json(path, 0, &figures);
        else
            print_row(path, &figures);
        fflush(stdout);
        print_mismatches(&set);
        if (tsv) write_tsv(tsv, &set);
        add(total, &figures);
    }
    scen_free(&set);
    return status;
}

static int run_files(const char *const *paths, size_t count, const scen_settings *settings, FILE *tsv) {
    scen_figures total = {0};
    for (size_t i = 0; i < count; i++) {
        int status = run_file(paths[i], i == 0, settings, tsv, &total);
        if (status) return status;
    }
    if (settings->json)
        print_json(NULL, count, &total);
    else
        print_row("total", &total);
    return total.mismatches > 0 ? CLI_ANSWER_IS_NO : CLI_DONE;
}

static int run_with_tsv(const char *const *paths, size_t count, const scen_settings *settings, const char *tsv_path) {
    if (!tsv_path) return run_files(paths, count, settings, NULL);
    wend__replacement tsv;
    int status = cli_output_open(&tsv, tsv_path);
    if (status) return status;
    status = run_files(paths, count, settings, tsv.stream);
    int files = cli_output_close(&tsv, tsv_path);
    return files ? files : status;
}

static int parse(int argc, char **argv, scen_settings *out, const char **tsv, const char **paths, size_t *count) {
    const cli_option options[] = {
        {"maps", CLI_TEXT, &out->maps, "DIR", 0, 0, 0, "where the maps are; default: the scenario's folder"},
        {"engine", CLI_CHOICE, &out->rules.engine, CLI_ENGINES, 0, 0, 0,
         "which search; A* where jump search cannot serve"},
        {"cost", CLI_TEXT, &out->rules.cost, "S,D[,T]", 0, 0, 0,
         "costs of the steps; default 1000,1414, in space 1000,1414,1732"},
        {"corners", CLI_CHOICE, &out->rules.corners, CLI_CORNERS, 0, 0, 0,
         "when a diagonal step past a blocked cell is allowed; default never"},
        {"neighbours", CLI_CHOICE, &out->rules.neighbours, CLI_NEIGHBOURS, 0, 0, 0,
         "steps from a cell; default 8, in space 26"},
        {"landmarks", CLI_NUMBER, &out->landmarks, "N", 0, WEND_MAX_LANDMARKS, 4, "landmarks made for jump search"},
        {"slice", CLI_GIVEN, &out->slice, "N", 1, UINT64_MAX, CLI_NONE, "expansions in one slice of a search"},
        {"workers", CLI_NUMBER, &out->workers, "N", 0, 64, 0, "threads that search with the ticking one"},
        {"bare", CLI_FLAG, &out->bare, NULL, 0, 0, 0, "run each search alone, without a service"},
        {"repeat", CLI_NUMBER, &out->repeat, "N", 1, 1000000, 1, "repeat N times and take the best time"},
        {"tsv", CLI_TEXT, tsv, "FILE", 0, 0, 0, "write a line for each query, see below"},
        {"json", CLI_FLAG, &out->json, NULL, 0, 0, 0, "a JSON object for each file, and one for all"},
        CLI_READING_OPTIONS,
    };
    int status =
        cli_parse(&cli_scen, options, sizeof options / sizeof options[0], argc, argv, paths, (size_t)argc, count);
    if (status) return status;
    if (*count == 0) return cli_fail("scen: which scenarios? (see wend scen --help)");
    wend_map_rules unused;
    wend_map_rules_init(&unused, sizeof unused);
    return cli_rules_apply(&out->rules, 0, &unused); /* before any file is read */
}

static int run(int argc, char **argv) {
    scen_settings settings = {.rules = {.neighbours = -1, .corners = -1, .weight_milli = 1000}};
    const char *tsv = NULL;
    size_t count;
    const char **paths = calloc((size_t)argc, sizeof *paths);
    if (!paths) return cli_fail("%s", wend_error_text(WEND_OUT_OF_MEMORY));
    int status = parse(argc, argv, &settings, &tsv, paths, &count);
    if (!status) status = run_with_tsv(paths, count, &settings, tsv);
    free(paths);
    return status;
}

const cli_command cli_scen = {
    .name = "scen",
    .usage = "SCEN... [OPTION]...",
    .summary = "run MovingAI scenarios and compare each length with the file",
    .details = "A scenario is a .scen file, or a .3dscen file for voxels. It names its map,\n"
               "which is looked up as DIR/NAME, as DIR/NAME without a leading maps/, next to the\n"
               "scenario, and as DIR/(name of the scenario's folder)/(base name).\n"
               "Times are processor time: 'search' is the time of frames that search, 'tick'\n"
               "that of all frames. Columns of --tsv: file, index from 0, start, goal, published\n"
               "length, length found (-1: no path), status, expansions, microseconds (- without\n"
               "--bare).\n"
               "JSON: scen, queries, mismatches, unreachable, expansions, search_us, tick_us,\n"
               "frames; the last object has total and files instead of scen.\n"
               "Exit status: 0 all lengths agree; 1 some length does not; 2 bad usage or input.",
    .run = run,
    .package = LAB_VERSION,
};
