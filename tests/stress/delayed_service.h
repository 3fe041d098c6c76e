/* SPDX-License-Identifier: MIT */
/* Put in front of each source of a program (-include): it makes its services by tests/stress/delayed_service.c. */
#ifndef WEND_TESTS_DELAYED_SERVICE_H
#define WEND_TESTS_DELAYED_SERVICE_H

#define wend_service_create delayed_service_create
#define wend_service_destroy delayed_service_destroy

#endif
