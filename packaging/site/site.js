/* SPDX-License-Identifier: MIT */
// The search: places that have all words, or words that begin so; those with them in the title first.
"use strict";

const MOST = 30;
const field = document.querySelector("nav input");
const list = document.getElementById("found");

function worth([, title, words], asked) {
  let sum = 0;
  for (const word of asked) {
    const head = title.toLowerCase();
    if (head === word) sum += 100;
    else if (head.includes(word)) sum += 10;
    else if ((" " + words).includes(" " + word + " ")) sum += 2;
    else if ((" " + words).includes(" " + word)) sum += 1;
    else return 0;
  }
  return sum;
}

field.addEventListener("input", () => {
  const asked = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = asked.length === 0 ? [] : INDEX.map((entry) => [worth(entry, asked), entry]).filter(([sum]) => sum > 0);
  found.sort((a, b) => b[0] - a[0]);
  list.hidden = asked.length === 0;
  list.replaceChildren(...found.slice(0, MOST).map(([, [url, title]]) => {
    const item = document.createElement("li"), link = document.createElement("a");
    link.href = document.body.dataset.up + url;
    link.textContent = title;
    item.append(link);
    return item;
  }));
  if (asked.length > 0 && found.length === 0) list.textContent = "Nothing has all these words.";
});
