import type { DecomposeRequest } from "../../../app/spec/decompose/prepare.ts";
import { defaultCaps } from "../../../config/caps.ts";
import { shellWord } from "../../../core/select/preview/commands.ts";
import type { Request } from "../../request.ts";
import { UsageError } from "../../request-error.ts";

export type Wanted = DecomposeRequest & {
  /** A design that somebody has already; null: an agent is asked for one. */
  readonly fromFile: string | null;
  readonly rounds: number;
};

export const DEFAULT_ROUNDS = 3;

/** With `--tech-spec` the file that is named first holds the requirements, as it once did. */
export function wantedOf({ args: [first], options, env }: Request): Wanted {
  const { techSpec, prd, fromFile, techSpecId, name, tech, into, rounds } = options;
  if (techSpec !== undefined && first !== undefined && prd !== undefined)
    throw new UsageError(
      "the product requirements are named twice",
      `keep one of them: ${shellWord(first)}, or --prd ${shellWord(prd)}`,
    );
  const spec = techSpec ?? first ?? null;
  const isNamed = techSpecId !== undefined && name !== undefined;
  if (spec === null && !(fromFile !== undefined && isNamed))
    throw new UsageError(
      "no tech spec is named",
      "name its file or its id; a design from a file also does with -t TS-0042 and -n a-name",
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

/** As it can be typed again, with a design instead of an agent. */
export function takeLater({ args, options }: Pick<Request, "args" | "options">, design: string): string {
  const { techSpec, prd, techSpecId, name, tech, into } = options;
  const flags: readonly (readonly [string, string | undefined])[] = [
    ["--tech-spec", techSpec],
    ["--prd", prd],
    ["-t", techSpecId],
    ["--name", name],
    ["--tech", tech],
    ["--into", into],
    ["--from-file", design],
  ];
  const words = flags.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]));
  return ["plait", "spec", "decompose", ...args, ...words].map((word) => shellWord(word)).join(" ");
}
