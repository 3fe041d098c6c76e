/* SPDX-License-Identifier: MIT */
/* Going back in random worlds: a world in an arena plays frames, goes back up to eight of them and plays on, again and
 * again; after each frame it must be what its twin was, which never went back and has no arena.
 *
 *     check_rewind [REWINDS [SEED]]      default 5000 and 1
 *     check_rewind 0 SEED WORLD VALUES   one world again, as a fault prints it
 *
 * Worlds and what happens in them are those of check_pairs: every kind of map and everything that a world may have, one
 * lane, four, and three workers, budgets that leave searches unfinished, edits, agents, bodies, saves. */
#include "models/few_or_many.h"
#include "pairs/pairs.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wend/save.h>

enum { FRAMES = 80, KEPT = 9, FIRST_SLOT = 4 };

const happening_row *happenings[MOST_HAPPENINGS];
size_t happening_count;
static struct {
    uint64_t seed, world;
    int frame;
    const char *who, *happening;
    uint8_t values[FACTORS];
} now;
static int settled; ///< saves after which the world went on as after a restore

void claim_at(bool holds, int line, const char *file, const char *format, ...) {
    if (holds) return;
    va_list arguments;
    va_start(arguments, format);
    printf("%s:%d: ", file, line);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n%s, frame %d, %s; again: check_rewind 0 %llu %llu ", now.who, now.frame, now.happening,
           (unsigned long long)now.seed, (unsigned long long)now.world);
    for (int i = 0; i < FACTORS; i++) printf("%d", now.values[i]);
    printf("\n");
    exit(1);
}

/* ---- frames ---- */

static bool may_happen(const pair_world *w, const happening_row *row) {
    if (row->needs & (ENDS | NEEDS_ARENA)) return false;
    if (row->needs & NEEDS_BODIES) return w->crowd && world_is(w, CROWD, BIT(BODIES));
    return !(row->needs & NEEDS_CROWD) || w->crowd;
}

static void ask(pair_world *w) {
    if (w->asked_count > MOST_ASKED - 40) world_finish(w);
    asked *own = world_new_asked(w);
    world_ask(w, own);
    own = world_submit(w, own);
    if (own) w->main = own;
}

/* All actions follow from the world alone. */
static void play(pair_world *w) {
    const happening_row *row = happenings[draw(&w->random, (uint32_t)happening_count)];
    ask(w);
    if (w->crowd && draw(&w->random, 3) == 0) world_send(w);
    now.happening = row->name;
    const bool has_main = w->main && w->main >= w->asked && w->main < w->asked + w->asked_count && !w->main->answers;
    if (has_main && draw(&w->random, 3) && may_happen(w, row)) (void)row->happen(w);
    now.happening = "a frame";
    world_frame(w, 1 + draw(&w->random, 90), draw(&w->random, 4) ? WEND_NO_LIMIT : 1, NULL);
    if (w->crowd) CLAIM(!wend_crowd_update(w->crowd, 1000, NULL, NULL), "update");
    w->unit_moves++;
}

/* Hashes all answers and events, and all state that decides future frames. */
static uint64_t hash_of(pair_world *w) {
    uint64_t hash = 0;
    CLAIM(!wend_world_hash(w->map, w->service, w->crowd, &hash), "hash");
    return hash ^ world_seen(w) * 31;
}

/* ---- worlds ---- */

static pair_world *open_world(int memory) {
    now.values[MEMORY] = (uint8_t)memory, now.frame = 0, now.happening = "its making";
    pair_world *w = world_new(now.values);
    w->unjudged = true;
    w->random = now.seed * UINT64_C(0x9e3779b97f4a7c15) + now.world * 0x2545f491u;
    const wend_error error = world_open(w);
    CLAIM(!error, "%s: %s: %s", w->refused_call, wend_error_name(error), wend_error_detail(error));
    return w;
}

static void close_world(pair_world *w) {
    world_finish(w);
    world_close(w);
    world_free(w);
}

static void play_twin(uint64_t seen[FRAMES]) {
    now.who = "the twin";
    pair_world *w = open_world(BLOCKS);
    for (; now.frame < FRAMES; now.frame++) play(w), seen[now.frame] = hash_of(w);
    close_world(w);
}

static void play_frame(pair_world *w, const uint64_t seen[FRAMES]) {
    CLAIM(!wend_arena_mark(w->arena, FIRST_SLOT + (uint32_t)now.frame % KEPT), "mark");
    play(w);
    CLAIM(hash_of(w) == seen[now.frame], "it differs from its twin");
    now.frame++;
}

/* Goes back to any kept frame, also to a later one that was kept on another course. */
static void go_back(pair_world *w, const uint64_t seen[FRAMES], int newest, uint64_t *random) {
    const int oldest = newest < KEPT ? 0 : newest - KEPT + 1,
              to = oldest + (int)draw(random, (uint32_t)(newest - oldest + 1));
    const wend_error error = wend_arena_rewind(w->arena, FIRST_SLOT + (uint32_t)to % KEPT);
    CLAIM(!error, "rewind: %s", wend_error_detail(error));
    now.frame = to;
    CLAIM(to == 0 || hash_of(w) == seen[to - 1], "it is not what it was before the frame");
}

/* A save settles its world: the frames after it are those after a restore of it. Then the world goes back to where
 * it was before. @return 1: it was tried */
static int settle(pair_world *w, const uint64_t seen[FRAMES]) {
    enum { PLAYED = 6, BEFORE_SAVE = 0, AFTER_SAVE = 1 };
    const int frame = now.frame;
    world_saves saves = {0};
    uint64_t told[PLAYED];
    CLAIM(!wend_arena_mark(w->arena, BEFORE_SAVE), "mark");
    const wend_error error = world_save(w, &saves);
    CLAIM(!error || error == WEND_EMPTY, "save: %s", wend_error_detail(error));
    if (!error) {
        CLAIM(!wend_arena_mark(w->arena, AFTER_SAVE), "mark");
        for (int i = 0; i < PLAYED; i++) play(w), told[i] = hash_of(w);
        CLAIM(!wend_arena_rewind(w->arena, AFTER_SAVE), "rewind");
        CLAIM(!world_load(w, &saves), "load");
        now.who = "the world that is restored";
        for (int i = 0; i < PLAYED; i++) {
            play(w);
            CLAIM(hash_of(w) == told[i], "frame %d after the restore differs from that after the save", i);
        }
        now.who = "the world that goes back";
    }
    CLAIM(!wend_arena_rewind(w->arena, BEFORE_SAVE), "rewind");
    CLAIM(frame == 0 || hash_of(w) == seen[frame - 1], "it is not what it was before the save");
    world_saves_free(&saves);
    return error == WEND_OK;
}

static uint64_t run_world(uint64_t *random) {
    uint64_t seen[FRAMES], rewinds = 0;
    play_twin(seen);
    now.who = "the world that goes back";
    pair_world *w = open_world(ARENA);
    for (int newest = 0; newest < FRAMES; newest++) {
        play_frame(w, seen);
        const uint32_t times = draw(random, 4) ? 0 : 1 + draw(random, 2);
        for (uint32_t i = 0; i < times; i++, rewinds++) {
            go_back(w, seen, newest, random);
            while (now.frame < newest && draw(random, 8)) play_frame(w, seen);
        }
        while (now.frame <= newest) play_frame(w, seen);
        if (draw(random, 6) == 0) settled += settle(w, seen);
    }
    close_world(w);
    return rewinds;
}

static void list_happenings(void) {
    const happening_row *const tables[] = {happenings_of_maps, happenings_of_services, happenings_of_crowds};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        for (const happening_row *row = tables[i]; row->name; row++) happenings[happening_count++] = row;
    cover_begin();
}

static uint64_t run_numbered(const char *values) {
    uint64_t random = now.seed << 32 | now.world;
    if (values)
        for (int i = 0; i < FACTORS && values[i]; i++) now.values[i] = (uint8_t)(values[i] - '0');
    else
        cover_draw(now.values, &random);
    return run_world(&random);
}

int main(int argc, char **argv) {
    const int usual = few_or_many(2500, 100000);
    uint64_t most = (uint64_t)usual;
    if (argc > 1) most = strtoull(argv[1], NULL, 10);
    uint64_t rewinds = 0, workers = 0;
    now.seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    list_happenings();
    if (argc > 4) {
        now.world = strtoull(argv[3], NULL, 10);
        (void)run_numbered(argv[4]);
        return 0;
    }
    for (; rewinds < most; now.world++) rewinds += run_numbered(NULL), workers += now.values[THREADS] == WORKERS;
    printf("%llu worlds, %llu with workers: %llu rewinds, all as their twins; %d saves that settle\n",
           (unsigned long long)now.world, (unsigned long long)workers, (unsigned long long)rewinds, settled);
    return 0;
}
