// SPDX-License-Identifier: MIT
// A save game: 500 agents walk to a wall with two gates. One closes. All is saved, and what follows is played twice.
using System;
using Wend;

static class Gate
{
    const int Width = 96, Height = 64, Agents = 500, Closes = 100, Saved = 150, Frames = 300;
    const ulong Scout = 7;

    static readonly Map map = new Map(Width, Height);
    static readonly Service service = new Service();
    static readonly Crowd crowd = new Crowd(service, map, Agents);
    static uint hash;
    static int[] points;
    static byte[] states;

    static void Put(long value) => hash = unchecked((hash ^ (uint)value) * 16777619);
    static void TakeAnswer(Answer answer) => Put(answer.Cost);

    // No function is in a save. The host knows its request again by the number that it gave it.
    static Action<Answer> Resume(Resumed request) => request.Agent == Scout ? TakeAnswer : (Action<Answer>)null;

    // Closes cells of the wall on which nobody stands.
    static void CloseWall(int first, int last) => map.Edit(edit =>
    {
        for (int y = first; y <= last; y++)
            if (map.Occupants(new Cell(48, y)) == 0) edit.Set(new Cell(48, y), Map.Blocked);
    });

    static uint Run(int first, int last)
    {
        hash = 2166136261;
        for (int frame = first; frame < last; frame++)
        {
            if (frame >= Closes) CloseWall(12, 15);
            service.Tick();
            crowd.Update();
            int count = crowd.View(ref points, ref states);
            for (int i = 0; i < count; i++)
            {
                Put(points[3 * i]);
                Put(points[3 * i + 1]);
            }
        }
        return hash;
    }

    static void Main()
    {
        CloseWall(0, 11);
        CloseWall(16, 47);
        CloseWall(52, Height - 1);
        for (int i = 0; i < Agents; i++)
        {
            int x = i % 20 * 2, y = i / 20 * 2;
            crowd.Go(crowd.Add(new Cell(x, y)), new Cell(Width - 1 - x, y));
        }
        Run(0, Saved);
        service.Submit(map, new Cell(0, 0), new Cell(Width - 1, 0), TakeAnswer, 0, Scout);
        byte[] savedMap = map.Save(), savedService = service.Save(map), savedCrowd = crowd.Save();
        uint before = Run(Saved, Frames);
        map.Restore(savedMap);
        service.Restore(savedService, new[] { map }, Resume);
        crowd.Restore(savedCrowd);
        Console.WriteLine($"{Agents} agents, saved in frame {Saved}: {before:x8}, and after a restore {Run(Saved, Frames):x8}");
        crowd.Dispose();
        service.Dispose();
    }
}
