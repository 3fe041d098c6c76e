/* SPDX-License-Identifier: MIT */
/* Random use of a service that records, and its playback. */
#define _POSIX_C_SOURCE 200809L
#include "recording/live.h"

#include "script/script.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>
#include <wend/record.h>
#include <wend/save.h>
#include <wend/control.h>
#include <wend/units.h>

struct live_request {
    live *l;
    wend_ticket ticket;
    const struct live_land *at;
    uint64_t submitted, number;
    bool pending;
};

/* ---- texts ---- */

void live_text_open(live_text *text) {
    text->out = open_memstream(&text->bytes, &text->size);
    cr_assert(text->out != NULL);
}

void live_text_close(live_text *text) {
    if (text->out != NULL) fclose(text->out);
    text->out = NULL;
}

void live_text_free(live_text *text) {
    live_text_close(text);
    free(text->bytes);
    *text = (live_text){0};
}

static wend_error write_file(void *context, uint32_t file, const void *bytes, size_t size) {
    live *l = context;
    cr_assert(file <= LIVE_MAPS);
    if (l->fail_with != WEND_OK && l->writes_left-- == 0) return l->fail_with;
    if (l->files[file].out == NULL) live_text_open(&l->files[file]);
    fwrite(bytes, 1, size, l->files[file].out);
    return WEND_OK;
}

/* ---- completions, as `wend run` prints them ---- */

void live_print_cell(FILE *out, int kind, wend_cell cell) {
    if (kind == WEND_KIND_GRAPH)
        fprintf(out, "%d", (int)cell.x);
    else if (kind == WEND_KIND_GRID)
        fprintf(out, "[%d,%d]", (int)cell.x, (int)cell.y);
    else
        fprintf(out, "[%d,%d,%d]", (int)cell.x, (int)cell.y, (int)cell.z);
}

static uint64_t since_first(const struct live_land *at, uint64_t epoch) {
    return at->dated && epoch > at->first_epoch ? epoch - at->first_epoch : 0;
}

static void print(const live *l, const struct live_request *request, const wend_completion *done, uint64_t frames) {
    FILE *out = l->expected.out;
    fprintf(out, "{\"frame\":%" PRIu64 ",\"id\":\"%" PRIu64 "\",\"status\":\"%s\",\"cost\":%" PRId64 ",\"cells\":[",
            l->frame, request->number, wend_status_name(done->status), done->cost);
    for (size_t i = 0; i < done->cell_count; i++) {
        if (i > 0) fputc(',', out);
        live_print_cell(out, request->at->kind, done->cells[i]);
    }
    fprintf(out,
            "],\"expansions\":%" PRIu64 ",\"frames\":%" PRIu64 ",\"epoch\":%" PRIu64 ",\"checked\":%" PRIu64
            ",\"exact\":%s,\"engine\":\"%s\"}\n",
            done->expansions, frames, since_first(request->at, done->epoch), since_first(request->at, done->checked),
            done->exact ? "true" : "false", done->engine == WEND_ENGINE_JUMP ? "jump" : "astar");
}

/* ---- random acts ---- */

bool live_chance(live *l, int percent) {
    return oracle_below(&l->random, 100) < percent;
}

wend_cell live_cell(live *l) {
    const int number = oracle_below(&l->random, l->at->land->cells);
    return world_cell(l->at->land, number);
}

static void on_done(void *context, const wend_completion *done) {
    struct live_request *request = context;
    live *l = request->l;
    request->pending = false;
    const bool ending = l->service == NULL;
    cr_assert(l->options.crowds || done->number == request->number);
    request->number = done->number; /* searches of crowds are numbered, too */
    print(l, request, done, ending ? l->frame - request->submitted : done->frames);
    if (ending || !l->options.callbacks) return;
    const int times = oracle_below(&l->random, 3);
    for (int i = 0; i < times; i++) live_act(l);
}

/* A script's epoch 0 is its map as it was before its first frame, or later when it came into the recording: with the
 * request that was submitted just now. */
void live_note_map(live *l) {
    wend_recording recording = {.struct_bytes = sizeof recording};
    struct live_land *at = l->at;
    const wend_error error = wend_service_get_recording(l->service, &recording);
    cr_assert_eq(error, l->options.late && error ? WEND_EMPTY : WEND_OK);
    if (error || recording.maps == l->recorded) return;
    l->recorded = recording.maps;
    at->first_epoch = wend_map_get_epoch(at->map), at->dated = l->frame > 0;
}

/* Maps that are in the recording before its first frame may be edited until then. */
static void date_all(live *l) {
    for (int i = 0; i < l->land_count; i++) {
        struct live_land *at = &l->lands[i];
        if (at->dated || at->first_epoch == UINT64_MAX) continue;
        at->first_epoch = wend_map_get_epoch(at->map), at->dated = true;
    }
}

static void submit(live *l) {
    wend_cell goals[WORLD_GOALS];
    const bool special = live_chance(l, 40);
    wend_request request = world_request(l->at->land, &l->random, special, goals);
    request.map = l->at->map, request.on_done = on_done;
    request.urgency = oracle_below(&l->random, 7) - 3;
    options_of(&request)->engine = oracle_below(&l->random, 3);
    if (live_chance(l, 10)) options_of(&request)->heuristic = oracle_below(&l->random, 4);
    if (live_chance(l, 10)) options_of(&request)->weight_milli = 1000 + oracle_below(&l->random, 3000);
    if (live_chance(l, 15)) request.deadline_frames = (uint64_t)(1 + oracle_below(&l->random, 6));
    if (live_chance(l, 15)) options_of(&request)->max_expansions = (uint64_t)oracle_below(&l->random, 60);
    if (live_chance(l, 20)) request.agent = (uint64_t)oracle_below(&l->random, 4);
    if (live_chance(l, 20)) options_of(&request)->on_stale = WEND_ON_STALE_DELIVER;
    if (live_chance(l, 10)) options_of(&request)->leave_blocked_start = true;
    if (l->count == l->capacity) return;
    struct live_request *own = &l->requests[l->count];
    *own = (struct live_request){.l = l, .at = l->at, .submitted = l->frame, .number = l->count, .pending = true};
    request.context = own;
    if (wend_service_submit(l->service, &request, &own->ticket) == WEND_OK)
        l->count++;
    else
        l->refused++;
    live_note_map(l);
}

static struct live_request *some_request(live *l) {
    if (l->count == 0) return NULL;
    const int back = oracle_below(&l->random, l->count < 20 ? (int)l->count : 20);
    return &l->requests[l->count - 1 - (size_t)back];
}

static void change(live *l) {
    struct live_request *request = some_request(l);
    if (request == NULL) return;
    switch (oracle_below(&l->random, 3)) {
    case 0: (void)wend_service_cancel(l->service, request->ticket); break;
    case 1: (void)wend_service_set_urgency(l->service, request->ticket, oracle_below(&l->random, 9) - 4); break;
    default: (void)wend_service_set_goal(l->service, request->ticket, live_cell(l)); break;
    }
}

static void edit_one(live *l, wend_edit *edit) {
    const wend_cell a = live_cell(l), b = live_cell(l);
    const uint8_t terrain = (uint8_t)oracle_below(&l->random, 4);
    uint8_t classes[16];
    wend_cell to = a;
    switch (oracle_below(&l->random, 6)) {
    case 0: (void)wend_edit_set_cell(edit, a, terrain); break;
    case 1: {
        wend_cell last = a;
        if (last.x + 1 < l->at->land->width) last.x++;
        (void)wend_edit_fill_box(edit, (wend_box){a, last}, terrain);
        break;
    }
    case 2: {
        wend_cell last = a;
        last.x += oracle_below(&l->random, l->at->land->width - a.x < 8 ? l->at->land->width - a.x : 8);
        if (l->at->kind == WEND_KIND_GRAPH) last = a;
        for (int i = 0; i < 16; i++) classes[i] = (uint8_t)oracle_below(&l->random, 3);
        (void)wend_edit_set_box(edit, (wend_box){a, last}, classes, 8);
        break;
    }
    case 3:
        (void)(world_number(l->at->land, a) == world_number(l->at->land, b) ||
               wend_edit_add_link(edit, &(wend_link){a, b, 1 + oracle_below(&l->random, 90), 0}) != WEND_OK);
        break;
    case 4: (void)wend_edit_remove_link(edit, a, b); break;
    default: {
        const int step = oracle_below(&l->random, 27);
        if (l->at->kind != WEND_KIND_GRAPH && world_neighbour(l->at->land, a, step, &to) &&
            (to.x != a.x || to.y != a.y || to.z != a.z))
            (void)wend_edit_set_step(edit, a, to, oracle_below(&l->random, 2));
    }
    }
}

static void edit(live *l) {
    wend_edit *edit;
    const int changes = oracle_below(&l->random, 5);
    if (wend_edit_begin(l->at->map, &edit) != WEND_OK) return;
    for (int i = 0; i < changes; i++) edit_one(l, edit);
    if (live_chance(l, 10))
        wend_edit_discard(edit);
    else
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static void move_unit(live *l) {
    const wend_cell cell = live_cell(l);
    if (live_chance(l, 60))
        (void)wend_map_occupy(l->at->map, cell);
    else
        (void)wend_map_vacate(l->at->map, cell);
}

static void accelerate(live *l) {
    wend_acceleration def = default_acceleration();
    def.landmarks = oracle_below(&l->random, 3), def.tables = oracle_below(&l->random, 2);
    if (live_chance(l, 30)) def.mover = oracle_below(&l->random, l->at->land->mover_count);
    if (live_chance(l, 40))
        (void)wend_map_accelerate(l->at->map, &def);
    else
        (void)wend_map_maintain(l->at->map, WEND_MAINTAIN_ALL, 600, NULL);
}

void live_act(live *l) {
    if (l->land_count > 1) l->at = &l->lands[oracle_below(&l->random, l->land_count)];
    if (l->options.crowds && live_chance(l, 50)) {
        live_crowd_act(l);
        return;
    }
    const int what = oracle_below(&l->random, 20);
    if (what < 11)
        submit(l);
    else if (what < 15)
        change(l);
    else if (what < 17)
        edit(l);
    else if (what < 19)
        move_unit(l);
    else
        accelerate(l);
}

/* ---- frames ---- */

static uint64_t now_ns(void *context) {
    live *l = context;
    l->clock += (uint64_t)oracle_below(&l->random, 700);
    return l->clock;
}

static uint64_t some_limit(live *l, int percent) {
    return live_chance(l, percent) ? (uint64_t)oracle_below(&l->random, 6) : WEND_NO_LIMIT;
}

static void frame(live *l) {
    wend_budget budget = default_budget();
    budget.expansions = (uint64_t)oracle_below(&l->random, 400);
    if (l->options.timed && live_chance(l, 80)) budget.us = (uint64_t)oracle_below(&l->random, 30);
    if (live_chance(l, 30)) budget.expansions = WEND_NO_LIMIT;
    limits_of(&budget)->rounds = some_limit(l, 15), limits_of(&budget)->intakes = some_limit(l, 15);
    limits_of(&budget)->deliveries = some_limit(l, 15), limits_of(&budget)->cells = some_limit(l, 15);
    limits_of(&budget)->changes = some_limit(l, 15), limits_of(&budget)->checks = some_limit(l, 15);
    limits_of(&budget)->chosen = some_limit(l, 10);
    date_all(l);
    l->frame++;
    cr_assert_eq(wend_service_tick(l->service, &budget, NULL), WEND_OK);
}

static void open_service(live *l) {
    wend_service_def def = default_service();
    wend_service_tuning tuning = default_tuning();
    def.queue = (uint32_t)(8 + oracle_below(&l->random, 40));
    tuning.lanes = (uint32_t)(1 + oracle_below(&l->random, 4));
    tuning.searches = tuning.lanes + (uint32_t)oracle_below(&l->random, 6);
    def.nodes = (uint64_t)(1 + oracle_below(&l->random, 12)) * WEND_PAGE_NODES * tuning.lanes;
    def.max_path_cells = (uint64_t)(2 + oracle_below(&l->random, 60));
    def.path_bytes = (uint64_t)oracle_below(&l->random, 4000), def.clock = (wend_clock){l, now_ns};
    tuning.slice = (uint64_t)(1 + oracle_below(&l->random, 60));
    tuning.quantum = oracle_below(&l->random, 2) ? (uint64_t)(1 + oracle_below(&l->random, 300)) : 0;
    tuning.list = (uint32_t)(1 + oracle_below(&l->random, 16));
    tuning.fair = (uint32_t)oracle_below(&l->random, 4);
    tuning.restarts = (uint32_t)oracle_below(&l->random, 4);
    tuning.evictions = (uint32_t)oracle_below(&l->random, 4);
    tuning.horizon = (uint32_t)oracle_below(&l->random, 9);
    tuning.goals = (uint32_t)oracle_below(&l->random, 60);
    def.tuning = &tuning;
    cr_assert_eq(wend_service_create(&def, &l->service), WEND_OK);
}

static void add_land(live *l, struct live_land *at, int kind) {
    const world_options whole = {kind, true, true, true, true, true};
    *at = (struct live_land){.land = calloc(1, sizeof *at->land), .kind = kind, .first_epoch = UINT64_MAX};
    world_fill(at->land, &l->random, &whole);
    at->map = world_map(at->land);
}

static void some_frames(live *l, int frames) {
    for (int i = 0; i < frames; i++) {
        const int acts = oracle_below(&l->random, 8);
        for (int k = 0; k < acts; k++) live_act(l);
        frame(l);
        if (l->options.crowds) live_crowd_steps(l);
    }
}

/* Frames count from here on, as in the playback. */
static void record_late(live *l) {
    some_frames(l, 3 + oracle_below(&l->random, 30));
    live_text_free(&l->expected);
    live_text_open(&l->expected);
    l->frame = 0;
    for (size_t i = 0; i < l->count; i++) l->requests[i].submitted = 0;
    cr_assert_eq(wend_service_record_state(l->service, l->at->map, live_crowd_on(l->at), write_file, l), WEND_OK, "%s",
                 wend_error_detail(WEND_OK));
    live_note_map(l);
}

void live_run(live *l, uint64_t seed, const live_options *options) {
    enum { REQUESTS = 4096 };
    l->options = *options, l->random = (oracle_random){seed};
    l->land_count = options->maps > 1 ? options->maps : 1;
    for (int i = 0; i < l->land_count; i++)
        add_land(l, &l->lands[i], i == 0 ? options->kind : 1 + (options->kind + i) % 3);
    l->at = &l->lands[0], l->requests = calloc(REQUESTS, sizeof *l->requests);
    l->capacity = REQUESTS;
    live_text_open(&l->expected);
    const int before = oracle_below(&l->random, 3);
    open_service(l);
    for (int i = 0; i < before; i++) edit(l), accelerate(l);
    for (int i = 0; options->past && i < 12; i++) move_unit(l), edit(l), accelerate(l);
    if (options->late)
        record_late(l);
    else
        cr_assert_eq(wend_service_record(l->service, write_file, l), WEND_OK);
    some_frames(l, options->frames);
    for (int i = 0; i < l->land_count; i++) live_crowd_end(l, &l->lands[i]);
    date_all(l);
    wend_service *service = l->service;
    l->service = NULL;
    wend_service_destroy(service);
    for (int i = 0; i <= LIVE_MAPS; i++) live_text_close(&l->files[i]);
    live_text_close(&l->expected);
}

void live_free(live *l) {
    for (int i = 0; i <= LIVE_MAPS; i++) live_text_free(&l->files[i]);
    live_text_free(&l->expected);
    for (int i = 0; i < l->land_count; i++) {
        wend_map_release(l->lands[i].map);
        world_free(l->lands[i].land);
        free(l->lands[i].land);
    }
    free(l->requests);
}

/* ---- playback ---- */

char *live_play(const char *text, size_t size, int *status) {
    char *printed = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&printed, &bytes);
    const script_options options = {.budget = SCRIPT_DEFAULT_BUDGET, .out = out};
    script_state script;
    script_init(&script, "recording", text, size, &options);
    *status = script_run(&script);
    script_free(&script);
    cli_world_free(&script.built);
    fclose(out);
    return printed;
}

static void write_text(const char *folder, const char *name, const live_text *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    cr_assert(file != NULL);
    cr_assert(fwrite(text->bytes, 1, text->size, file) == text->size);
    fclose(file);
}

static void remove_files(const char *folder) {
    char path[256];
    for (int i = 0; i <= LIVE_MAPS; i++) {
        snprintf(path, sizeof path, "%s/map%d.wend", folder, i);
        remove(path);
    }
    rmdir(folder);
}

char *live_play_maps(const live *l, int *status) {
    char folder[] = "/tmp/wend-live-XXXXXX", name[32], path[64], *printed = NULL;
    size_t bytes = 0;
    cr_assert(mkdtemp(folder) != NULL);
    for (int i = 0; i <= LIVE_MAPS; i++) {
        snprintf(name, sizeof name, "map%d.wend", i);
        if (l->files[i].bytes != NULL) write_text(folder, name, &l->files[i]);
    }
    FILE *out = open_memstream(&printed, &bytes);
    const script_options options = {.budget = SCRIPT_DEFAULT_BUDGET, .out = out};
    snprintf(path, sizeof path, "%s/map0.wend", folder);
    *status = script_maps_run(path, l->files[0].bytes, l->files[0].size, &options);
    fclose(out);
    remove_files(folder);
    return printed;
}
