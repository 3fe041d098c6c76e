/* SPDX-License-Identifier: MIT */
/* Saves of scripts: bytes of a good one are changed, and its checksum is set right. It is restored, and the script goes
 * on to its end, or it is refused with one message. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz_bytes.h"
#include "fuzz_messages.h"

#include "saves/saves.h"
#include "script/script.h"

static const char world[] =
    "grid 24 16\nmover cart size=2\nlayer fear values half_life=3\npaint fear 9,9 radius=3 peak=90\n"
    "route round loop 1,1 20,1 20,12\nfill 11,0 11,11 blocked\noccupy 4,4\n"
    "agent a 1,1 speed=500 layers=fear:9\nagent b 2,3 mover=cart waits_for=a\nagent c 7,7 radius=300\n"
    "take a round\ngo b c to 20,8\nfollow c a\nclear 15,0 16,1\nrequest r 0,0 23,15\nframe 9\nwatch r\n"
    "request s 0,0 23,15\nnearest n 0,0 class=0 k=3\nlink 0,0 20,0 30\nset 5,5 blocked\nremove b\n";
static const char rest[] =
    "restore save\npositions\nbodies\nframe 5\nset 12,12 blocked\nagent d 21,13 mover=cart\ngo a to 2,12\n"
    "request t 1,1 22,1\nvacate 4,4\nframe 30\npositions\n";
static const char graph[] =
    "graph\nnode 0 0 0\nnode 3 4 0\nnode 5 4 4\nedge 0 3 9\nedge 3 5 9\nedge 5 0 20\nframe\nedge 0 5 12\n"
    "agent a 0\ngo a to 5\nrequest r 0 5\nframe\n";
static const char graph_rest[] = "restore save\npositions\nedge 3 0 7\nrequest s 3 0\ndrain\nframe 20\npositions\n";

static const script_options options = {.budget = SCRIPT_DEFAULT_BUDGET,
                                       .most_cells = 1 << 12,
                                       .most_frames = 100,
                                       .most_bytes = 1 << 28,
                                       .no_files = true};

static saved good[2];

static void make_save(saved *out, const char *text, FILE *nowhere) {
    script_options own = options;
    script_state script;
    int status;
    own.out = nowhere;
    script_init(&script, "script", text, strlen(text), &own);
    while (script_run_line(&script, &status)) {
    }
    FUZZ_CHECK(!status);
    script_save(&script, out);
    FUZZ_CHECK(!out->bad);
    saved_finish(out);
    script_free(&script);
    cli_world_free(&script.built);
}

/* Returns whether it was restored. */
static bool go_on(saved *from, const char *text, FILE *out) {
    script_options own = options;
    script_state script;
    int status;
    own.out = out;
    fuzz_messages = 0;
    script_init(&script, "script", text, strlen(text), &own);
    FUZZ_CHECK(script_next_line(&script, &status)); /* the line for errors */
    const bool restored = saved_begin_reading(from) && script_restore(&script, from);
    if (restored) {
        status = script_run(&script);
        FUZZ_CHECK(status == CLI_DONE ? fuzz_messages == 0 : fuzz_messages == 1);
    } else {
        FUZZ_CHECK(from->why[0] != '\0' && fuzz_messages <= 1);
    }
    script_free(&script);
    cli_world_free(&script.built);
    return restored;
}

/* The first byte names the save; each three behind it are a place and the value written there. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static FILE *nowhere;
    if (!nowhere) {
        nowhere = fopen("/dev/null", "w");
        FUZZ_CHECK(nowhere);
        make_save(&good[0], world, nowhere);
        make_save(&good[1], graph, nowhere);
    }
    if (size == 0) return 0;
    const int which = data[0] & 1;
    const size_t bytes = good[which].at;
    saved own = {.reads = true, .bytes = malloc(bytes), .size = bytes};
    FUZZ_CHECK(own.bytes);
    memcpy(own.bytes, good[which].bytes, bytes);
    for (size_t at = 1; at + 3 <= size; at += 3)
        own.bytes[32 + ((size_t)data[at] << 8 | data[at + 1]) % (bytes - 32)] = data[at + 2];
    saved_sum(&own);
    const bool restored = go_on(&own, which ? graph_rest : rest, nowhere);
    FUZZ_CHECK(restored || size >= 4);
    free(own.bytes);
    return 0;
}
