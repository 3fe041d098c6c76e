/* SPDX-License-Identifier: MIT */
/* check_accepted [TRIALS [SEED]]: a save takes back whatever a public call lets through. Random worlds get calls with
 * arguments of which some are hostile. After each call that is accepted the world is saved and restored, into new
 * objects or its own, and these have a save of the same bytes. Then a world that is saved and one that is restored from
 * its save, in the middle of work, get the same calls: each frame has the same figures, and after each call
 * both have one hash. Exits 1 and prints the seed and the call at the first save that is refused, or that differs. */
#include "save/hostile_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS = 400, BEFORE = 150, TOGETHER = 250, SAVE_BYTES = 1 << 21 };

typedef struct save {
    uint8_t bytes[3][SAVE_BYTES];
    size_t counts[3];
} save;

static uint64_t accepted, refused, frames;
static int call_now;
static const char *name_now;

static void must(wend_error error, const char *what) {
    if (!error) return;
    fprintf(stderr, "seed %llu, call %d, %s: %s: %s: %s\n", (unsigned long long)hostile_now.seed, call_now, name_now,
            what, wend_error_name(error), wend_error_detail(error));
    exit(1);
}

static void must_be(bool same, const char *what) {
    if (same) return;
    fprintf(stderr, "seed %llu, call %d, %s: other %s\n", (unsigned long long)hostile_now.seed, call_now, name_now,
            what);
    exit(1);
}

/* ---- saves ---- */

static wend_save_host host_of(place *p) {
    wend_save_host host;
    wend_save_host_init(&host, sizeof host);
    host.maps = &p->map, host.map_count = 1;
    return host;
}

static void save_place(place *p, save *s) {
    const wend_save_host host = host_of(p);
    must(wend_map_save_state(p->map, s->bytes[0], SAVE_BYTES, &s->counts[0]), "the map is not saved");
    must(wend_service_save_state(p->service, &host, s->bytes[1], SAVE_BYTES, &s->counts[1]),
         "the service is not saved");
    must(wend_crowd_save_state(p->crowd, s->bytes[2], SAVE_BYTES, &s->counts[2]), "the crowd is not saved");
}

static void restore_place(place *p, const save *s) {
    const wend_save_host host = host_of(p);
    must(wend_map_restore_state(p->map, s->bytes[0], s->counts[0]), "the map's save is refused");
    must(wend_service_restore_state(p->service, &host, s->bytes[1], s->counts[1]), "the service's save is refused");
    must(wend_crowd_restore_state(p->crowd, &host, s->bytes[2], s->counts[2]), "the crowd's save is refused");
}

/* ---- after each call ---- */

/* Graphs are in no save: a graph is restored into itself. */
static void check_save(place *own) {
    static save first, again;
    static const char *const parts[] = {"bytes of the map", "bytes of the service", "bytes of the crowd"};
    save_place(own, &first);
    const bool itself = hostile_now.kind == NODES_AND_EDGES || hostile_below(4) == 0;
    place other = itself ? *own : hostile_place();
    restore_place(&other, &first);
    save_place(&other, &again);
    for (int i = 0; i < 3; i++)
        must_be(first.counts[i] == again.counts[i] && memcmp(first.bytes[i], again.bytes[i], first.counts[i]) == 0,
                parts[i]);
    if (!itself) hostile_drop(&other);
}

static void check_calls(uint64_t seed) {
    place own = hostile_open(seed);
    for (call_now = 0; call_now < CALLS; call_now++) {
        wend_error error;
        wend_frame frame;
        name_now = hostile_call(&own, true, &error, &frame);
        accepted += !error, refused += error != WEND_OK;
        if (!error) check_save(&own);
    }
    hostile_drop(&own);
}

/* ---- together ---- */

static void expect_same_hash(const place *a, const place *b) {
    uint64_t of[2];
    must(wend_world_hash(a->map, a->service, a->crowd, &of[0]), "no hash");
    must(wend_world_hash(b->map, b->service, b->crowd, &of[1]), "no hash");
    must_be(of[0] == of[1], "hash");
}

/* Times differ between any two frames. */
static void expect_same_frame(wend_frame *a, wend_frame *b) {
    a->us = b->us = 0;
    memset(a->work_ns, 0, sizeof a->work_ns), memset(b->work_ns, 0, sizeof b->work_ns);
    must_be(memcmp(a, b, sizeof *a) == 0, "figures of the frame");
    frames += a->frame > 0;
}

static void expect_same_stats(const place *a, const place *b) {
    wend_crowd_stats of[2];
    memset(of, 0, sizeof of);
    of[0].struct_bytes = of[1].struct_bytes = sizeof of[0];
    must(wend_crowd_get_stats(a->crowd, &of[0]), "no stats"), must(wend_crowd_get_stats(b->crowd, &of[1]), "no stats");
    must_be(memcmp(&of[0], &of[1], sizeof of[0]) == 0, "figures of the crowd");
}

static void expect_same_calls(const place *own, const place *other) {
    for (int end = call_now + TOGETHER; call_now < end; call_now++) {
        wend_error errors[2];
        wend_frame of[2];
        const hostile_host before = hostile_now;
        name_now = hostile_call(own, false, &errors[0], &of[0]);
        const hostile_host after = hostile_now;
        hostile_now = before;
        (void)hostile_call(other, false, &errors[1], &of[1]);
        must_be(errors[0] == errors[1], "error");
        must_be(memcmp(&after, &hostile_now, sizeof after) == 0, "ids");
        expect_same_frame(&of[0], &of[1]);
        expect_same_stats(own, other);
        expect_same_hash(own, other);
    }
}

/* Derived data is in no save: no call makes any. */
static void check_together(uint64_t seed) {
    static save s;
    place own = hostile_open(seed);
    for (call_now = 0; call_now < BEFORE; call_now++) {
        wend_error error;
        wend_frame frame;
        name_now = hostile_call(&own, false, &error, &frame);
    }
    if (hostile_now.kind != NODES_AND_EDGES) {
        place other = hostile_place();
        save_place(&own, &s);
        restore_place(&other, &s);
        expect_same_hash(&own, &other);
        expect_same_calls(&own, &other);
        hostile_drop(&other);
    }
    hostile_drop(&own);
}

int main(int argc, char **argv) {
    const uint64_t trials = argc > 1 ? strtoull(argv[1], NULL, 10) : 30;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (uint64_t i = 0; i < trials; i++) check_calls(seed + i), check_together(seed + i);
    printf("%llu calls were accepted, %llu refused: each save was restored; %llu frames together\n",
           (unsigned long long)accepted, (unsigned long long)refused, (unsigned long long)frames);
    return accepted < 100 * trials || refused < 20 * trials;
}
