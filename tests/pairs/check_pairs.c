/* SPDX-License-Identifier: MIT */
/* Every three features in a world, and every two of them with each happening at each moment.
 *
 *     check_pairs [SEED]                             all of it
 *     check_pairs SEED WORLDS                        in at most WORLDS worlds, with the rest left
 *     check_pairs SEED WORLD VALUES HAPPENINGS       one world again, as a fault prints it
 *     check_pairs --table                           the table, as lines of JSON
 *
 * Worlds are small and random, and have a value of each factor (features.c). In each, some happenings come one after
 * another, each at a moment of a search that the test sees; then all requests have to be answered, each once, as the
 * oracle has it, and the world ends, by calls with hostile arguments (hostile.c) or otherwise, without a byte left. What is not allowed (features.c, refusals.c) is tried, too: it
 * has to be refused by name. The program draws worlds until all has met, prints what was possible, met and forbidden.
 * Without WORLDS it fails where something is left. Built with ASan and --enable-debug it sees most. */
#include "pairs/pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t seed;

static void run_world(uint64_t number, uint64_t *random) {
    uint8_t values[FACTORS];
    int happening = 0, moment = 0;
    cover_draw(values, random);
    cover_begin_world();
    pair_world *w = drive_begin(values, seed, number);
    for (int i = 0; i < HAPPENINGS && cover_choose(values, 0, random, &happening, &moment); i++)
        drive_happening(w, happening, moment);
    if (cover_choose(values, ENDS, random, &happening, &moment))
        drive_happening(w, happening, moment);
    else
        drive_hostile(w, (int)draw(random, MOMENTS));
    drive_end(w);
}

static void run_again(uint64_t number, const char *values, const char *chosen) {
    uint8_t own[FACTORS] = {0};
    for (int i = 0; i < FACTORS && values[i]; i++) own[i] = (uint8_t)(values[i] - '0');
    pair_world *w = drive_begin(own, seed, number);
    for (char *end; *chosen; chosen = *end ? end + 1 : end) {
        const long happening = strtol(chosen, &end, 10), moment = strtol(end + 1, &end, 10);
        drive_happening(w, (int)happening, (int)moment);
    }
    drive_end(w);
}

/* Worlds that find faults which the drawn ones find rarely; src/base/fault.h has their names. */
static const struct {
    const char *values, *chosen;
    uint64_t worlds;
} once_broken[] = {
    {"3002000003000000000", "35@0,37@0,36@0", 1},      /* goals-of-ended-request */
    {"5003000000000000000", "32@0,32@1,32@3,32@0", 8}, /* far-job-version */
};

static void run_once_broken(void) {
    for (size_t i = 0; i < sizeof once_broken / sizeof once_broken[0]; i++)
        for (uint64_t k = 1; k <= once_broken[i].worlds; k++)
            run_again(k, once_broken[i].values, once_broken[i].chosen);
}

/* ---- forbidden features ---- */

static wend_error try_world(pair_world *w) {
    wend_error error = world_open(w);
    if (error) return error;
    asked *own = world_new_asked(w);
    world_ask(w, own);
    own->request.options = &own->options;
    w->refused_call = "wend_service_submit";
    return wend_service_submit(w->service, &own->request, &own->ticket);
}

/* Tries each combination of the row's values; the other factors have their first value. */
static void try_forbidden(const forbidden *row) {
    static pair_world w;
    for (int a = 0; a < MOST_VALUES; a++)
        for (int b = 0; b < MOST_VALUES; b++)
            for (int c = 0; c < (row->has[2].values ? MOST_VALUES : 1); c++) {
                const int chosen[3] = {a, b, c};
                bool given = true;
                memset(&w, 0, sizeof w);
                for (int i = 0; i < 3 && row->has[i].values; i++) {
                    given = given && row->has[i].values >> chosen[i] & 1;
                    w.values[row->has[i].factor] = (uint8_t)chosen[i];
                }
                if (!given) continue;
                drive_watch(&w);
                const wend_error error = try_world(&w);
                CLAIM(error == row->error, "%s, not %s: %s", wend_error_name(error), wend_error_name(row->error),
                      row->sentence);
                CLAIM(!strcmp(w.refused_call, row->call), "%s refuses it, not %s", w.refused_call, row->call);
                world_close(&w);
            }
}

int main(int argc, char **argv) {
    const uint64_t most = argc > 2 ? strtoull(argv[2], NULL, 10) : 40000;
    const double begun = (double)clock() / CLOCKS_PER_SEC;
    uint64_t number = 0, random = 0;
    bool whole = false;
    drive_init();
    if (argc > 1 && !strcmp(argv[1], "--table")) return print_table(), 0;
    seed = random = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    if (argc > 3) return run_again(strtoull(argv[2], NULL, 10), argv[3], argc > 4 ? argv[4] : ""), 0;
    for (size_t i = 0; i < forbidden_count; i++) try_forbidden(&forbidden_rows[i]);
    run_once_broken();
    for (; number < most && !whole; number++) {
        run_world(number, &random);
        if (number % 20 != 19) continue;
        printf("%llu worlds, %.0f s: ", (unsigned long long)number + 1, (double)clock() / CLOCKS_PER_SEC - begun);
        whole = cover_report(false);
        fflush(stdout);
    }
    whole = cover_report(true);
    printf("%llu worlds, %zu happenings, %.1f s of processor time\n", (unsigned long long)number, happening_count,
           (double)clock() / CLOCKS_PER_SEC - begun);
    return whole || argc > 2 ? 0 : 1;
}
