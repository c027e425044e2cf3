import type { RunAction } from "../../core/decide.ts";
import type { TaskId } from "../../core/ids.ts";
import type { Tab } from "../render/detail/body.ts";
import type { Style } from "../render/line.ts";
import type { Asked } from "../render/run/foot.ts";

/** What somebody who looks at a run has chosen to see. Plain data: keys turn one into the next, whoever draws only reads it. */
export type Ui = {
  readonly selected: TaskId | null;
  /** Where the selected row stood: there the keys go on when it is gone. */
  readonly at: number;
  readonly place: Place;
  readonly asking: Asking | null;
  /** An answer, until the next key. */
  readonly told: ScreenMessage | null;
};

export type Place =
  /** The block below what stays. */
  | { readonly kind: "run" }
  | { readonly kind: "keys"; readonly top: Top; readonly from: Exclude<Place, { kind: "keys" }> }
  | TaskPlace;

export type TaskPlace = {
  readonly kind: "task";
  readonly task: TaskId;
  /** The attempt; 0 where it has none yet. */
  readonly n: number;
  readonly tab: Tab;
  readonly top: Top;
  readonly wraps: boolean;
  readonly find: Find | null;
};

/** The first line that is seen; `end` follows what comes. */
export type Top = number | "end";

export type Find = { readonly text: string; readonly isTyping: boolean };

/** Something that would be done, and what for each key. */
export type Asking = { readonly asked: Asked; readonly does: ReadonlyMap<string, RunAction> };

export type ScreenMessage = { readonly text: string; readonly style: Style };

export const FIRST_UI: Ui = { selected: null, at: -1, place: { kind: "run" }, asking: null, told: null };
