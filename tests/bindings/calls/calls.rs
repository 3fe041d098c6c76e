// SPDX-License-Identifier: MIT
//! Calls each function of `wend-sys` as it is declared there, and measures each struct; echo.h says what is compared.
use std::ffi::CString;
use std::mem::{size_of, MaybeUninit};
use std::os::raw::{c_char, c_int, c_void};
use wend_sys::*;

#[link(name = "echo")]
extern "C" {
    fn echo_fill(to: *mut c_void, bytes: usize, position: c_int);
    fn echo_right(name: *const c_char) -> c_int;
}

const RESULT: c_int = 31;

/// An argument or a result, of the type that the function declares.
fn filled<T: Copy>(position: c_int) -> T {
    let mut out = MaybeUninit::<T>::uninit();
    unsafe {
        echo_fill(out.as_mut_ptr().cast(), size_of::<T>(), position);
        out.assume_init()
    }
}

fn bytes_of<T: Copy>(value: &T) -> &[u8] {
    unsafe { std::slice::from_raw_parts((value as *const T).cast(), size_of::<T>()) }
}

fn report(good: bool, name: &str) -> bool {
    println!("{} {name}", if good { "ok" } else { "not ok" });
    good
}

fn has_returned<T: Copy>(name: &str, positions: &[c_int], got: T) -> bool {
    let c_name = CString::new(name).unwrap();
    let right = unsafe { echo_right(c_name.as_ptr()) };
    report(right == positions.len() as c_int && bytes_of(&got) == bytes_of(&filled::<T>(RESULT)), &format!("{name}()"))
}

macro_rules! call {
    ($name:ident $($position:literal)*) => {
        has_returned(stringify!($name), &[$($position),*], unsafe { $name($(filled($position)),*) })
    };
}

/// Offsets and the size are those that bindings/api/layouts.c asserts, so the fields between them have their sizes, too.
macro_rules! measure {
    ($type:ident $bytes:literal $($field:ident $at:literal)*) => {{
        let room = MaybeUninit::<$type>::uninit();
        let found = [$(unsafe { std::ptr::addr_of!((*room.as_ptr()).$field) as usize } - room.as_ptr() as usize),*];
        report(size_of::<$type>() == $bytes && found == [$($at),*], stringify!($type))
    }};
}

// `emit.py API.json rust-calls` writes call_each() and measure_each().
include!("calls.inc.rs");

fn main() {
    let measured = if cfg!(target_pointer_width = "64") { measure_each() } else { vec![] }; // as layouts.c does
    let good = [call_each(), measured].concat().into_iter().all(|good| good);
    std::process::exit(i32::from(!good));
}
