#!/bin/sh
# SPDX-License-Identifier: MIT
# The journal of `wend serve`, and killing the server under edits: 50 times, or as often as the argument says.
. "${WEND_SRCDIR:-.}/tests/server/live/lib.sh"
exec python3 "$srcdir/tests/server/live/journals.py" "$@"
