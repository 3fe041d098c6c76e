// SPDX-License-Identifier: MIT
//! A village at 20 Hz: people wander about, doors open and close, the guards gather at the well when the bell rings, and
//! a player walks along the street, step by step. village [FRAMES]
use std::cell::RefCell;
use std::rc::Rc;
use wend::{sys, Agent, Cell, Crowd, Event, Map, Result, Service, BLOCKED, OPEN};

const WIDTH: i32 = 64; const HEIGHT: i32 = 40; const HOUSES: i32 = 12;
const GUARDS: u32 = 12; const VILLAGERS: u32 = 60; const BELL: u32 = 200;

/// What events change.
#[derive(Default)]
struct State {
    seed: u64, frame: u32, walks: u32, gathered: u32,
    player: Option<Agent>, guards: Vec<Agent>,
}

struct Village {
    map: Map, service: Service, crowd: Crowd, doors: Vec<(Cell, bool)>,
    state: Rc<RefCell<State>>, random: u32,
}

fn wander(crowd: &Crowd, map: &Map, state: &mut State, agent: Agent, from: Cell) {
    state.seed += 1;
    let to = map.random_cell(from, state.seed).expect("somewhere to go");
    crowd.go(&[agent], to).expect("an agent goes");
}

fn hear(crowd: &Crowd, map: &Map, state: &mut State, event: Event) {
    let guard = state.guards.contains(&event.agent);
    let arrived = event.event == sys::WEND_AGENT_EVENT_ARRIVED;
    state.walks += u32::from(arrived);
    state.gathered += u32::from(arrived && guard && state.frame > BELL);
    let free = Some(event.agent) != state.player && (!guard || state.frame < BELL);
    if free && event.ends_goal() && event.event != sys::WEND_AGENT_EVENT_REPLACED {
        wander(crowd, map, state, event.agent, event.cell);
    }
}

impl Village {
    fn new() -> Result<Self> {
        let (map, service, state) = (Map::grid(WIDTH, HEIGHT)?, Service::new()?, Rc::new(RefCell::new(State::default())));
        let mut doors = Vec::new();
        map.edit(|edit| {
            for i in 0..HOUSES {
                let (left, top) = (3 + i % 4 * 15, 3 + i / 4 * 12);
                edit.fill((left, top), (left + 10, top + 7), BLOCKED)?;
                edit.fill((left + 1, top + 1), (left + 9, top + 6), OPEN)?;
                edit.set((left + 5, top + 7), OPEN)?;
                doors.push(((left + 5, top + 7).into(), true));
            }
            Ok(())
        })?;
        map.accelerate()?;
        let (its_map, its_state) = (map.clone(), state.clone());
        let hears = move |crowd: &Crowd, event: Event| hear(crowd, &its_map, &mut its_state.borrow_mut(), event);
        let crowd = Crowd::new(&service, &map, GUARDS + VILLAGERS + 1, hears)?;
        let mut made = Village { map, service, crowd, doors, state, random: 7 };
        made.state.borrow_mut().player = Some(made.crowd.add((1, HEIGHT - 2), 1000, 0)?);
        let guards = (0..GUARDS).map(|_| made.settle(10)).collect::<Result<_>>()?;
        made.state.borrow_mut().guards = guards;
        (0..VILLAGERS).try_for_each(|_| made.settle(0).map(|_| ()))?;
        Ok(made)
    }

    fn dice(&mut self, sides: i32) -> i32 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 17;
        self.random ^= self.random << 5;
        (self.random % sides as u32) as i32
    }

    /// Somewhere: where a wall or somebody is, elsewhere.
    fn settle(&mut self, urgency: i32) -> Result<Agent> {
        let speed = 200 + self.dice(100) as u32;
        let mut cell = Cell { x: self.dice(WIDTH), y: self.dice(HEIGHT), z: 0 };
        while self.map.terrain(cell)? == BLOCKED || self.map.occupants(cell)? > 0 {
            cell = Cell { x: self.dice(WIDTH), y: self.dice(HEIGHT), z: 0 };
        }
        let agent = self.crowd.add(cell, speed, urgency)?;
        wander(&self.crowd, &self.map, &mut self.state.borrow_mut(), agent, cell);
        Ok(agent)
    }

    /// None closes on somebody.
    fn move_a_door(&mut self) -> Result<()> {
        let at = self.dice(HOUSES) as usize;
        let (cell, open) = self.doors[at];
        if self.map.occupants(cell)? > 0 || (open && self.dice(4) > 0) {
            return Ok(());
        }
        self.doors[at].1 = !open;
        self.map.edit(|edit| edit.set(cell, if open { BLOCKED } else { OPEN }))
    }

    fn players_cell(&self) -> Result<Cell> {
        let index = self.state.borrow().player.map_or(0, |player| player.index as usize);
        self.crowd.view(|view| view.cells[index].into())
    }

    fn run_frame(&mut self, frame: u32) -> Result<()> {
        self.state.borrow_mut().frame = frame;
        if frame % 10 == 0 { self.move_a_door()?; }
        if frame == BELL { self.crowd.go(&self.state.borrow().guards, (WIDTH / 2 - 1, HEIGHT - 2))?; }
        let (at, player) = (self.players_cell()?, self.state.borrow().player);
        if let Some(player) = player.filter(|_| frame % 5 == 0 && at.x < WIDTH - 2) {
            self.crowd.step(player, (at.x + 1, at.y))?;
        }
        self.service.tick(5000)?;
        self.crowd.update(1000)
    }
}

fn main() -> Result<()> {
    let (mut village, frames) = (Village::new()?, std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(400));
    (1..=frames).try_for_each(|frame| village.run_frame(frame))?;
    let (state, at) = (village.state.borrow(), village.players_cell()?);
    println!("{} frames: {} walks, {} guards at the well, the player at {},{}", state.frame, state.walks, state.gathered, at.x, at.y);
    Ok(())
}
