// SPDX-License-Identifier: MIT
use wend::{Map, Service};

fn main() -> wend::Result<()> {
    let map = Map::parse(b"type octile\nheight 3\nwidth 5\nmap\n.....\n.@@@.\n.....\n")?;
    let service = Service::new()?;
    service.submit(&map, (0, 0), (4, 2), |answer| {
        println!("{}, cost {}, {} cells", answer.status_name(), answer.cost, answer.cells.len());
    })?;
    while service.pending() > 0 {
        service.tick(1000)?;
    }
    Ok(())
}
