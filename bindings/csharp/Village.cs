// SPDX-License-Identifier: MIT
// A village at 20 Hz: people wander about, doors open and close, the guards gather at the well when the bell rings, and
// a player walks along the street, step by step. Village [FRAMES]
using System;
using System.Collections.Generic;
using Wend;

sealed class Village
{
    const int Width = 64, Height = 40, Houses = 12, GuardCount = 12, Villagers = 60, Bell = 200;

    readonly Map map = new Map(Width, Height);
    readonly Service service = new Service();
    readonly Crowd crowd;
    readonly List<Cell> doors = new List<Cell>();
    readonly bool[] open = new bool[Houses];
    readonly List<Agent> guards = new List<Agent>();
    readonly Agent player;
    uint random = 7;
    ulong seed = 1;
    int frame, walks, gathered;

    Village()
    {
        map.Edit(edit =>
        {
            for (int i = 0; i < Houses; i++) Build(edit, 3 + i % 4 * 15, 3 + i / 4 * 12);
        });
        map.Accelerate();
        crowd = new Crowd(service, map, GuardCount + Villagers + 1, Hear);
        player = crowd.Add(new Cell(1, Height - 2), 1000);
        for (int i = 0; i < GuardCount; i++) guards.Add(Settle(10));
        for (int i = 0; i < Villagers; i++) Settle(0);
    }

    int Dice(int sides)
    {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        return (int)(random % (uint)sides);
    }

    void Build(Edit edit, int left, int top)
    {
        edit.Fill(new Cell(left, top), new Cell(left + 10, top + 7), Map.Blocked);
        edit.Fill(new Cell(left + 1, top + 1), new Cell(left + 9, top + 6), Map.Open);
        edit.Set(new Cell(left + 5, top + 7), Map.Open);
        open[doors.Count] = true;
        doors.Add(new Cell(left + 5, top + 7));
    }

    // Somewhere: where a wall or somebody is, elsewhere.
    Agent Settle(int urgency)
    {
        var speed = (uint)(200 + Dice(100));
        for (;;)
        {
            int x = Dice(Width);
            var cell = new Cell(x, Dice(Height));
            if (map.Terrain(cell) == Map.Blocked || map.Occupants(cell) > 0) continue;
            Agent agent = crowd.Add(cell, speed, urgency);
            Wander(agent, cell);
            return agent;
        }
    }

    void Wander(Agent agent, Cell from) => crowd.Go(agent, map.RandomCell(from, seed++));

    void Hear(AgentEvent what)
    {
        bool guard = guards.Contains(what.Agent), arrived = what.Event == "arrived";
        if (arrived) walks++;
        if (arrived && guard && frame > Bell) gathered++;
        if (!what.EndsGoal || what.Event == "replaced" || what.Agent.Equals(player)) return;
        if (!guard || frame < Bell) Wander(what.Agent, what.Cell);
    }

    // None closes on somebody.
    void MoveADoor()
    {
        int at = Dice(Houses);
        if (map.Occupants(doors[at]) > 0 || (open[at] && Dice(4) > 0)) return;
        open[at] = !open[at];
        map.Edit(edit => edit.Set(doors[at], open[at] ? Map.Open : Map.Blocked));
    }

    void RunFrame()
    {
        frame++;
        if (frame % 10 == 0) MoveADoor();
        if (frame == Bell) crowd.Go(guards, new Cell(Width / 2 - 1, Height - 2));
        Cell at = crowd.CellOf(player);
        if (frame % 5 == 0 && at.X < Width - 2) crowd.Step(player, new Cell(at.X + 1, at.Y));
        service.Tick(5000);
        crowd.Update();
    }

    static void Main(string[] words)
    {
        var village = new Village();
        for (int left = words.Length > 0 ? int.Parse(words[0]) : 400; left > 0; left--) village.RunFrame();
        Cell at = village.crowd.CellOf(village.player);
        Console.WriteLine($"{village.frame} frames: {village.walks} walks, {village.gathered} guards at the well, " +
            $"the player at {at.X},{at.Y}");
        village.crowd.Dispose();
        village.service.Dispose();
    }
}
