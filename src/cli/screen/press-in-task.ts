import type { Key } from "../keys/read-keys.ts";
import { TABS, type Tab } from "../render/detail/body.ts";
import { isWishKey } from "./asking.ts";
import { type Pressed, type Seen, wish } from "./pressed.ts";
import { goTo, nextOf, type Scrolled, scrolled, topOf } from "./scroll.ts";
import type { Find, TaskPlace, Ui } from "./ui.ts";

type Press = { readonly key: Key; readonly seen: Seen };

/** A key before the log, diff, gates or prompt of a task. */
export function pressInTask(ui: Ui, place: TaskPlace, { key, seen }: Press): Pressed {
  const find = place.find;
  if (find?.isTyping === true) return { ui: { ...ui, place: typed(place, find, { key, seen }) } };
  if (key === "esc" && find !== null) return { ui: { ...ui, place: { ...place, find: null } } };
  if (key === "esc" || key === "q") return { ui: { ...ui, place: { kind: "run" } } };
  if (key === "?") return { ui: { ...ui, place: { kind: "keys", top: 0, from: place } } };
  const moved = movedTo(place, { key, seen });
  if (moved !== null) return { ui: { ...ui, place: moved } };
  return isWishKey(key) ? wish({ ...ui, selected: place.task }, key, seen) : { ui };
}

const LETTERS: Readonly<Record<string, Tab>> = { l: "log", t: "log", d: "diff", c: "gates", m: "prompt" };

function movedTo(place: TaskPlace, { key, seen }: Press): TaskPlace | null {
  const tab = LETTERS[key];
  if (tab !== undefined) return inTab(place, tab);
  if (key === "tab") return inTab(place, beside(place.tab, 1));
  if (key === "shift-tab") return inTab(place, beside(place.tab, -1));
  if (key === "[") return inAttempt(place, place.n - 1, seen);
  if (key === "]") return inAttempt(place, place.n + 1, seen);
  if (key === "/") return { ...place, find: { text: "", isTyping: true } };
  if (key === "w") return { ...place, wraps: !place.wraps, top: topIn(place, seen.body) };
  if (seen.body === null) return null;
  const jump = jumpOf(place, key, seen.body);
  if (jump !== null) return { ...place, top: jump };
  const top = scrolled(place.top, key, seen.body);
  return top === null ? null : { ...place, top };
}

const beside = (tab: Tab, step: 1 | -1): Tab =>
  TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length] as Tab;

const topIn = (place: TaskPlace, body: Scrolled | null): TaskPlace["top"] =>
  body === null || place.top === "end" ? place.top : topOf(place.top, body);

function inTab(place: TaskPlace, tab: Tab): TaskPlace {
  return tab === place.tab ? place : { ...place, tab, top: tab === "log" ? "end" : 0, find: null };
}

function inAttempt(place: TaskPlace, n: number, { attempts }: Seen): TaskPlace {
  const most = attempts(place.task);
  const wanted = Math.max(Math.min(1, most), Math.min(most, n));
  return wanted === place.n ? place : { ...place, n: wanted, top: place.tab === "log" ? "end" : 0 };
}

/** Files and hunks of a diff; what is looked for comes first, while something is. */
function jumpOf({ top, find, tab }: TaskPlace, key: Key, body: Scrolled): TaskPlace["top"] | null {
  const at = topOf(top, body);
  const to = (lines: readonly number[], step: 1 | -1) => {
    const line = nextOf(lines, at, step);
    return line === null ? top : goTo(line, body);
  };
  if (find !== null && key === "n") return to(body.hits, 1);
  if (find !== null && key === "N") return to(body.hits, -1);
  if (tab !== "diff") return null;
  if (key === "n") return to(body.files, 1);
  if (key === "p") return to(body.files, -1);
  if (key === "}") return to(body.hunks, 1);
  if (key === "{") return to(body.hunks, -1);
  return null;
}

const LONGEST_FIND = 100;

function typed(place: TaskPlace, find: Find, { key, seen }: Press): TaskPlace {
  if (key === "esc") return { ...place, find: null };
  if (key === "enter") return found(place, find, seen.body);
  if (key === "backspace") return { ...place, find: { ...find, text: [...find.text].slice(0, -1).join("") } };
  if ([...key].length > 1 || find.text.length >= LONGEST_FIND) return place;
  return { ...place, find: { ...find, text: find.text + key } };
}

/** At the first hit from here on, else from the beginning; an empty text looks for nothing. */
function found(place: TaskPlace, find: Find, body: Scrolled | null): TaskPlace {
  if (find.text === "") return { ...place, find: null };
  const done = { ...place, find: { ...find, isTyping: false } };
  if (body === null) return done;
  const at = topOf(place.top, body);
  const line = nextOf(body.hits, at - 1, 1) ?? body.hits[0];
  return line === undefined ? done : { ...done, top: goTo(line, body) };
}
