/* SPDX-License-Identifier: MIT */
/* Which features have met: every three of them in a world, and each with each happening at each moment; in the long run
 * every two with each happening at each moment. */
#include "pairs/pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FEATURES = 96 };

static int first_feature[FACTORS + 1];                 ///< number of a factor's first value
static uint8_t *three;                                 ///< by a < b < c: 1: met
static unsigned tried[MOST_HAPPENINGS][MOMENTS];       ///< grounds on which a happening was refused, as it always is
static uint64_t lacking_sum, lacking_ones;             ///< sums over all features, and over single features
static uint32_t lacking[MOST_FEATURES][MOST_FEATURES]; ///< by a <= b: happenings that have not met them
static uint8_t *two;          ///< by happening, moment, a <= b: 1: met, 2: refused as it should be
static bool is_long, is_deep; ///< in a deep world two features count with a happening, not one alone
enum { DEEP_WORLDS = 60 };

static int feature(int factor, int value) {
    return first_feature[factor] + value;
}

static size_t place_of_three(int a, int b, int c) {
    return ((size_t)a * MOST_FEATURES + (size_t)b) * MOST_FEATURES + (size_t)c;
}

/* Returns the index of two features in `two`; of a single one, a = b. */
static size_t place_of_two(int happening, int moment, int a, int b) {
    return (((size_t)happening * MOMENTS + (size_t)moment) * MOST_FEATURES + (size_t)a) * MOST_FEATURES + (size_t)b;
}

/* ---- possible combinations ---- */

/* Returns whether a world has all features of a row. `known` has a bit for each factor with a known value. */
static bool holds(const forbidden *row, const uint8_t values[FACTORS], int known) {
    for (int i = 0; i < 3; i++) {
        if (!row->has[i].values) continue;
        if (!(known >> row->has[i].factor & 1)) return false;
        if (!(row->has[i].values >> values[row->has[i].factor] & 1)) return false;
    }
    return true;
}

static bool cover_allows(const uint8_t values[FACTORS], int known) {
    for (size_t i = 0; i < forbidden_count; i++)
        if (holds(&forbidden_rows[i], values, known)) return false;
    return true;
}

/* Returns whether a world has the agents, bodies or arena that a happening needs. */
static bool has_needs(unsigned needs, const uint8_t values[FACTORS], int known) {
    if (needs & NEEDS_ARENA && known >> MEMORY & 1 && values[MEMORY] != ARENA) return false;
    if (!(needs & (NEEDS_CROWD | NEEDS_BODIES)) || !(known >> CROWD & 1)) return true;
    return needs & NEEDS_BODIES ? values[CROWD] == BODIES : values[CROWD] != NO_CROWD;
}

/* Returns whether a feature always refuses a happening: such a pair is tried at each moment, but not with each other
 * feature. */
static bool is_refused(const uint8_t values[FACTORS], int known, int happening, int moment) {
    for (size_t i = 0; i < refusal_count; i++) {
        const refusal *row = &refusals[i];
        if (row->may || !(known >> row->factor & 1) || !(row->values >> values[row->factor] & 1)) continue;
        if (row->moments >> moment & 1 && !strcmp(row->happening, happenings[happening]->name)) return true;
    }
    return false;
}

/* Returns whether some ground allows all features, and the happening at the moment, if one is given (not -1). Some
 * features have no ground in common, as a walker and a layer of walls. */
bool cover_can_meet(const uint8_t values[FACTORS], int known, int happening, int moment) {
    uint8_t own[FACTORS];
    memcpy(own, values, sizeof own);
    if (happening >= 0 && !has_needs(happenings[happening]->needs, own, known)) return false;
    if (happening >= 0 && happenings[happening]->needs & NEEDS_BODIES) own[CROWD] = BODIES, known |= 1 << CROWD;
    const bool given = known >> GROUND & 1;
    known |= 1 << GROUND;
    for (int ground = given ? own[GROUND] : 0; ground < (given ? own[GROUND] + 1 : value_count(GROUND)); ground++) {
        own[GROUND] = (uint8_t)ground;
        if (!cover_allows(own, known)) continue;
        if (happening < 0 || !is_refused(own, known, happening, moment)) return true;
    }
    return false;
}

static int factor_of(int number) {
    int factor = 0;
    while (number >= first_feature[factor + 1]) factor++;
    return factor;
}

static bool may_meet(const int *features, int count, int happening, int moment) {
    uint8_t values[FACTORS] = {0};
    int known = 0;
    for (int i = 0; i < count; i++) {
        const int factor = factor_of(features[i]);
        if (known >> factor & 1) return false;
        values[factor] = (uint8_t)(features[i] - first_feature[factor]), known |= 1 << factor;
    }
    return cover_can_meet(values, known, happening, moment);
}

static void swap_if_more(int *a, int *b) {
    const int t = *a;
    if (*a > *b) *a = *b, *b = t;
}

static void sort_three(int f[3]) {
    swap_if_more(&f[0], &f[1]), swap_if_more(&f[1], &f[2]), swap_if_more(&f[0], &f[1]);
}

/* ---- drawing ---- */

static int count_new(const uint8_t values[FACTORS], int known, int factor) {
    int count = 0;
    for (int i = 0; i < FACTORS; i++) {
        if (i == factor || !(known >> i & 1)) continue;
        for (int k = 0; k < i; k++) {
            if (k == factor || !(known >> k & 1)) continue;
            int f[3] = {feature(k, values[k]), feature(i, values[i]), feature(factor, values[factor])};
            sort_three(f);
            count += !three[place_of_three(f[0], f[1], f[2])];
        }
    }
    return count;
}

/* Returns how many happenings a feature has not met, alone and in a deep world with each known one. */
static int count_lacking(const uint8_t values[FACTORS], int known, int factor) {
    const int own = feature(factor, values[factor]);
    int count = (int)lacking[own][own];
    for (int i = 0; i < FACTORS && is_deep; i++) {
        if (i == factor || !(known >> i & 1)) continue;
        const int other = feature(i, values[i]);
        count += (int)(own < other ? lacking[own][other] : lacking[other][own]);
    }
    return count;
}

/* Sets a value that has not met a happening at a moment, and its needs. Returns the factors that are set. */
static int begin_with_one(uint8_t values[FACTORS], uint64_t *random) {
    for (int tries = 0; tries < 20000; tries++) {
        const int h = (int)draw(random, (uint32_t)happening_count), m = (int)draw(random, MOMENTS);
        const int f = (int)draw(random, (uint32_t)first_feature[FACTORS]), factor = factor_of(f);
        if (two[place_of_two(h, m, f, f)] || !may_meet(&f, 1, h, m)) continue;
        int known = 1 << factor;
        values[factor] = (uint8_t)(f - first_feature[factor]);
        if (happenings[h]->needs & NEEDS_BODIES) values[CROWD] = BODIES, known |= 1 << CROWD;
        if (happenings[h]->needs & NEEDS_ARENA) values[MEMORY] = ARENA, known |= 1 << MEMORY;
        if (known >> GROUND & 1) return known;
        values[GROUND] = (uint8_t)draw(random, (uint32_t)value_count(GROUND));
        while (!cover_can_meet(values, known | 1 << GROUND, h, m))
            values[GROUND] = (uint8_t)((values[GROUND] + 1) % value_count(GROUND));
        return known | 1 << GROUND;
    }
    return 0;
}

/* Sets the two features with the most unmet happenings among some draws, or three that no world had together. Returns
 * the factors that are set. */
static int begin_with_more(uint8_t values[FACTORS], uint64_t *random, bool pair) {
    const uint32_t features = (uint32_t)first_feature[FACTORS];
    int best[3] = {-1, -1, -1}, known = 0;
    for (int tries = 0, seen = 0; tries < 4000 && seen < 20; tries++) {
        int f[3] = {(int)draw(random, features), (int)draw(random, features), (int)draw(random, features)};
        sort_three(f);
        if (pair && lacking[f[0]][f[2]] == 0) continue;
        if (!pair && (f[0] == f[1] || f[1] == f[2] || three[place_of_three(f[0], f[1], f[2])])) continue;
        if (!pair && !may_meet(f, 3, -1, 0)) continue;
        if (pair && seen++ > 0 && lacking[f[0]][f[2]] <= lacking[best[0]][best[2]]) continue;
        memcpy(best, f, sizeof best);
        if (!pair) break;
    }
    for (int i = 0; i < 3 && best[0] >= 0; i++) {
        if (pair && i == 1) continue;
        const int factor = factor_of(best[i]);
        values[factor] = (uint8_t)(best[i] - first_feature[factor]), known |= 1 << factor;
    }
    return known;
}

static int begin_with_lacking(uint8_t values[FACTORS], uint64_t *random) {
    const uint32_t roll = draw(random, 4);
    if (lacking_ones > 0 && roll > 1 && !is_deep) return begin_with_one(values, random);
    return begin_with_more(values, random, lacking_sum > 0 && roll > 0 && is_deep);
}

/* Unusual values hide behaviour that only a usual search shows: half of the values are those of a first server. */
static uint8_t plain_value(int factor) {
    return factor == DERIVED ? LANDMARKS : 0;
}

static bool draw_once(uint8_t values[FACTORS], uint64_t *random) {
    int order[FACTORS], known = begin_with_lacking(values, random);
    const bool threes = (is_deep ? lacking_sum : lacking_ones) == 0 || draw(random, is_deep ? 8 : 2) == 0;
    for (int i = 0; i < FACTORS; i++) order[i] = i;
    for (int i = FACTORS - 1; i > 0; i--) {
        const int k = (int)draw(random, (uint32_t)i + 1), t = order[i];
        order[i] = order[k], order[k] = t;
    }
    for (int i = 0; i < FACTORS; i++) {
        const int factor = order[i], count = value_count(factor), first = (int)draw(random, (uint32_t)count);
        int best = -1, most = -1;
        if (known >> factor & 1) continue;
        values[factor] = plain_value(factor);
        if (draw(random, 2) && cover_can_meet(values, known | 1 << factor, -1, 0)) {
            known |= 1 << factor;
            continue;
        }
        for (int k = 0; k < count; k++) {
            values[factor] = (uint8_t)((first + k) % count);
            if (!cover_can_meet(values, known | 1 << factor, -1, 0)) continue;
            const int found = threes ? count_new(values, known, factor) : count_lacking(values, known, factor);
            if (found > most) most = found, best = values[factor];
        }
        if (best < 0) return false;
        values[factor] = (uint8_t)best, known |= 1 << factor;
    }
    return true;
}

void cover_draw(uint8_t values[FACTORS], uint64_t *random) {
    static int drawn;
    is_deep = is_long || drawn++ < DEEP_WORLDS;
    while (!draw_once(values, random)) {
    }
}

/* Returns how many pairs of a world's features have not met at a happening and a moment. */
static int count_new_pairs(const int features[FACTORS], int happening, int moment) {
    int count = 0;
    for (int i = 0; i < FACTORS; i++)
        for (int j = 0; j < i; j++) count += !two[place_of_two(happening, moment, features[j], features[i])];
    return count;
}

static int count_new_features(const int features[FACTORS], int happening, int moment) {
    int count = 0;
    for (int i = 0; i < FACTORS; i++) count += !two[place_of_two(happening, moment, features[i], features[i])];
    return count;
}

static bool chosen[MOST_HAPPENINGS][MOMENTS]; ///< in this world

void cover_begin_world(void) {
    memset(chosen, 0, sizeof chosen);
}

bool cover_choose(const uint8_t values[FACTORS], unsigned needs, uint64_t *random, int *happening, int *moment) {
    const int first = (int)draw(random, (uint32_t)happening_count), known = (1 << FACTORS) - 1;
    int most = 0, features[FACTORS];
    for (int i = 0; i < FACTORS; i++) features[i] = feature(i, values[i]);
    for (int k = 0; k < (int)happening_count; k++) {
        const int h = (first + k) % (int)happening_count;
        if ((happenings[h]->needs & ENDS) != (needs & ENDS) || !has_needs(happenings[h]->needs, values, known))
            continue;
        for (int i = 0; i < MOMENTS; i++) {
            const int m = (first + i) % MOMENTS;
            int count = count_new_features(features, h, m) + (is_deep ? count_new_pairs(features, h, m) : 0);
            if (is_refused(values, known, h, m)) count = tried[h][m] >> values[GROUND] & 1 ? 0 : 1;
            if (count > most && !chosen[h][m]) most = count, *happening = h, *moment = m;
        }
    }
    if (most > 0) chosen[*happening][*moment] = true;
    return most > 0;
}

/* ---- counting ---- */

void cover_begin(void) {
    is_long = getenv("WEND_LONG") != NULL;
    for (int i = 0; i < FACTORS; i++) first_feature[i + 1] = first_feature[i] + value_count(i);
    three = calloc(place_of_three(MOST_FEATURES, 0, 0), 1);
    two = calloc(place_of_two((int)happening_count, 0, 0, 0), 1);
    if (!three || !two || first_feature[FACTORS] > MOST_FEATURES) abort();
    for (int h = 0; h < (int)happening_count; h++)
        for (int m = 0; m < MOMENTS; m++)
            for (int a = 0; a < first_feature[FACTORS]; a++)
                for (int b = a; b < first_feature[FACTORS]; b++)
                    lacking[a][b] += may_meet((int[2]){a, b}, a == b ? 1 : 2, h, m);
    for (int a = 0; a < first_feature[FACTORS]; a++)
        for (int b = a; b < first_feature[FACTORS]; b++)
            lacking_sum += lacking[a][b], lacking_ones += a == b ? lacking[a][b] : 0;
}

void cover_world(const uint8_t values[FACTORS]) {
    for (int i = 0; i < FACTORS; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < j; k++)
                three[place_of_three(feature(k, values[k]), feature(j, values[j]), feature(i, values[i]))] = 1;
}

void cover_met(const uint8_t values[FACTORS], int happening, int moment, bool refused) {
    if (refused) tried[happening][moment] |= 1u << values[GROUND];
    for (int i = 0; i < FACTORS; i++)
        for (int j = 0; j <= i; j++) {
            const int a = feature(j, values[j]), b = feature(i, values[i]);
            uint8_t *met = &two[place_of_two(happening, moment, a, b)];
            if (!*met && lacking[a][b]) lacking[a][b]--, lacking_sum--, lacking_ones -= a == b;
            if (!*met || !refused) *met = refused ? 2 : 1;
        }
}

typedef struct tally {
    uint64_t possible, met, refused, forbidden;
} tally;

static void name_feature(int number, char *out, size_t room) {
    for (int i = 0; i < FACTORS; i++)
        if (number < first_feature[i + 1]) {
            snprintf(out, room, "%s %s", factor_names[i], value_names[i][number - first_feature[i]]);
            return;
        }
}

static void say_lacking(int happening, int moment, int a, int b, int c, int *said) {
    char names[3][64] = {"", "", ""};
    if ((*said)++ >= 20) return;
    name_feature(a, names[0], 64);
    if (b >= 0) name_feature(b, names[1], 64);
    if (c >= 0) name_feature(c, names[2], 64);
    printf("never met: %s; %s; %s; %s; %s\n", happening < 0 ? "-" : happenings[happening]->name,
           moment < 0 ? "-" : moment_names[moment], names[0], names[1], names[2]);
}

static tally tally_threes(int *said) {
    tally sum = {0};
    const int features = first_feature[FACTORS];
    for (int a = 0; a < features; a++)
        for (int b = a + 1; b < features; b++)
            for (int c = b + 1; c < features; c++) {
                if (factor_of(a) == factor_of(b) || factor_of(b) == factor_of(c)) continue;
                if (!may_meet((int[3]){a, b, c}, 3, -1, 0)) {
                    sum.forbidden++;
                    continue;
                }
                sum.possible++;
                if (three[place_of_three(a, b, c)])
                    sum.met++;
                else
                    say_lacking(-1, 0, a, b, c, said);
            }
    return sum;
}

/* Counts happenings and moments that single features, or pairs, have met. */
static tally tally_happenings(bool single, int *said) {
    tally sum = {0};
    const int features = first_feature[FACTORS], moments = MOMENTS;
    for (int h = 0; h < (int)happening_count; h++)
        for (int m = 0; m < moments; m++)
            for (int a = 0; a < features; a++)
                for (int b = single ? a : a + 1; b < (single ? a + 1 : features); b++) {
                    if (a != b && factor_of(a) == factor_of(b)) continue;
                    if (!may_meet((int[2]){a, b}, single ? 1 : 2, h, m)) {
                        sum.forbidden++;
                        continue;
                    }
                    const uint8_t met = two[place_of_two(h, m, a, b)];
                    sum.possible++;
                    if (met)
                        sum.met++, sum.refused += met == 2;
                    else
                        say_lacking(h, m, a, single ? -1 : b, -1, said);
                }
    return sum;
}

static void print_tally(const char *what, const tally *sum) {
    printf("%s: %llu possible, %llu met, %llu of them as refusals by name, %llu forbidden\n", what,
           (unsigned long long)sum->possible, (unsigned long long)sum->met, (unsigned long long)sum->refused,
           (unsigned long long)sum->forbidden);
}

/* Prints the unmet combinations of each happening: a world may have features that never allow it. */
static void say_most_lacking(void) {
    for (int h = 0; h < (int)happening_count; h++) {
        int pairs = 0, moments[MOMENTS] = {0};
        for (int m = 0; m < MOMENTS; m++)
            for (int a = 0; a < first_feature[FACTORS]; a++)
                for (int b = a; b < first_feature[FACTORS]; b++) {
                    if (two[place_of_two(h, m, a, b)] || !may_meet((int[2]){a, b}, a == b ? 1 : 2, h, m)) continue;
                    if (a == b)
                        moments[m]++;
                    else if (m == 0 || is_long)
                        pairs++;
                }
        if (pairs + moments[0] + moments[1] + moments[2] + moments[3] > 0)
            printf("  %s lacks %d pairs; features before %d, under way %d, finished %d, edited %d\n",
                   happenings[h]->name, pairs, moments[0], moments[1], moments[2], moments[3]);
    }
}

bool cover_report(bool whole) {
    int said = whole ? 0 : 1000;
    const tally ones = tally_happenings(true, &said), twos = tally_happenings(false, &said);
    const tally threes = tally_threes(&said);
    const uint64_t met = threes.met + ones.met + (is_long ? twos.met : 0);
    const uint64_t possible = threes.possible + ones.possible + (is_long ? twos.possible : 0);
    if (whole) {
        print_tally("three features in a world", &threes);
        print_tally(is_long ? "two features, a happening, a moment"
                            : "two features, a happening, a moment (all: WEND_LONG=1)",
                    &twos);
        print_tally("a feature, a happening, a moment", &ones);
    }
    if (whole && met < possible) say_most_lacking();
    printf("%.2f %%\n", 100.0 * (double)met / (double)possible);
    return met == possible;
}
