/* SPDX-License-Identifier: MIT */
/* Lifelong multi-agent pathfinding on the public instances of Guided-PIBT: bench_flow FOLDER STEPS INSTANCE…, where
 * FOLDER/INSTANCE.json names a map, agents and tasks. Agent i of n gets the tasks i, n + i, 2 n + i, … . CSV: finished
 * tasks a step, steps of the agents divided by the shortest ways of a sample of tasks, the share of agents that stand
 * blocked, searches a task, processor time of a step (mean and p99), the process's memory. */
#include "mapf.h"

enum { SAMPLED = 8 }; ///< every eighth task is compared with its shortest way

typedef struct job {
    wend_cell from, to;
    uint32_t done_count; ///< tasks
    uint32_t steps;      ///< begun for this task
    wend_cell at;
} job;

static mapf m;
static job *jobs;
static wend_agent_id *ids;
static uint32_t *tasks, *starts;
static uint32_t agent_count, task_count, step, finished, sampled;
static uint64_t walked, shortest;
static mapf_run run;

/* Reads numbers one a line; lines that begin with # are skipped. The first number is the count of the rest. */
static uint32_t *read_numbers(const char *folder, const char *name, uint32_t *count) {
    char path[4096], line[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    need(file, path);
    uint32_t *numbers = NULL, found = 0, room = 0;
    bool has_count = false;
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#') continue;
        const uint32_t number = (uint32_t)strtoul(line, NULL, 10);
        if (!has_count) {
            has_count = true;
            room = number;
            numbers = malloc((size_t)(room + 1) * sizeof *numbers);
        } else if (found < room) {
            numbers[found++] = number;
        }
    }
    fclose(file);
    need(found > 0, path);
    *count = found;
    return numbers;
}

/* Copies the value of a key of a flat JSON object, without quotes. */
static void read_value(const char *json, const char *key, char *out, size_t room) {
    const char *at = strstr(json, key);
    need(at, key);
    at = strchr(at, ':') + 1;
    at += strspn(at, " \"");
    const size_t length = strcspn(at, "\",}\n");
    need(length < room, key);
    memcpy(out, at, length);
    out[length] = 0;
}

static void read_instance(const char *folder, const char *name) {
    char path[4096], json[4096] = {0}, value[512];
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    FILE *file = fopen(path, "r");
    need(file, path);
    need(fread(json, 1, sizeof json - 1, file) > 0, path);
    fclose(file);
    read_value(json, "\"mapFile\"", value, sizeof value);
    snprintf(path, sizeof path, "%s/%s", folder, value);
    mapf_open(&m, path);
    read_value(json, "\"agentFile\"", value, sizeof value);
    starts = read_numbers(folder, value, &agent_count);
    read_value(json, "\"teamSize\"", value, sizeof value);
    const uint32_t team = (uint32_t)strtoul(value, NULL, 10);
    if (team < agent_count) agent_count = team;
    read_value(json, "\"taskFile\"", value, sizeof value);
    tasks = read_numbers(folder, value, &task_count);
}

static void finish(job *j) {
    finished++;
    if (finished % SAMPLED != 0) return;
    sampled++;
    walked += j->steps;
    shortest += mapf_distance(&m, j->from, j->to);
}

static void send_next(uint32_t i, wend_cell from) {
    job *j = &jobs[i];
    const uint64_t number = (uint64_t)j->done_count * agent_count + i;
    *j = (job){.from = from, .to = mapf_cell(&m, tasks[number % task_count]), .done_count = j->done_count, .at = from};
    send_to(run.crowd, &ids[i], 1, j->to);
}

/* A step leads to one of the 4 neighbours. */
static void count_step(job *j, wend_cell at) {
    need(abs(j->at.x - at.x) + abs(j->at.y - at.y) <= 1, "an agent went two cells in a step");
    j->steps += !same_cell(j->at, at);
    j->at = at;
}

/* No agents share a cell: the breadth-first search's array has the agent that stood there last. */
static void count_steps(void) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    check(wend_crowd_get_view(run.crowd, &view));
    memset(m.queue, 0xFF, (size_t)m.width * (size_t)m.height * sizeof *m.queue);
    for (uint32_t i = 0; i < agent_count; i++) {
        uint32_t *owner = &m.queue[view.cells[i].y * m.width + view.cells[i].x];
        need(*owner == UINT32_MAX, "two agents share a cell");
        *owner = i;
        count_step(&jobs[i], view.cells[i]);
    }
}

static void on_event(void *context, const wend_agent_event *event) {
    (void)context;
    if (event->event == WEND_AGENT_EVENT_REROUTED || event->event == WEND_AGENT_EVENT_REPLACED ||
        event->event == WEND_AGENT_EVENT_DISPLACED)
        return;
    const uint32_t i = (uint32_t)((job *)event->context - jobs);
    count_step(&jobs[i], event->cell);
    if (!same_cell(event->cell, jobs[i].to)) { /* the agent ended without its goal: try again */
        send_to(run.crowd, &ids[i], 1, jobs[i].to);
        return;
    }
    finish(&jobs[i]);
    jobs[i].done_count++;
    send_next(i, event->cell);
}

static void report(const char *name) {
    wend_crowd_stats stats = {.struct_bytes = sizeof stats};
    check(wend_crowd_get_stats(run.crowd, &stats));
    const double mean_us = mean(run.step_us.values, run.step_us.count);
    printf("%s,%u,%.3f,%.2f,%.1f,%.2f,%.0f,%.0f,%.1f\n", name, agent_count, (double)finished / step,
           shortest ? (double)walked / (double)shortest : 0, 100.0 * (double)run.blocked / (double)run.moved,
           (double)stats.searches_begun / (finished ? finished : 1), mean_us,
           percentile(run.step_us.values, run.step_us.count, 990), mapf_peak_mb());
    fflush(stdout);
}

static void run_instance(const char *folder, const char *name, uint32_t steps) {
    read_instance(folder, name);
    run = (mapf_run){.service = open_service(NULL)};
    run.crowd = mapf_crowd(&m, run.service, agent_count, on_event, NULL);
    jobs = calloc(agent_count, sizeof *jobs);
    ids = calloc(agent_count, sizeof *ids);
    step = finished = sampled = 0;
    walked = shortest = 0;
    for (uint32_t i = 0; i < agent_count; i++) ids[i] = mapf_add(run.crowd, mapf_cell(&m, starts[i]), &jobs[i]);
    for (uint32_t i = 0; i < agent_count; i++) send_next(i, mapf_cell(&m, starts[i]));
    for (; step < steps; step++) mapf_step(&run), count_steps();
    report(name);
    check(wend_crowd_destroy(run.crowd));
    check(wend_service_destroy(run.service));
    clear(&run.step_us);
    mapf_close(&m);
    free(jobs), free(ids), free(starts), free(tasks);
}

int main(int count, char **words) {
    need(count > 3, "usage: bench_flow FOLDER STEPS INSTANCE...");
    puts("instance,agents,tasks_a_step,walked_by_shortest,blocked_percent,searches_a_task,step_us,p99_us,peak_mb");
    for (int i = 3; i < count; i++) run_instance(words[1], words[i], (uint32_t)strtoul(words[2], NULL, 10));
    return 0;
}
