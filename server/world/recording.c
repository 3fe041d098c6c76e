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
    if (name) record->file = fopen(name, "w");
    return !name || record->file ? CLI_DONE
                                 : cli_fail_at(name, 0, 0, "cannot be opened for writing: %s", strerror(errno));
}

/* Without an error the recording goes on, else its file is closed. */
static int check(world_recording *record, wend_error error) {
    if (!error) return CLI_DONE;
    const int status = cli_fail_at(record->name, 0, 0, "no recording: %s", wend_error_detail(error));
    (void)wend_service_end_recording(record->service);
    fclose(record->file);
    record->file = NULL;
    return status;
}

int world_recording_open(world_recording *record, const char *name, wend_service *service, wend_map *map) {
    const int status = open_file(record, name, service);
    if (!record->file) return status;
    wend_error error = wend_service_record(service, write_script, record->file);
    if (!error) error = wend_service_record_map(service, map);
    return check(record, error);
}

int world_recording_open_late(world_recording *record, const char *name, wend_service *service, wend_map *map,
                              wend_crowd *crowd) {
    const int status = open_file(record, name, service);
    if (!record->file) return status;
    return check(record, wend_service_record_state(service, map, crowd, write_script, record->file));
}

int world_recording_close(world_recording *record) {
    if (!record->file) return CLI_DONE;
    wend_error error = wend_service_end_recording(record->service);
    if (fclose(record->file) != 0 && !error) error = WEND_IO;
    record->file = NULL;
    if (!error) return CLI_DONE;
    return cli_fail_at(record->name, 0, 0, "the recording is not complete: %s", wend_error_detail(error));
}
