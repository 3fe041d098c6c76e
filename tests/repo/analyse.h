/* SPDX-License-Identifier: MIT */
/* For tests/repo/analyse.sh, whose analyzer reads one file at a time: it does not know that no refusal is WEND_OK. */
#ifndef WEND_TESTS_REPO_ANALYSE_H
#define WEND_TESTS_REPO_ANALYSE_H

#include "base/refuse.h"
#include "io/text/text.h"

#define wend__refuse(error, ...) ((void)wend__refuse(error, __VA_ARGS__), (error))
#define wend__refuse_null(name) ((void)wend__refuse_null(name), WEND_BAD_ARGUMENT)
#define wend__refuse_range(...) ((void)wend__refuse_range(__VA_ARGS__), WEND_BAD_ARGUMENT)
#define wend__refuse_size(...) ((void)wend__refuse_size(__VA_ARGS__), WEND_BAD_ARGUMENT)
#define wend__refuse_memory(bytes) ((void)wend__refuse_memory(bytes), WEND_OUT_OF_MEMORY)
#define wend__fail(file_error, code, ...) ((void)wend__fail(file_error, code, __VA_ARGS__), (code))
#define wend__fail_as_noted(file_error, code) ((void)wend__fail_as_noted(file_error, code), (code))

#endif
