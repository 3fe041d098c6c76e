# SPDX-License-Identifier: MIT
# Packages of a build, for tests: SERVER, LAB, EXTRA.
has() { grep -q "^$1_TRUE = *\$" "${WEND_BUILDDIR:-.}/Makefile"; }
needs() { # packages: the test is skipped where the build has not all of them
    for package; do
        has "$package" || { echo "skipped: built without the package $package"; exit 77; }
    done
}
