#!/bin/sh
# SPDX-License-Identifier: MIT
# The binding for Python; here its module is linked with the library of the build.
. "${WEND_SRCDIR:-.}/tests/bindings/lib.sh"
python=
for candidate in python3 /usr/bin/python3; do
    "$candidate" -c 'import cffi, setuptools, sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null && python=$candidate && break
done
need_made
[ -n "$python" ] || skip 'no python3 from 3.9 on with cffi and setuptools here'
cp -r "$srcdir/bindings/python" "$work/python" && chmod -R u+w "$work/python" || exit 99
from=$work/python
(cd "$from" && WEND_ROOT=$srcdir WEND_LIB_DIR=$libs "$python" build_wend.py && mv wend/_wend* src/wend/) >"$work/log" 2>&1 ||
    skip "its module cannot be built: $(tail -n 1 "$work/log")"
PYTHONPATH=$from/src PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE
expect "$hello" "$python" "$from/hello.py"
expect "$village" "$python" "$from/village.py"
expect "$gate" "$python" "$from/gate.py"
code_block "$from/README.md" python 1 >"$work/readme.py"
expect '<found, cost 706, 60 cells>' "$python" -c 'import runpy, sys; sys.modules["numpy"] = None; runpy.run_path(sys.argv[1])' \
    "$work/readme.py"
passes "$python" "$from/test_wend.py" "$map" "$misuse"
most_lines 15 "$from/hello.py"
most_lines 120 "$from/village.py"
finish
