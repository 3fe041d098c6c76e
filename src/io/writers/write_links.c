/* SPDX-License-Identifier: MIT */
/* Links in grid text: two links, one each way, are a teleport. No other format has links. */
#include "io/writers/write_map.h"
#include "map/links/links.h"

/* With more links than this a teleport gets the index of a link as its number, so numbers have gaps. */
enum { COUNTED_LINKS = 4096 };

static wend_error refuse_link(const wend__map_writer *writer, const wend__link *way, const char *why) {
    char from[WEND__CELL_BYTES], to[WEND__CELL_BYTES];
    wend__name_cell(writer, wend__cell_of_number(writer->version, way->from), from);
    wend__name_cell(writer, wend__cell_of_number(writer->version, way->to), to);
    return wend__fail(writer->error, WEND_UNSUPPORTED, NULL, "the link from %s to %s%s, which %s cannot hold", from, to,
                      why, wend__format_name(writer->format));
}

static bool is_marker(int32_t has, wend_cell marker, wend_cell cell) {
    return has && marker.x == cell.x && marker.y == cell.y && marker.z == cell.z;
}

/* Returns whether the token of a teleport can stand on the cell where this link begins. */
static wend_error check_ground(const wend__map_writer *writer, const wend__link *way) {
    const wend_map_markers *markers = &writer->markers;
    wend_cell cell = wend__cell_of_number(writer->version, way->from);
    uint8_t terrain = WEND_CLASS_OPEN;
    char name[WEND__CELL_BYTES];
    wend_map_get_terrain(writer->map, cell, &terrain);
    wend__name_cell(writer, cell, name);
    if (terrain != WEND_CLASS_OPEN)
        return wend__fail(writer->error, WEND_UNSUPPORTED, NULL,
                          "%s is of class %d; in grid text a teleport stands on class 1", name, (int)terrain);
    bool start = is_marker(markers->has_start, markers->start, cell);
    if (!start && !is_marker(markers->has_goal, markers->goal, cell)) return WEND_OK;
    return wend__fail(writer->error, WEND_UNSUPPORTED, NULL,
                      "%s is both a %s and a teleport, which grid text cannot hold", name, start ? "start" : "goal");
}

static wend_error check_teleport(const wend__map_writer *writer, const wend__link *way) {
    uint32_t count, straight = (uint32_t)writer->version->rules.cost_straight;
    wend__links_from(writer->version->links, way->from, &count);
    if (count > 1) return refuse_link(writer, way, " is not the only one there");
    if (way->cost != straight) return refuse_link(writer, way, " costs other than one straight step");
    if (wend__links_cost(writer->version->links, way->to, way->from) == 0)
        return refuse_link(writer, way, " leads one way only");
    return check_ground(writer, way);
}

wend_error wend__check_link_movers(const wend__map_writer *writer) {
    const wend__links *links = writer->version->links;
    for (uint32_t i = 0; links && i < links->count; i++)
        if (links->sorted[i].movers) return refuse_link(writer, &links->sorted[i], " is for some movers");
    return WEND_OK;
}

wend_error wend__check_links(const wend__map_writer *writer) {
    const wend__links *links = writer->version->links;
    if (!links || links->count == 0) return WEND_OK;
    if (writer->format != WEND_FORMAT_GRID_TEXT) return refuse_link(writer, &links->sorted[0], "");
    wend_error error = wend__check_link_movers(writer);
    for (uint32_t i = 0; i < links->count && !error; i++) error = check_teleport(writer, &links->sorted[i]);
    return error;
}

/* The rank of a teleport among those links that lead from a lower to a higher cell. */
static uint32_t number_of(const wend__links *links, const wend__link *up) {
    uint32_t index = (uint32_t)(up - links->sorted), number = 0;
    if (links->count > COUNTED_LINKS) return index + 1;
    for (uint32_t i = 0; i <= index; i++) number += links->sorted[i].from < links->sorted[i].to;
    return number;
}

uint32_t wend__teleport_number(wend__map_writer *writer, uint32_t cell) {
    const wend__links *links = writer->version->links;
    if (!links || writer->next_way == links->count || links->sorted[writer->next_way].from != cell) return 0;
    const wend__link *way = &links->sorted[writer->next_way++];
    uint32_t count;
    return number_of(links, way->from < way->to ? way : wend__links_from(links, way->to, &count));
}
