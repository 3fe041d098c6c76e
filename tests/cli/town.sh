#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/town.md: its commands and programs run in a clone and print what it shows.
. "${WEND_SRCDIR:-.}/tests/cli/lib.sh"
. "$srcdir/tests/repo/blocks.sh"
needs server extra ground
build=$PWD
skip() { # reason
    echo "skipped: $*"
    exit 77
}
[ -f .libs/libwend.so ] || skip 'no shared library here'
! grep -q '^INSTRUMENT_FLAGS = .*fsanitize' Makefile || skip 'the library is built with a sanitizer, which other programs do not have'
python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || skip 'no python3 from 3.9 on here'

# The reader has these installed; here they are those of the build, and the page takes any free port.
mkdir "$work/bin"
cat >"$work/bin/wend" <<END
#!/bin/sh
[ "\$1" != serve ] || set -- "\$@" --listen 127.0.0.1:0
exec "$wend" "\$@"
END
cat >"$work/bin/pkg-config" <<END
#!/bin/sh
echo "-I$srcdir/include -L$build/.libs -lwend"
END
printf '#!/bin/sh\nexec %s "$@"\n' "${CC:-$(command -v cc)}" >"$work/bin/cc"
chmod +x "$work/bin/wend" "$work/bin/pkg-config" "$work/bin/cc"
PATH=$work/bin:$PATH LD_LIBRARY_PATH=$build/.libs PYTHONDONTWRITEBYTECODE=1
export PATH LD_LIBRARY_PATH PYTHONDONTWRITEBYTECODE

write_files "$srcdir/docs/town.md" "$work/town"
ln -s "$data" "$srcdir/bindings" "$work/town"
check_console "$srcdir/docs/town.md" "$work/town"
[ "$commands" -ge 8 ] || complain "docs/town.md has $commands commands"
finish
