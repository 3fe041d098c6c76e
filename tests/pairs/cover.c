/* SPDX-License-Identifier: MIT */
/* Which features have met: every three of them in a world, every two with each happening at each moment. */
#include "pairs/pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FEATURES = 96 };

static const happening_row *const *all;
static size_t happening_count;
static int first_feature[FACTORS + 1]; ///< number of a factor's first value
static uint8_t *three;                 ///< by a < b < c: 1: met
static unsigned tried[MOST_HAPPENINGS][MOMENTS]; ///< grounds on which a happening was refused, as it always is
static uint8_t *two;                   ///< by happening, moment, a < b: 1: met, 2: refused as it should be

static int feature(int factor, int value) {
    return first_feature[factor] + value;
}

static size_t place_of_three(int a, int b, int c) {
    return ((size_t)a * MOST_FEATURES + (size_t)b) * MOST_FEATURES + (size_t)c;
}

static size_t place_of_two(int happening, int moment, int a, int b) {
    return (((size_t)happening * MOMENTS + (size_t)moment) * MOST_FEATURES + (size_t)a) * MOST_FEATURES + (size_t)b;
}

void cover_begin(const happening_row *const *happenings, size_t count) {
    all = happenings, happening_count = count;
    for (int i = 0; i < FACTORS; i++) first_feature[i + 1] = first_feature[i] + value_count(i);
    three = calloc(place_of_three(MOST_FEATURES, 0, 0), 1);
    two = calloc(place_of_two((int)count, 0, 0, 0), 1);
    if (!three || !two || first_feature[FACTORS] > MOST_FEATURES) abort();
}

/* ---- what goes together ---- */

/* `known` has a bit for each factor whose value counts. */
static bool holds(const forbidden *row, const uint8_t values[FACTORS], int known) {
    for (int i = 0; i < 3; i++) {
        if (!row->has[i].values) continue;
        if (!(known >> row->has[i].factor & 1)) return false;
        if (!(row->has[i].values >> values[row->has[i].factor] & 1)) return false;
    }
    return true;
}

bool cover_allows(const uint8_t values[FACTORS], int known) {
    for (size_t i = 0; i < forbidden_count; i++)
        if (holds(&forbidden_rows[i], values, known)) return false;
    return true;
}

/* What needs agents happens to no world without. */
static bool has_needs(unsigned needs, const uint8_t values[FACTORS], int known) {
    if (!(needs & (NEEDS_CROWD | NEEDS_BODIES)) || !(known >> CROWD & 1)) return true;
    return needs & NEEDS_BODIES ? values[CROWD] == BODIES : values[CROWD] != NO_CROWD;
}

/* Bodies have no voxels and graphs, so what needs them has none either. */
static bool can_have_needs(unsigned needs, const uint8_t values[FACTORS], int known) {
    uint8_t own[FACTORS];
    if (!(needs & NEEDS_BODIES)) return has_needs(needs, values, known);
    if (!has_needs(needs, values, known)) return false;
    memcpy(own, values, sizeof own);
    own[CROWD] = BODIES;
    return cover_allows(own, known | 1 << CROWD);
}

/* A happening that a feature always refuses is tried at each moment, but not with each other feature. */
static bool is_refused(const uint8_t values[FACTORS], int known, int happening, int moment) {
    for (size_t i = 0; i < refusal_count; i++) {
        const refusal *row = &refusals[i];
        if (row->may || !(known >> row->factor & 1) || !(row->values >> values[row->factor] & 1)) continue;
        if (row->moments >> moment & 1 && !strcmp(row->happening, all[happening]->name)) return true;
    }
    return false;
}

/* ---- drawing ---- */

static int count_new(const uint8_t values[FACTORS], int known, int factor) {
    int count = 0;
    for (int i = 0; i < FACTORS; i++) {
        if (i == factor || !(known >> i & 1)) continue;
        for (int k = 0; k < i; k++) {
            if (k == factor || !(known >> k & 1)) continue;
            int f[3] = {feature(k, values[k]), feature(i, values[i]), feature(factor, values[factor])};
            if (f[2] < f[0]) { const int t = f[2]; f[2] = f[1], f[1] = f[0], f[0] = t; }
            else if (f[2] < f[1]) { const int t = f[2]; f[2] = f[1], f[1] = t; }
            count += !three[place_of_three(f[0], f[1], f[2])];
        }
    }
    return count;
}

static int count_lacking(const uint8_t values[FACTORS], int known, int factor, int happening, int moment) {
    int count = 0;
    for (int i = 0; i < FACTORS; i++) {
        if (i == factor || !(known >> i & 1)) continue;
        const int a = feature(i, values[i]), b = feature(factor, values[factor]);
        count += !two[place_of_two(happening, moment, a < b ? a : b, a < b ? b : a)];
    }
    return count;
}

static bool draw_once(uint8_t values[FACTORS], uint64_t *random, int happening, int moment) {
    int order[FACTORS], known = 0;
    const bool threes = draw(random, 8) == 0;
    for (int i = 0; i < FACTORS; i++) order[i] = i;
    for (int i = FACTORS - 1; i > 0; i--) {
        const int k = (int)draw(random, (uint32_t)i + 1), t = order[i];
        order[i] = order[k], order[k] = t;
    }
    for (int i = 0; i < FACTORS; i++) {
        const int factor = order[i], count = value_count(factor), first = (int)draw(random, (uint32_t)count);
        int best = -1, most = -1;
        for (int k = 0; k < count; k++) {
            values[factor] = (uint8_t)((first + k) % count);
            if (!cover_allows(values, known | 1 << factor)) continue;
            if (!can_have_needs(all[happening]->needs, values, known | 1 << factor)) continue;
            if (is_refused(values, known | 1 << factor, happening, moment)) continue;
            const int found = threes ? count_new(values, known, factor)
                                     : count_lacking(values, known, factor, happening, moment);
            if (found > most) most = found, best = values[factor];
        }
        if (best < 0) return false;
        values[factor] = (uint8_t)best, known |= 1 << factor;
    }
    return true;
}

static int count_pairs_left(int happening, int moment);

void cover_draw(uint8_t values[FACTORS], uint64_t *random) {
    /* for the happening, of a few, that lacks the most */
    int target = 0, when = 0, most = -1;
    for (int i = 0; i < 12; i++) {
        const int h = (int)draw(random, (uint32_t)happening_count), m = (int)draw(random, MOMENTS);
        const int left = count_pairs_left(h, m);
        if (left > most) most = left, target = h, when = m;
    }
    while (!draw_once(values, random, target, when)) {}
}

bool cover_choose(const uint8_t values[FACTORS], unsigned needs, uint64_t *random, int *happening, int *moment) {
    int most = 0;
    const int first = (int)draw(random, (uint32_t)happening_count * MOMENTS);
    for (int k = 0; k < (int)happening_count * MOMENTS; k++) {
        const int number = (first + k) % ((int)happening_count * MOMENTS), h = number / MOMENTS, m = number % MOMENTS;
        if ((all[h]->needs & ENDS) != (needs & ENDS) || !has_needs(all[h]->needs, values, (1 << FACTORS) - 1)) continue;
        int count = 0;
        const bool refused = is_refused(values, (1 << FACTORS) - 1, h, m);
        for (int i = 0; i < FACTORS; i++)
            for (int j = 0; j < i; j++)
                count += !two[place_of_two(h, m, feature(j, values[j]), feature(i, values[i]))];
        if (refused) count = tried[h][m] >> values[GROUND] & 1 ? 0 : 1;
        if (count > most) most = count, *happening = h, *moment = m;
    }
    return most > 0;
}

/* ---- counting ---- */

void cover_world(const uint8_t values[FACTORS]) {
    for (int i = 0; i < FACTORS; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < j; k++)
                three[place_of_three(feature(k, values[k]), feature(j, values[j]), feature(i, values[i]))] = 1;
}

void cover_met(const uint8_t values[FACTORS], int happening, int moment, bool refused) {
    if (refused) tried[happening][moment] |= 1u << values[GROUND];
    for (int i = 0; i < FACTORS; i++)
        for (int j = 0; j < i; j++) {
            uint8_t *met = &two[place_of_two(happening, moment, feature(j, values[j]), feature(i, values[i]))];
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
    name_feature(a, names[0], 64), name_feature(b, names[1], 64);
    if (c >= 0) name_feature(c, names[2], 64);
    if (happening >= 0)
        printf("never met: %s, %s: %s, %s\n", all[happening]->name, moment_names[moment], names[0], names[1]);
    else
        printf("never met: %s, %s, %s\n", names[0], names[1], names[2]);
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
    if (!cover_allows(values, known)) return false;
    if (happening < 0) return true;
    return can_have_needs(all[happening]->needs, values, known) && !is_refused(values, known, happening, moment);
}

static int count_pairs_left(int happening, int moment) {
    int count = 0;
    for (int i = 0; i < FACTORS; i++)
        for (int j = 0; j < i; j++)
            for (int b = first_feature[i]; b < first_feature[i + 1]; b++)
                for (int a = first_feature[j]; a < first_feature[j + 1]; a++)
                    count += !two[place_of_two(happening, moment, a, b)] &&
                             may_meet((int[2]){a, b}, 2, happening, moment);
    return count;
}

static tally tally_threes(int *said) {
    tally sum = {0};
    const int features = first_feature[FACTORS];
    for (int a = 0; a < features; a++)
        for (int b = a + 1; b < features; b++)
            for (int c = b + 1; c < features; c++) {
                if (factor_of(a) == factor_of(b) || factor_of(b) == factor_of(c)) continue;
                if (!may_meet((int[3]){a, b, c}, 3, -1, 0)) { sum.forbidden++; continue; }
                sum.possible++;
                if (three[place_of_three(a, b, c)]) sum.met++;
                else say_lacking(-1, 0, a, b, c, said);
            }
    return sum;
}

static tally tally_twos(int *said) {
    tally sum = {0};
    const int features = first_feature[FACTORS];
    for (int h = 0; h < (int)happening_count; h++)
        for (int m = 0; m < MOMENTS; m++)
            for (int a = 0; a < features; a++)
                for (int b = a + 1; b < features; b++) {
                    if (factor_of(a) == factor_of(b)) continue;
                    if (!may_meet((int[2]){a, b}, 2, h, m)) { sum.forbidden++; continue; }
                    const uint8_t met = two[place_of_two(h, m, a, b)];
                    sum.possible++;
                    if (met) sum.met++, sum.refused += met == 2;
                    else say_lacking(h, m, a, b, -1, said);
                }
    return sum;
}

bool cover_report(bool whole) {
    int said = whole ? 0 : 1000;
    const tally threes = tally_threes(&said), twos = tally_twos(&said);
    printf("three features in a world: %llu possible, %llu met, %llu forbidden\n", (unsigned long long)threes.possible,
           (unsigned long long)threes.met, (unsigned long long)threes.forbidden);
    printf("two features with a happening at a moment: %llu possible, %llu met (%llu of them as named refusals), %llu "
           "forbidden\n",
           (unsigned long long)twos.possible, (unsigned long long)twos.met, (unsigned long long)twos.refused,
           (unsigned long long)twos.forbidden);
    printf("%.2f %%\n", 100.0 * (double)(threes.met + twos.met) / (double)(threes.possible + twos.possible));
    return threes.met == threes.possible && twos.met == twos.possible;
}
