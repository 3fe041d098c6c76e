/* SPDX-License-Identifier: MIT */
/* --log, --csv and --trace: the completions and frames, line by line. A log has no times, so two runs can be
   compared. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lab/trace/work.h"
#include "cli/shared/draw.h"
#include "cli/shared/messages.h"
#include "lab/run/stress.h"

static int open_file(const char *name, FILE **out) {
    if (name == NULL) return -1;
    *out = fopen(name, "w");
    return *out != NULL ? -1 : cli_fail_at(name, 0, 0, "%s", strerror(errno));
}

int stress_files_open(stress_run *run) {
    int status = open_file(run->settings->log_name, &run->log);
    if (status == -1) status = open_file(run->settings->csv_name, &run->csv);
    if (status == -1) status = open_file(run->settings->trace_name, &run->trace.out);
    if (status == -1) status = open_file(run->settings->report_name, &run->report);
    if (run->trace.out != NULL) trace_begin(&run->trace, run->trace.out, run->def.lanes, run->def.workers);
    return status;
}

int stress_log_open(stress_run *run) {
    const int status = stress_files_open(run);
    if (run->log != NULL)
        fprintf(
            run->log,
            "# done,frame,number,agent,urgency,status,cost,cells,expansions,wait_frames,frames,epoch,checked\n"
            "# "
            "frame,frame,expansions,rounds,submitted,deliveries,waiting,running,finished,evictions,checks,outdated\n");
    if (run->csv != NULL) {
        fprintf(run->csv, "frame,us,expansions,rounds,submitted,deliveries,found,waiting,running,finished,evictions,"
                          "checks,outdated,tick_us,cpu_us,edit_us,shared");
        work_csv_head(run->csv);
        fputc('\n', run->csv);
    }
    return status;
}

void stress_log_completion(stress_run *run, uint32_t agent, const wend_completion *completion) {
    if (run->log == NULL) return;
    bool known = agent < run->settings->agents;
    fprintf(run->log, "done,%" PRIu64 ",%" PRIu64 ",", run->frame, completion->number);
    if (known)
        fprintf(run->log, "%" PRIu32 ",%" PRId32, agent, agents_urgency(run->all, agent));
    else
        fprintf(run->log, ",");
    fprintf(run->log, ",%s,%" PRId64 ",%zu,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
            wend_status_name(completion->status), completion->cost, completion->cell_count, completion->expansions,
            completion->wait_frames, completion->frames, completion->epoch, completion->checked);
}

static void print_tail(FILE *out, const wend_frame *frame) {
    fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, frame->waiting,
            frame->running, frame->finished, frame->evictions, frame->checks, frame->outdated);
}

void stress_log_frame(stress_run *run, const wend_frame *frame, const stress_times *times) {
    if (run->log != NULL) {
        fprintf(run->log, "frame,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, run->frame,
                frame->expansions, frame->rounds, frame->submitted, frame->deliveries);
        print_tail(run->log, frame);
        fputc('\n', run->log);
    }
    if (run->csv != NULL) {
        fprintf(run->csv, "%" PRIu64 ",%.1f,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, run->frame,
                (double)(times->edits + times->tick) / 1000, frame->expansions, frame->rounds, frame->submitted,
                frame->deliveries, frame->statuses[WEND_STATUS_FOUND]);
        print_tail(run->csv, frame);
        fprintf(run->csv, ",%.1f,%.1f,%.1f,%" PRIu64, (double)times->tick / 1000, (double)times->cpu / 1000,
                (double)times->edits / 1000, frame->shared);
        work_csv(run->csv, frame);
        fputc('\n', run->csv);
    }
}

static int close_file(FILE **file, const char *name) {
    if (*file == NULL) return -1;
    int status = cli_close_output(*file, name);
    *file = NULL;
    return status;
}

int stress_log_close(stress_run *run) {
    int log = close_file(&run->log, run->settings->log_name);
    int csv = close_file(&run->csv, run->settings->csv_name);
    if (run->trace.out != NULL) trace_end(&run->trace);
    int trace = close_file(&run->trace.out, run->settings->trace_name);
    if (trace != -1) return trace;
    return log != -1 ? log : csv;
}
