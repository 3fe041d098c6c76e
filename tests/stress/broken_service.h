/* SPDX-License-Identifier: MIT */
/* Put in front of each source of a program (-include): what it asks of a service goes to
 * tests/stress/broken_service.c. */
#ifndef WEND_TESTS_BROKEN_SERVICE_H
#define WEND_TESTS_BROKEN_SERVICE_H

#define wend_service_create broken_service_create
#define wend_service_submit broken_service_submit
#define wend_service_cancel broken_service_cancel
#define wend_service_set_goal broken_service_set_goal
#define wend_service_tick broken_service_tick
#define wend_edit_set_cell broken_edit_set_cell
#define wend_edit_publish broken_edit_publish

#endif
