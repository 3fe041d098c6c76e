// SPDX-License-Identifier: MIT
// wend in C#: maps, services and crowds. One thread calls a service and its crowds. An exception that leaves a callback
// does not pass through the library: it is kept, the other callbacks of the frame are called, and Tick() or Update()
// throws it then.
using System;
using System.Collections.Generic;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using System.Text;
using Wend.Native;
using static Wend.Native.Functions;

namespace Wend
{
    /// <summary>An error of the library; its message has the reason.</summary>
    public sealed class WendException : Exception
    {
        /// <summary>"WEND_BUSY" for one.</summary>
        public string Code { get; }
        public int Number { get; }

        public WendException(int number, string text = null) : base(text ?? Memory.Text(wend_error_detail(number)))
        {
            Number = number;
            Code = Memory.Text(wend_error_name(number));
        }

        /// <summary>Throws what a function of Wend.Native.Functions returns, if it is an error.</summary>
        public static void Check(int number) => Memory.Check(number);
    }

    /// <summary>A cell of a map.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Cell : IEquatable<Cell>
    {
        public int X, Y, Z;

        public Cell(int x, int y, int z = 0)
        {
            X = x;
            Y = y;
            Z = z;
        }

        internal Cell(wend_cell from) : this(from.x, from.y, from.z) { }
        public wend_cell Raw => new wend_cell { x = X, y = Y, z = Z };
        public bool Equals(Cell other) => X == other.X && Y == other.Y && Z == other.Z;
        public override bool Equals(object other) => other is Cell cell && Equals(cell);
        public override int GetHashCode() => (X * 397 ^ Y) * 397 ^ Z;
        public override string ToString() => $"{X},{Y},{Z}";
    }

    static class Memory
    {
        internal static void Check(int number)
        {
            if (number != 0) throw new WendException(number);
        }

        /// <summary>The address of what lives: a handle has none any more once it has ended.</summary>
        internal static IntPtr Alive(IntPtr at, string what) =>
            at != IntPtr.Zero ? at : throw new WendException(Constants.WEND_CLOSED, $"this {what} has ended");

        internal static T Given<T>(T value, string name) where T : class => value ?? throw new ArgumentNullException(name);

        internal static string Text(IntPtr at)
        {
            int length = 0;
            while (Marshal.ReadByte(at, length) != 0) length++;
            var bytes = new byte[length];
            Marshal.Copy(at, bytes, 0, length);
            return Encoding.UTF8.GetString(bytes);
        }

        /// <summary>A struct in memory of its own, with the library's defaults where it has some.</summary>
        internal static IntPtr New<T>(Action<IntPtr, UIntPtr> init)
        {
            int size = Marshal.SizeOf<T>();
            IntPtr at = Marshal.AllocHGlobal(size);
            Marshal.Copy(new byte[size], 0, at, size);
            if (init != null) init(at, (UIntPtr)size);
            else Marshal.WriteInt32(at, size); // struct_bytes is first
            return at;
        }

        internal delegate void Change<T>(ref T value);

        /// <summary>A struct with defaults and changes, for the length of a call.</summary>
        internal static void With<T>(Action<IntPtr, UIntPtr> init, Change<T> change, Action<IntPtr> call) where T : struct
        {
            IntPtr at = New<T>(init);
            try
            {
                if (change != null)
                {
                    var value = Marshal.PtrToStructure<T>(at);
                    change(ref value);
                    Marshal.StructureToPtr(value, at, false);
                }
                call(at);
            }
            finally
            {
                Marshal.FreeHGlobal(at);
            }
        }

        internal delegate int SaveCall(IntPtr buffer, UIntPtr capacity, IntPtr bytes);

        /// <summary>What `call` saves.</summary>
        internal static byte[] Save(SaveCall call)
        {
            using (var size = new Room(IntPtr.Size))
            {
                int counted = call(IntPtr.Zero, UIntPtr.Zero, size.At);
                if (counted != Constants.WEND_OUT_OF_MEMORY) Check(counted);
                var bytes = new byte[(int)Marshal.ReadIntPtr(size.At)];
                using (var room = new Room(bytes.Length))
                {
                    Check(call(room.At, (UIntPtr)bytes.Length, size.At));
                    Marshal.Copy(room.At, bytes, 0, bytes.Length);
                }
                return bytes;
            }
        }

        /// <summary>A call with the address and the number of bytes.</summary>
        internal static int WithBytes(byte[] data, Func<IntPtr, UIntPtr, int> call)
        {
            using (var room = new Room(Given(data, nameof(data)).Length))
            {
                Marshal.Copy(data, 0, room.At, data.Length);
                return call(room.At, (UIntPtr)data.Length);
            }
        }

        internal static T Read<T>(IntPtr at) => Marshal.PtrToStructure<T>(at);

        /// <summary>Room for what a call gives back, and for arrays.</summary>
        internal sealed class Room : IDisposable
        {
            internal IntPtr At { get; }
            internal Room(int bytes) => At = Marshal.AllocHGlobal(Math.Max(bytes, 1));
            public void Dispose() => Marshal.FreeHGlobal(At);
        }
    }

    /// <summary>Keeps the first exception of callbacks until the call that led to them has returned.</summary>
    sealed class Catcher
    {
        ExceptionDispatchInfo kept;

        internal bool Run(Action call)
        {
            try
            {
                call();
                return true;
            }
            catch (Exception problem)
            {
                kept = kept ?? ExceptionDispatchInfo.Capture(problem);
                return false;
            }
        }

        internal void Check(int number)
        {
            ExceptionDispatchInfo first = kept;
            kept = null;
            first?.Throw();
            Memory.Check(number);
        }
    }

    /// <summary>Memory whose maps, services and crowds go back to earlier frames, exactly, with unfinished searches:
    /// those that are made with it before its first mark. They are disposed of before it, after the last rewind.</summary>
    public sealed class Arena : IDisposable
    {
        IntPtr at;
        internal IntPtr At => Memory.Alive(at, "arena");
        /// <summary>Its address, for Wend.Native.Functions.</summary>
        public IntPtr Handle => At;
        internal readonly List<Service> Services = new List<Service>();
        bool marked;

        /// <param name="bytes">of all objects; 0: as many as the library takes by default</param>
        public Arena(uint marks = 16, ulong bytes = 0)
        {
            using (var room = new Memory.Room(IntPtr.Size))
            {
                Memory.With<wend_arena_def>(wend_arena_def_init, (ref wend_arena_def def) =>
                {
                    def.marks = marks;
                    if (bytes > 0) def.bytes = bytes;
                }, def => Memory.Check(wend_arena_create(def, room.At)));
                at = Marshal.ReadIntPtr(room.At);
            }
        }

        internal static wend_allocator Allocator(Arena arena, wend_allocator otherwise)
        {
            if (arena == null) return otherwise;
            if (arena.marked) throw new WendException(Constants.WEND_IN_USE, "objects of an arena are made before its first mark");
            return wend_arena_allocator(arena.At);
        }

        /// <summary>Remember all of it, between two frames.</summary>
        public void Mark(uint slot)
        {
            Memory.Check(wend_arena_mark(At, slot));
            marked = true;
        }

        /// <summary>Make all of it what it was, also forth to a later mark. Functions of requests do not go back: as in
        /// Service.Restore(), `resume` returns the one of a request that is pending again, or null.</summary>
        public void Rewind(uint slot, Func<Resumed, Action<Answer>> resume = null)
        {
            foreach (Service service in Services) _ = service.At; // all live
            Memory.Check(wend_arena_rewind(At, slot));
            foreach (Service service in Services)
                service.Resume(new Map[0], resume, host => wend_service_adopt(service.At, host));
        }

        public void Dispose()
        {
            if (at == IntPtr.Zero) return;
            Memory.Check(wend_arena_destroy(at));
            at = IntPtr.Zero;
        }
    }

    /// <summary>A map. Dispose() gives it back; the library frees it once no request and no crowd uses it.</summary>
    public sealed class Map : IDisposable
    {
        public const byte Blocked = 0, Open = 1;

        IntPtr at;
        internal IntPtr At => Memory.Alive(at, "map");
        /// <summary>Its address, for Wend.Native.Functions.</summary>
        public IntPtr Handle => At;
        /// <summary>The markers A and B of a file that has them.</summary>
        public Cell? Start { get; private set; }
        public Cell? Goal { get; private set; }

        Map() { }

        public Map(int width, int height, Arena arena = null)
        {
            using (var room = new Memory.Room(IntPtr.Size))
            {
                Memory.With<wend_map_def>(wend_map_def_init, (ref wend_map_def def) =>
                {
                    def.width = width;
                    def.height = height;
                    def.allocator = Arena.Allocator(arena, def.allocator);
                }, def => Memory.Check(wend_map_create(def, room.At)));
                at = Marshal.ReadIntPtr(room.At);
            }
        }

        static Map Read(string name, Func<IntPtr, IntPtr, IntPtr, int> read)
        {
            var map = new Map();
            using (var room = new Memory.Room(IntPtr.Size))
                Memory.With<wend_map_markers>(null, null, ends => Memory.With<wend_file_error>(null, null, where =>
                {
                    int number = read(room.At, ends, where);
                    if (number != 0)
                    {
                        var problem = Memory.Read<wend_file_error>(where);
                        IntPtr text = where + (int)Marshal.OffsetOf<wend_file_error>("text");
                        throw new WendException(number, $"{name}:{problem.line}:{problem.column}: {Memory.Text(text)}");
                    }
                    map.at = Marshal.ReadIntPtr(room.At);
                    var markers = Memory.Read<wend_map_markers>(ends);
                    if (markers.has_start != 0) map.Start = new Cell(markers.start);
                    if (markers.has_goal != 0) map.Goal = new Cell(markers.goal);
                }));
            return map;
        }

        public static Map Load(string path)
        {
            if (Memory.Given(path, nameof(path)).Contains("\0")) throw new ArgumentException("a path has no zero byte", nameof(path));
            byte[] name = Encoding.UTF8.GetBytes(path + "\0");
            using (var room = new Memory.Room(name.Length))
            {
                Marshal.Copy(name, 0, room.At, name.Length);
                return Read(path, (map, ends, where) => wend_map_load(room.At, IntPtr.Zero, map, ends, where));
            }
        }

        public static Map Parse(byte[] bytes)
        {
            using (var room = new Memory.Room(Memory.Given(bytes, nameof(bytes)).Length))
            {
                Marshal.Copy(bytes, 0, room.At, bytes.Length);
                return Read("map", (map, ends, where) => wend_map_parse(room.At, (UIntPtr)bytes.Length, IntPtr.Zero, map, ends, where));
            }
        }

        public static Map Parse(string text) => Parse(Encoding.UTF8.GetBytes(Memory.Given(text, nameof(text))));

        /// <summary>Make jump tables and landmarks: searches are faster.</summary>
        public void Accelerate() => Memory.Check(wend_map_accelerate(At, IntPtr.Zero));

        public byte Terrain(Cell cell)
        {
            using (var room = new Memory.Room(1))
            {
                Memory.Check(wend_map_get_terrain(At, cell.Raw, room.At));
                return Marshal.ReadByte(room.At);
            }
        }

        public uint Occupants(Cell cell)
        {
            using (var room = new Memory.Room(4))
            {
                Memory.Check(wend_map_get_occupants(At, cell.Raw, room.At));
                return (uint)Marshal.ReadInt32(room.At);
            }
        }

        /// <summary>A cell that the default mover can reach from another one; the same seed gives the same.</summary>
        public Cell RandomCell(Cell from, ulong seed)
        {
            using (var room = new Memory.Room(Marshal.SizeOf<wend_cell>()))
            {
                Memory.Check(wend_map_random_cell(At, 0, from.Raw, seed, room.At));
                return new Cell(Memory.Read<wend_cell>(room.At));
            }
        }

        /// <summary>The map as it is between two frames. A game saves maps, services, then crowds, and restores them
        /// in that order.</summary>
        public byte[] Save()
        {
            IntPtr map = At;
            return Memory.Save((buffer, capacity, bytes) => wend_map_save_state(map, buffer, capacity, bytes));
        }

        public void Restore(byte[] data)
        {
            IntPtr map = At;
            Memory.Check(Memory.WithBytes(data, (buffer, bytes) => wend_map_restore_state(map, buffer, bytes)));
        }

        /// <summary>Changes that searches see together. Where `change` throws, nothing happens.</summary>
        public void Edit(Action<Edit> change)
        {
            Memory.Given(change, nameof(change));
            Edit edit;
            using (var room = new Memory.Room(IntPtr.Size))
            {
                Memory.Check(wend_edit_begin(At, room.At));
                edit = new Edit(Marshal.ReadIntPtr(room.At));
            }
            try
            {
                change(edit);
            }
            catch
            {
                wend_edit_discard(edit.End());
                throw;
            }
            Memory.Check(wend_edit_publish(edit.End(), IntPtr.Zero));
        }

        public void Dispose()
        {
            if (at != IntPtr.Zero) wend_map_release(at);
            at = IntPtr.Zero;
        }
    }

    /// <summary>Changes that are not published yet.</summary>
    public sealed class Edit
    {
        IntPtr at;
        IntPtr At => Memory.Alive(at, "edit");
        /// <summary>Its address, for Wend.Native.Functions.</summary>
        public IntPtr Handle => At;
        internal Edit(IntPtr at) => this.at = at;
        internal IntPtr End()
        {
            IntPtr ended = at;
            at = IntPtr.Zero;
            return ended;
        }
        public void Set(Cell cell, byte terrain) => Memory.Check(wend_edit_set_cell(At, cell.Raw, terrain));
        public void Fill(Cell min, Cell max, byte terrain) =>
            Memory.Check(wend_edit_fill_box(At, new wend_box { min = min.Raw, max = max.Raw }, terrain));
    }

    /// <summary>What became of a request.</summary>
    public sealed class Answer
    {
        /// <summary>"found", "no_path", …</summary>
        public string Status { get; internal set; }
        public int StatusNumber { get; internal set; }
        public long Cost { get; internal set; }
        public Cell[] Cells { get; internal set; }
        public ulong Expansions { get; internal set; }
        public ulong Frames { get; internal set; }
        public ulong Number { get; internal set; }
    }

    /// <summary>A request that a restore has brought back.</summary>
    public sealed class Resumed
    {
        /// <summary>The number that Submit() was given.</summary>
        public ulong? Agent { get; internal set; }
        public Cell Start { get; internal set; }
        public Cell Goal { get; internal set; }
        public int Urgency { get; internal set; }
    }

    /// <summary>A queue of requests, searched a bounded number of expansions a frame.</summary>
    public sealed class Service : IDisposable
    {
        IntPtr at;
        internal IntPtr At => Memory.Alive(at, "service");
        /// <summary>Its address, for Wend.Native.Functions.</summary>
        public IntPtr Handle => At;
        internal int Crowds; // that are on it
        internal readonly Arena arena;
        readonly Catcher catcher = new Catcher();
        Dictionary<long, Action<Answer>> waiting = new Dictionary<long, Action<Answer>>();
        readonly wend_done_fn onDone; // the library calls them: they must not be collected
        readonly wend_record_fn onWrite;
        readonly IntPtr request = Memory.New<wend_request>(wend_request_init), budget = Memory.New<wend_budget>(wend_budget_init);
        readonly IntPtr fresh = Memory.New<wend_request>(wend_request_init), ticket = Memory.New<wend_ticket>((at, size) => { });
        Action<uint, byte[]> write;
        long next;

        /// <param name="queue">most pending requests</param>
        public Service(uint queue = 65536, Arena arena = null)
        {
            this.arena = arena;
            onDone = Deliver;
            onWrite = Write;
            using (var room = new Memory.Room(IntPtr.Size))
            {
                Memory.With<wend_service_def>(wend_service_def_init, (ref wend_service_def def) =>
                {
                    def.queue = queue;
                    def.allocator = Arena.Allocator(arena, def.allocator);
                }, def => Memory.Check(wend_service_create(def, room.At)));
                at = Marshal.ReadIntPtr(room.At);
            }
            arena?.Services.Add(this);
        }

        /// <summary>Queue a request; `done` is called in the tick that delivers it. Returns its ticket.</summary>
        /// <param name="agent">the host's number: a newer request of it replaces an older one; a restore tells it</param>
        public wend_ticket Submit(Map map, Cell start, Cell goal, Action<Answer> done, int urgency = 0, ulong? agent = null)
        {
            IntPtr service = At;
            Memory.Given(done, nameof(done));
            var what = Memory.Read<wend_request>(fresh);
            what.map = Memory.Given(map, nameof(map)).At;
            what.start = start.Raw;
            what.goal = goal.Raw;
            what.urgency = urgency;
            what.agent = agent ?? ulong.MaxValue;
            what.on_done = Marshal.GetFunctionPointerForDelegate(onDone);
            what.context = (IntPtr)next;
            Marshal.StructureToPtr(what, request, false);
            Memory.Check(wend_service_submit(service, request, ticket));
            waiting[next++] = done;
            return Memory.Read<wend_ticket>(ticket);
        }

        /// <summary>The request ends as cancelled, in the next frame.</summary>
        public void Cancel(wend_ticket of) => Memory.Check(wend_service_cancel(At, of));
        public void SetUrgency(wend_ticket of, int urgency) => Memory.Check(wend_service_set_urgency(At, of, urgency));

        void Deliver(IntPtr context, IntPtr at) => catcher.Run(() =>
        {
            Action<Answer> done = waiting[(long)context];
            waiting.Remove((long)context);
            var what = Memory.Read<wend_completion>(at);
            var numbers = new int[3 * (int)what.cell_count];
            if (numbers.Length > 0) Marshal.Copy(what.cells, numbers, 0, numbers.Length);
            var cells = new Cell[numbers.Length / 3];
            for (int i = 0; i < cells.Length; i++) cells[i] = new Cell(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]);
            done(new Answer { Status = Memory.Text(wend_status_name(what.status)), StatusNumber = what.status, Cost = what.cost,
                Cells = cells, Expansions = what.expansions, Frames = what.frames, Number = what.number });
        });

        /// <summary>One frame of at most so many expansions.</summary>
        public void Tick(ulong expansions = ulong.MaxValue)
        {
            IntPtr service = At;
            var limits = Memory.Read<wend_budget>(budget);
            limits.expansions = expansions;
            Marshal.StructureToPtr(limits, budget, false);
            catcher.Check(wend_service_tick(service, budget, IntPtr.Zero));
        }

        public ulong Pending => wend_service_get_pending(At);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        delegate void ResumeFunction(IntPtr context, wend_ticket ticket, IntPtr request);

        static T WithHost<T>(IReadOnlyList<Map> maps, IntPtr resume, Func<IntPtr, T> call)
        {
            T result = default(T);
            using (var list = new Memory.Room(IntPtr.Size * Memory.Given(maps, nameof(maps)).Count))
            {
                for (int i = 0; i < maps.Count; i++)
                    Marshal.WriteIntPtr(list.At, i * IntPtr.Size, Memory.Given(maps[i], nameof(maps)).At);
                Memory.With<wend_save_host>(wend_save_host_init, (ref wend_save_host host) =>
                {
                    host.maps = list.At;
                    host.map_count = (uint)maps.Count;
                    host.request = resume;
                }, host => result = call(host));
            }
            return result;
        }

        /// <summary>The pending requests, on these maps.</summary>
        public byte[] Save(params Map[] maps)
        {
            IntPtr service = At;
            return WithHost(maps, IntPtr.Zero, host =>
                Memory.Save((buffer, capacity, bytes) => wend_service_save_state(service, host, buffer, capacity, bytes)));
        }

        /// <summary>Replace the requests by those of a save; `maps` are those of Save(), in the same order. The functions
        /// of those that are gone are not called. No function is in a save: `resume` returns the one of a request, or null.</summary>
        public void Restore(byte[] data, IReadOnlyList<Map> maps, Func<Resumed, Action<Answer>> resume = null)
        {
            IntPtr service = At;
            Resume(maps, resume, host =>
                Memory.WithBytes(data, (buffer, bytes) => wend_service_restore_state(service, host, buffer, bytes)));
        }

        internal void Resume(IReadOnlyList<Map> maps, Func<Resumed, Action<Answer>> resume, Func<IntPtr, int> call)
        {
            var restored = new Dictionary<long, Action<Answer>>();
            ResumeFunction onResume = (context, ticket, at) => catcher.Run(() =>
            {
                var what = Memory.Read<wend_request>(at);
                Action<Answer> done = resume(new Resumed { Agent = what.agent == ulong.MaxValue ? (ulong?)null : what.agent,
                    Start = new Cell(what.start), Goal = new Cell(what.goal), Urgency = what.urgency });
                if (done == null) return;
                what.on_done = Marshal.GetFunctionPointerForDelegate(onDone);
                what.context = (IntPtr)next;
                Marshal.StructureToPtr(what, at, false);
                restored[next++] = done;
            });
            IntPtr function = resume == null ? IntPtr.Zero : Marshal.GetFunctionPointerForDelegate(onResume);
            int number = WithHost(maps, function, call);
            GC.KeepAlive(onResume);
            if (number == 0) waiting = restored;
            else if (number != Constants.WEND_IN_CALLBACK && Pending == 0) waiting.Clear();
            catcher.Check(number);
        }

        /// <summary>Record what the service and its crowds get: write(file, bytes).</summary>
        public void Record(Action<uint, byte[]> write)
        {
            Memory.Given(write, nameof(write));
            Memory.Check(wend_service_record(At, Marshal.GetFunctionPointerForDelegate(onWrite), IntPtr.Zero));
            this.write = write;
        }

        /// <summary>The same of a service that may be running, on a map, with its crowd: from here on.</summary>
        public void Record(Action<uint, byte[]> write, Map map, Crowd crowd = null)
        {
            Memory.Given(write, nameof(write));
            Memory.Given(map, nameof(map));
            Action<uint, byte[]> before = this.write;
            this.write = write;
            int number = wend_service_record_state(At, map.At, crowd == null ? IntPtr.Zero : crowd.At,
                Marshal.GetFunctionPointerForDelegate(onWrite), IntPtr.Zero);
            if (number != 0) this.write = before;
            Memory.Check(number);
        }

        int Write(IntPtr context, uint file, IntPtr at, UIntPtr size)
        {
            var bytes = new byte[(int)size];
            Marshal.Copy(at, bytes, 0, bytes.Length);
            return catcher.Run(() => write(file, bytes)) ? 0 : Constants.WEND_IO;
        }

        public void EndRecording() => catcher.Check(wend_service_end_recording(At));

        /// <summary>Pending requests end as cancelled. Crowds on it are disposed of before.</summary>
        public void Dispose()
        {
            if (at == IntPtr.Zero) return;
            if (Crowds > 0) throw new WendException(Constants.WEND_IN_USE, "a crowd is on this service: dispose of it first");
            int number = wend_service_destroy(at);
            if (number == 0)
            {
                at = IntPtr.Zero;
                foreach (IntPtr one in new[] { request, budget, fresh, ticket }) Marshal.FreeHGlobal(one);
            }
            catcher.Check(number);
        }
    }

    /// <summary>An agent of a crowd.</summary>
    public struct Agent : IEquatable<Agent>
    {
        public uint Index { get; }
        public uint Generation { get; }
        internal Agent(wend_agent_id from)
        {
            Index = from.index;
            Generation = from.generation;
        }
        public wend_agent_id Raw => new wend_agent_id { index = Index, generation = Generation };
        public bool Equals(Agent other) => Index == other.Index && Generation == other.Generation;
        public override bool Equals(object other) => other is Agent agent && Equals(agent);
        public override int GetHashCode() => (int)(Index * 397 ^ Generation);
    }

    /// <summary>Something that happened to an agent.</summary>
    public struct AgentEvent
    {
        /// <summary>"arrived", "gave_up", …</summary>
        public string Event { get; internal set; }
        public int Number { get; internal set; }
        public Agent Agent { get; internal set; }
        public Cell Cell { get; internal set; }
        public ulong Update { get; internal set; }
        public bool EndsGoal { get; internal set; }
        /// <summary>Of "link_ahead": the link's end, and 1 a step before the leap, 0 when it begins.</summary>
        public Cell To { get; internal set; }
        public int Ahead { get; internal set; }
    }

    /// <summary>Agents on a service and a map that go where they are sent, never two in one cell.</summary>
    public sealed class Crowd : IDisposable
    {
        IntPtr at;
        internal IntPtr At => Memory.Alive(at, "crowd");
        /// <summary>Its address, for Wend.Native.Functions.</summary>
        public IntPtr Handle => At;
        readonly Service service;
        readonly Catcher catcher = new Catcher();
        readonly wend_agent_event_fn onEvent;
        readonly IntPtr seen = Memory.New<wend_crowd_view>(null);

        public Crowd(Service service, Map map, uint agents = 1024, Action<AgentEvent> hear = null)
        {
            onEvent = (context, what) => catcher.Run(() =>
            {
                var one = Memory.Read<wend_agent_event>(what);
                hear(new AgentEvent { Event = Memory.Text(wend_agent_event_name(one.@event)), Number = one.@event,
                    Agent = new Agent(one.agent), Cell = new Cell(one.cell), Update = one.update,
                    EndsGoal = wend_agent_event_ends_goal(one.@event) != 0, To = new Cell(one.to), Ahead = one.ahead });
            });
            using (var room = new Memory.Room(IntPtr.Size))
            {
                Memory.With<wend_crowd_def>(wend_crowd_def_init, (ref wend_crowd_def def) =>
                {
                    def.service = Memory.Given(service, nameof(service)).At;
                    def.map = Memory.Given(map, nameof(map)).At;
                    def.agents = agents;
                    def.allocator = Arena.Allocator(service.arena, def.allocator);
                    if (hear != null) def.on_event = Marshal.GetFunctionPointerForDelegate(onEvent);
                }, def => Memory.Check(wend_crowd_create(def, room.At)));
                at = Marshal.ReadIntPtr(room.At);
            }
            this.service = service;
            service.Crowds++;
        }

        public Agent Add(Cell cell, uint speedMilli = 250, int urgency = 0)
        {
            using (var room = new Memory.Room(Marshal.SizeOf<wend_agent_id>()))
            {
                Memory.With<wend_agent_def>(wend_agent_def_init, (ref wend_agent_def def) =>
                {
                    def.cell = cell.Raw;
                    def.speed_milli = speedMilli;
                    def.urgency = urgency;
                }, def => Memory.Check(wend_crowd_add(At, def, room.At)));
                return new Agent(Memory.Read<wend_agent_id>(room.At));
            }
        }

        /// <summary>Send agents; of a group each gets a place of its own.</summary>
        public void Go(IReadOnlyList<Agent> agents, Cell cell)
        {
            int size = Marshal.SizeOf<wend_agent_id>();
            using (var room = new Memory.Room(size * Memory.Given(agents, nameof(agents)).Count))
            {
                for (int i = 0; i < agents.Count; i++) Marshal.StructureToPtr(agents[i].Raw, room.At + i * size, false);
                Memory.With<wend_crowd_goal>(wend_crowd_goal_init, (ref wend_crowd_goal goal) => goal.cell = cell.Raw,
                    goal => Memory.Check(wend_crowd_go(At, room.At, (UIntPtr)agents.Count, goal)));
            }
        }

        public void Go(Agent agent, Cell cell) => Go(new[] { agent }, cell);
        public void Step(Agent agent, Cell cell) => Memory.Check(wend_crowd_step(At, agent.Raw, cell.Raw));
        public void Remove(Agent agent) => Memory.Check(wend_crowd_remove(At, agent.Raw));
        public void Update(uint elapsedMilli = 1000) => catcher.Check(wend_crowd_update(At, elapsedMilli, IntPtr.Zero, IntPtr.Zero));

        /// <summary>Agents, in the middle of their steps, with goals, groups and paths.</summary>
        public byte[] Save()
        {
            IntPtr crowd = At;
            return Memory.Save((buffer, capacity, bytes) => wend_crowd_save_state(crowd, buffer, capacity, bytes));
        }

        /// <summary>Replace the agents by those of a save. Map and service were restored before. An Agent stays good.</summary>
        public void Restore(byte[] data)
        {
            IntPtr crowd = At;
            Memory.Check(Memory.WithBytes(data, (buffer, bytes) =>
                wend_crowd_restore_state(crowd, IntPtr.Zero, buffer, bytes)));
        }

        /// <summary>Copies positions in thousandths of a cell (x, y, z of each), and states, by index of agents. Arrays of
        /// the size before are used again. Returns how many agents there are.</summary>
        public int View(ref int[] points, ref byte[] states)
        {
            Memory.Check(wend_crowd_get_view(At, seen));
            var view = Memory.Read<wend_crowd_view>(seen);
            int count = (int)view.count;
            if (points == null || points.Length != 3 * count) points = new int[3 * count];
            if (states == null || states.Length != count) states = new byte[count];
            if (count == 0) return 0;
            Marshal.Copy(view.points, points, 0, 3 * count);
            Marshal.Copy(view.states, states, 0, count);
            return count;
        }

        /// <summary>The cell that an agent holds.</summary>
        public Cell CellOf(Agent agent)
        {
            Memory.Check(wend_crowd_get_view(At, seen));
            var view = Memory.Read<wend_crowd_view>(seen);
            if (agent.Index >= view.count) throw new ArgumentOutOfRangeException(nameof(agent));
            return new Cell(Memory.Read<wend_cell>(view.cells + (int)agent.Index * Marshal.SizeOf<wend_cell>()));
        }

        public void Dispose()
        {
            if (at == IntPtr.Zero) return;
            Memory.Check(wend_crowd_destroy(at));
            at = IntPtr.Zero;
            service.Crowds--;
            Marshal.FreeHGlobal(seen);
        }
    }
}
