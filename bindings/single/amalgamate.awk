# SPDX-License-Identifier: MIT
# Joins the sources that standard input names into one text: all headers first, each once, then the sources. Run it in the
# top folder of the repository.
#
#   awk -v what=header|source [-v lines=1] -f amalgamate.awk
#
# A name that a file keeps for itself (a static function or variable, a type, an enumerator) gets the file's name before it
# where another source or a header has that name, too; macros of a file end with it. Members of structs keep their names, so
# such a name may not be one of a member that the same file declares. Input lines: a path, or a line of the preprocessor.

function folder_of(path) { return match(path, /^.*\//) ? substr(path, 1, RLENGTH - 1) : "." }

function exists(path,   line, result) {
    if (path in known) return known[path]
    result = (getline line <path) > 0
    close(path)
    return known[path] = result
}

# Sets text[path, 1 … count[path]].
function load(path,   line, n) {
    if (path in count) return
    while ((getline line <path) > 0) text[path, ++n] = line
    close(path)
    if (!n) stop(path ": is empty or not there")
    count[path] = n
    guarded[path] = path ~ /\.h$/ && is_guarded(path, n)
}
function is_guarded(path, n,   i) {
    for (i = 1; i <= n && i < 60; i++)
        if (text[path, i] ~ /^#ifndef WEND_[A-Z0-9_]*_H$/) return 1
    return 0
}

function stop(sentence) {
    print "amalgamate: " sentence >"/dev/stderr"
    failed = 1
    exit 1
}

# What an #include names: a file of this repository, or "" for one of the system.
function target(path, line,   name) {
    if (line !~ /^[ \t]*#[ \t]*include[ \t]*[<"]/) return ""
    name = line
    sub(/^[^<"]*[<"]/, "", name)
    sub(/[>"].*/, "", name)
    if (line ~ /</) return name ~ /^wend\// ? "include/" name : ""
    if (exists("src/" name)) return "src/" name
    if (exists(folder_of(path) "/" name)) return folder_of(path) "/" name
    stop(path ": no file for " line)
}

function mark(path, number) {
    if (lines) put("#line " number " \"" path "\"")
}

# Lines go to out[], so that a unit can be renamed before it is printed.
function put(line) { out[++outs] = line }

# Puts a header with a guard into unit[], after those that it includes; and sets sees[path], the headers that a file sees.
function gather(path, from,   i, to) {
    load(path)
    for (i = 1; i <= count[path]; i++) {
        to = target(path, text[path, i])
        if (to == "" || to ~ public_only) continue
        load(to)
        if (!guarded[to]) {
            gather(to, from)
            continue
        }
        if (!(to in done)) {
            done[to] = 1
            extra[to] = condition
            gather(to, to)
            unit[++units] = to
        }
        see(from, to)
    }
}
function see(from, to,   i, n, each) {
    if ((from, to) in seen) return
    seen[from, to] = 1
    sees[from] = sees[from] " " to
    n = split(sees[to], each, " ")
    for (i = 1; i <= n; i++) see(from, each[i])
}

# The lines of a file without what it includes; but templates, which have no guard, in their place.
function put_lines(path,   i, line, to) {
    for (i = 1; i <= count[path]; i++) {
        line = text[path, i]
        to = target(path, line)
        if (line ~ /SPDX-License-Identifier/ || line ~ /^#define _(GNU|DEFAULT|POSIX_C)_SOURCE/) line = ""
        else if (to != "") {
            load(to)
            line = ""
            if (!guarded[to]) {
                mark(to, 1)
                put_lines(to)
                mark(path, i + 1)
                continue
            }
        }
        put(line)
    }
}

# ---- names ----
# Calls of scan() with the lines out[1 … outs] set own[file, name] for each name at file scope that is not public and not
# wend__…, and owners[name]. A declaration is read up to its end: tokens at depth 0 are in decl[].
function scan(file,   i, line, in_comment, token, depth, parens, n, decl, kind, tag, skip) {
    n = depth = parens = in_comment = skip = 0
    kind = ""
    for (i = 1; i <= outs; i++) {
        line = out[i]
        if (skip) { skip = line ~ /\\$/; continue }
        if (line ~ /^[ \t]*#/) {
            if (line ~ /^[ \t]*#[ \t]*define[ \t]/) note_macro(file, line)
            skip = line ~ /\\$/
            continue
        }
        while (line != "") {
            if (in_comment) {
                if (!match(line, /\*\//)) break
                line = substr(line, RSTART + 2)
                in_comment = 0
                continue
            }
            if (line ~ /^\/\*/) { in_comment = 1; line = substr(line, 3); continue }
            if (line ~ /^\/\//) break
            if (match(line, /^[ \t]+/)) { line = substr(line, RLENGTH + 1); continue }
            if (match(line, /^"([^"\\]|\\.)*"/) || match(line, /^'([^'\\]|\\.)*'/) || match(line, /^[A-Za-z_][A-Za-z_0-9]*/) || match(line, /^[0-9][0-9A-Za-z_.]*/)) {
                token = substr(line, 1, RLENGTH)
                line = substr(line, RLENGTH + 1)
            } else {
                token = substr(line, 1, 1)
                line = substr(line, 2)
            }
            if (depth == 0 && token == "{") {
                kind = kind_of(decl, n)
                depth = 1
                expects = 1
                if ((kind == "struct" || kind == "enum") && decl[n] ~ /^[A-Za-z_]/ && decl[n] != kind && decl[n] != "union") note_name(file, decl[n])
                continue
            }
            if (depth > 0) {
                if (token == "{" || token == "(" || token == "[") depth++
                else if (token == "}" || token == ")" || token == "]") depth--
                else if (kind == "enum" && depth == 1) {
                    if (token == ",") expects = 1
                    else if (expects && token ~ /^[A-Za-z_]/) { note_name(file, token); expects = 0 }
                }
                if (depth == 0 && token == "}") {
                    if (kind == "function") { note_declaration(file, decl, n); n = 0 }
                    else decl[++n] = "{}"
                }
                continue
            }
            if (token == ";" && parens == 0) { note_declaration(file, decl, n); n = 0; continue }
            if (token == "(" || token == "[") parens++
            if (token == ")" || token == "]") parens--
            if (token == ")" && parens == 0 && decl[1] ~ /^WEND__HEAP/) { n = 0; continue } # makes functions: base/heap.h
            decl[++n] = token
        }
    }
}
function kind_of(decl, n,   i) {
    for (i = 1; i <= n; i++) if (decl[i] == "=") return "value"
    if (decl[n] == ")") return "function"
    if (decl[n] == "enum" || decl[n - 1] == "enum") return "enum"
    return "struct"
}
function note_declaration(file, decl, n,   i, local, type, parens, last, seen_value) {
    for (i = 1; i <= n; i++) {
        if (decl[i] == "static" || decl[i] == "WEND__INLINE") local = 1
        if (decl[i] == "typedef") type = 1
        if ((decl[i] == "struct" || decl[i] == "union") && (i == n - 1 || (type && decl[i + 1] != "{}"))) note_name(file, decl[i + 1])
    }
    if (!local && !type) return
    for (i = 1; i <= n; i++) {
        if (decl[i] == "(" || decl[i] == "[") {
            if (!parens && last != "" && !seen_value) { note_name(file, last); if (decl[i] == "(" && !type) return; last = ""; if (decl[i] == "(") return }
            if (decl[i] == "(" && !parens && decl[i + 1] == "*") { for (i = i + 1; decl[i] ~ /^(\*|const)$/; i++) continue; note_name(file, decl[i]); return }
            parens++
        } else if (decl[i] == ")" || decl[i] == "]") parens--
        else if (!parens && decl[i] == "=") { if (last != "" && !seen_value) note_name(file, last); last = ""; seen_value = 1 }
        else if (!parens && decl[i] == ",") { if (last != "" && !seen_value) note_name(file, last); last = ""; seen_value = 0 }
        else if (!parens && !seen_value && decl[i] ~ /^[A-Za-z_]/) last = decl[i]
    }
    if (last != "" && !seen_value) note_name(file, last)
}
function note_name(file, name) {
    if ((file, name) in macro) name = macro[file, name] # a template's functions get their names from macros
    if (name !~ /^[A-Za-z_]/ || name ~ /^wend_/ || name ~ /^(const|struct|static|unsigned|int|char|void|_Atomic|_Thread_local)$/) return
    if ((file, name) in own) return
    own[file, name] = 1
    owners[name]++
    names[file] = names[file] " " name
}
function note_macro(file, line,   name) {
    sub(/^[ \t]*#[ \t]*define[ \t]+/, "", line)
    name = line
    sub(/[^A-Za-z_0-9].*/, "", name)
    if (!((file, name) in macro)) macros[file] = macros[file] " " name
    sub(/^[A-Za-z_0-9]*[ \t]*/, "", line)
    sub(/[ \t]*(\/\*.*)?$/, "", line)
    macro[file, name] = line ~ /^[A-Za-z_][A-Za-z_0-9]*$/ ? line : ""
}

function prefix_of(file,   prefix) {
    if (file in prefixes) return prefixes[file]
    prefix = file
    sub(/.*\//, "", prefix)
    sub(/\.[ch]$/, "", prefix)
    if (prefix in taken) {
        prefix = file
        sub(/^src\//, "", prefix)
        gsub(/[\/.]/, "_", prefix)
    }
    taken[prefix] = 1
    return prefixes[file] = prefix "__"
}
function want(file,   i, n, each) {
    n = split(names[file], each, " ")
    for (i = 1; i <= n; i++) if (owners[each[i]] > 1) wanted[each[i]] = prefix_of(file) each[i]
    return n
}

# Renames in the lines out[] what the file, or a header that it sees, owns and another one, too. Members of structs, where
# they are declared and used, and what is in strings keep their names.
function rename(file,   i, n, each, line, made, token, before, first, in_comment, depth, in_struct) {
    split("", wanted)
    n = split(sees[file], each, " ")
    for (i = 1; i <= n; i++) want(each[i])
    want(file)
    depth = 0
    for (i = 1; i <= outs; i++) {
        line = out[i]
        made = ""
        before = ""
        if (line ~ /^[ \t]*#[ \t]*(include|line)/) continue
        while (line != "") {
            if (in_comment) {
                if (!match(line, /\*\//)) break
                made = made substr(line, 1, RSTART + 1)
                line = substr(line, RSTART + 2)
                in_comment = 0
                continue
            }
            if (line ~ /^\/\*/) { in_comment = 1; made = made "/*"; line = substr(line, 3); continue }
            if (line ~ /^\/\//) break
            if (match(line, /^[ \t]+/)) { made = made substr(line, 1, RLENGTH); line = substr(line, RLENGTH + 1); continue }
            if (match(line, /^"([^"\\]|\\.)*"/) || match(line, /^'([^'\\]|\\.)*'/) || match(line, /^[A-Za-z_][A-Za-z_0-9]*/) || match(line, /^[0-9][0-9A-Za-z_.]*/) || match(line, /^->/) || match(line, /^\.\.\./)) {
                token = substr(line, 1, RLENGTH)
                line = substr(line, RLENGTH + 1)
            } else {
                token = substr(line, 1, 1)
                line = substr(line, 2)
            }
            if (token == "{") in_struct[++depth] = before ~ /^(struct|union)$/ || first ~ /^(struct|union)$/
            if (token == "}") depth--
            made = made (token in wanted && before != "." && before != "->" && !(depth > 0 && in_struct[depth] && (line ~ /^[ \t]*[[;,:]/ || (before == "*" && line ~ /^\)/))) ? wanted[token] : token)
            first = before
            before = token
        }
        out[i] = made line
    }
}

BEGIN {
    if (what != "header" && what != "source") stop("what is header or source")
    n = split("BOOL BYTE CHAR DWORD ERROR FLOAT INT LONG POINT POINTS RECT SHORT SIZE UINT WORD", each, " ")
    for (i = 1; i <= n; i++) owners[each[i]] = 1 # types of <windows.h>
    public_only = what == "source" ? "^include/" : "^$"
}
/^#/ { inputs[++input_count] = $0; next }
NF { inputs[++input_count] = $1 }
END {
    if (failed) exit 1
    for (k = 1; k <= input_count; k++) {
        file = inputs[k]
        if (what == "header") {
            if (file in done) continue
            done[file] = 1
            gather(file, file)
            unit[++units] = file
        } else if (file !~ /^#/) {
            if (!condition) gather(file, file)
        } else condition = file == "#else"
    }
    # Headers that only sources between #else and #endif need.
    for (k = 1; k <= input_count; k++) {
        file = inputs[k]
        if (file ~ /^#/) condition = file == "#else"
        else if (condition) gather(file, file)
    }
    if (what == "source") for (k = 1; k <= input_count; k++) unit[++units] = inputs[k]
    # Twice: which names clash is known after all have been read.
    for (pass = 1; pass <= 2; pass++)
        for (k = 1; k <= units; k++) {
            file = unit[k]
            if (file ~ /^#/) {
                if (pass == 2) print file
                continue
            }
            outs = 0
            put("")
            put("/* ---- " file " ---- */")
            mark(file, 1)
            put_lines(file)
            if (pass == 1) {
                if (what == "source") scan(file)
                continue
            }
            if (what == "source") rename(file)
            if (file ~ /\.c$/) {
                n = split(macros[file], each, " ")
                for (i = 1; i <= n; i++) put("#undef " each[i])
            }
            if (extra[file]) print "#ifndef WEND_WITHOUT_FAST"
            for (i = 1; i <= outs; i++) print out[i]
            if (extra[file]) print "#endif"
        }
}
