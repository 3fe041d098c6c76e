# SPDX-License-Identifier: MIT
"""Random Tiled maps, as JSON and as XML, in every encoding; each cell is compared with what the map was made of.

The maps are made from a model that knows the class of each cell by the rules of docs/formats.md; no code is shared with
the reader. `tiled_maps.py WEND FOLDER [short] [SEED]`.
"""
import base64
import gzip
import json
import math
import os
import random
import subprocess
import sys
import zlib
from fractions import Fraction
from xml.sax.saxutils import quoteattr

TRUE_NAMES = ["collides", "collide", "ge_collide", "collision", "solid", "wall", "obstacle"]
FALSE_NAMES = ["walkable", "passable"]
COST_NAMES = ["weight", "movementCost", "ge_cost"]
ALIGNMENTS = {"topleft": (0, 0), "top": (.5, 0), "topright": (1, 0), "left": (0, .5), "center": (.5, .5),
              "right": (1, .5), "bottomleft": (0, 1), "bottom": (.5, 1), "bottomright": (1, 1)}
LAYER_NAMES = ["collision", "collisions", "collide", "walls", "obstacles", "blocked", "solid"]
OTHER_NAMES = ["ground", "wall", "things", "over", "Tile Layer 1", "the walls", ""]
FIELD, MARGIN = 18, 3  # shapes are laid on a field of cells that is larger than any map, on all sides
FLIPS = [0, 0, 0, 0x80000000, 0x40000000, 0x20000000, 0xE0000000]


class Again(Exception):
    """A map in which a centre lies on an edge to within rounding: another one is made."""


def any_case(rng, name):
    return rng.choice([name, name.upper(), name.capitalize(), name])


# ---- what tiles say ----

def truth_value(rng, value):
    return rng.choice([value, value, value, 1 if value else 0, "true" if value else "false"])


def random_tile(rng, width, height):
    """The properties, shapes and class of a tile."""
    kind = rng.choice(["none", "none", "blocked", "named", "false", "cost", "weight", "both", "shape", "odd"])
    properties, shapes, terrain = [], [], 1
    if kind == "blocked":
        value = rng.random() < .7
        properties, terrain = [("blocked", truth_value(rng, value))], 0 if value else 1
    elif kind == "named":
        value = rng.random() < .8
        properties = [(any_case(rng, rng.choice(TRUE_NAMES)), truth_value(rng, value))]
        terrain = 0 if value else 1
    elif kind == "false":
        value = rng.random() < .4
        properties, terrain = [(any_case(rng, rng.choice(FALSE_NAMES)), truth_value(rng, value))], 1 if value else 0
    elif kind == "cost":
        terrain = rng.randint(1, 9)
        properties = [("cost", terrain)]
    elif kind == "weight":
        terrain = rng.randint(2, 9)
        properties = [(any_case(rng, rng.choice(COST_NAMES)), terrain)]
        if rng.random() < .3:
            properties.append(("cost", 5))
            terrain = 5
    elif kind == "both":
        properties, terrain = [("cost", 4), ("solid", True), ("blocked", False)], 4
        rng.shuffle(properties)
    elif kind == "odd":
        properties = [("sound", "grass"), ("wall", "of brick"), ("weight", "heavy")]
    else:
        if kind == "shape":
            shapes = [[rng.randint(-4, width), rng.randint(-4, height), rng.randint(1, width + 6),
                       rng.randint(1, height + 6)] for _ in range(rng.randint(1, 3))]
            pixels = {(x, y) for left, top, w, h in shapes for x in range(left, left + w) for y in range(top, top + h)
                      if 0 <= x < width and 0 <= y < height}
            terrain = 0 if 2 * len(pixels) >= width * height else 1
    return {"properties": properties, "shapes": shapes, "class": terrain}


def random_tilesets(rng, width, height):
    sets, first = [], 1
    for number in range(rng.randint(1, 3)):
        count = rng.randint(1, 6)
        tiles = {i: random_tile(rng, width, height) for i in range(count) if rng.random() < .8}
        form = rng.choice(["inside", "inside", "json", "xml", "missing", "countless", "old"])
        if form == "missing":
            tiles = {}
        sets.append({"first": first, "count": count, "tiles": tiles, "form": form, "name": f"set{number}",
                     "align": rng.choice([None, *ALIGNMENTS])})
        first += count + rng.choice([0, 0, 7])
    return sets


def class_of(sets, gid):
    own = [s for s in sets if s["first"] <= gid][-1]
    return own["tiles"].get(gid - own["first"], {"class": 1})["class"]


# ---- what shapes cover ----

def in_polygon(corners, x, y):
    """Even and odd crossings to the left of a place; a side belongs to what is right of it and below it."""
    inside = False
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1]):
        if (ay > y) != (by > y) and x >= ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
    return inside


def slab_area(corners, left, top, right, bottom):
    """The area of a simple polygon in a box: between vertical lines all its sides are straight."""
    sides = list(zip(corners, corners[1:] + corners[:1]))
    lines = {left, right} | {x for x, _ in corners if left < x < right}
    for (ax, ay), (bx, by) in sides:
        for y in (top, bottom):
            if ay != by and min(ay, by) < y < max(ay, by):
                x = ax + (y - ay) * (bx - ax) / (by - ay)
                if left < x < right:
                    lines.add(x)
    lines, area = sorted(lines), Fraction(0)

    def length(x, a, b):
        middle = (a + b) / 2
        cuts = sorted((ay + (middle - ax) * (by - ay) / (bx - ax), ay + (x - ax) * (by - ay) / (bx - ax))
                      for (ax, ay), (bx, by) in sides if (ax > middle) != (bx > middle))
        clip = [min(max(y, top), bottom) for _, y in cuts]
        return sum(b - a for a, b in zip(clip[::2], clip[1::2]))

    for a, b in zip(lines, lines[1:]):
        area += (length(a, a, b) + length(b, a, b)) / 2 * (b - a)
    return area


def turned(by, quarters):
    x, y = by
    for _ in range(quarters % 4):
        x, y = -y, x
    return x, y


def random_shape(rng, width, height, cell):
    """An object that blocks, and the cells that it covers."""
    kind = rng.choice(["rectangle", "rectangle", "polygon", "ellipse", "turned", "thin", "none"])
    x, y = rng.randint(-cell, cell * width), rng.randint(-cell, cell * height)
    w, h = rng.randint(1, cell * 4), rng.randint(1, cell * 4)
    if kind == "thin":
        w, h = rng.choice([(cell // 2, cell), (cell, cell // 2), (2, cell * 3), (cell // 2 - 1, cell)])
        x, y = x // cell * cell + rng.choice([0, 0, cell // 2]), y // cell * cell
    shape = {"x": x, "y": y, "width": w, "height": h, "rotation": 0}
    quarters = rng.choice([0, 0, 1, 2, 3, -1]) if kind in ("rectangle", "thin", "polygon") else 0
    shape["rotation"] = 90 * quarters
    box = [(0, 0), (w, 0), (w, h), (0, h)]
    if kind == "polygon":
        count = rng.randint(3, 9)
        spokes = sorted(rng.sample(range(360), count))
        if max((b - a) % 360 for a, b in zip(spokes, spokes[1:] + spokes[:1])) >= 180:
            spokes = [90 * i + 45 for i in range(4)]
        box = [(round(math.cos(math.radians(s)) * rng.uniform(3, w + 3)), round(math.sin(math.radians(s)) *
               rng.uniform(3, h + 3))) for s in spokes]
        shape["polygon"] = box
        shape["width"] = shape["height"] = 0
    if kind == "ellipse":
        shape["ellipse"] = True
        return shape, ellipse_cells(shape, width, height, cell)
    if kind == "none":
        shape.update(rng.choice([{"point": True, "width": 0, "height": 0}, {"width": 0, "height": 0},
                                 {"polyline": [(0, 0), (w, h)], "width": 0, "height": 0}]))
        return shape, set()
    if kind == "turned":
        shape["rotation"] = rng.randint(1, 359) + .5
        return shape, turned_cells(shape, width, height, cell)
    corners = [tuple(Fraction(a + b, cell) for a, b in zip((x, y), turned(by, quarters))) for by in box]
    cells = {(i, j) for i in range(width) for j in range(height)
             if in_polygon(corners, i + Fraction(1, 2), j + Fraction(1, 2))}
    if not cells:
        cells = {(i, j) for i in range(width) for j in range(height)
                 if slab_area(corners, Fraction(i), Fraction(j), Fraction(i + 1), Fraction(j + 1)) >= Fraction(1, 2)}
    return shape, cells


def ellipse_cells(shape, width, height, cell):
    cells = set()
    for i in range(width):
        for j in range(height):
            u = ((i + .5) * cell - shape["x"]) / shape["width"] * 2 - 1
            v = ((j + .5) * cell - shape["y"]) / shape["height"] * 2 - 1
            if abs(u * u + v * v - 1) < 1e-9:
                raise Again
            if u * u + v * v < 1:
                cells.add((i, j))
    return cells


def turned_cells(shape, width, height, cell):
    cells, angle = set(), -math.radians(shape["rotation"])
    for i in range(width):
        for j in range(height):
            dx, dy = (i + .5) * cell - shape["x"], (j + .5) * cell - shape["y"]
            u, v = dx * math.cos(angle) - dy * math.sin(angle), dx * math.sin(angle) + dy * math.cos(angle)
            if min(abs(u), abs(v), abs(u - shape["width"]), abs(v - shape["height"])) < 1e-6:
                raise Again
            if 0 < u < shape["width"] and 0 < v < shape["height"]:
                cells.add((i, j))
    return cells


# ---- layers ----

def random_offset(rng, tile):
    steps = rng.choice([0, 0, 0, 1, -1, .5, -.25])
    return steps * tile


def layer_head(rng, inherited, model):
    """The name, properties and offset of a layer, and whether it blocks and by what it is moved."""
    by, (ox, oy) = inherited
    name = rng.choice(OTHER_NAMES)
    properties, blocks = [("mood", "dark")] if rng.random() < .2 else [], by
    if rng.random() < .25:
        name, blocks = any_case(rng, rng.choice(LAYER_NAMES)), True
    if rng.random() < .15:
        value = rng.random() < .5
        properties.append((any_case(rng, rng.choice(TRUE_NAMES)), value))
        blocks = value
    dx, dy = random_offset(rng, model["tile_width"]), random_offset(rng, model["tile_height"])
    return {"name": name, "properties": properties, "offsetx": dx, "offsety": dy}, (blocks, (ox + dx, oy + dy))


def tile_shift(model, offset):
    x, y = Fraction(offset[0]) / model["tile_width"], Fraction(offset[1]) / model["tile_height"]
    return (y + x, y - x) if model["isometric"] else (x, y)


def random_tiles(rng, model, width, height):
    full = rng.random() < .5
    gids = [s["first"] + i for s in model["sets"] for i in range(s["count"])]
    return [rng.choice(gids) if rng.random() < (.9 if full else .3) else 0 for _ in range(width * height)]


def tile_layer(rng, model, inherited):
    head, (blocks, offset) = layer_head(rng, inherited, model)
    dx, dy = (math.floor(s) for s in tile_shift(model, offset))
    chunks = [(0, 0, model["width"], model["height"])]
    if model["infinite"]:
        chunks = [(4 * rng.randint(-3, 3), 4 * rng.randint(-3, 3), 4, 4) for _ in range(rng.randint(0, 4))]
        chunks = list(dict.fromkeys(chunks))
    data = [(c, random_tiles(rng, model, c[2], c[3])) for c in chunks]
    for (cx, cy, w, _), gids in data:
        for i, gid in enumerate(gids):
            place = (cx + i % w + dx, cy + i // w + dy)
            if gid:
                model["stack"].setdefault(place, []).append(0 if blocks else class_of(model["sets"], gid))
        model["boxes"].append((cx + dx, cy + dy, w, _))
    flipped = [(c, [g | rng.choice(FLIPS) if g else 0 for g in gids]) for c, gids in data]
    encoding = rng.choice(["list", "base64", "zlib", "gzip", "tags"])
    return {"kind": "tiles", **head, "data": flipped, "encoding": encoding}


def object_layer(rng, model, inherited):
    head, (blocks, offset) = layer_head(rng, inherited, model)
    cell, objects = model["cell"], []
    shift = tile_shift(model, offset)
    whole = all(s == math.floor(s) for s in shift)
    for _ in range(rng.randint(0, 5)):
        if not whole or model["infinite"] or model["tile_width"] != model["tile_height"] and not model["isometric"]:
            break
        shape, cells = random_shape(rng, FIELD, FIELD, cell)
        its = rng.choice([None, any_case(rng, rng.choice(TRUE_NAMES)), any_case(rng, rng.choice(LAYER_NAMES)), "door"])
        shape["x"] -= MARGIN * cell
        shape["y"] -= MARGIN * cell
        if its:
            shape["type"] = its
        if blocks or (its and its != "door"):
            for x, y in cells:
                place = (x - MARGIN + math.floor(shift[0]), y - MARGIN + math.floor(shift[1]))
                model["stack"].setdefault(place, []).append(0)
        if rng.random() < .2:
            shape["template"] = rng.choice(["json", "xml"])
        objects.append(shape)
    return {"kind": "objects", **head, "objects": objects}


def add_start(rng, model):
    """A tile as the start, and the cell that it stands in, where that is on the map."""
    own = rng.choice(model["sets"])
    size, quarters = (rng.choice([6, 10, 26]), rng.choice([6, 10, 50])), rng.choice([0, 0, 0, 1, 2, 3])
    at = (rng.randint(0, model["cell"] * model["width"]), rng.randint(0, model["cell"] * model["height"]))
    align = own["align"] if own["form"] != "missing" else None
    ax, ay = ALIGNMENTS[align or ("bottom" if model["isometric"] else "bottomleft")]
    if model["isometric"]:  # on the screen, from the position to the foot, and half a tile up from there
        wide, high = model["tile_width"], model["tile_height"]
        x = (Fraction(at[0]) - at[1]) / high * wide / 2
        y = (Fraction(at[0]) + at[1]) / high * high / 2
        dx, dy = turned(((Fraction(1, 2) - Fraction(ax)) * size[0], (1 - Fraction(ay)) * size[1]), quarters)
        x, y = (x + dx) / wide, (y + dy - Fraction(high, 2)) / high
        middle = (y + x, y - x)
    else:
        by = turned(((Fraction(1, 2) - Fraction(ax)) * size[0], (Fraction(1, 2) - Fraction(ay)) * size[1]), quarters)
        middle = tuple(Fraction(a + b) / model["cell"] for a, b in zip(at, by))
    cell = [math.floor(m) for m in middle]
    if not (0 <= cell[0] < model["width"] and 0 <= cell[1] < model["height"]):
        return
    gid = own["first"] + rng.randrange(own["count"]) | rng.choice(FLIPS)
    model["start"] = cell
    tile = {"type": "start", "gid": gid, "x": at[0], "y": at[1], "width": size[0], "height": size[1],
            "rotation": 90 * quarters}
    head = {"kind": "objects", "name": "marks", "properties": [], "offsetx": 0, "offsety": 0}
    model["layers"].append({**head, "objects": [tile]})


def random_layers(rng, model, inherited, depth):
    layers = []
    for _ in range(rng.randint(1, 3)):
        kind = rng.choice(["tiles", "tiles", "objects", "group", "image"])
        if kind == "tiles":
            layers.append(tile_layer(rng, model, inherited))
        elif kind == "objects":
            layers.append(object_layer(rng, model, inherited))
        elif kind == "image":
            layers.append({"kind": "image", "name": "walls", "properties": [], "offsetx": 3, "offsety": 0})
        elif depth < 3:
            head, inside = layer_head(rng, inherited, model)
            layers.append({"kind": "group", **head, "layers": random_layers(rng, model, inside, depth + 1)})
    return layers


def random_model(rng):
    size = rng.choice([8, 12, 16, 24])
    model = {"isometric": rng.random() < .3, "infinite": rng.random() < .3, "width": rng.randint(1, 12),
             "height": rng.randint(1, 12), "stack": {}, "boxes": []}
    model["tile_width"] = 2 * size if model["isometric"] else size
    model["tile_height"] = model["cell"] = size
    model["sets"] = random_tilesets(rng, model["tile_width"], size)
    model["layers"] = random_layers(rng, model, (False, (0, 0)), 0)
    if rng.random() < .5:
        group = {"kind": "group", "name": "walls", "properties": [], "offsetx": 0, "offsety": 0}
        model["layers"].append({**group, "layers": [object_layer(rng, model, (True, (0, 0))) for _ in range(3)]})
    if not model["infinite"]:
        add_start(rng, model)
    return model


def expected(model):
    """The rows of the map, as words of grid text."""
    left, top, width, height = 0, 0, model["width"], model["height"]
    if model["infinite"] and model["boxes"]:
        left, top = min(b[0] for b in model["boxes"]), min(b[1] for b in model["boxes"])
        width = max(b[0] + b[2] for b in model["boxes"]) - left
        height = max(b[1] + b[3] for b in model["boxes"]) - top
    rows = []
    for y in range(top, top + height):
        stacks = [model["stack"].get((x, y), [1]) for x in range(left, left + width)]
        classes = [0 if 0 in stack else max(stack) for stack in stacks]
        rows.append(" ".join("1" if c == 0 else "0" if c == 1 else str(c) for c in classes))
    return rows


# ---- JSON ----

def json_properties(properties, old):
    if old:
        return {name: value for name, value in properties}
    kinds = {bool: "bool", int: "int", str: "string"}
    return [{"name": name, "type": kinds[type(value)], "value": value} for name, value in properties]


def packed(gids, encoding):
    plain = b"".join(g.to_bytes(4, "little") for g in gids)
    plain = {"zlib": zlib.compress, "gzip": gzip.compress}.get(encoding, bytes)(plain)
    return base64.b64encode(plain).decode()


def json_tiles(layer, infinite, out):
    coded = layer["encoding"] in ("base64", "zlib", "gzip")
    if coded:
        out["encoding"] = "base64"
        out["compression"] = "" if layer["encoding"] == "base64" else layer["encoding"]
    chunks = [{"x": x, "y": y, "width": w, "height": h, "data": packed(g, layer["encoding"]) if coded else g}
              for (x, y, w, h), g in layer["data"]]
    if infinite:
        out["chunks"] = chunks
    else:
        out.update(chunks[0])
        out["x"] = out["y"] = 0


def json_object(shape, number):
    out = {"id": number, "name": "", **{k: v for k, v in shape.items() if k != "template"}}
    for line in ("polygon", "polyline"):
        if line in out:
            out[line] = [{"x": x, "y": y} for x, y in out[line]]
    return out


def json_layer(layer, model, files):
    out = {key: layer[key] for key in ("name", "offsetx", "offsety") if layer[key]}
    if layer["properties"]:
        out["properties"] = json_properties(layer["properties"], model["old"])
    kinds = {"tiles": "tilelayer", "objects": "objectgroup", "group": "group", "image": "imagelayer"}
    out["type"] = kinds[layer["kind"]]
    if layer["kind"] == "tiles":
        json_tiles(layer, model["infinite"], out)
    if layer["kind"] == "objects":
        out["objects"] = []
        for shape in layer["objects"]:
            model["next"] += 1
            out["objects"].append(put_template(shape, model, files) or json_object(shape, model["next"]))
    if layer["kind"] == "group":
        out["layers"] = [json_layer(one, model, files) for one in layer["layers"]]
    return out


def put_template(shape, model, files):
    """Write the template of an object; the object itself keeps its place only."""
    if "template" not in shape:
        return None
    name = f"t{model['next']}." + ("tj" if shape["template"] == "json" else "tx")
    rest = {k: v for k, v in shape.items() if k not in ("x", "y", "template")}
    if shape["template"] == "json":
        body = json_object(rest, 1)
        body.pop("id")
        files[name] = json.dumps({"type": "template", "object": body})
    else:
        files[name] = "<?xml version='1.0'?><template>" + xml_object(rest, None) + "</template>"
    return {"id": model["next"], "template": name, "x": shape["x"], "y": shape["y"]}


def json_tileset(own, model):
    out = {"name": own["name"], "tilewidth": model["tile_width"], "tileheight": model["tile_height"],
           "tilecount": own["count"], **({"objectalignment": own["align"]} if own["align"] else {})}
    old = own["form"] == "old"
    tiles = []
    for number, tile in own["tiles"].items():
        entry = {"id": number}
        if tile["properties"] and not old:
            entry["properties"] = json_properties(tile["properties"], model["old"])
        if tile["shapes"]:
            entry["objectgroup"] = {"objects": [{"x": x, "y": y, "width": w, "height": h}
                                                for x, y, w, h in tile["shapes"]]}
        tiles.append(entry)
    if own["form"] == "countless":
        out["tilecount"] = 0
    if old:
        out["tileproperties"] = {str(n): dict(t["properties"]) for n, t in own["tiles"].items() if t["properties"]}
        out["tiles"] = {str(t.pop("id")): t for t in tiles}
    else:
        out["tiles"] = tiles
    return out


def tileset_entry(own, model, files, as_xml):
    """What the map says of a tileset, which may be a file of its own."""
    if own["form"] not in ("json", "xml", "missing"):
        return None
    name = f"{own['name']}." + ("tsj" if own["form"] == "json" else "tsx")
    if own["form"] == "json":
        files[name] = json.dumps({**json_tileset(own, model), "type": "tileset"})
    if own["form"] == "xml":
        files[name] = "<?xml version='1.0'?>" + xml_tileset(own, model, "")
    if not as_xml:
        return {"firstgid": own["first"], "source": "./" + name}
    return f'<tileset firstgid="{own["first"]}" source=".\\{name}"/>'


def as_json(model, files):
    out = {"type": "map", "orientation": "isometric" if model["isometric"] else "orthogonal",
           "infinite": model["infinite"], "width": model["width"], "height": model["height"],
           "tilewidth": model["tile_width"], "tileheight": model["tile_height"]}
    if model["old"]:
        del out["type"]
    sets = [tileset_entry(s, model, files, False) or {"firstgid": s["first"], **json_tileset(s, model)}
            for s in model["sets"]]
    if model["shuffled"]:
        sets.reverse()
    out["tilesets"] = sets
    out["layers"] = [json_layer(layer, model, files) for layer in model["layers"]]
    return json.dumps(out)


# ---- XML ----

def xml_properties(properties):
    kinds = {bool: "bool", int: "int", str: "string"}
    if not properties:
        return ""
    text = "".join(f"<property name={quoteattr(n)} type=\"{kinds[type(v)]}\" "
                   f"value={quoteattr(str(v).lower() if type(v) is bool else str(v))}/>" for n, v in properties)
    return f"<properties>{text}</properties>"


def xml_object(shape, number):
    names = [k for k in ("type", "gid", "x", "y", "width", "height", "rotation") if shape.get(k)]
    text = "<object" + (f' id="{number}"' if number else "")
    text += "".join(f" {k}={quoteattr(str(shape[k]))}" for k in names) + ">"
    for mark in ("ellipse", "point"):
        text += f"<{mark}/>" if shape.get(mark) else ""
    for line in ("polygon", "polyline"):
        if line in shape:
            text += f'<{line} points="' + " ".join(f"{x},{y}" for x, y in shape[line]) + '"/>'
    return text + "</object>"


def xml_tileset(own, model, first):
    count = "" if own["form"] == "countless" else f' tilecount="{own["count"]}"'
    count += f' objectalignment="{own["align"]}"' if own["align"] else ""
    text = f'<tileset{first} name="{own["name"]}" tilewidth="{model["tile_width"]}" ' \
           f'tileheight="{model["tile_height"]}"{count}><image source="a.png" width="3" height="3"/>'
    for number, tile in own["tiles"].items():
        text += f'<tile id="{number}">' + xml_properties(tile["properties"])
        if tile["shapes"]:
            text += "<objectgroup>" + "".join(xml_object(dict(zip(("x", "y", "width", "height"), s)), 1)
                                              for s in tile["shapes"]) + "</objectgroup>"
        text += "</tile>"
    return text + "</tileset>"


def xml_data(layer, infinite):
    encoding, attributes = layer["encoding"], ""
    if encoding != "tags":
        attributes = ' encoding="csv"' if encoding == "list" else ' encoding="base64"'
    if encoding in ("zlib", "gzip"):
        attributes += f' compression="{encoding}"'

    def body(gids):
        if encoding == "tags":
            return "".join(f'<tile gid="{g}"/>' if g else "<tile/>" for g in gids)
        return "\n" + (",\n".join(map(str, gids)) if encoding == "list" else "  " + packed(gids, encoding)) + "\n"
    parts = [(f'<chunk x="{x}" y="{y}" width="{w}" height="{h}">' + body(g) + "</chunk>") if infinite else body(g)
             for (x, y, w, h), g in layer["data"]]
    return f"<data{attributes}>" + "".join(parts) + "</data>"


def xml_layer(layer, model, files):
    name = {"tiles": "layer", "objects": "objectgroup", "group": "group", "image": "imagelayer"}[layer["kind"]]
    text = f"<{name} name={quoteattr(layer['name'])}"
    text += "".join(f' {k}="{layer[k]}"' for k in ("offsetx", "offsety") if layer[k])
    if layer["kind"] == "tiles":
        text += f' width="{model["width"]}" height="{model["height"]}"'
    text += ">" + xml_properties(layer["properties"])
    if layer["kind"] == "tiles":
        text += xml_data(layer, model["infinite"])
    for shape in layer.get("objects", []):
        model["next"] += 1
        made = put_template(shape, model, files)
        text += xml_object(shape, model["next"]) if not made else \
            f'<object id="{made["id"]}" template="{made["template"]}" x="{made["x"]}" y="{made["y"]}"/>'
    for inner in layer.get("layers", []):
        text += xml_layer(inner, model, files)
    return text + f"</{name}>"


def as_xml(model, files):
    text = '<?xml version="1.0" encoding="UTF-8"?>\n<map version="1.10" orientation="' \
           + ("isometric" if model["isometric"] else "orthogonal") \
           + f'" width="{model["width"]}" height="{model["height"]}" tilewidth="{model["tile_width"]}" ' \
             f'tileheight="{model["tile_height"]}" infinite="{int(model["infinite"])}">\n'
    sets = [tileset_entry(s, model, files, True) or xml_tileset(s, model, f' firstgid="{s["first"]}"')
            for s in model["sets"]]
    if model["shuffled"]:
        sets.reverse()
    return text + "".join(sets) + "".join(xml_layer(layer, model, files) for layer in model["layers"]) + "</map>\n"


# ---- the comparison ----

def check(wend, folder, rng):
    model = random_model(rng)
    model["shuffled"] = rng.random() < .2
    rows = expected(model)
    if "start" in model:
        x, y = model["start"]
        if rows[y].split()[x] == "0":
            rows[y] = " ".join("A" if i == x else word for i, word in enumerate(rows[y].split()))
        else:  # grid text has its start on plain ground
            del model["start"], model["layers"][-1]
    for form, write in (("tmj", as_json), ("tmx", as_xml)):
        files = {}
        model["next"], model["old"] = 0, form == "tmj" and rng.random() < .2
        files["map." + form] = write(model, files)
        for name, text in files.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        done = subprocess.run([wend, "convert", "map." + form, "map.txt"], cwd=folder, capture_output=True, text=True,
                              check=False)
        assert done.returncode == 0, f"map.{form}: {done.stderr}"
        with open(os.path.join(folder, "map.txt"), encoding="utf-8") as file:
            got = file.read().split("\n")[2:]
        got = [row for row in got if row]
        assert got == rows, f"map.{form}:\n" + "\n".join(f"{a}   {b}" for a, b in zip(got, rows)) + f"\n{done.stderr}"
        done = subprocess.run([wend, "info", "--json", "map." + form], cwd=folder, capture_output=True, text=True,
                              check=True)
        start = json.loads(done.stdout).get("start")
        assert start == model.get("start"), f"map.{form}: the start is {start}, not {model.get('start')}"
        for name in files:
            os.remove(os.path.join(folder, name))
    return model, rows


def main():
    wend, folder = sys.argv[1], sys.argv[2]
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    wanted = 60 if "short" in sys.argv[3:4] else int(os.environ.get("WEND_TILED_MAPS", "200"))
    maps, walls, kinds = 0, 0, {}
    while maps < wanted:
        rng = random.Random(seed)
        try:
            model, rows = check(wend, folder, rng)
        except Again:
            seed += 1
            continue
        except AssertionError as error:
            sys.exit(f"seed {seed}: {error}")
        seed, maps, walls = seed + 1, maps + 1, walls + any("1" in row.split() for row in rows)
        kind = ("isometric" if model["isometric"] else "orthogonal", "infinite" if model["infinite"] else "finite")
        kinds[kind] = kinds.get(kind, 0) + 1
    assert walls > wanted / 3 and len(kinds) == 4, (walls, kinds)
    print(f"{maps} maps, each as JSON and XML, {walls} with walls: {kinds}")


main()
