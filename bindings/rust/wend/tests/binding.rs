// SPDX-License-Identifier: MIT
//! What every binding is tested for. WEND_MAP names the map of the golden hashes.
use std::cell::{Cell as Slot, RefCell};
use std::collections::HashMap;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::rc::Rc;
use wend::{body, goal, request, sys, Agent, Arena, Cell, Crowd, Done, Edit, Error, Goal, Map, Result, Resumed, Service};

struct Golden {
    hash: u32,
    random: u32,
}

impl Golden {
    fn new() -> Rc<RefCell<Self>> {
        Rc::new(RefCell::new(Golden { hash: 2166136261, random: 1 }))
    }
    fn put(&mut self, value: u64) {
        self.hash = (self.hash ^ value as u32).wrapping_mul(16777619);
    }
    fn open_cell(&mut self, map: &Map) -> Cell {
        loop {
            self.random ^= self.random << 13;
            self.random ^= self.random >> 17;
            self.random ^= self.random << 5;
            let cell = Cell { x: (self.random % 512) as i32, y: ((self.random >> 16) % 512) as i32, z: 0 };
            if map.terrain(cell).unwrap() != wend::BLOCKED {
                return cell;
            }
        }
    }
}

fn requests(map: &Map, service: &Service) -> u32 {
    let golden = Golden::new();
    for i in 0..300 {
        let start = golden.borrow_mut().open_cell(map);
        let goal = golden.borrow_mut().open_cell(map);
        let mut what = request(map, start, goal);
        what.urgency = i % 7;
        let its = golden.clone();
        let put = move |answer: wend::Answer| {
            let mut g = its.borrow_mut();
            for one in [answer.number, answer.status as u64, answer.cost as u64, answer.expansions, answer.frames, answer.cells.len() as u64] {
                g.put(one);
            }
            for cell in answer.cells {
                g.put(cell.x as u64);
                g.put(cell.y as u64);
            }
        };
        service.submit_request(what, put).unwrap();
    }
    while service.pending() > 0 {
        service.tick(20000).unwrap();
    }
    let hash = golden.borrow().hash;
    hash
}

fn walks(map: &Map, service: &Service) -> u32 {
    let golden = Golden::new();
    let (its, its_map) = (golden.clone(), map.clone());
    let crowd = Crowd::new(service, map, 200, move |crowd, event| {
        let mut g = its.borrow_mut();
        for one in [event.event as u64, event.agent.index.into(), event.cell.x as u64, event.cell.y as u64, event.update] {
            g.put(one);
        }
        if event.ends_goal() && event.event != sys::WEND_AGENT_EVENT_REPLACED {
            let to = g.open_cell(&its_map);
            crowd.go(&[event.agent], to).unwrap();
        }
    })
    .unwrap();
    for _ in 0..200 {
        let agent = loop {
            let cell = golden.borrow_mut().open_cell(map);
            match crowd.add(cell, 1000, 0) {
                Err(Error { number: sys::WEND_BUSY, .. }) => continue,
                other => break other.unwrap(),
            }
        };
        let to = golden.borrow_mut().open_cell(map);
        crowd.go(&[agent], to).unwrap();
    }
    for _ in 0..200 {
        service.tick(20000).unwrap();
        crowd.update(1000).unwrap();
        crowd
            .view(|view| {
                let mut g = golden.borrow_mut();
                for (point, &state) in view.points.iter().zip(view.states) {
                    g.put(point.x as u64);
                    g.put(point.y as u64);
                    g.put(state.into());
                }
            })
            .unwrap();
    }
    let hash = golden.borrow().hash;
    hash
}

/// A group with bodies passes a gate and a danger; a guard goes round, a hound follows it, a hare flees.
fn group(service: &Service) -> Result<u32> {
    let (map, golden) = (Map::grid(48, 32)?, Golden::new());
    map.edit(|edit| edit.fill((24, 0), (24, 13), wend::BLOCKED).and(edit.fill((24, 18), (24, 31), wend::BLOCKED)))?;
    let danger = map.add_layer(50, 0)?;
    danger.add_disc((24, 12), 8, 200)?;
    let (profile, its) = (map.add_profile(&[(&danger, 16)])?, golden.clone());
    let crowd = Crowd::new(service, &map, 19, move |_, event| {
        [event.event as u64, event.agent.index.into(), event.update].iter().for_each(|&one| its.borrow_mut().put(one))
    })?;
    let mut walkers = Vec::new();
    for i in 0..16 {
        walkers.push(crowd.add((2 + i % 4 * 2, 8 + i / 4 * 4), 250, 0)?);
        if i % 2 == 1 {
            crowd.set_profile(&walkers[i as usize..], profile)?;
        }
        if i % 3 > 0 {
            crowd.set_body(walkers[i as usize], &body(300 + 10 * i as u32))?;
        }
    }
    crowd.go_with(&walkers, &Goal { formation: sys::WEND_AS_WEDGE, spacing: 2, ..goal((38, 16)) })?;
    let (guard, hound, hare) = (crowd.add((46, 1), 250, 0)?, crowd.add((44, 1), 250, 0)?, crowd.add((34, 15), 250, 0)?);
    crowd.patrol(guard, crowd.add_route(&[(46, 1), (46, 30), (30, 30), (30, 1)], sys::WEND_ROUTE_LOOP)?)?;
    crowd.follow(&[hound], guard, 2)?;
    crowd.flee(&[hare], guard, 8, true)?;
    for _ in 0..300 {
        map.layer_update(1)?;
        service.tick(20000)?;
        crowd.update(1000)?;
        crowd.view(|view| {
            let mut g = golden.borrow_mut();
            for i in 0..view.states.len() {
                let (point, velocity) = (view.points[i], view.velocities[i]);
                let moves = [velocity.x as u64, velocity.y as u64, view.radii[i].into()];
                [point.x as u64, point.y as u64, view.states[i].into()].iter().chain(&moves).for_each(|&one| g.put(one));
            }
        })?;
    }
    let hash = golden.borrow().hash;
    Ok(hash)
}

#[test]
fn golden_hashes() {
    let path = std::env::var("WEND_MAP").unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../data/caves512.map").into());
    let (map, service) = (Map::load(&path).unwrap(), Service::new().unwrap());
    map.accelerate().unwrap();
    assert_eq!(requests(&map, &service), 0x08a1e302);
    assert_eq!(walks(&map, &service), 0xb932dc31);
    assert_eq!(group(&service).unwrap(), 0x21b0b51b);
}

#[test]
fn errors_have_names_and_reasons() {
    for number in sys::WEND_EMPTY..=0 {
        assert!(Error { number, text: String::new() }.name().starts_with("WEND_"));
    }
    let problem = Map::grid(0, 5).err().unwrap();
    assert!(problem.name() == "WEND_BAD_ARGUMENT" && problem.text.contains("width"));
    let problem = Map::parse(b"type octile\nheight 1\nwidth 2\nmap\n.?\n").err().unwrap();
    assert!(problem.text.starts_with("map:5:2: "), "{problem}");
}

fn message(work: impl FnOnce()) -> Option<String> {
    let panic = catch_unwind(AssertUnwindSafe(work)).err()?;
    panic.downcast_ref::<&str>().map(|text| text.to_string())
}

#[test]
fn a_panic_comes_out_of_the_call() {
    let (map, service, called) = (Map::grid(8, 8).unwrap(), Service::new().unwrap(), Rc::new(Slot::new(0)));
    let count = called.clone();
    service.submit(&map, (0, 0), (7, 7), |_| panic!("mine")).unwrap();
    service.submit(&map, (0, 0), (7, 7), move |_| count.set(count.get() + 1)).unwrap();
    assert_eq!(message(|| service.tick(1000).unwrap()).as_deref(), Some("mine"));
    assert_eq!(called.get(), 1);
    service.tick(1000).unwrap();
    let crowd = Crowd::new(&service, &map, 1, |_, _| panic!("event")).unwrap();
    let agent = crowd.add((0, 0), 250, 0).unwrap();
    crowd.go(&[agent], (0, 0)).unwrap();
    let heard = (0..4).find_map(|_| {
        service.tick(1000).unwrap();
        message(|| crowd.update(1000).unwrap())
    });
    assert_eq!(heard.as_deref(), Some("event"));
    crowd.update(1000).unwrap();
}

#[test]
fn an_edit_that_fails_changes_nothing() {
    let map = Map::grid(8, 8).unwrap();
    assert!(map.edit(|edit| edit.set((1, 1), wend::BLOCKED).and(edit.set((9, 9), wend::BLOCKED))).is_err());
    assert_eq!(map.terrain((1, 1)).unwrap(), wend::OPEN);
}

#[test]
fn a_recording_has_a_script_for_the_map() {
    let (map, service, files) = (Map::grid(8, 8).unwrap(), Service::new().unwrap(), Rc::new(RefCell::new(HashMap::new())));
    let kept = files.clone();
    service
        .record(move |file, bytes| kept.borrow_mut().entry(file).or_insert_with(Vec::new).extend_from_slice(bytes))
        .unwrap();
    service.submit(&map, (0, 0), (7, 7), |_| ()).unwrap();
    service.tick(1000).unwrap();
    service.end_recording().unwrap();
    assert_eq!(files.borrow().len(), 2);
    assert!(String::from_utf8_lossy(&files.borrow()[&1]).contains("request"));
    let late = Rc::new(RefCell::new(Vec::new()));
    let into = late.clone();
    service.submit(&map, (0, 0), (7, 7), |_| ()).unwrap();
    service.record_from(&map, None, move |_, bytes| into.borrow_mut().extend_from_slice(bytes)).unwrap();
    service.tick(1000).unwrap();
    service.end_recording().unwrap();
    assert!(String::from_utf8_lossy(&late.borrow()).contains("state request 0 1\n"));
}

#[test]
fn pending_requests_are_freed_with_the_service() {
    let (map, service, called) = (Map::grid(8, 8).unwrap(), Service::new().unwrap(), Rc::new(Slot::new(0)));
    let count = called.clone();
    service.submit(&map, (0, 0), (7, 7), move |answer| count.set(answer.status)).unwrap();
    drop(service);
    assert_eq!(called.get(), sys::WEND_STATUS_CANCELLED);
    assert_eq!(Rc::strong_count(&called), 1);
}

#[test]
fn saves_bring_all_back() -> Result<()> {
    let (map, service, heard) = (Map::grid(8, 8)?, Service::new()?, Rc::new(RefCell::new(Vec::new())));
    let crowd = Crowd::new(&service, &map, 4, |_, _| ())?;
    let agent = crowd.add((0, 0), 250, 0)?;
    crowd.go(&[agent], (7, 0))?;
    let mut what = request(&map, (0, 0), (7, 7));
    what.agent = 1 << 40;
    let (first, second) = (heard.clone(), heard.clone());
    service.submit_request(what, move |answer| first.borrow_mut().push(answer.cost))?;
    service.submit(&map, (0, 0), (7, 7), move |_| second.borrow_mut().push(0))?;
    let saved = (map.save()?, service.save(&[&map])?, crowd.save()?);
    map.edit(|edit| edit.set((3, 3), wend::BLOCKED))?;
    crowd.remove(agent)?;
    let mut seen = Vec::new();
    map.restore(&saved.0)?;
    service.restore(&saved.1, &[&map], |request| {
        seen.push(request);
        let heard = heard.clone();
        request.agent.map(|_| Box::new(move |answer: wend::Answer| heard.borrow_mut().push(-answer.cost)) as Done)
    })?;
    crowd.restore(&saved.2)?;
    assert_eq!(Rc::strong_count(&heard), 2, "the functions of requests that are gone are freed");
    assert_eq!((map.terrain((3, 3))?, crowd.view(|view| view.states.len())?), (wend::OPEN, 1));
    service.tick(1 << 20)?;
    crowd.update(1000)?;
    assert_eq!(*heard.borrow(), [-98], "a restored request calls what resume() returned, and nothing else");
    let like = Resumed { agent: Some(1 << 40), start: (0, 0).into(), goal: (7, 7).into(), urgency: 0 };
    assert_eq!(seen, [like, Resumed { agent: None, ..like }]);
    assert!(crowd.view(|view| view.points[0].x)? > 0, "the agent walks on");
    let (new_map, new_service) = (Map::grid(8, 8)?, Service::new()?);
    let new_crowd = Crowd::new(&new_service, &new_map, 4, |_, _| ())?;
    new_map.restore(&saved.0)?;
    new_service.restore(&saved.1, &[&new_map], |_| {
        let heard = heard.clone();
        Some(Box::new(move |_| heard.borrow_mut().push(1)))
    })?;
    new_crowd.restore(&saved.2)?;
    new_service.tick(1 << 20)?;
    assert_eq!(*heard.borrow(), [-98, 1, 1], "new objects take a save");
    let mut broken = saved.1.clone();
    broken[saved.1.len() / 2] ^= 1;
    for bad in [new_service.restore(&broken, &[&new_map], |_| None), new_map.restore(&[]), new_crowd.restore(&[0; 99])] {
        assert_eq!(bad.unwrap_err().name(), "WEND_BAD_FORMAT");
    }
    let kept = heard.clone();
    new_service.submit(&new_map, (0, 0), (7, 7), move |_| kept.borrow_mut().push(2))?;
    assert!(new_service.restore(&broken, &[&new_map], |_| None).is_err());
    new_service.tick(1 << 20)?;
    assert_eq!(*heard.borrow(), [-98, 1, 1, 2], "after bytes that are refused the requests are as before");
    let panicked = message(|| new_service.restore(&saved.1, &[&new_map], |_| panic!("resume")).unwrap());
    assert_eq!(panicked.as_deref(), Some("resume"));
    new_service.tick(1 << 20)?;
    assert_eq!(Rc::strong_count(&heard), 1);
    Ok(())
}

fn in_arena(arena: &Arena, side: i32) -> Result<(Map, Service)> {
    let mut map_def: sys::wend_map_def = unsafe { std::mem::zeroed() };
    let mut service_def: sys::wend_service_def = unsafe { std::mem::zeroed() };
    unsafe {
        sys::wend_map_def_init(&mut map_def, std::mem::size_of::<sys::wend_map_def>());
        sys::wend_service_def_init(&mut service_def, std::mem::size_of::<sys::wend_service_def>());
    }
    (map_def.width, map_def.height) = (side, side);
    Ok((Map::create_in(arena, &map_def)?, Service::create_in(arena, &service_def)?))
}

/// Frames after a rewind are those after the mark, with budgets that cut searches.
#[test]
fn maps_come_from_files_and_arrays() -> Result<()> {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../data/");
    let file = |name: &str, default: &str| std::env::var(name).unwrap_or_else(|_| format!("{data}{default}"));
    let (tiled, large) = (file("WEND_TILED", "tutorial.tmj"), file("WEND_MAP", "caves512.map"));
    let arena = Arena::new(1, 0)?;
    if cfg!(feature = "extra") {
        for map in [Map::load(&tiled)?, Map::load_in(&arena, &tiled)?] {
            assert_eq!((map.start, map.goal), (Some((2, 2).into()), Some((17, 11).into())));
            assert_eq!((map.terrain((0, 0))?, map.terrain((12, 2))?, map.terrain((5, 3))?), (0, 5, 3));
        }
    } else {
        assert!(Map::load(&tiled).err().unwrap().text.contains("libwend-extra"));
    }
    refused("IO", Map::load("none.tmj"));
    assert_eq!(Map::load_in(&arena, &large)?.info()?.width, 512);
    let map = Map::parse_in(&arena, b"type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n")?;
    map.edit(|edit| edit.set_box((1, 0), (2, 1), &[5, 6, 7, 8]))?;
    let (_small, service) = in_arena(&arena, 8)?;
    arena.mark(0)?;
    map.edit(|edit| edit.set_box((0, 0), (0, 1), &[9, 9]))?;
    arena.rewind(0, |_| None)?;
    let all: Vec<u8> = (0..6).map(|i| map.terrain((i % 3, i / 3)).unwrap()).collect();
    assert_eq!((all, service.pending()), (vec![1, 5, 6, 1, 7, 8], 0));
    map.edit(|edit| {
        let (least, most) = (i32::MIN, i32::MAX);
        for bad in [edit.set_box((0, 0), (1, 1), &[1; 5]), edit.set_box((least, least, least), (most, most, most), &[1])] {
            refused("BAD_ARGUMENT", bad);
        }
        Ok(())
    })?;
    refused("OUT_OF_RANGE", map.edit(|edit| edit.set_box((2, 1), (3, 1), &[1, 1])));
    Ok(())
}

#[test]
fn marks_bring_frames_back() -> Result<()> {
    let arena = Arena::new(2, 0)?;
    let (map, service) = in_arena(&arena, 32)?;
    let crowd = Crowd::new(&service, &map, 8, |_, _| ())?;
    for y in 0..8 {
        crowd.go(&[crowd.add((0, y), 250, 0)?], (31, 31 - y))?;
    }
    let heard = Rc::new(RefCell::new(Vec::new()));
    let (kept, mut what) = (heard.clone(), request(&map, (0, 31), (31, 0)));
    what.agent = 7;
    service.submit_request(what, move |_| kept.borrow_mut().push(0))?;
    let play = || -> Result<Vec<(i32, i32)>> {
        let mut seen = Vec::new();
        for _ in 0..60 {
            service.tick(20)?;
            crowd.update(1000)?;
            crowd.view(|view| seen.extend(view.points.iter().map(|point| (point.x, point.y))))?;
        }
        Ok(seen)
    };
    arena.mark(0)?;
    let first = play()?;
    arena.mark(1)?;
    assert_eq!(*heard.borrow(), [0]);
    for turn in 1..4 {
        arena.rewind(0, |request| {
            let (kept, agent) = (heard.clone(), request.agent.unwrap());
            Some(Box::new(move |_| kept.borrow_mut().push(agent)))
        })?;
        assert!(play()? == first, "the same frames follow");
        assert_eq!((heard.borrow().len(), heard.borrow()[turn]), (turn + 1, 7), "the function of resume()");
        arena.rewind(1, |_| None)?;
        assert_eq!(service.pending(), 0);
    }
    assert_eq!(message(|| arena.rewind(0, |_| panic!("resume")).unwrap()).as_deref(), Some("resume"));
    assert_eq!(arena.rewind(5, |_| None).unwrap_err().name(), "WEND_OUT_OF_RANGE");
    drop((crowd, service, map));
    assert_eq!(arena.rewind(0, |_| None).unwrap_err().name(), "WEND_CLOSED");
    Ok(())
}

// ---- bodies, routes, layers, groups ----

fn frames(on: &Scene, count: usize) -> Result<()> {
    (0..count).try_for_each(|_| on.service.tick(5000).and_then(|()| on.crowd.update(1000)))
}

fn cell_of(crowd: &Crowd, agent: Agent) -> Cell {
    crowd.get_agent(agent).unwrap().cell.into()
}

#[track_caller]
fn refused<T>(name: &str, said: Result<T>) {
    assert_eq!(said.err().map_or("WEND_OK".into(), |problem| problem.name()), format!("WEND_{name}"));
}

#[test]
fn bodies_move_in_lines() -> Result<()> {
    let (heard, mut on) = (Rc::new(Slot::new(0)), scene());
    let told = heard.clone();
    on.crowd = Crowd::new(&on.service, &on.map, 4, move |crowd, event| {
        crowd.get_body(event.agent).map_or((), |state| told.set(state.at.x))
    })?;
    let crowd = on.crowd.clone();
    let (first, second, third) = (crowd.add((0, 0), 250, 0)?, crowd.add((0, 5), 250, 0)?, crowd.add((5, 7), 250, 0)?);
    let mut def = body(300);
    def.accel_milli = 125;
    def.struct_bytes = u32::MAX; // it has its own
    crowd.set_body(first, &def)?;
    crowd.set_body(second, &body(400))?;
    crowd.go(&[first], (7, 4))?;
    frames(&on, 10)?;
    let state = crowd.get_body(first)?;
    crowd.view(|view| {
        crowd.update(0).unwrap(); // the arrays are copies
        assert_eq!((view.points.len(), view.radii), (3, [300, 400, 0].as_slice()));
        assert_eq!((view.points[0].x, view.points[0].y), (state.at.x, state.at.y));
        assert_eq!(view.velocities[0].x, state.velocity.x);
    })?;
    assert!(state.velocity.x > 0 && state.velocity.y > 0, "it goes straight, not by steps");
    assert!(state.state == sys::WEND_BODY_GOES && state.facing.x > 0 && state.speed_milli > 0 && state.radius_milli == 300);
    let place = || crowd.view(|view| view.points.iter().map(|point| (point.x, point.y)).collect::<Vec<_>>());
    let saved = (on.map.save()?, on.service.save(&[&on.map])?, crowd.save()?);
    frames(&on, 20)?;
    let there = place()?;
    on.map.restore(&saved.0)?;
    on.service.restore(&saved.1, &[&on.map], |_| None)?;
    crowd.restore(&saved.2)?;
    assert_ne!(place()?, there);
    frames(&on, 20)?;
    assert_eq!(place()?, there, "a restore brings bodies back");
    frames(&on, 60)?;
    assert_eq!((crowd.get_body(first)?.at.x, heard.get()), (7000, 7000), "a body arrives, and its event is heard");
    crowd.place_body(second, (3006, 5000), (60, 0))?;
    assert_eq!((crowd.get_body(second)?.at.x, cell_of(&crowd, second)), (3006, (3, 5).into()));
    let before = place()?[2];
    crowd.go(&[second, third], (0, 0))?;
    frames(&on, 1)?;
    crowd.view(|view| assert_eq!((view.points[2].x - view.velocities[2].x, view.points[2].y - view.velocities[2].y), before))?;
    frames(&on, 4)?;
    crowd.halt(&[second, third])?;
    frames(&on, 20)?;
    assert_eq!(crowd.get_body(second)?.speed_milli, 0, "a halted body stands");
    crowd.remove_body(second)?;
    refused("STALE_TICKET", crowd.get_body(second));
    refused("BAD_ARGUMENT", crowd.set_body(second, &body(500)));
    refused("IN_USE", crowd.set_body(first, &body(400)));
    refused("BAD_ARGUMENT", crowd.place_body(first, (0, 0), (10000, 0)));
    refused("OUT_OF_RANGE", crowd.place_body(first, (i32::MIN, 0), (0, 0)));
    Ok(())
}

/// Positions after a rewind are those after the mark.
#[test]
fn marks_bring_bodies_back() -> Result<()> {
    let arena = Arena::new(2, 0)?;
    let (map, service) = in_arena(&arena, 8)?;
    let on = Scene { crowd: Crowd::new(&service, &map, 4, |_, _| ())?, map, service };
    let agent = on.crowd.add((0, 0), 250, 0)?;
    arena.mark(0)?;
    on.crowd.set_body(agent, &body(400))?; // the first one takes memory, which goes back with the mark
    on.crowd.go(&[agent], (7, 3))?;
    arena.mark(1)?;
    frames(&on, 12)?;
    let there = on.crowd.get_body(agent)?.at;
    assert!(there.x > 0);
    arena.rewind(0, |_| None)?;
    refused("STALE_TICKET", on.crowd.get_body(agent));
    arena.rewind(1, |_| None)?;
    frames(&on, 12)?;
    assert_eq!((on.crowd.get_body(agent)?.at.x, on.crowd.get_body(agent)?.at.y), (there.x, there.y));
    Ok(())
}

#[test]
fn routes_lead() -> Result<()> {
    let on = scene();
    let agent = on.crowd.add((0, 0), 250, 0)?;
    let once = on.crowd.add_route(&[(5, 0), (0, 5)], sys::WEND_ROUTE_ONCE)?;
    let round = on.crowd.add_route(&[Cell { x: 0, y: 0, z: 0 }, Cell { x: 6, y: 0, z: 0 }], sys::WEND_ROUTE_LOOP)?;
    assert_eq!((once, round), (0, 1));
    on.crowd.patrol(agent, once)?;
    frames(&on, 80)?;
    assert_eq!(cell_of(&on.crowd, agent), (0, 5).into(), "a route is walked to its end");
    on.crowd.patrol(agent, round)?;
    let mut ends = Vec::new();
    for _ in 0..300 {
        frames(&on, 1)?;
        let x = cell_of(&on.crowd, agent).x;
        if (x == 0 || x == 6) && ends.last() != Some(&x) {
            ends.push(x);
        }
    }
    assert!(ends.len() > 6 && on.crowd.get_agent(agent)?.route == round as i32, "an agent patrols for ever");
    refused("BAD_ARGUMENT", on.crowd.patrol(agent, 9));
    refused("BAD_ARGUMENT", on.crowd.add_route(&[] as &[Cell], 0));
    refused("BAD_ARGUMENT", on.crowd.add_route(&[(0, 0)], 9));
    refused("OUT_OF_RANGE", on.crowd.add_route(&[(99, 0)], 0));
    Ok(())
}

#[test]
fn layers_cost() -> Result<()> {
    let on = scene();
    let (danger, walls, middle) = (on.map.add_layer(2, 0)?, on.map.add_layer(0, 3)?, Cell::from((3, 0)));
    danger.add_disc(middle, 1, 200)?;
    assert_eq!((danger.get(middle)?, danger.get((3, 1))?, walls.get((0, 0))?), (200, 150, 255));
    danger.set_box((4, 5), (5, 7), &[1, 2, 3, 4, 5, 6])?;
    assert_eq!((danger.get_box((4, 5), (5, 7))?, danger.get((5, 6))?), (vec![1, 2, 3, 4, 5, 6], 4));
    let profile = on.map.add_profile(&[(&danger, 1600), (&walls, 1)])?;
    let read: Vec<_> = on.map.get_profile(profile)?.iter().map(|(layer, weight)| (layer.number(), *weight)).collect();
    assert_eq!((profile, read), (1, vec![(0, 1600), (1, 1)]));
    let (info, of_walls) = (danger.info()?, walls.info()?);
    assert_eq!((info.half_life, info.layers, of_walls.within), (2, 2, 3));
    let through = Rc::new(RefCell::new(Vec::new()));
    for minds in [0, profile] {
        let (kept, mut what) = (through.clone(), request(&on.map, (0, 0), (7, 0)));
        what.profile = minds;
        on.service.submit_request(what, move |answer| kept.borrow_mut().push(answer.cells.contains(&middle)))?;
    }
    on.service.tick(1 << 20)?;
    assert_eq!(*through.borrow(), [true, false], "a request with the profile goes round");
    let shy = on.crowd.add((0, 0), 250, 0)?;
    on.crowd.set_profile(&[shy], profile)?;
    on.crowd.go(&[shy], (7, 0))?;
    frames(&on, 3)?;
    let path = on.crowd.get_path(shy)?;
    assert!(path.len() > 1 && path[0] == cell_of(&on.crowd, shy) && !path.contains(&middle), "agents mind it");
    assert_eq!(on.crowd.get_agent(shy)?.profile, profile);
    let saved = on.map.save()?;
    on.map.layer_update(4)?;
    assert_eq!((danger.get(middle)?, danger.info()?.updates), (50, 4), "values fade");
    let other = Map::grid(8, 8)?;
    other.restore(&saved)?;
    let restored = other.get_layer(0)?;
    refused("BAD_ARGUMENT", other.get_layer(9));
    refused("BAD_ARGUMENT", other.add_profile(&[(&danger, 1)]));
    refused("BAD_ARGUMENT", other.add_profile(&[]));
    refused("BAD_ARGUMENT", other.add_profile(&[(&restored, 0)]));
    drop(other);
    assert_eq!(restored.get(middle)?, 200, "a layer holds its map");
    refused("BAD_ARGUMENT", on.map.get_profile(9));
    refused("BAD_ARGUMENT", on.map.add_layer(0, 99));
    refused("BAD_ARGUMENT", danger.add_disc(middle, 1, 256));
    refused("BAD_ARGUMENT", walls.set_box((0, 0), (0, 0), &[1]));
    refused("BAD_ARGUMENT", danger.set_box((4, 5), (5, 7), &[1; 5]));
    refused("BAD_ARGUMENT", danger.get_box((5, 7), (4, 5)));
    refused("OUT_OF_RANGE", danger.get_box((0, 0), (i32::MAX, i32::MAX, i32::MAX)));
    refused("BAD_ARGUMENT", on.crowd.set_profile(&[shy], 9));
    let mut what = request(&on.map, (0, 0), (7, 0));
    what.profile = 9;
    refused("BAD_ARGUMENT", on.service.submit_request(what, |_| ()));
    Ok(())
}

#[test]
fn groups_go() -> Result<()> {
    let why = Rc::new(Slot::new(0));
    let (told, mut on) = (why.clone(), scene());
    on.crowd = Crowd::new(&on.service, &on.map, 8, move |_, event| told.set(event.why))?;
    let crowd = &on.crowd;
    let [a, b, c] = [crowd.add((0, 0), 250, 0)?, crowd.add((1, 1), 250, 0)?, crowd.add((2, 2), 250, 0)?];
    let column = Goal { formation: sys::WEND_AS_COLUMN, spacing: 2, pace: true, struct_bytes: u32::MAX, ..goal((4, 4)) };
    crowd.go_with(&[a, b, c], &column)?;
    assert!(crowd.get_goal(a)?.unwrap().pace);
    frames(&on, 80)?;
    let mut cells = [a, b, c].map(|one| (cell_of(crowd, one).x, cell_of(crowd, one).y));
    cells.sort();
    assert_eq!(cells, [(0, 0), (2, 2), (4, 4)], "a column with gaps");
    crowd.go(&[a], (7, 7))?;
    assert_eq!(Cell::from(crowd.get_goal(a)?.unwrap().cell), (7, 7).into());
    crowd.halt(&[a])?;
    assert!(crowd.get_goal(a)?.is_none(), "a halt ends it");
    frames(&on, 8)?;
    let leader = crowd.add((7, 7), 250, 0)?;
    let apart = |one: Agent| {
        let (from, to) = (cell_of(crowd, one), cell_of(crowd, leader));
        (from.x - to.x).abs().max((from.y - to.y).abs())
    };
    crowd.follow(&[a, b, c], leader, 2)?;
    frames(&on, 60)?;
    assert!([a, b, c].iter().all(|&one| apart(one) <= 2), "three follow");
    crowd.flee(&[a, b, c], leader, 5, true)?;
    frames(&on, 60)?;
    assert!([a, b, c].iter().all(|&one| apart(one) >= 5) && crowd.get_goal(c)?.unwrap().keep, "three flee");
    crowd.remove(leader)?;
    frames(&on, 2)?;
    assert_eq!(why.get(), sys::WEND_WHY_GONE);
    crowd.move_to(a, (7, 0))?;
    crowd.set_speed(a, 1000)?;
    crowd.set_urgency(a, 7)?;
    let state = crowd.get_agent(a)?;
    assert_eq!((state.cell.x, state.speed_milli, state.urgency), (7, 1000, 7));
    on.map.edit(|edit| edit.fill((0, 1), (7, 1), wend::BLOCKED))?; // a corridor above
    crowd.move_to(b, (4, 0))?;
    for (others, stands) in [([b, c].as_slice(), 5), (&[], 4)] {
        crowd.wait_for(a, others)?;
        crowd.go(&[a], (3, 0))?;
        frames(&on, 60)?;
        assert_eq!(cell_of(crowd, a).x, stands, "an agent waits for another one, or pushes it");
    }
    let corner = cell_of(crowd, c);
    let beyond = Cell { x: corner.x + 1, y: corner.y + 1, z: 0 };
    assert!(crowd.get_stats()?.agents == 3 && !crowd.is_clear(corner, beyond)?);
    crowd.clear_box(corner, beyond)?;
    frames(&on, 20)?;
    let cleared = crowd.get_stats()?.event_counts[sys::WEND_AGENT_EVENT_CLEAR as usize];
    assert!(crowd.is_clear(corner, beyond)? && cleared == 1, "an agent leaves a box");
    crowd.release_box(corner, beyond)?;
    refused("EMPTY", crowd.release_box(corner, beyond));
    refused("BAD_ARGUMENT", crowd.clear_box(beyond, corner));
    refused("OUT_OF_RANGE", crowd.is_clear(corner, (99, 9)));
    refused("BAD_ARGUMENT", crowd.wait_for(a, &[a]));
    refused("BAD_ARGUMENT", crowd.go_with(&[a, b], &Goal { formation: 9, ..goal((0, 0)) }));
    refused("BAD_ARGUMENT", crowd.follow(&[a, b], b, 1));
    refused("BAD_ARGUMENT", crowd.flee(&[a], b, 0, false));
    refused("STALE_TICKET", crowd.follow(&[a], leader, 1));
    refused("STALE_TICKET", crowd.halt(&[leader]));
    refused("STALE_TICKET", crowd.get_goal(leader));
    refused("STALE_TICKET", crowd.get_path(leader));
    refused("BLOCKED", crowd.move_to(a, (5, 1)));
    refused("BAD_ARGUMENT", crowd.set_speed(a, 0));
    refused("BAD_ARGUMENT", crowd.set_urgency(a, 1001));
    refused("BAD_ARGUMENT", crowd.set_mover(&[a], 9));
    Ok(())
}

// ---- misuse: each line of the table is a case, its error, and the languages in which it cannot be written ----

struct Scene {
    map: Map,
    service: Service,
    crowd: Crowd,
}

fn scene() -> Scene {
    let (map, service) = (Map::grid(8, 8).unwrap(), Service::new().unwrap());
    let crowd = Crowd::new(&service, &map, 4, |_, _| ()).unwrap();
    Scene { map, service, crowd }
}

fn edit_dropped(on: &Scene) -> Result<()> {
    assert_eq!(message(|| on.map.edit(|edit| edit.set((1, 1), 0).map(|_| panic!("dropped"))).unwrap()).as_deref(), Some("dropped"));
    on.map.edit(|edit| edit.set((2, 2), 0))?;
    assert_eq!((on.map.terrain((1, 1))?, on.map.terrain((2, 2))?), (1, 0));
    Ok(())
}

fn record_twice(on: &Scene) -> Result<()> {
    let (service, first) = (Service::new()?, Rc::new(RefCell::new(Vec::new())));
    let kept = first.clone();
    service.record(move |_, bytes| kept.borrow_mut().extend_from_slice(bytes))?;
    let second = service.record(|_, _| panic!("the second"));
    service.submit(&on.map, (0, 0), (7, 7), |_| ())?;
    service.tick(1000)?;
    service.end_recording()?;
    assert!(String::from_utf8_lossy(&first.borrow()).contains("request"), "the first recording goes on");
    second
}

fn positions_after_the_crowd(on: &Scene) -> Result<()> {
    let agent = on.crowd.add((3, 4), 250, 0)?;
    on.crowd.view(|view| {
        on.crowd.remove(agent).unwrap();
        on.crowd.add((1, 1), 250, 0).unwrap();
        assert_eq!((view.points[0].x, view.points[0].y, view.states.len()), (3000, 4000, 1));
    })
}

fn crowd_outlives_its_service(on: &Scene) -> Result<()> {
    let service = Service::new()?;
    let crowd = Crowd::new(&service, &on.map, 4, |_, _| ())?;
    crowd.go(&[crowd.add((0, 0), 250, 0)?], (7, 7))?;
    drop(service);
    crowd.update(1000)
}

fn tick_in_a_callback(on: &Scene) -> Result<()> {
    let (service, said) = (on.service.clone(), Rc::new(RefCell::new(Ok(()))));
    let kept = said.clone();
    on.service.submit(&on.map, (0, 0), (7, 7), move |_| *kept.borrow_mut() = service.tick(1000))?;
    on.service.tick(1000)?;
    said.replace(Ok(()))
}

fn restore_of_another_kind(on: &Scene) -> Result<()> {
    let (map, service, crowd) = (on.map.save()?, on.service.save(&[])?, on.crowd.save()?);
    assert!(on.map.restore(&service).is_err() && on.crowd.restore(&map).is_err());
    on.service.restore(&crowd, &[], |_| None)
}

fn save_without_its_map(on: &Scene) -> Result<()> {
    on.service.submit(&on.map, (0, 0), (1, 1), |_| ())?;
    on.service.save(&[&Map::grid(8, 8)?]).map(|_| ())
}

fn restore_in_a_callback(on: &Scene) -> Result<()> {
    let (service, said, saved) = (on.service.clone(), Rc::new(RefCell::new(Ok(()))), on.service.save(&[])?);
    let kept = said.clone();
    on.service.submit(&on.map, (0, 0), (7, 7), move |_| *kept.borrow_mut() = service.restore(&saved, &[], |_| None))?;
    on.service.tick(1000)?;
    said.replace(Ok(()))
}

fn agent_removed(on: &Scene) -> Result<()> {
    let agent: Agent = on.crowd.add((0, 0), 250, 0)?;
    on.crowd.remove(agent)?;
    on.crowd.go(&[agent], (1, 1))
}

fn agent_on_an_agent(on: &Scene) -> Result<()> {
    on.crowd.add((0, 0), 250, 0)?;
    on.crowd.add((0, 0), 250, 0).map(|_| ())
}

fn agent_on_a_wall(on: &Scene) -> Result<()> {
    on.map.edit(|edit| edit.set((0, 0), wend::BLOCKED))?;
    on.crowd.add((0, 0), 250, 0).map(|_| ())
}

fn update_in_an_event(on: &Scene) -> Result<()> {
    let said = Rc::new(RefCell::new(Ok(())));
    let kept = said.clone();
    let crowd = Crowd::new(&on.service, &on.map, 4, move |crowd, _| *kept.borrow_mut() = crowd.update(1000))?;
    crowd.go(&[crowd.add((0, 0), 250, 0)?], (0, 0))?;
    for _ in 0..4 {
        on.service.tick(1000)?;
        crowd.update(1000)?;
    }
    said.replace(Ok(()))
}

fn urgency_out_of_range(on: &Scene) -> Result<()> {
    let mut what = request(&on.map, (0, 0), (1, 1));
    what.urgency = 1001;
    what.map = std::ptr::null_mut(); // it holds its own
    on.service.submit_request(what, |_| ()).map(|_| ())
}

#[test]
fn what_has_no_method_is_called_by_its_name_in_c() {
    let on = scene();
    let agent = on.crowd.add((0, 0), 250, 0).unwrap();
    let mut mover = 9;
    unsafe {
        let mut def = std::mem::zeroed::<sys::wend_mover>();
        sys::wend_mover_init(&mut def, std::mem::size_of_val(&def));
        def.size = 2;
        wend::check(sys::wend_map_add_mover(on.map.as_ptr(), &def, &mut mover)).unwrap();
        def.size = 0;
        assert!(wend::check(sys::wend_map_add_mover(on.map.as_ptr(), &def, &mut mover)).is_err());
    }
    on.crowd.set_mover(&[agent], mover).unwrap();
    let state = on.crowd.get_agent(agent).unwrap();
    assert_eq!((state.mover, on.map.occupants((1, 1)).unwrap()), (1, 1), "a mover of four cells");
    let heard = Rc::new(Slot::new(0));
    let told = heard.clone();
    let ticket = on.service.submit(&on.map, (0, 0), (7, 7), move |answer| told.set(answer.status)).unwrap();
    on.service.set_urgency(ticket, 5).unwrap();
    on.service.cancel(ticket).unwrap();
    on.service.tick(5000).unwrap();
    assert_eq!(heard.get(), sys::WEND_STATUS_CANCELLED);
    assert_eq!(on.service.cancel(ticket).unwrap_err().name(), "WEND_STALE_TICKET");
}

#[test]
fn misuse_gets_an_error_by_name() {
    let none = |_: &Edit| Ok(());
    let cases: HashMap<&str, Box<dyn Fn(&Scene) -> Result<()>>> = HashMap::from([
        ("edit_dropped", Box::new(edit_dropped) as Box<dyn Fn(&Scene) -> Result<()>>),
        ("object_after_a_mark", Box::new(|_| {
            let arena = Arena::new(1, 0)?;
            let _kept = in_arena(&arena, 8)?;
            arena.mark(0)?;
            refused("IN_USE", Map::parse_in(&arena, b"type octile\nheight 1\nwidth 1\nmap\n.\n"));
            in_arena(&arena, 8).map(|_| ())
        })),
        ("box_of_another_size", Box::new(|on| on.map.edit(|edit| edit.set_box((0, 0), (1, 1), &[1; 3])))),
        ("crowd_across_arenas", Box::new(|on| {
            Crowd::new(&in_arena(&Arena::new(1, 0)?, 8)?.1, &on.map, 4, |_, _| ()).map(|_| ())
        })),
        ("edit_in_an_edit", Box::new(move |on| on.map.edit(|_| on.map.edit(none)))),
        ("crowd_outlives_its_service", Box::new(crowd_outlives_its_service)),
        ("positions_after_the_crowd", Box::new(positions_after_the_crowd)),
        ("record_twice", Box::new(record_twice)),
        ("cell_off_the_map", Box::new(|on| on.map.terrain((99, 0)).map(|_| ()))),
        ("urgency_out_of_range", Box::new(urgency_out_of_range)),
        ("agent_removed", Box::new(agent_removed)),
        ("agent_on_an_agent", Box::new(agent_on_an_agent)),
        ("agent_on_a_wall", Box::new(agent_on_a_wall)),
        ("goal_off_the_map", Box::new(|on| on.crowd.go(&[on.crowd.add((0, 0), 250, 0)?], (99, 0)))),
        ("update_in_an_event", Box::new(update_in_an_event)),
        ("path_with_a_zero", Box::new(|_| Map::load("data\0").map(|_| ()))),
        ("restore_of_another_kind", Box::new(restore_of_another_kind)),
        ("save_without_its_map", Box::new(save_without_its_map)),
        ("restore_in_a_callback", Box::new(restore_in_a_callback)),
        ("tick_in_a_callback", Box::new(tick_in_a_callback)),
    ]);
    let path = std::env::var("WEND_MISUSE").unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/bindings/misuse.txt").into());
    for line in std::fs::read_to_string(path).unwrap().lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (ruled_out, case) = (words[2..].contains(&"rust"), cases.get(words[0]));
        assert_ne!(ruled_out, case.is_some(), "{} is in the table or here", words[0]);
        let wanted = match words[1] {
            "fine" => "WEND_OK".to_string(),
            "path" => "WEND_IO".to_string(),
            other => format!("WEND_{other}"),
        };
        let said = case.map(|call| call(&scene()).err().map_or("WEND_OK".into(), |problem| problem.name()));
        assert_eq!(said.unwrap_or(wanted.clone()), wanted, "{line}");
    }
}
