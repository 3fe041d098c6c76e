/* SPDX-License-Identifier: MIT */
/* Writes the legend of an SVG: signs and words, in pixels, in a group that is scaled to cells. */
#include "extra/drawing/roads.h"
#include "extra/pictures/svg.h"

typedef struct writer {
    wend__outlet *outlet;
    const wend__legend *legend;
    bool graph;
} writer;

static void put_box(const writer *w, int32_t x, int32_t y, int32_t width, int32_t high, int32_t look, bool frame) {
    wend__outlet_print(w->outlet, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"", (int)x, (int)y,
                       (int)width, (int)high, wend__svg_hex(look));
    if (frame) wend__outlet_print(w->outlet, " stroke=\"#%06x\"", wend__svg_hex(WEND__LOOK_EDGE));
    wend__outlet_print(w->outlet, "/>\n");
}

static void put_disc(const writer *w, int32_t x, int32_t y, int32_t width, int32_t fill, int32_t rim) {
    wend__outlet_print(
        w->outlet, "<circle cx=\"%d\" cy=\"%d\" r=\"%d.%d\" fill=\"#%06x\" stroke=\"#%06x\" stroke-width=\"%d\"/>\n",
        (int)x, (int)y, (int)width / 2, width & 1 ? 5 : 0, wend__svg_hex(fill), wend__svg_hex(rim),
        (int)w->legend->dot);
}

static void put_triangle(const writer *w, wend__spot a, wend__spot b, wend__spot c, int32_t look) {
    wend__outlet_print(w->outlet, "<path fill=\"#%06x\" d=\"M%d %dL%d %dL%d %dz\"/>\n", wend__svg_hex(look), (int)a.x,
                       (int)a.y, (int)b.x, (int)b.y, (int)c.x, (int)c.y);
}

static void put_floor(const writer *w, int32_t x, int32_t y, bool up, int32_t look) {
    int32_t half = 3 * w->legend->dot, tip = up ? -half : half;
    put_triangle(w, (wend__spot){x, y + tip}, (wend__spot){x - half, y - tip}, (wend__spot){x + half, y - tip}, look);
}

static void put_road(const writer *w, const wend__legend_item *item, int32_t y) {
    int32_t dot = w->legend->dot, left = item->x + dot, right = item->x + item->sign_width - dot;
    bool link = item->sign == WEND__SIGN_LINK || item->sign == WEND__SIGN_ONE_WAY_LINK;
    put_box(w, left, y - dot / 2, right - left, dot, item->look, false);
    if (link) {
        put_disc(w, left + dot, y, 4 * dot, WEND__LOOK_HALO, item->look);
        put_disc(w, right - dot, y, 4 * dot, WEND__LOOK_HALO, item->look);
    }
    if (item->sign == WEND__SIGN_LINK || item->sign == WEND__SIGN_ROAD) return;
    wend__arrow a = wend__arrow_at((wend__spot){(left + right) / 2, y}, 1, 0, 5 * dot);
    put_triangle(w, a.tip, a.left, a.right, item->look);
}

static void put_scale(const writer *w, const wend__legend_item *item, int32_t y) {
    int32_t dot = w->legend->dot, right = item->x + item->sign_width;
    put_box(w, item->x, y - dot / 2, item->sign_width, dot, item->look, false);
    put_box(w, item->x, y - 3 * dot, dot, 6 * dot, item->look, false);
    put_box(w, right - dot, y - 3 * dot, dot, 6 * dot, item->look, false);
}

static void put_sign(const writer *w, const wend__legend_item *item) {
    int32_t dot = w->legend->dot, left = item->x, top = item->y, width = item->sign_width;
    int32_t high = WEND__LEGEND_ROW * dot, x = left + width / 2, y = top + high / 2;
    switch (item->sign) {
    case WEND__SIGN_SCALE: put_scale(w, item, y); break;
    case WEND__SIGN_GROUND:
        if (w->graph)
            put_disc(w, x, y, 6 * dot, item->look, WEND__LOOK_EDGE);
        else
            put_box(w, left, top, width, high, item->look, true);
        break;
    case WEND__SIGN_START: put_disc(w, x, y, 7 * dot, item->look, WEND__LOOK_HALO); break;
    case WEND__SIGN_GOAL: put_box(w, x - 3 * dot, y - 3 * dot, 6 * dot, 6 * dot, item->look, false); break;
    case WEND__SIGN_PATH: put_box(w, left, y - dot, width, 2 * dot, item->look, false); break;
    case WEND__SIGN_UP:
    case WEND__SIGN_DOWN: put_floor(w, x, y, item->sign == WEND__SIGN_UP, item->look); break;
    case WEND__SIGN_UNIT: put_disc(w, x, y, 5 * dot, item->look, WEND__LOOK_HALO); break;
    case WEND__SIGN_EXPANDED:
        put_box(w, left, top, width, high, WEND__LOOK_OPEN, true);
        put_box(w, left + 3 * dot, top + 2 * dot, width - 6 * dot, high - 4 * dot, item->look, false);
        break;
    case WEND__SIGN_STEP:
        put_box(w, left, top, width, high, WEND__LOOK_OPEN, true);
        put_box(w, left + width - 2 * dot, top, 2 * dot, high, item->look, false);
        break;
    case WEND__SIGN_LINK:
    case WEND__SIGN_ONE_WAY_LINK:
    case WEND__SIGN_ROAD:
    case WEND__SIGN_ONE_WAY_ROAD: put_road(w, item, y); break;
    case WEND__SIGN_NONE: break;
    }
}

/// Write a letter as XML. A few have names. Bytes of a caption that are not printable ASCII become '?'.
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
                       wend__svg_hex(WEND__LOOK_PAPER)); /* beside a map that is narrower than its legend */
    wend__outlet_print(outlet,
                       "<g transform=\"translate(0 %d) scale(%d.%06d)\" font-family=\"monospace\" font-size=\"%d\" "
                       "fill=\"#%06x\">\n",
                       (int)d->height, (int)pixel / 1000000, (int)pixel % 1000000, (int)(10 * l->dot),
                       wend__svg_hex(WEND__LOOK_BLOCKED));
    put_box(&w, 0, l->dot, l->width, l->height - l->dot, WEND__LOOK_HALO, false);
    for (int32_t i = 0; i < l->count && !outlet->error; i++) {
        put_sign(&w, &l->items[i]);
        put_text(&w, &l->items[i]);
    }
    wend__outlet_print(outlet, "</g>\n");
}
