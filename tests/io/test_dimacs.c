/* SPDX-License-Identifier: MIT */
/* DIMACS graphs: reading, errors of mistakes, files of coordinates, and writing. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "io/io_help.h"
#include "io/readers/map_readers.h"
#include "models/defaults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wend/query.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wend/formats.h>

static bool has_edge(const wend_map *map, uint32_t from, uint32_t to, int32_t cost) {
    wend_edge edges[16];
    size_t count;
    cr_assert_eq(wend_map_get_edges(map, from, edges, COUNT_OF(edges), &count), WEND_OK);
    for (size_t i = 0; i < count; i++)
        if (edges[i].to == to && edges[i].cost == cost) return true;
    return false;
}

Test(dimacs, reads_every_way_of_writing_the_same) {
    static const char *const same[] = {
        "p sp 3 3\na 1 2 5\na 2 1 7\na 3 3 1000000\n",
        "c a comment\nc\np sp 3 3\nc another\na 3 3 1000000\na 1 2 5\n\na 2 1 7",
        ("\xEF\xBB\xBF" /* or "BFc" would be a number */
         "c\r\np sp 3 3\r\na 1 2 5\r\na 2 1 7\r\na 3 3 1000000\r\n"),
        "\n p  sp\t3 3 \n a\t1  2 5 \na 2 1 0000000000007\na 3 3 1000000\n",
    };
    for (size_t i = 0; i < COUNT_OF(same); i++) {
        wend_map_markers markers = {.struct_bytes = sizeof markers};
        uint8_t terrain;
        OWNED_MAP *map = good_map(same[i], &markers);
        wend_map_info info = info_now(map);
        cr_expect_eq(markers.format, WEND_FORMAT_DIMACS);
        cr_expect_eq(wend_format_detect(same[i], strlen(same[i])), WEND_FORMAT_DIMACS);
        cr_expect(info.kind == WEND_KIND_GRAPH && info.cells == 3 && info.edges == 3 && info.width == 4);
        cr_expect(!info.has_coordinates && info.epoch == 0);
        cr_expect(has_edge(map, 1, 2, 5) && has_edge(map, 2, 1, 7) && has_edge(map, 3, 3, 1000000));
        cr_expect_eq(wend_map_get_terrain(map, (wend_cell){0, 0, 0}, &terrain), WEND_OUT_OF_RANGE,
                     "there is no node 0");
    }
}

#define NODES "expected the number of nodes, a whole number from 1 to 2147483647, found "
#define ARCS "expected the number of arcs, a whole number from 0 to 2147483647, found "
#define COST "expected an arc's cost, a whole number from 0 to 1000000, found "

Test(dimacs, refuses_what_is_wrong) {
    static const bad_file bad[] = {
        {"c only comments\n", WEND_BAD_FORMAT, 2, 1, "expected a 'p sp' line, found the end of the file"},
        {"p sp\n", WEND_BAD_FORMAT, 1, 5, NODES "the end of the line"},
        {"p sp 0 0\n", WEND_BAD_FORMAT, 1, 6, NODES "'0'"},
        {"p sp 2147483648 0\n", WEND_BAD_FORMAT, 1, 6, NODES "'2147483648'"},
        {"p sp 65555 1\n", WEND_BAD_FORMAT, 1, 6, "expected at most 65549 nodes in a file of this size, found '65555'"},
        {"p sp 2147483647 2147483647\na 1 1 1\n", WEND_BAD_FORMAT, 1, 6,
         "expected at most 65571 nodes in a file of this size, found '2147483647'"},
        {"p sp 3\n", WEND_BAD_FORMAT, 1, 7, ARCS "the end of the line"},
        {"p sp 3 -1\n", WEND_BAD_FORMAT, 1, 8, ARCS "'-1'"},
        {"p sp 3 1 1\n", WEND_BAD_FORMAT, 1, 10, "expected the end of the line, found '1'"},
        {"p sp 3 0\np sp 3 0\n", WEND_BAD_FORMAT, 2, 1, "a second 'p' line"},
        {"p aux sp co 3\nv 1 2 3\n", WEND_BAD_FORMAT, 1, 1,
         "coordinates without their graph: read the .gr file, and those of the .co beside it come along"},
        {"a 1 2 3\np sp 3 1\n", WEND_BAD_FORMAT, 1, 1, "expected a 'p sp' line before the first arc, found 'a'"},
        {"p sp 3 2\na 1 2 3\n", WEND_BAD_FORMAT, 3, 1, "expected arc 2 of 2, found the end of the file"},
        {"p sp 3 2000000000\na 1 2 3", WEND_BAD_FORMAT, 2, 8,
         "expected arc 2 of 2000000000, found the end of the file"},
        {"p sp 3 1\na 1 2 3\na 2 3 4\n", WEND_BAD_FORMAT, 3, 1, "expected the end of the file after 1 arcs, found 'a'"},
        {"p sp 3 0\na 1 2 3\n", WEND_BAD_FORMAT, 2, 1, "expected the end of the file after 0 arcs, found 'a'"},
        {"p sp 3 1\na 0 2 3\n", WEND_BAD_FORMAT, 2, 3,
         "expected the node that an arc leaves, a whole number from 1 to 3, found '0'"},
        {"p sp 3 1\na 1 4 3\n", WEND_BAD_FORMAT, 2, 5,
         "expected the node that an arc enters, a whole number from 1 to 3, found '4'"},
        {"p sp 3 1\na -1 1 3\n", WEND_BAD_FORMAT, 2, 3,
         "expected the node that an arc leaves, a whole number from 1 to 3, found '-1'"},
        {"p sp 3 1\na 1 2 1000001\n", WEND_BAD_FORMAT, 2, 7, COST "'1000001'"},
        {"p sp 3 1\na 1 2 -5\n", WEND_BAD_FORMAT, 2, 7, COST "'-5'"},
        {"p sp 3 1\na 1 2\n", WEND_BAD_FORMAT, 2, 6, COST "the end of the line"},
        {"p sp 3 1\na 1 2 3 4\n", WEND_BAD_FORMAT, 2, 9, "expected the end of the line, found '4'"},
        {"p sp 3 1\ne 1 2 3\n", WEND_BAD_FORMAT, 2, 1, "expected a, c, found 'e'"},
        {"c\nx\n", WEND_BAD_FORMAT, 1, 1,
         "not a map file: expected 'Rows', 'Columns', 'Layers' (grid text), 'type' (MovingAI), 'voxel' or 'p sp' "
         "(DIMACS), found 'c'"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) expect_bad_map(&bad[i]);
}

Test(dimacs, a_claim_of_nodes_needs_bytes) {
    size_t size = 100000;
    char *text = malloc(size);
    for (int past = 0; past <= 1; past++) {
        counting counts = {0};
        wend_map_def def = default_map();
        wend_map *map = NULL;
        memset(text, '\n', size);
        int used = snprintf(text, size, "p sp %d 0", 65536 + (int)size + past);
        text[used] = '\n';
        def.allocator = counting_allocator(&counts);
        cr_assert_eq(parse_map(text, size, &def, &map, NULL, NULL), past ? WEND_BAD_FORMAT : WEND_OK);
        if (past) cr_expect_eq(counts.peak, 0);
        wend_map_release(map);
        cr_assert_eq(counts.bytes, 0);
    }
    free(text);
}

Test(dimacs, rules_give_a_graph_its_factors_and_bounds) {
    static const char text[] = "p sp 2 1\na 1 2 5\n";
    wend_map_def def = default_map();
    wend_map_rules def_rules = default_rules();
    def.rules = &def_rules;
    wend_map *map = NULL;
    def_rules.factors[1] = 3;
    cr_assert_eq(parse_map(text, sizeof text - 1, &def, &map, NULL, NULL), WEND_OK);
    wend_map_rules info_rules = rules_now(map);
    cr_expect_eq(info_rules.factors[1], 3);
    wend_map_release(map);
    map = NULL;
    def.max_bytes = 100;
    cr_expect_eq(parse_map(text, sizeof text - 1, &def, &map, NULL, NULL), WEND_OUT_OF_MEMORY);
    def.max_bytes = WEND_NO_LIMIT, def.max_versions = 0;
    cr_expect_eq(parse_map(text, sizeof text - 1, &def, &map, NULL, NULL), WEND_BAD_ARGUMENT);
    cr_expect_null(map);
}

/* ---- coordinates ---- */

static wend_error parse_co(const char *text, int32_t nodes, wend_cell *out, wend_file_error *error) {
    wend__coordinates_file file = {.size = strlen(text), .name = "x.co"};
    char *copy = malloc(file.size + 1);
    memcpy(copy, text, file.size);
    copy = realloc(copy, file.size ? file.size : 1);
    file.bytes = copy;
    int32_t code = wend__coordinates_parse(&file, nodes, out, error);
    free(copy);
    return code;
}

Test(dimacs_co, reads_every_way_of_writing_the_same) {
    static const char *const same[] = {
        "p aux sp co 2\nv 1 -5 2147483647\nv 2 -2147483648 0\n",
        "c\np aux sp co 2\nv 2 -2147483648 0\nc\n\nv 1 -5 2147483647",
        "\xEF\xBB\xBFp aux sp co 2\r\nv 1 -5 2147483647\r\nv 2 -2147483648 -0\r\n",
    };
    for (size_t i = 0; i < COUNT_OF(same); i++) {
        wend_cell at[3];
        wend_file_error error = {.struct_bytes = sizeof error};
        cr_assert_eq(parse_co(same[i], 2, at, &error), WEND_OK, "%s", error.text);
        cr_expect(at[1].x == -5 && at[1].y == INT32_MAX && at[1].z == 0);
        cr_expect(at[2].x == INT32_MIN && at[2].y == 0 && at[2].z == 0);
    }
}

Test(dimacs_co, refuses_what_is_wrong) {
    static const struct {
        const char *bytes, *text;
    } bad[] = {
        {"", "x.co:1:1: expected a 'p aux sp co' line, found the end of the file"},
        {"v 1 0 0\n", "x.co:1:1: expected a 'p aux sp co' line before the first node, found 'v'"},
        {"p sp 2 0\n", "x.co:1:3: expected aux, found 'sp'"},
        {"p aux sp\n", "x.co:1:9: expected co, found the end of the line"},
        {"p aux sp co 3\n", "x.co:1:13: expected 2, the graph's number of nodes, found '3'"},
        {"p aux sp co 2 2\n", "x.co:1:15: expected the end of the line, found '2'"},
        {"p aux sp co 2\np aux sp co 2\n", "x.co:2:1: a second 'p' line"},
        {"p aux sp co 2\nv 0 1 1\n", "x.co:2:3: expected a node, a whole number from 1 to 2, found '0'"},
        {"p aux sp co 2\nv 3 1 1\n", "x.co:2:3: expected a node, a whole number from 1 to 2, found '3'"},
        {"p aux sp co 2\nv 1 1 1\n\nv 1 1 1\n", "x.co:4:1: a second 'v' line of node 1"},
        {"p aux sp co 2\nv 1 1 1\nv 1 1 1\n", "x.co:3:1: a second 'v' line of node 1"},
        {"p aux sp co 2\nv 1 1\n",
         "x.co:2:6: expected a node's y, a whole number of 32 bits, found the end of the line"},
        {"p aux sp co 2\nv 1 2147483648 1\n",
         "x.co:2:5: expected a node's x, a whole number of 32 bits, found '2147483648'"},
        {"p aux sp co 2\nv 1 1 -2147483649\n",
         "x.co:2:7: expected a node's y, a whole number of 32 bits, found '-2147483649'"},
        {"p aux sp co 2\nv 1 1 1.5\n", "x.co:2:7: expected a node's y, a whole number of 32 bits, found '1.5'"},
        {"p aux sp co 2\nv 1 1 1 1\n", "x.co:2:9: expected the end of the line, found '1'"},
        {"p aux sp co 2\nv 2 1 1\n", "x.co:3:1: expected a 'v' line of node 1, found the end of the file"},
        {"p aux sp co 2\nn 2 1 1\n", "x.co:2:1: expected v, c, found 'n'"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        wend_cell at[3];
        wend_file_error error = {.struct_bytes = sizeof error};
        cr_expect_eq(parse_co(bad[i].bytes, 2, at, &error), WEND_BAD_FORMAT);
        cr_expect_str_eq(error.text, bad[i].text);
        cr_expect(error.line == 0 && error.column == 0);
    }
}

static char folder[32], graph_file[64], co_file[64];

static void make_folder(void) {
    strcpy(folder, "/tmp/wend-test-io-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(graph_file, sizeof graph_file, "%s/x.gr", folder);
    snprintf(co_file, sizeof co_file, "%s/x.co", folder);
}

static void remove_folder(void) {
    unlink(graph_file);
    unlink(co_file);
    rmdir(co_file);
    rmdir(folder);
}

static void put_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void expect_load_error(int32_t code, const char *text) {
    counting counts = {0};
    wend_map_def def = default_map();
    wend_map *map = NULL;
    wend_file_error error = {.struct_bytes = sizeof error};
    def.allocator = counting_allocator(&counts);
    cr_expect_eq(wend_map_load(graph_file, &def, &map, NULL, &error), code);
    cr_expect_str_eq(error.text, text);
    cr_expect(error.line == 0 && error.column == 0 && !map);
    cr_expect_eq(counts.bytes, 0);
}

Test(dimacs, a_graph_loads_with_the_coordinates_beside_it) {
    wend_map *map = NULL;
    wend_cell at;
    cr_assert_eq(wend_map_load(TEST_DATA "/roads.gr", NULL, &map, NULL, NULL), WEND_OK);
    wend_map_info info = info_now(map);
    cr_expect(info.has_coordinates && info.cells == 6 && info.edges == 11);
    cr_expect_eq(wend_map_get_coordinates(map, 5, &at), WEND_OK);
    cr_expect(at.x == 60 && at.y == -10 && at.z == 0);
    cr_expect(has_edge(map, 5, 6, 20) && has_edge(map, 5, 6, 25));
    wend_map_release(map);
    wend_file_error error = {.struct_bytes = sizeof error};
    cr_expect_eq(wend_map_load(TEST_DATA "/roads.co", NULL, &map, NULL, &error), WEND_BAD_FORMAT);
    cr_expect_eq(error.line, 2);
}

Test(dimacs, only_coordinates_that_fit_are_taken, .init = make_folder, .fini = remove_folder) {
    wend_map *map = NULL;
    put_file(graph_file, "p sp 2 1\na 1 2 5\n");
    cr_assert_eq(wend_map_load(graph_file, NULL, &map, NULL, NULL), WEND_OK);
    wend_map_info info = info_now(map);
    cr_expect_not(info.has_coordinates);
    wend_map_release(map);
    put_file(co_file, "p aux sp co 3\n");
    expect_load_error(WEND_BAD_FORMAT, "x.co:1:13: expected 2, the graph's number of nodes, found '3'");
    put_file(co_file, "");
    expect_load_error(WEND_BAD_FORMAT, "x.co:1:1: expected a 'p aux sp co' line, found the end of the file");
    unlink(co_file);
    cr_assert_eq(mkdir(co_file, 0700), 0);
    expect_load_error(WEND_IO, "x.co: cannot be read: Is a directory");
}

Test(dimacs, memory_for_a_graph_and_its_coordinates_may_fail) {
    size_t fail_at = 1;
    for (;; fail_at++) {
        counting counts = {.fail_from = fail_at};
        wend_map_def def = default_map();
        wend_map *map = NULL;
        wend_file_error error = {.struct_bytes = sizeof error};
        def.allocator = counting_allocator(&counts);
        int32_t code = wend_map_load(TEST_DATA "/roads.gr", &def, &map, NULL, &error);
        wend_map_release(map);
        cr_assert_eq(counts.bytes, 0);
        if (!code) break;
        cr_assert_eq(code, WEND_OUT_OF_MEMORY);
        cr_assert_eq(strncmp(error.text, "the allocator has no ", 21), 0, "%s", error.text);
    }
    cr_expect_gt(fail_at, 5);
}

/* ---- writing ---- */

static wend_map *random_graph(uint32_t *seed, uint32_t nodes, uint64_t edges, bool coordinates) {
    wend_graph_def def = default_graph();
    uint8_t *present = malloc(nodes + 1);
    wend_edge *list = calloc(edges + 1, sizeof *list);
    wend_cell *at = calloc(nodes + 1, sizeof *at);
    memset(present, 1, nodes + 1);
    present[0] = 0;
    for (uint64_t i = 0; i < edges; i++)
        list[i] = (wend_edge){1 + next_random(seed) % nodes, 1 + next_random(seed) % nodes,
                              1 + (int32_t)(next_random(seed) % WEND_MAX_COST)};
    for (uint32_t i = 1; i <= nodes; i++)
        at[i] = (wend_cell){(int32_t)(next_random(seed) << 8 | next_random(seed)), -(int32_t)next_random(seed), 0};
    def.node_count = nodes + 1, def.present = present, def.edges = list;
    def.edge_count = edges, def.coordinates = coordinates ? at : NULL;
    wend_map *map = made_graph(&def);
    free(present);
    free(list);
    free(at);
    return map;
}

Test(dimacs, graphs_read_back_the_same) {
    static const uint32_t sizes[][2] = {{1, 0}, {1, 3}, {10, 0}, {4095, 9000}, {4096, 100}, {5000, 20000}, {200000, 0}};
    uint32_t seed = 31;
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        wend_map *map = random_graph(&seed, sizes[i][0], sizes[i][1], false), *back = NULL;
        written out = {0};
        wend_file_error error = {.struct_bytes = sizeof error};
        cr_assert_eq(wend_map_write(map, WEND_FORMAT_DIMACS, NULL, write_memory, &out, NULL), WEND_OK);
        cr_assert_eq(wend_map_parse(out.bytes, out.size, NULL, &back, NULL, &error), WEND_OK, "%d:%d: %s",
                     (int)error.line, (int)error.column, error.text);
        cr_assert(same_map(map, back), "%zu", i);
        wend_map_release(map);
        wend_map_release(back);
        free(out.bytes);
    }
}

Test(dimacs, is_written_as_its_reader_expects) {
    static const char text[] = "p sp 3 3\na 1 2 5\na 1 3 7\nc no arc leaves node 2\na 3 3 9\n";
    wend_map *map = good_map(text, NULL);
    written out = {0};
    cr_assert_eq(wend_map_write(map, WEND_FORMAT_DIMACS, NULL, write_memory, &out, NULL), WEND_OK);
    expect_written(&out, text);
    wend_map_release(map);
    free(out.bytes);
}

static void save_and_load(const wend_map *map) {
    OWNED_MAP *back = NULL;
    wend_file_error error = {.struct_bytes = sizeof error};
    cr_assert_eq(wend_map_save(map, graph_file, WEND_FORMAT_DIMACS, NULL, &error), WEND_OK, "%s", error.text);
    cr_assert_eq(wend_map_load(graph_file, NULL, &back, NULL, &error), WEND_OK, "%s", error.text);
    cr_expect(same_map(map, back));
}

Test(dimacs, what_is_saved_loads_again_with_its_coordinates, .init = make_folder, .fini = remove_folder) {
    uint32_t seed = 32;
    OWNED_MAP *without = random_graph(&seed, 300, 900, false), *with = random_graph(&seed, 300, 900, true);
    wend_file_error error = {.struct_bytes = sizeof error};
    save_and_load(without);
    cr_expect_neq(access(co_file, F_OK), 0);
    save_and_load(with);
    cr_expect_eq(access(co_file, F_OK), 0);
    cr_expect_eq(wend_map_save(without, graph_file, WEND_FORMAT_DIMACS, NULL, &error), WEND_IO);
    cr_expect_str_eq(error.text, "x.co is there already: it would be read with this graph, which has no coordinates");
    save_and_load(with);
}

Test(dimacs, half_of_two_files_is_removed, .init = make_folder, .fini = remove_folder) {
    uint32_t seed = 33;
    OWNED_MAP *map = random_graph(&seed, 30, 90, true);
    wend_file_error error = {.struct_bytes = sizeof error};
    cr_assert_eq(mkdir(co_file, 0700), 0);
    cr_expect_eq(wend_map_save(map, graph_file, WEND_FORMAT_DIMACS, NULL, &error), WEND_IO);
    cr_expect_str_eq(error.text, "x.co: cannot be opened for writing: Is a directory");
    cr_expect_neq(access(graph_file, F_OK), 0, "the graph stayed behind without its coordinates");
}

Test(dimacs, reads_free_arcs_as_the_cheapest_and_says_so) {
    static const struct {
        const char *text, *assumed;
    } files[] = {{"p sp 3 2\na 1 2 0\na 2 3 5\n", "1 arc of cost 0 read as 1"},
                 {"p sp 3 3\na 1 2 0\na 2 3 0\na 3  1 0\n", "3 arcs of cost 0 read as 1"},
                 {"p sp 3 2\na 1 2 1\na 2 3 5\n", ""}};
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        wend_map_markers markers = {.struct_bytes = sizeof markers};
        OWNED_MAP *map = good_map(files[i].text, &markers);
        wend_cell cells[4];
        size_t count;
        uint64_t cost;
        cr_expect_str_eq(markers.assumed, files[i].assumed);
        cr_assert_eq(wend_find_path(map, (wend_cell){1, 0, 0}, (wend_cell){2, 0, 0}, cells, 4, &count, NULL), WEND_OK);
        cr_assert_eq(wend_map_path_cost(map, 0, cells, count, NULL, &cost), WEND_OK);
        cr_expect_eq(cost, 1);
    }
}
