/* SPDX-License-Identifier: MIT */
/* Writes a search as a film: SVG that plays by itself (SMIL), without script; or a page that has it, and a slider. */
#include <inttypes.h>

#include "base/array.h"
#include "base/text/svg.h"
#include "cli/output/cells.h"
#include "cli/output/explain_film.h"

enum {
    SIDE = 64,       /* units a cell */
    STEP_MS = 600,   /* a step of the film */
    PAUSE_STEPS = 4, /* steps for which the film stands still at its end */
    HALF = SIDE / 2
};

typedef struct film_writer {
    const explain_story *story;
    FILE *out;
    wend__svg_film film; ///< frame k is after step k
} film_writer;

bool explain_add(explain_story *story, uint32_t step, bool taken, const wend_search_node *node) {
    if (!WEND__ARRAY_ROOM(story->events, story->event_capacity, story->event_count + 1)) return false;
    explain_cell *cell = explain_cell_at(story, node->cell);
    story->events[story->event_count++] = (explain_event){step, taken, *node, 0};
    if (cell->last)
        story->events[cell->last - 1].next = story->event_count;
    else
        cell->first = story->event_count;
    cell->last = story->event_count;
    cell->g = node->g;
    cell->taken = taken;
    return true;
}

explain_words explain_f(const explain_story *story, const wend_search_node *node) {
    explain_words words;
    const double f = (double)node->g + (double)node->h * story->weight_milli / 1000;
    snprintf(words.text, sizeof words.text, "%.15g", f);
    return words;
}

/* ---- time ---- */

/* Ends a shape's first tag: the shape is visible from a frame until before another. A viewer without animations shows
 * the last picture. */
static void put_shown(const film_writer *w, uint32_t first, uint32_t end) {
    fputs(end < w->film.frames ? " visibility=\"hidden\">" : ">", w->out);
    wend__svg_show(&w->film, first, end);
}

/* ---- shapes ---- */

static void put_ground(const film_writer *w) {
    const explain_story *story = w->story;
    wend_map_rules rules = {.struct_bytes = sizeof rules};
    wend_map_get_rules(story->map, &rules);
    for (int32_t y = 0; y < story->info.height; y++)
        for (int32_t x = 0; x < story->info.width; x++) {
            uint8_t ground = WEND_CLASS_BLOCKED;
            wend_map_get_terrain(story->map, (wend_cell){x, y, 0}, &ground);
            const uint32_t factor = rules.factors[ground];
            if (factor == 1) continue;
            fprintf(w->out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"%s\"/>\n", SIDE * (int)x,
                    SIDE * (int)y, SIDE, SIDE, factor == 0 ? "wall" : "slow");
            if (factor > 1)
                fprintf(w->out, "<text x=\"%d\" y=\"%d\" class=\"factor\">x%" PRIu32 "</text>\n",
                        SIDE * (int)x + SIDE - 4, SIDE * (int)y + HALF + 4, factor);
        }
}

static void put_lines(const film_writer *w) {
    const int width = SIDE * (int)w->story->info.width, height = SIDE * (int)w->story->info.height;
    fputs("<path class=\"lines\" d=\"", w->out);
    for (int x = 0; x <= width; x += SIDE) fprintf(w->out, "M%d 0V%d", x, height);
    for (int y = 0; y <= height; y += SIDE) fprintf(w->out, "M0 %dH%d", y, width);
    fputs("\"/>\n", w->out);
}

/* From the middle of the cell toward its parent. */
static void put_arrow(const film_writer *w, const wend_search_node *node) {
    const int x = (int)(node->parent.x - node->cell.x), y = (int)(node->parent.y - node->cell.y);
    if (x == 0 && y == 0) return;
    const int tip = x != 0 && y != 0 ? 12 : 16, wing = x != 0 && y != 0 ? 7 : 5;
    const int side_x = -y * wing, side_y = x * wing, back = tip - 7;
    fprintf(w->out, "<path class=\"arrow\" d=\"M%d %dL%d %dM%d %dL%d %dL%d %d\"/>", HALF - x * 6, HALF - y * 6,
            HALF + x * tip, HALF + y * tip, HALF + x * back + side_x, HALF + y * back + side_y, HALF + x * tip,
            HALF + y * tip, HALF + x * back - side_x, HALF + y * back - side_y);
}

/* f above, g and h below, and in a closed cell the step that took it. */
static void put_event(const film_writer *w, const explain_event *event) {
    const wend_search_node *node = &event->node;
    const uint32_t end = event->next ? w->story->events[event->next - 1].step : w->film.frames;
    if (end == event->step) return;
    fprintf(w->out, "<g transform=\"translate(%d %d)\" class=\"%s\"", SIDE * (int)node->cell.x,
            SIDE * (int)node->cell.y, event->taken ? "closed" : "open");
    put_shown(w, event->step, end);
    fprintf(w->out, "<rect x=\"1\" y=\"1\" width=\"%d\" height=\"%d\"/>", SIDE - 2, SIDE - 2);
    put_arrow(w, node);
    fprintf(w->out, "<text x=\"4\" y=\"14\" class=\"f\">%s</text>", explain_f(w->story, node).text);
    fprintf(w->out, "<text x=\"4\" y=\"%d\">%" PRId64 "</text>", SIDE - 5, node->g);
    fprintf(w->out, "<text x=\"%d\" y=\"%d\" class=\"end\">%" PRId64 "</text>", SIDE - 4, SIDE - 5, node->h);
    if (event->taken)
        fprintf(w->out, "<text x=\"%d\" y=\"14\" class=\"end\">#%" PRIu32 "</text>", SIDE - 4, event->step);
    fputs("</g>\n", w->out);
}

/* Draws a frame round the cell that a step takes. */
static void put_taken(const film_writer *w, const explain_event *event) {
    if (!event->taken) return;
    fprintf(w->out, "<rect class=\"now\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"",
            SIDE * (int)event->node.cell.x + 2, SIDE * (int)event->node.cell.y + 2, SIDE - 4, SIDE - 4);
    put_shown(w, event->step, event->step == w->story->steps ? w->film.frames : event->step + 1);
    fputs("</rect>\n", w->out);
}

static void put_path(const film_writer *w) {
    const explain_story *story = w->story;
    if (story->path_count == 0) return;
    fputs("<polyline class=\"path\" points=\"", w->out);
    for (size_t i = 0; i < story->path_count; i++)
        fprintf(w->out, " %d,%d", SIDE * (int)story->path[i].x + HALF, SIDE * (int)story->path[i].y + HALF);
    fputc('"', w->out);
    put_shown(w, story->steps, w->film.frames);
    fputs("</polyline>\n", w->out);
}

static void put_end(const film_writer *w, wend_cell cell, char name) {
    fprintf(w->out, "<text class=\"mark\" x=\"%d\" y=\"%d\">%c</text>\n", SIDE * (int)cell.x + HALF,
            SIDE * (int)cell.y + HALF + 9, name);
}

static void put_svg(const film_writer *w) {
    static const char style[] =
        "<style>text{font:12px "
        "sans-serif;fill:#222}.f{font-weight:bold}.end,.factor{text-anchor:end}.ground{fill:#faf8f2}"
        ".wall{fill:#343c48}.slow{fill:#d9c9a3}.lines,.arrow,.now,.path{fill:none}.lines{stroke:#ccc}"
        ".open rect{fill:#c8ecc0;fill-opacity:.85}.closed rect{fill:#bcd8f4;fill-opacity:.85}"
        ".arrow{stroke:#555;stroke-width:2}.now{stroke:#e8a000;stroke-width:4}"
        ".path{stroke:#d02030;stroke-width:5;stroke-opacity:.6}"
        ".mark{font:bold 26px sans-serif;text-anchor:middle;fill:#d02030;fill-opacity:.75}</style>\n";
    const explain_story *story = w->story;
    const int width = SIDE * (int)story->info.width, height = SIDE * (int)story->info.height;
    fprintf(w->out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-1 -1 %d %d\" width=\"%d\">\n", width + 2,
            height + 2, width + 2);
    fputs(style, w->out);
    fprintf(w->out, "<rect class=\"ground\" width=\"%d\" height=\"%d\"/>\n", width, height);
    put_ground(w);
    put_lines(w);
    for (size_t i = 0; i < story->event_count; i++) put_event(w, &story->events[i]);
    for (size_t i = 0; i < story->event_count; i++) put_taken(w, &story->events[i]);
    put_path(w);
    put_end(w, story->start, 'A');
    put_end(w, story->goal, 'B');
    fputs("</svg>\n", w->out);
}

void explain_write_film(const explain_story *story, FILE *out, bool page) {
    const film_writer w = {story, out, {out, story->steps + PAUSE_STEPS, STEP_MS}};
    if (page)
        fprintf(out,
                "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>A* step by step</title>\n"
                "<style>body{font-family:sans-serif;margin:1em}svg{max-width:100%%;max-height:85vh}"
                "input{width:60%%}</style>\n"
                "<p><button id=\"play\">Play</button> <input id=\"at\" type=\"range\" min=\"0\" max=\"%" PRIu32 "\""
                " value=\"0\" aria-label=\"step\"> step <output id=\"shown\">0</output></p>\n"
                "<p>green: open, blue: closed; above f and the step, below g and h; arrows lead to parents</p>\n",
                story->steps);
    put_svg(&w);
    if (page)
        fprintf(
            out,
            "<script>\nconst svg = document.querySelector('svg'), at = document.getElementById('at');\n"
            "let timer = 0;\nsvg.pauseAnimations();\n"
            "const show = () => {\n"
            "    svg.setCurrentTime((+at.value + .5) * %g);\n"
            "    document.getElementById('shown').value = at.value;\n};\n"
            "at.oninput = show;\n"
            "document.getElementById('play').onclick = () => {\n"
            "    clearInterval(timer);\n    if (at.value === at.max) at.value = 0;\n"
            "    timer = setInterval(() => {\n        at.value++;\n        show();\n"
            "        if (at.value === at.max) clearInterval(timer);\n    }, %d);\n};\nshow();\n</script>\n</html>\n",
            STEP_MS / 1000.0, STEP_MS);
}
