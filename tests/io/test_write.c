/* SPDX-License-Identifier: MIT */
/* Writing maps: round trips, refusals that name the cell, and writers that fail. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, setrlimit, sigaction */
#include "base/system/replace.h"
#include "io/io_help.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wend/formats.h>

static const uint8_t grid_classes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, movingai_classes[] = {0, 1, 254, 255};

static void round_trip(uint32_t *seed, int32_t format, int32_t width, int32_t height) {
    bool grid = format == WEND_FORMAT_GRID_TEXT;
    wend_map *map = random_map(seed, width, height, grid ? grid_classes : movingai_classes,
                               grid ? COUNT_OF(grid_classes) : COUNT_OF(movingai_classes));
    wend_map *back = NULL;
    wend_map_markers markers = {.struct_bytes = sizeof markers};
    wend_file_error error = {.struct_bytes = sizeof error};
    written out = {0};
    cr_assert_eq(wend_map_write(map, format, NULL, write_memory, &out, &error), WEND_OK);
    cr_assert_eq(wend_format_detect(out.bytes, out.size), format);
    cr_assert_eq(parse_map(out.bytes, out.size, NULL, &back, &markers, &error), WEND_OK, "%d:%d: %s", (int)error.line,
                 (int)error.column, error.text);
    cr_assert_eq(markers.format, format);
    cr_assert(same_map(map, back), "%d x %d", (int)width, (int)height);
    wend_map_release(map);
    wend_map_release(back);
    free(out.bytes);
}

Test(write, maps_read_back_the_same) {
    static const int32_t sides[][2] = {{1, 1},   {1, 64},   {64, 1},   {63, 63},   {64, 64},
                                       {65, 65}, {5000, 3}, {3, 5000}, {4096, 65}, {4097, 2}};
    uint32_t seed = 1;
    for (int32_t format = WEND_FORMAT_GRID_TEXT; format <= WEND_FORMAT_MOVINGAI; format++) {
        for (size_t i = 0; i < COUNT_OF(sides); i++) round_trip(&seed, format, sides[i][0], sides[i][1]);
        for (int i = 0; i < 100; i++)
            round_trip(&seed, format, 1 + (int32_t)(next_random(&seed) % 150), 1 + (int32_t)(next_random(&seed) % 150));
    }
}

Test(write, formats_are_written_as_their_readers_expect) {
    wend_map_markers markers = {.struct_bytes = sizeof markers};
    written grid = {0}, movingai = {0}, bare = {0};
    wend_map *map = good_map("Rows 2\nColumns 3\n0 1 0\nB 0 A", &markers);
    cr_assert_eq(wend_map_write(map, WEND_FORMAT_GRID_TEXT, &markers, write_memory, &grid, NULL), WEND_OK);
    expect_written(&grid, "Rows 2\nColumns 3\n0 1 0\nB 0 A\n");
    cr_assert_eq(wend_map_write(map, WEND_FORMAT_GRID_TEXT, NULL, write_memory, &bare, NULL), WEND_OK);
    expect_written(&bare, "Rows 2\nColumns 3\n0 1 0\n0 0 0\n");
    cr_assert_eq(wend_map_write(map, WEND_FORMAT_MOVINGAI, &markers, write_memory, &movingai, NULL), WEND_OK);
    expect_written(&movingai, "type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n");
    wend_map_release(map);
    free(grid.bytes);
    free(movingai.bytes);
    free(bare.bytes);
}

static void expect_refused(const wend_map *map, int32_t format, const wend_map_markers *markers, int32_t code,
                           const char *text) {
    wend_file_error error = {.struct_bytes = sizeof error};
    written out = {0};
    cr_expect_eq(wend_map_write(map, format, markers, write_memory, &out, &error), code);
    cr_expect_str_eq(error.text, text);
    cr_expect_str_eq(wend_error_detail(code), text);
    cr_expect(error.line == 0 && error.column == 0 && error.struct_bytes == sizeof error);
    cr_expect_eq(out.calls, 0, "nothing is written of what is refused");
    cr_expect_eq(wend_map_write(map, format, markers, write_memory, &out, NULL), code);
}

Test(write, refuses_the_first_cell_that_the_format_cannot_hold) {
    OWNED_MAP *slow = good_map("Rows 2\nColumns 3\n0 1 0\n0 5 9", NULL);
    OWNED_MAP *wet = good_map("type octile\nheight 2\nwidth 3\nmap\n...\n.WS\n", NULL);
    OWNED_MAP *wide = NULL;
    wide = grid_map(5000, 2);
    IN_BATCH(wide, wend_edit_set_cell(edit, (wend_cell){4999, 1, 0}, 10));
    expect_refused(slow, WEND_FORMAT_MOVINGAI, NULL, WEND_UNSUPPORTED,
                   "cell 1,1 is of class 5, which a MovingAI map cannot hold");
    expect_refused(wet, WEND_FORMAT_GRID_TEXT, NULL, WEND_UNSUPPORTED,
                   "cell 1,1 is of class 255, which grid text cannot hold");
    expect_refused(wide, WEND_FORMAT_GRID_TEXT, NULL, WEND_UNSUPPORTED,
                   "cell 4999,1 is of class 10, which grid text cannot hold");
}

Test(write, refuses_maps_whose_rims_or_sheets_the_format_cannot_hold) {
    static const wend_sheet sheets[] = {{{{0, 0, 0}, {63, 63, 0}}, {0, 0, 0}},
                                        {{{64, 0, 0}, {127, 63, 0}}, {500, 0, 0}}};
    wend_map_def def = default_map();
    def.width = 128, def.height = 64, def.wrap = WEND_WRAP_Y;
    wend_map *map = made_map(&def);
    expect_refused(map, WEND_FORMAT_GRID_TEXT, NULL, WEND_UNSUPPORTED, "the map wraps, which grid text cannot hold");
    wend_map_release(map);
    def.wrap = 0, def.sheets = sheets, def.sheet_count = 2;
    cr_assert_eq(wend_map_create(&def, &map), WEND_OK);
    expect_refused(map, WEND_FORMAT_MOVINGAI, NULL, WEND_UNSUPPORTED,
                   "the map has sheets, which a MovingAI map cannot hold");
    wend_map_release(map);
}

Test(write, refuses_markers_that_cannot_stand) {
    OWNED_MAP *map = good_map("Rows 2\nColumns 3\n0 1 0\n0 5 0", NULL);
    wend_map_markers ok = {.struct_bytes = sizeof ok,
                           .has_start = 1,
                           .has_goal = 1,
                           .start = {0, 0, 0},
                           .goal = {2, 1, 0}},
                     m = ok;
    m.start = (wend_cell){1, 0, 0};
    expect_refused(map, WEND_FORMAT_GRID_TEXT, &m, WEND_UNSUPPORTED,
                   "cell 1,0 is of class 0; in grid text 'A' stands on class 1");
    m = ok, m.goal = (wend_cell){1, 1, 0};
    expect_refused(map, WEND_FORMAT_GRID_TEXT, &m, WEND_UNSUPPORTED,
                   "cell 1,1 is of class 5; in grid text 'B' stands on class 1");
    m = ok, m.goal = m.start;
    expect_refused(map, WEND_FORMAT_GRID_TEXT, &m, WEND_UNSUPPORTED,
                   "cell 0,0 is both start and goal, which grid text cannot hold");
    static const wend_cell off[] = {{-1, 0, 0}, {3, 0, 0}, {0, -1, 0}, {0, 2, 0}, {0, 0, 1}};
    for (size_t i = 0; i < COUNT_OF(off); i++) {
        m = ok, m.start = off[i];
        expect_refused(map, WEND_FORMAT_GRID_TEXT, &m, WEND_BAD_ARGUMENT, "markers.start is off the map");
        m = ok, m.goal = off[i];
        expect_refused(map, WEND_FORMAT_GRID_TEXT, &m, WEND_BAD_ARGUMENT, "markers.goal is off the map");
    }
    m = ok, m.struct_bytes = 35;
    expect_refused(
        map, WEND_FORMAT_GRID_TEXT, &m, WEND_BAD_ARGUMENT,
        "wend_map_markers.struct_bytes is 35, but the struct has 236 bytes: set it to sizeof, or by the _init "
        "function");
    expect_refused(map, WEND_FORMAT_UNKNOWN, NULL, WEND_BAD_ARGUMENT, "format is 0, but must be from 1 to 5");
    expect_refused(map, 6, NULL, WEND_BAD_ARGUMENT, "format is 6, but must be from 1 to 5");
    expect_refused(NULL, WEND_FORMAT_GRID_TEXT, NULL, WEND_BAD_ARGUMENT, "map is NULL");
    cr_expect_eq(wend_map_write(map, WEND_FORMAT_GRID_TEXT, NULL, NULL, NULL, NULL), WEND_BAD_ARGUMENT);
}

/* Each write call of a file of several buffers in turn. */
static void every_call_may_fail(const wend_map *map, int32_t format) {
    written whole = {0};
    cr_assert_eq(wend_map_write(map, format, NULL, write_memory, &whole, NULL), WEND_OK);
    cr_assert_gt(whole.calls, 3);
    for (size_t fail_at = 1; fail_at <= whole.calls; fail_at++) {
        written cut = {.fail_at = fail_at};
        wend_file_error error = {.struct_bytes = sizeof error};
        cr_assert_eq(wend_map_write(map, format, NULL, write_memory, &cut, &error), WEND_BUSY);
        cr_expect_str_eq(error.text, "could not be written whole");
        cr_assert(cut.size < whole.size && memcmp(cut.bytes ? cut.bytes : "", whole.bytes, cut.size) == 0);
        free(cut.bytes);
    }
    free(whole.bytes);
}

Test(write, an_error_of_the_writer_comes_back_at_each_call) {
    uint32_t seed = 5;
    wend_map *map = random_map(&seed, 300, 200, movingai_classes, 2);
    every_call_may_fail(map, WEND_FORMAT_GRID_TEXT);
    every_call_may_fail(map, WEND_FORMAT_MOVINGAI);
    wend_map_release(map);
    map = random_space(&seed, (wend_cell){40, 40, 20}, movingai_classes, 2);
    every_call_may_fail(map, WEND_FORMAT_GRID_TEXT);
    every_call_may_fail(map, WEND_FORMAT_VOXEL);
    wend_map_release(map);
    map = good_map("p sp 6000 0\n", NULL);
    every_call_may_fail(map, WEND_FORMAT_DIMACS);
    wend_map_release(map);
}

static char folder[32], file[64];

static void make_folder(void) {
    strcpy(folder, "/tmp/wend-test-io-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/map", folder);
}

static void remove_folder(void) {
    unlink(file);
    rmdir(folder);
}

Test(write, what_is_saved_loads_again, .init = make_folder, .fini = remove_folder) {
    uint32_t seed = 6;
    OWNED_MAP *map = random_map(&seed, 700, 300, grid_classes, COUNT_OF(grid_classes)), *back = NULL;
    wend_map_markers markers = {.struct_bytes = sizeof markers};
    cr_assert_eq(wend_map_save(map, file, WEND_FORMAT_GRID_TEXT, NULL, NULL), WEND_OK);
    cr_assert_eq(wend_map_load(file, NULL, &back, &markers, NULL), WEND_OK);
    cr_expect(same_map(map, back), "%s", "a file of several read buffers");
}

Test(write, a_pipe_of_unknown_size_loads, .init = make_folder, .fini = remove_folder) {
    int ends[2];
    uint32_t seed = 7;
    char name[32];
    OWNED_MAP *map = random_map(&seed, 400, 300, grid_classes, COUNT_OF(grid_classes)), *back = NULL;
    cr_assert_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        snprintf(name, sizeof name, "/dev/fd/%d", ends[1]);
        _exit(wend_map_save(map, name, WEND_FORMAT_GRID_TEXT, NULL, NULL) == WEND_OK ? 0 : 1);
    }
    close(ends[1]);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    cr_assert_eq(wend_map_load(name, NULL, &back, NULL, NULL), WEND_OK);
    cr_expect(same_map(map, back));
}

/* Save where no file may grow beyond 20,000 bytes. */
static void save_half(const char *path) {
    uint32_t seed = 8;
    OWNED_MAP *map = random_map(&seed, 300, 300, movingai_classes, 4);
    struct rlimit before, small;
    wend_file_error error = {.struct_bytes = sizeof error};
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 20000;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    int32_t code = wend_map_save(map, path, WEND_FORMAT_MOVINGAI, NULL, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    cr_expect_eq(code, WEND_IO);
    cr_expect_str_eq(error.text, "cannot be written: File too large");
}

Test(write, a_file_that_could_not_be_written_whole_is_removed, .init = make_folder, .fini = remove_folder) {
    save_half(file);
    cr_expect_neq(access(file, F_OK), 0, "half a file stayed behind");
}

/* As where it leads to a device: a link in a folder of its own shows it without putting a device at risk. */
Test(write, a_link_is_not_removed, .init = make_folder, .fini = remove_folder) {
    char target[300];
    snprintf(target, sizeof target, "%s.target", file);
    cr_assert_eq(symlink(target, file), 0);
    save_half(file);
    struct stat what;
    cr_expect(lstat(file, &what) == 0 && S_ISLNK(what.st_mode), "the link is gone");
    unlink(file);
    unlink(target);
}

Test(write, a_pipe_that_was_left_is_not_removed, .init = make_folder, .fini = remove_folder) {
    uint32_t seed = 9;
    OWNED_MAP *map = random_map(&seed, 400, 400, movingai_classes, 4); /* more than a pipe holds */
    wend_file_error error = {.struct_bytes = sizeof error};
    signal(SIGPIPE, SIG_IGN);
    cr_assert_eq(mkfifo(file, 0600), 0);
    if (fork() == 0) {
        char byte;
        _exit(read(open(file, O_RDONLY), &byte, 1) == 1 ? 0 : 1);
    }
    cr_expect_eq(wend_map_save(map, file, WEND_FORMAT_MOVINGAI, NULL, &error), WEND_IO);
    cr_expect_str_eq(error.text, "cannot be written: Broken pipe");
    cr_expect_eq(access(file, F_OK), 0, "the pipe is gone");
    unlink(file);
}

static void put_old(const char *path) {
    FILE *out = fopen(path, "w");
    cr_assert(out && fputs("an old file", out) > 0 && fclose(out) == 0);
}

static void expect_old(const char *path, bool still) {
    char text[16] = "";
    FILE *in = fopen(path, "r");
    cr_assert_not_null(in);
    (void)!fgets(text, sizeof text, in);
    fclose(in);
    cr_expect_eq(strcmp(text, "an old file") == 0, still);
}

Test(write, an_old_file_stays_until_the_new_one_is_whole, .init = make_folder, .fini = remove_folder) {
    put_old(file);
    save_half(file);
    expect_old(file, true);
}

Test(write, a_new_file_has_the_rights_of_the_old_and_links_stay, .init = make_folder, .fini = remove_folder) {
    char target[300];
    struct stat what;
    OWNED_MAP *map = good_map("Rows 1\nColumns 2\n0 5", NULL);
    snprintf(target, sizeof target, "%s.target", file);
    put_old(target);
    cr_assert(chmod(target, 0604) == 0 && symlink(strrchr(target, '/') + 1, file) == 0);
    cr_expect_eq(wend_map_save(map, file, WEND_FORMAT_GRID_TEXT, NULL, NULL), WEND_OK);
    cr_expect(lstat(file, &what) == 0 && S_ISLNK(what.st_mode), "the link is gone");
    cr_expect(stat(target, &what) == 0 && (what.st_mode & 07777) == 0604);
    expect_old(target, false);
    unlink(target);
}

Test(write, a_file_has_one_writer_at_a_time_and_a_killed_one_is_in_nobodys_way, .init = make_folder,
     .fini = remove_folder) {
    static wend__replacement other;
    char aside[300];
    wend_file_error error = {.struct_bytes = sizeof error};
    OWNED_MAP *map = good_map("Rows 1\nColumns 2\n0 5", NULL);
    put_old(file);
    cr_assert_eq(wend__replace_begin(&other, file), 0);
    cr_expect_eq(wend_map_save(map, file, WEND_FORMAT_GRID_TEXT, NULL, &error), WEND_IO);
    cr_expect_str_eq(error.text, "cannot be opened for writing: another process writes it");
    cr_expect_eq(wend__replace_end(&other, EIO), EIO);
    expect_old(file, true);
    snprintf(aside, sizeof aside, "%s.new", file);
    put_old(aside);
    cr_expect_eq(wend_map_save(map, file, WEND_FORMAT_GRID_TEXT, NULL, &error), WEND_OK);
    expect_old(file, false);
    cr_expect_neq(access(aside, F_OK), 0);
}

/* With a plain file: a device lost to a mistake here would be missed. */
Test(write, nothing_under_dev_is_removed) {
    char path[] = "/dev/shm/wend-test-io-XXXXXX";
    int descriptor = mkstemp(path);
    if (descriptor < 0) cr_skip_test("there is no /dev/shm to write to");
    close(descriptor);
    save_half(path);
    cr_expect_eq(access(path, F_OK), 0);
    unlink(path);
}

Test(write, a_refused_map_leaves_the_file_alone, .init = make_folder, .fini = remove_folder) {
    OWNED_MAP *map = good_map("Rows 1\nColumns 2\n0 5", NULL), *back = NULL;
    cr_assert_eq(wend_map_save(map, file, WEND_FORMAT_GRID_TEXT, NULL, NULL), WEND_OK);
    cr_assert_eq(wend_map_save(map, file, WEND_FORMAT_MOVINGAI, NULL, NULL), WEND_UNSUPPORTED);
    cr_assert_eq(wend_map_load(file, NULL, &back, NULL, NULL), WEND_OK);
}

Test(write, files_that_cannot_be_opened_or_written_say_why) {
    wend_map *map = good_map("Rows 1\nColumns 2\n0 0", NULL);
    wend_file_error error = {.struct_bytes = sizeof error};
    cr_expect_eq(wend_map_save(map, "/nowhere/at.all", WEND_FORMAT_GRID_TEXT, NULL, &error), WEND_IO);
    cr_expect_str_eq(error.text, "cannot be opened for writing: No such file or directory");
    char full[32];
    int descriptor = open("/dev/full", O_WRONLY);
    snprintf(full, sizeof full, "/dev/fd/%d", descriptor);
    if (descriptor >= 0) {
        cr_expect_eq(wend_map_save(map, full, WEND_FORMAT_GRID_TEXT, NULL, &error), WEND_IO);
        cr_expect_str_eq(error.text, "cannot be written: No space left on device");
    }
    cr_expect_eq(wend_map_save(map, NULL, WEND_FORMAT_GRID_TEXT, NULL, &error), WEND_BAD_ARGUMENT);
    wend_map_release(map);
    cr_expect_eq(wend_map_load("/nowhere/at.all", NULL, &map, NULL, &error), WEND_IO);
    cr_expect_str_eq(error.text, "cannot be opened: No such file or directory");
    cr_expect_eq(wend_map_load("/", NULL, &map, NULL, &error), WEND_IO);
    cr_expect_str_eq(error.text, "cannot be read: Is a directory");
    cr_expect_eq(wend_map_load(NULL, NULL, &map, NULL, &error), WEND_BAD_ARGUMENT);
}
