/* SPDX-License-Identifier: MIT */
/* The texts of a cluster: each is read as it was written, and nothing else is. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/entry.h"
#include "script/script.h"

static const cluster_entry written[] = {
    {.kind = CLUSTER_KIND_HEAD,
     .map = "town",
     .writer = "operator",
     .number = 1,
     .world = {1, 0x5a1f, 0xffffffffffffffff, "0.3.0", "max-agents=8 lanes=2"}},
    {.kind = CLUSTER_KIND_CLAIM, .map = "t", .writer = "n1", .number = 2, .term = 2, .after = 0x123456789abcdef0},
    {.kind = CLUSTER_KIND_RELEASE, .map = "a-b_C9", .writer = "n1", .number = 3, .term = 2, .after = 1},
    {.kind = CLUSTER_KIND_HAND, .map = "t", .writer = "n1", .number = 4, .term = 2, .after = 2, .heir = "n2"},
    {.kind = CLUSTER_KIND_CHECK,
     .map = "t",
     .writer = "n1",
     .number = UINT64_MAX,
     .term = 7,
     .after = 3,
     .state = 0xabc,
     .epoch = 12},
    {.kind = CLUSTER_KIND_ORDERS, .map = "t", .writer = "n1", .number = 6, .term = 7, .after = 4}};
enum { WRITTEN = sizeof written / sizeof written[0] };

/* Bytes with nothing behind them, so that a sanitizer sees reads there. */
static char *copy_of(const char *bytes, size_t size) {
    char *copy = malloc(size > 0 ? size : 1);
    cr_assert(copy);
    memcpy(copy, bytes, size);
    return copy;
}

static cluster_reading read_copy(const char *bytes, size_t size, cluster_entry *out) {
    char *copy = copy_of(bytes, size);
    const cluster_reading reading = cluster_entry_read(copy, size, out);
    free(copy);
    return reading;
}

Test(entry, is_read_as_it_was_written) {
    for (size_t i = 0; i < WRITTEN; i++) {
        char text[CLUSTER_HEAD_BYTES];
        cluster_entry read;
        const size_t size = cluster_entry_write(&written[i], true, text);
        cr_assert_gt(size, 0);
        cr_assert_eq(read_copy(text, size, &read), CLUSTER_READ, "%s", text);
        cr_assert_eq(read.records, size);
        read.records = 0;
        cr_assert(read.kind == written[i].kind && read.number == written[i].number && read.term == written[i].term);
        cr_assert(read.after == written[i].after && read.state == written[i].state && read.epoch == written[i].epoch);
        cr_assert_str_eq(read.map, written[i].map);
        cr_assert_str_eq(read.writer, written[i].writer);
        cr_assert_str_eq(read.heir, written[i].heir);
        cr_assert_str_eq(read.world.limits, written[i].world.limits);
        cr_assert_str_eq(read.world.version, written[i].world.version);
        cr_assert(read.world.world == written[i].world.world && read.world.rules == written[i].world.rules);
    }
}

Test(entry, is_one_text_that_others_can_write_too) {
    static const char expected[] = "# a journal of wend serve\n"
                                   "# map t entry 4 term 2 writer n1 after 0000000000000002 hand n2\n"
                                   "# sealed ";
    char text[CLUSTER_HEAD_BYTES];
    const size_t size = cluster_entry_write(&written[3], false, text);
    cr_assert_eq(size, sizeof expected - 1 - strlen("# sealed "));
    cr_assert_arr_eq(text, expected, size);
    cr_assert_gt(cluster_entry_write(&written[3], true, text), size);
    cr_assert_arr_eq(text, expected, sizeof expected - 1);
}

/* Each byte that differs, and each that is lacking, makes it another text. */
Test(entry, is_refused_with_any_byte_changed_or_cut) {
    for (size_t i = 0; i < WRITTEN; i++) {
        char text[CLUSTER_HEAD_BYTES];
        cluster_entry read;
        const size_t size = cluster_entry_write(&written[i], true, text);
        for (size_t at = 0; at < size; at++) {
            cr_assert_neq(read_copy(text, at, &read), CLUSTER_READ, "entry %zu cut to %zu bytes", i, at);
            const char kept = text[at];
            for (unsigned bit = 0; bit < 8; bit++) {
                text[at] = (char)(kept ^ (1 << bit));
                cr_assert_neq(read_copy(text, size, &read), CLUSTER_READ, "entry %zu, byte %zu", i, at);
            }
            text[at] = kept;
        }
    }
}

Test(entry, of_a_newer_wend_is_told_from_damage) {
    static const char kind[] = "# a journal of wend serve\n"
                               "# map t entry 4 term 2 writer n1 after 0000000000000002 merge town\n";
    static const char format[] = "# a journal of wend serve\n# map t entry 1 term 0 writer n1 after 0000000000000000 "
                                 "head format 2 cells 77\n";
    cluster_entry read;
    cr_assert_eq(read_copy(kind, sizeof kind - 1, &read), CLUSTER_READ_NEWER);
    cr_assert_eq(read_copy(format, sizeof format - 1, &read), CLUSTER_READ_NEWER);
    cr_assert_eq(read_copy("map town.map\n", 13, &read), CLUSTER_READ_DAMAGED);
    cr_assert_eq(read_copy("", 0, &read), CLUSTER_READ_DAMAGED);
}

Test(entry, of_the_longest_names_fits) {
    cluster_entry entry = {.kind = CLUSTER_KIND_HEAD, .number = UINT64_MAX, .term = UINT64_MAX, .after = UINT64_MAX};
    char text[CLUSTER_HEAD_BYTES];
    cluster_entry read;
    memset(entry.map, 'm', CLUSTER_NAME_BYTES);
    memset(entry.writer, 'w', CLUSTER_NAME_BYTES);
    entry.world = (cluster_world){1, UINT64_MAX, UINT64_MAX, "", ""};
    memset(entry.world.version, '9', CLUSTER_VERSION_BYTES);
    memset(entry.world.limits, 'l', CLUSTER_LIMITS_BYTES);
    const size_t size = cluster_entry_write(&entry, true, text);
    cr_assert_gt(size, 0);
    cr_assert_eq(read_copy(text, size, &read), CLUSTER_READ);
    cr_assert(cluster_is_word(read.map) && strlen(read.map) == CLUSTER_NAME_BYTES);
}

Test(entry, names_are_words_of_a_subject) {
    static const char *const bad[] = {"", "a.b", "a b", "*", ">", "\xc3\xa4", "a\n"};
    char longest[CLUSTER_NAME_BYTES + 2] = "";
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) cr_assert_not(cluster_is_word(bad[i]), "%s", bad[i]);
    memset(longest, 'a', CLUSTER_NAME_BYTES);
    cr_assert(cluster_is_word(longest));
    longest[CLUSTER_NAME_BYTES] = 'a';
    cr_assert_not(cluster_is_word(longest));
}

static const cluster_report report = {"n1", "[::1]:7781", "h:1", CLUSTER_ROLE_REPLICA, 12, 17, 40, 250, 9, 0xbeef,
                                      3,    "0.3.0",      0};

Test(entry, reports_are_read_with_what_follows) {
    char text[CLUSTER_REPORT_BYTES];
    cluster_report read;
    const size_t line = cluster_report_write(&report, text, sizeof text);
    cr_assert_gt(line, 0);
    memcpy(text + line, "7 places", 8);
    char *copy = copy_of(text, line + 8);
    cr_assert(cluster_report_read(copy, line + 8, &read));
    cr_assert(read.role == CLUSTER_ROLE_REPLICA && read.term == 12 && read.sequence == 17 && read.epoch == 40);
    cr_assert(read.lag_ms == 250 && read.checked == 9 && read.state == 0xbeef && read.purged == 3);
    cr_assert(strcmp(read.node, "n1") == 0 && strcmp(read.address, "[::1]:7781") == 0);
    cr_assert(strcmp(read.page, "h:1") == 0 && strcmp(read.version, "0.3.0") == 0 && read.line == line);
    for (size_t size = 0; size < line; size++) cr_assert_not(cluster_report_read(copy, size, &read));
    memcpy(copy + strlen("node n1 role "), "kingdom", 7);
    cr_assert_not(cluster_report_read(copy, line, &read));
    memcpy(copy, "node ..", 7);
    cr_assert_not(cluster_report_read(copy, line, &read));
    free(copy);
}

Test(entry, reports_of_the_longest_names_fit) {
    char text[CLUSTER_REPORT_BYTES];
    cluster_report longest = {.role = CLUSTER_ROLE_FOLLOWER, .term = UINT64_MAX, .sequence = UINT64_MAX}, read;
    longest.epoch = longest.lag_ms = longest.checked = longest.state = longest.purged = UINT64_MAX;
    memset(longest.node, 'n', CLUSTER_NAME_BYTES);
    memset(longest.address, 'a', CLUSTER_HOST_BYTES);
    memset(longest.page, 'p', CLUSTER_HOST_BYTES);
    memset(longest.version, '9', CLUSTER_VERSION_BYTES);
    const size_t line = cluster_report_write(&longest, text, sizeof text);
    cr_assert(line > 0 && cluster_report_read(text, line, &read) && read.purged == UINT64_MAX);
}

Test(entry, asks_name_a_node) {
    char node[CLUSTER_NAME_BYTES + 1];
    cr_assert(cluster_ask_read("move n2", 7, node) && strcmp(node, "n2") == 0);
    static const char *const bad[] = {"", "move ", "move a.b", "stop n2", "move n2\n"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cr_assert_not(cluster_ask_read(bad[i], strlen(bad[i]), node), "%s", bad[i]);
}

/* ---- worlds ---- */

static void write_file(const char *folder, const char *name, const char *text) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static cluster_world describe(const char *folder, const char *name, uint64_t most_agents) {
    char path[512];
    cli_world loaded = {0};
    cluster_world out;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    cr_assert_eq(script_load_served(path, &loaded), CLI_DONE);
    cr_assert(cluster_world_read(path, &loaded, most_agents, &out));
    cli_world_free(&loaded);
    return out;
}

Test(entry, worlds_differ_by_files_rules_and_limits) {
    char folder[] = "/tmp/wend-entry-XXXXXX", why[512] = "untouched", command[64];
    cr_assert(mkdtemp(folder));
    write_file(folder, "town.map", "type octile\nheight 2\nwidth 3\nmap\n...\n.@.\n");
    write_file(folder, "town.wend", "map town.map\nneighbours 4\n");
    const cluster_world first = describe(folder, "town.wend", 8), again = describe(folder, "town.wend", 8);
    cr_assert_not(cluster_world_differs(&first, &again, why, sizeof why));
    cr_assert_str_eq(why, "untouched");
    const cluster_world larger = describe(folder, "town.wend", 9);
    cr_assert(cluster_world_differs(&first, &larger, why, sizeof why));
    cr_assert(strstr(why, "needs world") && strstr(why, "max-agents=8;") && strstr(why, "max-agents=9"), "%s", why);
    write_file(folder, "town.map", "type octile\nheight 2\nwidth 3\nmap\n...\n@..\n");
    const cluster_world moved = describe(folder, "town.wend", 8);
    cr_assert_neq(moved.world, first.world); /* the map file has changed */
    cr_assert_eq(moved.rules, first.rules);
    cli_reading.blocked = (cli_list){{"solid"}, 1};
    const cluster_world read_otherwise = describe(folder, "town.wend", 8);
    cli_reading.blocked = (cli_list){.count = 0};
    cr_assert_eq(read_otherwise.world, moved.world);
    cr_assert_neq(read_otherwise.rules, moved.rules);
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
}
