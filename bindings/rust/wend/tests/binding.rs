// SPDX-License-Identifier: MIT
//! What every binding is tested for. WEND_MAP names the map of the golden hashes.
use std::cell::{Cell as Slot, RefCell};
use std::collections::HashMap;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::rc::Rc;
use wend::{request, sys, Cell, Crowd, Error, Map, Service};

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

#[test]
fn golden_hashes() {
    let path = std::env::var("WEND_MAP").unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../data/caves512.map").into());
    let (map, service) = (Map::load(&path).unwrap(), Service::new().unwrap());
    map.accelerate().unwrap();
    assert_eq!(requests(&map, &service), 0x08a1e302);
    assert_eq!(walks(&map, &service), 0x1531deef);
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
