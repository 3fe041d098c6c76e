// SPDX-License-Identifier: MIT
using System;
using Wend;

static class Hello
{
    static void Main()
    {
        var map = Map.Parse("type octile\nheight 3\nwidth 5\nmap\n.....\n.@@@.\n.....\n");
        var service = new Service();
        service.Submit(map, new Cell(0, 0), new Cell(4, 2), answer =>
            Console.WriteLine($"{answer.Status}, cost {answer.Cost}, {answer.Cells.Length} cells"));
        while (service.Pending > 0) service.Tick();
    }
}
