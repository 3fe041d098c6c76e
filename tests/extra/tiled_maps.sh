#!/bin/sh
# SPDX-License-Identifier: MIT
# Random Tiled maps of each kind, whose cells an independent program knows; skipped where Python is missing.
. "${WEND_SRCDIR:-.}/tests/cli/lib.sh"
needs extra
python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || { echo 'no python3 from 3.9 on'; exit 77; }
exec python3 "$srcdir/tests/extra/tiled_maps.py" "$wend" "$work" "${WEND_SHORT:+short}"
