// SPDX-License-Identifier: MIT
// What every binding is tested for: Test MAP.
using System;
using System.Collections.Generic;
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
        service.Dispose();
    }

    static int Main(string[] words)
    {
        Map map = Map.Load(words.Length > 0 ? words[0] : "data/caves512.map");
        var service = new Service();
        map.Accelerate();
        Expect(Requests(map, service) == 0x08a1e302, "requests have the golden hash");
        Expect(Walks(map, service) == 0x1531deef, "a crowd has the golden hash");
        service.Dispose();
        map.Dispose();
        Errors();
        Callbacks();
        Recording();
        return failed ? 1 : 0;
    }
}
