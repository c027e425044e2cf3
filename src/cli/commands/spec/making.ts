// An artefact folder in the making, for the commands that ask for one.

import type { CheckedDesign } from "../../../app/spec/decompose/check-design.ts";
import type { Decomposition } from "../../../app/spec/decompose/prepare.ts";
import type { GoodDesign } from "../../../app/spec/decompose/write-folder.ts";
import type { Asker } from "./converse.ts";
import type { DecomposeEnd } from "./decompose-end.ts";
import type { Wanted } from "./decompose-words.ts";

export type Making = Asker & {
  readonly wanted: Wanted;
  readonly decomposition: Decomposition;
  /** Files beside the folder with the design that it begins with; none where it is not kept there. */
  readonly kept: readonly string[];
  /** What a person is asked before anything is written. */
  readonly question: string;
  /** How a design that is kept beside can be taken later, perhaps into another folder. */
  readonly formatLater: (design: string, into?: string) => string;
};

/** A person wants the design changed. `isEdited`: it is not the one any more that the architect knows. */
export type Correction = {
  readonly kind: "correct";
  readonly sentence: string;
  readonly checked: CheckedDesign;
  readonly isEdited: boolean;
};

/** What a person says of a design, in the version that they have made of it. */
export type Decision = Correction | (Settling & { readonly isEdited: boolean });

type Settling =
  | { readonly kind: "yes"; readonly checked: GoodDesign }
  /** `unasked`: there is nobody to ask. */
  | { readonly kind: "no" | "interrupted" | "unasked"; readonly checked: CheckedDesign };

/** A design that was decided about, and who was asked for it. */
export type Settled = Exclude<Decision, Correction> & { readonly asked: DecomposeEnd["asked"] };
