// SPDX-License-Identifier: MIT
// Where libwend is: WEND_LIB_DIR, else what pkg-config says, else where the linker looks.
use std::env;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=WEND_LIB_DIR");
    if let Ok(dir) = env::var("WEND_LIB_DIR") {
        println!("cargo:rustc-link-search=native={dir}");
        return;
    }
    let told = Command::new("pkg-config").args(["--libs-only-L", "wend"]).output();
    let told = told.map(|told| told.stdout).unwrap_or_default();
    for word in String::from_utf8_lossy(&told).split_whitespace() {
        if let Some(dir) = word.strip_prefix("-L") {
            println!("cargo:rustc-link-search=native={dir}");
        }
    }
}
