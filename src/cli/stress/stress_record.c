/* SPDX-License-Identifier: MIT */
/* The recording of a stress run: the script of its one map, which `wend run` plays back. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/shared/messages.h"
#include "cli/stress/stress.h"

static wend_error write_script(void *context, uint32_t file, const void *bytes, size_t size) {
    if (file == 0) return WEND_OK; /* one map: its script suffices */
    return fwrite(bytes, 1, size, context) == size ? WEND_OK : WEND_IO;
}

int stress_record_open(stress_run *run) {
    const char *name = run->settings->record_name;
    if (name == NULL) return -1;
    run->record = fopen(name, "w");
    if (run->record == NULL) return cli_fail_at(name, 0, 0, "cannot be opened for writing: %s", strerror(errno));
    wend_error error = wend_service_record(run->service, write_script, run->record);
    if (error == WEND_OK) error = wend_service_record_map(run->service, run->map);
    return error == WEND_OK ? -1 : cli_fail("--record: %s", wend_error_text(error));
}

int stress_record_close(stress_run *run) {
    if (run->record == NULL) return -1;
    wend_error error = run->service != NULL ? wend_service_record(run->service, NULL, NULL) : WEND_OK;
    if (fclose(run->record) != 0 && error == WEND_OK) error = WEND_IO;
    run->record = NULL;
    if (error == WEND_OK || error == WEND_EMPTY) return -1;
    return cli_fail_at(run->settings->record_name, 0, 0, "the recording is not complete: %s", wend_error_text(error));
}
