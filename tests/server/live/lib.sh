# SPDX-License-Identifier: MIT
# What the tests of `wend serve` share: they are skipped where it or Python is missing. They run in the build folder.
set -u
srcdir=$(cd "${WEND_SRCDIR:-.}" && pwd) || exit 99
cd "${WEND_BUILDDIR:-.}" || exit 99
export PYTHONDONTWRITEBYTECODE=1
skip() { # reason
    echo "skipped: $*"
    exit 77
}
command -v python3 >/dev/null 2>&1 || skip 'no python3 here'
python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || skip 'python3 is older than 3.9'
./wend serve --help 2>/dev/null | grep -q -e --lines || skip 'wend serve is not built here'
