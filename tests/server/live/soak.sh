#!/bin/sh
# SPDX-License-Identifier: MIT
# Memory of `wend serve` over some minutes of use, by its own clock: 4, or as many as the argument says.
. "${WEND_SRCDIR:-.}/tests/server/live/lib.sh"
exec python3 "$srcdir/tests/server/live/soak.py" "$@"
