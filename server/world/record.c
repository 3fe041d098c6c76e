/* SPDX-License-Identifier: MIT */
/* A recording of a service with one map, in a file. */
#include <errno.h>
#include <string.h>
#include <wend/record.h>

#include "world/host.h"
#include "cli/output/messages.h"

static wend_error write_script(void *context, uint32_t file, const void *bytes, size_t size) {
    if (file == 0) return WEND_OK; /* the script of one map suffices */
    return fwrite(bytes, 1, size, context) == size ? WEND_OK : WEND_IO;
}

int host_record_open(host_record *record, const char *name, wend_service *service, wend_map *map) {
    *record = (host_record){.name = name, .service = service};
    if (!name) return HOST_DONE;
    record->file = fopen(name, "w");
    if (!record->file) return host_fail_at(name, 0, 0, "cannot be opened for writing: %s", strerror(errno));
    wend_error error = wend_service_record(service, write_script, record->file);
    if (!error) error = wend_service_record_map(service, map);
    return !error ? HOST_DONE : host_fail_at(name, 0, 0, "no recording: %s", wend_error_detail(error));
}

int host_record_close(host_record *record) {
    if (!record->file) return HOST_DONE;
    wend_error error = wend_service_end_recording(record->service);
    if (fclose(record->file) != 0 && !error) error = WEND_IO;
    record->file = NULL;
    if (!error) return HOST_DONE;
    return host_fail_at(record->name, 0, 0, "the recording is not complete: %s", wend_error_detail(error));
}
