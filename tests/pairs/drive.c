/* SPDX-License-Identifier: MIT */
/* Drives a world: brings it to a moment, lets something happen, and has all requests answered. */
#include "pairs/pairs.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const happening_row *happenings[MOST_HAPPENINGS];
size_t happening_count;

/* ---- the state of the world, for reports ---- */

static struct {
    uint64_t seed, world;
    const pair_world *w;
    const char *happening, *moment;
    int chosen[HAPPENINGS + 1][2], count; ///< happenings of this world so far, and their moments
} now = {.happening = "the making of the world", .moment = "first"};

static void say_now(void) {
    printf("seed %llu, world %llu: %s, %s\n", (unsigned long long)now.seed, (unsigned long long)now.world,
           now.happening, now.moment);
    if (!now.w) return;
    for (int i = 0; i < FACTORS; i++)
        printf("%s%s %s", i ? ", " : "  ", factor_names[i], value_names[i][now.w->values[i]]);
    printf("\nagain: check_pairs %llu %llu ", (unsigned long long)now.seed, (unsigned long long)now.world);
    for (int i = 0; i < FACTORS; i++) printf("%d", now.w->values[i]);
    for (int i = 0; i < now.count; i++) printf("%c%d@%d", i ? ',' : ' ', now.chosen[i][0], now.chosen[i][1]);
    printf("\n");
    fflush(stdout);
}

void claim_at(bool holds, int line, const char *file, const char *format, ...) {
    if (holds) return;
    va_list arguments;
    va_start(arguments, format);
    printf("%s:%d: ", file, line);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    say_now();
    exit(1);
}

/* Sanitizers call it before they end the program. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void died(int number) {
    say_now();
    signal(number, SIG_DFL);
    raise(number);
}

/* ---- moments ---- */

static asked *ask_main(pair_world *w) {
    asked *own = world_new_asked(w);
    world_ask(w, own);
    own->request.urgency = 900;
    return world_submit(w, own);
}

static bool is_begun(const pair_world *w, const asked *own, bool *whole) {
    wend_prefix prefix = {.struct_bytes = sizeof prefix};
    if (own->answers || wend_service_get_prefix(w->service, own->ticket, NULL, 0, &prefix)) return false;
    *whole = prefix.whole != 0;
    return prefix.expansions > 0 || prefix.whole;
}

/* Runs tiny frames until the main search has spent something and is not over. */
static bool reach_under_way(pair_world *w) {
    uint64_t spent = 0;
    for (int i = 0; i < 40 && !w->main->answers; i++) {
        wend_frame frame = {.struct_bytes = sizeof frame};
        bool whole = false;
        if (is_begun(w, w->main, &whole) && !whole) return true;
        /* The way back is known to no call, as of a bidirectional look: it spent, and is not over. */
        if (spent > 6) return true;
        world_frame(w, 1, WEND_NO_LIMIT, &frame);
        spent += frame.expansions;
    }
    return false;
}

/* Submits a request whose start is its goal. A frame that may deliver nothing delivers the most urgent answer all the
 * same: this one, so that the main one waits. */
static void ask_at_once(pair_world *w) {
    asked *own = world_new_asked(w);
    world_ask(w, own);
    own->request.urgency = WEND_URGENCY_MAX, own->request.goal = own->request.start;
    own->options.more_goal_count = 0, own->request.mode = WEND_MODE_EXACT;
    (void)world_submit(w, own);
}

static bool reach_finished(pair_world *w) {
    int idle = 0;
    for (int i = 0; i < 12 && !w->main->answers && idle < 2; i++) {
        wend_frame frame = {.struct_bytes = sizeof frame};
        bool whole = false;
        if (is_begun(w, w->main, &whole) && whole) return true;
        ask_at_once(w);
        world_frame(w, 4000, 0, &frame);
        idle = frame.expansions ? 0 : idle + 1;
    }
    return !w->main->answers;
}

static bool reach(pair_world *w, int moment) {
    if (w->crowd) {
        world_send(w);
        for (int i = 0; moment != BEFORE && i < 3; i++) {
            world_frame(w, 200, WEND_NO_LIMIT, NULL);
            CLAIM(!wend_crowd_update(w->crowd, 1000, NULL, NULL), "update");
            w->unit_moves++;
        }
        if (moment != BEFORE && draw(&w->random, 2)) world_send(w);
    }
    w->main = ask_main(w);
    for (int i = 0; i < 2; i++) {
        asked *own = world_new_asked(w);
        world_ask(w, own);
        (void)world_submit(w, own);
    }
    if (!w->main) return false;
    if (moment == FINISHED) return reach_finished(w);
    /* A search that runs keeps its version; without one the edit frees it. */
    const bool waits = moment == EDITED && draw(&w->random, 2);
    if (moment != BEFORE && !waits && !reach_under_way(w)) return false;
    if (moment != EDITED) return true;
    return world_edit(w) == WEND_OK && !w->main->answers;
}

/* ---- happenings ---- */

static const refusal *find_refusal(const pair_world *w, const char *name, int moment, wend_error error) {
    for (size_t i = 0; i < refusal_count; i++) {
        const refusal *row = &refusals[i];
        if (strcmp(row->happening, name) || !(row->moments >> moment & 1)) continue;
        if (world_is(w, row->factor, row->values) && (row->error == error || error == WEND_OK)) return row;
    }
    return NULL;
}

/* Returns whether it met: it was done, or refused as it should be. */
static bool let_happen(pair_world *w, int number, int moment) {
    const happening_row *what = happenings[number];
    const wend_error error = what->happen(w);
    if (error == WEND_EMPTY) return false;
    const refusal *row = find_refusal(w, what->name, moment, error);
    CLAIM(!error || row, "%s: %s", wend_error_name(error), wend_error_detail(error));
    if (!error && row) CLAIM(row->may, "not refused with %s (%s)", wend_error_name(row->error), row->sentence);
    cover_met(w->values, number, moment, error != WEND_OK);
    return true;
}

/* A search may end sooner than it was to be seen, so the same moment is tried some times. */
void drive_happening(pair_world *w, int number, int moment) {
    const bool ends = (happenings[number]->needs & ENDS) != 0;
    now.happening = happenings[number]->name, now.moment = moment_names[moment];
    now.chosen[now.count][0] = number, now.chosen[now.count++][1] = moment;
    for (int tries = 0; tries < 5; tries++) {
        const bool reached = reach(w, moment), met = reached && let_happen(w, number, moment);
        if (reached && ends) return;
        world_finish(w);
        if (met) return;
    }
}

void drive_watch(const pair_world *w) {
    now.w = w;
}

pair_world *drive_begin(const uint8_t values[FACTORS], uint64_t seed, uint64_t number) {
    pair_world *w = world_new(values);
    now.w = w, now.seed = seed, now.world = number, now.happening = "the making of the world", now.moment = "first",
    now.count = 0;
    w->random = now.seed * UINT64_C(0x9e3779b97f4a7c15) + number * 0x2545f491u;
    const wend_error error = world_open(w);
    CLAIM(!error, "%s: %s: %s", w->refused_call, wend_error_name(error), wend_error_detail(error));
    cover_world(values);
    return w;
}

void drive_end(pair_world *w) {
    now.happening = "the end of the world";
    world_close(w);
    world_free(w);
    now.w = NULL;
}

void drive_hostile(pair_world *w, int moment) {
    drive_happening(w, (int)happening_count - 1, moment);
}

void drive_init(void) {
    const happening_row *const tables[] = {happenings_of_maps, happenings_of_services, happenings_of_crowds,
                                           happenings_of_marks, hostile_happenings};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        for (const happening_row *row = tables[i]; row->name; row++) happenings[happening_count++] = row;
    if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(say_now);
    signal(SIGABRT, died), signal(SIGSEGV, died);
    cover_begin();
}
