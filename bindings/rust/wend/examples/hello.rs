// SPDX-License-Identifier: MIT
use wend::{Map, Service};

fn main() -> wend::Result<()> {
    let map = Map::parse(b"type octile\nheight 3\nwidth 5\nmap\n.....\n.@@@.\n.....\n")?;
    let service = Service::new()?;
    service.submit(&map, (0, 0), (4, 2), |it| println!("{}, cost {}, {} cells", it.status_name(), it.cost, it.cells.len()))?;
    while service.pending() > 0 {
        service.tick(1000)?;
    }
    Ok(())
}
