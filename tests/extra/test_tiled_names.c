/* SPDX-License-Identifier: MIT */
/* Names by which tiles, layers and objects of Tiled maps block or cost, and the warnings about them. */
#include "extra/tiled_help.h"

#define NAMED(name, value) "{'name':'" name "','value':" value "}"
#define PAIR(properties)                                                                                               \
    HEAD "'tilesets':[{'firstgid':1,'name':'s','tilecount':3,'tiles':[" TILE(1, "%s") "]}],'layers':[" LAYER(          \
        "a", "[1,2,1,3,2,0]") "]}"

static tiled_result read_pair(const wend_tiled_def *how, const char *property) {
    return read_tiled_with(how, PAIR(), property);
}

/// The only warning, or "" where there is none.
static const char *warning_of(const tiled_result *r) {
    cr_assert_leq(r->beside->warning_count, 1);
    return r->beside->warning_count ? r->beside->warnings[0] : "";
}

#define NOTHING "no tile, layer or object of this map says what blocks: all 6 cells are open (--blocked NAME)"

static void expect_pair(const char *property, const char *classes, const char *warning) {
    OWNED(drop_tiled) tiled_result r = expect_classes(read_pair(NULL, property), classes);
    cr_expect_str_eq(warning_of(&r), warning, "%s: %s", property, warning_of(&r));
}

Test(extra_tiled_names, block_tiles_in_any_case_and_are_said_once) {
    static const char *const names[] = {"collides", "collide", "ge_collide", "collision", "solid", "wall", "obstacle"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char property[96], warning[96];
        for (int upper = 0; upper < 2; upper++) {
            snprintf(property, sizeof property, NAMED("%s", "true"), names[i]);
            if (upper) property[9] = (char)(property[9] - 'a' + 'A');
            snprintf(warning, sizeof warning, "1 tile blocked by '%s'", names[i]);
            expect_pair(property, "101/101", warning);
        }
        snprintf(property, sizeof property, NAMED("%s", "false"), names[i]);
        expect_pair(property, "111/111", "");
    }
    expect_pair(NAMED("walkable", "false"), "101/101", "1 tile blocked by 'walkable' = false");
    expect_pair(NAMED("Passable", "false"), "101/101", "1 tile blocked by 'passable' = false");
    expect_pair(NAMED("walkable", "true"), "111/111", "");
}

Test(extra_tiled_names, of_wend_itself_go_before_others_and_are_not_said) {
    expect_pair(NAMED("blocked", "true"), "101/101", "");
    expect_pair(NAMED("Blocked", "true"), "101/101", "");
    expect_pair(NAMED("solid", "true") "," NAMED("blocked", "false"), "111/111", "");
    expect_pair(NAMED("walkable", "true") "," NAMED("solid", "true"), "101/101", "1 tile blocked by 'solid'");
    expect_pair(NAMED("cost", "3"), "131/131", "");
}

Test(extra_tiled_names, may_have_their_truth_as_a_text_or_a_number) {
    static const char *const yes[] = {"true", "1", "'true'", "'1'", "'Yes'"}, *const no[] = {"false", "0", "'no'"};
    char property[96];
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
        snprintf(property, sizeof property, NAMED("collides", "%s"), yes[i]);
        expect_pair(property, "101/101", "1 tile blocked by 'collides'");
        snprintf(property, sizeof property, NAMED("blocked", "%s"), yes[i]);
        expect_pair(property, "101/101", "");
    }
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
        snprintf(property, sizeof property, NAMED("collides", "%s"), no[i]);
        expect_pair(property, "111/111", "");
    }
    expect_pair(NAMED("wall", "'brick'"), "111/111", NOTHING);
    expect_pair(NAMED("wall", "2"), "111/111", NOTHING);
}

Test(extra_tiled_names, are_missed_aloud) {
    expect_pair(NAMED("sound", "'x'"), "111/111", NOTHING);
    expect_pair(NAMED("walls", "true"), "111/111", NOTHING);
    expect_pair(NAMED("wal", "true"), "111/111", NOTHING);
}

Test(extra_tiled_names, of_costs_are_said) {
    static const char *const names[] = {"weight", "movementCost", "ge_cost", "MOVEMENTCOST"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char property[96];
        snprintf(property, sizeof property, NAMED("%s", "255"), names[i]);
        OWNED(drop_tiled) tiled_result r = expect_classes(read_pair(NULL, property), "1(255)1/1(255)1");
        cr_assert_eq(r.beside->warning_count, 2);
        cr_expect(strstr(r.beside->warnings[0], "1 tile with the cost of '"), "%s", r.beside->warnings[0]);
        cr_expect_str_eq(r.beside->warnings[1], NOTHING);
    }
    static const char *const bad[] = {"0", "256", "2.5", "'heavy'", "-1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char property[96];
        snprintf(property, sizeof property, NAMED("weight", "%s"), bad[i]);
        OWNED(drop_tiled) tiled_result r = expect_classes(read_pair(NULL, property), "111/111");
        cr_expect_str_eq(r.beside->warnings[0],
                         "tileset 's', tile 1: 'weight' is no whole number from 1 to 255: left out");
    }
    expect_pair(NAMED("cost", "4") "," NAMED("weight", "9"), "141/141", "");
}

static void expect_layer(const char *layer, const char *classes, const char *warning) {
    OWNED(drop_tiled)
    tiled_result r = expect_classes(
        read_tiled(HEAD "'tilesets':[{'firstgid':1,'name':'s','tilecount':3}],'layers':[" LAYER("ground", OPEN) ",%s]}",
                   layer),
        classes);
    cr_expect_str_eq(warning_of(&r), warning, "%s: %s", layer, warning_of(&r));
}

#define SOME "[0,3,0,1,0,0]"
#define WITH(name, properties)                                                                                         \
    "{'name':'" name "','type':'tilelayer','width':3,'height':2,'data':" SOME ",'properties':[" properties "]}"

Test(extra_tiled_names, of_layers_block_where_they_have_a_tile) {
    static const char *const names[] = {"collision", "collisions", "collide", "walls",
                                        "obstacles", "blocked",    "solid",   "Walls"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char layer[256], warning[96];
        snprintf(layer, sizeof layer, LAYER("%s", SOME), names[i]);
        snprintf(warning, sizeof warning, "1 layer blocked by '%s': 2 tiles", i == 7 ? "walls" : names[i]);
        expect_layer(layer, "101/011", warning);
    }
    expect_layer(LAYER("wall", SOME), "111/111", NOTHING);
    expect_layer(LAYER("the walls", SOME), "111/111", NOTHING);
    expect_layer(WITH("a", NAMED("Collides", "true")), "101/011", "1 layer blocked by 'collides': 2 tiles");
    expect_layer(WITH("a", NAMED("walkable", "false")), "101/011", "1 layer blocked by 'walkable': 2 tiles");
    expect_layer(WITH("walls", NAMED("collides", "false")), "111/111", NOTHING);
    expect_layer("{'name':'walls','type':'group','layers':[" LAYER("a", SOME) "," LAYER("b", "[0,0,2,0,0,0]") "]}",
                 "100/011", "2 layers blocked by 'walls': 3 tiles");
    expect_layer("{'name':'walls','type':'tilelayer','visible':false,'width':3,'height':2,'data':" SOME "}", "101/011",
                 "1 layer blocked by 'walls': 2 tiles");
}

Test(extra_tiled_names, of_the_caller_stand_in_place_of_the_common_ones) {
    static const char *const names[] = {"tree", "!free"}, *const costs[] = {"mud"};
    wend_tiled_def how;
    wend_tiled_def_init(&how, sizeof how);
    how.blocked_names = names, how.blocked_name_count = 2;
    how.cost_names = costs, how.cost_name_count = 1, how.strict = 1;
    static const char *const blocked[] = {NAMED("Tree", "true"), NAMED("free", "false"), NAMED("blocked", "true")};
    for (size_t i = 0; i < 3; i++) {
        OWNED(drop_tiled) tiled_result r = expect_classes(read_pair(&how, blocked[i]), "101/101");
        cr_expect_str_eq(warning_of(&r), "");
    }
    tiled_result r = expect_classes(read_pair(&how, NAMED("free", "true") "," NAMED("mud", "7")), "171/171");
    drop_tiled(&r);
    expect_error(read_pair(&how, NAMED("solid", "true")), WEND_BAD_FORMAT, NOTHING);
    how.strict = 0;
    r = expect_classes(read_tiled_with(&how, HEAD TILES "'layers':[" LAYER("Tree", "[0,1,0,0,0,0]") "," LAYER(
                                                 "walls", "[1,0,0,0,0,0]") "]}"),
                       "101/111");
    cr_expect_str_eq(warning_of(&r), "");
    drop_tiled(&r);
}

Test(extra_tiled_names, of_the_caller_are_64_at_most) {
    const char *names[WEND_TILED_MAX_NAMES + 1];
    char texts[WEND_TILED_MAX_NAMES + 1][16];
    for (int i = 0; i <= WEND_TILED_MAX_NAMES; i++) snprintf(texts[i], sizeof texts[i], "n%d", i), names[i] = texts[i];
    wend_tiled_def how;
    wend_tiled_def_init(&how, sizeof how);
    how.blocked_names = how.cost_names = names;
    how.blocked_name_count = how.cost_name_count = WEND_TILED_MAX_NAMES;
    tiled_result r = expect_classes(read_pair(&how, NAMED("n63", "true")), "101/101");
    drop_tiled(&r);
    how.blocked_name_count = how.cost_name_count = WEND_TILED_MAX_NAMES - 1;
    r = expect_classes(read_pair(&how, NAMED("n62", "true")), "101/101");
    drop_tiled(&r);
    how.blocked_name_count = how.cost_name_count = WEND_TILED_MAX_NAMES;
    static const char bad[] = "a list of names has up to 64, none of them empty";
    how.blocked_name_count = WEND_TILED_MAX_NAMES + 1;
    expect_error(read_pair(&how, ""), WEND_BAD_ARGUMENT, bad);
    how.blocked_name_count = 1, how.cost_name_count = WEND_TILED_MAX_NAMES + 1;
    expect_error(read_pair(&how, ""), WEND_BAD_ARGUMENT, bad);
    how.cost_name_count = 0, names[0] = "!";
    expect_error(read_pair(&how, ""), WEND_BAD_ARGUMENT, bad);
    names[0] = NULL;
    expect_error(read_pair(&how, ""), WEND_BAD_ARGUMENT, bad);
    how.blocked_names = NULL;
    expect_error(read_pair(&how, ""), WEND_BAD_ARGUMENT, bad);
    wend_tiled_def_init(&how, sizeof how);
    how.struct_bytes = 3;
    expect_error(read_pair(&how, ""), WEND_BAD_ARGUMENT, wend_error_text(WEND_BAD_ARGUMENT));
}
