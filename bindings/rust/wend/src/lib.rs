// SPDX-License-Identifier: MIT
//! Paths for many agents inside a frame's budget.
//!
//! A [`Service`] searches the paths that were asked for a bounded number of expansions a frame; a [`Crowd`] is agents
//! that walk on it. Both belong to one thread. A panic in a callback does not pass through the library: the other
//! callbacks of the frame are called, and `tick` or `update` goes on with it then.
#![allow(unused_unsafe)] // rustc before 1.65 wants none inside unsafe functions
use std::any::Any;
use std::cell::{Cell as Slot, RefCell};
use std::collections::HashSet;
use std::ffi::{CStr, CString};
use std::mem::{size_of, zeroed};
use std::ops::{Deref, DerefMut};
use std::os::raw::c_void;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::ptr::{null, null_mut};
use std::rc::{Rc, Weak};
use std::{fmt, slice};

pub use wend_sys as sys;

pub const BLOCKED: u8 = sys::WEND_CLASS_BLOCKED as u8;
pub const OPEN: u8 = sys::WEND_CLASS_OPEN as u8;

/// An error of the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub number: i32,
    /// What was wrong: which argument, its value, its range.
    pub text: String,
}

impl Error {
    fn new(number: i32) -> Self {
        Error { number, text: text(unsafe { sys::wend_error_detail(number) }) }
    }
    /// `"WEND_BUSY"` for one.
    pub fn name(&self) -> String {
        text(unsafe { sys::wend_error_name(self.number) })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{}: {}", self.name(), self.text)
    }
}

impl std::error::Error for Error {}

pub type Result<T> = std::result::Result<T, Error>;

fn text(at: *const std::os::raw::c_char) -> String {
    unsafe { CStr::from_ptr(at) }.to_string_lossy().into_owned()
}

/// What a function of [`sys`] returned, as a result.
pub fn check(number: i32) -> Result<()> {
    if number == 0 { Ok(()) } else { Err(Error::new(number)) }
}

/// A cell; `(x, y)` and `(x, y, z)` become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    pub x: i32,
    pub y: i32,
    pub z: i32,
}

impl From<(i32, i32)> for Cell {
    fn from((x, y): (i32, i32)) -> Self {
        Cell { x, y, z: 0 }
    }
}

impl From<(i32, i32, i32)> for Cell {
    fn from((x, y, z): (i32, i32, i32)) -> Self {
        Cell { x, y, z }
    }
}

impl From<sys::wend_cell> for Cell {
    fn from(cell: sys::wend_cell) -> Self {
        Cell { x: cell.x, y: cell.y, z: cell.z }
    }
}

fn raw(cell: impl Into<Cell>) -> sys::wend_cell {
    let Cell { x, y, z } = cell.into();
    sys::wend_cell { x, y, z }
}

fn raw_box(min: impl Into<Cell>, max: impl Into<Cell>) -> sys::wend_box {
    sys::wend_box { min: raw(min), max: raw(max) }
}

/// A struct of the library with its defaults. All bytes zero are a value of each of them.
macro_rules! defaults {
    ($type:ident, $init:ident) => {{
        let mut made: sys::$type = unsafe { zeroed() };
        unsafe { sys::$init(&mut made, size_of::<sys::$type>()) };
        made
    }};
}
macro_rules! sized {
    ($type:ident) => {{
        let mut made: sys::$type = unsafe { zeroed() };
        made.struct_bytes = size_of::<sys::$type>() as u32;
        made
    }};
}

/// The struct that `call(out)` writes; its own size is in it.
macro_rules! filled {
    ($type:ident, $call:expr) => {{
        let mut made = sized!($type);
        check(unsafe { $call(&mut made) })?;
        Ok(made)
    }};
}

/// What `call(buffer, capacity, bytes)` saves.
fn save(call: impl Fn(*mut c_void, usize, *mut usize) -> i32) -> Result<Vec<u8>> {
    let mut size = 0;
    let counted = call(null_mut(), 0, &mut size);
    if counted != sys::WEND_OUT_OF_MEMORY {
        check(counted)?;
    }
    let mut out = vec![0; size];
    check(call(out.as_mut_ptr().cast(), out.len(), &mut size))?;
    Ok(out)
}

// ---- arenas ----

struct ArenaInner {
    at: *mut sys::wend_arena,
    marked: Slot<bool>,
    services: RefCell<Vec<Weak<ServiceInner>>>,
}

impl Drop for ArenaInner {
    fn drop(&mut self) {
        unsafe { sys::wend_arena_destroy(self.at) };
    }
}

/// Memory whose maps, services and crowds go back to earlier frames, exactly, with unfinished searches: those that are
/// made in it before its first mark. They have a share in it: it ends after them. One that ends behind a mark bars the way
/// back. Clones are the same arena.
#[derive(Clone)]
pub struct Arena(Rc<ArenaInner>);

impl Arena {
    /// `bytes` 0: as many as the library takes by default.
    pub fn new(marks: u32, bytes: u64) -> Result<Self> {
        let mut def = defaults!(wend_arena_def, wend_arena_def_init);
        def.marks = marks;
        def.bytes = if bytes > 0 { bytes } else { def.bytes };
        let mut at = null_mut();
        check(unsafe { sys::wend_arena_create(&def, &mut at) })?;
        Ok(Arena(Rc::new(ArenaInner { at, marked: Slot::new(false), services: RefCell::default() })))
    }

    pub fn as_ptr(&self) -> *mut sys::wend_arena {
        self.0.at
    }

    fn allocator(&self) -> Result<sys::wend_allocator> {
        if self.0.marked.get() {
            let text = "objects of an arena are made before its first mark".into();
            return Err(Error { number: sys::WEND_IN_USE, text });
        }
        Ok(unsafe { sys::wend_arena_allocator(self.0.at) })
    }

    /// Remember all of it, between two frames.
    pub fn mark(&self, slot: u32) -> Result<()> {
        check(unsafe { sys::wend_arena_mark(self.0.at, slot) })?;
        self.0.marked.set(true);
        Ok(())
    }

    /// Make all of it what it was, also forth to a later mark. Functions of requests do not go back: as in
    /// [`Service::restore`], `resume` returns the one of a request that is pending again, or none.
    pub fn rewind(&self, slot: u32, mut resume: impl FnMut(Resumed) -> Option<Done>) -> Result<()> {
        let services: Option<Vec<_>> = self.0.services.borrow().iter().map(Weak::upgrade).collect();
        let services = services.ok_or(Error { number: sys::WEND_CLOSED, text: "a service of the arena has ended".into() })?;
        check(unsafe { sys::wend_arena_rewind(self.0.at, slot) })?;
        for service in services {
            let at = service.at;
            Service(service).resume_with(&[], &mut resume, |host| unsafe { sys::wend_service_adopt(at, host) })?;
        }
        Ok(())
    }
}

// ---- maps ----

/// libwend-extra, of the feature `extra`.
#[cfg(feature = "extra")]
mod extra {
    use super::*;

    #[repr(C)]
    struct Tiled {
        _struct_bytes: u32,
        markers: *const sys::wend_map_markers, // its further members are not used here
    }

    #[link(name = "wend-extra")]
    extern "C" {
        fn wend_tiled_load(
            path: *const std::os::raw::c_char,
            how: *const std::os::raw::c_void,
            def: *const sys::wend_map_def,
            out: *mut *mut sys::wend_map,
            beside: *mut *mut Tiled,
            error: *mut sys::wend_file_error,
        ) -> i32;
        fn wend_tiled_free(beside: *mut Tiled);
    }

    pub(super) fn load(
        path: &CStr,
        def: &sys::wend_map_def,
        out: *mut *mut sys::wend_map,
        ends: *mut sys::wend_map_markers,
        error: *mut sys::wend_file_error,
    ) -> i32 {
        let mut beside = null_mut();
        let number = unsafe { wend_tiled_load(path.as_ptr(), null(), def, out, &mut beside, error) };
        if number == 0 {
            unsafe { *ends = *(*beside).markers };
            unsafe { wend_tiled_free(beside) };
        }
        number
    }
}

/// A map, shared with whoever else holds it.
pub struct Map {
    at: *mut sys::wend_map,
    _arena: Option<Arena>,
    /// The markers A and B of a file that has them.
    pub start: Option<Cell>,
    pub goal: Option<Cell>,
}

impl Clone for Map {
    fn clone(&self) -> Self {
        unsafe { sys::wend_map_retain(self.at) };
        Map { at: self.at, _arena: self._arena.clone(), start: self.start, goal: self.goal }
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        unsafe { sys::wend_map_release(self.at) };
    }
}

/// What reading a file gives.
struct Read {
    at: *mut sys::wend_map,
    ends: sys::wend_map_markers,
    problem: sys::wend_file_error,
}

impl Map {
    pub fn grid(width: i32, height: i32) -> Result<Self> {
        let mut def = defaults!(wend_map_def, wend_map_def_init);
        (def.width, def.height) = (width, height);
        Self::create(&def)
    }

    /// Its allocator is the arena's, whatever `def` has.
    pub fn create_in(arena: &Arena, def: &sys::wend_map_def) -> Result<Self> {
        let own = sys::wend_map_def { allocator: arena.allocator()?, ..*def };
        let mut made = Self::create(&own)?;
        made._arena = Some(arena.clone());
        Ok(made)
    }

    pub fn create(def: &sys::wend_map_def) -> Result<Self> {
        let mut at = null_mut();
        check(unsafe { sys::wend_map_create(def, &mut at) })?;
        Ok(Map { at, _arena: None, start: None, goal: None })
    }

    fn read(name: &str, arena: Option<&Arena>, read: impl FnOnce(&sys::wend_map_def, &mut Read) -> i32) -> Result<Self> {
        let mut def = defaults!(wend_map_def, wend_map_def_init);
        if let Some(arena) = arena {
            def.allocator = arena.allocator()?;
        }
        let mut to = Read { at: null_mut(), ends: sized!(wend_map_markers), problem: sized!(wend_file_error) };
        let number = read(&def, &mut to);
        let Read { at, ends, problem } = to;
        if number != 0 {
            let what = text(problem.text.as_ptr());
            let place = if problem.line > 0 { format!(":{}:{}", problem.line, problem.column) } else { String::new() };
            return Err(Error { number, text: format!("{name}{place}: {what}") });
        }
        let marker = |has: bool, cell: sys::wend_cell| has.then(|| cell.into());
        let (start, goal) = (marker(ends.has_start, ends.start), marker(ends.has_goal, ends.goal));
        Ok(Map { at, _arena: arena.cloned(), start, goal })
    }

    /// A file of any format that the library reads; with the feature `extra`, which links libwend-extra, of Tiled, too.
    pub fn load(path: &str) -> Result<Self> {
        Self::load_with(None, path)
    }

    /// The same in an arena.
    pub fn load_in(arena: &Arena, path: &str) -> Result<Self> {
        Self::load_with(Some(arena), path)
    }

    fn load_with(arena: Option<&Arena>, path: &str) -> Result<Self> {
        let name = CString::new(path).map_err(|_| Error { number: sys::WEND_IO, text: "a path has no zero byte".into() })?;
        Self::read(path, arena, |def, to| {
            let number = unsafe { sys::wend_map_load(name.as_ptr(), def, &mut to.at, &mut to.ends, &mut to.problem) };
            #[cfg(feature = "extra")]
            if number == sys::WEND_UNSUPPORTED && text(to.problem.text.as_ptr()).contains("libwend-extra") {
                return extra::load(&name, def, &mut to.at, &mut to.ends, &mut to.problem);
            }
            number
        })
    }

    pub fn parse(bytes: &[u8]) -> Result<Self> {
        Self::parse_with(None, bytes)
    }

    /// The same in an arena.
    pub fn parse_in(arena: &Arena, bytes: &[u8]) -> Result<Self> {
        Self::parse_with(Some(arena), bytes)
    }

    fn parse_with(arena: Option<&Arena>, bytes: &[u8]) -> Result<Self> {
        Self::read("map", arena, |def, to| unsafe {
            sys::wend_map_parse(bytes.as_ptr().cast(), bytes.len(), def, &mut to.at, &mut to.ends, &mut to.problem)
        })
    }

    /// For functions of [`sys`].
    pub fn as_ptr(&self) -> *mut sys::wend_map {
        self.at
    }

    pub fn info(&self) -> Result<sys::wend_map_info> {
        let mut out = sized!(wend_map_info);
        check(unsafe { sys::wend_map_get_info(self.at, &mut out) })?;
        Ok(out)
    }

    /// Make jump tables and landmarks: searches are faster.
    pub fn accelerate(&self) -> Result<()> {
        check(unsafe { sys::wend_map_accelerate(self.at, null()) })
    }

    pub fn terrain(&self, cell: impl Into<Cell>) -> Result<u8> {
        let mut out = 0;
        check(unsafe { sys::wend_map_get_terrain(self.at, raw(cell), &mut out) })?;
        Ok(out)
    }

    pub fn occupants(&self, cell: impl Into<Cell>) -> Result<u32> {
        let mut out = 0;
        check(unsafe { sys::wend_map_get_occupants(self.at, raw(cell), &mut out) })?;
        Ok(out)
    }

    /// A cell that the default mover can reach from another one; the same seed gives the same.
    pub fn random_cell(&self, from: impl Into<Cell>, seed: u64) -> Result<Cell> {
        let mut out = raw((0, 0));
        check(unsafe { sys::wend_map_random_cell(self.at, sys::WEND_MOVER_DEFAULT, raw(from), seed, &mut out) })?;
        Ok(out.into())
    }

    /// The map as it is between two frames. A game saves maps, services, then crowds, and restores them in that order.
    pub fn save(&self) -> Result<Vec<u8>> {
        save(|to, capacity, bytes| unsafe { sys::wend_map_save_state(self.at, to, capacity, bytes) })
    }

    pub fn restore(&self, data: &[u8]) -> Result<()> {
        check(unsafe { sys::wend_map_restore_state(self.at, data.as_ptr().cast(), data.len()) })
    }

    /// Changes that searches see together. Where `change` fails or panics, nothing happens.
    pub fn edit(&self, change: impl FnOnce(&Edit) -> Result<()>) -> Result<()> {
        let mut edit = Edit { at: null_mut() };
        check(unsafe { sys::wend_edit_begin(self.at, &mut edit.at) })?;
        change(&edit)?;
        let at = std::mem::replace(&mut edit.at, null_mut());
        check(unsafe { sys::wend_edit_publish(at, null_mut()) })
    }
}

/// Changes that are not published yet.
pub struct Edit {
    at: *mut sys::wend_edit,
}

impl Drop for Edit {
    fn drop(&mut self) {
        if !self.at.is_null() {
            unsafe { sys::wend_edit_discard(self.at) };
        }
    }
}

impl Edit {
    pub fn set(&self, cell: impl Into<Cell>, terrain: u8) -> Result<()> {
        check(unsafe { sys::wend_edit_set_cell(self.at, raw(cell), terrain) })
    }
    pub fn fill(&self, min: impl Into<Cell>, max: impl Into<Cell>, terrain: u8) -> Result<()> {
        check(unsafe { sys::wend_edit_fill_box(self.at, raw_box(min, max), terrain) })
    }
    /// Set the classes of a box, row after row, in space layer after layer.
    pub fn set_box(&self, min: impl Into<Cell>, max: impl Into<Cell>, terrain: &[u8]) -> Result<()> {
        let (min, max) = (min.into(), max.into());
        let row = check_count(min, max, terrain)?;
        check(unsafe { sys::wend_edit_set_box(self.at, raw_box(min, max), terrain.as_ptr(), row) })
    }
}

/// The cells of a row of a box, which has as many as there are values.
fn check_count(min: Cell, max: Cell, values: &[u8]) -> Result<usize> {
    let side = |from: i32, to: i32| (i128::from(to) - i128::from(from) + 1).max(0);
    let (row, count) = (side(min.x, max.x), side(min.x, max.x) * side(min.y, max.y) * side(min.z, max.z));
    if count != values.len() as i128 {
        let text = format!("the box has {count} cells, and there are {} values", values.len());
        return Err(Error { number: sys::WEND_BAD_ARGUMENT, text });
    }
    Ok(row as usize)
}

// ---- layers ----

/// Costs by place, such as danger: a value from 0 to 255 for each cell of a map. Clones are the same layer.
#[derive(Clone)]
pub struct Layer {
    map: Map,
    number: i32,
}

impl Map {
    /// Add a layer, all 0. `half_life`: its values halve each time so many updates are complete; 0: never. `within`: a
    /// layer of walls, its values fall with the distance from them, up to so many cells; 0: the host sets them.
    pub fn add_layer(&self, half_life: u32, within: i32) -> Result<Layer> {
        let mut def = defaults!(wend_layer_def, wend_layer_def_init);
        (def.half_life, def.within) = (half_life, within);
        let mut number = 0;
        check(unsafe { sys::wend_map_add_layer(self.at, &def, &mut number) })?;
        Ok(Layer { map: self.clone(), number })
    }

    /// The layer of this number, which a restore may have brought.
    pub fn get_layer(&self, number: i32) -> Result<Layer> {
        let layer = Layer { map: self.clone(), number };
        layer.info().map(|_| layer)
    }

    /// Let time pass for all layers, in updates: values with a half-life fade.
    pub fn layer_update(&self, steps: u32) -> Result<()> {
        check(unsafe { sys::wend_map_update_layers(self.at, steps) })
    }

    /// Add a profile: the layers that requests and agents of a kind mind, and their weights. Returns its number.
    pub fn add_profile(&self, weights: &[(&Layer, i32)]) -> Result<i32> {
        if let Some((layer, _)) = weights.iter().find(|(layer, _)| layer.map.at != self.at) {
            let text = format!("layer {} is of another map", layer.number);
            return Err(Error { number: sys::WEND_BAD_ARGUMENT, text });
        }
        let weights: Vec<_> = weights.iter().map(|&(layer, weight)| sys::wend_layer_weight { layer: layer.number, weight }).collect();
        let mut number = 0;
        check(unsafe { sys::wend_map_add_profile(self.at, weights.as_ptr(), weights.len() as u32, &mut number) })?;
        Ok(number)
    }

    pub fn get_profile(&self, profile: i32) -> Result<Vec<(Layer, i32)>> {
        let mut weights: [sys::wend_layer_weight; sys::WEND_MAX_PROFILE_LAYERS as usize] = unsafe { zeroed() };
        let mut count = 0;
        check(unsafe { sys::wend_map_get_profile(self.at, profile, weights.as_mut_ptr(), &mut count) })?;
        let named = |one: &sys::wend_layer_weight| (Layer { map: self.clone(), number: one.layer }, one.weight);
        Ok(weights[..count as usize].iter().map(named).collect())
    }
}

impl Layer {
    pub fn number(&self) -> i32 {
        self.number
    }

    pub fn info(&self) -> Result<sys::wend_layer_info> {
        filled!(wend_layer_info, |to| sys::wend_map_get_layer(self.map.at, self.number, to))
    }

    /// Add a disc, which is `peak` at its centre and falls to its rim; 255 is the most.
    pub fn add_disc(&self, centre: impl Into<Cell>, radius: i32, peak: i32) -> Result<()> {
        check(unsafe { sys::wend_map_add_layer_disc(self.map.at, self.number, raw(centre), radius, peak) })
    }

    pub fn get(&self, cell: impl Into<Cell>) -> Result<u8> {
        let mut out = 0;
        check(unsafe { sys::wend_map_get_layer_value(self.map.at, self.number, raw(cell), &mut out) })?;
        Ok(out)
    }

    /// A box, its cells, and those of a row. Both corners are on the map, else `get` fails: so the product has room.
    fn measure(&self, min: Cell, max: Cell) -> Result<(sys::wend_box, usize, usize)> {
        self.get(min).and(self.get(max))?;
        let side = |from: i32, to: i32| (i64::from(to) - i64::from(from) + 1).max(0) as usize;
        let row = side(min.x, max.x);
        Ok((raw_box(min, max), row * side(min.y, max.y) * side(min.z, max.z), row))
    }

    /// Set the values of a box, row after row, in space layer after layer.
    pub fn set_box(&self, min: impl Into<Cell>, max: impl Into<Cell>, values: &[u8]) -> Result<()> {
        let (min, max) = (min.into(), max.into());
        self.get(min).and(self.get(max))?;
        let row = check_count(min, max, values)?;
        check(unsafe { sys::wend_map_set_layer_box(self.map.at, self.number, raw_box(min, max), values.as_ptr(), row) })
    }

    /// The values of a box as they are now, in the order of [`Layer::set_box`].
    pub fn get_box(&self, min: impl Into<Cell>, max: impl Into<Cell>) -> Result<Vec<u8>> {
        let (cells, count, row) = self.measure(min.into(), max.into())?;
        let mut values = vec![0; count];
        check(unsafe { sys::wend_map_get_layer_box(self.map.at, self.number, cells, values.as_mut_ptr(), row) })?;
        Ok(values)
    }
}

// ---- callbacks that panic ----

type Panic = Box<dyn Any + Send>;

#[derive(Default)]
struct Catcher(RefCell<Option<Panic>>);

impl Catcher {
    fn run(&self, call: impl FnOnce()) -> bool {
        match catch_unwind(AssertUnwindSafe(call)) {
            Ok(()) => true,
            Err(panic) => {
                self.0.borrow_mut().get_or_insert(panic);
                false
            }
        }
    }
    fn check(&self, number: i32) -> Result<()> {
        let kept = self.0.borrow_mut().take();
        if let Some(panic) = kept {
            resume_unwind(panic);
        }
        check(number)
    }
}

// ---- services ----

/// What became of a request.
#[derive(Clone, Debug)]
pub struct Answer {
    /// `sys::WEND_STATUS_FOUND`, …
    pub status: i32,
    pub cost: i64,
    pub cells: Vec<Cell>,
    pub expansions: u64,
    pub frames: u64,
    pub number: u64,
}

impl Answer {
    /// `"found"`, `"no_path"`, …
    pub fn status_name(&self) -> String {
        text(unsafe { sys::wend_status_name(self.status) })
    }
}

struct ServiceInner {
    at: *mut sys::wend_service,
    catcher: Catcher,
    writer: RefCell<Option<Box<dyn FnMut(u32, &[u8])>>>,
    waiting: RefCell<HashSet<*mut Waiting>>,
    arena: Option<Arena>,
}

impl ServiceInner {
    /// Frees the functions that wait, and has others wait instead.
    fn forget(&self, others: HashSet<*mut Waiting>) {
        let gone = self.waiting.replace(others);
        gone.into_iter().for_each(|one| drop(unsafe { Box::from_raw(one) }));
    }
}

impl Drop for ServiceInner {
    fn drop(&mut self) {
        unsafe { sys::wend_service_destroy(self.at) };
    }
}

/// A queue of requests, searched a bounded number of expansions a frame. Clones are the same service.
#[derive(Clone)]
pub struct Service(Rc<ServiceInner>);

/// The two structs of a request, as the library takes them.
struct Parts {
    common: sys::wend_request,
    options: sys::wend_search_options,
}

macro_rules! request_fields {
    ($($name:ident: $kind:ty, $part:ident;)*) => {
        /// The fields of a request: those of `wend_request` and of `wend_search_options`.
        pub struct RequestFields { $(pub $name: $kind),* }
        impl RequestFields {
            fn read(from: &Parts) -> Self {
                Self { $($name: from.$part.$name),* }
            }
            fn write(&self, to: &mut Parts) {
                $(to.$part.$name = self.$name;)*
            }
        }
    };
}
request_fields! {
    map: *mut sys::wend_map, common;
    start: sys::wend_cell, common;
    goal: sys::wend_cell, common;
    urgency: i32, common;
    mover: i32, common;
    mode: i32, common;
    reach: i32, common;
    agent: u64, common;
    deadline_frames: u64, common;
    leave_blocked_start: bool, options;
    far_begin: bool, options;
    engine: i32, options;
    heuristic: i32, options;
    weight_milli: i32, options;
    on_stale: i32, options;
    occupied: i32, options;
    occupied_within: i32, options;
    unloaded: i32, options;
    max_expansions: u64, options;
    profile: i32, options;
}

/// A request; it holds its map, and derefs to its fields.
pub struct Request {
    fields: RequestFields,
    map: Map,
}

impl Deref for Request {
    type Target = RequestFields;
    fn deref(&self) -> &RequestFields {
        &self.fields
    }
}

impl DerefMut for Request {
    fn deref_mut(&mut self) -> &mut RequestFields {
        &mut self.fields
    }
}

fn request_parts() -> Parts {
    Parts { common: defaults!(wend_request, wend_request_init), options: defaults!(wend_search_options, wend_search_options_init) }
}

/// A request with its defaults, for [`Service::submit_request`].
pub fn request(map: &Map, start: impl Into<Cell>, goal: impl Into<Cell>) -> Request {
    let mut fields = RequestFields::read(&request_parts());
    (fields.start, fields.goal) = (raw(start), raw(goal));
    Request { fields, map: map.clone() }
}

/// The id of an accepted request.
pub type Ticket = sys::wend_ticket;

/// What a request calls.
pub type Done = Box<dyn FnOnce(Answer)>;

struct Waiting {
    service: *const ServiceInner,
    done: Done,
}

/// A request that a restore has brought back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resumed {
    /// The number that the host gave it, in [`RequestFields`].
    pub agent: Option<u64>,
    pub start: Cell,
    pub goal: Cell,
    pub urgency: i32,
}

struct Resuming<'a> {
    service: &'a ServiceInner,
    resume: &'a mut dyn FnMut(Resumed) -> Option<Done>,
    waiting: HashSet<*mut Waiting>,
}

unsafe extern "C" fn on_resume(context: *mut c_void, _ticket: sys::wend_ticket, request: *mut sys::wend_request) {
    let (this, request) = unsafe { (&mut *(context as *mut Resuming), &mut *request) };
    let service = this.service;
    service.catcher.run(|| {
        let agent = Some(request.agent).filter(|&agent| agent != u64::MAX);
        let what = Resumed { agent, start: request.start.into(), goal: request.goal.into(), urgency: request.urgency };
        if let Some(done) = (this.resume)(what) {
            let waiting = Box::into_raw(Box::new(Waiting { service, done }));
            this.waiting.insert(waiting);
            request.on_done = Some(on_done);
            request.context = waiting.cast();
        }
    });
}

unsafe extern "C" fn on_done(context: *mut c_void, done: *const sys::wend_completion) {
    let (waiting, what) = unsafe { (Box::from_raw(context as *mut Waiting), &*done) };
    unsafe { &*waiting.service }.waiting.borrow_mut().remove(&(context as *mut Waiting));
    let cells = if what.cell_count > 0 { unsafe { slice::from_raw_parts(what.cells, what.cell_count) } } else { &[] };
    let answer = Answer {
        status: what.status,
        cost: what.cost,
        cells: cells.iter().map(|&cell| cell.into()).collect(),
        expansions: what.expansions,
        frames: what.frames,
        number: what.number,
    };
    unsafe { &*waiting.service }.catcher.run(|| (waiting.done)(answer));
}

unsafe extern "C" fn on_write(context: *mut c_void, file: u32, bytes: *const c_void, size: usize) -> i32 {
    let inner = unsafe { &*(context as *const ServiceInner) };
    let part = unsafe { slice::from_raw_parts(bytes as *const u8, size) };
    let good = inner.catcher.run(|| {
        if let Some(write) = inner.writer.borrow_mut().as_mut() {
            write(file, part)
        }
    });
    if good { sys::WEND_OK } else { sys::WEND_IO }
}

impl Service {
    pub fn new() -> Result<Self> {
        Self::create(&defaults!(wend_service_def, wend_service_def_init))
    }

    pub fn create(def: &sys::wend_service_def) -> Result<Self> {
        Self::make(def, None)
    }

    /// Its allocator is the arena's, whatever `def` has. Crowds on it are in the arena, too.
    pub fn create_in(arena: &Arena, def: &sys::wend_service_def) -> Result<Self> {
        let own = sys::wend_service_def { allocator: arena.allocator()?, ..*def };
        let made = Self::make(&own, Some(arena.clone()))?;
        arena.0.services.borrow_mut().push(Rc::downgrade(&made.0));
        Ok(made)
    }

    fn make(def: &sys::wend_service_def, arena: Option<Arena>) -> Result<Self> {
        let mut at = null_mut();
        check(unsafe { sys::wend_service_create(def, &mut at) })?;
        let (catcher, writer, waiting) = (Catcher::default(), RefCell::new(None), RefCell::default());
        Ok(Service(Rc::new(ServiceInner { at, catcher, writer, waiting, arena })))
    }

    pub fn as_ptr(&self) -> *mut sys::wend_service {
        self.0.at
    }

    /// Queue a request; `done` is called in the tick that delivers it.
    pub fn submit(&self, map: &Map, start: impl Into<Cell>, goal: impl Into<Cell>, done: impl FnOnce(Answer) + 'static) -> Result<Ticket> {
        self.submit_request(request(map, start, goal), done)
    }

    pub fn submit_request(&self, what: Request, done: impl FnOnce(Answer) + 'static) -> Result<Ticket> {
        let waiting = Box::into_raw(Box::new(Waiting { service: &*self.0, done: Box::new(done) }));
        let mut parts = request_parts();
        what.fields.write(&mut parts);
        parts.common.map = what.map.at;
        parts.common.on_done = Some(on_done);
        parts.common.context = waiting.cast();
        parts.common.options = &parts.options;
        let mut ticket = Ticket { index: 0, generation: 0 };
        let number = unsafe { sys::wend_service_submit(self.0.at, &parts.common, &mut ticket) };
        if number != 0 {
            drop(unsafe { Box::from_raw(waiting) });
        } else {
            self.0.waiting.borrow_mut().insert(waiting);
        }
        check(number).map(|()| ticket)
    }

    /// The request ends as cancelled, in the next frame.
    pub fn cancel(&self, ticket: Ticket) -> Result<()> {
        check(unsafe { sys::wend_service_cancel(self.0.at, ticket) })
    }

    /// Of a request, from the next frame on.
    pub fn set_urgency(&self, ticket: Ticket, urgency: i32) -> Result<()> {
        check(unsafe { sys::wend_service_set_urgency(self.0.at, ticket, urgency) })
    }

    /// One frame of at most so many expansions. Other limits: [`Service::tick_within`].
    pub fn tick(&self, expansions: u64) -> Result<()> {
        let mut budget = defaults!(wend_budget, wend_budget_init);
        budget.expansions = expansions;
        self.tick_within(&budget)
    }

    pub fn tick_within(&self, budget: &sys::wend_budget) -> Result<()> {
        let number = unsafe { sys::wend_service_tick(self.0.at, budget, null_mut()) };
        self.0.catcher.check(number)
    }

    pub fn pending(&self) -> u64 {
        unsafe { sys::wend_service_get_pending(self.0.at) }
    }

    fn host(maps: &[*mut sys::wend_map]) -> sys::wend_save_host {
        let mut host = defaults!(wend_save_host, wend_save_host_init);
        (host.maps, host.map_count) = (maps.as_ptr(), maps.len() as u32);
        host
    }

    /// The pending requests, on these maps.
    pub fn save(&self, maps: &[&Map]) -> Result<Vec<u8>> {
        let maps: Vec<_> = maps.iter().map(|map| map.at).collect();
        let host = Self::host(&maps);
        save(|to, capacity, bytes| unsafe { sys::wend_service_save_state(self.0.at, &host, to, capacity, bytes) })
    }

    /// Replace the requests by those of a save; `maps` are those of [`Service::save`], in the same order. The functions
    /// of those that are gone are not called. No function is in a save: `resume` returns the one of a request, or none.
    pub fn restore(&self, data: &[u8], maps: &[&Map], mut resume: impl FnMut(Resumed) -> Option<Done>) -> Result<()> {
        let maps: Vec<_> = maps.iter().map(|map| map.at).collect();
        let (at, data_at) = (self.0.at, data.as_ptr().cast());
        self.resume_with(&maps, &mut resume, |host| unsafe { sys::wend_service_restore_state(at, host, data_at, data.len()) })
    }

    fn resume_with(&self, maps: &[*mut sys::wend_map], resume: &mut dyn FnMut(Resumed) -> Option<Done>,
                   call: impl FnOnce(*const sys::wend_save_host) -> i32) -> Result<()> {
        let mut asked = Resuming { service: &self.0, resume, waiting: HashSet::new() };
        let mut host = Self::host(maps);
        host.request = Some(on_resume);
        host.context = &mut asked as *mut Resuming as *mut c_void;
        let number = call(&host);
        let restored = asked.waiting;
        if number == 0 {
            self.0.forget(restored);
        } else {
            restored.into_iter().for_each(|one| drop(unsafe { Box::from_raw(one) }));
            if number != sys::WEND_IN_CALLBACK && self.pending() == 0 {
                self.0.forget(HashSet::new());
            }
        }
        self.0.catcher.check(number)
    }

    /// Record what the service and its crowds get: `write(file, bytes)`.
    pub fn record(&self, write: impl FnMut(u32, &[u8]) + 'static) -> Result<()> {
        check(unsafe { sys::wend_service_record(self.0.at, Some(on_write), Rc::as_ptr(&self.0) as *mut c_void) })?;
        *self.0.writer.borrow_mut() = Some(Box::new(write));
        Ok(())
    }

    /// The same of a service that may be running, on a map, with its crowd: from here on.
    pub fn record_from(&self, map: &Map, crowd: Option<&Crowd>, write: impl FnMut(u32, &[u8]) + 'static) -> Result<()> {
        let before = self.0.writer.borrow_mut().replace(Box::new(write));
        let crowd = crowd.map_or(null_mut(), |crowd| crowd.0.at);
        let context = Rc::as_ptr(&self.0) as *mut c_void;
        let number = unsafe { sys::wend_service_record_state(self.0.at, map.at, crowd, Some(on_write), context) };
        if number != 0 {
            *self.0.writer.borrow_mut() = before;
        }
        check(number)
    }

    pub fn end_recording(&self) -> Result<()> {
        let number = unsafe { sys::wend_service_end_recording(self.0.at) };
        *self.0.writer.borrow_mut() = None;
        self.0.catcher.check(number)
    }
}

// ---- crowds ----

/// An agent of a crowd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Agent {
    pub index: u32,
    pub generation: u32,
}

impl Agent {
    /// For functions of [`sys`].
    pub fn raw(&self) -> sys::wend_agent_id {
        raw_id(self)
    }
}

fn raw_id(agent: &Agent) -> sys::wend_agent_id {
    sys::wend_agent_id { index: agent.index, generation: agent.generation }
}

/// Something that happened to an agent.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// `sys::WEND_AGENT_EVENT_ARRIVED`, …
    pub event: i32,
    /// The reason of `sys::WEND_AGENT_EVENT_GAVE_UP`: `sys::WEND_WHY_NO_PATH`, …
    pub why: i32,
    pub agent: Agent,
    pub cell: Cell,
    pub update: u64,
    /// Of `sys::WEND_AGENT_EVENT_LINK_AHEAD`: the link's end, and 1 a step before the leap, 0 when it begins.
    pub to: Cell,
    pub ahead: i32,
}

impl Event {
    pub fn ends_goal(&self) -> bool {
        unsafe { sys::wend_agent_event_ends_goal(self.event) }
    }
}

struct CrowdInner {
    at: *mut sys::wend_crowd,
    _service: Service,
    catcher: Catcher,
    hear: RefCell<Box<dyn FnMut(&Crowd, Event)>>,
    this: Weak<CrowdInner>,
}

impl Drop for CrowdInner {
    fn drop(&mut self) {
        unsafe { sys::wend_crowd_destroy(self.at) };
    }
}

/// Agents on a service and a map that go where they are sent, never two in one cell. Clones are the same crowd.
#[derive(Clone)]
pub struct Crowd(Rc<CrowdInner>);

unsafe extern "C" fn on_event(context: *mut c_void, event: *const sys::wend_agent_event) {
    let (inner, what) = unsafe { (&*(context as *const CrowdInner), &*event) };
    let this = match inner.this.upgrade() {
        Some(this) => this,
        None => return,
    };
    let event = Event {
        event: what.event,
        why: what.why,
        agent: Agent { index: what.agent.index, generation: what.agent.generation },
        cell: what.cell.into(),
        update: what.update,
        to: what.to.into(),
        ahead: what.ahead,
    };
    inner.catcher.run(|| inner.hear.borrow_mut()(&Crowd(this), event));
}

impl Crowd {
    /// `hear` is called by [`Crowd::update`] at its end, for each event.
    pub fn new(service: &Service, map: &Map, agents: u32, hear: impl FnMut(&Crowd, Event) + 'static) -> Result<Self> {
        let mut def = defaults!(wend_crowd_def, wend_crowd_def_init);
        (def.service, def.map, def.agents) = (service.0.at, map.at, agents);
        if let Some(arena) = &service.0.arena {
            def.allocator = arena.allocator()?;
        }
        def.on_event = Some(on_event);
        let mut number = 0;
        let inner = Rc::new_cyclic(|this: &Weak<CrowdInner>| {
            let mut at = null_mut();
            def.context = this.as_ptr() as *mut c_void;
            number = unsafe { sys::wend_crowd_create(&def, &mut at) };
            let hear: RefCell<Box<dyn FnMut(&Crowd, Event)>> = RefCell::new(Box::new(hear));
            let (_service, catcher) = (service.clone(), Catcher::default());
            CrowdInner { at, _service, catcher, hear, this: this.clone() }
        });
        check(number)?;
        Ok(Crowd(inner))
    }

    pub fn as_ptr(&self) -> *mut sys::wend_crowd {
        self.0.at
    }

    pub fn add(&self, cell: impl Into<Cell>, speed_milli: u32, urgency: i32) -> Result<Agent> {
        let mut def = defaults!(wend_agent_def, wend_agent_def_init);
        (def.cell, def.speed_milli, def.urgency) = (raw(cell), speed_milli, urgency);
        let mut out = sys::wend_agent_id { index: 0, generation: 0 };
        check(unsafe { sys::wend_crowd_add(self.0.at, &def, &mut out) })?;
        Ok(Agent { index: out.index, generation: out.generation })
    }

    /// Send agents; of a group each gets a place of its own.
    pub fn go(&self, agents: &[Agent], cell: impl Into<Cell>) -> Result<()> {
        self.go_with(agents, &goal(cell))
    }

    /// The same with all of [`goal`]: a formation, a reach, …
    pub fn go_with(&self, agents: &[Agent], goal: &Goal) -> Result<()> {
        let own = Goal { struct_bytes: size_of::<Goal>() as u32, ..*goal };
        with_ids(agents, |ids, count| unsafe { sys::wend_crowd_go(self.0.at, ids, count, &own) })
    }

    /// Agents stay near another one, up to `reach` cells off, until another order.
    pub fn follow(&self, agents: &[Agent], target: Agent, reach: i32) -> Result<()> {
        self.go_with(agents, &Goal { kind: sys::WEND_CROWD_FOLLOW, target: target.raw(), reach, ..goal((0, 0)) })
    }

    /// Agents get `distance` cells away from another one; with `keep` they stay away until another order.
    pub fn flee(&self, agents: &[Agent], target: Agent, distance: i32, keep: bool) -> Result<()> {
        self.go_with(agents, &Goal { kind: sys::WEND_CROWD_FLEE, target: target.raw(), distance, keep, ..goal((0, 0)) })
    }

    /// End the goals of agents; a step that has begun is finished.
    pub fn halt(&self, agents: &[Agent]) -> Result<()> {
        with_ids(agents, |ids, count| unsafe { sys::wend_crowd_halt(self.0.at, ids, count) })
    }

    pub fn set_mover(&self, agents: &[Agent], mover: i32) -> Result<()> {
        with_ids(agents, |ids, count| unsafe { sys::wend_crowd_set_mover(self.0.at, ids, count, mover) })
    }

    /// Set which costs by place agents mind: a profile of the map, or 0: none.
    pub fn set_profile(&self, agents: &[Agent], profile: i32) -> Result<()> {
        with_ids(agents, |ids, count| unsafe { sys::wend_crowd_set_profile(self.0.at, ids, count, profile) })
    }

    /// An agent never pushes these aside; an empty list: it pushes all again.
    pub fn wait_for(&self, agent: Agent, others: &[Agent]) -> Result<()> {
        with_ids(others, |ids, count| unsafe { sys::wend_crowd_wait_for(self.0.at, agent.raw(), ids, count) })
    }

    /// Add a route by its corners, which stays as long as the crowd. `mode`: `sys::WEND_ROUTE_ONCE`, …. Returns its
    /// number, for [`Crowd::patrol`].
    pub fn add_route(&self, corners: &[impl Into<Cell> + Copy], mode: i32) -> Result<u32> {
        let corners: Vec<_> = corners.iter().map(|&corner| raw(corner)).collect();
        let mut def = defaults!(wend_route_def, wend_route_def_init);
        (def.mode, def.corners, def.corner_count) = (mode, corners.as_ptr(), corners.len() as u32);
        let mut number = 0;
        check(unsafe { sys::wend_crowd_add_route(self.0.at, &def, &mut number) })?;
        Ok(number)
    }

    /// Send an agent along a route.
    pub fn patrol(&self, agent: Agent, route: u32) -> Result<()> {
        check(unsafe { sys::wend_crowd_patrol(self.0.at, agent.raw(), route) })
    }

    /// Put an agent elsewhere at once; it keeps its goal. `move` is a word of Rust.
    pub fn move_to(&self, agent: Agent, cell: impl Into<Cell>) -> Result<()> {
        check(unsafe { sys::wend_crowd_move(self.0.at, agent.raw(), raw(cell)) })
    }

    /// Returns whether no agent holds a cell of a box.
    pub fn is_clear(&self, min: impl Into<Cell>, max: impl Into<Cell>) -> Result<bool> {
        let mut out = false;
        check(unsafe { sys::wend_crowd_is_clear(self.0.at, raw_box(min, max), &mut out) })?;
        Ok(out)
    }

    /// Agents leave a box and do not enter it; `sys::WEND_AGENT_EVENT_CLEAR` comes when no agent is in it.
    pub fn clear_box(&self, min: impl Into<Cell>, max: impl Into<Cell>) -> Result<()> {
        check(unsafe { sys::wend_crowd_clear_box(self.0.at, raw_box(min, max)) })
    }

    pub fn release_box(&self, min: impl Into<Cell>, max: impl Into<Cell>) -> Result<()> {
        check(unsafe { sys::wend_crowd_release_box(self.0.at, raw_box(min, max)) })
    }

    pub fn get_stats(&self) -> Result<sys::wend_crowd_stats> {
        filled!(wend_crowd_stats, |to| sys::wend_crowd_get_stats(self.0.at, to))
    }

    pub fn set_speed(&self, agent: Agent, speed_milli: u32) -> Result<()> {
        check(unsafe { sys::wend_crowd_set_speed(self.0.at, agent.raw(), speed_milli) })
    }

    pub fn set_urgency(&self, agent: Agent, urgency: i32) -> Result<()> {
        check(unsafe { sys::wend_crowd_set_urgency(self.0.at, agent.raw(), urgency) })
    }

    pub fn get_agent(&self, agent: Agent) -> Result<sys::wend_agent_state> {
        filled!(wend_agent_state, |to| sys::wend_crowd_get_agent(self.0.at, agent.raw(), to))
    }

    /// The goal of an agent, if it has one.
    pub fn get_goal(&self, agent: Agent) -> Result<Option<Goal>> {
        let mut out = sized!(wend_crowd_goal);
        match unsafe { sys::wend_crowd_get_goal(self.0.at, agent.raw(), &mut out) } {
            sys::WEND_EMPTY => Ok(None),
            number => check(number).map(|()| Some(out)),
        }
    }

    /// The rest of the path that an agent keeps, the cell that it holds first.
    pub fn get_path(&self, agent: Agent) -> Result<Vec<Cell>> {
        let mut count = 0;
        check(unsafe { sys::wend_crowd_get_path(self.0.at, agent.raw(), null_mut(), 0, &mut count) })?;
        let mut cells = vec![raw((0, 0)); count];
        check(unsafe { sys::wend_crowd_get_path(self.0.at, agent.raw(), cells.as_mut_ptr(), count, &mut count) })?;
        Ok(cells.into_iter().map(Cell::from).collect())
    }

    pub fn step(&self, agent: Agent, cell: impl Into<Cell>) -> Result<()> {
        check(unsafe { sys::wend_crowd_step(self.0.at, raw_id(&agent), raw(cell)) })
    }

    pub fn remove(&self, agent: Agent) -> Result<()> {
        check(unsafe { sys::wend_crowd_remove(self.0.at, raw_id(&agent)) })
    }

    pub fn update(&self, elapsed_milli: u32) -> Result<()> {
        let number = unsafe { sys::wend_crowd_update(self.0.at, elapsed_milli, null(), null_mut()) };
        self.0.catcher.check(number)
    }

    /// Agents, in the middle of their steps, with goals, groups and paths.
    pub fn save(&self) -> Result<Vec<u8>> {
        save(|to, capacity, bytes| unsafe { sys::wend_crowd_save_state(self.0.at, to, capacity, bytes) })
    }

    /// Replace the agents by those of a save. Map and service were restored before. An [`Agent`] stays good.
    pub fn restore(&self, data: &[u8]) -> Result<()> {
        check(unsafe { sys::wend_crowd_restore_state(self.0.at, null(), data.as_ptr().cast(), data.len()) })
    }

    /// Look at all agents by index, as they are now: the arrays are copies.
    pub fn view<T>(&self, look: impl FnOnce(View) -> T) -> Result<T> {
        let mut view = sized!(wend_crowd_view);
        check(unsafe { sys::wend_crowd_get_view(self.0.at, &mut view) })?;
        let count = view.count as usize;
        let (points, cells, states) = unsafe { (copy(view.points, count), copy(view.cells, count), copy(view.states, count)) };
        let (velocities, radii) = unsafe { (copy(view.velocities, count), copy(view.radii, count)) };
        Ok(look(View { points: &points, velocities: &velocities, radii: &radii, cells: &cells, states: &states }))
    }
}

/// A goal of agents: the fields of `wend_crowd_goal`.
pub type Goal = sys::wend_crowd_goal;

/// A goal with its defaults, for [`Crowd::go_with`]; its formation is one of `sys::WEND_AS_LINE`, ….
pub fn goal(cell: impl Into<Cell>) -> Goal {
    let mut made = defaults!(wend_crowd_goal, wend_crowd_goal_init);
    made.cell = raw(cell);
    made
}

fn with_ids(agents: &[Agent], call: impl FnOnce(*const sys::wend_agent_id, usize) -> i32) -> Result<()> {
    let ids: Vec<_> = agents.iter().map(raw_id).collect();
    check(call(ids.as_ptr(), ids.len()))
}

unsafe fn copy<T: Copy>(at: *const T, count: usize) -> Vec<T> {
    if count > 0 { unsafe { slice::from_raw_parts(at, count) }.to_vec() } else { Vec::new() }
}

/// All agents of a crowd, by index; lengths are in thousandths of a cell. A radius of 0 is no body.
pub struct View<'a> {
    pub points: &'a [sys::wend_point],
    pub velocities: &'a [sys::wend_point],
    pub radii: &'a [u32],
    pub cells: &'a [sys::wend_cell],
    pub states: &'a [u8],
}

// ---- bodies ----

/// A body: the fields of `wend_body_def`.
pub type BodyDef = sys::wend_body_def;

/// A body with its defaults, for [`Crowd::set_body`].
pub fn body(radius_milli: u32) -> BodyDef {
    let mut made = defaults!(wend_body_def, wend_body_def_init);
    made.radius_milli = radius_milli;
    made
}

impl Crowd {
    /// Make an agent a disc, which moves in straight lines and curves: [`body`]`(400)`, or one with more fields set.
    pub fn set_body(&self, agent: Agent, def: &BodyDef) -> Result<()> {
        let own = BodyDef { struct_bytes: size_of::<BodyDef>() as u32, ..*def };
        check(unsafe { sys::wend_crowd_set_body(self.0.at, agent.raw(), &own) })
    }

    /// Take the body of an agent away: from now on it steps from cell to cell.
    pub fn remove_body(&self, agent: Agent) -> Result<()> {
        check(unsafe { sys::wend_crowd_set_body(self.0.at, agent.raw(), null()) })
    }

    pub fn get_body(&self, agent: Agent) -> Result<sys::wend_body_state> {
        filled!(wend_body_state, |to| sys::wend_crowd_get_body(self.0.at, agent.raw(), to))
    }

    /// Put a body where the host's physics or animation has moved it, in thousandths of a cell.
    pub fn place_body(&self, agent: Agent, at: (i32, i32), velocity: (i32, i32)) -> Result<()> {
        let point = |(x, y): (i32, i32)| sys::wend_point { x, y, z: 0 };
        check(unsafe { sys::wend_crowd_place_body(self.0.at, agent.raw(), point(at), point(velocity)) })
    }
}
