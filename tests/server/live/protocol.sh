#!/bin/sh
# SPDX-License-Identifier: MIT
# The protocol of `wend serve`, by clients in Python.
. "${WEND_SRCDIR:-.}/tests/server/live/lib.sh"
exec python3 "$srcdir/tests/server/live/protocol.py" "$@"
