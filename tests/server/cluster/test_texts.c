/* SPDX-License-Identifier: MIT */
/* Texts that nodes leave for each other: places, notes, heads of entries, addresses. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/member.h"

/* A copy with nothing behind its zero, so that a sanitizer sees what is read there. Returns how many places it has. */
static size_t read_places(const char *text, size_t size, cluster_place *last) {
    char *copy = malloc(size + 1);
    const char *at = copy;
    size_t count = 0;
    cr_assert(copy);
    memcpy(copy, text, size);
    copy[size] = '\0';
    for (; cluster_place_read(&at, copy + size, last); count++) cr_assert(at <= copy + size);
    free(copy);
    return count;
}

Test(texts, places_are_read_line_by_line) {
    static const char text[] = "1 2 0 5 guard\n-3 40 5 3 a\nb\n7 7 7 0 \n2147483647 0 0 1 x\n";
    cluster_place place;
    const char *at = text, *end = text + sizeof text - 1;
    cr_assert(cluster_place_read(&at, end, &place));
    cr_assert(place.x == 1 && place.y == 2 && place.z == 0 && place.name_bytes == 5 && !memcmp(place.name, "guard", 5));
    cr_assert(cluster_place_read(&at, end, &place));
    cr_assert(place.x == -3 && place.y == 40 && place.z == 5 && place.name_bytes == 3 &&
              !memcmp(place.name, "a\nb", 3));
    cr_assert(cluster_place_read(&at, end, &place) && place.name_bytes == 0);
    cr_assert(cluster_place_read(&at, end, &place) && place.x == INT32_MAX);
    cr_assert_not(cluster_place_read(&at, end, &place));
    cr_assert_eq(at, end);
}

Test(texts, places_that_are_cut_anywhere) {
    static const char text[] = "1 2 0 5 guard\n13 4 0 4 hero\n";
    cluster_place place;
    for (size_t size = 0; size < sizeof text; size++) {
        const size_t count = read_places(text, size, &place);
        cr_assert_eq(count, (size_t)((size >= 13) + (size >= 27)), "%zu bytes have %zu", size, count);
    }
}

Test(texts, places_that_are_none) {
    static const char *const bad[] = {
        "1 2 0 4", "1 2 0 4 abc", "1 2 0 -1 abc",        "1 2 0 99999999999999999999 abc", "2147483648 0 0 1 x",
        "x",       "1 2 0",       "1 2 0 2147483647 abc"};
    cluster_place place;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cr_assert_eq(read_places(bad[i], strlen(bad[i]), &place), 0, "%s", bad[i]);
}

Test(texts, notes) {
    cluster_note note;
    cr_assert(cluster_note_read("entry=1 epoch=2 ms=3 page=[::1]:80 lines=- owns=1 load=40", &note));
    cr_assert(note.entry == 1 && note.epoch == 2 && note.ms == 3 && strcmp(note.page, "[::1]:80") == 0);
    cr_assert(strcmp(note.lines, "-") == 0 && note.owns && note.load == 40);
    cr_assert_not(cluster_note_read("entry=1 epoch=2 ms=3 page=[::1]:80 lines=- owns=1", &note));
    cr_assert_not(cluster_note_read("entry=1 epoch=2 ms=3 page=\" lines=- owns=1 load=40", &note));
    cr_assert_not(cluster_note_read("", &note));
}

#define FIRST "# a journal of wend serve\n# map "

Test(texts, heads_of_entries) {
    cluster_head head;
    cr_assert(cluster_head_read(FIRST "town term 3 entry 9 after 00ff\n", &head));
    cr_assert(strcmp(head.map, "town") == 0 && head.term == 3 && head.entry == 9 && head.after == 255);
    cr_assert(!head.fresh && head.heir[0] == '\0');
    cr_assert(cluster_head_read(FIRST "town term 3 entry 9 after 00ff fresh\n", &head) && head.fresh);
    cr_assert(cluster_head_read(FIRST "town term 3 entry 9 after 00ff to b\n", &head) && strcmp(head.heir, "b") == 0);
    cr_assert_not(cluster_head_read(FIRST "town term 3 entry 9 after 00ff to b.c\n", &head));
    cr_assert_not(cluster_head_read(FIRST "to.wn term 3 entry 9 after 00ff\n", &head));
    cr_assert_not(cluster_head_read(FIRST "town term 3 entry 9\n", &head));
    cr_assert_not(cluster_head_read("# map town term 3 entry 9 after 00ff\n", &head));
}

Test(texts, addresses) {
    static const char *const good[] = {"127.0.0.1:7780", "[::1]:1", "10.0.0.1:65535"};
    static const char *const bad[] = {"",
                                      "-",
                                      ":",
                                      "127.0.0.1",
                                      "127.0.0.1:",
                                      "1.2.3.4:0",
                                      "1.2.3.4:x",
                                      "1.2.3.4:1x",
                                      "1.2.3.4:65536",
                                      "[]:1",
                                      "[:1",
                                      "/tmp/a:sock",
                                      "[::1]",
                                      "1.2.3.4:99999999999999999999"};
    struct sockaddr_storage out;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        cr_assert(cluster_address_read(good[i], &out), "%s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cr_assert_not(cluster_address_read(bad[i], &out), "%s", bad[i]);
}
