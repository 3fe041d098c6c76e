/* SPDX-License-Identifier: MIT */
/* --log, --csv and --trace: completions or goals, and frames, line by line. A log has no times, so two runs can be
   compared. */
#include <inttypes.h>
#include <stdio.h>

#include "run/lab.h"

/* Which lines have a column: those of the log and of the CSV, of requests and of a crowd. */
enum { LOG = 1, CSV = 2, WALK_LOG = 4, WALK_CSV = 8, ALL_CSV = CSV | WALK_CSV, ALL = LOG | WALK_LOG | ALL_CSV };

typedef struct column {
    int lines;
    const char *name;
    uint64_t value;
    bool time; /* in nanoseconds, printed in microseconds */
} column;

/* The columns of a frame's line, or their names. Columns that stand elsewhere in another line come twice. */
static void write_columns(FILE *out, int line, const lab_run *run, const wend_frame *frame, const lab_times *times,
                          bool names) {
    const uint64_t cpu_ns = times->tick.cpu_ns + times->step.cpu_ns;
    const column columns[] = {
        {ALL, "frame", run->frame, false},
        {ALL_CSV, "us", times->edits.ns + times->tick.ns + times->step.ns, true},
        {WALK_LOG, "wishing", run->open_goals, false},
        {ALL, "expansions", frame->expansions, false},
        {ALL, "rounds", frame->rounds, false},
        {ALL, "submitted", frame->submitted, false},
        {ALL, "deliveries", frame->deliveries, false},
        {CSV, "found", frame->statuses[WEND_STATUS_FOUND], false},
        {ALL, "waiting", frame->waiting, false},
        {ALL, "running", frame->running, false},
        {ALL, "finished", frame->finished, false},
        {LOG | CSV, "evictions", frame->evictions, false},
        {LOG | CSV, "checks", frame->checks, false},
        {LOG | CSV, "outdated", frame->outdated, false},
        {ALL_CSV, "tick_us", times->tick.ns, true},
        {CSV, "cpu_us", cpu_ns, true},
        {CSV, "edit_us", times->edits.ns, true},
        {CSV, "shared", frame->shared, false},
        {WALK_CSV, "crowd_us", times->step.ns, true},
        {WALK_CSV, "wishing", run->open_goals, false},
        {WALK_LOG | WALK_CSV, "doors", run->edits, false},
        {WALK_CSV, "cpu_us", cpu_ns, true},
    };
    const bool logged = (line & ALL_CSV) == 0;
    fputs(logged && names ? "# frame" : logged ? "frame" : "", out);
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        const column *one = &columns[i];
        if ((one->lines & line) == 0) continue;
        if (i > 0 || logged) fputc(',', out);
        if (names)
            fputs(one->name, out);
        else if (one->time)
            fprintf(out, "%.1f", (double)one->value / 1000);
        else
            fprintf(out, "%" PRIu64, one->value);
    }
    if (!logged && names) work_csv_head(out);
    if (!logged && !names) work_csv(out, frame);
    fputc('\n', out);
}

static void write_frame(const lab_run *run, const wend_frame *frame, const lab_times *times, bool names) {
    const bool walk = run->settings->walk;
    if (run->settings->log) write_columns(run->settings->log, walk ? WALK_LOG : LOG, run, frame, times, names);
    if (run->settings->csv) write_columns(run->settings->csv, walk ? WALK_CSV : CSV, run, frame, times, names);
}

void lab_log_heads(lab_run *run) {
    const wend_frame frame = {0};
    const lab_times times = {0};
    static const char *const walks[] = {
        [WEND_KIND_GRID] = "# wish,frame,agent,x,y,goal_x,goal_y\n# event,frame,agent,event,why,x,y\n",
        [WEND_KIND_VOXEL] = "# wish,frame,agent,x,y,z,goal_x,goal_y,goal_z\n# event,frame,agent,event,why,x,y,z\n",
        [WEND_KIND_GRAPH] = "# wish,frame,agent,node,goal\n# event,frame,agent,event,why,node\n"};
    if (run->settings->log)
        fputs(run->settings->walk ? walks[run->land.kind]
                                  : "# done,frame,number,agent,urgency,status,cost,cells,expansions,wait_frames,"
                                    "frames,epoch,checked\n",
              run->settings->log);
    write_frame(run, &frame, &times, true);
    if (!run->settings->trace) return;
    trace_begin(&run->trace, run->settings->trace, run->tuning.lanes, run->def.workers);
    if (run->settings->walk) trace_name_host(&run->trace, "the crowd");
}

void lab_log_completion(const lab_run *run, uint32_t agent, const wend_completion *completion) {
    FILE *log = run->settings->log;
    if (!log) return;
    fprintf(log, "done,%" PRIu64 ",%" PRIu64 ",", run->frame, completion->number);
    if (agent < run->settings->agents)
        fprintf(log, "%" PRIu32 ",%" PRId32, agent, agents_urgency(run->all, agent));
    else
        fprintf(log, ",");
    fprintf(log, ",%s,%" PRId64 ",%zu,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
            wend_status_name(completion->status), completion->cost, completion->cell_count, completion->expansions,
            completion->wait_frames, completion->frames, completion->epoch, completion->checked);
}

void lab_log_goal(const lab_run *run, uint32_t agent) {
    const lab_agent *who = &run->crowd_agents[agent];
    if (!run->settings->log) return;
    fprintf(run->settings->log, "wish,%" PRIu64 ",%" PRIu32 ",%s,%s\n", run->frame, agent,
            TERRAIN_NAME(&run->land, who->start), TERRAIN_NAME(&run->land, who->goal));
}

void lab_log_event(const lab_run *run, const lab_event *event) {
    if (!run->settings->log) return;
    fprintf(run->settings->log, "event,%" PRIu64 ",%" PRIu32 ",%s,%s,%s\n", run->frame, event->agent,
            wend_constant_name(WEND_NAME_AGENT_EVENT, event->event),
            event->why != 0 ? wend_constant_name(WEND_NAME_WHY, event->why) : "",
            TERRAIN_NAME(&run->land, event->cell));
}

bool lab_log_frame(lab_run *run, const wend_frame *frame, const lab_times *times) {
    write_frame(run, frame, times, false);
    if (!run->trace.out) return true;
    if (!trace_frame(&run->trace, run->figures)) return false;
    if (!run->settings->walk) return true;
    trace_host(&run->trace, "step of the crowd", times->ended_ns - times->step.ns, times->ended_ns);
    trace_count(&run->trace, "agents on their way", times->ended_ns, run->open_goals);
    return true;
}
