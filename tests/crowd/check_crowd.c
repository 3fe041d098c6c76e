/* SPDX-License-Identifier: MIT */
/* check_crowd [OPERATIONS [SEED]]: random operations on crowds in random worlds of every kind, each update checked by
 * code that shares nothing with src/. Exits 1 and prints the seed of the world at the first broken rule. */
#include "crowd/check_crowd.h"

enum { OPERATIONS = 400 }; ///< operations of a trial

/* Returns whether a step is under way. */
static bool anyone_steps(const trial *t) {
    for (int i = 0; i < ACTORS; i++) {
        wend_agent_state state = {.struct_bytes = sizeof state};
        if (!t->actors[i].present) continue;
        CHECK(wend_crowd_get_agent(t->crowd, t->actors[i].id, &state) == WEND_OK, "an agent is gone");
        if (!is_same(state.from, state.cell)) return true;
    }
    return false;
}

/* Halts endless goals. All others must end by themselves, whatever is in the way, and all agents aside must come to
 * rest. A step can take 30,000 updates, so updates in which steps only continue do not count. */
void trial_finish(trial *t) {
    enum { MOST = 60000 };
    wend_crowd_stats counts = {.struct_bytes = sizeof counts};
    for (int i = 0; i < BOXES; i++) trial_release(t, i);
    for (int i = 0; i < ACTORS; i++) {
        const actor *a = &t->actors[i];
        if (a->present && !a->ends) CHECK(wend_crowd_halt(t->crowd, &a->id, 1) == WEND_OK, "halt");
    }
    uint64_t steps;
    int turns = 0;
    do {
        steps = counts.steps;
        trial_update(t);
        wend_crowd_get_stats(t->crowd, &counts);
        if (counts.steps > steps || !anyone_steps(t)) turns++;
        CHECK(turns < MOST, "%u agents do not come to rest", counts.busy);
    } while (counts.busy > 0 || counts.events > 0);
    t->field_goals += counts.field_goals;
    t->far_routes += counts.far_routes;
    for (uint32_t i = 0; i < t->serials; i++)
        CHECK(t->begun[i] == t->ended[i], "agent %u began %u wishes, %u ended", i, t->begun[i], t->ended[i]);
}

/* Returns an agent that was pushed off its goal cell and stays aside, though another one keeps that cell; ACTORS: there
 * is none. */
static int find_aside(const trial *t) {
    for (int i = 0; i < ACTORS; i++) {
        const actor *a = &t->actors[i];
        wend_agent_state away = {.struct_bytes = sizeof away}, there = {.struct_bytes = sizeof there};
        if (!a->present || !a->aims || a->reach || a->ghost || a->mover) continue;
        wend_crowd_get_agent(t->crowd, a->id, &away);
        const bool steps = !is_same(away.from, away.cell); /* a link may take long */
        if (steps || away.state != WEND_AGENT_ASIDE) continue;
        for (int j = 0; j < ACTORS; j++) {
            const actor *b = &t->actors[j];
            if (i == j || !b->present || !b->aims || b->reach || b->ghost || b->mover) continue;
            if (!is_same(a->goal, b->goal)) continue;
            wend_crowd_get_agent(t->crowd, b->id, &there);
            if (there.state == WEND_AGENT_ARRIVED && is_same(there.cell, b->goal)) return i;
        }
    }
    return ACTORS;
}

/* Checks that such an agent comes to rest where it is: then for a while there is none. In a chain of them each pushes
 * the next ones off their places a few times, and a step may take a hundred updates. */
static void check_aside(trial *t) {
    enum { WHILE = 640, MOST = 40000 };
    int found = ACTORS;
    for (int k = 0, rest = 0; k < MOST && rest < WHILE && !t->polls; k++) {
        trial_update(t);
        found = find_aside(t);
        rest = found < ACTORS ? 0 : rest + 1;
    }
    CHECK(found == ACTORS, "agent %u stays aside for good", t->actors[found].serial);
}

static void run_trial(trial *t, uint64_t seed) {
    trial_open(t, seed);
    if (seed % 4 == 0) trial_crowd(t);
    for (int i = 0; i < OPERATIONS; i++) trial_operate(t);
    trial_finish(t);
    check_aside(t);
    trial_close(t);
}

/* Hash of all agents' moves in the trials of `check_crowd` without arguments. When agents choose otherwise, a run
 * prints the new hash. */
#define PINNED UINT64_C(0x759fe66a7ce1ecdb)

int main(int argc, char **argv) {
    static const uint64_t once_broken[] = {5002311,  7000603, 9001961, 20262807, /* windows held agents for ever */
                                           147,                                  /* an agent waited at the path's end */
                                           4771,     5023, /* an agent went to and fro near players */
                                           27110425,       /* the leader of a march was held without a path */
                                           67004728,       /* an agent waited in a released box */
                                           87009678,       /* an agent waited for an arrived one */
                                           97006242,       /* an agent took a lead for an open way */
                                           97008176};      /* a search began behind the gap of the path */
    static trial t;
    const uint64_t operations = argc > 1 ? strtoull(argv[1], NULL, 10) : 60000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (unsigned i = 0; i < sizeof once_broken / sizeof once_broken[0]; i++) run_trial(&t, once_broken[i]);
    while (t.operations < operations) run_trial(&t, seed++);
    printf("%llu operations: %llu arrived, %llu partial, %llu rerouted, %llu gave up, %llu replaced, %llu by fields, "
           "%llu far routes, %llu boxes cleared\n",
           (unsigned long long)t.operations, (unsigned long long)t.endings[1], (unsigned long long)t.endings[2],
           (unsigned long long)t.endings[3], (unsigned long long)t.endings[4], (unsigned long long)t.endings[5],
           (unsigned long long)t.field_goals, (unsigned long long)t.far_routes,
           (unsigned long long)t.endings[WEND_AGENT_EVENT_CLEAR]);
    printf("agents waited for:");
    for (int32_t k = 0; k <= WEND_WAIT_WINDOW; k++)
        printf(" %s %llu", wend_constant_name(WEND_NAME_WAIT, k), (unsigned long long)t.waits[k]);
    printf("\nhash %llx\n", (unsigned long long)t.hash);
    if (argc > 1 || t.hash == PINNED) return 0;
    fprintf(stderr, "check_crowd: the hash is not that of the agents as they were\n");
    return 1;
}
