# SPDX-License-Identifier: MIT
"""Metrics of `wend serve`: their format, and what they count while clients work."""
from client import http
from exposition import check
from messages import accept
from server import Server, case


def scrape(server):
    status, _, body = http(server.web, "/metrics")
    assert status == 200, status
    return check(body.decode())


def total(samples, name):
    return sum(value for (sample, _), value in samples.items() if sample == name)


def check_none_falls(before, now):
    """Counters never fall, and none is lost."""
    for key, value in before.items():
        counts = key[0].endswith(("_total", "_bucket", "_count", "_sum"))
        assert key in now and (not counts or now[key] >= value), (key, value, now.get(key))


@case()
def the_checker_finds_what_is_wrong():
    good = '# HELP a_total Text.\n# TYPE a_total counter\na_total{b="c\\"d",e="f"} 1\n'
    assert check(good) == {("a_total", (("b", 'c\\"d'), ("e", "f"))): 1}
    buckets = ('# HELP h Text.\n# TYPE h histogram\nh_bucket{le="1"} 2\nh_bucket{le="+Inf"} 3\nh_sum 4\nh_count 3\n')
    assert len(check(buckets)) == 4
    for bad in (good[:-1], good.replace("counter", "number"), good.replace("a_total", "a-total"),
                good.replace("# HELP a_total Text.\n", ""), good + good, good + 'a_total{b="c\\"d",e="f"} 1\n',
                good.replace("} 1", "} one"), good.replace('e="f"', 'b="f"'), good.replace('="f"', "=f"),
                good.replace("a_total", "a"), good + "# TYPE b gauge\n", buckets.replace("h_count 3", "h_count 2"),
                buckets.replace('"1"} 2', '"1"} 4'), buckets.replace('h_bucket{le="+Inf"} 3\n', ""),
                buckets.replace("h_sum 4\n", ""), good.replace("# TYPE", "#TYPE"), buckets + good + "h_sum 5\n"):
        try:
            check(bad)
        except (AssertionError, KeyError):
            continue
        raise AssertionError(f"nothing wrong was found in {bad!r}")


@case("lines", "ws")
def metrics_are_whole_while_clients_work(kind):
    rounds, each = 12, 60
    with Server("--hz", "200", "--budget", "500", "--agents", "20", world="grid 60 60\n") as server:
        with server.connect(kind) as client, server.connect("lines") as watcher:
            accept(watcher, "subscribe", what=["frames", "agents", "completions"])
            before = scrape(server)
            for i in range(rounds):
                for j in range(each):
                    client.send({"op": "request", "id": f"{i}.{j}", "from": [0, 0], "to": [59, j],
                                 "urgency": (j % 5 - 2) * 400, "cells": False})
                client.send({"op": "edit", "id": f"e{i}", "set": [[[30, i], "blocked"]]})
                now = scrape(server)
                check_none_falls(before, now)
                before = now
            for i in range(rounds):
                assert client.answer(f"e{i}").get("ok") is True
                for j in range(each):
                    assert client.done(f"{i}.{j}")["status"] == "found"
        after = scrape(server)
        while total(after, "wend_live_clients") > 0:  # until the server saw the ends of the connections
            after = scrape(server)
        assert total(after, "wend_live_requests") == total(after, "wend_live_watchers") == 0, after
        assert total(after, "wend_completions_total") >= rounds * each
        assert total(after, "wend_completions_total") <= total(after, "wend_requests_total"), after
        assert total(after, "wend_request_latency_frames_count") == total(after, "wend_completions_total")
        assert total(after, "wend_live_messages_total") >= rounds * (each + 1)


@case()
def metrics_do_not_go_back_with_the_world():
    with Server("--history", "5", "--budget", "20000", "--agents", "20", "--wander", world="grid 60 60\n") as server, \
            server.connect("lines") as client:
        accept(client, "pause")
        accept(client, "step", frames=41 - accept(client, "stats")["frames"])
        before = scrape(server)
        for times in (1, 2):
            assert accept(client, "restore", at=30)["frame"] == 20
            now = scrape(server)
            check_none_falls(before, now)
            accept(client, "step", frames=10)
            before = scrape(server)
            assert total(before, "wend_frame_seconds_count") >= total(now, "wend_frame_seconds_count") + 10, times
        assert total(before, "wend_request_latency_frames_count") == total(before, "wend_completions_total") > 0
