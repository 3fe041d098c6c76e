/* SPDX-License-Identifier: MIT */
#include "mapf.h"

#include <sys/resource.h>

static uint8_t class_of(int letter) {
    return letter == '@' || letter == 'T' ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN;
}

static void read_rows(mapf *m, FILE *file, const char *path) {
    for (int32_t y = 0; y < m->height; y++)
        for (int32_t x = 0; x < m->width;) {
            const int letter = fgetc(file);
            need(letter != EOF, path);
            if (letter == '\n' || letter == '\r') continue;
            m->cells[y * m->width + x++] = class_of(letter);
        }
}

void mapf_open(mapf *m, const char *path) {
    FILE *file = fopen(path, "r");
    need(file, path);
    need(fscanf(file, "type octile height %" SCNd32 " width %" SCNd32 " map", &m->height, &m->width) == 2, path);
    const size_t cells = (size_t)m->width * (size_t)m->height;
    m->cells = malloc(cells);
    m->distances = malloc(cells * sizeof *m->distances);
    m->queue = malloc(cells * sizeof *m->queue);
    read_rows(m, file, path);
    fclose(file);
    wend_map_def def = default_map();
    wend_map_rules rules = default_rules();
    rules.neighbours = 4;
    def.rules = &rules, def.width = m->width, def.height = m->height;
    check(wend_map_create(&def, &m->map));
    wend_edit *edit = begin_edit(m->map);
    const wend_box box = {{0, 0, 0}, {m->width - 1, m->height - 1, 0}};
    check(wend_edit_set_box(edit, box, m->cells, (size_t)m->width));
    publish(edit);
}

void mapf_close(mapf *m) {
    wend_map_release(m->map);
    free(m->cells);
    free(m->distances);
    free(m->queue);
}

wend_cell mapf_cell(const mapf *m, uint32_t number) {
    return (wend_cell){(int32_t)(number % (uint32_t)m->width), (int32_t)(number / (uint32_t)m->width), 0};
}

static void reach(mapf *m, int32_t x, int32_t y, uint32_t distance, size_t *count) {
    if (x < 0 || y < 0 || x >= m->width || y >= m->height) return;
    const uint32_t at = (uint32_t)(y * m->width + x);
    if (m->cells[at] != WEND_CLASS_OPEN || m->distances[at] != UINT32_MAX) return;
    m->distances[at] = distance;
    m->queue[(*count)++] = at;
}

void mapf_distances(mapf *m, wend_cell goal) {
    size_t count = 0;
    memset(m->distances, 0xFF, (size_t)m->width * (size_t)m->height * sizeof *m->distances);
    reach(m, goal.x, goal.y, 0, &count);
    for (size_t k = 0; k < count; k++) {
        const wend_cell c = mapf_cell(m, m->queue[k]);
        const uint32_t next = m->distances[m->queue[k]] + 1;
        reach(m, c.x + 1, c.y, next, &count);
        reach(m, c.x - 1, c.y, next, &count);
        reach(m, c.x, c.y + 1, next, &count);
        reach(m, c.x, c.y - 1, next, &count);
    }
}

uint32_t mapf_distance(mapf *m, wend_cell from, wend_cell to) {
    mapf_distances(m, to);
    return m->distances[from.y * m->width + from.x];
}

wend_crowd *mapf_crowd(const mapf *m, wend_service *service, uint32_t agents, wend_agent_event_fn *on_event,
                       void *context) {
    wend_crowd_def def = default_crowd();
    def.service = service, def.map = m->map, def.agents = agents;
    def.on_event = on_event, def.context = context;
    return open_crowd(&def);
}

wend_agent_id mapf_add(wend_crowd *crowd, wend_cell cell, void *context) {
    wend_agent_def def = default_agent();
    wend_agent_id id;
    def.cell = cell, def.speed_milli = 1000, def.context = context;
    check(wend_crowd_add(crowd, &def, &id));
    return id;
}

void mapf_step(mapf_run *run) {
    const wend_budget budget = budget_of(WEND_NO_LIMIT);
    wend_crowd_stats stats = {.struct_bytes = sizeof stats};
    const double begun = cpu_us();
    check(wend_service_tick(run->service, &budget, NULL));
    check(wend_crowd_update(run->crowd, 1000, NULL, NULL));
    note(&run->step_us, cpu_us() - begun);
    check(wend_crowd_get_stats(run->crowd, &stats));
    run->blocked += stats.states[WEND_AGENT_BLOCKED];
    run->moved += stats.agents;
}

double mapf_peak_mb(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}
