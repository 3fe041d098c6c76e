/* SPDX-License-Identifier: MIT */
/* A node's own copy of the log: the contents of the file after each call, and after a restart. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cluster/copy.h"
#include "models/owned.h"

static char file[64];

static void in_a_folder(void) {
    char folder[] = "/tmp/wend-copy-XXXXXX";
    cr_assert(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/journal", folder);
}

TestSuite(copy, .init = in_a_folder);

/* An entry without records, behind the one before. */
static size_t write_entry(uint64_t number, uint64_t after, const char *writer, char out[CLUSTER_HEAD_BYTES]) {
    cluster_entry entry = {.kind = CLUSTER_KIND_CLAIM, .map = "town", .number = number, .term = number, .after = after};
    snprintf(entry.writer, sizeof entry.writer, "%s", writer);
    return cluster_entry_write(&entry, true, out);
}

/* Takes entries up to a number, each behind the one before. @return the hash of the last one */
static uint64_t take(cluster_copy *copy, uint64_t first, uint64_t last, uint64_t after) {
    char bytes[CLUSTER_HEAD_BYTES];
    for (uint64_t number = first; number <= last; number++) {
        const size_t size = write_entry(number, after, "a", bytes);
        cr_assert(cluster_copy_take(copy, number, bytes, size, true));
        after = cluster_entry_hash(bytes, size);
    }
    return after;
}

static int open_copy(cluster_copy *copy) {
    *copy = (cluster_copy){.file = NULL};
    uv_mutex_init(&copy->mutex);
    return cluster_copy_open(copy, file, "town");
}

static long size_of(const char *name) {
    struct stat info;
    return stat(name, &info) == 0 ? (long)info.st_size : -1;
}

Test(copy, has_its_entries_after_a_restart) {
    cluster_copy copy;
    cr_assert_eq(open_copy(&copy), 0);
    const uint64_t after = take(&copy, 3, 9, 5);
    cluster_copy_close(&copy);
    cr_assert_eq(open_copy(&copy), 0);
    cr_assert(copy.first == 3 && copy.last == 9);
    take(&copy, 10, 12, after);
    take(&copy, 3, 9, 5); /* the same ones again */
    cr_assert(copy.last == 12);
    cluster_copy_close(&copy);
}

Test(copy, refuses_another_entry_and_changes_nothing) {
    OWNED(cluster_copy_close) cluster_copy copy;
    char bytes[CLUSTER_HEAD_BYTES];
    cr_assert_eq(open_copy(&copy), 0);
    take(&copy, 1, 5, 0);
    const long before = size_of(file);
    const size_t size = write_entry(4, 7, "b", bytes);
    cr_assert_not(cluster_copy_take(&copy, 4, bytes, size, true));
    cr_assert_eq(size_of(file), before);
}

Test(copy, begins_again_behind_a_gap_and_keeps_the_file_before) {
    cluster_copy copy;
    char name[80];
    cr_assert_eq(open_copy(&copy), 0);
    take(&copy, 1, 5, 0);
    const long before = size_of(file);
    take(&copy, 20, 21, 3);
    cr_assert(copy.first == 20 && copy.last == 21);
    snprintf(name, sizeof name, "%s.before", file);
    cr_assert_eq(size_of(name), before);
    cluster_copy_close(&copy);
    cr_assert_eq(open_copy(&copy), 0);
    cr_assert(copy.first == 20 && copy.last == 21);
    cluster_copy_close(&copy);
}

Test(copy, is_cut) {
    cluster_copy copy;
    cr_assert_eq(open_copy(&copy), 0);
    uint64_t after = take(&copy, 1, 30, 0);
    cluster_copy_cut(&copy, 11);
    cluster_copy_cut(&copy, 5);
    cluster_copy_cut(&copy, 99);
    cr_assert(copy.first == 11 && copy.last == 30);
    take(&copy, 31, 33, after);
    cluster_copy_close(&copy);
    cr_assert_eq(open_copy(&copy), 0);
    cr_assert(copy.first == 11 && copy.last == 33);
    cluster_copy_close(&copy);
}

Test(copy, drops_what_was_cut_short_at_its_end_alone) {
    cluster_copy copy;
    cr_assert_eq(open_copy(&copy), 0);
    take(&copy, 1, 3, 0);
    cluster_copy_close(&copy);
    const long whole = size_of(file);
    char bytes[3 * CLUSTER_HEAD_BYTES] = "";
    FILE *of = fopen(file, "r+");
    cr_assert_eq(fread(bytes, 1, sizeof bytes, of), (size_t)whole);
    for (long size = whole - 1; size > whole / 3 * 2; size--) { /* within the last entry; then zeros, each third time */
        rewind(of);
        fwrite(bytes, 1, (size_t)size, of);
        fflush(of);
        cr_assert_eq(truncate(file, size), 0);
        if (size % 3 == 0) cr_assert_eq(truncate(file, whole), 0);
        cr_assert_eq(open_copy(&copy), 0, "%ld bytes", size);
        cr_assert_eq(copy.last, 2, "%ld bytes", size);
        cluster_copy_close(&copy);
    }
    fclose(of);
}

Test(copy, finds_each_changed_byte_above_its_last_entry) {
    cluster_copy copy;
    cr_assert_eq(open_copy(&copy), 0);
    take(&copy, 1, 3, 0);
    cluster_copy_close(&copy);
    const long whole = size_of(file);
    FILE *of = fopen(file, "r+");
    for (long at = 0; at < whole / 3 * 2 - 1; at++) {
        fseek(of, at, SEEK_SET);
        const int byte = fgetc(of);
        fseek(of, at, SEEK_SET);
        fputc(byte ^ 1, of);
        fflush(of);
        cr_assert_neq(open_copy(&copy), 0, "byte %ld", at);
        cr_assert_eq(size_of(file), whole);
        cluster_copy_close(&copy);
        fseek(of, at, SEEK_SET);
        fputc(byte, of);
        fflush(of);
    }
    fclose(of);
}

Test(copy, is_of_one_process_and_one_map) {
    cluster_copy copy, other;
    cr_assert_eq(open_copy(&copy), 0);
    take(&copy, 1, 1, 0);
    cr_assert_neq(open_copy(&other), 0);
    cluster_copy_close(&other);
    cluster_copy_close(&copy);
    other = (cluster_copy){.file = NULL};
    cr_assert_neq(cluster_copy_open(&other, file, "field"), 0);
    cluster_copy_close(&other);
}

Test(copy, that_cannot_be_written_says_why_and_stays_whole) {
    cluster_copy copy;
    cr_assert_eq(open_copy(&copy), 0);
    const uint64_t after = take(&copy, 1, 3, 0);
    close(copy.descriptor);
    take(&copy, 4, 5, after);
    cr_assert(copy.last == 3 && strstr(copy.why, "cannot be written"));
    copy.file = NULL;
    cluster_copy_close(&copy);
    cr_assert_eq(open_copy(&copy), 0);
    cr_assert_eq(copy.last, 3);
    cluster_copy_close(&copy);
}
