#!/bin/sh
# SPDX-License-Identifier: MIT
# `wend serve` without memory: about 40 of its allocations fail, or as many as the argument says; 0: each.
. "${WEND_SRCDIR:-.}/tests/server/live/lib.sh"
[ -x ./starved_serve ] || skip 'starved_serve is not built here'
exec python3 "$srcdir/tests/server/live/starving.py" "$@"
