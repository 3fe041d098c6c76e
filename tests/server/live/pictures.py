# SPDX-License-Identifier: MIT
"""What Tiled draws of a map, over HTTP: only images that the map names, in its folder; whatever a client asks for."""
import json
import os
import socket
import struct
import tempfile
import zlib
from contextlib import contextmanager

from client import connect_socket, http
from server import Server, case

PNG = b"\x89PNG\r\n\x1a\n"
MIB = 1 << 20


def png(width, height, colour):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + bytes(colour) * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return PNG + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def put(path, data, size=0):
    with open(path, "wb") as out:
        out.write(data)
        if size:
            out.truncate(size)


@contextmanager
def town(*images, options=()):
    """A server on a map with a tile for each image; its folder is below another one, in which nothing is the map's."""
    with tempfile.TemporaryDirectory(prefix="wend-pictures-") as outer:
        folder = os.path.join(outer, "town")
        os.mkdir(folder)
        tiles = [{"id": i, "image": name} for i, name in enumerate(images)]
        tileset = {"firstgid": 1, "name": "s", "tilecount": len(images), "tilewidth": 16, "tileheight": 16, "tiles": tiles}
        layer = {"type": "tilelayer", "name": "a", "width": 2, "height": 2, "data": [1, 1, 1, 1]}
        with open(os.path.join(folder, "town.tmj"), "w") as out:
            json.dump({"type": "map", "orientation": "orthogonal", "width": 2, "height": 2, "tilewidth": 16,
                       "tileheight": 16, "tilesets": [tileset], "layers": [layer]}, out)

        def start(*more):
            return Server(*options, *more, world="map town.tmj\n", folder=folder)

        yield outer, folder, start


def get(server, path, *headers):
    status, fields, body = http(server.web, path, headers=headers)
    return status, fields.get("content-type"), body


def is_refused(server, path):
    """By an answer, or by the end of the connection without any: libwebsockets itself does so with some paths."""
    with connect_socket(server.web) as sock:
        sock.sendall(f"GET {path} HTTP/1.1\r\nHost: {server.web[0]}:{server.web[1]}\r\n\r\n".encode())
        return sock.recv(12) in (b"", b"HTTP/1.1 400", b"HTTP/1.1 403", b"HTTP/1.1 404")


def files_of(server):
    return json.loads(get(server, "/tiled.json")[2])["files"]


@case()
def images_in_the_folder_of_the_map_and_no_others():
    names = ["a.png", "../out.png", "out.png", "in.png", "missing.png", "huge.png", "pipe.png", "text.png", "folder.png",
             "/etc/hostname", "sub/b.png", "sub/../../out.png", "sub/../a.png", "draw.svg"]
    with town(*names) as (outer, folder, start):
        red = png(16, 16, (255, 0, 0))
        os.mkdir(os.path.join(folder, "sub"))
        os.mkdir(os.path.join(folder, "folder.png"))
        put(os.path.join(folder, "a.png"), red)
        put(os.path.join(folder, "sub", "b.png"), png(8, 8, (0, 255, 0)))
        put(os.path.join(outer, "out.png"), red)
        put(os.path.join(folder, "text.png"), b"a password, which is no picture\n")
        put(os.path.join(folder, "draw.svg"), b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>")
        put(os.path.join(folder, "huge.png"), PNG, 1 << 30)
        os.symlink("../out.png", os.path.join(folder, "out.png"))
        os.symlink("a.png", os.path.join(folder, "in.png"))
        os.mkfifo(os.path.join(folder, "pipe.png"))
        with start() as server:
            shown = {0: "a.png", 3: "a.png", 10: "sub/b.png", 12: "a.png"}
            assert files_of(server) == [f"/tiled/{i}" if i in shown else None for i in range(len(names))]
            for number, name in shown.items():
                with open(os.path.join(folder, name), "rb") as file:
                    assert get(server, f"/tiled/{number}") == (200, "image/png", file.read())
            assert "picture '../out.png' is not shown: it is not in the map's folder" in server.words()
            assert "picture 'missing.png' is not shown: there is no such file" in server.words()
            assert "6 more pictures are not shown" in server.words()
            for path in ["/tiled/1", "/tiled/", "/tiled", "/tiled/14", "/tiled/-1", "/tiled/00", "/tiled/0x0",
                         "/tiled/../world.wend", "/tiled/%2e%2e/world.wend", "/tiled/0/../../town.tmj", "/town.tmj",
                         "/tiled/0%00", "/tiled/%00", "//tiled/1", "/tiled/..%2f..%2fout.png", "/tiled/\\..\\..\\out.png",
                         "/tiled/" + "9" * 300]:
                assert is_refused(server, path), path
            assert http(server.web, "/tiled/0", method="POST")[0] == 405
            assert http(server.web, "/tiled/0", method="HEAD")[2] == b""
            os.remove(os.path.join(folder, "a.png"))
            assert get(server, "/tiled/0")[2] == red  # it was read at the beginning, and is not looked for again
            with server.connect() as client:
                assert client.ask("hello", protocol=1)["files"] == len(shown) + 1


@case()
def images_in_a_folder_that_maps_share():
    with town("../shared/a.png", "b.png", "../out.png") as (outer, folder, start):
        shared = os.path.join(outer, "shared")
        os.mkdir(shared)
        for path in [os.path.join(shared, "a.png"), os.path.join(folder, "b.png"), os.path.join(outer, "out.png")]:
            put(path, png(16, 16, (255, 0, 0)))
        for root, shown in [(shared, [0]), (outer, [0, 1, 2]), (folder, [1])]:
            with start("--pictures", root) as server:
                assert files_of(server) == [f"/tiled/{i}" if i in shown else None for i in range(3)], root
        with start("--pictures", os.path.join(outer, "none")) as server:
            assert get(server, "/tiled.json")[0] == 404 and "is no folder" in server.words()


@case()
def a_map_without_images_has_no_files():
    with town("missing.png") as (_, _, start), start() as server:
        assert get(server, "/tiled.json")[0] == 404
        with server.connect() as client:
            assert "files" not in client.ask("hello", protocol=1)


@case()
def pictures_need_the_token_and_the_own_origin():
    with town("a.png", options=("--token", "open")) as (_, folder, start):
        put(os.path.join(folder, "a.png"), png(16, 16, (255, 0, 0)))
        with start() as server:
            for path in ["/tiled.json", "/tiled/0"]:
                assert get(server, path)[0] == 401
                assert get(server, path, "Authorization: Bearer shut")[0] == 401
                assert get(server, path, "Authorization: Bearer open")[0] == 200
                assert get(server, path, "Authorization: Bearer open", "Origin: http://elsewhere.example")[0] == 403


@case()
def large_images_cost_their_bytes_once():
    names = [f"{i}.png" for i in range(6)]
    with town(*names) as (_, folder, start):
        for name in names:
            put(os.path.join(folder, name), PNG, 12 * MIB)  # 72 MiB in all: the sixth is too much
        with start() as server:
            assert files_of(server) == [f"/tiled/{i}" for i in range(5)] + [None]
            before, lazy = server.resident(), []
            for i in range(40):
                sock = connect_socket(server.web)
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                sock.sendall(f"GET /tiled/{i % 5} HTTP/1.1\r\nHost: {server.web[0]}:{server.web[1]}\r\n\r\n".encode())
                lazy.append(sock)
            status, _, body = get(server, "/tiled/4")
            assert status == 200 and len(body) == 12 * MIB and body[:8] == PNG and not any(body[8:4096])
            assert get(server, "/healthz")[0] == 200
            if before:
                assert server.resident() - before < 24 * MIB, "an image is copied for each client"
            for sock in lazy:
                sock.close()
