/* SPDX-License-Identifier: MIT */
/* Storeys of Tiled maps: cells become ground, walls, ceilings and stairs, and walkers find their way there. */
#include "extra/tiled_help.h"
#include <wend/query.h>
#include <wend/ways.h>

#define STAIRS "{'name':'stairs','type':'bool','value':true}"
/// Tiles 1 floor, 2 wall, 3 stairs, 4 of cost 5.
#define FLOORS                                                                                                         \
    "'tilesets':[{'firstgid':1,'name':'set','tilecount':4,'tiles':[" TILE(1, BLOCKED) "," TILE(2, STAIRS) "," TILE(    \
        3, COST(5)) "]}],"
#define STOREY(n) "'properties':[{'name':'storey','type':'int','value':" #n "}],"
#define ON(n, type) "{'name':'s" #n "'," STOREY(n) "'type':'" type "',"
#define TILES_ON(n, data) ON(n, "tilelayer") "'width':3,'height':2,'data':" data "}"
#define THINGS_ON(n, list) ON(n, "objectgroup") "'objects':[" list "]}"
#define SPOT(id, type, x, y) "{'id':" #id ",'type':'" type "','x':" #x ",'y':" #y "}"

/* A character a cell: '#' blocked, '.' open, 's' stairs, a digit for other classes; rows parted by '/'. */
static void expect_level(const wend_map *map, int32_t level, const char *wanted) {
    const wend_map_info info = info_now(map);
    char text[64], *at = text;
    for (int32_t y = 0; y < info.height; y++) {
        if (y) *at++ = '/';
        for (int32_t x = 0; x < info.width; x++) {
            uint8_t class;
            cr_assert_eq(wend_map_get_terrain(map, (wend_cell){x, y, level}, &class), WEND_OK);
            *at++ = class == WEND_CLASS_STAIRS ? 's' : class > 1 ? (char)('0' + class) : class ? '.' : '#';
        }
    }
    *at = 0;
    cr_expect_str_eq(text, wanted, "level %d: %s, not %s", level, text, wanted);
}

#define HOUSE                                                                                                          \
    "'layers':[" TILES_ON(0, "[1,3,2,1,4,0]") "," TILES_ON(1, "[1,3,1,1,0,3]") "," THINGS_ON(                          \
        0, SPOT(1, "start", 8, 8)) "," THINGS_ON(1, SPOT(2, "goal", 40, 8)) "]}"

Test(extra_tiled_storeys, have_ground_air_and_a_ceiling) {
    OWNED(drop_tiled) tiled_result r = read_tiled(HEAD FLOORS HOUSE);
    cr_assert_eq(r.code, WEND_OK, "%s", r.error.text);
    const wend_map_info info = info_now(r.map);
    cr_assert(info.kind == WEND_KIND_VOXEL && info.depth == 2 * WEND_TILED_LEVELS);
    expect_level(r.map, 0, ".s#/.5.");
    expect_level(r.map, 1, ".s#/...");
    expect_level(r.map, 2, "#s#/#.#"); /* no tile above 1,1: a hole; no stairs above those at 1,0: none at 2,1 */
    expect_level(r.map, 3, ".s./..s");
    expect_level(r.map, 4, ".../...");
    expect_level(r.map, 5, ".../...");
    cr_expect(same_cell(r.beside->markers->start, (wend_cell){0, 0, 0}));
    cr_expect(same_cell(r.beside->markers->goal, (wend_cell){2, 0, WEND_TILED_LEVELS}));
}

static int32_t walker_on(wend_map *map, int32_t drop) {
    wend_mover mover = default_mover();
    int32_t id;
    mover.walker = 1, mover.headroom = 2, mover.step_up = 1, mover.drop = drop;
    mover.factors[WEND_CLASS_STAIRS] = 1;
    cr_assert_eq(wend_map_add_mover(map, &mover, &id), WEND_OK);
    return id;
}

static int32_t reachable(const wend_map *map, int32_t mover, wend_cell from, wend_cell to) {
    bool answer;
    cr_assert_eq(wend_map_reachable(map, mover, from, to, &answer), WEND_OK);
    return answer;
}

Test(extra_tiled_storeys, are_joined_by_stairs_for_those_who_walk) {
    OWNED(drop_tiled) tiled_result r = read_tiled(HEAD FLOORS HOUSE);
    cr_assert_eq(r.code, WEND_OK, "%s", r.error.text);
    const wend_cell start = r.beside->markers->start, goal = r.beside->markers->goal;
    const int32_t mover = walker_on(r.map, 1);
    cr_expect(reachable(r.map, mover, start, goal));
    wend_edit *edit = begin_edit(r.map); /* without the stairs there is no way */
    cr_assert_eq(wend_edit_set_cell(edit, (wend_cell){1, 0, 2}, WEND_CLASS_BLOCKED), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_expect(!reachable(r.map, mover, start, goal));
    cr_expect(reachable(r.map, walker_on(r.map, 3), goal, start), "down through the hole");
}

Test(extra_tiled_storeys, are_those_of_groups_and_default_to_the_lowest) {
    OWNED(drop_tiled)
    tiled_result r = read_tiled(HEAD FLOORS "'layers':[" LAYER(
        "a", "[1,1,1,2,2,2]") ",{'type':"
                              "'group','name':'up'," STOREY(1) "'layers':[" LAYER("b", "[2,1,1,1,1,1]") "," LAYER(
                                  "c", "[0,4,0,0,0,0]") "]}]}");
    cr_assert_eq(r.code, WEND_OK, "%s", r.error.text);
    expect_level(r.map, 0, ".../###");
    expect_level(r.map, 2, "###/###");
    expect_level(r.map, 3, "#5./...");
}

Test(extra_tiled_storeys, without_tiles_below_are_above_open_ground) {
    OWNED(drop_tiled) tiled_result r = read_tiled(HEAD FLOORS "'layers':[" TILES_ON(1, "[1,1,0,0,0,0]") "]}");
    cr_assert_eq(r.code, WEND_OK, "%s", r.error.text);
    expect_level(r.map, 0, ".../...");
    expect_level(r.map, 2, "##./...");
}

Test(extra_tiled_storeys, are_0_to_63) {
    for (int storeys = WEND_TILED_MAX_STOREYS - 1; storeys <= WEND_TILED_MAX_STOREYS + 1; storeys++) {
        const int last = storeys - 1;
        OWNED(drop_tiled) tiled_result r = read_tiled(HEAD FLOORS "'layers':[" TILES_ON(% d, OPEN) "]}", last, last);
        cr_expect_eq(r.code, storeys <= WEND_TILED_MAX_STOREYS ? WEND_OK : WEND_BAD_FORMAT, "%s", r.error.text);
        if (r.map) cr_expect_eq(info_now(r.map).depth, storeys * WEND_TILED_LEVELS);
    }
    static const char text[] = "layer 's%s': property 'storey' must be a whole number from 0 to 63 (type int)";
    char wanted[128];
    snprintf(wanted, sizeof wanted, text, "64");
    expect_error(read_tiled(HEAD FLOORS "'layers':[" TILES_ON(64, OPEN) "]}"), WEND_BAD_FORMAT, wanted);
    snprintf(wanted, sizeof wanted, text, "-1");
    expect_error(read_tiled(HEAD FLOORS "'layers':[" TILES_ON(-1, OPEN) "]}"), WEND_BAD_FORMAT, wanted);
    snprintf(wanted, sizeof wanted, text, "1.5");
    expect_error(read_tiled(HEAD FLOORS "'layers':[" TILES_ON(1.5, OPEN) "]}"), WEND_BAD_FORMAT, wanted);
}

Test(extra_tiled_storeys, of_objects_have_tiles) {
    expect_error(read_tiled(HEAD FLOORS "'layers':[" TILES_ON(1, OPEN) "," THINGS_ON(2, SPOT(1, "start", 8, 8)) "]}"),
                 WEND_BAD_FORMAT, "layer 's2': no layer of tiles is of storey 2");
    expect_error(read_tiled(HEAD FLOORS "'layers':[" LAYER("a", OPEN) "," THINGS_ON(1, SPOT(1, "goal", 8, 8)) "]}"),
                 WEND_BAD_FORMAT, "layer 's1': no layer of tiles is of storey 1");
}

Test(extra_tiled_storeys, have_links_between_them) {
    OWNED(drop_tiled)
    tiled_result r = read_tiled(HEAD FLOORS "'layers':[" TILES_ON(0, OPEN) "," TILES_ON(1, OPEN) "," THINGS_ON(
        0, "{'id':1,'type':'link','x':8,'y':8,'properties':[{'name':'to','type':'object','value'"
           ":2}]}") "," THINGS_ON(1, SPOT(2, "", 8, 8)) "]}");
    cr_assert_eq(r.code, WEND_OK, "%s", r.error.text);
    wend_link link;
    size_t count;
    wend_map_get_links(r.map, &link, 1, &count);
    cr_assert(count == 1 && link.from.z == 0 && link.to.z == WEND_TILED_LEVELS && link.from.x == link.to.x);
}
