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
        internal static wend_box Box(Cell min, Cell max) => new wend_box { min = min.Raw, max = max.Raw };
        /// <summary>The cells of a box: a double has room for those of any.</summary>
        internal static double Count(Cell min, Cell max) =>
            Math.Max(0, max.X - min.X + 1.0) * Math.Max(0, max.Y - min.Y + 1.0) * Math.Max(0, max.Z - min.Z + 1.0);
        internal static UIntPtr Width(Cell min, Cell max) => (UIntPtr)Math.Max(0, max.X - min.X + 1);
        internal static void CheckCount(double count, byte[] values)
        {
            if (count != Memory.Given(values, nameof(values)).Length)
                throw new WendException(Constants.WEND_BAD_ARGUMENT, $"the box has {count} cells, and there are {values.Length} values");
        }
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

        /// <summary>Returns the struct, or the number of at least four bytes, that a call writes.</summary>
        internal static T Out<T>(Func<IntPtr, int> call) where T : struct
        {
            T value = default(T);
            With<T>(null, null, at => { Check(call(at)); value = Read<T>(at); });
            return value;
        }

        internal static T? OutOrNull<T>(Func<IntPtr, int> call) where T : struct
        {
            int number = 0;
            T value = Out<T>(at => (number = call(at)) == Constants.WEND_EMPTY ? 0 : number);
            return number == 0 ? value : (T?)null;
        }

        internal static byte OutByte(Func<IntPtr, int> call)
        {
            using (var room = new Room(1))
            {
                Check(call(room.At));
                return Marshal.ReadByte(room.At);
            }
        }

        /// <summary>A call with an array of structs.</summary>
        internal static void WithArray<T, R>(IReadOnlyList<T> list, Func<T, R> raw, Action<IntPtr> call)
        {
            int size = Marshal.SizeOf<R>();
            using (var room = new Room(checked(size * Given(list, nameof(list)).Count)))
            {
                for (int i = 0; i < list.Count; i++) Marshal.StructureToPtr(raw(list[i]), room.At + size * i, false);
                call(room.At);
            }
        }

        /// <summary>Copies an array of the library into one that is used again where its size is right.</summary>
        internal static void Fill(IntPtr from, int count, ref int[] to)
        {
            if (to == null || to.Length != count) to = new int[count];
            if (count > 0) Marshal.Copy(from, to, 0, count);
        }

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

    /// <summary>libwend-extra, where it is installed.</summary>
    static class Extra
    {
        const string Library = "wend-extra";
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        static extern int wend_tiled_load(IntPtr path, IntPtr how, IntPtr def, IntPtr map, IntPtr beside, IntPtr error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        static extern void wend_tiled_free(IntPtr beside);

        /// <summary>A map of Tiled; `otherwise`: the library is not there.</summary>
        internal static int Load(IntPtr path, IntPtr def, IntPtr map, IntPtr ends, IntPtr where, int otherwise)
        {
            using (var beside = new Memory.Room(IntPtr.Size))
            {
                try
                {
                    int number = wend_tiled_load(path, IntPtr.Zero, def, map, beside.At, where);
                    if (number != 0) return number;
                }
                catch (DllNotFoundException)
                {
                    return otherwise;
                }
                IntPtr tiled = Marshal.ReadIntPtr(beside.At);
                IntPtr markers = Marshal.ReadIntPtr(tiled, IntPtr.Size); // it has struct_bytes, then these
                Marshal.StructureToPtr(Memory.Read<wend_map_markers>(markers), ends, false);
                wend_tiled_free(tiled);
                return 0;
            }
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

        delegate int ReadMap(IntPtr def, IntPtr map, IntPtr ends, IntPtr where);

        /// <param name="tiled">reads a map of Tiled, which the library refuses; or null</param>
        static Map Read(string name, Arena arena, ReadMap read, ReadMap tiled = null)
        {
            var map = new Map();
            using (var room = new Memory.Room(IntPtr.Size))
                Memory.With<wend_map_markers>(null, null, ends => Memory.With<wend_file_error>(null, null, where =>
                {
                    IntPtr text = where + (int)Marshal.OffsetOf<wend_file_error>("text");
                    int number = 0;
                    Memory.With<wend_map_def>(wend_map_def_init, (ref wend_map_def def) =>
                        def.allocator = Arena.Allocator(arena, def.allocator), def =>
                    {
                        number = read(def, room.At, ends, where);
                        bool isTiled = number == Constants.WEND_UNSUPPORTED && Memory.Text(text).Contains("libwend-extra");
                        if (isTiled && tiled != null) number = tiled(def, room.At, ends, where);
                    });
                    if (number != 0)
                    {
                        var problem = Memory.Read<wend_file_error>(where);
                        throw new WendException(number, $"{name}:{problem.line}:{problem.column}: {Memory.Text(text)}");
                    }
                    map.at = Marshal.ReadIntPtr(room.At);
                    var markers = Memory.Read<wend_map_markers>(ends);
                    if (markers.has_start != 0) map.Start = new Cell(markers.start);
                    if (markers.has_goal != 0) map.Goal = new Cell(markers.goal);
                }));
            return map;
        }

        /// <summary>A file of any format that the library reads; of Tiled, where libwend-extra is installed.</summary>
        public static Map Load(string path, Arena arena = null)
        {
            if (Memory.Given(path, nameof(path)).Contains("\0")) throw new ArgumentException("a path has no zero byte", nameof(path));
            byte[] name = Encoding.UTF8.GetBytes(path + "\0");
            using (var room = new Memory.Room(name.Length))
            {
                Marshal.Copy(name, 0, room.At, name.Length);
                return Read(path, arena, (def, map, ends, where) => wend_map_load(room.At, def, map, ends, where),
                    (def, map, ends, where) => Extra.Load(room.At, def, map, ends, where, Constants.WEND_UNSUPPORTED));
            }
        }

        public static Map Parse(byte[] bytes, Arena arena = null)
        {
            using (var room = new Memory.Room(Memory.Given(bytes, nameof(bytes)).Length))
            {
                Marshal.Copy(bytes, 0, room.At, bytes.Length);
                return Read("map", arena, (def, map, ends, where) =>
                    wend_map_parse(room.At, (UIntPtr)bytes.Length, def, map, ends, where));
            }
        }

        public static Map Parse(string text, Arena arena = null) =>
            Parse(Encoding.UTF8.GetBytes(Memory.Given(text, nameof(text))), arena);

        /// <summary>Make jump tables and landmarks: searches are faster.</summary>
        public void Accelerate() => Memory.Check(wend_map_accelerate(At, IntPtr.Zero));

        public byte Terrain(Cell cell) => Memory.OutByte(at => wend_map_get_terrain(At, cell.Raw, at));

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

        /// <summary>Add a layer of costs by place, all 0.</summary>
        /// <param name="halfLife">its values halve each time so many updates are complete; 0: never</param>
        /// <param name="within">a layer of walls: its values fall with the distance from them, up to so many cells</param>
        public Layer AddLayer(uint halfLife = 0, int within = 0)
        {
            int number = 0;
            Memory.With(wend_layer_def_init, (ref wend_layer_def def) => { def.half_life = halfLife; def.within = within; },
                def => number = Memory.Out<int>(to => wend_map_add_layer(At, def, to)));
            return new Layer(this, number);
        }

        /// <summary>The layer of this number, which a restore may have brought.</summary>
        public Layer GetLayer(int number)
        {
            var layer = new Layer(this, number);
            _ = layer.Info; // there is one
            return layer;
        }

        /// <summary>Let time pass for all layers, in updates: values with a half-life fade.</summary>
        public void LayerUpdate(uint steps = 1) => Memory.Check(wend_map_update_layers(At, steps));

        /// <summary>Add a profile: the layers that requests and agents of a kind mind, and their weights.</summary>
        public int AddProfile(params (Layer, int)[] weights)
        {
            int profile = 0;
            Memory.WithArray(weights, one => Memory.Given(one.Item1, nameof(weights)).Weight(this, one.Item2), list =>
                profile = Memory.Out<int>(number => wend_map_add_profile(At, list, (uint)weights.Length, number)));
            return profile;
        }

        public (Layer, int)[] GetProfile(int profile)
        {
            int size = Marshal.SizeOf<wend_layer_weight>();
            using (var room = new Memory.Room(size * Constants.WEND_MAX_PROFILE_LAYERS))
            {
                var weights = new (Layer, int)[Memory.Out<int>(count => wend_map_get_profile(At, profile, room.At, count))];
                for (int i = 0; i < weights.Length; i++)
                    weights[i] = (new Layer(this, Marshal.ReadInt32(room.At, size * i)), Marshal.ReadInt32(room.At, size * i + 4));
                return weights;
            }
        }

        public void Dispose()
        {
            if (at != IntPtr.Zero) wend_map_release(at);
            at = IntPtr.Zero;
        }
    }

    /// <summary>Costs by place, such as danger: a value from 0 to 255 for each cell of a map.</summary>
    public sealed class Layer
    {
        readonly Map map;
        public int Number { get; }

        internal Layer(Map map, int number)
        {
            this.map = map;
            Number = number;
        }

        internal wend_layer_weight Weight(Map on, int weight) => on == map ? new wend_layer_weight { layer = Number, weight = weight }
            : throw new WendException(Constants.WEND_BAD_ARGUMENT, $"layer {Number} is of another map");
        public wend_layer_info Info => Memory.Out<wend_layer_info>(at => wend_map_get_layer(map.At, Number, at));

        /// <summary>Add a disc, which is `peak` at its centre and falls to its rim; 255 is the most.</summary>
        public void AddDisc(Cell centre, int radius, int peak) =>
            Memory.Check(wend_map_add_layer_disc(map.At, Number, centre.Raw, radius, peak));

        public byte Get(Cell cell) => Memory.OutByte(at => wend_map_get_layer_value(map.At, Number, cell.Raw, at));

        // Both corners are on the map, else Get() throws.
        double CountCells(Cell min, Cell max)
        {
            Get(min);
            Get(max);
            return Cell.Count(min, max);
        }

        /// <summary>Set the values of a box, row after row, in space layer after layer.</summary>
        public void SetBox(Cell min, Cell max, byte[] values)
        {
            Cell.CheckCount(CountCells(min, max), values);
            Memory.Check(Memory.WithBytes(values, (at, bytes) =>
                wend_map_set_layer_box(map.At, Number, Cell.Box(min, max), at, Cell.Width(min, max))));
        }

        /// <summary>The values of a box as they are now, in the order of SetBox().</summary>
        public byte[] GetBox(Cell min, Cell max)
        {
            var values = new byte[(long)CountCells(min, max)];
            using (var room = new Memory.Room(values.Length))
            {
                Memory.Check(wend_map_get_layer_box(map.At, Number, Cell.Box(min, max), room.At, Cell.Width(min, max)));
                Marshal.Copy(room.At, values, 0, values.Length);
            }
            return values;
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
            Memory.Check(wend_edit_fill_box(At, Cell.Box(min, max), terrain));

        /// <summary>Set the classes of a box, row after row, in space layer after layer.</summary>
        public void SetBox(Cell min, Cell max, byte[] terrain)
        {
            IntPtr edit = At;
            Cell.CheckCount(Cell.Count(min, max), terrain);
            Memory.Check(Memory.WithBytes(terrain, (at, bytes) =>
                wend_edit_set_box(edit, Cell.Box(min, max), at, Cell.Width(min, max))));
        }
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
        readonly IntPtr options = Memory.New<wend_search_options>(wend_search_options_init);
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
        /// <param name="profile">of AddProfile(): which costs by place count</param>
        public wend_ticket Submit(Map map, Cell start, Cell goal, Action<Answer> done, int urgency = 0, ulong? agent = null, int profile = 0)
        {
            IntPtr service = At;
            Memory.Given(done, nameof(done));
            var what = Memory.Read<wend_request>(fresh);
            what.map = Memory.Given(map, nameof(map)).At;
            what.start = start.Raw;
            what.goal = goal.Raw;
            what.urgency = urgency;
            what.agent = agent ?? ulong.MaxValue;
            what.options = options;
            Marshal.WriteInt32(options, (int)Marshal.OffsetOf<wend_search_options>("profile"), profile);
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
                foreach (IntPtr one in new[] { request, budget, options, fresh, ticket }) Marshal.FreeHGlobal(one);
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
        /// <summary>The reason of "gave_up": "no_path", "gone", …</summary>
        public string Why { get; internal set; }
        public Agent Agent { get; internal set; }
        public Cell Cell { get; internal set; }
        public ulong Update { get; internal set; }
        public bool EndsGoal { get; internal set; }
        /// <summary>Of "link_ahead": the link's end, and 1 a step before the leap, 0 when it begins.</summary>
        public Cell To { get; internal set; }
        public int Ahead { get; internal set; }

        internal AgentEvent(wend_agent_event one)
        {
            Event = Memory.Text(wend_constant_name(Constants.WEND_NAME_AGENT_EVENT, one.@event));
            Number = one.@event;
            Why = Memory.Text(wend_constant_name(Constants.WEND_NAME_WHY, one.why));
            Agent = new Agent(one.agent);
            Cell = new Cell(one.cell);
            Update = one.update;
            EndsGoal = wend_agent_event_ends_goal(one.@event) != 0;
            To = new Cell(one.to);
            Ahead = one.ahead;
        }
    }

    /// <summary>How a group stands round its goal cell, and is on its way there.</summary>
    public enum Formation { Crowd, Line, Column, Wedge, Box }

    /// <summary>The way on from the last corner of a route: none, to the first one, or back.</summary>
    public enum RouteMode { Once, Loop, Back }

    /// <summary>Agents on a service and a map that go where they are sent, never two in one cell.</summary>
    public sealed class Crowd : IDisposable
    {
        IntPtr at;
        internal IntPtr At => Memory.Alive(at, "crowd");
        /// <summary>Its address, for Wend.Native.Functions.</summary>
        public IntPtr Handle => At;
        internal readonly Service service;
        readonly Catcher catcher = new Catcher();
        readonly wend_agent_event_fn onEvent;
        readonly IntPtr seen = Memory.New<wend_crowd_view>(null);

        /// <param name="hear">gets the events at the end of Update(); null: they wait for Poll(), which must be called</param>
        public Crowd(Service service, Map map, uint agents = 1024, Action<AgentEvent> hear = null)
        {
            onEvent = (context, what) => catcher.Run(() => hear(new AgentEvent(Memory.Read<wend_agent_event>(what))));
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

        /// <param name="profile">of map.AddProfile(): which costs by place its searches mind</param>
        public Agent Add(Cell cell, uint speedMilli = 250, int urgency = 0, int profile = 0)
        {
            using (var room = new Memory.Room(Marshal.SizeOf<wend_agent_id>()))
            {
                Memory.With<wend_agent_def>(wend_agent_def_init, (ref wend_agent_def def) =>
                {
                    def.cell = cell.Raw;
                    def.speed_milli = speedMilli;
                    def.urgency = urgency;
                    def.profile = profile;
                }, def => Memory.Check(wend_crowd_add(At, def, room.At)));
                return new Agent(Memory.Read<wend_agent_id>(room.At));
            }
        }

        static void WithIds(IReadOnlyList<Agent> agents, Func<IntPtr, UIntPtr, int> call) =>
            Memory.WithArray(agents, agent => agent.Raw, ids => Memory.Check(call(ids, (UIntPtr)agents.Count)));

        void Send(IReadOnlyList<Agent> agents, Memory.Change<wend_crowd_goal> change) => Memory.With(wend_crowd_goal_init, change,
            goal => WithIds(agents, (ids, count) => wend_crowd_go(At, ids, count, goal)));

        /// <summary>Send agents; of a group each gets a place of its own.</summary>
        /// <param name="spacing">of a formation: cells from one agent to the next</param>
        /// <param name="reach">near enough is so many cells off</param>
        /// <param name="nearEnough">so many cells off an agent has arrived, where the goal cell is taken</param>
        /// <param name="pace">no agent goes faster than the slowest</param>
        public void Go(IReadOnlyList<Agent> agents, Cell cell, Formation formation = Formation.Crowd, uint spacing = 1, int reach = 0,
            int nearEnough = 0, bool pace = false) => Send(agents, (ref wend_crowd_goal goal) =>
            {
                goal.cell = cell.Raw;
                goal.formation = (int)formation;
                goal.spacing = spacing;
                goal.reach = reach;
                goal.near_enough = nearEnough;
                goal.pace = Convert.ToByte(pace);
            });

        public void Go(Agent agent, Cell cell) => Go(new[] { agent }, cell);

        /// <summary>Agents stay near another one, up to `reach` cells off, until another order.</summary>
        public void Follow(IReadOnlyList<Agent> agents, Agent target, int reach = 1) => Send(agents, (ref wend_crowd_goal goal) =>
            { goal.kind = Constants.WEND_CROWD_FOLLOW; goal.target = target.Raw; goal.reach = reach; });

        /// <summary>Agents get `distance` cells away from another one; with `keep` they stay away until another order.</summary>
        public void Flee(IReadOnlyList<Agent> agents, Agent target, int distance = 10, bool keep = false) =>
            Send(agents, (ref wend_crowd_goal goal) =>
            {
                goal.kind = Constants.WEND_CROWD_FLEE;
                goal.target = target.Raw;
                goal.distance = distance;
                goal.keep = Convert.ToByte(keep);
            });

        /// <summary>End the goals of agents; a step that has begun is finished.</summary>
        public void Halt(IReadOnlyList<Agent> agents) => WithIds(agents, (ids, count) => wend_crowd_halt(At, ids, count));
        public void SetMover(IReadOnlyList<Agent> agents, int mover) =>
            WithIds(agents, (ids, count) => wend_crowd_set_mover(At, ids, count, mover));
        /// <summary>Set which costs by place agents mind: a profile of the map, or 0: none.</summary>
        public void SetProfile(IReadOnlyList<Agent> agents, int profile) =>
            WithIds(agents, (ids, count) => wend_crowd_set_profile(At, ids, count, profile));
        /// <summary>An agent never pushes these aside; an empty list: it pushes all again.</summary>
        public void WaitFor(Agent agent, IReadOnlyList<Agent> others) =>
            WithIds(others, (ids, count) => wend_crowd_wait_for(At, agent.Raw, ids, count));

        /// <summary>Add a route by its corners, which stays as long as the crowd. Returns its number, for Patrol().</summary>
        public uint AddRoute(IReadOnlyList<Cell> corners, RouteMode mode = RouteMode.Once)
        {
            uint route = 0;
            Memory.WithArray(corners, corner => corner.Raw, list => Memory.With(wend_route_def_init, (ref wend_route_def def) =>
                { def.mode = (int)mode; def.corners = list; def.corner_count = (uint)corners.Count; }, def => route = Memory.Out<uint>(number => wend_crowd_add_route(At, def, number))));
            return route;
        }

        /// <summary>Send an agent along a route.</summary>
        public void Patrol(Agent agent, uint route) => Memory.Check(wend_crowd_patrol(At, agent.Raw, route));
        /// <summary>Put an agent elsewhere at once; it keeps its goal.</summary>
        public void Move(Agent agent, Cell cell) => Memory.Check(wend_crowd_move(At, agent.Raw, cell.Raw));
        /// <summary>Returns whether no agent holds a cell of a box.</summary>
        public bool IsClear(Cell min, Cell max) => Memory.OutByte(at => wend_crowd_is_clear(At, Cell.Box(min, max), at)) != 0;
        /// <summary>Agents leave a box and do not enter it; the event "clear" comes when no agent is in it.</summary>
        public void ClearBox(Cell min, Cell max) => Memory.Check(wend_crowd_clear_box(At, Cell.Box(min, max)));
        public void ReleaseBox(Cell min, Cell max) => Memory.Check(wend_crowd_release_box(At, Cell.Box(min, max)));
        public wend_crowd_stats GetStats() => Memory.Out<wend_crowd_stats>(at => wend_crowd_get_stats(At, at));
        public void SetSpeed(Agent agent, uint speedMilli) => Memory.Check(wend_crowd_set_speed(At, agent.Raw, speedMilli));
        public void SetUrgency(Agent agent, int urgency) => Memory.Check(wend_crowd_set_urgency(At, agent.Raw, urgency));
        public wend_agent_state GetAgent(Agent agent) => Memory.Out<wend_agent_state>(at => wend_crowd_get_agent(At, agent.Raw, at));

        /// <summary>The goal of an agent, or null: it has none.</summary>
        public wend_crowd_goal? GetGoal(Agent agent) => Memory.OutOrNull<wend_crowd_goal>(at => wend_crowd_get_goal(At, agent.Raw, at));

        /// <summary>The next event of a crowd that was made without `hear`, or null.</summary>
        public AgentEvent? Poll()
        {
            var one = Memory.OutOrNull<wend_agent_event>(at => wend_crowd_poll(At, at));
            return one == null ? (AgentEvent?)null : new AgentEvent(one.Value);
        }

        /// <summary>The rest of the path that an agent keeps, the cell that it holds first.</summary>
        public Cell[] GetPath(Agent agent)
        {
            int size = Marshal.SizeOf<wend_cell>();
            var cells = new Cell[(int)Memory.Out<IntPtr>(count => wend_crowd_get_path(At, agent.Raw, IntPtr.Zero, UIntPtr.Zero, count))];
            using (var room = new Memory.Room(size * cells.Length))
            {
                Memory.Out<IntPtr>(count => wend_crowd_get_path(At, agent.Raw, room.At, (UIntPtr)cells.Length, count));
                for (int i = 0; i < cells.Length; i++) cells[i] = new Cell(Memory.Read<wend_cell>(room.At + size * i));
            }
            return cells;
        }

        /// <summary>Make an agent a disc, which moves in straight lines and curves.</summary>
        /// <param name="accelMilli">most gain of speed in a unit of time; 0: as the library takes it</param>
        /// <param name="turnDegrees">most turn at speed in a unit of time; 0: smooth</param>
        /// <param name="turningRadiusMilli">the least circle it turns on: more than 0 makes a vehicle</param>
        public void SetBody(Agent agent, uint radiusMilli = 400, uint accelMilli = 0, uint turnDegrees = 0, uint turningRadiusMilli = 0) =>
            Memory.With(wend_body_def_init, (ref wend_body_def def) =>
            {
                def.radius_milli = radiusMilli;
                def.accel_milli = accelMilli;
                def.turn_degrees = turnDegrees;
                def.turning_radius_milli = turningRadiusMilli;
            }, def => Memory.Check(wend_crowd_set_body(At, agent.Raw, def)));

        /// <summary>Take the body of an agent away: from now on it steps from cell to cell.</summary>
        public void RemoveBody(Agent agent) => Memory.Check(wend_crowd_set_body(At, agent.Raw, IntPtr.Zero));

        public wend_body_state GetBody(Agent agent) => Memory.Out<wend_body_state>(to => wend_crowd_get_body(At, agent.Raw, to));

        /// <summary>Put a body where the host's physics or animation has moved it, in thousandths of a cell.</summary>
        public void PlaceBody(Agent agent, int x, int y, int velocityX = 0, int velocityY = 0) => Memory.Check(wend_crowd_place_body(At,
            agent.Raw, new wend_point { x = x, y = y }, new wend_point { x = velocityX, y = velocityY }));

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

        /// <summary>Copies velocities (x, y, z of each) and the radii of bodies, too, in thousandths of a cell; no body has the
        /// radius 0.</summary>
        public int View(ref int[] points, ref byte[] states, ref int[] velocities, ref int[] radii)
        {
            int count = View(ref points, ref states);
            var view = Memory.Read<wend_crowd_view>(seen);
            Memory.Fill(view.velocities, 3 * count, ref velocities);
            Memory.Fill(view.radii, count, ref radii);
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
