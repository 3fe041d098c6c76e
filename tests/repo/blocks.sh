# SPDX-License-Identifier: MIT
# Blocks of documents, for tests: files that they show, and commands with what these print. The test that takes it in has
# $work, complain() and `wend` in its path.
commands=0
write_files() { # document, folder to make: a block with a name is a file
    mkdir "$2"
    awk -v work="$2" '/^```[a-z]+ [a-z0-9.]+$/ { file = work "/" $2; next } /^```/ { if (file) close(file); file = "" }
        file { print > file }' "$1"
}
check_console() { # document, folder: the commands of its ```console blocks print there what is shown
    awk '/^```console$/ { on = 1; next } /^```/ { on = 0 } on' "$1" >"$work/wanted"
    awk '/^\$ / {
        command = shown = substr($0, 3)
        gsub(/\047/, "\047\\\047\047", shown)
        printf "printf \"$ %%s\\n\" \047%s\047\n%s\nstatus=$?\n[ $status -eq 0 ] || echo \"exit $status\"\n", shown, command
    }' "$work/wanted" >"$work/commands"
    commands=$((commands + $(grep -c '^\$ ' "$work/wanted")))
    (cd "$2" && timeout 600 sh "$work/commands") >"$work/got" 2>&1 </dev/null
    diff "$work/wanted" "$work/got" || complain "a command prints something else than $1 shows"
}
