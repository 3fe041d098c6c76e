/* SPDX-License-Identifier: MIT */
/* Commands that request paths, the service that serves them, and the printing of answers. */
#define _DEFAULT_SOURCE

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/script/script.h"
#include "cli/shared/cells.h"
#include "cli/shared/engine.h"
#include "cli/shared/messages.h"

/* ---- limits ---- */

typedef struct limit {
    const char *name;
    uint64_t min, max;
} limit;

enum {
    QUEUE,
    NODES,
    LANES,
    SLICE,
    QUANTUM,
    FAIR,
    CELLS,
    RESTARTS,
    HORIZON,
    VERSIONS,
    RESERVE,
    DISPLACE,
    SEARCHES,
    LIST,
    EVICTIONS,
    GOALS,
    POLLS,
    PATHS,
    SHARE,
    SHARE_CELLS,
    RUSH,
    LIMIT_COUNT
};
/* The service's own limit; a longer path is not checked beyond it. */
enum { MOST_HORIZON = 65536 };
static const limit limits[LIMIT_COUNT] = {
    [QUEUE] = {"queue", 1, 1 << 24},
    [NODES] = {"nodes", 1, UINT64_MAX},
    [LANES] = {"lanes", 1, 64},
    [SLICE] = {"slice", 1, UINT64_MAX},
    [QUANTUM] = {"quantum", 1, UINT64_MAX},
    [FAIR] = {"fair", 0, UINT32_MAX},
    [CELLS] = {"cells", 1, UINT64_C(1) << 32},
    [RESTARTS] = {"restarts", 0, 1000000},
    [HORIZON] = {"horizon", 0, 1000000},
    [VERSIONS] = {"versions", 1, 1000000},
    [RESERVE] = {"reserve", 0, 1 << 24},
    [DISPLACE] = {"displace", 0, 1},
    [SEARCHES] = {"searches", 1, 65536},
    [LIST] = {"list", 1, 256},
    [EVICTIONS] = {"evictions", 0, 1000000},
    [GOALS] = {"goals", 0, 1 << 24},
    [POLLS] = {"polls", 0, 1 << 24},
    [PATHS] = {"paths", 0, UINT64_MAX},
    [SHARE] = {"share", 0, 1},
    [SHARE_CELLS] = {"sharecells", 0, UINT64_C(1) << 31},
    [RUSH] = {"rush", 0, WEND_URGENCY_MAX},
};

/* Sets numbers[0] to the limit and numbers[1] to its value. */
int cli_parse_limit(cli_script *script, cli_arguments *out) {
    cli_word word = script->words[1];
    for (size_t i = 0; i < LIMIT_COUNT; i++) {
        if (!cli_word_is(word, limits[i].name)) continue;
        out->numbers[0] = i;
        return cli_read_range(script, script->words[2], limits[i].name, limits[i].min, limits[i].max, &out->numbers[1]);
    }
    return cli_script_fail(script, word.column, "there is no limit '%s'", cli_quoted(word).text);
}

int cli_act_limit(cli_script *script, const cli_arguments *arguments) {
    cli_limits *given = &script->built.limits;
    wend_service_def *def = &given->def;
    wend_tuning *tuning = &given->tuning;
    uint64_t value = arguments->numbers[1];
    switch (arguments->numbers[0]) {
    case QUEUE: def->queue = (uint32_t)value, given->queue_given = true; break;
    case NODES: def->nodes = value, given->nodes_given = true; break;
    case LANES: def->lanes = (uint32_t)value, given->lanes_given = true; break;
    case SLICE: tuning->slice = value; break;
    case QUANTUM: tuning->quantum = value; break;
    case FAIR: tuning->fair = (uint32_t)value; break;
    case CELLS: def->max_path_cells = value, given->cells_given = true; break;
    case RESTARTS: tuning->restarts = (uint32_t)value; break;
    case HORIZON: tuning->horizon = value < MOST_HORIZON ? (uint32_t)value : MOST_HORIZON; break;
    case VERSIONS: given->versions = value < WEND_MAX_VERSIONS ? (int32_t)value : WEND_MAX_VERSIONS; break;
    case RESERVE: def->reserve = (uint32_t)value; break;
    case DISPLACE: def->displace = (uint32_t)value; break;
    case SEARCHES: def->searches = (uint32_t)value; break;
    case LIST: tuning->list = (uint32_t)value; break;
    case EVICTIONS: tuning->evictions = (uint32_t)value; break;
    case GOALS: tuning->goals = (uint32_t)value, given->goals_given = true; break;
    case POLLS: tuning->polls = (uint32_t)value; break;
    case SHARE: def->share = (uint32_t)value; break;
    case SHARE_CELLS: tuning->share_cells = value; break;
    case RUSH: tuning->rush = (uint32_t)value; break;
    case PATHS: def->path_bytes = value, given->paths_given = true; break;
    default: break;
    }
    return -1;
}

/* ---- the service ---- */

/* Chunks of the map: 64 x 64 cells, 16 x 16 x 16 in space, 4,096 nodes. */
static uint64_t count_chunks(const cli_script *script) {
    uint64_t width = (uint64_t)script->width, height = (uint64_t)script->height, depth = (uint64_t)script->layers;
    switch (script->kind) {
    case WEND_KIND_GRID: return (width + 63) / 64 * ((height + 63) / 64);
    case WEND_KIND_VOXEL: return (width + 15) / 16 * ((height + 15) / 16) * ((depth + 15) / 16);
    default: return (width + 4095) / 4096;
    }
}

/* A complete search holds one page for each chunk, two where costs are large, and four where the map is no flat grid or
   the request has more than one plain goal. A few pages are added, since lanes take some before they need them. */
static uint64_t whole_search(const cli_script *script) {
    enum { IN_HAND = 16, PAGES = 4 };
    return (count_chunks(script) * PAGES + IN_HAND) * WEND_PAGE_NODES;
}

/* Room for the further goals of all requests together. */
static uint32_t all_goals(uint32_t queue) {
    enum { MOST = 1 << 24, EACH = WEND_MAX_GOALS - 1 };
    return queue > MOST / EACH ? MOST : queue * EACH;
}

static void complete_limits(cli_script *script) {
    cli_limits *given = &script->built.limits;
    wend_service_def *def = &given->def;
    wend_tuning *tuning = &given->tuning;
    if (script->options->trial) {
        *def = script->options->trial->service;
        return;
    }
    def->tuning = tuning;
    if (script->options->lanes > 0) def->lanes = (uint32_t)script->options->lanes;
    if (script->options->slice > 0) tuning->slice = script->options->slice;
    def->workers = (uint32_t)script->options->workers;
    if (!given->nodes_given) def->nodes = whole_search(script) * def->lanes;
    if (!given->cells_given) def->max_path_cells = script->cells;
    /* a longest path takes 64 bytes for 15 cells at most; room for one more at least, so that others need not wait */
    if (!given->paths_given && def->path_bytes < def->max_path_cells * 9 + 4096)
        def->path_bytes = def->max_path_cells * 9 + 4096;
    if (!given->goals_given) tuning->goals = all_goals(def->queue);
    if (def->reserve > def->queue) def->reserve = def->queue; /* all of the queue is for the urgent */
    def->allocator = cli_lazy_allocator();
    /* a default must not exceed what a service can count: halve it on maps that large */
    while (!given->nodes_given && def->nodes > WEND_PAGE_NODES && wend_service_bytes(def) == 0) def->nodes /= 2;
}

/* An agent needs the service before the first request, and so does a recording's first frame. So the limits of later
 * lines, up to the first request or frame, are read then. */
static int limits_ahead(cli_script *script) {
    static const char *const ends[] = {"request", "frame", "drain", "walk"};
    const bool recorded_first = script->options->record_file != NULL && cli_word_is(script->words[0], "frame");
    const bool crowd = cli_word_is(script->words[0], "agent") || cli_word_is(script->words[0], "crowd");
    bool ended = !crowd && !recorded_first;
    int status;
    cli_place place = cli_script_mark(script);
    while (!ended && cli_script_next_line(script, &status)) {
        cli_arguments said;
        memset(&said, 0, sizeof said);
        if (script->word_count == 0) continue;
        for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) ended |= cli_word_is(script->words[0], ends[i]);
        if (!cli_word_is(script->words[0], "limit") || script->word_count != 3) continue;
        if (cli_parse_limit(script, &said) != -1) break;
        cli_act_limit(script, &said);
        script->limits_end = script->line;
    }
    return cli_script_return(script, place) ? -1 : cli_script_no_memory(script);
}

int cli_script_make_service(cli_script *script) {
    if (script->service != NULL) return -1;
    int status = cli_script_movers_ahead(script);
    if (status == -1) status = limits_ahead(script);
    if (status != -1) return status;
    script->changed = script->requested = true;
    complete_limits(script);
    const cli_limits *given = &script->built.limits;
    if (given->versions > 0) wend_map_set_max_versions(script->built.map, given->versions);
    if (cli_maps_take_service(script)) return -1;
    size_t bytes = wend_service_bytes(&given->def), column = script->words[0].column;
    uint64_t most = script->options->most_bytes;
    if (bytes == 0) return cli_script_fail(script, column, "these limits are more than a service can hold");
    wend_error error =
        most > 0 && bytes > most ? WEND_OUT_OF_MEMORY : wend_service_create(&given->def, &script->service);
    if (error == WEND_OK)
        return cli_record_open(&script->record, script->options->record_file, script->service, script->built.map);
    if (error != WEND_OUT_OF_MEMORY) return cli_script_fail(script, column, "%s", wend_error_detail(error));
    return cli_script_fail(script, column,
                           "no memory for a service of %zu bytes: limit nodes and limit cells make it smaller", bytes);
}

/* ---- what is printed ---- */

static uint64_t epoch_of(const cli_script *script, uint64_t epoch) {
    return epoch > script->first_epoch ? epoch - script->first_epoch : 0;
}

static void print_completion(const cli_name *name, const wend_completion *done) {
    const cli_script *script = name->script;
    FILE *out = script->options->out;
    uint64_t frames = script->ending ? script->frames - name->submitted : done->frames;
    fprintf(out, "{\"frame\":%" PRIu64 ",\"id\":", script->frames);
    cli_json_string(out, name->label.text);
    fprintf(out, ",\"status\":\"%s\",\"cost\":%" PRId64 ",\"cells\":", wend_status_name(done->status), done->cost);
    cli_json_cells(out, script->kind, done->cells, done->cell_count);
    fprintf(out,
            ",\"expansions\":%" PRIu64 ",\"frames\":%" PRIu64 ",\"epoch\":%" PRIu64 ",\"checked\":%" PRIu64
            ",\"exact\":%s,\"engine\":\"%s\"%s}\n",
            done->expansions, frames, epoch_of(script, done->epoch), epoch_of(script, done->checked),
            done->exact ? "true" : "false", cli_engine_name(done->engine), done->shared ? ",\"shared\":true" : "");
}

void cli_script_done(void *context, const wend_completion *done) {
    cli_name *name = context;
    name->pending = false;
    name->script->pending -= !name->polled;
    cli_recording_completed(name->script, done);
    name->status = done->status;
    name->cost = done->cost;
    cli_script_keep_trail(name->script, done);
    cli_watch_keep(name, done);
    if (!name->script->failed && !name->script->options->trial) print_completion(name, done);
    if (!name->polled) cli_during_callback(name);
}

enum { REFUSAL_BYTES = 32 };

/* WEND_OUT_OF_RANGE as out_of_range */
static const char *refusal_name(wend_error error, char out[REFUSAL_BYTES]) {
    static const char prefix[] = "WEND_";
    const char *text = wend_error_name(error);
    size_t length = 0;
    if (strncmp(text, prefix, sizeof prefix - 1) == 0) text += sizeof prefix - 1;
    for (; text[length] != '\0' && length + 1 < REFUSAL_BYTES; length++)
        out[length] = (char)tolower((unsigned char)text[length]);
    out[length] = '\0';
    return out;
}

static void print_refusal(const cli_script *script, const cli_name *name, wend_error error) {
    FILE *out = script->options->out;
    fprintf(out, "{\"frame\":%" PRIu64 ",\"id\":", script->frames);
    cli_json_string(out, name->label.text);
    fprintf(out, ",\"error\":\"%s\"}\n", refusal_name(error, (char[REFUSAL_BYTES]){0}));
}

/* ---- request ---- */

int cli_act_request(cli_script *script, const cli_arguments *arguments) {
    cli_name *name = cli_label_find(&script->names, arguments->name);
    if (name != NULL && name->pending)
        return cli_script_fail(script, arguments->name.column, "'%s' is pending: its completion comes first",
                               cli_quoted(arguments->name).text);
    int status = cli_script_make_service(script);
    if (status != -1) return status;
    name = cli_label_make(&script->names, arguments->name, sizeof *name);
    if (name == NULL) return cli_script_no_memory(script);
    name->script = script;
    wend_request request = arguments->request;
    request.context = name;
    request.more_goals = arguments->goals;
    wend_error error =
        arguments->bad_argument ? WEND_BAD_ARGUMENT : wend_service_submit(script->service, &request, &name->ticket);
    name->pending = error == WEND_OK;
    name->polled = request.on_done == NULL;
    script->pending += error == WEND_OK && !name->polled;
    name->submitted = script->frames;
    name->start = request.start;
    name->mover = request.mover;
    name->goal = request.goal;
    name->refused = error;
    if (error != WEND_OK) print_refusal(script, name, error);
    return -1;
}

/* ---- cancel, urgency ---- */

static int find_name(cli_script *script, cli_word word, cli_name **out) {
    *out = cli_label_find(&script->names, word);
    if (*out != NULL) return -1;
    return cli_script_fail(script, word.column, "'%s' was never requested", cli_quoted(word).text);
}

int cli_parse_cancel(cli_script *script, cli_arguments *out) {
    cli_name *name;
    out->name = script->words[1];
    return find_name(script, out->name, &name);
}

int cli_act_cancel(cli_script *script, const cli_arguments *arguments) {
    const cli_name *name = cli_label_find(&script->names, arguments->name);
    if (name->pending) wend_service_cancel(script->service, name->ticket);
    return -1;
}

int cli_parse_urgency(cli_script *script, cli_arguments *out) {
    cli_name *name;
    cli_word word = script->words[2];
    int32_t *urgency = &out->request.urgency;
    out->name = script->words[1];
    int status = find_name(script, out->name, &name);
    if (status == -1) status = cli_read_int(script, word, "urgency", urgency);
    if (status != -1 || (*urgency >= WEND_URGENCY_MIN && *urgency <= WEND_URGENCY_MAX)) return status;
    return cli_script_fail(script, word.column, "urgency is from %d to %d, not '%s'", WEND_URGENCY_MIN,
                           WEND_URGENCY_MAX, cli_quoted(word).text);
}

int cli_act_urgency(cli_script *script, const cli_arguments *arguments) {
    const cli_name *name = cli_label_find(&script->names, arguments->name);
    if (name->pending) wend_service_set_urgency(script->service, name->ticket, arguments->request.urgency);
    return -1;
}

/* ---- goal, publish, expect ---- */

int cli_parse_goal(cli_script *script, cli_arguments *out) {
    cli_name *name;
    out->name = script->words[1];
    int status = find_name(script, out->name, &name);
    return status == -1 ? cli_read_cell_on_map(script, script->words[2], &out->cells[0]) : status;
}

int cli_act_goal(cli_script *script, const cli_arguments *arguments) {
    cli_name *name = cli_label_find(&script->names, arguments->name);
    if (!name->pending) return -1;
    name->goal = arguments->cells[0];
    wend_service_set_goal(script->service, name->ticket, name->goal);
    return -1;
}

/* Is the word a status, or a refusal of submit? */
static bool is_outcome(cli_word word) {
    static const wend_error refusals[] = {WEND_OUT_OF_RANGE, WEND_BUSY, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED};
    for (int32_t i = 1; i < WEND_STATUS_COUNT; i++)
        if (cli_word_is(word, wend_status_name((wend_status)i))) return true;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
        if (cli_word_is(word, refusal_name(refusals[i], (char[REFUSAL_BYTES]){0}))) return true;
    return false;
}

/* numbers: 1 where a cost is given, and the cost. */
int cli_parse_expect(cli_script *script, cli_arguments *out) {
    cli_name *name;
    cli_word key, value;
    out->name = script->words[1];
    out->status = script->words[2];
    int status = find_name(script, out->name, &name);
    if (status != -1) return status;
    if (!is_outcome(out->status))
        return cli_script_fail(script, out->status.column, "there is no status '%s'", cli_quoted(out->status).text);
    if (script->word_count < 4) return -1;
    if (!cli_word_split(script->words[3], &key, &value) || !cli_word_is(key, "cost"))
        return cli_script_fail(script, script->words[3].column, "only cost=N is allowed here, not '%s'",
                               cli_quoted(script->words[3]).text);
    out->numbers[0] = 1;
    return cli_read_range(script, value, "cost", 0, INT64_MAX, &out->numbers[1]);
}

/* A mismatch ends the script: the answer is no. */
int cli_act_expect(cli_script *script, const cli_arguments *arguments) {
    const cli_name *name = cli_label_find(&script->names, arguments->name);
    const char *got = name->pending              ? "pending"
                      : name->refused != WEND_OK ? refusal_name(name->refused, (char[REFUSAL_BYTES]){0})
                                                 : wend_status_name(name->status);
    cli_quote wanted = cli_quoted(arguments->status);
    if (script->options->trial) return -1;
    if (!cli_word_is(arguments->status, got)) {
        cli_script_fail(script, arguments->status.column, "'%s' is %s, not %s", name->label.text, got, wanted.text);
        return CLI_ANSWER_IS_NO;
    }
    bool costs = arguments->numbers[0] == 0 || name->cost == (int64_t)arguments->numbers[1];
    if (costs && (arguments->numbers[0] == 0 || name->refused == WEND_OK)) return -1;
    cli_script_fail(script, script->words[3].column, "'%s' costs %" PRId64 ", not %" PRIu64, name->label.text,
                    name->cost, arguments->numbers[1]);
    return CLI_ANSWER_IS_NO;
}

void cli_script_begin_end(cli_script *script) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(script->built.map, &info);
    if (script->frames == 0) script->first_epoch = info.epoch;
    script->ending = true;
    script->cancelled = script->pending;
}

void cli_script_end_service(cli_script *script) {
    if (script->service == NULL) return;
    cli_record_close(&script->record);
    cli_script_begin_end(script);
    wend_service_destroy(script->service);
    script->service = NULL;
}
