#!/bin/sh
# SPDX-License-Identifier: MIT
# A map's log over NATS. With arguments, those cases alone.
. "${WEND_SRCDIR:-.}/tests/server/live/lib.sh"
exec python3 "$srcdir/tests/server/cluster/log.py" "$@"
