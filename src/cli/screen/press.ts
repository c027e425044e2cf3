import type { Key } from "../keys/read-keys.ts";
import type { Tab } from "../render/detail/body.ts";
import { isWishKey } from "./asking.ts";
import { pressInTask } from "./press-in-task.ts";
import { type Pressed, type Seen, wish } from "./pressed.ts";
import { scrolled } from "./scroll.ts";
import type { Place, TaskPlace, Ui } from "./ui.ts";

/** One key. Every action is asked for once, and nothing else does anything to the run. */
export function press(before: Ui, key: Key, seen: Seen): Pressed {
  const ui = { ...before, told: null };
  if (ui.asking !== null) return pressAsked(ui, key);
  switch (ui.place.kind) {
    case "run":
      return pressInRun(ui, key, seen);
    case "keys":
      return pressInKeys(ui, ui.place, { key, seen });
    default:
      return pressInTask(ui, ui.place, { key, seen });
  }
}

function pressAsked(ui: Ui, key: Key): Pressed {
  const act = ui.asking?.does.get(key === "y" ? "enter" : key);
  // Any other key is no answer: the question stays until there is one.
  if (act === undefined && key !== "esc" && key !== "q") return { ui };
  return { ui: { ...ui, asking: null }, ...(act === undefined ? {} : { act }) };
}

const TAB_KEYS: Readonly<Record<string, Tab>> = {
  enter: "log",
  l: "log",
  d: "diff",
  c: "gates",
  m: "prompt",
};

function pressInRun(ui: Ui, key: Key, seen: Seen): Pressed {
  const tab = TAB_KEYS[key];
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
      return {
        ui: {
          ...ui,
          told: { text: "this process runs the run: ^C stops it and saves its work", style: "yellow" },
        },
      };
    default:
      return { ui };
  }
}

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
function pressInKeys(
  ui: Ui,
  place: Extract<Place, { kind: "keys" }>,
  { key, seen }: { readonly key: Key; readonly seen: Seen },
): Pressed {
  if (key === "esc" || key === "q" || key === "?" || key === "enter")
    return { ui: { ...ui, place: place.from } };
  const top = seen.body === null ? null : scrolled(place.top, key, seen.body);
  return top === null ? { ui } : { ui: { ...ui, place: { ...place, top } } };
}
