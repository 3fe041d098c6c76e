/* SPDX-License-Identifier: MIT */
/* Small files that are made to cost much: huge sizes without contents, one line, only line ends, deep nesting, packed
 * zeros, many of one thing, and good files that are cut or changed. For any of them, a reader takes at most 50 ms of
 * processor time. Its memory is at most 64 KiB, some bytes for each byte of the file, as in the table of kinds, and the
 * memory within max_bytes of the map: 64 KiB and 4 bytes for each byte. Some files have to be good, so that the readers
 * are known to go on to the end. A plain program, as it defines malloc(). `hostile_files list` prints each figure, and
 * the message for each file. */
#define _GNU_SOURCE
#include "models/defaults.h"
#include "server/run/measured.h"

#if !MEASURED
int main(void) {
    return 77;
}
#else

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wend/extra.h>
#include <wend/io.h>
#include <zlib.h>

#include "base/hash.h"
#include "cli/output/messages.h"
#include "cli/shared/options.h"
#include "journal/journal_orders.h"
#include "saves/saves.h"
#include "scen/scenario.h"
#include "script/script.h"

enum { FILE_BYTES = 1 << 16, SPARE_BYTES = 64 << 10, CUTS = 40, TRIES = 5 };
enum { WORLD_BYTES = 64 << 20 }; ///< limit of a script's service, and of its crowd
static const double most_ms = 50;

static char folder[64], path[160], world_file[96];
static bool lists;
static FILE *nowhere; ///< output of scripts
static int bad, files, good;
static double worst_ms;

/* ---- readers: each reads `path`, frees what it got, and returns whether it was good ---- */

static uint64_t most_map; ///< bytes that a map may have

static wend_map_def map_def(void) {
    wend_map_def def = default_map();
    def.max_bytes = most_map;
    return def;
}

static bool read_map(void) {
    wend_map *map = NULL;
    const wend_map_def def = map_def();
    const bool done = wend_map_load(path, &def, &map, NULL, NULL) == WEND_OK;
    wend_map_release(map);
    return done;
}

static bool read_scenario(void) {
    scenario scen;
    size_t size;
    wend_file_error error;
    char *bytes = cli_read_file(path, SCENARIO_MOST_BYTES, &size);
    const bool done = bytes && scenario_parse(bytes, size, &scen, &error) == WEND_OK;
    if (done) scenario_free(&scen);
    free(bytes);
    return done;
}

static bool read_tiled(void) {
    wend_map *map = NULL;
    wend_tiled *beside = NULL;
    const wend_map_def def = map_def();
    const wend_tiled_def how = {.struct_bytes = sizeof how, .scene = 1};
    const bool done = wend_tiled_load(path, &how, &def, &map, &beside, NULL) == WEND_OK;
    wend_map_release(map);
    wend_tiled_free(beside);
    return done;
}

static bool read_journal(void) {
    serve_journal_past past;
    if (serve_journal_read(path, world_file, &past)) return false;
    serve_journal_orders orders = {.past = &past, .kind = WEND_KIND_GRID};
    serve_journal_record record = {0};
    bool found = true, done = true;
    while (done && found) done = serve_journal_next_record(&orders, &record, &found) == CLI_DONE;
    serve_journal_record_free(&record);
    serve_journal_orders_free(&orders);
    serve_journal_forget(&past);
    return done;
}

static bool run_text(const char *text, size_t size) {
    script_options options = {.budget = SCRIPT_DEFAULT_BUDGET,
                              .most_cells = 1 << 12,
                              .most_frames = 10,
                              .most_bytes = WORLD_BYTES,
                              .out = nowhere};
    script_state script;
    script_init(&script, "script", text, size, &options);
    const bool done = script_run(&script) == CLI_DONE;
    script_free(&script);
    cli_world_free(&script.built);
    return done;
}

static bool read_save(void) {
    char text[200];
    const int size = snprintf(text, sizeof text, "restore %s\n", path);
    return run_text(text, (size_t)size);
}

static bool read_script(void) {
    static char text[2 * FILE_BYTES];
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t size = read(file, text, sizeof text);
    close(file);
    return run_text(text, (size_t)size);
}

/* ---- one file ---- */

static double now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void put_file(const char *bytes, size_t size) {
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || write(file, bytes, size) != (ssize_t)size || close(file)) exit(99);
}

typedef struct kind {
    const char *end; ///< ending of the file's name
    bool (*read)(void);
    size_t times;   ///< bytes for each byte of the file, without those of the map
    bool makes_map; ///< limited by max_bytes
    size_t more;    ///< bytes of other objects than the map
} kind;

/* Returns processor time: the least of some runs, as others run on the machine. */
static double measure(const kind *k, size_t *peak, bool *is_good) {
    double least = 1e9;
    for (int i = 0; i < TRIES && least > most_ms / 2; i++) {
        const size_t live = measured_begin();
        const double begun = now_ms();
        *is_good = k->read();
        const double ms = now_ms() - begun;
        least = ms < least ? ms : least;
        *peak = measured_peak - live;
        if (measured_live != live && i > 0) printf("%s: %zu bytes are left\n", path, measured_live - live), bad++;
    }
    return least;
}

static void try_file(const char *name, const kind *k, const char *bytes, size_t size) {
    size_t peak = 0;
    bool is_good = false;
    snprintf(path, sizeof path, "%s/a%s", folder, k->end);
    put_file(bytes, size);
    most_map = k->makes_map ? SPARE_BYTES + 4 * size : 0;
    const size_t most = SPARE_BYTES + k->times * size + most_map + k->more;
    const double ms = measure(k, &peak, &is_good);
    files++, good += is_good;
    worst_ms = ms > worst_ms ? ms : worst_ms;
    const bool too_much = ms > most_ms || peak > most;
    if (lists || too_much)
        printf("%s%s: %zu bytes, %s: %.1f ms, %zu bytes\n", too_much ? "too much: " : "", name, size,
               is_good ? "good" : "refused", ms, peak);
    bad += too_much;
}

/* ---- files of many equal pieces ---- */

/* The file itself is in memory, and once more while it grows. What else is kept of a byte: */
static const kind text_kind = {".txt", read_map, 42, true, 0}; /* 56 bytes for the end of a teleport, which has three */
static const kind map_kind = {".map", read_map, 4, true, 0};
static const kind graph_kind = {".gr", read_map, 4, true, 0};
static const kind voxel_kind = {".3dmap", read_map, 4, true, 0};
static const kind scen_kind = {".scen", read_scenario, 5, false, 0};
static const kind json_kind = {".tmj", read_tiled, 128, true, 0}; /* jansson's tree, and tables of tilesets */
static const kind xml_kind = {".tmx", read_tiled, 64, true, 0};
static const kind journal_kind = {".journal", read_journal, 6, false, 0};
static const kind save_kind = {".save", read_save, 4, false, 2 * WORLD_BYTES + (64 << 10)};
static const kind script_kind = {".wend", read_script, 14, false, 2 * WORLD_BYTES + (64 << 10)}; /* words of a line */

typedef struct repeated {
    const char *name;
    const kind *kind;
    const char *head, *unit, *tail;
} repeated;

#define HEAD(side)                                                                                                     \
    "{\"orientation\":\"orthogonal\",\"width\":" side ",\"height\":" side ",\"tilewidth\":9,\"tileheight\":9,"
#define TILES "\"tilesets\":[{\"firstgid\":1}],"
#define TMJ HEAD("4") TILES
#define WALLS HEAD("1000") TILES "\"layers\":[{\"type\":\"objectgroup\",\"name\":\"walls\",\"objects\":[{}"
#define TMX "<map orientation='orthogonal' width='4' height='4' tilewidth='9' tileheight='9'>"

static const repeated many[] = {
    {"text, a size that nobody fills", &text_kind, "Rows 65536\nColumns 65536\n", "0", ""},
    {"text, one line", &text_kind, "Rows 1\nColumns 65000\n", "0", ""},
    {"text, one column", &text_kind, "Rows 32000\nColumns 1\n", "0\n", ""},
    {"text, layers", &text_kind, "Layers 32000\nRows 1\nColumns 1\n", "0\n", ""},
    {"text, line ends", &text_kind, "", "\n", "Rows 1\nColumns 1\n0"},
    {"text, comments", &text_kind, "", "#\n", "Rows 1\nColumns 1\n0"},
    {"text, digits", &text_kind, "Rows ", "9", ""},
    {"text, teleports with one end", &text_kind, "Rows 1\nColumns 16000\n", "a1 b1 a1 c1 ", ""},
    {"text, one name", &text_kind, "Rows 1\nColumns 20000\n", "a1 ", ""},
    {"MovingAI, a size that nobody fills", &map_kind, "type octile\nheight 65536\nwidth 65536\nmap\n", ".", ""},
    {"MovingAI, one line", &map_kind, "type octile\nheight 1\nwidth 65000\nmap\n", ".", ""},
    {"MovingAI, one column", &map_kind, "type octile\nheight 32000\nwidth 1\nmap\n", ".\n", ""},
    {"MovingAI, line ends", &map_kind, "type octile\nheight 9\nwidth 9\nmap\n", "\n", ""},
    {"voxels, a size that nobody fills", &voxel_kind, "voxel 65536 65536 1\n", "1 1 0\n", ""},
    {"voxels, flat", &voxel_kind, "voxel 9999 1 1\n", "1 0 0\n", ""},
    {"voxels, digits", &voxel_kind, "voxel 4 4 4\n", "0", ""},
    {"DIMACS, a size that nobody fills", &graph_kind, "p sp 2147483647 2147483647\n", "a 1 2 3\n", ""},
    {"DIMACS, nodes of a graph alone", &graph_kind, "p sp 65536 1\na 1 2 3\n", "c\n", ""},
    {"DIMACS, one edge", &graph_kind, "p sp 2 8188\n", "a 1 2 3\n", ""},
    {"DIMACS, comments", &graph_kind, "", "c\n", "p sp 1 0\n"},
    {"DIMACS, digits", &graph_kind, "p sp 2 1\na 1 2 ", "0", "1\n"},
    {"scenario, short lines", &scen_kind, "version 1\n", "0 a 9 9 1 1 3 3 2\n", ""},
    {"scenario, a long name", &scen_kind, "version 1\n0\t", "a", "\t9\t9\t1\t1\t3\t3\t2.8\n"},
    {"scenario, digits", &scen_kind, "version 1\n0\ta\t9\t9\t1\t1\t3\t3\t2.", "8", "\n"},
    {"scenario, line ends", &scen_kind, "version 1\n", "\n", ""},
    {"Tiled JSON, lists in lists", &json_kind, "", "[", ""},
    {"Tiled JSON, groups in groups", &json_kind, TMJ "\"layers\":[", "{\"type\":\"group\",\"layers\":[", ""},
    {"Tiled JSON, spaces", &json_kind, TMJ, " ", "\"layers\":[]}"},
    {"Tiled JSON, a long text", &json_kind, TMJ "\"x\":\"", "x", "\"}"},
    {"Tiled JSON, a long number", &json_kind, TMJ "\"x\":1", "0", "}"},
    {"Tiled JSON, tiles that nobody fills", &json_kind, TMJ "\"layers\":[{\"type\":\"tilelayer\",\"data\":[0", ",0",
     "]}]}"},
    {"Tiled JSON, empty lists", &json_kind, TMJ "\"x\":[0", ",[]", "]}"},
    {"Tiled JSON, empty objects", &json_kind, TMJ "\"x\":[0", ",{}", "]}"},
    {"Tiled JSON, layers", &json_kind, TMJ "\"layers\":[{}", ",{}", "]}"},
    {"Tiled JSON, tilesets", &json_kind, HEAD("4") "\"tilesets\":[{\"firstgid\":1}", ",{\"firstgid\":1}",
     "],\"layers\":[]}"},
    {"Tiled JSON, things", &json_kind, TMJ "\"layers\":[{\"type\":\"objectgroup\",\"objects\":[{}",
     ",{\"name\":\"a\",\"x\":9,\"y\":9}", "]}]}"},
    {"Tiled XML, tags in tags", &xml_kind, TMX, "<group>", ""},
    {"Tiled XML, tags", &xml_kind, TMX, "<a/>", "</map>"},
    {"Tiled XML, layers", &xml_kind, TMX, "<layer/>", "</map>"},
    {"Tiled XML, a long text", &xml_kind, TMX "<layer name='", "x", "'/></map>"},
    {"Tiled XML, a long tag", &xml_kind, TMX "<", "x", "/></map>"},
    {"Tiled XML, spaces", &xml_kind, TMX, " ", "</map>"},
    {"Tiled XML, marks", &xml_kind, TMX, "&#65;", "</map>"},
    {"Tiled XML, tiles", &xml_kind, TMX "<layer width='4' height='4'><data>", "<tile/>", "</data></layer></map>"},
    {"Tiled XML, things", &xml_kind, TMX "<objectgroup>", "<object name='a' x='9' y='9'/>", "</objectgroup></map>"},
    {"Tiled JSON, walls over all", &json_kind, WALLS, ",{\"width\":9000,\"height\":9000}", "]}]}"},
    {"Tiled JSON, one wall of many corners", &json_kind, WALLS ",{\"polygon\":[{\"x\":0,\"y\":0}",
     ",{\"x\":9000,\"y\":9},{\"x\":0,\"y\":9000}", "]}]}]}"},
    {"Tiled JSON, chunks far apart", &json_kind,
     TMJ "\"infinite\":true,\"layers\":[{\"type\":\"tilelayer\",\"chunks\":[{\"x\":999999,\"y\":999999,\"width\":1,"
         "\"height\":1,\"data\":[1]}",
     ",{\"x\":0,\"y\":0,\"width\":1,\"height\":1,\"data\":[1]}", "]}]}"},
    {"Tiled JSON, one chunk", &json_kind,
     TMJ "\"infinite\":true,\"layers\":[{\"type\":\"tilelayer\",\"chunks\":[{\"x\":1000,\"y\":1000,\"width\":1,"
         "\"height\":1,\"data\":[1]}",
     ",{\"x\":0,\"y\":0,\"width\":1,\"height\":1,\"data\":[1]}", "]}]}"},
    {"Tiled JSON, tiles with names", &json_kind,
     HEAD("4") "\"layers\":[],\"tilesets\":[{\"firstgid\":1,\"tiles\":[{\"id\":0}",
     ",{\"id\":9,\"properties\":[{\"name\":\"solid\",\"value\":true}]}", "]}]}"},
    {"Tiled JSON, names that differ", &json_kind, TMJ "\"layers\":[],\"x\":{\"a\":0", ",\"\\u0000\":0", "}}"},
    {"Tiled JSON, no layers, a large size", &json_kind, HEAD("1024") TILES "\"layers\":[", " ", "]}"},
    {"script, one line", &script_kind, "grid ", "9", ""},
    {"script, words", &script_kind, "", "a ", ""},
    {"script, line ends", &script_kind, "", "\n", "grid 9 9\n"},
    {"script, a size that nobody fills", &script_kind, "grid 65536 65536\n", "#\n", ""},
    {"script, requests", &script_kind, "grid 9 9\n", "request a 1,1 2,2\n", ""},
    {"script, nodes", &script_kind, "graph\n", "node 99999999\n", ""},
    {"script, links", &script_kind, "grid 9 9\n", "link 1,1 2,2\n", ""},
    {"script, movers", &script_kind, "grid 9 9\n", "mover m 1=2\n", ""},
};

static void try_repeated(const repeated *r) {
    static char bytes[FILE_BYTES];
    size_t used = strlen(r->head);
    const size_t unit = strlen(r->unit), tail = strlen(r->tail);
    memcpy(bytes, r->head, used);
    for (; used + unit + tail <= sizeof bytes; used += unit) memcpy(bytes + used, r->unit, unit);
    memcpy(bytes + used, r->tail, tail);
    try_file(r->name, r->kind, bytes, used + tail);
}

/* ---- packed zeros ---- */

/* Tries a packed layer of base64 with this number of tiles. */
static void try_packed(int32_t side, size_t packed_tiles) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static char bytes[FILE_BYTES * 2], name[80];
    uLong size = compressBound(packed_tiles * 4);
    unsigned char *tiles = calloc(packed_tiles, 4), *packed = malloc(size + 3);
    if (!tiles || !packed || compress2(packed, &size, tiles, packed_tiles * 4, 9) != Z_OK) exit(99);
    int used = snprintf(bytes, sizeof bytes,
                        HEAD("%d") TILES
                        "\"layers\":[{\"type\":\"tilelayer\",\"width\":%d,\"height\":%d,\"encoding\":\"base64\","
                        "\"compression\":\"zlib\",\"data\":\"",
                        side, side, side, side);
    packed[size] = packed[size + 1] = 0;
    for (uLong i = 0; i < size; i += 3) {
        const unsigned long three = (unsigned long)packed[i] << 16 | (unsigned long)packed[i + 1] << 8 | packed[i + 2];
        for (int k = 0; k < 4; k++) bytes[used++] = i + (uLong)k > size ? '=' : digits[three >> (18 - 6 * k) & 63];
    }
    used += snprintf(bytes + used, sizeof bytes - (size_t)used, "\"}]}");
    free(tiles), free(packed);
    snprintf(name, sizeof name, "Tiled JSON, %d x %d tiles, %zu packed", side, side, packed_tiles);
    try_file(name, &json_kind, bytes, (size_t)used);
}

/* ---- good files, cut and changed ---- */

static char whole[4 * FILE_BYTES], changed[4 * FILE_BYTES];

static size_t get_file(const char *name) {
    const int file = open(name, O_RDONLY | O_CLOEXEC);
    const ssize_t size = read(file, whole, sizeof whole);
    if (size <= 0 || close(file)) exit(99);
    return (size_t)size;
}

static void sum_nothing(char *bytes, size_t size) {
    (void)bytes, (void)size;
}

static void sum_save(char *bytes, size_t size) {
    saved s = {.reads = true, .bytes = (uint8_t *)bytes, .size = size};
    if (size >= 32) saved_sum(&s);
}

/* @param sum corrects the checksum, so that the contents are read */
static void try_changed(const char *name, const kind *k, size_t size, void (*sum)(char *, size_t)) {
    static const char values[] = {0, 1, '9', 127, -128, -1};
    char what[120];
    for (size_t i = 0; i < CUTS; i++) {
        const size_t at = size * i / CUTS;
        memcpy(changed, whole, size);
        sum(changed, at);
        snprintf(what, sizeof what, "%s, cut at %zu", name, at);
        try_file(what, k, changed, at);
        for (size_t v = 0; v < sizeof values; v++) {
            memcpy(changed, whole, size);
            memset(changed + at, values[v], size - at < 4 ? size - at : 4);
            sum(changed, size);
            snprintf(what, sizeof what, "%s, at %zu four bytes %d", name, at, values[v]);
            try_file(what, k, changed, size);
        }
    }
}

/* Lines behind a whole head, with a seal. */
static size_t make_journal(size_t lines) {
    static const char head[] = SERVE_JOURNAL_FIRST_LINE "map world.wend\n", line[] = "set 1,1 blocked\n";
    size_t used = sizeof head - 1;
    memcpy(whole, head, used);
    serve_journal_seal(wend__hash_bytes(WEND__HASH_START, whole, used), whole + used);
    used += SERVE_JOURNAL_SEAL_BYTES;
    for (size_t i = 0; i < lines; i++, used += sizeof line - 1) memcpy(whole + used, line, sizeof line - 1);
    serve_journal_seal(wend__hash_bytes(WEND__HASH_START, whole, used), whole + used);
    return used + SERVE_JOURNAL_SEAL_BYTES;
}

static void make_save(void) {
    char text[400];
    snprintf(path, sizeof path, "%s/good.save", folder);
    const int size = snprintf(text, sizeof text,
                              "grid 24 16\nlimit nodes 4096\nlimit cells 4096\nlimit queue 64\nlimit lanes 1\nmover "
                              "cart size=2\nlayer fear values half_life=3\nfill 11,0 11,11 blocked\n"
                              "agent a 1,1\nagent b 2,3\ngo a b to 20,8\nrequest r 0,0 23,15\nframe 3\nsave %s\n",
                              path);
    run_text(text, (size_t)size);
}

static void try_all_changed(void) {
    static const struct {
        const char *name;
        const kind *kind;
    } originals[] = {{"tiny.txt", &text_kind},          {"layers.txt", &text_kind},  {"tiny.map", &map_kind},
                     {"roads.gr", &graph_kind},         {"tiny.3dmap", &voxel_kind}, {"tiny.map.scen", &scen_kind},
                     {"tiny.3dmap.3dscen", &scen_kind}, {"tutorial.tmj", &json_kind}};
    for (size_t i = 0; i < sizeof originals / sizeof *originals; i++) {
        char name[200];
        snprintf(name, sizeof name, "%s/%s", TEST_DATA, originals[i].name);
        try_changed(originals[i].name, originals[i].kind, get_file(name), sum_nothing);
    }
    try_file("journal, a long record", &journal_kind, whole, make_journal(4000));
    try_changed("journal", &journal_kind, make_journal(5), sum_nothing);
    make_save();
    char name[200];
    snprintf(name, sizeof name, "%s", path);
    try_changed("save", &save_kind, get_file(name), sum_save);
    unlink(name);
}

int main(int argc, char **argv) {
    lists = argc > 1;
    (void)argv;
    strcpy(folder, "/tmp/hostile-XXXXXX");
    nowhere = fopen("/dev/null", "w");
    if (!nowhere || !mkdtemp(folder) || (!lists && !freopen("/dev/null", "w", stderr))) return 99;
    snprintf(world_file, sizeof world_file, "%s/world.wend", folder);
    snprintf(path, sizeof path, "%s", world_file);
    put_file("grid 8 8\n", 9);
    for (size_t i = 0; i < sizeof many / sizeof *many; i++) try_repeated(&many[i]);
    try_packed(64, 64 * 64);
    try_packed(64, 1 << 24);
    try_packed(4096, 1 << 24);
    try_packed(4096, 64);
    try_all_changed();
    unlink(path), unlink(world_file), rmdir(folder);
    printf("%d files, %d of them good; %.1f ms at most; %d wrong\n", files, good, worst_ms, bad);
    return bad > 0 || good < files / 10;
}
#endif
