/* SPDX-License-Identifier: MIT */
/* Baked maps: a loaded map answers as the original does, before edits and after; and no damaged file is accepted. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "io/baked/baked.h"
#include "io/baked/checksum.h"
#include "models/fast.h"
#include "io/io_help.h"
#include "models/few_or_many.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wend/ways.h>
#include <wend/formats.h>

static const uint8_t two_classes[] = {0, 1, 1, 1}, many_classes[] = {0, 1, 1, 1, 1, 1, 2, 7, 254, 255};
static const uint8_t one_class[] = {1};

static written baked_of(const wend_map *map) {
    written out = {0};
    wend_file_error error = {.struct_bytes = sizeof error};
    cr_assert_eq(wend_map_write(map, WEND_FORMAT_BAKED, NULL, write_memory, &out, &error), WEND_OK, "%s", error.text);
    return out;
}

static wend_map *loaded(const written *file) {
    wend_map *map = NULL;
    wend_file_error error = {.struct_bytes = sizeof error};
    wend_map_markers markers = {.struct_bytes = sizeof markers};
    cr_assert_eq(wend_format_detect(file->bytes, file->size), WEND_FORMAT_BAKED);
    cr_assert_eq(parse_map(file->bytes, file->size, NULL, &map, &markers, &error), WEND_OK, "%d:%d: %s", error.line,
                 error.column, error.text);
    cr_assert_eq(markers.format, WEND_FORMAT_BAKED);
    return map;
}

static void accelerate(wend_map *map, int32_t tables, int32_t landmarks) {
    wend_acceleration def = default_acceleration();
    def.tables = tables, def.landmarks = landmarks, def.publish_effort = 500;
    cr_assert_eq(wend_map_accelerate(map, &def), ACCELERATED, "%s", wend_error_detail(WEND_BAD_ARGUMENT));
}

static wend_cell any_cell(uint32_t *seed, const wend_map_info *info) {
    return (wend_cell){(int32_t)(next_random(seed) % (uint32_t)info->width),
                       (int32_t)(next_random(seed) % (uint32_t)info->height),
                       (int32_t)(next_random(seed) % (uint32_t)info->depth)};
}

/* ---- the same answers ---- */

/* Cells, expansions and costs agree: both searches had the same numbers and tables. */
static void expect_same_answers(wend_map *a, wend_map *b, uint32_t *seed, int32_t queries) {
    wend_search_def def = default_search();
    OWNED_SEARCH *one = NULL, *two = NULL;
    wend_cell cells[2][512];
    const wend_map_info info = info_now(a);
    cr_assert_eq(wend_search_create(&def, &one), WEND_OK);
    cr_assert_eq(wend_search_create(&def, &two), WEND_OK);
    for (int32_t i = 0; i < queries; i++) {
        uint64_t used[2];
        size_t counts[2];
        const wend_cell from = any_cell(seed, &info), to = any_cell(seed, &info);
        wend_request request = path_request(a, from, to);
        cr_assert_eq(wend_search_begin(one, &request), WEND_OK);
        request.map = b;
        cr_assert_eq(wend_search_begin(two, &request), WEND_OK);
        const int32_t status = wend_search_step(one, WEND_NO_LIMIT, &used[0]);
        cr_assert_eq(wend_search_step(two, WEND_NO_LIMIT, &used[1]), status);
        const wend_completion here = result_now(one), there = result_now(two);
        cr_assert(used[0] == used[1] && here.cost == there.cost && here.engine == there.engine);
        if (status != WEND_STATUS_FOUND) continue;
        cr_assert_eq(wend_search_get_path(one, cells[0], 512, &counts[0]),
                     wend_search_get_path(two, cells[1], 512, &counts[1]));
        cr_assert(counts[0] == counts[1]);
        cr_assert_eq(memcmp(cells[0], cells[1], (counts[0] < 512 ? counts[0] : 512) * sizeof(wend_cell)), 0);
    }
}

static void expect_same(const wend_map *a, const wend_map *b) {
    const wend_map_info one = info_now(a), two = info_now(b);
    const wend_map_rules here = rules_now(a), there = rules_now(b);
    cr_assert(same_map(a, b));
    cr_assert_eq(memcmp(&here, &there, sizeof here), 0);
    cr_assert(one.closed_steps == two.closed_steps && one.components == two.components && one.jumps == two.jumps);
    cr_assert(one.landmarks == two.landmarks && one.landmark_age == two.landmark_age);
    cr_assert(one.landmark_bytes == two.landmark_bytes && one.landmark_effort == two.landmark_effort);
    cr_assert(one.marks_units == two.marks_units && one.jump_unpruned == two.jump_unpruned);
}

/* The same random edit of both maps: cells, a closed step, a link. */
static void edit_both(wend_map *a, wend_map *b, uint32_t *seed) {
    wend_map *maps[2] = {a, b};
    const wend_map_info info = info_now(a);
    const uint32_t before = *seed;
    for (int32_t m = 0; m < 2; m++) {
        *seed = before;
        wend_edit *edit = begin_edit(maps[m]);
        for (int32_t i = 0; i < 12; i++)
            wend_edit_set_cell(edit, any_cell(seed, &info), (uint8_t)(next_random(seed) % 3 > 0));
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    }
}

static void try_world(wend_map *map, uint32_t *seed, int32_t queries) {
    const written file = baked_of(map);
    wend_map *back = loaded(&file);
    expect_same(map, back);
    const written again = baked_of(back);
    cr_assert(again.size == file.size && memcmp(again.bytes, file.bytes, file.size) == 0, "it bakes differently again");
    expect_same_answers(map, back, seed, queries);
    for (int32_t i = 0; i < 5; i++) {
        edit_both(map, back, seed);
        expect_same(map, back);
        expect_same_answers(map, back, seed, queries / 5);
    }
    while (info_now(map).landmark_left > 0)
        cr_assert_eq(wend_map_maintain(map, WEND_MAINTAIN_ALL, 100000, NULL), WEND_OK);
    while (info_now(back).landmark_left > 0)
        cr_assert_eq(wend_map_maintain(back, WEND_MAINTAIN_ALL, 100000, NULL), WEND_OK);
    expect_same_answers(map, back, seed, queries / 5);
    wend_map *fork = forked(back);
    wend_map_release(back);
    expect_same_answers(map, fork, seed, queries / 5);
    wend_map_release(fork);
    wend_map_release(map);
    free(file.bytes);
    free(again.bytes);
}

Test(baked, loaded_maps_answer_as_before) {
    static const int32_t sides[][2] = {{1, 1}, {64, 64}, {65, 63}, {200, 130}};
    uint32_t seed = 7;
    for (size_t i = 0; i < COUNT_OF(sides); i++)
        for (int32_t landmarks = 0; landmarks <= WEND_MAX_LANDMARKS; landmarks += 4) {
            wend_map *even = random_map(&seed, sides[i][0], sides[i][1], two_classes, COUNT_OF(two_classes));
            accelerate(even, 1, landmarks);
            try_world(even, &seed, few_or_many(150, 600));
            wend_map *slow = random_map(&seed, sides[i][0], sides[i][1], many_classes, COUNT_OF(many_classes));
            accelerate(slow, landmarks == 4, landmarks);
            try_world(slow, &seed, few_or_many(25, 100));
        }
}

Test(baked, links_closed_steps_and_rules_come_back) {
    uint32_t seed = 3;
    for (int32_t round = 0; round < 6; round++) {
        wend_map *map = random_map(&seed, 90, 80, two_classes, COUNT_OF(two_classes));
        wend_map_rules rules = rules_now(map);
        rules.cost_straight = 1000, rules.cost_diagonal = 1414;
        if (round % 3 == 1) rules.neighbours = 4;
        if (round % 3 == 2) rules.corners = WEND_CORNERS_ALWAYS, rules.factors[9] = 200;
        cr_assert_eq(wend_map_set_rules(map, &rules), WEND_OK);
        if (round < 5) add_teleports(&seed, map, 9, 1000);
        wend_edit *edit = begin_edit(map);
        for (int32_t i = 0; i < 60 && round > 0; i++) {
            const wend_cell from = {(int32_t)(next_random(&seed) % 89), (int32_t)(next_random(&seed) % 79), 0};
            wend_edit_set_step(edit, from, (wend_cell){from.x + (i & 1), from.y + !(i & 1), 0}, false);
        }
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        accelerate(map, 1, 3);
        try_world(map, &seed, 200);
    }
}

Test(baked, a_map_that_wraps_comes_back) {
    uint32_t seed = 11;
    wend_map_def def = default_map();
    def.width = 70, def.height = 50, def.wrap = WEND_WRAP_X | WEND_WRAP_Y;
    wend_map *map = made_map(&def);
    wend_edit *edit = begin_edit(map);
    for (int32_t i = 0; i < 900; i++)
        wend_edit_set_cell(edit, (wend_cell){(int32_t)(next_random(&seed) % 70), (int32_t)(next_random(&seed) % 50), 0},
                           0);
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){{9, 9, 0}, {30, 30, 0}, 70, 0}), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    accelerate(map, 1, 2);
    try_world(map, &seed, 300);
}

Test(baked, voxels_come_back) {
    static const wend_cell sizes[] = {{1, 1, 1}, {16, 16, 16}, {17, 33, 5}, {40, 3, 20}};
    uint32_t seed = 5;
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        wend_map *map = random_space(&seed, sizes[i], i & 1 ? many_classes : two_classes, 4 + 6 * (i & 1));
        accelerate(map, 0, 4);
        try_world(map, &seed, 100);
    }
    wend_map *bare = random_space(&seed, (wend_cell){20, 20, 20}, one_class, 1);
    try_world(bare, &seed, 10);
}

Test(baked, edits_before_baking_are_in_it) {
    uint32_t seed = 11;
    wend_map *map = random_map(&seed, 150, 150, two_classes, COUNT_OF(two_classes)), *other = NULL;
    accelerate(map, 1, 4);
    cr_assert_eq(wend_map_fork(map, &other), WEND_OK);
    for (int32_t i = 0; i < 30; i++) edit_both(map, other, &seed);
    wend_map_release(other);
    const written file = baked_of(map);
    wend_map *back = loaded(&file);
    cr_expect_eq(info_now(back).landmarks, info_now(map).landmarks);
    cr_expect_eq(info_now(back).landmark_age, info_now(map).landmark_age);
    wend_map_release(back);
    wend_map_release(map);
    free(file.bytes);
}

/* ---- files ---- */

static wend_map *load_file(const char *path) {
    wend_map *map = NULL;
    wend_file_error error = {.struct_bytes = sizeof error};
    cr_assert_eq(wend_map_load(path, NULL, &map, NULL, &error), WEND_OK, "%s", error.text);
    return map;
}

Test(baked, a_file_may_be_saved_over_while_a_map_uses_it) {
    char path[] = "/tmp/wend_baked.XXXXXX";
    uint32_t seed = 13;
    const int file = mkstemp(path);
    cr_assert_geq(file, 0);
    close(file);
    OWNED_MAP *map = random_map(&seed, 150, 150, two_classes, COUNT_OF(two_classes)), *small = grid_map(3, 3);
    accelerate(map, 1, 4);
    cr_assert_eq(wend_map_save(map, path, WEND_FORMAT_BAKED, NULL, NULL), WEND_OK);
    OWNED_MAP *back = load_file(path), *other = NULL;
    cr_expect_gt(info_now(back).bytes, info_now(back).landmark_bytes, "mapped bytes count");
    cr_assert_eq(wend_map_save(small, path, WEND_FORMAT_BAKED, NULL, NULL), WEND_OK);
    other = load_file(path);
    cr_expect(same_map(other, small));
    unlink(path);
    expect_same_answers(map, back, &seed, 300);
}

/* ---- refusals ---- */

static wend_map *little_map(void) {
    uint32_t seed = 1;
    wend_map *map = random_map(&seed, 70, 5, two_classes, COUNT_OF(two_classes));
    IN_BATCH(map, wend_edit_set_step(edit, (wend_cell){1, 1, 0}, (wend_cell){2, 1, 0}, false),
             wend_edit_add_link(edit, &(wend_link){{0, 0, 0}, {69, 4, 0}, 5, 0}));
    accelerate(map, 1, 1);
    return map;
}

static void expect_bad(const written *file, int32_t code, int32_t column, const char *text) {
    wend_map *map = NULL;
    wend_file_error error = {.struct_bytes = sizeof error};
    cr_assert_eq(parse_map(file->bytes, file->size, NULL, &map, NULL, &error), code, "%s", text);
    cr_assert_str_eq(error.text, text);
    cr_assert(error.line == 1 && (column == 0 || error.column == column), "%s: column %d", text, error.column);
}

Test(baked, no_bit_and_no_byte_may_differ) {
    wend_map *map = little_map();
    written file = baked_of(map);
    wend_map_release(map);
    for (size_t i = 0; i < file.size; i += i < 600 ? 1 : 97) {
        wend_map *none = NULL;
        wend_file_error error = {.struct_bytes = sizeof error};
        file.bytes[i] ^= (char)(1 << i % 8);
        const int32_t code = parse_map(file.bytes, file.size, NULL, &none, NULL, &error);
        cr_assert(code == WEND_BAD_FORMAT || code == WEND_UNSUPPORTED, "byte %zu", i);
        cr_assert(error.line == 1 && error.column >= 1 && error.text[0]);
        file.bytes[i] ^= (char)(1 << i % 8);
        if (i >= 8) cr_assert_eq(parse_map(file.bytes, i, NULL, &none, NULL, &error), WEND_BAD_FORMAT, "cut at %zu", i);
    }
    file.bytes = realloc(file.bytes, file.size + 1);
    file.bytes[file.size++] = 0;
    expect_bad(&file, WEND_BAD_FORMAT, (int32_t)file.size, "1 bytes follow the end");
    free(file.bytes);
}

/* ---- forged files: the checksum is right, and the contents are not ---- */

/* Each search ends, and a path goes from its start to its goal by steps to neighbours. */
static void expect_endings(wend_map *map, uint32_t *seed, int32_t queries) {
    static wend_cell cells[4096];
    wend_search_def def = default_search();
    const wend_map_info info = info_now(map);
    OWNED_SEARCH *search = made_search(&def);
    for (int32_t i = 0; i < queries; i++) {
        size_t count;
        const wend_cell from = any_cell(seed, &info), to = any_cell(seed, &info);
        const wend_request request = path_request(map, from, to);
        cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
        if (wend_search_step(search, WEND_NO_LIMIT, NULL) != WEND_STATUS_FOUND) continue;
        cr_assert_eq(wend_search_get_path(search, cells, COUNT_OF(cells), &count), WEND_OK);
        cr_assert(same_cell(cells[0], from) && same_cell(cells[count - 1], to));
        for (size_t c = 1; c < count; c++)
            cr_assert(abs(cells[c].x - cells[c - 1].x) <= 1 && abs(cells[c].y - cells[c - 1].y) <= 1 &&
                      abs(cells[c].z - cells[c - 1].z) <= 1);
    }
}

static void forge(written *file) {
    wend__checksum sum;
    wend__baked_head head;
    memcpy(&head, file->bytes, sizeof head);
    head.checksum = 0;
    wend__checksum_begin(&sum);
    wend__checksum_add(&sum, &head, sizeof head);
    wend__checksum_add(&sum, file->bytes + sizeof head, file->size - sizeof head);
    head.checksum = wend__checksum_of(&sum);
    memcpy(file->bytes, &head, sizeof head);
}

/* Write bytes at an offset, refuse, and write back the old ones. */
static void expect_forged(written *file, size_t offset, const void *bytes, size_t size, int32_t code,
                          const char *text) {
    char before[64];
    cr_assert_leq(size, sizeof before);
    memcpy(before, file->bytes + offset, size);
    memcpy(file->bytes + offset, bytes, size);
    forge(file);
    expect_bad(file, code, 0, text);
    memcpy(file->bytes + offset, before, size);
    forge(file);
}

static wend__baked_section section_of(const written *file, const char *name, size_t *entry) {
    wend__baked_section section = {.bytes = 0};
    wend__baked_head head;
    memcpy(&head, file->bytes, sizeof head);
    for (uint32_t i = 0; i < head.sections; i++) {
        *entry = sizeof head + i * sizeof section;
        memcpy(&section, file->bytes + *entry, sizeof section);
        if (strcmp(section.name, name) == 0) return section;
    }
    cr_assert_fail("no section %s", name);
    return section;
}

static void expect_forged_int(written *file, size_t offset, int32_t value, int32_t code, const char *text) {
    expect_forged(file, offset, &value, sizeof value, code, text);
}

Test(baked, limits_are_kept_and_one_past_them_is_refused) {
    NEEDS_FAST();
    wend_map *map = little_map();
    written file = baked_of(map);
    size_t entry;
    wend_map_release(map);
    expect_forged_int(&file, offsetof(wend__baked_head, version), 2, WEND_UNSUPPORTED,
                      "version 2 of baked maps, but this library reads version 1: bake the map again");
    expect_forged_int(&file, offsetof(wend__baked_head, sections), 7, WEND_BAD_FORMAT, "7 sections are too many");
    const size_t shape = (size_t)section_of(&file, "shape", &entry).offset;
    expect_forged_int(&file, entry, 0x7A7A7A7A, WEND_UNSUPPORTED, "section 1 has an unknown name");
    expect_forged(&file, entry, "terrain\0\0\0\0\0\0\0\0", 16, WEND_BAD_FORMAT, "terrain: comes too late");
    expect_forged_int(&file, entry + 24, 311, WEND_BAD_FORMAT, "shape: has 311 bytes, but should have 312");
    expect_forged_int(&file, entry + 16, 0, WEND_BAD_FORMAT, "shape: is not where it should be");
    expect_forged_int(&file, shape, 3, WEND_BAD_FORMAT, "shape: neither a grid nor voxels");
    expect_forged_int(&file, shape + 4, 0, WEND_BAD_FORMAT, "shape: width is 0, but must be from 1 to 65536");
    expect_forged_int(&file, shape + 4, 64 * 1000, WEND_BAD_FORMAT, "terrain: too few bytes for the map's size");
    expect_forged_int(&file, shape + 12, 2, WEND_BAD_FORMAT, "shape: depth is 2, but must be 1");
    expect_forged_int(&file, shape + offsetof(wend__baked_shape, cost_diagonal), 21, WEND_BAD_FORMAT,
                      "shape: rules.cost_diagonal is 21, but must be from 10 to 20");
    expect_forged_int(&file, shape + offsetof(wend__baked_shape, landmarks), 9, WEND_BAD_FORMAT,
                      "shape: landmarks is 9, but must be from 0 to 8");
    expect_forged_int(&file, shape + offsetof(wend__baked_shape, tables), -1, WEND_BAD_FORMAT,
                      "shape: tables is 4294967295, but must be from 0 to 1");
    expect_forged_int(&file, shape + offsetof(wend__baked_shape, wrap), 4, WEND_BAD_FORMAT,
                      "shape: wrap is 4, but must be from 0 to 3");
    const size_t terrain = (size_t)section_of(&file, "terrain", &entry).offset;
    expect_forged_int(&file, shape + 4, 64 * 3, WEND_BAD_FORMAT, "terrain: ends early");
    expect_forged(&file, terrain, "\3", 1, WEND_BAD_FORMAT, "terrain: a chunk is stored in an unknown way");
    expect_forged(&file, terrain, "\2", 1, WEND_BAD_FORMAT, "terrain: ends early");
    expect_forged(&file, terrain, "\0", 1, WEND_BAD_FORMAT, "terrain: more bytes than the map's size needs");
    expect_forged(&file, terrain + 1, "\1\1", 2, WEND_BAD_FORMAT, "terrain: two classes of a chunk are the same");
    const size_t links = (size_t)section_of(&file, "links", &entry).offset;
    const int32_t link_bytes = (int32_t)section_of(&file, "links", &entry).bytes;
    expect_forged_int(&file, entry + 24, link_bytes - 1, WEND_BAD_FORMAT, "links: ends early");
    expect_forged_int(&file, links, 350, WEND_BAD_FORMAT, "links: a link is off the map");
    expect_forged_int(&file, links + 4, -1, WEND_BAD_FORMAT, "links: a link is off the map");
    expect_forged_int(&file, links + 8, 0, WEND_BAD_FORMAT, "links: cost is 0, but must be from 1 to 1000000");
    const size_t steps = (size_t)section_of(&file, "steps", &entry).offset;
    expect_forged_int(&file, steps, 4, WEND_BAD_FORMAT,
                      "steps: 4,1,0 and 2,1,0 are no neighbours under the map's rules");
    expect_forged_int(&file, steps + 4, 5, WEND_BAD_FORMAT,
                      "steps: from is 1,5,0, off the map: x is 0 to 69, y 0 to 4, z 0 to 0");
    free(file.bytes);
}

Test(baked, a_head_alone_has_no_sections) {
    wend__baked_head head = {.version = WEND__BAKED_VERSION, .sections = 1, .bytes = sizeof head};
    memcpy(head.magic, WEND__BAKED_MAGIC, sizeof head.magic);
    written file = {.bytes = (char *)&head, .size = sizeof head};
    forge(&file);
    expect_bad(&file, WEND_BAD_FORMAT, 0, "1 sections are too many");
}

Test(baked, a_part_of_a_sheet_is_refused) {
    static const wend_sheet sheets[] = {{{{0, 0, 0}, {63, 63, 0}}, {0, 0, 0}},
                                        {{{64, 0, 0}, {127, 63, 0}}, {500, 0, 0}}};
    wend_map_def def = default_map();
    size_t entry;
    def.width = 128, def.height = 64, def.sheets = sheets, def.sheet_count = 2;
    wend_map *map = made_map(&def);
    written file = baked_of(map);
    wend_map_release(map);
    const int32_t bytes = (int32_t)section_of(&file, "sheets", &entry).bytes;
    expect_forged_int(&file, entry + 24, bytes - 1, WEND_BAD_FORMAT,
                      "sheets: not a number of sheets that a map can have");
    free(file.bytes);
}

Test(baked, landmarks_of_another_map_are_refused) {
    NEEDS_FAST();
    wend_map *map = little_map();
    written file = baked_of(map);
    size_t entry;
    wend_map_release(map);
    const size_t at = (size_t)section_of(&file, "landmarks", &entry).offset;
    const int32_t bytes = (int32_t)section_of(&file, "landmarks", &entry).bytes;
    static const char few[] = "landmarks: their number is not from 1 to 8";
    expect_forged_int(&file, at, 0, WEND_BAD_FORMAT, few);
    expect_forged_int(&file, at, 9, WEND_BAD_FORMAT, few);
    expect_forged_int(&file, at, 2, WEND_BAD_FORMAT, "landmarks: numbers are too large");
    expect_forged_int(&file, at + 4, 2, WEND_BAD_FORMAT, "landmarks: a landmark is valid that there is not");
    expect_forged_int(&file, at + 4, 0, WEND_BAD_FORMAT, "landmarks: a landmark is valid that there is not");
    expect_forged_int(&file, at + 8, 0, WEND_BAD_FORMAT, "landmarks: their scale is none");
    expect_forged_int(&file, at + 8, 513, WEND_BAD_FORMAT, "landmarks: their scale is none");
    expect_forged_int(&file, at + 12, 7, WEND_BAD_FORMAT, "landmarks: they are of a map of another size");
    expect_forged(&file, at + 24, "\3", 1, WEND_BAD_FORMAT, "landmarks: a strip is stored in an unknown way");
    expect_forged(&file, at + 24, "\2", 1, WEND_BAD_FORMAT, "landmarks: a strip is not stored as the table says");
    expect_forged(&file, at + 24, "\0", 1, WEND_BAD_FORMAT, "landmarks: bytes are left over");
    expect_forged_int(&file, at + 64 + 4, INT32_MAX - 2 * 65536 + 1, WEND_BAD_FORMAT,
                      "landmarks: numbers are too large");
    expect_forged_int(&file, at + 64 + 4, -65537, WEND_BAD_FORMAT, "landmarks: numbers are too large");
    expect_forged_int(&file, entry + 24, bytes - 1, WEND_BAD_FORMAT, "no section has these bytes");
    expect_forged_int(&file, entry + 24, bytes + 1, WEND_BAD_FORMAT, "landmarks: is not where it should be");
    expect_forged_int(&file, entry + 24, 0, WEND_BAD_FORMAT, "landmarks: is not where it should be");
    free(file.bytes);
}

/* Costs are any then, but each search ends, with a path of its steps. */
static const uint8_t few_walls[30] = {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                      1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
Test(baked, searches_end_whatever_the_landmarks_are, .timeout = 60) {
    NEEDS_FAST();
    uint32_t seed = 3;
    for (int32_t world = 0; world < 20; world++) {
        size_t entry;
        wend_map *map = random_space(&seed, (wend_cell){16, 16, 16}, few_walls, COUNT_OF(few_walls));
        accelerate(map, 0, 4);
        written file = baked_of(map);
        const wend__baked_section landmarks = section_of(&file, "landmarks", &entry);
        wend_map *back = NULL;
        for (int32_t i = 0; i < 9; i++) {
            char before[400];
            char *run = file.bytes + landmarks.offset + next_random(&seed) % (landmarks.bytes - sizeof before);
            memcpy(before, run, sizeof before);
            for (size_t b = 0; b < sizeof before; b++) run[b] = (char)next_random(&seed);
            forge(&file);
            wend_map_release(back), back = NULL;
            if (parse_map(file.bytes, file.size, NULL, &back, NULL, NULL) != WEND_OK)
                memcpy(run, before, sizeof before);
        }
        wend_map_release(back);
        forge(&file);
        back = loaded(&file);
        expect_endings(back, &seed, 200);
        wend_map_release(back);
        wend_map_release(map);
        free(file.bytes);
    }
}

Test(baked, other_rules_are_refused) {
    wend_map *map = little_map(), *back = NULL;
    const written file = baked_of(map);
    wend_map_def def = default_map();
    wend_map_rules rules = rules_now(map);
    wend_file_error error = {.struct_bytes = sizeof error};
    def.rules = &rules;
    cr_expect_eq(parse_map(file.bytes, file.size, &def, &back, NULL, &error), WEND_OK, "the same rules");
    wend_map_release(back);
    rules.neighbours = 0;
    cr_expect_eq(parse_map(file.bytes, file.size, &def, &back, NULL, &error), WEND_OK, "0 stands for 8");
    wend_map_release(back);
    rules.factors[77]++;
    cr_expect_eq(parse_map(file.bytes, file.size, &def, &back, NULL, &error), WEND_UNSUPPORTED);
    cr_expect_str_eq(error.text, "the map was baked under other rules: ask for none, or bake it again");
    rules.factors[77]--;
    int32_t *const others[] = {&rules.neighbours,    &rules.corners,    &rules.cost_straight,
                               &rules.cost_diagonal, &rules.cost_space, NULL};
    for (size_t i = 0; others[i]; i++) {
        const int32_t own = *others[i];
        *others[i] = i == 0 ? 4 : own + 1;
        cr_expect_eq(parse_map(file.bytes, file.size, &def, &back, NULL, &error), WEND_UNSUPPORTED, "rule %zu", i);
        *others[i] = own;
    }
    wend_map_release(map);
    free(file.bytes);
}

Test(baked, what_it_cannot_hold_is_refused) {
    OWNED_MAP *map = grid_map(5, 5), *graph = good_map("p sp 2 1\na 1 2 3\n", NULL);
    wend_mover mover = default_mover();
    wend_file_error error = {.struct_bytes = sizeof error};
    written out = {0};
    int32_t id;
    cr_assert_eq(wend_map_add_mover(map, &mover, &id), WEND_OK);
    cr_expect_eq(wend_map_write(map, WEND_FORMAT_BAKED, NULL, write_memory, &out, &error), WEND_UNSUPPORTED);
    cr_expect_str_eq(error.text, "the map has movers, which a baked map cannot hold");
    cr_expect_eq(wend_map_write(graph, WEND_FORMAT_BAKED, NULL, write_memory, &out, &error), WEND_UNSUPPORTED);
    cr_expect_str_eq(error.text, "a graph cannot be written as a baked map");
    cr_expect_eq(out.calls, 0);
}

Test(baked, nothing_stays_behind_without_memory) {
    wend_map *map = little_map();
    const written file = baked_of(map);
    wend_map_release(map);
    int32_t code = WEND_OUT_OF_MEMORY;
    for (size_t fail_at = 1; code == WEND_OUT_OF_MEMORY; fail_at++) {
        counting counts = {.fail_at = fail_at};
        wend_map_def def = default_map();
        wend_map *back = NULL;
        def.allocator = counting_allocator(&counts);
        code = parse_map(file.bytes, file.size, &def, &back, NULL, NULL);
        if (code == WEND_OK) wend_map_release(back);
        cr_assert(code == WEND_OK || code == WEND_OUT_OF_MEMORY);
        cr_assert_eq(counts.bytes, 0, "allocation %zu", fail_at);
        cr_assert(fail_at > 20 || code != WEND_OK);
    }
    wend_map_def def = default_map();
    wend_map *none = NULL;
    def.max_bytes = file.size;
    cr_expect_eq(parse_map(file.bytes, file.size, &def, &none, NULL, NULL), WEND_OUT_OF_MEMORY);
    free(file.bytes);
}

Test(baked, the_checksum_is_xxh64) {
    static const struct {
        const char *text;
        uint64_t sum;
    } known[] = {{"", UINT64_C(0xEF46DB3751D8E999)},
                 {"a", UINT64_C(0xD24EC4F1A98C6E5B)},
                 {"abc", UINT64_C(0x44BC2CF5AD770999)},
                 {"Nobody inspects the spammish repetition", UINT64_C(0xFBCEA83C8A378BF1)}};
    for (size_t i = 0; i < COUNT_OF(known); i++)
        for (size_t piece = 1; piece < 40; piece++) {
            wend__checksum sum;
            const size_t length = strlen(known[i].text);
            wend__checksum_begin(&sum);
            for (size_t at = 0; at < length; at += piece)
                wend__checksum_add(&sum, known[i].text + at, length - at < piece ? length - at : piece);
            cr_assert_eq(wend__checksum_of(&sum), known[i].sum, "%s", known[i].text);
        }
}
