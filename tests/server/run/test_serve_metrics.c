/* SPDX-License-Identifier: MIT */
/* The text for Prometheus: every line has its form, and the numbers are those of the service. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wend/figures.h>
#include <wend/wend.h>

#include "models/defaults.h"
#include "output/serve_metrics.h"

static wend_map *map;
static wend_service *service;
static wend_figures *figures;
static serve_totals totals;
static char text[1 << 17];

static void begin(void) {
    wend_map_def map_def = default_map();
    wend_service_def def = default_service();
    wend_figures_def figures_def = default_figures();
    map_def.width = map_def.height = 16;
    cr_assert_eq(wend_map_create(&map_def, &map), WEND_OK);
    cr_assert_eq(wend_service_create(&def, &service), WEND_OK);
    cr_assert_eq(wend_figures_create(&figures_def, &figures), WEND_OK);
    cr_assert_eq(wend_service_set_figures(service, figures), WEND_OK);
    totals = (serve_totals){0};
}

static void end(void) {
    wend_service_destroy(service);
    wend_figures_destroy(figures);
    wend_map_release(map);
}

static void ignore_done(void *context, const wend_completion *done) {
    (void)context, (void)done;
}

static void ask(int32_t x, int32_t urgency) {
    wend_request request = default_request();
    request.map = map, request.start = (wend_cell){0, 0, 0}, request.goal = (wend_cell){x, 5, 0};
    request.urgency = urgency, request.on_done = ignore_done;
    cr_assert_eq(wend_service_submit(service, &request, NULL), WEND_OK);
}

static void run_frame(uint64_t expansions) {
    wend_budget budget = default_budget();
    wend_frame frame = {.struct_bytes = sizeof frame};
    budget.expansions = expansions;
    wend_service_tick(service, &budget, &frame);
    serve_totals_add(&totals, &frame);
}

static size_t make_text(void) {
    const serve_numbers numbers = {.totals = &totals,
                                   .figures = figures,
                                   .budget = 50,
                                   .budget_us = 1500000,
                                   .service_bytes = 1000,
                                   .map_bytes = 2000};
    return serve_metrics_write(&numbers, text, sizeof text);
}

/* The value of a line that begins like this. */
static double value_of(const char *name) {
    const size_t length = strlen(name);
    for (const char *line = text; line != NULL && *line != '\0'; line = strchr(line, '\n') + 1)
        if (strncmp(line, name, length) == 0 && line[length] == ' ') return strtod(line + length, NULL);
    cr_assert_fail("no line of %s", name);
    return -1;
}

static void expect_value(const char *name, double value) {
    const double found = value_of(name);
    cr_expect(found == value, "%s is %f, not %f", name, found, value);
}

Test(metrics, has_the_numbers_of_the_service, .init = begin, .fini = end) {
    for (int32_t i = 0; i < 10; i++) ask(i + 1, i < 3 ? 700 : 0);
    run_frame(0);
    make_text();
    expect_value("wend_requests_waiting", 10);
    while (wend_service_get_pending(service) > 0) run_frame(50);
    make_text();
    expect_value("wend_requests_total", 10);
    expect_value("wend_requests_waiting", 0);
    expect_value("wend_completions_total{status=\"found\"}", 10);
    expect_value("wend_completions_total{status=\"expired\"}", 0);
    expect_value("wend_general_answers_total{reason=\"tables\"}", 0);
    expect_value("wend_answers_total{engine=\"astar\"}", 10);
    expect_value("wend_request_wait_frames_count{urgency=\"601 to 1000\"}", 3);
    expect_value("wend_request_wait_frames_count{urgency=\"-200 to 200\"}", 7);
    expect_value("wend_request_latency_frames_bucket{urgency=\"601 to 1000\",le=\"+Inf\"}", 3);
    expect_value("wend_frames_total", (double)totals.frames);
    expect_value("wend_frame_seconds_count", (double)totals.frames);
    expect_value("wend_frame_expansions_bucket{le=\"63\"}", (double)totals.frames);
    cr_expect_null(strstr(text, "le=\"0.000000\""), "a frame takes no time");
    expect_value("wend_frame_seconds_bucket{le=\"+Inf\"}", (double)totals.frames);
    cr_expect_geq(value_of("wend_frame_seconds_bucket{le=\"0.000001\"}"), 0);
    expect_value("wend_frame_budget_expansions", 50);
    expect_value("wend_frame_budget_seconds", 1.5);
    expect_value("wend_memory_bytes{owner=\"map\"}", 2000);
}

static void check_bucket(const char *line, const char *space, char series[160], double *below) {
    char name[160];
    const char *le = strstr(line, "le=\"");
    snprintf(name, sizeof name, "%.*s", (int)(le - line), line);
    const double count = strtod(space, NULL);
    if (strcmp(name, series) == 0) cr_expect(count >= *below, "buckets fall: %.*s", (int)(space - line), line);
    strcpy(series, name);
    *below = count;
}

Test(metrics, has_lines_of_the_right_form, .init = begin, .fini = end) {
    char type[96] = "", series[160] = "";
    double below = 0;
    int lines = 0;
    for (int32_t i = 0; i < 10; i++) ask(i + 1, i < 3 ? 700 : 0);
    while (wend_service_get_pending(service) > 0) run_frame(50);
    const size_t length = make_text();
    cr_assert(length < sizeof text && text[length - 1] == '\n');
    for (const char *line = text, *next; *line != '\0'; line = next, lines++) {
        next = strchr(line, '\n') + 1;
        const char *space = memchr(line, ' ', (size_t)(next - line));
        cr_assert(space);
        if (sscanf(line, "# TYPE %95s", type) == 1 || line[0] == '#') continue;
        cr_expect_eq(strncmp(line, type, strlen(type)), 0, "no TYPE above: %.*s", (int)(next - line), line);
        const char *number = next - 2;
        while (*number != ' ') number--;
        char *rest;
        strtod(number, &rest);
        cr_expect(*rest == '\n', "no number ends: %.*s", (int)(next - line), line);
        if (strstr(line, "_bucket{") == line + strlen(type)) check_bucket(line, number, series, &below);
    }
    cr_expect_gt(lines, 200);
}

Test(metrics, fits_or_says_how_much_room_it_needs, .init = begin, .fini = end) {
    char small[100];
    const serve_numbers numbers = {.totals = &totals, .budget = WEND_NO_LIMIT, .budget_us = WEND_NO_LIMIT};
    const size_t length = serve_metrics_write(&numbers, text, sizeof text);
    cr_expect_eq(serve_metrics_write(&numbers, NULL, 0), length);
    cr_expect_eq(serve_metrics_write(&numbers, small, sizeof small), length);
    cr_expect_eq(strlen(small), sizeof small - 1);
    cr_expect_eq(strncmp(small, text, sizeof small - 1), 0);
    cr_expect_null(strstr(text, "budget"));
}

Test(metrics, is_good_for_promtool, .init = begin, .fini = end) {
    if (system("command -v promtool >/dev/null 2>&1") != 0) cr_skip_test("no promtool here");
    for (int32_t i = 0; i < 10; i++) ask(i + 1, 0);
    while (wend_service_get_pending(service) > 0) run_frame(50);
    make_text();
    FILE *check = popen("promtool check metrics", "w");
    cr_assert(check);
    fputs(text, check);
    cr_expect_eq(pclose(check), 0);
}
