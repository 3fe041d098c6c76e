/* SPDX-License-Identifier: MIT */
/* `wend run` while the C library's allocator fails, once or for good, at each of its calls in turn: a script runs to
 * its end, or stops with one message; nothing stays allocated. A plain program, as it defines malloc(). */
#define _POSIX_C_SOURCE 200809L
#include "models/starving.h"
#include "server/run/starved_messages.h"

#include <string.h>

#include "script/script.h"
#include <wend/extra.h>

#if !STARVING
int main(void) {
    return 77;
}
#else

/* ---- runs ---- */

/* Scripts of the tests, or lines given here, and other output of a run. Together they have each kind of object. Where
 * an agent takes another way while a search finds no memory, the output may differ. */
typedef struct run_case {
    const char *script, *lines;
    bool may_differ;
    int32_t picture; ///< WEND_PICTURE_…, into a file; 0: none
    const char *film, *record;
} run_case;

static const char picture[] = "starved.picture", film[] = "starved.svg", record[] = "starved.wend";

static const run_case cases[] = {
    {.script = "crlf", .picture = WEND_PICTURE_ANSI},
    {.script = "set_opens", .picture = WEND_PICTURE_SVG},
    {.script = "occupied_within", .picture = WEND_PICTURE_PNG},
    {.script = "mover_kinds", .record = record},
    {.script = "map_kinds_tiled"},
    {.script = "edits_epochs"},
    {.script = "graph_grows"},
    {.script = "graph_refusals"},
    {.script = "hexagons"},
    {.script = "layers_agents", .may_differ = true},
    {.script = "link_order"},
    {.script = "sheets"},
    {.script = "space_walls"},
    {.script = "streamed"},
    {.script = "unloaded", .may_differ = true},
    {.script = "wanted"},
    {.script = "watch"},
    {.script = "world_all"},
    {.script = "agents_clear_idle", .film = film, .may_differ = true},
    {.script = "agents_group", .may_differ = true},
    {.script = "agents_follow", .film = film, .may_differ = true},
    {.script = "bodies", .record = record, .may_differ = true},
    {.script = "routes", .may_differ = true},
    {.lines = "grid 9 9\nagent a 1,1\nagent b 3,3 radius=400\ngo a to 7,7\nrequest r 0,0 8,8\nframe 3\n"
              "save starved.save\nframe 2\nrestore starved.save\nframe 20\npositions\n",
     .may_differ = true},
};

enum { MOST_TEXT = 1 << 14 };

typedef struct outcome {
    int status;
    size_t size;
    char printed[1 << 18];
} outcome;

static const char *name_of(const run_case *c) {
    return c->script ? c->script : "saves";
}

/* Reads the script of a case. Returns its size. */
static size_t read_script(const run_case *c, const char *path, char *text) {
    if (c->lines) {
        strcpy(text, c->lines);
        return strlen(text);
    }
    FILE *file = fopen(path, "rb");
    if (!file) exit(99);
    const size_t size = fread(text, 1, MOST_TEXT, file);
    fclose(file);
    return size;
}

/* Runs a script while allocation number `at` fails, and all after it if `for_good`. Returns the allocations made. */
static size_t run(const run_case *c, size_t at, bool for_good, outcome *out) {
    static char text[MOST_TEXT], page[1 << 12];
    char path[512];
    snprintf(path, sizeof path, "%s/%s.wend", c->lines ? "." : SCRIPTS, name_of(c));
    const size_t size = read_script(c, path, text);
    FILE *file = tmpfile();
    if (!file || setvbuf(file, page, _IOFBF, sizeof page) != 0) exit(99);
    const script_options options = {.budget = SCRIPT_DEFAULT_BUDGET,
                                    .out = file,
                                    .picture = c->picture,
                                    .picture_file = c->picture ? picture : NULL,
                                    .film_file = c->film,
                                    .record_file = c->record};
    script_state script;
    messages = 0, said[0] = '\0';
    starving_begin(at, for_good);
    script_init(&script, path, text, size, &options);
    out->status = script_run(&script);
    script_free(&script);
    cli_world_free(&script.built);
    const size_t calls = starving_end();
    rewind(file);
    out->size = fread(out->printed, 1, sizeof out->printed, file);
    fclose(file);
    return calls;
}

/* Leaves out parts of a request's line that depend on the engine: without memory for jump tables A* answers. */
static size_t without_engines(char *text, size_t size) {
    static const char first[] = ",\"cells\":";
    size_t used = 0;
    bool left_out = false;
    for (size_t i = 0; i < size; i++) {
        left_out = left_out || (size - i >= sizeof first && memcmp(text + i, first, sizeof first - 1) == 0);
        if (text[i] == '\n') left_out = false;
        if (!left_out) text[used++] = text[i];
    }
    return used;
}

/* Returns whether a run ended as it should: with the whole output, or with one message. */
static bool is_good(const run_case *c, const outcome *whole, outcome *starved) {
    if (starved->status != CLI_DONE) return messages == 1;
    starved->size = without_engines(starved->printed, starved->size);
    const bool same = starved->size == whole->size && memcmp(starved->printed, whole->printed, whole->size) == 0;
    return messages == 0 && (same || c->may_differ);
}

/* Returns how many runs ended in a wrong way. */
static int starve(const run_case *c, bool for_good, size_t *refused) {
    static outcome whole, starved;
    int bad = 0;
    size_t calls = run(c, SIZE_MAX, false, &whole);
    whole.size = without_engines(whole.printed, whole.size);
    if (whole.status != CLI_DONE) return 1;
    for (size_t at = 1; calls + 1 >= at; at++) { /* until a run makes fewer calls */
        const size_t live = starving_live;
        calls = run(c, at, for_good, &starved);
        *refused += starved.status != CLI_DONE;
        if (!is_good(c, &whole, &starved)) {
            printf("%s, allocation %zu%s: %d, %d messages, %s\n", name_of(c), at, for_good ? " and all after it" : "",
                   starved.status, messages, messages ? said : "other output");
            bad++;
        }
        if (starving_live != live)
            printf("%s, allocation %zu: %td blocks are left\n", name_of(c), at, (ptrdiff_t)(starving_live - live)),
                bad++;
    }
    return bad;
}

int main(void) {
    static const char *const files[] = {picture, film, record, "starved.save"};
    static char page[1 << 12];
    int bad = 0;
    size_t refused = 0;
    setvbuf(stdout, page, _IOFBF, sizeof page); /* else it takes memory that stays */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bad += starve(&cases[i], false, &refused);
        bad += starve(&cases[i], true, &refused);
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) remove(files[i]);
    printf("%zu refusals, %d wrong answers\n", refused, bad);
    return bad > 0 || refused < 100;
}
#endif
