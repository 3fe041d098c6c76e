// SPDX-License-Identifier: MIT
// What every binding is tested for: Test MAP.
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;
using Wend;
using Wend.Native;

static class Test
{
    static bool failed;

    static void Expect(bool good, string what)
    {
        Console.WriteLine((good ? "ok " : "not ok ") + what);
        failed |= !good;
    }

    static Exception Thrown(Action work)
    {
        try
        {
            work();
            return null;
        }
        catch (Exception problem)
        {
            return problem;
        }
    }

    sealed class Golden
    {
        public uint Hash = 2166136261;
        uint random = 1;

        public void Put(params long[] values)
        {
            foreach (long value in values) Hash = unchecked((Hash ^ (uint)value) * 16777619);
        }

        public Cell OpenCell(Map map)
        {
            for (;;)
            {
                random ^= random << 13;
                random ^= random >> 17;
                random ^= random << 5;
                var cell = new Cell((int)(random % 512), (int)((random >> 16) % 512));
                if (map.Terrain(cell) != Map.Blocked) return cell;
            }
        }
    }

    static uint Requests(Map map, Service service)
    {
        var golden = new Golden();
        for (int i = 0; i < 300; i++)
        {
            Cell start = golden.OpenCell(map), goal = golden.OpenCell(map);
            service.Submit(map, start, goal, answer =>
            {
                golden.Put((long)answer.Number, answer.StatusNumber, answer.Cost, (long)answer.Expansions, (long)answer.Frames, answer.Cells.Length);
                foreach (Cell cell in answer.Cells) golden.Put(cell.X, cell.Y);
            }, i % 7);
        }
        while (service.Pending > 0) service.Tick(20000);
        return golden.Hash;
    }

    static uint Walks(Map map, Service service)
    {
        var golden = new Golden();
        Crowd crowd = null;
        crowd = new Crowd(service, map, 200, what =>
        {
            golden.Put(what.Number, what.Agent.Index, what.Cell.X, what.Cell.Y, (long)what.Update);
            if (what.EndsGoal && what.Event != "replaced") crowd.Go(what.Agent, golden.OpenCell(map));
        });
        for (int i = 0; i < 200; i++)
        {
            var agent = new Agent();
            Exception problem;
            do
            {
                Cell cell = golden.OpenCell(map);
                problem = Thrown(() => agent = crowd.Add(cell, 1000));
                if (problem != null && (problem as WendException)?.Code != "WEND_BUSY") throw problem;
            } while (problem != null);
            crowd.Go(agent, golden.OpenCell(map));
        }
        int[] points = null;
        byte[] states = null;
        for (int frame = 0; frame < 200; frame++)
        {
            service.Tick(20000);
            crowd.Update();
            int count = crowd.View(ref points, ref states);
            for (int i = 0; i < count; i++) golden.Put(points[3 * i], points[3 * i + 1], states[i]);
        }
        crowd.Dispose();
        return golden.Hash;
    }

    /// <summary>A group with bodies passes a gate and a danger; a guard goes round, a hound follows it, a hare flees.</summary>
    static uint Group(Service service)
    {
        var map = new Map(48, 32);
        var golden = new Golden();
        map.Edit(edit =>
        {
            edit.Fill(new Cell(24, 0), new Cell(24, 13), Map.Blocked);
            edit.Fill(new Cell(24, 18), new Cell(24, 31), Map.Blocked);
        });
        Layer danger = map.AddLayer(halfLife: 50);
        danger.AddDisc(new Cell(24, 12), 8, 200);
        int profile = map.AddProfile((danger, 16));
        var crowd = new Crowd(service, map, 19, what => golden.Put(what.Number, what.Agent.Index, (long)what.Update));
        var walkers = new List<Agent>();
        for (int i = 0; i < 16; i++)
        {
            walkers.Add(crowd.Add(new Cell(2 + i % 4 * 2, 8 + i / 4 * 4), profile: i % 2 == 1 ? profile : 0));
            if (i % 3 > 0) crowd.SetBody(walkers[i], 300 + 10 * (uint)i);
        }
        crowd.Go(walkers, new Cell(38, 16), Formation.Wedge, spacing: 2);
        Agent guard = crowd.Add(new Cell(46, 1)), hound = crowd.Add(new Cell(44, 1)), hare = crowd.Add(new Cell(34, 15));
        crowd.Patrol(guard, crowd.AddRoute(new[] { new Cell(46, 1), new Cell(46, 30), new Cell(30, 30), new Cell(30, 1) }, RouteMode.Loop));
        crowd.Follow(new[] { hound }, guard, reach: 2);
        crowd.Flee(new[] { hare }, guard, distance: 8, keep: true);
        int[] points = null, velocities = null, radii = null;
        byte[] states = null;
        for (int frame = 0; frame < 300; frame++)
        {
            map.LayerUpdate();
            service.Tick(20000);
            crowd.Update();
            int count = crowd.View(ref points, ref states, ref velocities, ref radii);
            for (int i = 0; i < count; i++) golden.Put(points[3 * i], points[3 * i + 1], states[i], velocities[3 * i], velocities[3 * i + 1], radii[i]);
        }
        crowd.Dispose();
        map.Dispose();
        return golden.Hash;
    }

    static void Errors()
    {
        for (int number = Constants.WEND_EMPTY; number <= 0; number++)
            Expect(new WendException(number).Code.StartsWith("WEND_"), new WendException(number).Code);
        var bad = Thrown(() => new Map(0, 5)) as WendException;
        Expect(bad?.Code == "WEND_BAD_ARGUMENT" && bad.Message.Contains("width"), "an error has name and reason");
        bad = Thrown(() => Map.Parse("type octile\nheight 1\nwidth 2\nmap\n.?\n")) as WendException;
        Expect(bad != null && bad.Message.StartsWith("map:5:2: "), "an error of a map says where");
    }

    static void Callbacks()
    {
        var map = new Map(8, 8);
        var service = new Service();
        int called = 0;
        service.Submit(map, new Cell(0, 0), new Cell(7, 7), answer => { throw new InvalidOperationException("mine"); });
        service.Submit(map, new Cell(0, 0), new Cell(7, 7), answer => called++);
        Exception problem = Thrown(() => service.Tick());
        Expect(problem?.Message == "mine" && called == 1, "what a callback throws comes out of Tick(), after the others were called");
        service.Tick();
        var crowd = new Crowd(service, map, 1, what => { throw new InvalidOperationException("event"); });
        crowd.Go(crowd.Add(new Cell(0, 0)), new Cell(0, 0));
        problem = null;
        for (int i = 0; i < 4 && problem == null; i++)
        {
            service.Tick();
            problem = Thrown(() => crowd.Update());
        }
        Expect(problem?.Message == "event", "and out of Update()");
        crowd.Update();
        crowd.Dispose();
        Expect(Thrown(() => map.Edit(edit =>
        {
            edit.Set(new Cell(1, 1), Map.Blocked);
            throw new InvalidOperationException("stop");
        })) != null && map.Terrain(new Cell(1, 1)) == Map.Open, "an edit that throws changes nothing");
        service.Dispose();
        map.Dispose();
    }

    static void Recording()
    {
        var map = new Map(8, 8);
        var service = new Service();
        var files = new Dictionary<uint, string>();
        service.Record((file, bytes) => files[file] = (files.ContainsKey(file) ? files[file] : "") + Encoding.UTF8.GetString(bytes));
        service.Submit(map, new Cell(0, 0), new Cell(7, 7), answer => { });
        service.Tick();
        service.EndRecording();
        Expect(files.Count == 2 && files[1].Contains("request"), "a recording has a script for the map");
        service.Submit(map, new Cell(0, 0), new Cell(7, 7), answer => { });
        service.Record((file, bytes) => files[file] += Encoding.UTF8.GetString(bytes), map);
        service.Tick();
        service.EndRecording();
        Expect(files[1].Contains("state request 0 1\n"), "a recording begins while a request is pending");
        service.Dispose();
    }

    static void Saves()
    {
        var map = new Map(8, 8);
        var service = new Service();
        var crowd = new Crowd(service, map, 4);
        var heard = new List<long>();
        var seen = new List<string>();
        int[] points = null;
        byte[] states = null;
        Cell from = new Cell(0, 0), to = new Cell(7, 7);
        Agent agent = crowd.Add(from);
        crowd.Go(agent, new Cell(7, 0));
        service.Submit(map, from, to, answer => heard.Add(answer.Cost), 0, 1UL << 40);
        service.Submit(map, from, to, answer => heard.Add(0));
        byte[] savedMap = map.Save(), savedService = service.Save(map), savedCrowd = crowd.Save();
        map.Edit(edit => edit.Set(new Cell(3, 3), Map.Blocked));
        crowd.Remove(agent);
        map.Restore(savedMap);
        service.Restore(savedService, new[] { map }, request =>
        {
            seen.Add($"{request.Agent} {request.Start} {request.Goal} {request.Urgency}");
            return request.Agent == null ? (Action<Answer>)null : answer => heard.Add(-answer.Cost);
        });
        crowd.Restore(savedCrowd);
        Expect(map.Terrain(new Cell(3, 3)) == Map.Open && crowd.View(ref points, ref states) == 1, "map and crowd are as they were saved");
        service.Tick();
        crowd.Update();
        Expect(string.Join(" ", heard) == "-98", "a restored request calls what resume() returned, and nothing else");
        Expect(string.Join(";", seen) == "1099511627776 0,0,0 7,7,0 0; 0,0,0 7,7,0 0", "resume() gets the requests");
        Expect(crowd.View(ref points, ref states) == 1 && points[0] > 0, "and the agent walks on");
        var newMap = new Map(8, 8);
        var newService = new Service();
        var newCrowd = new Crowd(newService, newMap, 4);
        newMap.Restore(savedMap);
        newService.Restore(savedService, new[] { newMap }, request => answer => heard.Add(1));
        newCrowd.Restore(savedCrowd);
        newService.Tick();
        Expect(string.Join(" ", heard) == "-98 1 1", "new objects take a save");
        var broken = (byte[])savedService.Clone();
        broken[broken.Length / 2] ^= 1;
        foreach (Action call in new Action[] { () => newService.Restore(broken, new[] { newMap }), () => newMap.Restore(new byte[0]),
            () => newCrowd.Restore(new byte[99]) })
            Expect((Thrown(call) as WendException)?.Code == "WEND_BAD_FORMAT", "other bytes are refused by name");
        newService.Submit(newMap, from, to, answer => heard.Add(2));
        Thrown(() => newService.Restore(broken, new[] { newMap }));
        newService.Tick();
        Expect(string.Join(" ", heard) == "-98 1 1 2", "after bytes that are refused the requests are as before");
        Exception problem = Thrown(() => newService.Restore(savedService, new[] { newMap }, request => { throw new InvalidOperationException("resume"); }));
        Expect(problem?.Message == "resume", "what resume() throws comes out of Restore()");
        newService.Tick();
        foreach (IDisposable one in new IDisposable[] { crowd, newCrowd, service, newService }) one.Dispose();
    }

    /// <summary>Frames after a rewind are those after the mark, with budgets that cut searches.</summary>
    /// <summary>Maps from files, of Tiled, too, and in an arena; boxes of an edit.</summary>
    static void Files(string file)
    {
        string tiled = Environment.GetEnvironmentVariable("WEND_TILED");
        bool extra = !string.IsNullOrEmpty(Environment.GetEnvironmentVariable("WEND_EXTRA"));
        Expect(extra || Thrown(() => Map.Load(tiled)).Message.Contains("libwend-extra"), "what reads a map of Tiled is named");
        var arena = new Arena();
        foreach (Arena one in extra ? new[] { null, arena } : new Arena[0])
            using (Map town = Map.Load(tiled, one))
            {
                Expect(town.Start?.Equals(new Cell(2, 2)) == true && town.Goal?.Equals(new Cell(17, 11)) == true, "a map of Tiled has start and goal");
                Expect(town.Terrain(new Cell(0, 0)) == 0 && town.Terrain(new Cell(12, 2)) == 5 && town.Terrain(new Cell(5, 3)) == 3, "and terrain");
            }
        Code("IO", () => Map.Load(tiled + ".none"), "no file");
        using (Map large = Map.Load(file, arena)) Expect(large.Terrain(new Cell(0, 0)) < 2, "a file in an arena");
        Map map = Map.Parse("type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n", arena);
        map.Edit(edit => edit.SetBox(new Cell(1, 0), new Cell(2, 1), new byte[] { 5, 6, 7, 8 }));
        arena.Mark(0);
        map.Edit(edit => edit.SetBox(new Cell(0, 0), new Cell(0, 1), new byte[] { 9, 9 }));
        arena.Rewind(0);
        string all = "";
        for (int i = 0; i < 6; i++) all += map.Terrain(new Cell(i % 3, i / 3));
        Expect(all == "156178", $"a box is set, in a map that goes back: {all}");
        map.Edit(edit =>
        {
            foreach (int size in new[] { 3, 5 }) Code("BAD_ARGUMENT", () => edit.SetBox(Here, There, new byte[size]), "values for another box");
            Code("BAD_ARGUMENT", () => edit.SetBox(new Cell(int.MinValue, int.MinValue, int.MinValue), new Cell(int.MaxValue, int.MaxValue, int.MaxValue),
                new byte[4]), "a box of more cells than there are numbers");
            Expect(Thrown(() => edit.SetBox(Here, There, null)) is ArgumentNullException, "no values");
        });
        Code("OUT_OF_RANGE", () => map.Edit(edit => edit.SetBox(new Cell(2, 1), new Cell(3, 1), new byte[2])), "a box beyond the map");
        map.Dispose();
        arena.Dispose();
    }

    static void Marks()
    {
        var arena = new Arena(marks: 2);
        var map = new Map(32, 32, arena);
        var service = new Service(arena: arena);
        var crowd = new Crowd(service, map, 8);
        var heard = new List<long>();
        for (int y = 0; y < 8; y++) crowd.Go(crowd.Add(new Cell(0, y)), new Cell(31, 31 - y));
        service.Submit(map, new Cell(0, 31), new Cell(31, 0), answer => heard.Add(0), agent: 7);
        int[] points = null;
        byte[] states = null;
        Func<string> play = () =>
        {
            var seen = new StringBuilder();
            for (int frame = 0; frame < 60; frame++)
            {
                service.Tick(20);
                crowd.Update();
                crowd.View(ref points, ref states);
                seen.Append(string.Join(" ", points)).Append(';');
            }
            return seen.ToString();
        };
        arena.Mark(0);
        string first = play();
        arena.Mark(1);
        Expect(string.Join(" ", heard) == "0", "the request is answered");
        for (int turn = 1; turn <= 3; turn++)
        {
            arena.Rewind(0, request => answer => heard.Add((long)request.Agent.Value));
            Expect(play() == first, "the same frames follow");
            Expect(heard.Count == turn + 1 && heard[turn] == 7, "the request has the function of resume()");
            arena.Rewind(1);
            Expect(service.Pending == 0, "forth again");
        }
        Exception problem = Thrown(() => arena.Rewind(0, request => { throw new InvalidOperationException("resume"); }));
        Expect(problem?.Message == "resume", "what resume() throws comes out of Rewind()");
        Expect((Thrown(() => arena.Rewind(5)) as WendException)?.Code == "WEND_OUT_OF_RANGE", "there is no such slot");
        Expect((Thrown(arena.Dispose) as WendException)?.Code == "WEND_IN_USE", "its objects go before it");
        foreach (IDisposable one in new IDisposable[] { crowd, service, map, arena }) one.Dispose();
        Expect((Thrown(() => arena.Mark(0)) as WendException)?.Code == "WEND_CLOSED", "it has ended");
    }

    // ---- bodies, routes, layers, groups ----

    static void Code(string code, Action call, string what)
    {
        Exception problem = Thrown(call);
        Expect((problem as WendException)?.Code == "WEND_" + code, $"{what}: {problem?.Message}");
    }

    static void BodiesMove()
    {
        var on = new Scene();
        var ended = new List<string>();
        var crowd = new Crowd(on.Service, on.Map, 4, what => ended.Add(what.Event));
        Agent first = crowd.Add(Here), second = crowd.Add(new Cell(0, 5)), third = crowd.Add(new Cell(5, 7));
        crowd.SetBody(first, 300, accelMilli: 125);
        crowd.SetBody(second);
        int[] points = null, velocities = null, radii = null;
        byte[] states = null;
        Action frame = () =>
        {
            on.Service.Tick();
            crowd.Update();
        };
        crowd.Go(first, new Cell(7, 4));
        for (int i = 0; i < 10; i++) frame();
        var state = crowd.GetBody(first);
        Expect(crowd.View(ref points, ref states, ref velocities, ref radii) == 3 && points.Length == 9 && radii[2] == 0, "the view has each agent");
        Expect(radii[0] == 300 && state.radius_milli == 300 && points[0] == state.at.x && points[1] == state.at.y, "and bodies");
        Expect(velocities[0] == state.velocity.x && state.velocity.x > 0 && state.velocity.y > 0, "it goes straight, not by steps");
        Expect(state.state == Constants.WEND_BODY_GOES && state.facing.x > 0 && state.speed_milli > 0, "its state");
        int[] kept = points;
        byte[] saved = crowd.Save(), savedMap = on.Map.Save(), savedService = on.Service.Save(on.Map);
        for (int i = 0; i < 20; i++) frame();
        crowd.View(ref points, ref states);
        Expect(ReferenceEquals(kept, points), "an array of the right size is used again");
        int x = points[0], y = points[1];
        on.Map.Restore(savedMap);
        on.Service.Restore(savedService, new[] { on.Map });
        crowd.Restore(saved);
        for (int i = 0; i < 20; i++) frame();
        crowd.View(ref points, ref states);
        Expect(x == points[0] && y == points[1], "a restore brings bodies back");
        for (int i = 0; i < 60; i++) frame();
        Expect(crowd.GetBody(first).at.x == 7000 && ended.Contains("arrived"), "a body arrives");
        crowd.PlaceBody(second, 3006, 5000, 60, 0);
        Expect(crowd.GetBody(second).at.x == 3006 && crowd.CellOf(second).Equals(new Cell(3, 5)), "the host puts it elsewhere");
        crowd.View(ref points, ref states);
        x = points[6];
        y = points[7];
        crowd.Go(new[] { second, third }, Here, Formation.Line, spacing: 2);
        frame();
        crowd.View(ref points, ref states, ref velocities, ref radii);
        Expect(points[6] - velocities[6] == x && points[7] - velocities[7] == y, "the velocity of one without a body");
        for (int i = 0; i < 4; i++) frame();
        crowd.Halt(new[] { second, third });
        for (int i = 0; i < 20; i++) frame();
        Expect(crowd.GetBody(second).speed_milli == 0 && crowd.GetGoal(second) == null, "a halted body stands");
        crowd.RemoveBody(second);
        Code("STALE_TICKET", () => crowd.GetBody(second), "without a body");
        Code("BAD_ARGUMENT", () => crowd.SetBody(second, radiusMilli: 500), "a radius");
        Code("BAD_ARGUMENT", () => crowd.SetBody(second, turnDegrees: 181), "a turn");
        Code("BAD_ARGUMENT", () => crowd.SetBody(second, turningRadiusMilli: 64001), "a circle");
        Code("IN_USE", () => crowd.SetBody(first), "a second body");
        Code("BAD_ARGUMENT", () => crowd.PlaceBody(first, 0, 0, 10000), "too fast");
        Code("OUT_OF_RANGE", () => crowd.PlaceBody(first, int.MinValue, 0), "off the map");
        crowd.Dispose();
        foreach (Action call in new Action[] { () => crowd.GetBody(first), () => crowd.SetBody(first), () => crowd.RemoveBody(first),
            () => crowd.PlaceBody(first, 0, 0), () => crowd.View(ref points, ref states, ref velocities, ref radii) })
            Code("CLOSED", call, "a crowd that has ended");
    }

    static void RoutesLead()
    {
        var on = new Scene();
        Agent agent = on.Crowd.Add(Here);
        uint once = on.Crowd.AddRoute(new[] { new Cell(5, 0), new Cell(0, 5) });
        uint loop = on.Crowd.AddRoute(new List<Cell> { Here, new Cell(6, 0) }, RouteMode.Loop);
        Expect(once == 0 && loop == 1, "routes have numbers");
        on.Crowd.Patrol(agent, once);
        for (int i = 0; i < 80; i++) on.Frame();
        Expect(on.Crowd.CellOf(agent).Equals(new Cell(0, 5)) && on.Crowd.GetAgent(agent).has_goal == 0, "a route is walked to its end");
        on.Crowd.Patrol(agent, loop);
        int turns = 0, side = 0;
        for (int i = 0; i < 300; i++)
        {
            on.Frame();
            int x = on.Crowd.CellOf(agent).X;
            if (x != side && (x == 0 || x == 6))
            {
                side = x;
                turns++;
            }
        }
        Expect(turns > 6 && on.Crowd.GetAgent(agent).route == loop, "an agent patrols for ever");
        Code("BAD_ARGUMENT", () => on.Crowd.Patrol(agent, 9), "no such route");
        Code("BAD_ARGUMENT", () => on.Crowd.AddRoute(new Cell[0]), "a route without corners");
        Code("BAD_ARGUMENT", () => on.Crowd.AddRoute(new[] { Here }, (RouteMode)9), "no such mode");
        Code("OUT_OF_RANGE", () => on.Crowd.AddRoute(new[] { new Cell(99, 0) }), "a corner off the map");
        Expect(Thrown(() => on.Crowd.AddRoute(null)) is ArgumentNullException, "a route is a list");
        on.Crowd.Dispose();
        Code("CLOSED", () => on.Crowd.AddRoute(new[] { Here }), "its crowd has ended");
        Code("CLOSED", () => on.Crowd.Patrol(agent, once), "its crowd has ended");
    }

    static void LayersCost()
    {
        var on = new Scene();
        Layer danger = on.Map.AddLayer(halfLife: 2), walls = on.Map.AddLayer(within: 3);
        Cell far = new Cell(7, 0), middle = new Cell(3, 0), low = new Cell(4, 5), high = new Cell(5, 7);
        danger.AddDisc(middle, 1, 200);
        Expect(danger.Get(middle) == 200 && danger.Get(new Cell(3, 1)) == 150 && walls.Get(Here) == 255 * 3 / 3, "values");
        danger.SetBox(low, high, new byte[] { 1, 2, 3, 4, 5, 6 });
        Expect(string.Join(" ", danger.GetBox(low, high)) == "1 2 3 4 5 6" && danger.Get(new Cell(5, 6)) == 4, "a box, row after row");
        int profile = on.Map.AddProfile((danger, 1600), (walls, 1));
        Expect(profile == 1 && on.Map.GetProfile(1)[0].Item2 == 1600 && on.Map.GetProfile(1)[1].Item1.Number == 1, "a profile");
        Expect(danger.Info.half_life == 2 && walls.Info.within == 3 && walls.Info.layers == 2, "what a layer is");
        var through = new List<bool>();
        foreach (int minds in new[] { 0, profile })
            on.Service.Submit(on.Map, Here, far, answer => through.Add(Array.IndexOf(answer.Cells, middle) >= 0), profile: minds);
        on.Service.Tick();
        Expect(through[0] && !through[1], "a request with the profile goes round");
        Agent bold = on.Crowd.Add(Here), shy = on.Crowd.Add(new Cell(0, 1), profile: profile), late = on.Crowd.Add(new Cell(0, 2));
        on.Crowd.SetProfile(new[] { late }, profile);
        Expect(on.Crowd.GetAgent(shy).profile == 1 && on.Crowd.GetAgent(late).profile == 1 && on.Crowd.GetAgent(bold).profile == 0, "of agents");
        on.Crowd.Go(shy, far);
        on.Frame();
        Expect(Array.IndexOf(on.Crowd.GetPath(shy), middle) < 0, "agents mind it");
        byte[] saved = on.Map.Save();
        on.Map.LayerUpdate(4);
        Expect(danger.Get(middle) == 50 && danger.Info.updates == 4, "values fade");
        var other = new Map(8, 8);
        other.Restore(saved);
        Layer restored = other.GetLayer(0);
        Expect(restored.Get(middle) == 200, "a save has layers");
        Code("BAD_ARGUMENT", () => other.GetLayer(9), "no such layer");
        Code("BAD_ARGUMENT", () => other.AddProfile((danger, 1)), "a layer of another map");
        Code("BAD_ARGUMENT", () => other.AddProfile(), "an empty profile");
        Code("BAD_ARGUMENT", () => other.AddProfile((restored, 0)), "a weight");
        Code("BAD_ARGUMENT", () => on.Map.GetProfile(9), "no such profile");
        Code("BAD_ARGUMENT", () => on.Map.AddLayer(within: 99), "a layer of walls");
        Code("BAD_ARGUMENT", () => danger.AddDisc(middle, 1, 256), "a peak");
        Code("BAD_ARGUMENT", () => walls.SetBox(Here, Here, new byte[1]), "walls are not set");
        Code("BAD_ARGUMENT", () => danger.SetBox(low, high, new byte[5]), "too few values");
        Code("BAD_ARGUMENT", () => danger.GetBox(high, low), "a box without cells");
        Code("OUT_OF_RANGE", () => danger.GetBox(Here, new Cell(int.MaxValue, int.MaxValue, int.MaxValue)), "a box off the map");
        Code("OUT_OF_RANGE", () => danger.Get(new Cell(8, 0)), "a cell off the map");
        Code("BAD_ARGUMENT", () => on.Service.Submit(on.Map, Here, far, answer => { }, profile: 9), "a request's profile");
        Code("BAD_ARGUMENT", () => on.Crowd.Add(far, profile: 9), "an agent's profile");
        Expect(Thrown(() => danger.SetBox(low, high, null)) is ArgumentNullException, "values are bytes");
        Expect(Thrown(() => other.AddProfile((null, 1))) is ArgumentNullException, "weights are of layers");
        other.Dispose();
        foreach (Action call in new Action[] { () => restored.Get(Here), () => restored.AddDisc(Here, 1, 1), () => restored.GetBox(Here, Here),
            () => restored.SetBox(Here, Here, new byte[1]), () => other.AddLayer(), () => other.LayerUpdate(), () => other.GetProfile(1) })
            Code("CLOSED", call, "layers end with their map");
    }

    static void GroupsGo()
    {
        var on = new Scene();
        string why = null;
        var crowd = new Crowd(on.Service, on.Map, 8, what => why = what.Event == "gave_up" ? what.Why : why);
        var three = new[] { crowd.Add(Here), crowd.Add(There), crowd.Add(new Cell(2, 2)) };
        Action<int> frames = count =>
        {
            for (int i = 0; i < count; i++)
            {
                on.Service.Tick();
                crowd.Update();
            }
        };
        Func<string> cells = () =>
        {
            var found = new List<string>();
            foreach (Agent one in three) found.Add(crowd.CellOf(one).ToString());
            found.Sort();
            return string.Join(" ", found);
        };
        crowd.Go(three, new Cell(4, 4), Formation.Column, spacing: 2, pace: true);
        Expect(crowd.GetGoal(three[0]).Value.kind == Constants.WEND_CROWD_CELL && crowd.GetGoal(three[0]).Value.pace == 1, "a goal is read");
        frames(80);
        Expect(cells() == "0,0,0 2,2,0 4,4,0", "a column with gaps: " + cells());
        crowd.Go(new[] { three[0] }, new Cell(7, 7), reach: 2, nearEnough: 1);
        Expect(crowd.GetGoal(three[0]).Value.reach == 2 && crowd.GetGoal(three[0]).Value.near_enough == 1, "near enough");
        frames(3);
        var path = crowd.GetPath(three[0]);
        Expect(path.Length > 1 && path[0].Equals(crowd.CellOf(three[0])), "a path begins where the agent is");
        crowd.Halt(three);
        frames(8);
        Expect(crowd.GetGoal(three[0]) == null && crowd.GetPath(three[0]).Length <= 1, "a halt ends it");
        Agent leader = crowd.Add(new Cell(7, 7));
        Func<Agent, Agent, int> apart = (a, b) =>
            Math.Max(Math.Abs(crowd.CellOf(a).X - crowd.CellOf(b).X), Math.Abs(crowd.CellOf(a).Y - crowd.CellOf(b).Y));
        crowd.Follow(three, leader, reach: 2);
        frames(60);
        Expect(apart(three[0], leader) <= 2 && apart(three[1], leader) <= 2 && apart(three[2], leader) <= 2, "three follow");
        crowd.Flee(three, leader, distance: 5, keep: true);
        frames(60);
        Expect(apart(three[0], leader) >= 5 && apart(three[1], leader) >= 5 && crowd.GetGoal(three[2]).Value.keep == 1, "three flee");
        crowd.Follow(new[] { three[1] }, leader);
        crowd.Remove(leader);
        frames(2);
        Expect(why == "gone", "the reason is said");
        crowd.Halt(three);
        crowd.Move(three[0], new Cell(7, 0));
        crowd.SetSpeed(three[0], 1000);
        crowd.SetUrgency(three[0], 7);
        var state = crowd.GetAgent(three[0]);
        Expect(state.cell.x == 7 && state.speed_milli == 1000 && state.urgency == 7, "an agent is changed");
        on.Map.Edit(edit => edit.Fill(new Cell(0, 1), new Cell(7, 1), Map.Blocked)); // a corridor above
        crowd.Move(three[1], new Cell(4, 0));
        foreach (var others in new[] { new[] { three[1], three[2] }, new Agent[0] })
        {
            crowd.WaitFor(three[0], others);
            crowd.Go(three[0], new Cell(3, 0));
            frames(60);
            Expect(crowd.CellOf(three[0]).X == (others.Length > 0 ? 5 : 4), "an agent waits for another one, or pushes it");
        }
        Cell corner = crowd.CellOf(three[2]), beyond = new Cell(corner.X + 1, corner.Y + 1);
        Expect(crowd.GetStats().agents == 3 && !crowd.IsClear(corner, beyond), "an agent is in a box");
        crowd.ClearBox(corner, beyond);
        frames(20);
        Expect(crowd.IsClear(corner, beyond) && crowd.GetStats().event_counts[9] == 1, "and leaves it");
        crowd.ReleaseBox(corner, beyond);
        on.Crowd.Go(on.Crowd.Add(new Cell(7, 7)), new Cell(7, 7));
        on.Frame();
        on.Frame();
        Expect(on.Crowd.Poll()?.Event == "arrived" && on.Crowd.Poll() == null, "events wait for Poll()");
        Code("EMPTY", () => crowd.ReleaseBox(corner, beyond), "a box is released once");
        Code("BAD_ARGUMENT", () => crowd.ClearBox(beyond, corner), "a box without cells");
        Code("OUT_OF_RANGE", () => crowd.IsClear(corner, new Cell(99, 9)), "a box off the map");
        Code("BAD_ARGUMENT", () => crowd.WaitFor(three[0], new[] { three[0] }), "an agent waits for others");
        Code("BAD_ARGUMENT", () => crowd.Go(three, Here, (Formation)9), "no such formation");
        Code("BAD_ARGUMENT", () => crowd.Go(three, Here, Formation.Box, spacing: 65), "spacing");
        Code("BAD_ARGUMENT", () => crowd.Follow(three, three[1]), "the target is among them");
        Code("BAD_ARGUMENT", () => crowd.Flee(new[] { three[0] }, three[1], distance: 0), "no distance");
        Code("STALE_TICKET", () => crowd.Follow(three, leader), "the target is gone");
        Code("STALE_TICKET", () => crowd.Halt(new[] { leader }), "an agent is gone");
        Code("STALE_TICKET", () => crowd.GetPath(leader), "an agent is gone");
        Code("STALE_TICKET", () => crowd.GetGoal(leader), "an agent is gone");
        Code("BLOCKED", () =>
        {
            on.Map.Edit(edit => edit.Set(new Cell(6, 6), Map.Blocked));
            crowd.Move(three[0], new Cell(6, 6));
        }, "a wall");
        Code("BAD_ARGUMENT", () => crowd.SetMover(three, 9), "no such mover");
        Code("BAD_ARGUMENT", () => crowd.SetSpeed(three[0], 0), "no speed");
        Code("BAD_ARGUMENT", () => crowd.SetUrgency(three[0], 1001), "an urgency");
        Code("BAD_ARGUMENT", () => crowd.SetProfile(three, 9), "no such profile");
        Expect(Thrown(() => crowd.Follow(null, leader)) is ArgumentNullException, "agents are a list");
        crowd.Dispose();
        foreach (Action call in new Action[] { () => crowd.Go(three, Here, Formation.Line), () => crowd.Follow(three, leader), () => crowd.Flee(three, leader),
            () => crowd.Halt(three), () => crowd.Move(leader, Here), () => crowd.SetSpeed(leader, 1), () => crowd.SetUrgency(leader, 1),
            () => crowd.SetMover(three, 0), () => crowd.SetProfile(three, 0), () => crowd.WaitFor(leader, three), () => crowd.GetAgent(leader),
            () => crowd.GetGoal(leader), () => crowd.GetPath(leader), () => crowd.IsClear(Here, There), () => crowd.ClearBox(Here, There),
            () => crowd.ReleaseBox(Here, There), () => crowd.GetStats(), () => crowd.Poll() })
            Code("CLOSED", call, "a crowd that has ended");
    }

    // ---- misuse: each line of the table is a case, its error, and the languages in which it cannot be written ----

    static readonly Cell Here = new Cell(0, 0), There = new Cell(1, 1);

    static void EachThrows<T>(params Action[] calls) where T : Exception
    {
        for (int i = 0; i + 1 < calls.Length; i++)
        {
            Exception what = Thrown(calls[i]);
            Expect(what is T, $"call {i} throws {what?.GetType().Name}");
        }
        calls[calls.Length - 1](); // to the caller, as the row says
    }

    sealed class Scene
    {
        public readonly Map Map = new Map(8, 8);
        public readonly Service Service = new Service();
        public readonly Crowd Crowd;
        public Scene() => Crowd = new Crowd(Service, Map, 4);

        public void Frame()
        {
            Service.Tick();
            Crowd.Update();
        }

        public void InCallback(Action work)
        {
            Service.Submit(Map, Here, new Cell(7, 7), answer => work());
            Service.Tick();
        }
    }

    static readonly Dictionary<string, Action<Scene>> Misuse = new Dictionary<string, Action<Scene>>
    {
        ["edit_after_its_end"] = on =>
        {
            Edit kept = null;
            on.Map.Edit(edit => kept = edit);
            EachThrows<WendException>(() => kept.Set(There, 0), () => kept.Fill(Here, There, 0));
        },
        ["edit_dropped"] = on =>
        {
            Thrown(() => on.Map.Edit(edit => { edit.Set(There, 0); throw new InvalidOperationException(); }));
            on.Map.Edit(edit => edit.Set(new Cell(2, 2), 0));
            Expect(on.Map.Terrain(There) == 1 && on.Map.Terrain(new Cell(2, 2)) == 0, "an edit that was dropped changed nothing");
        },
        ["object_after_a_mark"] = on =>
        {
            var arena = new Arena();
            new Map(8, 8, arena);
            arena.Mark(0);
            Code("IN_USE", () => Map.Parse("type octile\nheight 1\nwidth 1\nmap\n.\n", arena), "no map after the first mark");
            new Service(arena: arena);
        },
        ["box_of_another_size"] = on => on.Map.Edit(edit => edit.SetBox(Here, There, new byte[3])),
        ["crowd_across_arenas"] = on => new Crowd(new Service(arena: new Arena()), on.Map, 4),
        ["edit_in_an_edit"] = on => on.Map.Edit(edit => on.Map.Edit(inner => { })),
        ["map_after_its_end"] = on =>
        {
            on.Map.Dispose();
            on.Map.Dispose();
            EachThrows<WendException>(() => on.Map.Terrain(Here), () => on.Map.Edit(edit => { }), () => on.Map.Accelerate(),
                () => on.Service.Submit(on.Map, Here, There, answer => { }), () => new Crowd(on.Service, on.Map), () => on.Map.Occupants(Here));
        },
        ["service_after_its_end"] = on =>
        {
            on.Crowd.Dispose();
            on.Service.Dispose();
            EachThrows<WendException>(() => on.Service.Submit(on.Map, Here, There, answer => { }), () => on.Service.Pending.ToString(),
                () => on.Service.Record((file, bytes) => { }), () => on.Service.EndRecording(), () => new Crowd(on.Service, on.Map), () => on.Service.Tick());
        },
        ["service_ended_twice"] = on =>
        {
            on.Crowd.Dispose();
            on.Service.Dispose();
            on.Service.Dispose();
        },
        ["service_ended_in_callback"] = on =>
        {
            on.Crowd.Dispose();
            on.InCallback(() => on.Service.Dispose());
        },
        ["service_ended_under_crowd"] = on => on.Service.Dispose(),
        ["crowd_after_its_end"] = on =>
        {
            int[] points = null;
            byte[] states = null;
            Agent agent = on.Crowd.Add(Here);
            on.Crowd.Dispose();
            EachThrows<WendException>(() => on.Crowd.Add(Here), () => on.Crowd.Go(agent, There), () => on.Crowd.Step(agent, There),
                () => on.Crowd.Remove(agent), () => on.Crowd.View(ref points, ref states), () => on.Crowd.CellOf(agent), () => on.Crowd.Update());
        },
        ["crowd_ended_twice"] = on =>
        {
            on.Crowd.Dispose();
            on.Crowd.Dispose();
            on.Service.Dispose();
        },
        ["positions_after_the_crowd"] = on =>
        {
            int[] points = null;
            byte[] states = null;
            on.Crowd.Add(new Cell(3, 4));
            on.Crowd.View(ref points, ref states);
            on.Crowd.Dispose();
            Expect(points.Length == 3 && points[0] == 3000 && points[1] == 4000 && states.Length == 1, "positions are as they were");
        },
        ["record_twice"] = on =>
        {
            string first = "";
            var service = new Service();
            service.Record((file, bytes) => first += Encoding.UTF8.GetString(bytes));
            Exception problem = Thrown(() => service.Record((file, bytes) => { throw new InvalidOperationException("the second"); }));
            service.Submit(on.Map, Here, There, answer => { });
            service.Tick();
            service.EndRecording();
            Expect(first.Contains("request"), "the first recording goes on");
            throw problem;
        },
        ["cell_off_the_map"] = on => on.Map.Terrain(new Cell(99, 0)),
        ["urgency_out_of_range"] = on => on.Service.Submit(on.Map, Here, There, answer => { }, 1001),
        ["handle_of_wrong_kind"] = on => EachThrows<ArgumentNullException>(() => on.Service.Submit(null, Here, There, answer => { }),
            () => new Crowd(null, on.Map), () => new Crowd(on.Service, null)),
        ["agent_of_wrong_type"] = on => on.Crowd.Go(null, Here),
        ["agent_removed"] = on =>
        {
            Agent agent = on.Crowd.Add(Here);
            on.Crowd.Remove(agent);
            on.Crowd.Go(agent, There);
        },
        ["agent_on_an_agent"] = on =>
        {
            on.Crowd.Add(Here);
            on.Crowd.Add(Here);
        },
        ["agent_on_a_wall"] = on =>
        {
            on.Map.Edit(edit => edit.Set(Here, Map.Blocked));
            on.Crowd.Add(Here);
        },
        ["goal_off_the_map"] = on => on.Crowd.Go(on.Crowd.Add(Here), new Cell(99, 0)),
        ["update_in_an_event"] = on =>
        {
            Crowd crowd = null;
            crowd = new Crowd(on.Service, on.Map, 4, _ => crowd.Update());
            crowd.Go(crowd.Add(Here), Here);
            for (int i = 0; i < 4; i++)
            {
                on.Service.Tick();
                crowd.Update();
            }
        },
        ["callback_missing"] = on => EachThrows<ArgumentNullException>(() => on.Service.Submit(on.Map, Here, There, null),
            () => on.Service.Record(null), () => on.Map.Edit(null)),
        ["bytes_of_wrong_type"] = on => EachThrows<ArgumentNullException>(() => Map.Parse((byte[])null), () => Map.Load(null), () => Map.Parse((string)null)),
        ["path_with_a_zero"] = on => Map.Load("data\0"),
        ["restore_of_wrong_type"] = on => EachThrows<ArgumentNullException>(() => on.Map.Restore(null), () => on.Service.Restore(null, new Map[0]),
            () => on.Service.Restore(on.Service.Save(), null), () => on.Service.Save((Map)null), () => on.Crowd.Restore(null)),
        ["restore_of_another_kind"] = on => EachThrows<WendException>(() => on.Service.Restore(on.Crowd.Save(), new Map[0]),
            () => on.Map.Restore(on.Service.Save()), () => on.Crowd.Restore(on.Map.Save())),
        ["save_without_its_map"] = on =>
        {
            on.Service.Submit(on.Map, Here, There, answer => { });
            on.Service.Save(new Map(8, 8));
        },
        ["restore_in_a_callback"] = on =>
        {
            byte[] saved = on.Service.Save();
            on.InCallback(() => on.Service.Restore(saved, new Map[0]));
        },
        ["tick_in_a_callback"] = on => on.InCallback(() => on.Service.Tick()),
    };

    // What has no method is called by its name in C.
    static void WholeInterface()
    {
        int names = 0;
        string absent = "";
        foreach (var function in typeof(Wend.Native.Functions).GetMethods(System.Reflection.BindingFlags.Public | System.Reflection.BindingFlags.Static))
        {
            names++;
            if (Thrown(() => Marshal.Prelink(function)) != null) absent += " " + function.Name;
        }
        Expect(names > 200 && absent == "", $"Functions has each function; absent:{absent}");
        var on = new Scene();
        Agent agent = on.Crowd.Add(new Cell(0, 0));
        IntPtr mover = Marshal.AllocHGlobal(Marshal.SizeOf<wend_mover>()), number = Marshal.AllocHGlobal(4);
        Functions.wend_mover_init(mover, (UIntPtr)Marshal.SizeOf<wend_mover>());
        Marshal.WriteInt32(mover, 4, 2); // its size
        WendException.Check(Functions.wend_map_add_mover(on.Map.Handle, mover, number));
        on.Crowd.SetMover(new[] { agent }, Marshal.ReadInt32(number));
        Expect(on.Crowd.GetAgent(agent).mover == 1 && on.Map.Occupants(There) == 1, "a mover of four cells");
        Marshal.WriteInt32(mover, 4, 0);
        Code("BAD_ARGUMENT", () => WendException.Check(Functions.wend_map_add_mover(on.Map.Handle, mover, number)), "an error is thrown");
        foreach (IntPtr one in new[] { mover, number }) Marshal.FreeHGlobal(one);
        string heard = null;
        var ticket = on.Service.Submit(on.Map, new Cell(0, 0), new Cell(7, 7), answer => heard = answer.Status);
        on.Service.SetUrgency(ticket, 5);
        on.Service.Cancel(ticket);
        on.Service.Tick();
        Expect(heard == "cancelled", "a request is cancelled by its ticket");
        Expect((Thrown(() => on.Service.Cancel(ticket)) as WendException)?.Code == "WEND_STALE_TICKET", "which is stale then");
    }

    static void CheckTable(string file)
    {
        foreach (string line in System.IO.File.ReadAllLines(file))
        {
            string[] words = line.Split(new[] { ' ' }, StringSplitOptions.RemoveEmptyEntries);
            if (words.Length == 0 || words[0] == "#" || line[0] == '#') continue;
            bool ruledOut = Array.IndexOf(words, "csharp") > 1, here = Misuse.ContainsKey(words[0]);
            if (ruledOut || !here)
            {
                Expect(ruledOut != here, $"{words[0]} is in the table or here");
                continue;
            }
            Exception what = Thrown(() => Misuse[words[0]](new Scene()));
            bool good = words[1] == "fine" ? what == null
                : words[1] == "type" ? what is ArgumentNullException
                : words[1] == "path" ? what is ArgumentException
                : (what as WendException)?.Code == "WEND_" + words[1];
            Expect(good, $"misuse: {words[0]}: {words[1]}, and {what}");
        }
    }

    static int Main(string[] words)
    {
        Map map = Map.Load(words.Length > 0 ? words[0] : "data/caves512.map");
        var service = new Service();
        map.Accelerate();
        Expect(Requests(map, service) == 0x08a1e302, "requests have the golden hash");
        Expect(Walks(map, service) == 0xb932dc31, "a crowd has the golden hash");
        Expect(Group(service) == 0x21b0b51b, "a group with bodies has the golden hash");
        service.Dispose();
        map.Dispose();
        Errors();
        Callbacks();
        Recording();
        Saves();
        Files(words[0]);
        Marks();
        BodiesMove();
        RoutesLead();
        LayersCost();
        GroupsGo();
        WholeInterface();
        CheckTable(words[1]);
        return failed ? 1 : 0;
    }
}
