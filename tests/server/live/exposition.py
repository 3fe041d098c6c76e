# SPDX-License-Identifier: MIT
"""Checks metrics in the text format of Prometheus, written from its published description (version 0.0.4)."""
import re

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"'
SAMPLE = re.compile(rf"({NAME})(?:\{{((?:{LABEL},)*(?:{LABEL})?)\}})?[ \t]+(\S+)(?:[ \t]+(-?\d+))?")
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|Inf|NaN)")
TYPES = ("counter", "gauge", "histogram", "summary", "untyped")


def family_of(name, types):
    """The metric that a sample belongs to: a histogram's samples have endings."""
    for ending in ("_bucket", "_sum", "_count"):
        if name.endswith(ending) and types.get(name[:-len(ending)]) in ("histogram", "summary"):
            return name[:-len(ending)]
    return name


def check_histogram(name, samples):
    """Each set of labels has buckets that only grow, the last without an end, which has all that `_count` counts."""
    series = {}
    for (sample, labels), value in samples.items():
        others = tuple(pair for pair in labels if pair[0] != "le")
        part = series.setdefault(others, {"buckets": []})
        if sample == name + "_bucket":
            part["buckets"].append((float(dict(labels)["le"]), value))
        else:
            assert others == labels, f"{sample} has le"
            part[sample[len(name):]] = value
    for labels, part in series.items():
        tops, counts = [top for top, _ in part["buckets"]], [count for _, count in part["buckets"]]
        assert tops == sorted(set(tops)) and tops[-1] == float("inf"), (name, labels, tops)
        assert counts == sorted(counts) and counts[-1] == part["_count"], (name, labels, counts)
        assert part["_sum"] >= 0, (name, labels)


def check(text):
    """Asserts that every line is of the format, and what the checker of Prometheus asks for beside it.
    @return all samples: {(name, labels): value}"""
    assert text.endswith("\n"), "the last line has no end"
    types, helps, families, samples = {}, set(), [], {}
    for line in text[:-1].split("\n"):
        if not line.strip() or (line.startswith("#") and line.split()[1:2] not in (["HELP"], ["TYPE"])):
            continue
        if line.startswith("#"):
            found = re.fullmatch(rf"# (HELP|TYPE) ({NAME}) (.*)", line)
            assert found, line
            kind, name, rest = found.groups()
            assert name not in families, f"{line}: after its samples"
            if kind == "HELP":
                assert name not in helps and rest and re.fullmatch(r"(?:[^\\]|\\[\\n])*", rest), line
                helps.add(name)
            else:
                assert name not in types and rest in TYPES, line
                types[name] = rest
            continue
        found = SAMPLE.fullmatch(line)
        assert found and NUMBER.fullmatch(found[7]), line
        labels = tuple(re.findall(LABEL, found[2] or ""))
        assert len(dict(labels)) == len(labels), f"{line}: a label twice"
        family = family_of(found[1], types)
        assert families[-1:] == [family] or family not in families, f"{line}: not beside the others of {family}"
        assert family in types and family in helps, f"{line}: no TYPE or HELP before it"
        families += [family] if families[-1:] != [family] else []
        assert (found[1], labels) not in samples, f"{line}: twice"
        samples[found[1], labels] = float(found[7])
    for family in families:
        own = {key: value for key, value in samples.items() if family_of(key[0], types) == family}
        if types[family] == "histogram":
            check_histogram(family, own)
        assert (types[family] == "counter") == family.endswith("_total"), f"{family} is a {types[family]}"
        assert types[family] != "counter" or all(value >= 0 for value in own.values()), family
    assert set(types) == set(families) == helps, "a TYPE or HELP without samples"
    return samples
