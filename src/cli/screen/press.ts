import type { RunAction } from "../../core/decide.ts";
import type { TaskId } from "../../core/ids.ts";
import type { RunState } from "../../core/run-state.ts";
import type { TaskRow } from "../../core/select/task-rows.ts";
import type { Key } from "../keys/read-keys.ts";
import { TABS, type Tab } from "../render/detail/body.ts";
import type { Interrupt } from "../render/run/look.ts";
import { isWishKey, resolveKeyAction, type WishKey } from "./asking.ts";
import { goTo, nextOf, type Scrolled, scrolled, topOf } from "./scroll.ts";
import type { Find, Place, ScreenMessage, TaskPlace, Ui } from "./ui.ts";

/** One key. Every action is asked for once, and nothing else does anything to the run. */
export function press(before: Ui, key: Key, seen: Seen): Pressed {
  const ui = { ...before, told: null };
  if (ui.asking !== null) return pressAsked(ui, key);
  switch (ui.place.kind) {
    case "run":
      return pressInRun(ui, key, seen);
    case "keys":
      return pressInKeys(ui, ui.place, key, seen);
    default:
      return pressInTask(ui, ui.place, key, seen);
  }
}

function pressAsked(ui: Ui, key: Key): Pressed {
  const act = ui.asking?.does.get(key === "y" ? "enter" : key);
  // Any other key is no answer: the question stays until there is one.
  if (act === undefined && key !== "esc" && key !== "q") return { ui };
  return { ui: { ...ui, asking: null }, ...(act === undefined ? {} : { act }) };
}

const TABS_BY_KEY: Readonly<Record<string, Tab>> = { l: "log", d: "diff", c: "gates", m: "prompt" };

function pressInRun(ui: Ui, key: Key, seen: Seen): Pressed {
  const tab = key === "enter" ? "log" : TABS_BY_KEY[key];
  if (tab !== undefined) return openTask(ui, tab, seen);
  if (isWishKey(key)) return wish(ui, key, seen);
  switch (key) {
    case "up":
    case "k":
      return select(ui, seen, (at) => at - 1);
    case "down":
    case "j":
      return select(ui, seen, (at) => at + 1);
    case "home":
      return select(ui, seen, () => 0);
    case "end":
      return select(ui, seen, () => seen.rows.length - 1);
    case "esc":
      return { ui: { ...ui, selected: null, at: -1 } };
    case "?":
      return { ui: { ...ui, place: { kind: "keys", top: 0, from: { kind: "run" } } } };
    case "q":
      if (seen.interrupt === "leaves") return { ui, leaves: true };
      return { ui: { ...ui, told: RUNS_HERE } };
    default:
      return { ui };
  }
}

const RUNS_HERE: ScreenMessage = {
  text: "this process is the run: ^C stops it and saves its work",
  style: "yellow",
};

function select(ui: Ui, { rows }: Seen, move: (at: number) => number): Pressed {
  const found = rows.findIndex(({ task }) => task === ui.selected);
  // One that was there and is gone: the row that stands in its place now is the next.
  const isGone = found === -1 && ui.selected !== null;
  const wanted = isGone ? Math.min(ui.at, move(ui.at)) : move(found);
  const at = Math.max(0, Math.min(rows.length - 1, wanted));
  return { ui: { ...ui, selected: rows[at]?.task ?? null, at } };
}

function openTask(ui: Ui, tab: Tab, seen: Seen): Pressed {
  const task = ui.selected ?? seen.rows[0]?.task;
  if (task === undefined) return { ui };
  const place: TaskPlace = {
    ...{ kind: "task", task, n: seen.attempts(task), tab, wraps: false, find: null },
    top: tab === "log" ? "end" : 0,
  };
  return { ui: { ...ui, selected: task, place } };
}

/** In the list of keys nothing can be done but to read it. */
function pressInKeys(ui: Ui, place: Extract<Place, { kind: "keys" }>, key: Key, seen: Seen): Pressed {
  if (key === "esc" || key === "q" || key === "?" || key === "enter")
    return { ui: { ...ui, place: place.from } };
  const top = seen.body === null ? null : scrolled(place.top, key, seen.body);
  return top === null ? { ui } : { ui: { ...ui, place: { ...place, top } } };
}

/** What can be seen when a key is pressed. */
export type Seen = {
  readonly state: RunState;
  /** As they are drawn. */
  readonly rows: readonly TaskRow[];
  readonly interrupt: Interrupt;
  /** Attempts that a task has had. */
  readonly attempts: (task: TaskId) => number;
  /** What is scrolled; null where nothing is. */
  readonly body: Scrolled | null;
};

export type Pressed = {
  readonly ui: Ui;
  readonly act?: RunAction;
  /** Whoever watches has seen enough. */
  readonly leaves?: true;
};

/** Something that is asked of the run, wherever one stands. */
function wish(ui: Ui, key: WishKey, seen: Seen): Pressed {
  const wanted = resolveKeyAction(key, ui.selected, seen);
  if (wanted.kind === "tell") return { ui: { ...ui, told: wanted.told } };
  if (wanted.kind === "act") return { ui, act: wanted.action };
  return { ui: { ...ui, asking: wanted.asking, selected: wanted.task ?? ui.selected } };
}

/** A key before the log, diff, gates or prompt of a task. */
function pressInTask(ui: Ui, place: TaskPlace, key: Key, seen: Seen): Pressed {
  const find = place.find;
  if (find?.isTyping === true) return { ui: { ...ui, place: typed(place, find, key, seen) } };
  if (key === "esc" && find !== null) return { ui: { ...ui, place: { ...place, find: null } } };
  if (key === "esc" || key === "q") return { ui: { ...ui, place: { kind: "run" } } };
  if (key === "?") return { ui: { ...ui, place: { kind: "keys", top: 0, from: place } } };
  const moved = movedTo(place, key, seen);
  if (moved !== null) return { ui: { ...ui, place: moved } };
  return isWishKey(key) ? wish({ ...ui, selected: place.task }, key, seen) : { ui };
}

function movedTo(place: TaskPlace, key: Key, seen: Seen): TaskPlace | null {
  const tab = key === "t" ? "log" : TABS_BY_KEY[key];
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

function typed(place: TaskPlace, find: Find, key: Key, seen: Seen): TaskPlace {
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
