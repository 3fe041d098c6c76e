#!/bin/sh
# SPDX-License-Identifier: MIT
# examples/cluster/run: three nodes, and two owners that are killed. A busy machine has 30 s instead of 3.
. "${WEND_SRCDIR:-.}/tests/server/live/lib.sh"
WEND=$PWD/wend exec python3 "$srcdir/examples/cluster/run" --check 30
