/* SPDX-License-Identifier: MIT */
/* The style of a page: light and dark, from a phone's width on. Colours are those of the paths in pictures; in the dark
   their lighter relatives. Red-green colour-blind people tell them apart. */
#include "report/report.h"
#include "report/plot.h"

static const char style[] =
    ":root{color-scheme:light dark;--back:#f4f5f7;--card:#fff;--ink:#1d2430;--soft:#5a6372;--grid:#e2e5ea;"
    "--limit:#9c240c;--c0:#005ae6;--c1:#fc6c0c;--c2:#309c78;--c3:#600024;--c4:#18a8fc;--c5:#183c84}\n"
    "@media(prefers-color-scheme:dark){:root{--back:#14181f;--card:#1e242d;--ink:#e8ebf0;--soft:#a3adbb;"
    "--grid:#343c48;--limit:#ff9d7d;--c0:#5b9cff;--c1:#ff9142;--c2:#4fc79c;--c3:#e58ab0;--c4:#7fd0ff;--c5:#9bb4f0}}\n"
    "*{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--ink);font:15px/1.45 system-ui,"
    "sans-serif}main{max-width:1080px;margin:0 auto;padding:20px 16px 40px}h1{font-size:1.4rem;margin:.2em 0}"
    "h2{font-size:1.1rem;margin:1.6em 0 .6em}p{margin:.3em 0;color:var(--soft)}\n"
    ".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(130px,1fr));gap:10px;margin:16px 0}"
    ".tile{background:var(--card);border-radius:8px;padding:10px 12px}.tile b{display:block;font-size:1.3rem;"
    "font-weight:600}.tile span{color:var(--soft);font-size:.85rem}.bad b{color:var(--limit)}\n"
    ".plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:12px}"
    ".card{background:var(--card);border-radius:8px;padding:12px;margin:0;min-width:0}.card svg{display:block;"
    "width:100%;height:auto}figcaption{font-size:.85rem;color:var(--soft);padding-left:8px}figcaption span"
    "{white-space:nowrap;margin-right:12px}figcaption i{display:inline-block;width:14px;height:3px;margin-right:5px;"
    "vertical-align:middle;background:currentColor}figcaption i.limit{height:0;border-top:2px dashed var(--limit);"
    "background:none}\n"
    ".plot text{fill:var(--ink);font:13px system-ui,sans-serif}.plot text.title{font-weight:600;font-size:14px}"
    ".plot text.tick,.plot "
    "text.unit{fill:var(--soft);font-size:12px}.grid{stroke:var(--grid)}.line{fill:none;stroke:currentColor;stroke-"
    "width:1.8;"
    "stroke-linejoin:round}.band,.area{fill:currentColor;stroke:none;opacity:.18}.bar{fill:currentColor}"
    "line.limit{stroke:var(--limit);stroke-width:1.8;stroke-dasharray:6 4}\n"
    ".c0{color:var(--c0)}.c1{color:var(--c1)}.c2{color:var(--c2)}.c3{color:var(--c3)}.c4{color:var(--c4)}"
    ".c5{color:var(--c5)}\n"
    ".wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.92rem}th,td{padding:5px 10px;"
    "text-align:right;border-bottom:1px solid var(--grid);white-space:nowrap}th:first-child,td:first-child{text-align:"
    "left;white-space:normal;padding-left:0}th{color:var(--soft);font-weight:500}tr.broken td{color:var(--limit);"
    "font-weight:600}td.text{text-align:left;white-space:normal;color:var(--soft)}\n"
    "td:first-child{min-width:10em}td.text{min-width:14em}@media(max-width:600px){.plot text{font-size:16px}"
    "td:first-child,td.text{min-width:0}th,td{padding:5px 3px}table{font-size:.8rem}"
    ".plot text.title{font-size:17px}.plot text.tick,.plot text.unit{font-size:15px}.card{padding:8px}}\n"
    ".map svg{max-height:90vh;border-radius:6px}code{font-size:.9em}\n";

void page_begin(FILE *out, const char *title) {
    fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
          out);
    plot_text(out, title);
    fputs("</title>\n<style>\n", out);
    fputs(style, out);
    fputs("</style></head>\n<body><main>\n", out);
}

void page_end(FILE *out) {
    fputs("</main></body></html>\n", out);
}
