#!/bin/sh
# SPDX-License-Identifier: MIT
# The ordinary life of a crowd takes no general A*, and few expansions: bench_npcs in short. Time is not judged here.
exec "${WEND_BUILDDIR:-.}/check_npcs" 300 1 0
