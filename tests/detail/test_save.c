/* SPDX-License-Identifier: MIT */
/* Details of save.h. */
#include "detail/refused.h"
#include <wend/save.h>

#define NO_SAVE "these bytes are no save of wend"
#define SMALL "the save takes # bytes, but there is room for 8"

Test(detail, of_saves) {
    static uint8_t save[1 << 16];
    size_t bytes;
    wend_map *map = make_grid(), *other = make_space();
    wend_service *service;
    wend_crowd *crowd;
    wend_service_def service_def = default_service();
    service_def.queue = 4, service_def.nodes = 4 * WEND_PAGE_NODES;
    cr_assert_eq(wend_service_create(&service_def, &service), WEND_OK);
    wend_crowd_def crowd_def = default_crowd();
    crowd_def.map = map, crowd_def.service = service, crowd_def.agents = 3;
    cr_assert_eq(wend_crowd_create(&crowd_def, &crowd), WEND_OK);

    REFUSED(WEND_BAD_ARGUMENT, "map is NULL", wend_map_save_state(NULL, save, sizeof save, &bytes));
    REFUSED(WEND_OUT_OF_MEMORY, SMALL, wend_map_save_state(map, save, 8, &bytes));
    REFUSED(WEND_BAD_ARGUMENT, "map is NULL", wend_map_restore_state(NULL, save, 8));
    REFUSED(WEND_BAD_ARGUMENT, "buffer is NULL", wend_map_restore_state(map, NULL, 8));
    REFUSED(WEND_BAD_FORMAT, NO_SAVE, wend_map_restore_state(map, "no", 2));
    cr_assert_eq(wend_map_save_state(map, save, sizeof save, &bytes), WEND_OK);
    REFUSED(WEND_BAD_FORMAT, "the save is cut: it has # bytes, and had #",
            wend_map_restore_state(map, save, bytes - 1));
    REFUSED(WEND_BAD_ARGUMENT, "the save is of another map: of kind #, with 10 x 8 x 1 cells",
            wend_map_restore_state(other, save, bytes));
    REFUSED(WEND_BAD_ARGUMENT, "the save is of a map, not of a crowd",
            wend_crowd_restore_state(crowd, NULL, save, bytes));
    save[40] ^= 1;
    REFUSED(WEND_BAD_FORMAT, "the save is damaged: its checksum is wrong", wend_map_restore_state(map, save, bytes));
    save[8] = 9;
    REFUSED(WEND_UNSUPPORTED, "the save has format 9, this version reads up to 3",
            wend_map_restore_state(map, save, bytes));

    REFUSED(WEND_BAD_ARGUMENT, "service is NULL", wend_service_save_state(NULL, NULL, save, sizeof save, &bytes));
    REFUSED(WEND_OUT_OF_MEMORY, SMALL, wend_service_save_state(service, NULL, save, 8, &bytes));
    REFUSED(WEND_BAD_ARGUMENT, "service is NULL", wend_service_restore_state(NULL, NULL, save, 8));
    REFUSED(WEND_BAD_FORMAT, NO_SAVE, wend_service_restore_state(service, NULL, "no", 2));
    REFUSED(WEND_BAD_ARGUMENT, "crowd is NULL", wend_crowd_save_state(NULL, save, sizeof save, &bytes));
    REFUSED(WEND_OUT_OF_MEMORY, SMALL, wend_crowd_save_state(crowd, save, 8, &bytes));
    REFUSED(WEND_BAD_ARGUMENT, "crowd is NULL", wend_crowd_restore_state(NULL, NULL, save, 8));
    REFUSED(WEND_BAD_FORMAT, NO_SAVE, wend_crowd_restore_state(crowd, NULL, "no", 2));

    cr_assert_eq(wend_crowd_destroy(crowd), WEND_OK);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    wend_map_release(map), wend_map_release(other);
}
