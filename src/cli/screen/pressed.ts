import type { RunAction } from "../../core/decide.ts";
import type { TaskId } from "../../core/ids.ts";
import type { RunState } from "../../core/run-state.ts";
import type { TaskRow } from "../../core/select/task-rows.ts";
import type { Interrupt } from "../render/run/look.ts";
import { type WishKey, wishOf } from "./asking.ts";
import type { Scrolled } from "./scroll.ts";
import type { Ui } from "./ui.ts";

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
export function wish(ui: Ui, key: WishKey, seen: Seen): Pressed {
  const wanted = wishOf(key, ui.selected, seen);
  if (wanted.kind === "tell") return { ui: { ...ui, told: wanted.told } };
  if (wanted.kind === "act") return { ui, act: wanted.action };
  return { ui: { ...ui, asking: wanted.asking, selected: wanted.task ?? ui.selected } };
}
