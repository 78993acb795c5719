// What a page does in the browser: it draws the views, opens a result once its prediction is compared, shows what terms
// mean, and remembers which lessons have been read.

"use strict";

// Views, in the page's theme.

const dark = matchMedia("(prefers-color-scheme: dark)");

// kit.css looks for the attribute of JupyterLab's theme, so it is set to the page's theme.
function followTheme({ type } = {}) {
  const { theme } = document.body.dataset;
  const isDark = type !== "beforeprint" && (theme === "dark" || (theme !== "light" && dark.matches)); // paper is white
  document.body.dataset.jpThemeLight = String(!isDark);
}

function drawViews() {
  for (const host of document.querySelectorAll(".lab-host")) {
    const data = JSON.parse(host.querySelector("script").textContent);
    const place = document.createElement("div");
    host.append(place);
    if (data.questions?.some(({ after }) => after)) {
      place.addEventListener("lab-compared", ({ detail }) => detail.cleared || openResults(host)); // also at once, after a reload
    }
    window.drawView(place, data);
  }
}

// Once a prediction is compared, there's no reason to fold what comes next.
function openResults(host) {
  const cells = [...document.querySelectorAll(".cell")];
  for (const cell of cells.slice(cells.indexOf(host.closest(".cell")) + 1)) {
    const fold = cell.querySelector("details.hide:not(.above-input)");
    if (!fold) return;
    fold.open = true;
  }
}

// A picture that stays beside the text that follows it, up to the exercise: that of the cell tagged `pinned`. Where there
// is room (site.css), the text's links move it as they pass the middle of the window.

const beside = matchMedia("(min-width: 75em)");

function pinPicture() {
  const cell = document.querySelector(".cell.tag_pinned");
  const home = cell?.closest("section");
  if (!home) return;
  const range = Object.assign(document.createElement("div"), { className: "pinned-range" });
  home.before(range);
  for (let part = home; part && (part === home || !part.querySelector?.(".tag_exercise")); part = range.nextSibling) range.append(part);
  home.classList.add("pinned-home"); // without a box, so its name goes to its heading
  home.firstElementChild.id = home.id;
  home.removeAttribute("id");
  const place = Object.assign(document.createElement("span"), { hidden: true }); // where it is on a narrow page
  cell.before(place);
  const put = () => (beside.matches ? home.firstElementChild : place).after(cell);
  beside.addEventListener("change", put);
  put();
  followText(range, cell);
}

function followText(range, cell) {
  let [shown, isTheirs] = [null, false]; // whoever has moved the picture keeps it until a link is clicked
  for (const type of ["pointerdown", "keydown"]) cell.addEventListener(type, () => (isTheirs = true));
  range.addEventListener("click", ({ target }) => target.closest('a[href^="#show:"]') && (isTheirs = false));
  const links = [...range.querySelectorAll('a[href^="#show:"]')];
  const follow = () => {
    const passed = links.filter((link) => link.offsetParent && link.getBoundingClientRect().top < innerHeight / 2).at(-1);
    if (!beside.matches || !passed || passed === shown || isTheirs) return;
    shown = passed;
    passed.dispatchEvent(new CustomEvent("lab-show", { bubbles: true }));
  };
  const observer = new IntersectionObserver(follow, { rootMargin: "0px 0px -50% 0px" });
  links.forEach((link) => observer.observe(link));
}

// Whatever scrolls sideways must also be reachable by keyboard.
function reachWhatScrolls() {
  for (const part of document.querySelectorAll("article pre, article .table-wrapper")) {
    if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
    else part.removeAttribute("tabindex");
  }
}

// Terms: their meaning on hover and focus, and on a first tap.

function showMeanings() {
  const tip = Object.assign(document.createElement("div"), { id: "term-tip", hidden: true });
  tip.setAttribute("role", "tooltip");
  document.body.append(tip);
  let [shown, timer, tapped] = [null, null, false];

  const hide = () => {
    clearTimeout(timer);
    shown?.removeAttribute("aria-describedby");
    shown = null;
    tip.hidden = true;
  };
  const show = (link) => {
    clearTimeout(timer);
    if (link === shown) return;
    hide();
    const [word, chinese, meaning] = window.courseTerms[link.hash.slice(1)];
    const name = Object.assign(document.createElement("b"), { textContent: word });
    const other = Object.assign(document.createElement("span"), { textContent: chinese, lang: "zh" });
    const parts = meaning.split("`").map((part, i) => (i % 2 ? Object.assign(document.createElement("code"), { textContent: part }) : part));
    tip.replaceChildren(name, " ", other, document.createElement("br"), ...parts);
    tip.hidden = false;
    link.setAttribute("aria-describedby", tip.id);
    const [{ left, bottom, top }, { offsetWidth: width, offsetHeight: height }] = [link.getClientRects()[0], tip];
    const { clientWidth, clientHeight } = document.documentElement;
    tip.style.left = `${Math.max(8, Math.min(left, clientWidth - width - 8)) + scrollX}px`;
    tip.style.top = `${(bottom + height + 8 > clientHeight ? top - height - 4 : bottom + 4) + scrollY}px`;
    shown = link;
  };
  const termOf = ({ target }) => target.closest?.("a.term");
  const on = (type, act) => document.addEventListener(type, act);
  on("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const link = termOf(event);
    if (link) show(link);
    else if (tip.contains(event.target)) clearTimeout(timer);
    else if (shown && shown !== document.activeElement) {
      clearTimeout(timer);
      timer = setTimeout(hide, 200); // time to move the pointer onto the words
    }
  });
  on("focusin", (event) => (termOf(event) ? show(termOf(event)) : hide()));
  on("focusout", hide);
  on("keydown", ({ key }) => key === "Escape" && hide());
  on("pointerdown", (event) => {
    tapped = event.pointerType === "touch" && termOf(event) && termOf(event) !== shown;
    if (shown && !termOf(event) && !tip.contains(event.target)) hide();
  });
  on("click", (event) => {
    const link = termOf(event);
    if (!tapped || !link) return;
    tapped = false;
    event.preventDefault(); // a second tap goes to the glossary
    show(link);
  });
}

// The index of minitf's names, which shrinks to what the reader types.

function filterNames() {
  const filter = document.querySelector(".name-filter");
  if (!filter) return;
  const [input, count] = [filter.querySelector("input"), filter.querySelector("output")];
  const entries = [...document.querySelectorAll("dl.py:not(dl.py dl.py)")];
  const show = () => {
    const words = input.value.toLowerCase().split(/\s+/);
    const names = (entry) => [...entry.querySelectorAll("dt")].map(({ id }) => id.toLowerCase());
    const fits = (entry) => names(entry).some((name) => words.every((word) => name.includes(word)));
    for (const entry of entries) entry.hidden = !fits(entry);
    for (const space of document.querySelectorAll("section section")) space.hidden = !space.querySelector(":scope > dl.py:not([hidden])");
    for (const names of document.querySelectorAll(".names")) names.hidden = input.value !== "";
    count.textContent = input.value && `${entries.filter(({ hidden }) => !hidden).length} of ${entries.length}`;
  };
  input.addEventListener("input", show);
  filter.hidden = false;
}

// What has been read, by the lessons' numbers.

const KEY = "global-step-course-read";

function readSoFar() {
  try {
    return new Set(JSON.parse(localStorage.getItem(KEY)) ?? []);
  } catch {
    return new Set(); // nothing is stored, or not by us
  }
}

function remember(numbers) {
  try {
    localStorage.setItem(KEY, JSON.stringify([...numbers]));
  } catch {
    // Then this page forgets it.
  }
}

const numberIn = (address) => /\/lessons\/(\d\d)_[^/.]*(?:\.html)?$/.exec(address)?.[1];

function markRead() {
  const read = readSoFar();
  document.querySelectorAll(".read-mark").forEach((mark) => mark.remove());
  const tick = (place) => {
    const mark = Object.assign(document.createElement("span"), { className: "read-mark", textContent: "\u00a0✓", title: "You've read this." });
    mark.setAttribute("role", "img");
    mark.setAttribute("aria-label", "read");
    place.append(mark);
  };
  for (const link of document.querySelectorAll(".sidebar-tree a")) {
    if (read.has(numberIn(new URL(link.href).pathname))) tick(link);
  }
  const rows = [...document.querySelectorAll("#the-lessons tbody tr")].map((row) => [row.cells[0].textContent.trim(), row, Number(row.cells[3].textContent)]);
  for (const [number, row] of rows) if (read.has(number)) tick(row.cells[1].querySelector("p") ?? row.cells[1]);
  const cards = [...document.querySelectorAll(".card[data-lesson]")].map((card) => [card.dataset.lesson, card]);
  for (const [number, card] of cards) {
    card.classList.toggle("is-read", read.has(number));
    if (read.has(number)) tick(card);
  }
  if (rows.length || cards.length) summarize([...rows, ...cards], read);
  if (cards.length) goOn(cards.filter(([number]) => !read.has(number)), read);
}

// How many lessons have been read, and in lesson 00's map also how long the others take.
function summarize(lessons, read) {
  const map = document.getElementById("the-lessons");
  let said = map.querySelector(".read-so-far");
  if (!said) {
    said = Object.assign(document.createElement("p"), { className: "read-so-far" });
    map.querySelector("h2").after(said);
  }
  const left = lessons.filter(([number]) => !read.has(number));
  const minutes = left.reduce((sum, [, , long = 0]) => sum + long, 0);
  const forget = Object.assign(document.createElement("button"), { type: "button", textContent: "Forget this" });
  forget.addEventListener("click", () => {
    remember([]);
    markRead();
  });
  const all = `${lessons.length} lessons`;
  if (left.length === lessons.length) {
    const long = minutes ? `${all}, about ${minutes} minutes in all. ` : "";
    said.replaceChildren(`${long}Each one you've read gets a ✓.`);
    return;
  }
  const still = minutes ? `, with about ${minutes} minutes to go` : "";
  const progress = left.length ? `${lessons.length - left.length} of ${all}${still}` : `all ${all}`;
  said.replaceChildren(`You've read ${progress}. (Only this browser remembers that.)`, " ", forget);
}

// On the first page, the button leads to the first lesson that hasn't been read.
function goOn([next], read) {
  const button = document.querySelector(".face-button");
  button.dataset.start ??= button.innerHTML;
  button.dataset.first ??= button.getAttribute("href");
  const link = read.size && next?.[1].querySelector("a");
  if (link) button.replaceChildren(Object.assign(document.createElement("b"), { textContent: "Continue" }), ` with ${next[0]} ${link.textContent}`);
  else button.innerHTML = button.dataset.start;
  button.href = link ? link.getAttribute("href") : button.dataset.first;
}

// A lesson counts as read once its end has been seen.
function watchTheEnd() {
  const number = numberIn(location.pathname);
  const end = document.querySelector("footer .related-pages");
  if (!number || !end) return;
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    remember(readSoFar().add(number));
    markRead();
  });
  observer.observe(end);
}

// What a page says around the words or, if it doesn't have them together, around the first of them.
function quote(text, words) {
  const places = [words, ...words.split(/\s+/)].map((part) => text.toLowerCase().indexOf(part));
  const at = places.find((place) => place >= 0) ?? 0;
  const [before, after] = [text.slice(Math.max(0, at - 100), at), text.slice(at, at + 150)];
  return `… ${before.replace(/^\S*\s/, "")}${after.replace(/\s\S*$/, "")} …`;
}

// The words of a text that matter, in their basic forms. All negations ("doesn't", "never") become one word, "not".
const DULL = new Set("a an and are as at be been but by can do does for from get had has have how i if in into is it its me my of on or so that the their them there this to was we what when where which why will with you your".split(" "));

function meant(text) {
  const stemmer = new Stemmer();
  const plain = text.toLowerCase().replace(/\b\w+n['’]t\b|\b(never|no|nothing|without)\b/g, " not ");
  const words = plain.split(/[^\p{L}\p{N}_]+/u).flatMap((word) => (window.courseMeans[word] ?? word).split(" "));
  return new Set(words.filter((word) => word && !DULL.has(word)).map((word) => stemmer.stemWord(word)));
}

// How close what is searched for comes to what people ask of each page: from 0, no word in common, to 1.
function closeness(query) {
  const [sought, pages] = [meant(query), new Map()];
  for (const [page, phrase] of window.courseAsked) {
    const words = meant(phrase);
    const shared = [...words].filter((word) => sought.has(word)).length;
    pages.set(page, Math.max(pages.get(page) ?? 0, (2 * shared) / (words.size + sought.size || 1)));
  }
  return pages;
}

// The pages that have all words that matter or, if none has, all but one of them.
function searchSentence(search, query, terms, more) {
  const matter = [...terms].filter((term) => !DULL.has(term));
  const sought = matter.length ? matter : [...terms];
  const find = (words) => search(query, new Set(words), ...more);
  const found = find(sought);
  if (found.length || sought.length < 3) return found;
  const pages = new Map(sought.flatMap((one) => find(sought.filter((term) => term !== one))).map((it) => [it[0], it]));
  return [...pages.values()];
}

// Pages that answer what is asked come first, whether they have the same words or others.
function searchWhatIsMeant() {
  const search = Search._performSearch;
  Search._performSearch = (query, terms, ...more) => {
    const found = searchSentence(search, query, terms, more);
    const { docnames, titles, filenames } = Search._index;
    const least = found.length ? 0.7 : 0.5;
    for (const [page, close] of closeness(query)) {
      const number = docnames.indexOf(page);
      if (close < least || number < 0) continue;
      const best = found.findLast(([name]) => name === page);
      if (best) best[4] += 100 * close;
      else found.push([page, titles[number], "", null, 100 * close, filenames[number], "text"]);
    }
    return found.sort((a, b) => a[4] - b[4]); // shown from the last to the first
  };
}

// Sphinx's search, with lessons first. It quotes from texts.js, because a page from disk can't fetch other pages. Only a
// page that is opened from a result marks the words that were searched for.
function improveSearch() {
  const ranks = { lessons: 20, CONTRIBUTING: -20 };
  const words = new URLSearchParams(location.search).get("q")?.trim().toLowerCase() || " ";
  const uses = (page) => (window.courseTexts[`${page}.html`] ?? "").toLowerCase().split(words).length - 1;
  Scorer.score = ([page, , , , score]) => score + (ranks[page.split("/")[0]] ?? 0) + Math.min(uses(page), 19);
  searchWhatIsMeant();
  const missed =
    "Your search did not match any documents. Please make sure that all words are spelled correctly and that you've selected enough categories.";
  const hint = "No page has all of these words. Try fewer of them, or check the spelling.";
  Documentation.TRANSLATIONS[missed] = hint;
  Search.makeSearchSummary = (text) => Object.assign(document.createElement("p"), { className: "context", textContent: quote(text, words) });
  window.fetch = async (address) => ({ text: async () => window.courseTexts[address.replace(/^\.\//, "")] });
  document.addEventListener("click", ({ target }) => {
    if (!target.closest("#search-results a")) localStorage.removeItem("sphinx_highlight_terms");
  });
}

followTheme();
dark.addEventListener("change", followTheme);
addEventListener("beforeprint", followTheme);
addEventListener("afterprint", followTheme);
new MutationObserver(() => followTheme()).observe(document.body, { attributeFilter: ["data-theme"] });
pinPicture();
drawViews();
showMeanings();
filterNames();
markRead();
watchTheEnd();
new ResizeObserver(reachWhatScrolls).observe(document.querySelector("article")); // also when something unfolds
if (typeof Search !== "undefined") improveSearch();
