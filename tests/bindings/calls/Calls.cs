// SPDX-License-Identifier: MIT
// Calls each function of Native.cs as it is declared there, and measures each struct: Calls LAYOUTS.C. echo.h says what is
// compared.
using System;
using System.IO;
using System.Linq;
using System.Linq.Expressions;
using System.Reflection;
using System.Runtime.InteropServices;

static class Calls
{
    const int Result = 31;
    static int failed;

    [DllImport("echo", CallingConvention = CallingConvention.Cdecl)]
    static extern void echo_fill(byte[] to, UIntPtr bytes, int position);
    [DllImport("echo", CallingConvention = CallingConvention.Cdecl)]
    static extern int echo_right(string function);

    static byte[] Bytes(Type type, int position)
    {
        var bytes = new byte[Marshal.SizeOf(type)];
        echo_fill(bytes, (UIntPtr)bytes.Length, position);
        return bytes;
    }

    static object Filled(Type type, int position)
    {
        GCHandle bytes = GCHandle.Alloc(Bytes(type, position), GCHandleType.Pinned);
        try { return Marshal.PtrToStructure(bytes.AddrOfPinnedObject(), type); }
        finally { bytes.Free(); }
    }

    static void Report(bool good, string name)
    {
        Console.WriteLine((good ? "ok " : "not ok ") + name);
        if (!good) failed++;
    }

    // Through code that calls it: mono's Invoke() of a function that returns a struct of 12 bytes loses the address of the result.
    static void Call(MethodInfo function)
    {
        var arguments = function.GetParameters().Select((one, i) => Expression.Constant(Filled(one.ParameterType, i))).ToArray();
        Expression call = Expression.Call(function, arguments);
        bool returned = true;
        if (function.ReturnType == typeof(void)) Expression.Lambda<Action>(call).Compile()();
        else returned = Expression.Lambda<Func<object>>(Expression.Convert(call, typeof(object))).Compile()().Equals(Filled(function.ReturnType, Result));
        Report(echo_right(function.Name) == arguments.Length && returned, function.Name + "()");
    }

    // SIZE(type, bytes); and AT(type, field, bytes); of a machine with addresses of 8 bytes, which come first.
    static void Measure(string line)
    {
        string[] words = line.Split('(', ',', ')').Select(word => word.Trim()).ToArray();
        Type type = typeof(Wend.Native.Functions).Assembly.GetType("Wend.Native." + words[1]);
        if (words[0] == "SIZE") Report(type != null && Marshal.SizeOf(type) == int.Parse(words[2]), words[1]);
        else Report(type != null && (int)Marshal.OffsetOf(type, words[2]) == int.Parse(words[3]), words[1] + "." + words[2]);
    }

    static int Main(string[] args)
    {
        foreach (MethodInfo function in typeof(Wend.Native.Functions).GetMethods(BindingFlags.Public | BindingFlags.Static)) Call(function);
        if (IntPtr.Size == 8)
            foreach (string line in File.ReadLines(args[0]).TakeWhile(line => !line.StartsWith("#elif")))
                if (line.StartsWith("SIZE(") || line.StartsWith("AT(")) Measure(line);
        return failed > 0 ? 1 : 0;
    }
}
