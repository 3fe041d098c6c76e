/* SPDX-License-Identifier: MIT */
/* The picture that Tiled draws of a map, as wend_tiled.scene has it. Places of tiles are compared with Tiled's own
 * rules for its kinds of maps, which the test has from its documentation. */
#include "extra/tiled_help.h"
#include "models/random.h"

#include <math.h>
#include <sys/stat.h>

static wend_tiled_def scene_wanted(void) {
    wend_tiled_def how;
    wend_tiled_def_init(&how, sizeof how);
    how.scene = 1;
    return how;
}

static void expect_part(const tiled_result *r, const char *quoted) {
    char part[1024];
    snprintf(part, sizeof part, "%s", quoted);
    straight_quotes(part);
    cr_expect(strstr(r->beside->scene, part), "%s is not in %s", part, r->beside->scene);
}

Test(tiled_scene, is_there_only_when_it_is_asked_for) {
    wend_tiled_def how = scene_wanted();
    tiled_result plain = read_tiled(HEAD TILES "'layers':[" LAYER("a", OPEN) "]}");
    cr_assert_eq(plain.code, WEND_OK, "%s", plain.error.text);
    cr_expect(!plain.beside->scene && !plain.beside->images && plain.beside->image_count == 0);
    drop_tiled(&plain);
    tiled_result with = read_tiled_with(&how, HEAD TILES "'layers':[" LAYER("a", OPEN) "]}");
    cr_assert_eq(with.code, WEND_OK, "%s", with.error.text);
    cr_expect_eq(with.beside->scene_bytes, strlen(with.beside->scene));
    cr_expect_eq(with.beside->image_count, 0);
    drop_tiled(&with);
}

#define SHOWN(name, more, data) "{'name':'" name "','type':'tilelayer','width':3,'height':2," more ",'data':" data "}"

Test(tiled_scene, has_the_tiles_of_layers_that_are_shown) {
    const wend_tiled_def how = scene_wanted();
    OWNED(drop_tiled)
    tiled_result r = read_tiled_with(
        &how, HEAD TILES "'layers':[" SHOWN(
                  "ground", "'opacity':0.5",
                  "[1,1,1,1,2147483649,3758096387]") ","
                                                     "{'name':'g','type':'group','offsetx':3,'offsety':-4,'opacity':0."
                                                     "5,'layers':[" SHOWN(
                                                         "over", "'offsetx':16,'opacity':0.5",
                                                         "[0,0,1,0,0,0]") "]},"
                                                                          "{'name':'h','type':'group','visible':false,'"
                                                                          "layers':[" LAYER("in it", OPEN) "]}," SHOWN(
                                                                              "collision", "'visible':false",
                                                                              "[0,0,0,0,0,4]") "]}");
    cr_assert_eq(r.code, WEND_OK, "%s", r.error.text);
    expect_part(
        &r, "'blocks':[{'layer':0,'storey':0,'opacity':0.5,'offset':[0.0,0.0],'at':[0,0],'size':[3,2],"
            "'runs':[1,4,2147483649,1,3758096387,1]},"
            "{'layer':2,'storey':0,'opacity':0.25,'offset':[19.0,-4.0],'at':[0,0],'size':[3,2],'runs':[0,2,1,1,0,3]}]");
}

Test(tiled_scene, has_the_pictures_of_tilesets) {
    const wend_tiled_def how = scene_wanted();
    cr_assert(mkdir("scene_sets", 0755) == 0 || true);
    put_file("scene_sets/a.tsj",
             "{'type':'tileset','tilecount':4,'tilewidth':8,'tileheight':12,'margin':1,'spacing':2,"
             "'image':'../pictures/a.png','transparentcolor':'#ff00ff','tileoffset':{'x':1,'y':-2}}");
    OWNED(drop_tiled)
    tiled_result r = read_tiled_with(
        &how, HEAD "'tilesets':[{'firstgid':1,'source':'scene_sets/a.tsj'},{'firstgid':5,'name':'b','tilecount':3,"
                   "'tilewidth':32,'tileheight':48,'tilerendersize':'grid','tiles':[{'id':0,'image':'sub\\\\tree.png'},"
                   "{'id':2,'image':'/far/rock.png','x':4,'y':5,'width':6,'height':7},{'id':1}]},"
                   "{'firstgid':9,'name':'c','tilecount':1,'image':'sub/tree.png'}],'layers':[" LAYER("a", OPEN) "]}");
    cr_assert_eq(r.code, WEND_OK, "%s", r.error.text);
    cr_assert_eq(r.beside->image_count, 3);
    cr_expect_str_eq(r.beside->images[0], "scene_sets/../pictures/a.png");
    cr_expect_str_eq(r.beside->images[1], "sub/tree.png");
    cr_expect_str_eq(r.beside->images[2], "/far/rock.png");
    expect_part(&r, "{'first':1,'tile':[8.0,12.0],'margin':1.0,'spacing':2.0,'offset':[1.0,-2.0],'grid':false,"
                    "'pictures':[],'image':0,'clear':'#ff00ff'}");
    expect_part(&r, "{'first':5,'tile':[32.0,48.0],'margin':0.0,'spacing':0.0,'offset':[0.0,0.0],'grid':true,"
                    "'pictures':[[0,1,0.0,0.0,0.0,0.0],[2,2,4.0,5.0,6.0,7.0]]}");
    expect_part(&r, "'pictures':[],'image':1}");
}

Test(tiled_scene, is_the_same_of_xml) {
    const wend_tiled_def how = scene_wanted();
    static const char xml[] =
        "<map orientation='orthogonal' width='3' height='2' tilewidth='16' tileheight='16'><tileset firstgid='1' "
        "tilecount='4' tilewidth='8' tileheight='12' margin='1' spacing='2'><tileoffset x='1' y='-2'/>"
        "<image source='a.png' trans='ff00ff'/><tile id='3'><image source='b.png'/></tile></tileset>"
        "<layer name='a' width='3' height='2' opacity='0.5'><data encoding='csv'>1,1,1,1,1,4</data></layer>"
        "<layer name='b' width='3' height='2' visible='0'><data encoding='csv'>1,1,1,1,1,1</data></layer></map>";
    OWNED(drop_tiled) tiled_result other = {.error = {.struct_bytes = sizeof other.error}};
    OWNED(drop_tiled)
    tiled_result r = read_tiled_with(
        &how, HEAD "'tilesets':[{'firstgid':1,'tilecount':4,'tilewidth':8,'tileheight':12,'margin':1,'spacing':2,"
                   "'tileoffset':{'x':1,'y':-2},'image':'a.png','transparentcolor':'ff00ff',"
                   "'tiles':[{'id':3,'image':'b.png'}]}],'layers':[" SHOWN("a", "'opacity':0.5", "[1,1,1,1,1,4]") "]}");
    other.code = wend_tiled_parse(xml, sizeof xml - 1, NULL, &how, NULL, &other.map, &other.beside, &other.error);
    cr_assert_eq(r.code, WEND_OK, "%s", r.error.text);
    cr_assert_eq(other.code, WEND_OK, "%s", other.error.text);
    cr_expect_str_eq(other.beside->scene, r.beside->scene);
    cr_assert(other.beside->image_count == 2 && r.beside->image_count == 2);
    cr_expect_str_eq(other.beside->images[1], "b.png");
}

/* ---- where cells and tiles lie ---- */

typedef struct picture_map {
    const char *orientation, *axis, *index;
    int wide, high, side; ///< pixels
    int left, top;        ///< position of an infinite map
} picture_map;

/* The middle of a tile in Tiled's pixels. */
static void middle_of(const picture_map *m, int column, int row, double *x, double *y) {
    const bool flat = strcmp(m->axis, "x") == 0, even = strcmp(m->index, "even") == 0;
    const bool shifted = (((flat ? column : row) & 1) == 0) == even;
    if (strcmp(m->orientation, "orthogonal") == 0) {
        *x = column * m->wide + m->wide / 2.0, *y = row * m->high + m->high / 2.0;
    } else if (strcmp(m->orientation, "isometric") == 0) {
        *x = (column - row) * m->wide / 2.0, *y = (column + row + 1) * m->high / 2.0;
    } else {
        const double across = flat ? (m->wide + m->side) / 2.0 : m->wide;
        const double down = flat ? m->high : (m->high + m->side) / 2.0;
        *x = column * across + m->wide / 2.0 + (shifted && !flat ? m->wide / 2.0 : 0);
        *y = row * down + m->high / 2.0 + (shifted && flat ? m->high / 2.0 : 0);
    }
}

static void numbers_of(const char *scene, const char *key, double out[2]) {
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\"%s\":[", key);
    const char *at = strstr(scene, quoted);
    cr_assert(at && sscanf(at + strlen(quoted), "%lf,%lf", &out[0], &out[1]) == 2, "%s in %s", key, scene);
}

static wend_cell cell_of_cost(const wend_map *map) {
    const wend_map_info info = info_now(map);
    for (int32_t y = 0; y < info.height; y++)
        for (int32_t x = 0; x < info.width; x++) {
            uint8_t class;
            cr_assert_eq(wend_map_get_terrain(map, CELL(x, y), &class), WEND_OK);
            if (class == 3) return CELL(x, y);
        }
    cr_assert_fail("no cell has the tile");
    return CELL(0, 0);
}

static void expect_place(const picture_map *m, int column, int row) {
    enum { SIDE = 16 };
    const wend_tiled_def how = scene_wanted();
    char data[4 * SIDE * SIDE] = "";
    for (int i = 0; i < SIDE * SIDE; i++) strcat(data, i == row * SIDE + column ? "3," : "1,");
    data[strlen(data) - 1] = '\0';
    OWNED(drop_tiled)
    tiled_result r = read_tiled_with(
        &how,
        "{'type':'map','orientation':'%s','staggeraxis':'%s','staggerindex':'%s','tilewidth':%d,'tileheight':%d,"
        "'hexsidelength':%d,'infinite':true," TILES "'layers':[{'name':'a','type':'tilelayer','chunks':[{'x':%d,"
        "'y':%d,'width':16,'height':16,'data':[%s]}]}]}",
        m->orientation, m->axis, m->index, m->wide, m->high, m->side, m->left, m->top, data);
    cr_assert_eq(r.code, WEND_OK, "%s", r.error.text);
    const char *scene = r.beside->scene;
    double corner[2], right[2], down[2], by_column[2], by_row[2], from[2], shifts[2], x, y;
    numbers_of(scene, "corner", corner), numbers_of(scene, "right", right), numbers_of(scene, "down", down);
    numbers_of(scene, "column", by_column), numbers_of(scene, "row", by_row), numbers_of(scene, "from", from);
    numbers_of(scene, "shifts", shifts);
    const wend_cell cell = cell_of_cost(r.map);
    column += m->left, row += m->top;
    middle_of(m, column, row, &x, &y);
    const double cx = cell.x + .5, cy = cell.y + .5;
    cr_expect(fabs(corner[0] + cx * right[0] + cy * down[0] - x) < .001, "%s %d,%d x", m->orientation, column, row);
    cr_expect(fabs(corner[1] + cx * right[1] + cy * down[1] - y) < .001, "%s %d,%d y", m->orientation, column, row);
    const bool flat = strstr(scene, "\"flat\":true");
    const double shift = shifts[(flat ? column : row) & 1], u = column + (flat ? 0 : shift),
                 v = row + (flat ? shift : 0);
    cr_expect(fabs(from[0] + u * by_column[0] + v * by_row[0] - (x - m->wide / 2.0)) < .001);
    cr_expect(fabs(from[1] + u * by_column[1] + v * by_row[1] - (y - m->high / 2.0)) < .001);
}

Test(tiled_scene, says_where_cells_and_tiles_lie) {
    static const picture_map maps[] = {
        {"orthogonal", "y", "odd", 16, 24, 0, 0, 0},    {"orthogonal", "y", "odd", 16, 16, 0, -16, 32},
        {"isometric", "y", "odd", 64, 32, 0, 0, 0},     {"isometric", "y", "odd", 64, 30, 0, 16, -32},
        {"hexagonal", "y", "odd", 14, 12, 6, 0, 0},     {"hexagonal", "y", "even", 18, 20, 8, -16, 16},
        {"hexagonal", "x", "odd", 60, 60, 30, 0, -16},  {"hexagonal", "x", "even", 28, 24, 12, 16, 0},
        {"staggered", "y", "odd", 64, 32, 0, 0, 0},     {"staggered", "y", "even", 64, 32, 0, 16, -16},
        {"staggered", "x", "odd", 64, 32, 0, -16, -16}, {"staggered", "x", "even", 32, 32, 0, 0, 16}};
    uint64_t random = 1;
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        expect_place(&maps[i], 0, 0);
        for (int k = 0; k < 8; k++) expect_place(&maps[i], (int)draw(&random, 16), (int)draw(&random, 16));
    }
}

/* Objects that are tiles, and layers that are images, in the order of all layers. */
Test(tiled_scene, has_tile_objects_and_image_layers) {
    const wend_tiled_def how = scene_wanted();
    tiled_result r = read_tiled_with(
        &how,
        HEAD TILES "'layers':[{'name':'sky','type':'imagelayer','image':'sky.png','repeatx':true,'offsetx':5}," SHOWN(
            "ground", "'opacity':0.5", "[1,1,1,1,1,1]") ",{'name':'o','type':'objectgroup','offsety':2,'objects':["
                                                        "{'id':1,'gid':2147483650,'x':16,'y':32,'width':8,'height':4,"
                                                        "'rotation':90},{'id':2,'x':1,'y':1,'point':true},"
                                                        "{'id':3,'gid':1,'x':0,'y':16,'visible':false}]},"
                                                        "{'name':'hidden','type':'imagelayer','image':'no.png',"
                                                        "'visible':false}]}");
    cr_assert_eq(r.code, WEND_OK, "%s", r.error.text);
    expect_part(&r, "{'layer':2,'storey':0,'opacity':1.0,'offset':[0.0,2.0],"
                    "'objects':[[2147483650,16.0,32.0,0.0,1.0,8.0,4.0,90.0]],'by_index':false}");
    expect_part(&r, "{'layer':0,'storey':0,'opacity':1.0,'offset':[5.0,0.0],'image':0,'repeat':[true,false]}");
    cr_expect_eq(r.beside->image_count, 1);
    cr_expect_str_eq(r.beside->images[0], "sky.png");
    drop_tiled(&r);
    static const char xml[] = "<map orientation='orthogonal' width='3' height='2' tilewidth='16' tileheight='16'>"
                              "<layer name='t' width='3' height='2'><data encoding='csv'>0,0,0,0,0,0</data></layer>"
                              "<imagelayer name='a' repeaty='1'><image source='b.png'/></imagelayer></map>";
    r = (tiled_result){.error = {.struct_bytes = sizeof r.error}};
    r.code = wend_tiled_parse(xml, sizeof xml - 1, NULL, &how, NULL, &r.map, &r.beside, &r.error);
    cr_assert_eq(r.code, WEND_OK, "%s", r.error.text);
    expect_part(&r, "{'layer':1,'storey':0,'opacity':1.0,'offset':[0.0,0.0],'image':0,'repeat':[false,true]}");
    drop_tiled(&r);
}
