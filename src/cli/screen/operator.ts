import type { RunView } from "../../app/run-view.ts";
import type { RunAction } from "../../core/decide.ts";
import type { Fact } from "../../core/facts.ts";
import type { TaskId } from "../../core/ids.ts";
import { formatAction } from "../../core/select/action-text.ts";
import { taskRow } from "../../core/select/task-rows.ts";
import type { Key } from "../keys/read-keys.ts";
import type { Controls, ProgressClock } from "../progress/io.ts";
import type { Interrupt } from "../render/run/look.ts";
import { press, type Seen } from "./press.ts";
import { createTaskTexts, type TaskTexts } from "./task-texts.ts";
import { FIRST_UI, type ScreenMessage, type Ui } from "./ui.ts";

/** Whoever sits there: what they have chosen to see, what they asked for, and what became of it. */
export type Operator = {
  readonly ui: () => Ui;
  readonly texts: TaskTexts;
  readonly take: (key: Key) => void;
  readonly heard: (fact: Fact) => void;
  readonly close: () => void;
};

/** An answer is read by then. */
const TOLD_MS = 6_000;

export type OperatorOptions = {
  readonly view: RunView;
  readonly controls: Controls;
  readonly clock: ProgressClock;
  readonly interrupt: Interrupt;
  /** What is on the screen when a key comes. */
  readonly seen: () => Pick<Seen, "rows" | "body">;
  readonly changed: () => void;
};

export function createOperator(options: OperatorOptions): Operator {
  const { view, controls, clock, interrupt, seen, changed } = options;
  const texts = createTaskTexts(controls.texts, changed);
  let ui: Ui = FIRST_UI;
  let timer: { readonly cancel: () => void } | null = null;
  let isOver = false;

  function take(key: Key): void {
    const { ui: next, act, leaves } = press(ui, key, { ...seen(), state: view.state(), interrupt, attempts });
    if (next.place.kind === "run" && ui.place.kind !== "run") texts.rest();
    ui = next;
    if (ui.told !== null) tell(ui.told);
    if (act !== undefined) void perform(act);
    if (leaves === true) controls.leave();
    changed();
  }

  const attempts = (task: TaskId): number => taskRow(view.state(), task, view.now())?.attempts ?? 0;

  async function perform(action: RunAction): Promise<void> {
    const { accepted } = formatAction(view.state(), action, { isRunning: true });
    const refusal = await controls.act(action).catch((error: unknown) => String(error));
    if (isOver) return;
    tell(refusal === null ? { text: accepted, style: "green" } : { text: refusal, style: "red" });
    changed();
  }

  function tell(told: ScreenMessage): void {
    ui = { ...ui, told };
    timer?.cancel();
    timer = clock.setTimer(TOLD_MS, () => {
      ui = { ...ui, told: null };
      changed();
    });
  }

  return {
    ui: () => ui,
    texts,
    take,
    heard: (fact) => {
      // Whoever is asked whether to stop it need not answer any more.
      if (fact.type === "run.stopping") ui = { ...ui, asking: null };
      texts.heard(fact);
    },
    close: () => {
      isOver = true;
      timer?.cancel();
      texts.rest();
    },
  };
}
