import { fix } from "../../../core/text/sentence.ts";
// An artefact folder in the making, for the commands that ask for one.

import type { CheckedDesign } from "../../../app/spec/decompose/check-design.ts";
import type { DecomposeRequest, Decomposition } from "../../../app/spec/decompose/prepare.ts";
import type { GoodDesign } from "../../../app/spec/decompose/write-folder.ts";
import { defaultCaps } from "../../../config/settings.ts";
import { type Command, plait, shellWord } from "../../../core/text/command.ts";
import type { Request } from "../../request.ts";
import { UsageError } from "../../request-error.ts";
import type { Asker } from "./converse.ts";
import type { DecomposeEnd } from "./decompose-end.ts";

export type Making = Asker & {
  readonly wanted: Wanted;
  readonly decomposition: Decomposition;
  /** Files beside the folder with the design that it begins with; none where it is not kept there. */
  readonly kept: readonly string[];
  /** What a person is asked before anything is written. */
  readonly question: string;
  /** How a design that is kept beside can be taken later, perhaps into another folder. */
  readonly buildLater: (design: string, into?: string) => Command;
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

export type Wanted = DecomposeRequest & {
  /** An existing design; null: an agent designs. */
  readonly fromFile: string | null;
  readonly rounds: number;
};

export const DEFAULT_ROUNDS = 3;

/** With `--tech-spec` the argument is the product requirements, as in older versions. */
export function readDecomposeFlags({ args: [first], options, env }: Request): Wanted {
  const { techSpec, prd, fromFile, techSpecId, name, tech, into, rounds } = options;
  if (techSpec !== undefined && first !== undefined && prd !== undefined)
    throw new UsageError(
      "the product requirements are given twice",
      `remove one of them: ${shellWord(first)} or --prd ${shellWord(prd)}`,
    );
  const spec = techSpec ?? first ?? null;
  const isNamed = techSpecId !== undefined && name !== undefined;
  if (spec === null && !(fromFile !== undefined && isNamed))
    throw new UsageError(
      "missing tech spec",
      fix("pass a file or an id", plait("spec decompose", "TS-0042")),
    );
  return {
    spec,
    prd: (techSpec === undefined ? prd : (prd ?? first)) ?? null,
    techSpecId: techSpecId ?? null,
    name: name ?? null,
    technology: tech ?? null,
    into: into ?? null,
    asksAgent: fromFile === undefined,
    caps: { ...defaultCaps, ...env.caps },
    fromFile: fromFile ?? null,
    rounds: rounds ?? DEFAULT_ROUNDS,
  };
}

/** The same command with this design instead of an agent. */
export function buildDecompose(
  { args, options }: Pick<Request, "args" | "options">,
  design: string,
): Command {
  const { techSpec, prd, techSpecId, name, tech, into } = options;
  return plait("spec decompose", args, {
    ...{ "tech-spec": techSpec, prd, "tech-spec-id": techSpecId, name, tech, into },
    "from-file": design,
  });
}
