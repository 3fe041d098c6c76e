/* SPDX-License-Identifier: MIT */
/* --log, --csv and --trace of agents that walk: wishes, what became of them, and frames. A log has no times. */
#include <inttypes.h>

#include "lab/trace/work.h"
#include "lab/run/walk.h"

int walk_log_open(walk_run *run) {
    const int status = stress_files_open(&run->base);
    FILE *log = run->base.log, *csv = run->base.csv;
    if (run->base.trace.out != NULL) trace_name_host(&run->base.trace, "the crowd");
    if (log != NULL)
        fprintf(log, "# wish,frame,agent,x,y,goal_x,goal_y\n"
                     "# event,frame,agent,event,why,x,y\n"
                     "# frame,frame,wishing,expansions,rounds,submitted,deliveries,waiting,running,finished,doors\n");
    if (csv != NULL) {
        fprintf(csv, "frame,us,expansions,rounds,submitted,deliveries,waiting,running,finished,tick_us,crowd_us,"
                     "wishing,doors,cpu_us");
        work_csv_head(csv);
        fputc('\n', csv);
    }
    return status;
}

void walk_log_wish(walk_run *run, uint32_t agent) {
    const walk_agent *who = &run->agents[agent];
    if (run->base.log == NULL) return;
    fprintf(run->base.log, "wish,%" PRIu64 ",%" PRIu32 ",%" PRId32 ",%" PRId32 ",%" PRId32 ",%" PRId32 "\n", run->frame,
            agent, who->start.x, who->start.y, who->goal.x, who->goal.y);
}

void walk_log_event(walk_run *run, const walk_event *event) {
    if (run->base.log == NULL) return;
    fprintf(run->base.log, "event,%" PRIu64 ",%" PRIu32 ",%s,%s,%" PRId32 ",%" PRId32 "\n", run->frame, event->agent,
            wend_agent_event_name(event->event), event->why != 0 ? wend_agent_why_name(event->why) : "", event->cell.x,
            event->cell.y);
}

static void log_frame(walk_run *run, const wend_frame *frame) {
    fprintf(run->base.log, "frame,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, run->frame, run->open_wishes,
            frame->expansions, frame->rounds);
    fprintf(run->base.log, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
            frame->submitted, frame->deliveries, frame->waiting, frame->running, frame->finished, run->doors_changed);
}

static void csv_frame(walk_run *run, const wend_frame *frame, const walk_times *times) {
    FILE *csv = run->base.csv;
    fprintf(csv, "%" PRIu64 ",%.1f,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, run->frame,
            (double)(times->ended - times->begun) / 1000, frame->expansions, frame->rounds, frame->submitted,
            frame->deliveries);
    fprintf(csv, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.1f,%.1f,%" PRIu64 ",%" PRIu64, frame->waiting, frame->running,
            frame->finished, (double)(times->ticked - times->begun) / 1000,
            (double)(times->ended - times->ticked) / 1000, run->open_wishes, run->doors_changed);
    fprintf(csv, ",%.1f", (double)(times->cpu_ended - times->cpu_begun) / 1000);
    work_csv(csv, frame);
    fputc('\n', csv);
}

bool walk_log_frame(walk_run *run, const wend_frame *frame, const walk_times *times) {
    trace_events *trace = &run->base.trace;
    if (run->base.log != NULL) log_frame(run, frame);
    if (run->base.csv != NULL) csv_frame(run, frame, times);
    if (trace->out == NULL) return true;
    if (!trace_frame(trace, run->base.figures)) return false;
    trace_host(trace, "step of the crowd", times->ticked, times->ended);
    trace_count(trace, "agents on their way", times->ended, run->open_wishes);
    return true;
}
