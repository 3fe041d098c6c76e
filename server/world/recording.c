/* SPDX-License-Identifier: MIT */
/* A recording of a service with one map, in a file. */
#include <errno.h>
#include <string.h>
#include <wend/record.h>
#include <wend/save.h>

#include "world/world.h"
#include "cli/output/messages.h"

static wend_error write_script(void *context, uint32_t file, const void *bytes, size_t size) {
    if (file == 0) return WEND_OK; /* with one map, one script is enough */
    return fwrite(bytes, 1, size, context) == size ? WEND_OK : WEND_IO;
}

static int open_file(world_recording *record, const char *name, wend_service *service) {
    *record = (world_recording){.name = name, .service = service};
    const int reason = name ? wend__replace_begin(&record->file, name) : 0;
    return reason ? cli_fail_at(name, 0, 0, "cannot be opened for writing: %s", wend__errno_text(reason)) : CLI_DONE;
}

/* Without an error the recording goes on, else its file is closed. */
static int check(world_recording *record, wend_error error) {
    if (!error) return CLI_DONE;
    const int status = cli_fail_at(record->name, 0, 0, "no recording: %s", wend_error_detail(error));
    (void)wend_service_end_recording(record->service);
    wend__replace_end(&record->file, ECANCELED);
    return status;
}

int world_recording_open(world_recording *record, const char *name, wend_service *service, wend_map *map) {
    const int status = open_file(record, name, service);
    if (!record->file.stream) return status;
    wend_error error = wend_service_record(service, write_script, record->file.stream);
    if (!error) error = wend_service_record_map(service, map);
    return check(record, error);
}

int world_recording_open_late(world_recording *record, const char *name, wend_service *service, wend_map *map,
                              wend_crowd *crowd) {
    const int status = open_file(record, name, service);
    if (!record->file.stream) return status;
    return check(record, wend_service_record_state(service, map, crowd, write_script, record->file.stream));
}

int world_recording_close(world_recording *record) {
    if (!record->file.stream) return record->status;
    const wend_error error = wend_service_end_recording(record->service);
    const int reason = wend__replace_end(&record->file, error && error != WEND_IO ? ECANCELED : 0);
    if (!reason && !error) return CLI_DONE;
    const char *why = error && error != WEND_IO ? wend_error_detail(error) : wend__errno_text(reason);
    record->status = cli_fail_at(record->name, 0, 0, "the recording is not complete: %s", why);
    return record->status;
}
