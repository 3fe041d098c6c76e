/* SPDX-License-Identifier: MIT */
/* Draws the legend of a picture into a raster. */
#include "extra/drawing/colours.h"
#include "extra/pictures/canvas.h"

/// Draw a bar with a tick at both ends.
static void put_scale(wend__raster *r, int32_t left, int32_t middle, int32_t width, int32_t dot, int32_t look) {
    int32_t tick = 3 * dot;
    wend__fill_box(r, left, middle - dot / 2, left + width, middle - dot / 2 + dot, look);
    wend__fill_box(r, left, middle - tick, left + dot, middle + tick, look);
    wend__fill_box(r, left + width - dot, middle - tick, left + width, middle + tick, look);
}

/// Draw ground with a thin frame, so that open ground shows on white.
static void put_ground(wend__raster *r, int32_t left, int32_t top, int32_t width, int32_t high, int32_t look) {
    wend__fill_box(r, left, top, left + width, top + high, WEND__LOOK_EDGE);
    wend__fill_box(r, left + 1, top + 1, left + width - 1, top + high - 1, look);
}

static void put_road(wend__raster *r, const wend__legend_item *item, int32_t left, int32_t middle, int32_t dot) {
    bool link = item->sign == WEND__SIGN_LINK || item->sign == WEND__SIGN_ONE_WAY_LINK;
    bool one_way = item->sign == WEND__SIGN_ONE_WAY_LINK || item->sign == WEND__SIGN_ONE_WAY_ROAD;
    wend__stamp pen = wend__square_stamp(dot), ring = wend__round_stamp(5 * dot), hole = wend__round_stamp(3 * dot);
    wend__spot a = {left + dot, middle}, b = {left + item->sign_width - dot, middle};
    wend__put_line(r, &pen, a, b, item->look);
    for (int32_t end = 0; end < 2 && link; end++) {
        int32_t x = end ? b.x - dot : a.x + dot;
        wend__put_stamp(r, &ring, x, middle, item->look);
        wend__put_stamp(r, &hole, x, middle, WEND__LOOK_HALO);
    }
    wend__arrow arrow = wend__arrow_at((wend__spot){(a.x + b.x) / 2, middle}, 1, 0, 5 * dot);
    if (one_way) wend__put_arrow(r, &arrow, item->look);
}

static void put_sign(const wend__drawing *d, wend__raster *r, const wend__legend_item *item, int32_t top, int32_t dot) {
    int32_t left = item->x, width = item->sign_width, high = WEND__LEGEND_ROW * dot;
    int32_t x = left + width / 2, y = top + high / 2;
    wend__stamp large = wend__round_stamp(7 * dot), small = wend__round_stamp(5 * dot);
    switch (item->sign) {
    case WEND__SIGN_SCALE: put_scale(r, left, y, width, dot, item->look); break;
    case WEND__SIGN_GROUND:
        if (d->info.kind == WEND_KIND_GRAPH) {
            wend__put_stamp(r, &large, x, y, WEND__LOOK_EDGE);
            wend__put_stamp(r, &small, x, y, item->look);
        } else {
            put_ground(r, left, top, width, high, item->look);
        }
        break;
    case WEND__SIGN_START: wend__put_stamp(r, &large, x, y, item->look); break;
    case WEND__SIGN_GOAL: wend__fill_box(r, x - 3 * dot, y - 3 * dot, x + 3 * dot, y + 3 * dot, item->look); break;
    case WEND__SIGN_PATH: wend__fill_box(r, left, y - dot, left + width, y + dot, item->look); break;
    case WEND__SIGN_UP:
    case WEND__SIGN_DOWN: wend__put_floor(r, x, y, 7 * dot, item->sign == WEND__SIGN_UP, item->look); break;
    case WEND__SIGN_UNIT: wend__put_stamp(r, &small, x, y, item->look); break;
    case WEND__SIGN_EXPANDED:
        put_ground(r, left, top, width, high, WEND__LOOK_OPEN);
        wend__fill_box(r, left + 3 * dot, top + 2 * dot, left + width - 3 * dot, top + high - 2 * dot, item->look);
        break;
    case WEND__SIGN_STEP:
        put_ground(r, left, top, width, high, WEND__LOOK_OPEN);
        wend__fill_box(r, left + width - 2 * dot, top, left + width, top + high, item->look);
        break;
    case WEND__SIGN_LINK:
    case WEND__SIGN_ONE_WAY_LINK:
    case WEND__SIGN_ROAD:
    case WEND__SIGN_ONE_WAY_ROAD: put_road(r, item, left, y, dot); break;
    case WEND__SIGN_NONE: break;
    }
}

void wend__canvas_legend(const wend__drawing *d, const wend__legend *l, wend__raster *r) {
    int32_t map_height = d->height * d->scale;
    wend__fill_box(r, 0, map_height, l->width, map_height + l->height, WEND__LOOK_HALO);
    wend__fill_box(r, 0, map_height, l->width, map_height + l->dot, WEND__LOOK_PAPER);
    for (int32_t i = 0; i < l->count; i++) {
        const wend__legend_item *item = &l->items[i];
        int32_t gap = item->sign_width ? WEND__LEGEND_GAP * l->dot : 0;
        put_sign(d, r, item, map_height + item->y, l->dot);
        wend__put_text(r, item->text, item->x + item->sign_width + gap, map_height + item->y, l->dot,
                       WEND__LOOK_BLOCKED);
    }
}
