/* SPDX-License-Identifier: MIT */
/* Files on disks that fail: each system call of each way to read or write a file fails in turn, once with EIO, EINTR or
 * ENOSPC, or with all later calls that need space; and reads and writes of one byte each. A successful write is
 * complete. A failed call has a reason and leaves the old file. No file stays open, and the same works afterwards. A
 * plain program, as it defines open(). */
#define _GNU_SOURCE
#include "models/defaults.h"
#include "server/run/faults.h"

#if !FAULTS
int main(void) {
    return 77;
}
#else

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <wend/control.h>
#include <wend/edit.h>
#include <wend/extra.h>
#include <wend/io.h>
#include <wend/query.h>

#include "base/hash.h"
#include "cli/output/draw.h"
#include "cli/output/messages.h"
#include "cluster/copy.h"
#include "journal/journal_file.h"
#include "saves/saves.h"

enum { MOST_BYTES = 1 << 20 };
static char folder[64], place[128], beside[128], world_file[128];
static char said[512]; ///< why a call failed

/* ---- whole files ---- */

typedef struct content {
    char bytes[MOST_BYTES];
    ssize_t size; ///< -1: no file
} content;

static void get_content(const char *path, content *out) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    out->size = file < 0 ? -1 : read(file, out->bytes, sizeof out->bytes);
    if (file >= 0) close(file);
}

static bool is_same(const content *a, const content *b) {
    return a->size == b->size && (a->size <= 0 || memcmp(a->bytes, b->bytes, (size_t)a->size) == 0);
}

static void put_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) exit(99);
}

static void must(bool good, const char *what) {
    if (good) return;
    printf("%s: %s\n", what, said);
    exit(1);
}

/* Redirects the program's messages into `said`. */
static int heard = -1;
static void hear_messages(void) {
    fflush(stderr);
    heard = dup(STDERR_FILENO);
    const int file = memfd_create("messages", MFD_CLOEXEC);
    dup2(file, STDERR_FILENO);
    syscall(SYS_close, file);
}

static void end_messages(void) {
    fflush(stderr);
    const size_t used = strlen(said);
    const ssize_t got = syscall(SYS_pread64, STDERR_FILENO, said + used, sizeof said - 1 - used, 0L);
    said[used + (size_t)(got > 0 ? got : 0)] = '\0';
    dup2(heard, STDERR_FILENO);
    syscall(SYS_close, heard);
}

/* ---- maps ---- */

static wend_map *map, *graph, *loaded;

static bool note(wend_error error, const wend_file_error *where) {
    if (error) snprintf(said, sizeof said, "%s", where->text);
    return error == WEND_OK;
}

static void make_maps(void) {
    static const uint8_t present[] = {0, 1, 1, 1};
    static const wend_cell cells[] = {{0, 0, 0}, {0, 0, 0}, {7, 2, 0}, {3, 9, 0}};
    static const wend_edge edges[] = {{1, 2, 12}, {2, 3, 40}, {3, 1, 9}};
    wend_map_def def = default_map();
    wend_graph_def roads = default_graph();
    def.width = 12, def.height = 10;
    roads.node_count = 4, roads.present = present, roads.edges = edges, roads.edge_count = 3, roads.coordinates = cells;
    must(wend_map_create(&def, &map) == WEND_OK && wend_graph_create(&roads, &graph) == WEND_OK, "maps");
    must(wend_map_set_cell(map, (wend_cell){7, 8, 0}, WEND_CLASS_BLOCKED, NULL) == WEND_OK, "a wall");
}

static bool save_as(const wend_map *from, int32_t format) {
    wend_file_error error = {.struct_bytes = sizeof error};
    return note(wend_map_save(from, place, format, NULL, &error), &error);
}

static bool save_text(void) {
    return save_as(map, WEND_FORMAT_GRID_TEXT);
}

static bool save_baked(void) {
    return save_as(map, WEND_FORMAT_BAKED);
}

static bool save_graph(void) {
    return save_as(graph, WEND_FORMAT_DIMACS);
}

static bool save_tiled(void) {
    wend_file_error error = {.struct_bytes = sizeof error};
    return note(wend_tiled_save(map, place, NULL, &error), &error);
}

/* Another file, which has to stay where a new one fails. */
static void put_old(void) {
    put_text(place, "an old file\n");
}

static bool draw_map(void) {
    wend_picture picture;
    wend_picture_init(&picture, sizeof picture);
    picture.map = map;
    return cli_draw(&picture, CLI_DRAW_PNG, place, false) == CLI_DONE;
}

static void save_text_first(void) {
    must(save_text(), "text");
}

static void save_baked_first(void) {
    must(save_baked(), "baked");
}

static void save_graph_first(void) {
    must(save_graph(), "graph");
}

static void save_tiled_first(void) {
    must(save_tiled(), "tiled");
}

/* A map that was read has the written contents: the wall, or the nodes' places. */
static bool is_whole(void) {
    uint64_t counts[256];
    wend_map_get_class_counts(loaded, counts);
    const wend_map_info info = info_now(loaded);
    return info.kind == WEND_KIND_GRAPH ? info.has_coordinates && counts[WEND_CLASS_OPEN] == 3
                                        : counts[WEND_CLASS_BLOCKED] == 1 && counts[WEND_CLASS_OPEN] == 119;
}

static bool load_with(bool tiled) {
    wend_file_error error = {.struct_bytes = sizeof error};
    loaded = NULL;
    if (!note(tiled ? wend_tiled_load(place, NULL, NULL, &loaded, NULL, &error)
                    : wend_map_load(place, NULL, &loaded, NULL, &error),
              &error))
        return false;
    must(is_whole(), "a map was read that is not whole");
    wend_map_release(loaded);
    return true;
}

static bool load_map(void) {
    return load_with(false);
}

static bool load_tiled(void) {
    return load_with(true);
}

/* ---- a recording ---- */

static bool record_service(void) {
    wend_service_def def = default_service();
    wend_service *service;
    world_recording record;
    def.nodes = 4 * WEND_PAGE_NODES, def.queue = 8;
    must(wend_service_create(&def, &service) == WEND_OK, "a service");
    bool good = world_recording_open(&record, place, service, map) == CLI_DONE;
    for (int i = 0; i < 3; i++) must(wend_service_tick(service, NULL, NULL) == WEND_OK, "a frame");
    good = world_recording_close(&record) == CLI_DONE && good;
    wend_service_destroy(service);
    return good;
}

/* ---- saves of scripts ---- */

static bool write_save(void) {
    saved s = {0};
    for (uint64_t i = 0; i < 900; i++) saved_number(&s, i * i);
    const bool good = saved_write(&s, place);
    if (!good) snprintf(said, sizeof said, "%s", s.why);
    free(s.bytes);
    return good;
}

static void write_other_save(void) {
    saved s = {0};
    saved_number(&s, 7);
    must(saved_write(&s, place), s.why);
    free(s.bytes);
}

static void write_save_first(void) {
    must(write_save(), "a save");
}

static bool read_save(void) {
    saved s = {.reads = true};
    const bool good = saved_read(&s, place);
    for (uint64_t i = 0; good && i < 900; i++) must(saved_number(&s, 0) == i * i, "a save was read that is another");
    if (!good) snprintf(said, sizeof said, "%s", s.why);
    free(s.bytes);
    return good;
}

/* ---- journals ---- */

static serve_journal_file journal = {.descriptor = -1};
static bool broken; ///< set by the journal: the file's state is unknown

static bool open_journal(void) {
    serve_journal_past past;
    if (serve_journal_read(place, world_file, &past)) return false;
    const bool good = serve_journal_file_open(&journal, place, &past) == CLI_DONE;
    serve_journal_forget(&past);
    return good;
}

static void close_journal(void) {
    if (journal.descriptor >= 0) serve_journal_file_close(&journal);
}

static void open_journal_first(void) {
    must(open_journal(), "a journal");
}

static bool note_outcome(serve_journal_outcome outcome) {
    broken = outcome.broken;
    if (outcome.error) snprintf(said, sizeof said, "%s", strerror(outcome.error));
    return outcome.error == 0;
}

static const char more[] = "set 1,1 blocked\npublish\n";

static bool append_record(void) {
    return note_outcome(serve_journal_file_append(&journal, more, sizeof more - 1));
}

static bool replace_journal(void) {
    return note_outcome(serve_journal_file_replace(&journal, more, sizeof more - 1));
}

/* Leaves a journal with a sealed record, and bytes behind it that the next open_journal() cuts off. */
static void leave_journal(void) {
    char record[sizeof more + SERVE_JOURNAL_SEAL_BYTES];
    memcpy(record, more, sizeof more);
    must(open_journal(), "a journal");
    serve_journal_seal(wend__hash_bytes(journal.head_hash, more, sizeof more - 1), record + sizeof more - 1);
    must(note_outcome(serve_journal_file_append(&journal, record, strlen(record))) && append_record(), "a record");
    close_journal();
}

/* ---- a node's copy of the log ---- */

static bool take_entries(cluster_copy *copy, uint64_t last) {
    char bytes[CLUSTER_HEAD_BYTES];
    uint64_t after = 0;
    for (uint64_t number = 1; number <= last; number++) {
        cluster_entry entry = {
            .kind = CLUSTER_KIND_CLAIM, .map = "town", .writer = "a", .number = number, .term = number, .after = after};
        const size_t size = cluster_entry_write(&entry, true, bytes);
        must(cluster_copy_take(copy, number, bytes, size, true), "the copy has another entry");
        after = cluster_entry_hash(bytes, size);
    }
    return copy->why[0] == '\0';
}

/* Opens it, takes entries, cuts the first ones. */
static bool keep_copy(void) {
    cluster_copy copy = {.file = NULL};
    uv_mutex_init(&copy.mutex);
    bool good = cluster_copy_open(&copy, place, "town") == CLI_DONE;
    if (good) {
        good = take_entries(&copy, 6);
        cluster_copy_sync(&copy);
        cluster_copy_cut(&copy, 3);
        good = good && copy.why[0] == '\0';
    }
    if (copy.descriptor >= 0) cluster_copy_close(&copy);
    uv_mutex_destroy(&copy.mutex);
    return good;
}

/* After closing and opening it has all six entries, or the entries from the cut on. */
static bool is_whole_copy(void) {
    cluster_copy copy = {.file = NULL};
    uv_mutex_init(&copy.mutex);
    const bool good = cluster_copy_open(&copy, place, "town") == CLI_DONE && copy.last == 6 &&
                      (copy.first == 1 || copy.first == 3) && take_entries(&copy, 6);
    cluster_copy_close(&copy);
    uv_mutex_destroy(&copy.mutex);
    return good;
}

/* ---- each call of each way fails ---- */

enum { READS, REPLACES, KEEPS_PART };

typedef struct way {
    const char *name, *file;
    void (*prepare)(void); ///< NULL: nothing
    bool (*act)(void);
    bool (*verify)(void); ///< checks the state at the end; NULL: the same bytes as without a fault
    int failed;           ///< state of the old file after a failure
    uint64_t least;       ///< calls that it makes at least
    bool retries;         ///< goes on after EINTR
} way;

static const way ways[] = {
    {"text map saved", "a.txt", NULL, save_text, NULL, REPLACES, 8, false},
    {"text map saved over another", "a.txt", put_old, save_text, NULL, REPLACES, 8, false},
    {"baked map saved over another", "a.baked", put_old, save_baked, NULL, REPLACES, 8, false},
    {"graph saved over another", "a.gr", put_old, save_graph, NULL, REPLACES, 16, false},
    {"Tiled map saved over another", "a.tmj", put_old, save_tiled, NULL, REPLACES, 8, false},
    {"picture over another", "a.png", put_old, draw_map, NULL, REPLACES, 8, false},
    {"text map read", "a.txt", save_text_first, load_map, NULL, READS, 3, false},
    {"baked map read", "a.baked", save_baked_first, load_map, NULL, READS, 3, false},
    {"graph read", "a.gr", save_graph_first, load_map, NULL, READS, 6, false},
    {"Tiled map read", "a.tmj", save_tiled_first, load_tiled, NULL, READS, 3, false},
    {"recording over another", "a.wend", put_old, record_service, NULL, REPLACES, 8, false},
    {"save written over another", "a.save", write_other_save, write_save, NULL, REPLACES, 8, false},
    {"save read", "a.save", write_save_first, read_save, NULL, READS, 3, false},
    {"journal made", "a.journal", NULL, open_journal, NULL, KEEPS_PART, 8, true},
    {"journal opened", "a.journal", leave_journal, open_journal, NULL, KEEPS_PART, 5, false},
    {"record appended", "a.journal", open_journal_first, append_record, NULL, REPLACES, 2, true},
    {"journal replaced", "a.journal", open_journal_first, replace_journal, NULL, REPLACES, 6, true},
    {"copy of the log", "a.copy", NULL, keep_copy, is_whole_copy, KEEPS_PART, 9, false},
};

static int bad;
static uint64_t sites, refused;

static void complain(const way *w, const fault *f, const char *what) {
    printf("%s, call %llu of kinds %u, %s%s, %zu bytes each: %s: %s\n", w->name, (unsigned long long)f->at, f->kinds,
           f->error ? strerror(f->error) : "no error", f->for_good ? " for good" : "", f->most, what, said);
    bad++;
}

static void name_files(const way *w) {
    snprintf(place, sizeof place, "%s/%s", folder, w->file);
    snprintf(beside, sizeof beside, "%s/a.co", folder);
}

static bool is_left_aside(void) {
    char name[160];
    struct stat about;
    snprintf(name, sizeof name, "%s.new", place);
    return lstat(name, &about) == 0;
}

static void remove_files(void) {
    static const char *const ends[] = {"", ".new", ".before"};
    char name[160];
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(name, sizeof name, "%s%s", place, ends[i]);
        unlink(name);
    }
    unlink(beside);
}

static int open_files(void) {
    int count = 0;
    for (int i = 0; i < 64; i++) count += fcntl(i, F_GETFD) >= 0;
    return count;
}

static bool act_with(const way *w, fault *f) {
    said[0] = '\0', broken = false;
    hear_messages();
    faults = *f;
    const bool good = w->act();
    *f = faults;
    faults = (fault){.kinds = 0};
    end_messages();
    return good;
}

/* A folder that cannot be synced is a failure, too: its new file is whole then. */
static void check_failure(const way *w, const fault *f, const content *before, const content *whole) {
    static content after;
    refused++;
    if (said[0] == '\0' || strstr(said, "Success")) complain(w, f, "no reason is given");
    get_content(place, &after);
    const bool is_new = w->failed == REPLACES && f->hit == FAULT_SYNC && is_same(whole, &after);
    if (w->failed != KEEPS_PART && !broken && !is_new && !is_same(before, &after))
        complain(w, f, "the file is another");
    if (broken && f->hit == FAULT_WRITE) complain(w, f, "a failed write breaks the journal");
    if (is_left_aside() && !(f->hit & FAULT_NAME)) complain(w, f, "a new file is left");
}

/* Does a way with a fault, and once more without one if it failed. Returns false if the fault came too late. */
static bool try_way(const way *w, fault *f, const content *whole) {
    static content before, after;
    const int files = open_files();
    name_files(w);
    if (w->prepare) w->prepare();
    get_content(place, &before);
    bool good = act_with(w, f);
    if (!good && (f->error == 0 || (f->error == EINTR && w->retries))) complain(w, f, "it failed");
    if (!good) check_failure(w, f, &before, whole);
    if (!good && !broken) {
        fault none = {.kinds = FAULT_ALL};
        good = act_with(w, &none);
        if (!good) complain(w, f, "it fails ever after");
    }
    close_journal();
    get_content(place, &after);
    if (good && (w->verify ? !w->verify() : !is_same(whole, &after))) complain(w, f, "what is there is not whole");
    if (open_files() != files) complain(w, f, "a file stays open");
    remove_files();
    return f->hit != 0;
}

static void try_all(const way *w) {
    static const fault kinds[] = {{.kinds = FAULT_ALL, .error = EIO},
                                  {.kinds = FAULT_SPACE, .error = ENOSPC, .for_good = true},
                                  {.kinds = FAULT_READ | FAULT_WRITE, .error = EINTR}};
    static content whole;
    fault none = {.kinds = FAULT_ALL};
    name_files(w);
    if (w->prepare) w->prepare();
    if (!act_with(w, &none)) complain(w, &none, "it fails without a fault");
    if (none.calls < w->least) complain(w, &none, "too few calls are seen");
    close_journal();
    get_content(place, &whole);
    remove_files();
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        fault f;
        uint64_t at = 0;
        do {
            f = kinds[kind];
            f.at = ++at;
        } while (try_way(w, &f, &whole));
        sites += at - 1;
    }
    fault small = {.kinds = FAULT_ALL, .most = 1};
    (void)try_way(w, &small, &whole);
}

int main(void) {
    strcpy(folder, "/tmp/failing-XXXXXX");
    if (!mkdtemp(folder)) return 99;
    snprintf(world_file, sizeof world_file, "%s/world.wend", folder);
    put_text(world_file, "grid 8 8\n");
    make_maps();
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) try_all(&ways[i]);
    wend_map_release(map);
    wend_map_release(graph);
    unlink(world_file);
    rmdir(folder);
    printf("%llu calls failed, %llu refusals, %d wrong answers\n", (unsigned long long)sites,
           (unsigned long long)refused, bad);
    return bad > 0;
}
#endif
