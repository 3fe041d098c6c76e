/* SPDX-License-Identifier: MIT */
/* Writes what an SVG shows on the ground: links, paths, units, markers and changes of floor. */
#include "drawing/roads.h"
#include "pictures/svg.h"

/// Convert cells to thousandths of a cell.
static wend__spot milli_spot(wend__spot cell) {
    return (wend__spot){cell.x * 1000, cell.y * 1000};
}

static void put_arrow(wend__outlet *outlet, const wend__arrow *a) {
    wend__outlet_print(outlet, "<path stroke=\"none\" fill=\"#%06x\" d=\"M%s %sL%s %sL%s %sz\"/>\n",
                       wend__svg_hex(WEND__INK_LINK), WEND__DECIMAL(a->tip.x), WEND__DECIMAL(a->tip.y),
                       WEND__DECIMAL(a->left.x), WEND__DECIMAL(a->left.y), WEND__DECIMAL(a->right.x),
                       WEND__DECIMAL(a->right.y));
}

/// Writes the data of a link's arc.
static void put_arc(const wend__drawing *d, wend__outlet *outlet, wend_cell from, wend_cell to) {
    wend__spot a = wend__spot_of(d, from), b = wend__spot_of(d, to), bend = wend__link_bend(d, from, to);
    wend__outlet_print(outlet, "d=\"M%d %dQ%s %s %d %d\"/>\n", (int)a.x, (int)a.y, WEND__DECIMAL(bend.x),
                       WEND__DECIMAL(bend.y), (int)b.x, (int)b.y);
}

static void put_link(const wend__drawing *d, wend__outlet *outlet, const wend_link *link) {
    wend__outlet_print(outlet, "<path ");
    put_arc(d, outlet, link->from, link->to);
    if (!wend__link_is_one_way(d, link)) return;
    wend__spot from = milli_spot(wend__spot_of(d, link->from)), to = milli_spot(wend__spot_of(d, link->to));
    wend__spot bend = wend__link_bend(d, link->from, link->to);
    wend__spot half = {(from.x + to.x) / 4 + bend.x / 2, (from.y + to.y) / 4 + bend.y / 2};
    int32_t length = wend__svg_milli(d, wend__larger(8, d->marker));
    wend__arrow arrow = wend__arrow_at(half, to.x - from.x, to.y - from.y, length);
    put_arrow(outlet, &arrow);
}

static void put_ring(const wend__drawing *d, wend__outlet *outlet, wend_cell cell) {
    wend__spot at = wend__spot_of(d, cell);
    wend__outlet_print(outlet, "<circle cx=\"%d\" cy=\"%d\" r=\"%s\"/>\n", (int)at.x, (int)at.y,
                       WEND__DECIMAL(wend__svg_milli(d, d->marker) / 2));
}

/// Gets the translation to the middle of cells; the nodes of a graph need none.
static const char *shift(const wend__drawing *d) {
    return d->info.kind == WEND_KIND_GRAPH ? "0 0" : ".5 .5";
}

static void put_links(const wend__drawing *d, wend__outlet *outlet) {
    if (!d->link_count) return;
    wend__outlet_print(outlet, "<g transform=\"translate(%s)\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"%s\">\n",
                       shift(d), wend__svg_hex(WEND__INK_LINK), WEND__DECIMAL(wend__svg_milli(d, d->line) / 2));
    for (size_t i = 0; i < d->link_count && !outlet->error; i++) {
        if (d->link_count <= WEND__MOST_ARCS) put_link(d, outlet, &d->links[i]);
        put_ring(d, outlet, d->links[i].from);
        put_ring(d, outlet, d->links[i].to);
    }
    wend__outlet_print(outlet, "</g>\n");
}

static bool goes_straight(wend__spot a, wend__spot b, wend__spot c) {
    return c.x - b.x == b.x - a.x && c.y - b.y == b.y - a.y;
}

/// Writes the ends and turns of a part of a path within a layer; a single cell twice, so that its round ends show.
static void put_part(const wend__drawing *d, wend__outlet *outlet, const wend_cell *cells, size_t count,
                     size_t number) {
    wend__outlet_print(outlet, "<polyline stroke=\"#%06x\" points=\"", wend__svg_hex(wend__path_ink(number)));
    wend__spot before = {0, 0}, at = wend__spot_of(d, cells[0]);
    for (size_t i = 0; i < count; i++) {
        wend__spot next = i + 1 < count ? wend__spot_of(d, cells[i + 1]) : at;
        bool middle = i > 0 && i + 1 < count;
        if (!middle || !goes_straight(before, at, next))
            wend__outlet_print(outlet, i ? " %d,%d" : "%d,%d", (int)at.x, (int)at.y);
        before = at, at = next;
    }
    if (count == 1) wend__outlet_print(outlet, " %d,%d", (int)at.x, (int)at.y);
    wend__outlet_print(outlet, "\"/>\n");
}

/// Does a path go on from its cell i along the ground?
static bool goes_on(const wend__drawing *d, const wend_picture_path *path, size_t i) {
    const wend_cell *at = &path->cells[i];
    if (i + 1 >= path->cell_count || at[0].z != at[1].z || wend__takes_link(d, at[0], at[1])) return false;
    const wend__spot shift = wend__rim_shift(d, wend__spot_of(d, at[0]), wend__spot_of(d, at[1]), 1);
    return shift.x == 0 && shift.y == 0;
}

/// Writes a line that leaves the picture over the rim of a map that wraps, from both ends; no other line.
static void put_over_rim(const wend__drawing *d, wend__outlet *outlet, wend__spot a, wend__spot b, int32_t unit,
                         int32_t ink) {
    const wend__spot shift = wend__rim_shift(d, a, b, unit);
    const wend__spot ends[4] = {a, {b.x + shift.x, b.y + shift.y}, {a.x - shift.x, a.y - shift.y}, b};
    for (int i = 0; i < 4 && (shift.x || shift.y); i += 2) {
        wend__outlet_print(outlet, "<polyline stroke=\"#%06x\" points=\"", wend__svg_hex(ink));
        for (int k = i; k < i + 2; k++) {
            const int32_t x = ends[k].x, y = ends[k].y;
            if (unit == 1)
                wend__outlet_print(outlet, "%d,%d ", (int)x, (int)y);
            else
                wend__outlet_print(outlet, "%s,%s ", WEND__DECIMAL(x), WEND__DECIMAL(y));
        }
        wend__outlet_print(outlet, "\"/>\n");
    }
}

static void put_path(const wend__drawing *d, wend__outlet *outlet, const wend_picture_path *path, size_t number) {
    for (size_t first = 0, next; first < path->cell_count; first = next) {
        for (next = first; goes_on(d, path, next); next++) continue;
        next++;
        put_part(d, outlet, path->cells + first, next - first, number);
        if (next < path->cell_count && !wend__takes_link(d, path->cells[next - 1], path->cells[next]))
            put_over_rim(d, outlet, wend__spot_of(d, path->cells[next - 1]), wend__spot_of(d, path->cells[next]), 1,
                         wend__path_ink(number));
    }
}

/// Writes an arc in the path's colour for each link that the path takes.
static void put_taken_links(const wend__drawing *d, wend__outlet *outlet, const wend_picture_path *path,
                            size_t number) {
    for (size_t i = 1; i < path->cell_count && !outlet->error; i++) {
        if (!wend__takes_link(d, path->cells[i - 1], path->cells[i])) continue;
        wend__outlet_print(outlet, "<path stroke=\"#%06x\" ", wend__svg_hex(wend__path_ink(number)));
        put_arc(d, outlet, path->cells[i - 1], path->cells[i]);
    }
}

/// Gets the direction of feet in degrees from up, clockwise.
static int degrees(int32_t dx, int32_t dy) {
    if (dx == 0) return dy > 0 ? 180 : 0;
    int angle = dy < 0 ? 45 : dy > 0 ? 135 : 90;
    return dx > 0 ? angle : 360 - angle;
}

static void put_feet(void *outlet, wend__spot at, int32_t dx, int32_t dy) {
    wend__outlet_print(outlet, "<use href=\"#feet\" transform=\"translate(%d %d) rotate(%d)\"/>\n", (int)at.x,
                       (int)at.y, degrees(dx, dy));
}

static void put_track(const wend__drawing *d, wend__outlet *outlet, const wend_picture_path *path, size_t number) {
    wend__outlet_print(outlet, "<g fill=\"#%06x\">\n", wend__svg_hex(wend__path_ink(number)));
    wend__feet_walk(d, path, put_feet, outlet);
    wend__outlet_print(outlet, "</g>\n");
}

/// Define two feet that walk up, in a cell round 0,0: each a sole and a heel, the left one ahead.
static void put_foot_shape(wend__outlet *outlet) {
    static const char shape[] =
        "<defs><g id=\"feet\"><ellipse cx=\"-.17\" cy=\"-.22\" rx=\".12\" ry=\".17\"/><circle cx=\"-.16\" cy=\".06\" "
        "r=\".085\"/><ellipse cx=\".17\" cy=\".04\" rx=\".12\" ry=\".17\"/><circle cx=\".16\" cy=\".32\" "
        "r=\".085\"/></g></defs>\n";
    wend__outlet_put(outlet, shape, sizeof shape - 1);
}

static void put_paths(const wend__drawing *d, wend__outlet *outlet) {
    if (!d->picture->path_count) return;
    if (d->feet) put_foot_shape(outlet);
    wend__outlet_print(outlet,
                       "<g transform=\"translate(%s)\" fill=\"none\" stroke-width=\"%s\" stroke-linecap=\"round\" "
                       "stroke-linejoin=\"round\">\n",
                       shift(d), WEND__DECIMAL(wend__svg_milli(d, d->line) / (d->feet ? 2 : 1)));
    for (size_t i = d->picture->path_count; i-- > 0 && !outlet->error;) {
        put_taken_links(d, outlet, &d->picture->paths[i], i);
        if (d->feet)
            put_track(d, outlet, &d->picture->paths[i], i);
        else
            put_path(d, outlet, &d->picture->paths[i], i);
    }
    wend__outlet_print(outlet, "</g>\n");
}

static bool is_over_rim(const wend__drawing *d, wend_point from, wend_point to) {
    const wend__spot shift = wend__rim_shift(d, wend__point_spot(d, from), wend__point_spot(d, to), 1000);
    return shift.x || shift.y;
}

/// Writes a part of a line, up to where it does not go on. @return how many points
static size_t put_line_part(const wend__drawing *d, wend__outlet *outlet, const wend_point *points, size_t count) {
    for (size_t i = 0; i < count; i++) {
        wend__spot at = wend__point_spot(d, points[i]);
        if (i > 0 && (!wend__line_goes_on(d, points[i - 1], points[i]) || is_over_rim(d, points[i - 1], points[i])))
            return i;
        wend__outlet_print(outlet, i ? " %s,%s" : "%s,%s", WEND__DECIMAL(at.x), WEND__DECIMAL(at.y));
    }
    return count;
}

/// Writes one line as polylines.
static void put_line(const wend__drawing *d, wend__outlet *outlet, const wend_picture_line *line, int32_t ink) {
    for (size_t first = 0; first < line->point_count && !outlet->error;) {
        wend__outlet_print(outlet, "<polyline stroke=\"#%06x\" points=\"", wend__svg_hex(ink));
        first += put_line_part(d, outlet, line->points + first, line->point_count - first);
        wend__outlet_print(outlet, "\"/>\n");
        const wend_point *next = &line->points[first];
        if (first < line->point_count && wend__line_goes_on(d, next[-1], next[0]))
            put_over_rim(d, outlet, wend__point_spot(d, next[-1]), wend__point_spot(d, next[0]), 1000, ink);
    }
}

/// Writes the ways of discs, as wide as these are.
static void put_bands(const wend__drawing *d, wend__outlet *outlet) {
    for (size_t i = d->picture->line_count; i-- > 0 && d->info.kind != WEND_KIND_GRAPH && !outlet->error;) {
        const wend_picture_line *line = &d->picture->lines[i];
        if (line->radius_milli == 0) continue;
        wend__outlet_print(outlet,
                           "<g transform=\"translate(%s)\" fill=\"none\" stroke-width=\"%s\" stroke-opacity=\".25\" "
                           "stroke-linecap=\"round\" stroke-linejoin=\"round\">\n",
                           shift(d), WEND__DECIMAL(2 * (int32_t)line->radius_milli));
        put_line(d, outlet, line, wend__path_ink(d->picture->path_count + i));
        wend__outlet_print(outlet, "</g>\n");
    }
}

static void put_lines(const wend__drawing *d, wend__outlet *outlet) {
    if (!d->picture->line_count || d->info.kind == WEND_KIND_GRAPH) return;
    wend__outlet_print(outlet,
                       "<g transform=\"translate(%s)\" fill=\"none\" stroke-width=\"%s\" stroke-linecap=\"round\" "
                       "stroke-linejoin=\"round\">\n",
                       shift(d), WEND__DECIMAL(wend__svg_milli(d, d->line) / (d->feet ? 2 : 1)));
    for (size_t i = d->picture->line_count; i-- > 0 && !outlet->error;)
        put_line(d, outlet, &d->picture->lines[i], wend__path_ink(d->picture->path_count + i));
    wend__outlet_print(outlet, "</g>\n");
}

typedef struct floors {
    const wend__drawing *drawing;
    wend__outlet *outlet;
    int32_t ink;
} floors;

/// Writes a triangle where a path leaves its layer, a hollow one where it arrives. At the path's ends, where markers
/// are, it is small.
static void put_floor(void *context, const wend__floor *floor) {
    floors *f = context;
    const wend__drawing *d = f->drawing;
    wend__spot at = milli_spot(wend__spot_of(d, floor->at));
    int32_t size = wend__larger(5, d->marker * 8 / 10), half = wend__svg_milli(d, size) / (floor->end ? 5 : 2);
    int32_t tip = floor->up ? -half : half, fill = floor->arrives || floor->end ? WEND__INK_HALO : f->ink;
    wend__outlet_print(f->outlet, "<path stroke=\"#%06x\" fill=\"#%06x\" d=\"M%s %sL%s %sh%sz\"/>\n",
                       wend__svg_hex(floor->arrives && !floor->end ? f->ink : WEND__INK_HALO), wend__svg_hex(fill),
                       WEND__DECIMAL(at.x), WEND__DECIMAL(at.y + tip), WEND__DECIMAL(at.x - half),
                       WEND__DECIMAL(at.y - tip), WEND__DECIMAL(2 * half));
}

static void put_floors(const wend__drawing *d, wend__outlet *outlet) {
    floors f = {d, outlet, 0};
    if (d->info.kind != WEND_KIND_VOXEL || !d->picture->path_count) return;
    wend__outlet_print(outlet, "<g transform=\"translate(.5 .5)\" stroke-width=\"%s\">\n",
                       WEND__DECIMAL(wend__svg_milli(d, wend__larger(1, d->marker / 8))));
    for (size_t i = d->picture->path_count; i-- > 0 && !outlet->error;) {
        f.ink = wend__path_ink(i);
        wend__floors_visit(&d->picture->paths[i], put_floor, &f);
    }
    wend__outlet_print(outlet, "</g>\n");
}

/// Writes a group for all markers of a kind; the stroke is the light rim.
static void put_markers(const wend__drawing *d, wend__outlet *outlet, const wend_cell *cells, size_t count,
                        int32_t width, int32_t ink) {
    if (!count) return;
    int32_t size = wend__svg_milli(d, width + d->halo); /* to the rim's middle */
    wend__outlet_print(outlet, "<g transform=\"translate(%s)\" fill=\"#%06x\" stroke=\"#%06x\" stroke-width=\"%s\">\n",
                       shift(d), wend__svg_hex(ink), wend__svg_hex(WEND__INK_HALO),
                       WEND__DECIMAL(wend__svg_milli(d, d->halo)));
    for (size_t i = 0; i < count && !outlet->error; i++) {
        wend__spot at = wend__spot_of(d, cells[i]);
        if (ink != WEND__INK_GOAL)
            wend__outlet_print(outlet, "<circle cx=\"%d\" cy=\"%d\" r=\"%s\"/>\n", (int)at.x, (int)at.y,
                               WEND__DECIMAL(size / 2));
        else
            wend__outlet_print(outlet, "<path d=\"M%d %dm-%s -%sh%sv%sh-%sz\"/>\n", (int)at.x, (int)at.y,
                               WEND__DECIMAL(size / 2), WEND__DECIMAL(size / 2), WEND__DECIMAL(size),
                               WEND__DECIMAL(size), WEND__DECIMAL(size));
    }
    wend__outlet_print(outlet, "</g>\n");
}

void wend__svg_marks(const wend__drawing *d, wend__outlet *outlet) {
    const wend_picture *picture = d->picture;
    put_links(d, outlet);
    put_bands(d, outlet);
    put_paths(d, outlet);
    put_lines(d, outlet);
    put_markers(d, outlet, picture->units, picture->unit_count, d->unit, WEND__INK_UNIT);
    put_markers(d, outlet, picture->goals, picture->goal_count, d->marker, WEND__INK_GOAL);
    put_markers(d, outlet, picture->starts, picture->start_count, d->marker, WEND__INK_START);
    put_floors(d, outlet);
}

/* ---- the legend: signs and words, in pixels, in a group that is scaled to cells ---- */

typedef struct writer {
    wend__outlet *outlet;
    const wend__legend *legend;
    bool graph;
} writer;

static void put_box(const writer *w, int32_t x, int32_t y, int32_t width, int32_t high, int32_t ink, bool frame) {
    wend__outlet_print(w->outlet, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"", (int)x, (int)y,
                       (int)width, (int)high, wend__svg_hex(ink));
    if (frame) wend__outlet_print(w->outlet, " stroke=\"#%06x\"", wend__svg_hex(WEND__INK_EDGE));
    wend__outlet_print(w->outlet, "/>\n");
}

static void put_disc(const writer *w, int32_t x, int32_t y, int32_t width, int32_t fill, int32_t rim) {
    wend__outlet_print(
        w->outlet, "<circle cx=\"%d\" cy=\"%d\" r=\"%s\" fill=\"#%06x\" stroke=\"#%06x\" stroke-width=\"%d\"/>\n",
        (int)x, (int)y, WEND__DECIMAL(width * 500), wend__svg_hex(fill), wend__svg_hex(rim), (int)w->legend->dot);
}

static void put_triangle(const writer *w, wend__spot a, wend__spot b, wend__spot c, int32_t ink) {
    wend__outlet_print(w->outlet, "<path fill=\"#%06x\" d=\"M%d %dL%d %dL%d %dz\"/>\n", wend__svg_hex(ink), (int)a.x,
                       (int)a.y, (int)b.x, (int)b.y, (int)c.x, (int)c.y);
}

static void put_sample_floor(const writer *w, int32_t x, int32_t y, bool up, int32_t ink) {
    int32_t half = 3 * w->legend->dot, tip = up ? -half : half;
    put_triangle(w, (wend__spot){x, y + tip}, (wend__spot){x - half, y - tip}, (wend__spot){x + half, y - tip}, ink);
}

static void put_road(const writer *w, const wend__legend_item *item, int32_t y) {
    int32_t dot = w->legend->dot, left = item->x + dot, right = item->x + item->sign_width - dot;
    bool link = item->sign == WEND__SIGN_LINK || item->sign == WEND__SIGN_ONE_WAY_LINK;
    put_box(w, left, y - dot / 2, right - left, dot, item->ink, false);
    if (link) {
        put_disc(w, left + dot, y, 4 * dot, WEND__INK_HALO, item->ink);
        put_disc(w, right - dot, y, 4 * dot, WEND__INK_HALO, item->ink);
    }
    if (item->sign == WEND__SIGN_LINK || item->sign == WEND__SIGN_ROAD) return;
    wend__arrow a = wend__arrow_at((wend__spot){(left + right) / 2, y}, 1, 0, 5 * dot);
    put_triangle(w, a.tip, a.left, a.right, item->ink);
}

static void put_scale(const writer *w, const wend__legend_item *item, int32_t y) {
    int32_t dot = w->legend->dot, right = item->x + item->sign_width;
    put_box(w, item->x, y - dot / 2, item->sign_width, dot, item->ink, false);
    put_box(w, item->x, y - 3 * dot, dot, 6 * dot, item->ink, false);
    put_box(w, right - dot, y - 3 * dot, dot, 6 * dot, item->ink, false);
}

static void put_sign(const writer *w, const wend__legend_item *item) {
    int32_t dot = w->legend->dot, left = item->x, top = item->y, width = item->sign_width;
    int32_t high = WEND__LEGEND_ROW * dot, x = left + width / 2, y = top + high / 2;
    switch (item->sign) {
    case WEND__SIGN_SCALE: put_scale(w, item, y); break;
    case WEND__SIGN_GROUND:
        if (w->graph)
            put_disc(w, x, y, 6 * dot, item->ink, WEND__INK_EDGE);
        else
            put_box(w, left, top, width, high, item->ink, true);
        break;
    case WEND__SIGN_START: put_disc(w, x, y, 7 * dot, item->ink, WEND__INK_HALO); break;
    case WEND__SIGN_GOAL: put_box(w, x - 3 * dot, y - 3 * dot, 6 * dot, 6 * dot, item->ink, false); break;
    case WEND__SIGN_PATH: put_box(w, left, y - dot, width, 2 * dot, item->ink, false); break;
    case WEND__SIGN_UP:
    case WEND__SIGN_DOWN: put_sample_floor(w, x, y, item->sign == WEND__SIGN_UP, item->ink); break;
    case WEND__SIGN_UNIT: put_disc(w, x, y, 5 * dot, item->ink, WEND__INK_HALO); break;
    case WEND__SIGN_EXPANDED:
        put_box(w, left, top, width, high, WEND__INK_OPEN, true);
        put_box(w, left + 3 * dot, top + 2 * dot, width - 6 * dot, high - 4 * dot, item->ink, false);
        break;
    case WEND__SIGN_STEP:
        put_box(w, left, top, width, high, WEND__INK_OPEN, true);
        put_box(w, left + width - 2 * dot, top, 2 * dot, high, item->ink, false);
        break;
    case WEND__SIGN_LINK:
    case WEND__SIGN_ONE_WAY_LINK:
    case WEND__SIGN_ROAD:
    case WEND__SIGN_ONE_WAY_ROAD: put_road(w, item, y); break;
    case WEND__SIGN_NONE: break;
    }
}

/// Writes a letter as XML. A few have names. Bytes of a caption that are not printable ASCII become '?'.
static void put_letter(wend__outlet *outlet, char letter) {
    switch (letter) {
    case '&': wend__outlet_print(outlet, "&amp;"); break;
    case '<': wend__outlet_print(outlet, "&lt;"); break;
    case '>': wend__outlet_print(outlet, "&gt;"); break;
    default: wend__outlet_print(outlet, "%c", letter >= ' ' && letter <= '~' ? letter : '?');
    }
}

static void put_text(const writer *w, const wend__legend_item *item) {
    int32_t dot = w->legend->dot, gap = item->sign_width ? WEND__LEGEND_GAP * dot : 0;
    wend__outlet_print(w->outlet, "<text x=\"%d\" y=\"%d\">", (int)(item->x + item->sign_width + gap),
                       (int)(item->y + 7 * dot));
    for (const char *at = item->text; *at; at++) put_letter(w->outlet, *at);
    wend__outlet_print(w->outlet, "</text>\n");
}

void wend__svg_legend(const wend__drawing *d, const wend__legend *l, wend__outlet *outlet) {
    writer w = {outlet, l, d->info.kind == WEND_KIND_GRAPH};
    int32_t pixel = 1000000 / d->scale; /* in millionths of a cell */
    wend__outlet_print(outlet, "<rect width=\"100%%\" height=\"100%%\" fill=\"#%06x\"/>\n",
                       wend__svg_hex(WEND__INK_PAPER)); /* next to a map that is narrower than its legend */
    wend__outlet_print(outlet,
                       "<g transform=\"translate(0 %d) scale(%d.%06d)\" font-family=\"monospace\" font-size=\"%d\" "
                       "fill=\"#%06x\">\n",
                       (int)d->height, (int)pixel / 1000000, (int)pixel % 1000000, (int)(10 * l->dot),
                       wend__svg_hex(WEND__INK_BLOCKED));
    put_box(&w, 0, l->dot, l->width, l->height - l->dot, WEND__INK_HALO, false);
    for (int32_t i = 0; i < l->count && !outlet->error; i++) {
        put_sign(&w, &l->items[i]);
        put_text(&w, &l->items[i]);
    }
    wend__outlet_print(outlet, "</g>\n");
}
