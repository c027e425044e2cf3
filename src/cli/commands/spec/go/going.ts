import type { KnownSpec, SpecQuestion } from "../../../../app/spec/tech-specs.ts";
import { shellWord } from "../../../../core/text/command.ts";
import type { TechSpec } from "../../../../spec/tech-spec/tech-spec.ts";
import type { Request } from "../../../request.ts";
import type { Asker } from "../converse.ts";
import type { DecomposeEnd } from "../decompose-end.ts";

/** Who wants something built, and where. Every step finds out itself how far it has come. */
export type Going = Asker & {
  readonly question: SpecQuestion;
  /** Flags that the next command needs again, with a blank in front; empty where there are none. */
  readonly flags: string;
};

/** A tech spec that can be read. */
export type GoodSpec = KnownSpec & { readonly spec: TechSpec };

/** Why it does not continue. Everything that was made so far stays. */
export type GoStop = Pick<DecomposeEnd, "exit" | "problem" | "next"> &
  Partial<Pick<DecomposeEnd, "kept" | "asked">>;

export const isStop = (step: object | GoStop): step is GoStop => "exit" in step;

/** The same command again, by the id of its tech spec; one that lies elsewhere is found by its file alone. */
export function formatGo({ flags }: Pick<Going, "flags">, { spec, root, file }: GoodSpec): string {
  return `plait spec go ${root === null ? shellWord(file) : spec.id}${flags}`;
}

/** Whoever continues means the same agents and the same folder. `--yes` is typed by a person each time. */
export function formatFlags({ options }: Pick<Request, "options">): string {
  const { agent, model, budgetUsd, name, tech, rounds, concurrency, land } = options;
  const flags = { agent, model, "budget-usd": budgetUsd, name, tech, rounds, concurrency, land };
  return Object.entries(flags)
    .flatMap(([flag, value]) => (value === undefined ? [] : [` --${flag} ${shellWord(String(value))}`]))
    .join("");
}
