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
            new Service(arena: arena);
        },
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
        IntPtr corners = Marshal.AllocHGlobal(24), route = Marshal.AllocHGlobal(4);
        Marshal.Copy(new[] { 5, 0, 0, 0, 5, 0 }, 0, corners, 6);
        var def = new Wend.Native.wend_route_def();
        IntPtr at = Marshal.AllocHGlobal(Marshal.SizeOf(def));
        Wend.Native.Functions.wend_route_def_init(at, (UIntPtr)Marshal.SizeOf(def));
        def = Marshal.PtrToStructure<Wend.Native.wend_route_def>(at);
        def.corners = corners;
        def.corner_count = 2;
        Marshal.StructureToPtr(def, at, false);
        WendException.Check(Wend.Native.Functions.wend_crowd_add_route(on.Crowd.Handle, at, route));
        WendException.Check(Wend.Native.Functions.wend_crowd_patrol(on.Crowd.Handle, agent.Raw, (uint)Marshal.ReadInt32(route)));
        for (int i = 0; i < 80; i++)
        {
            on.Service.Tick();
            on.Crowd.Update();
        }
        Expect(on.Crowd.CellOf(agent).Equals(new Cell(0, 5)), "a route is walked to its end");
        Expect(Thrown(() => WendException.Check(Wend.Native.Functions.wend_crowd_patrol(on.Crowd.Handle, agent.Raw, 9))) is WendException, "an error is thrown");
        foreach (IntPtr one in new[] { corners, route, at }) Marshal.FreeHGlobal(one);
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
        service.Dispose();
        map.Dispose();
        Errors();
        Callbacks();
        Recording();
        Saves();
        Marks();
        WholeInterface();
        CheckTable(words[1]);
        return failed ? 1 : 0;
    }
}
