// SPDX-License-Identifier: MIT
//! A save game: 500 agents walk to a wall with two gates. One closes. All is saved, and what follows is played twice.
use std::cell::Cell as Slot;
use std::rc::Rc;
use wend::{request, Answer, Crowd, Done, Map, Result, Service, BLOCKED};

const WIDTH: i32 = 96; const HEIGHT: i32 = 64; const AGENTS: u32 = 500;
const CLOSES: u32 = 100; const SAVED: u32 = 150; const FRAMES: u32 = 300; const SCOUT: u64 = 7;

struct Game {
    map: Map, service: Service, crowd: Crowd, hash: Rc<Slot<u32>>,
}

fn put(hash: &Slot<u32>, value: i64) {
    hash.set((hash.get() ^ value as u32).wrapping_mul(16777619));
}

/// Closes cells of the wall on which nobody stands.
fn close_wall(map: &Map, first: i32, last: i32) -> Result<()> {
    map.edit(|edit| {
        (first..=last).try_for_each(|y| if map.occupants((48, y))? == 0 { edit.set((48, y), BLOCKED) } else { Ok(()) })
    })
}

impl Game {
    fn new() -> Result<Self> {
        let (map, service) = (Map::grid(WIDTH, HEIGHT)?, Service::new()?);
        close_wall(&map, 0, 11)?;
        close_wall(&map, 16, 47)?;
        close_wall(&map, 52, HEIGHT - 1)?;
        let crowd = Crowd::new(&service, &map, AGENTS, |_, _| ())?;
        for i in 0..AGENTS as i32 {
            let (x, y) = (i % 20 * 2, i / 20 * 2);
            crowd.go(&[crowd.add((x, y), 250, 0)?], (WIDTH - 1 - x, y))?;
        }
        Ok(Game { map, service, crowd, hash: Rc::default() })
    }

    fn take_answer(&self) -> Done {
        let hash = self.hash.clone();
        Box::new(move |answer: Answer| put(&hash, answer.cost))
    }

    fn run(&self, first: u32, last: u32) -> Result<u32> {
        self.hash.set(2166136261);
        for frame in first..last {
            if frame >= CLOSES { close_wall(&self.map, 12, 15)?; }
            self.service.tick(u64::MAX)?;
            self.crowd.update(1000)?;
            self.crowd.view(|view| view.points.iter().for_each(|point| {
                put(&self.hash, point.x.into());
                put(&self.hash, point.y.into());
            }))?;
        }
        Ok(self.hash.get())
    }
}

fn main() -> Result<()> {
    let game = Game::new()?;
    game.run(0, SAVED)?;
    let mut scout = request(&game.map, (0, 0), (WIDTH - 1, 0));
    scout.agent = SCOUT;
    game.service.submit_request(scout, game.take_answer())?;
    let saves = (game.map.save()?, game.service.save(&[&game.map])?, game.crowd.save()?);
    let before = game.run(SAVED, FRAMES)?;
    game.map.restore(&saves.0)?;
    // No function is in a save. The host knows its request again by the number that it gave it.
    game.service.restore(&saves.1, &[&game.map], |request| (request.agent == Some(SCOUT)).then(|| game.take_answer()))?;
    game.crowd.restore(&saves.2)?;
    let after = game.run(SAVED, FRAMES)?;
    println!("{AGENTS} agents, saved in frame {SAVED}: {before:08x}, and after a restore {after:08x}");
    Ok(())
}
