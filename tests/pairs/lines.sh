#!/bin/sh
# SPDX-License-Identifier: MIT
# Features, happenings and moments, each with each other, as lines to `wend serve`. An argument is the seed.
. "${WEND_SRCDIR:-.}/tests/server/live/lib.sh"
[ -x ./check_pairs ] || skip 'check_pairs, which prints the table, is not built here'
exec python3 "$srcdir/tests/pairs/wire/drive.py" "$@"
