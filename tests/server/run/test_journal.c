/* SPDX-License-Identifier: MIT */
/* The journal of a server: records that are synced, groups, damage, full disks, and reading after a restart. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "script/script.h"
#include "journal/journal.h"
#include "cli/output/messages.h"

/* ---- a world and a journal in a folder of their own; messages go into a buffer ---- */

static char folder[64], world_file[96], file[96], said[4096];
static uv_loop_t loop;
static int syncs, sync_fails;

int fdatasync(int descriptor) {
    syncs++;
    if (sync_fails == 0) return fsync(descriptor);
    errno = EIO;
    return -1;
}

static void say(const char *format, va_list arguments) {
    const size_t used = strlen(said);
    vsnprintf(said + used, sizeof said - used, format, arguments);
}

int cli_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    return CLI_BAD_INPUT;
}

int cli_fail_at(const char *name, int line, int column, const char *format, ...) {
    va_list arguments;
    const size_t used = strlen(said);
    snprintf(said + used, sizeof said - used, "%s:%d:%d: ", strrchr(name, '/') + 1, line, column);
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    return CLI_BAD_INPUT;
}

int cli_fail_file(const char *name, wend_error error, const wend_file_error *where) {
    return cli_fail_at(name, where->line, where->column, "%s", wend_error_text(error));
}

void cli_note_at(const char *name, const char *format, ...) {
    va_list arguments;
    (void)name;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

void cli_json_string(FILE *out, const char *text) {
    fprintf(out, "\"%s\"", text);
}

static void put_file(const char *name, const char *bytes, size_t size) {
    FILE *out = fopen(name, "wb");
    cr_assert(out && fwrite(bytes, 1, size, out) == size);
    cr_assert_eq(fclose(out), 0);
}

static char *get_file(size_t *size) {
    static char bytes[1 << 16];
    FILE *in = fopen(file, "rb");
    cr_assert(in);
    *size = fread(bytes, 1, sizeof bytes - 1, in);
    bytes[*size] = '\0';
    fclose(in);
    return bytes;
}

static void begin(void) {
    static const char text[] = "grid 8 8\n";
    strcpy(folder, "/tmp/journalXXXXXX");
    cr_assert(mkdtemp(folder));
    snprintf(world_file, sizeof world_file, "%s/world.wend", folder);
    snprintf(file, sizeof file, "%s/edits.wend", folder);
    put_file(world_file, text, sizeof text - 1);
    cr_assert_eq(uv_loop_init(&loop), 0);
    said[0] = '\0', syncs = sync_fails = 0;
}

static void end(void) {
    char fresh[112];
    snprintf(fresh, sizeof fresh, "%s.new", file);
    cr_expect_eq(access(fresh, F_OK), -1, "a new file is left");
    cr_assert_eq(uv_loop_close(&loop), 0);
    unlink(file), unlink(world_file), rmdir(folder);
}

static serve_journal *open_journal(void) {
    serve_journal_past past;
    serve_journal *journal;
    cr_assert_eq(serve_journal_read(file, world_file, &past), CLI_DONE, "%s", said);
    cr_assert_eq(serve_journal_open(&loop, file, &past, &journal), CLI_DONE, "%s", said);
    serve_journal_forget(&past);
    return journal;
}

static int told, last_error;

static void note_done(void *context, int error) {
    told++, last_error = error;
    if (context != NULL) *(int *)context = told;
}

/* A record that blocks a cell. */
static int block(serve_journal *journal, int x, int y, int *turn) {
    serve_journal_line(journal, "set %d,%d blocked", x, y);
    serve_journal_line(journal, "publish");
    return serve_journal_end_record(journal, note_done, turn);
}

static void commit(serve_journal *journal) {
    serve_journal_commit(journal);
    uv_run(&loop, UV_RUN_DEFAULT);
}

/* The world that `wend run` makes of the whole records, row by row; false after a message. */
static bool rebuild(char rows[65]) {
    const script_options options = {.budget = SCRIPT_DEFAULT_BUDGET};
    serve_journal_past past;
    script_state script;
    if (serve_journal_read(file, world_file, &past)) return false;
    if (past.size == 0)
        script_init(&script, world_file, "grid 8 8", 8, &options);
    else
        script_init(&script, file, past.text, past.size, &options);
    const int status = script_run(&script);
    for (int i = 0; i < 64 && !status; i++) {
        uint8_t terrain = 9;
        cr_assert_eq(wend_map_get_terrain(script.built.map, (wend_cell){i % 8, i / 8, 0}, &terrain), WEND_OK);
        rows[i] = (char)('0' + terrain);
    }
    rows[64] = '\0';
    script_free(&script);
    cli_world_free(&script.built);
    serve_journal_forget(&past);
    return !status;
}

static int blocked_cells(void) {
    char rows[65];
    int count = 0;
    cr_assert(rebuild(rows), "%s", said);
    for (int i = 0; i < 64; i++) count += rows[i] == '0';
    return count;
}

/* ---- appending ---- */

Test(journal, is_told_after_one_sync_of_all_records, .init = begin, .fini = end) {
    serve_journal *journal = open_journal();
    int turns[3] = {0, 0, 0};
    told = 0;
    for (int i = 0; i < 3; i++) cr_assert_eq(block(journal, i, 0, &turns[i]), 0);
    cr_expect_eq(told, 0);
    cr_expect_eq(serve_journal_waiting(journal), 3);
    syncs = 0;
    commit(journal);
    cr_expect_eq(syncs, 1);
    cr_expect(turns[0] == 1 && turns[1] == 2 && turns[2] == 3 && last_error == 0);
    cr_expect_eq(blocked_cells(), 3);
    serve_journal_close(journal);
    cr_expect_str_empty(said);
}

Test(journal, gathers_while_a_commit_is_under_way, .init = begin, .fini = end) {
    serve_journal *journal = open_journal();
    told = syncs = 0;
    block(journal, 0, 0, NULL);
    serve_journal_line(journal, "set 7,7 blocked"); /* a line of a later record */
    serve_journal_commit(journal);
    cr_expect(serve_journal_is_writing(journal));
    cr_expect_eq(serve_journal_end_record(journal, note_done, NULL), 0);
    block(journal, 1, 0, NULL);
    serve_journal_commit(journal); /* a commit is under way */
    cr_expect_eq(serve_journal_waiting(journal), 3);
    uv_run(&loop, UV_RUN_DEFAULT);
    cr_expect_eq(told, 1);
    commit(journal);
    cr_expect(told == 3 && syncs == 2);
    cr_expect_eq(blocked_cells(), 3);
    serve_journal_close(journal);
}

Test(journal, closes_with_all_records_written, .init = begin, .fini = end) {
    serve_journal *journal = open_journal();
    told = 0;
    block(journal, 0, 0, NULL);
    serve_journal_commit(journal);
    block(journal, 1, 0, NULL);
    serve_journal_line(journal, "set 7,7 blocked");
    serve_journal_close(journal);
    cr_expect(told == 2 && last_error == 0);
    cr_expect_eq(blocked_cells(), 2);
}

static serve_journal *closing;
static int more_records;

/* Writes more records when a record ends, as a server does while it stops. */
static void write_more(void *context, int error) {
    note_done(context, error);
    if (more_records == 0) return;
    serve_journal_line(closing, "set %d,0 blocked", --more_records);
    serve_journal_line(closing, "publish");
    cr_expect_eq(serve_journal_end_record(closing, write_more, NULL), 0);
    serve_journal_commit(closing);
}

Test(journal, closes_behind_the_last_writer, .init = begin, .fini = end) {
    closing = open_journal();
    told = 0, more_records = 3;
    serve_journal_line(closing, "set 7,0 blocked");
    serve_journal_line(closing, "publish");
    cr_expect_eq(serve_journal_end_record(closing, write_more, NULL), 0);
    serve_journal_close(closing);
    cr_expect(told == 4 && last_error == 0);
    cr_expect_eq(blocked_cells(), 4);
}

Test(journal, goes_on_where_it_ended, .init = begin, .fini = end) {
    for (int i = 0; i < 5; i++) {
        serve_journal *journal = open_journal();
        block(journal, i, i, NULL);
        serve_journal_close(journal);
    }
    cr_expect_eq(blocked_cells(), 5);
    cr_expect_str_empty(said);
}

Test(journal, is_a_script, .init = begin, .fini = end) {
    script_options options = {.budget = SCRIPT_DEFAULT_BUDGET};
    char *printed = NULL;
    size_t printed_bytes, size;
    serve_journal *journal = open_journal();
    for (int y = 0; y < 8; y++) block(journal, 4, y, NULL);
    serve_journal_line(journal, "request r1 0,0 7,7 # {\"session\":\"a\",\"id\":1}");
    serve_journal_end_record(journal, NULL, NULL);
    serve_journal_close(journal);
    char *text = get_file(&size);
    options.out = open_memstream(&printed, &printed_bytes);
    strcpy(text + size, "drain\n");
    script_state script;
    script_init(&script, file, text, size + 6, &options);
    cr_expect_eq(script_run(&script), CLI_DONE, "%s", said);
    script_free(&script);
    cli_world_free(&script.built);
    fclose(options.out);
    cr_expect(strstr(printed, "\"id\":\"r1\",\"status\":\"no_path\""), "%s", printed);
    free(printed);
}

/* ---- restarting ---- */

Test(journal, begins_again_at_a_reset, .init = begin, .fini = end) {
    serve_journal *journal = open_journal();
    int turns[4] = {0, 0, 0, 0};
    told = 0;
    block(journal, 0, 0, NULL);
    commit(journal);
    block(journal, 1, 0, &turns[0]);
    cr_expect_eq(serve_journal_restart(journal, note_done, &turns[1]), 0);
    block(journal, 2, 0, &turns[2]);
    block(journal, 3, 0, &turns[3]);
    cr_expect_eq(blocked_cells(), 1);
    commit(journal);
    cr_expect(turns[0] == 2 && turns[1] == 3 && turns[2] == 4 && turns[3] == 5 && last_error == 0);
    cr_expect_eq(blocked_cells(), 2);
    block(journal, 4, 0, NULL);
    serve_journal_close(journal);
    cr_expect_eq(blocked_cells(), 3);
    cr_expect_str_empty(said);
}

Test(journal, is_locked, .init = begin, .fini = end) {
    serve_journal_past past;
    serve_journal *journal = open_journal(), *second;
    block(journal, 0, 0, NULL);
    commit(journal);
    cr_assert_eq(serve_journal_read(file, world_file, &past), CLI_DONE);
    cr_expect_eq(serve_journal_open(&loop, file, &past, &second), CLI_BAD_INPUT);
    cr_expect(strstr(said, "another server"), "%s", said);
    serve_journal_forget(&past);
    serve_journal_restart(journal, NULL, NULL); /* the new file is locked too */
    commit(journal);
    cr_assert_eq(serve_journal_read(file, world_file, &past), CLI_DONE);
    cr_expect_eq(serve_journal_open(&loop, file, &past, &second), CLI_BAD_INPUT);
    serve_journal_forget(&past);
    serve_journal_close(journal);
}

/* A journal with three records: bytes, and where each ends. */
static size_t make_three(char *bytes, size_t ends[4]) {
    serve_journal *journal = open_journal();
    size_t size;
    ends[0] = (size_t)serve_journal_bytes(journal);
    for (int i = 0; i < 3; i++) {
        block(journal, i, 1, NULL);
        commit(journal);
        ends[i + 1] = (size_t)serve_journal_bytes(journal);
    }
    serve_journal_close(journal);
    memcpy(bytes, get_file(&size), 4096);
    cr_assert(size == ends[3] && size < 4096);
    return size;
}

Test(journal, keeps_whole_records_wherever_it_is_cut, .init = begin, .fini = end) {
    char bytes[4096];
    size_t ends[4];
    const size_t size = make_three(bytes, ends);
    for (size_t cut = 0; cut <= size; cut++) {
        put_file(file, bytes, cut);
        said[0] = '\0';
        const int whole = (cut >= ends[1]) + (cut >= ends[2]) + (cut >= ends[3]);
        cr_expect_eq(blocked_cells(), whole, "cut at %zu", cut);
        const bool torn = cut > ends[0] && cut != ends[1] && cut != ends[2] && cut != ends[3];
        cr_expect_eq(strstr(said, "not whole") != NULL, torn, "cut at %zu: %s", cut, said);
        serve_journal *journal = open_journal(); /* and goes on from there */
        block(journal, 7, 7, NULL);
        serve_journal_close(journal);
        cr_expect_eq(blocked_cells(), whole + 1, "cut at %zu", cut);
    }
}

Test(journal, says_where_it_is_damaged, .init = begin, .fini = end) {
    char bytes[4096], rows[65];
    size_t ends[4];
    const size_t size = make_three(bytes, ends);
    for (size_t at = 0; at < 8 * size; at++) { /* the last seal, too: its record was acknowledged */
        char changed[4096];
        memcpy(changed, bytes, size);
        changed[at / 8] = (char)(changed[at / 8] ^ 1 << at % 8);
        put_file(file, changed, size);
        said[0] = '\0';
        cr_expect_not(rebuild(rows), "changed at %zu", at);
        int line = 0, column = 0;
        cr_expect_eq(sscanf(said, "edits.wend:%d:%d: ", &line, &column), 2, "%zu: %s", at, said);
        cr_expect(line >= 1 && line <= 13 && column >= 1, "changed at %zu: %s", at, said);
    }
}

Test(journal, drops_what_follows_the_last_seal, .init = begin, .fini = end) {
    char bytes[8192] = "", hole[600] = "";
    size_t ends[4];
    const size_t size = make_three(bytes, ends);
    const char *const tails[] = {"garbage here\n", "\n", "set 9,9 blocked\npublish\n", "# sealed 0123456789abcde\n",
                                 "# sealed\n"};
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
        memcpy(bytes + size, tails[i], strlen(tails[i]));
        put_file(file, bytes, size + strlen(tails[i]));
        said[0] = '\0';
        cr_expect_eq(blocked_cells(), 3);
        cr_expect(strstr(said, "line 13 begins a record that is not whole"), "%s", said);
    }
    /* the machine lost power: the end of a record reached the disk, and its beginning did not */
    memcpy(bytes + size, hole, sizeof hole);
    memcpy(bytes + size + sizeof hole, bytes + ends[2], size - ends[2]);
    put_file(file, bytes, 2 * size - ends[2] + sizeof hole);
    said[0] = '\0';
    cr_expect_eq(blocked_cells(), 3, "%s", said);
    serve_journal_close(open_journal());
    cr_expect_eq(blocked_cells(), 3);
}

static void expect_refused(const char *text, const char *message) {
    char rows[65];
    said[0] = '\0';
    put_file(file, text, strlen(text));
    cr_expect_not(rebuild(rows));
    cr_expect(strstr(said, message), "says '%s', not '%s'", said, message);
    size_t size;
    cr_expect_str_eq(get_file(&size), text, "a file that is no journal was changed");
}

Test(journal, refuses_what_is_none, .init = begin, .fini = end) {
    expect_refused("grid 8 8\n", "edits.wend:1:1: this is no journal");
    expect_refused("x", "edits.wend:1:1: this is no journal");
    expect_refused("# a journal of wend serve\nmap other.wend\n# sealed 0123456789abcdef\n", "edits.wend:3:10: ");
    expect_refused("# a journal of wend serve\nmap other.wend\nset 1,1 blocked\n", "edits.wend:2:1: ");
    expect_refused("# a journal of wend serve\nmap world.wend\nset 1,1 blocked\npublish\n", "edits.wend:3:1: ");
}

Test(journal, is_of_one_world, .init = begin, .fini = end) {
    serve_journal_past past;
    char bytes[4096], other[112];
    size_t ends[4];
    make_three(bytes, ends);
    snprintf(other, sizeof other, "%s.other", world_file);
    put_file(other, "grid 4 4\n", 9);
    cr_expect_eq(serve_journal_read(file, other, &past), CLI_BAD_INPUT);
    cr_expect(strstr(said, "edits.wend:2:1: this is the journal of another world"), "%s", said);
    cr_expect_eq(serve_journal_read(file, "-", &past), CLI_BAD_INPUT);
    unlink(other);
}

Test(journal, gives_its_lines, .init = begin, .fini = end) {
    serve_journal_past past;
    serve_journal *journal = open_journal();
    static const char *const lines[] = {"set 1,1 blocked", "publish", "agent a 1,1", "# a comment"};
    for (size_t i = 0; i < 4; i += 2) {
        serve_journal_line(journal, "%s", lines[i]);
        serve_journal_put(journal, lines[i + 1], 3);
        serve_journal_line(journal, "%s", lines[i + 1] + 3);
        serve_journal_end_record(journal, NULL, NULL);
    }
    serve_journal_close(journal);
    cr_assert_eq(serve_journal_read(file, world_file, &past), CLI_DONE);
    serve_journal_line_at at = {0};
    for (size_t i = 0; i < 4; i++) {
        cr_assert(serve_journal_next(&past, &at));
        cr_assert(at.length == strlen(lines[i]) && memcmp(at.text, lines[i], at.length) == 0);
        cr_expect_eq(at.line, (int)(4 + i + i / 2));
    }
    cr_expect_not(serve_journal_next(&past, &at));
    serve_journal_forget(&past);
}

Test(journal, names_the_line_of_an_edit_that_cannot_be_made, .init = begin, .fini = end) {
    char rows[65];
    serve_journal *journal = open_journal();
    block(journal, 1, 1, NULL);
    serve_journal_line(journal, "set 9,9 blocked");
    serve_journal_end_record(journal, NULL, NULL);
    serve_journal_close(journal);
    cr_expect_not(rebuild(rows));
    cr_expect_eq(strncmp(said, "edits.wend:7:5: ", 16), 0, "%s", said);
}

/* ---- errors ---- */

/* As the program does it, a write says so, and no signal comes. */
static void limit_files(rlim_t bytes) {
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

Test(journal, refuses_records_while_the_disk_is_full, .init = begin, .fini = end) {
    serve_journal *journal = open_journal();
    block(journal, 0, 0, NULL);
    commit(journal);
    told = 0;
    limit_files((rlim_t)serve_journal_bytes(journal) + 60);
    block(journal, 1, 0, NULL);
    block(journal, 2, 0, NULL);
    commit(journal);
    cr_expect(told == 2 && last_error == EFBIG, "error %d", last_error);
    cr_expect_eq(blocked_cells(), 1);
    cr_expect_str_empty(said, "a part of a record is left: %s", said);
    cr_expect_eq(serve_journal_restart(journal, note_done, NULL), 0); /* a new file is no larger */
    block(journal, 5, 0, NULL), block(journal, 6, 0, NULL), block(journal, 7, 0, NULL);
    commit(journal);
    cr_expect(told == 6 && last_error == EFBIG, "error %d", last_error);
    cr_expect_eq(blocked_cells(), 1);
    limit_files(RLIM_INFINITY);
    block(journal, 3, 0, NULL);
    commit(journal);
    cr_expect(told == 7 && last_error == 0);
    cr_expect_eq(blocked_cells(), 2);
    serve_journal_close(journal);
}

static void block_and_commit(void *context) {
    serve_journal_commit(context);
}

Test(journal, refuses_what_gathered_behind_a_failed_commit, .init = begin, .fini = end) {
    int turns[4] = {0};
    serve_journal *journal = open_journal();
    serve_journal_on_idle(journal, block_and_commit, journal);
    told = 0;
    limit_files((rlim_t)serve_journal_bytes(journal) + 10);
    block(journal, 1, 0, &turns[0]);
    serve_journal_commit(journal);
    block(journal, 2, 0, &turns[1]); /* may depend on the record before it */
    serve_journal_end_record(journal, note_done, &turns[2]);
    uv_run(&loop, UV_RUN_DEFAULT);
    cr_expect(told == 3 && last_error == EFBIG);
    cr_expect(turns[0] == 1 && turns[1] == 2 && turns[2] == 3);
    limit_files(RLIM_INFINITY);
    block(journal, 3, 0, &turns[0]);
    serve_journal_commit(journal);
    serve_journal_end_record(journal, note_done, &turns[1]); /* without lines: it waits for its turn only */
    block(journal, 4, 0, &turns[2]);
    uv_run(&loop, UV_RUN_DEFAULT); /* the idle function commits the gathered records */
    cr_expect(told == 6 && last_error == 0);
    cr_expect(turns[0] == 4 && turns[1] == 5 && turns[2] == 6);
    cr_expect_eq(blocked_cells(), 2);
    serve_journal_close(journal);
}

Test(journal, takes_nothing_after_a_failed_sync, .init = begin, .fini = end) {
    serve_journal *journal = open_journal();
    block(journal, 0, 0, NULL);
    commit(journal);
    told = 0;
    sync_fails = 1;
    block(journal, 1, 0, NULL);
    commit(journal);
    cr_expect(told == 1 && last_error == EIO);
    sync_fails = 0;
    cr_expect_eq(block(journal, 2, 0, NULL), EIO);
    cr_expect_eq(told, 1);
    cr_expect_eq(blocked_cells(), 1);
    serve_journal_close(journal);
}

Test(journal, needs_a_folder_to_write_to, .init = begin, .fini = end) {
    serve_journal_past past;
    char nowhere[128];
    snprintf(nowhere, sizeof nowhere, "%s/none/edits.wend", folder);
    cr_expect_eq(serve_journal_read(nowhere, world_file, &past), CLI_BAD_INPUT);
    cr_expect_eq(serve_journal_read(folder, world_file, &past), CLI_BAD_INPUT);
    cr_expect(strstr(said, "a journal is a file"), "%s", said);
}
