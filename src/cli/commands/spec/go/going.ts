import { findRepository } from "../../../../app/host.ts";
import { branchName, commitChanges, type FileChange } from "../../../../app/spec/go/plan-changes.ts";
import type { KnownSpec, SpecQuestion } from "../../../../app/spec/tech-specs.ts";
import { type Command, type CommandFlags, plait, shellWord } from "../../../../core/text/command.ts";
import { count } from "../../../../core/text/figures.ts";
import { plainText, type Sentence } from "../../../../core/text/sentence.ts";
import type { TechSpec } from "../../../../spec/tech-spec/tech-spec.ts";
import { exitCodes } from "../../../exit-codes.ts";
import { granted } from "../../../host.ts";
import type { Request } from "../../../request.ts";
import type { Asker } from "../converse.ts";
import type { DecomposeEnd } from "../decompose-end.ts";

/** Who wants something built, and where. Every step finds out itself how far it has come. */
export type Going = Asker & {
  readonly question: SpecQuestion;
  /** Flags that the next command needs again. */
  readonly flags: CommandFlags;
};

/** A tech spec that can be read. */
export type GoodSpec = KnownSpec & { readonly spec: TechSpec };

/** Why it does not continue. Everything that was made so far stays. */
export type GoStop = Pick<DecomposeEnd, "exit" | "problem" | "next"> &
  Partial<Pick<DecomposeEnd, "kept" | "asked">>;

export const stopGoing = (
  exit: GoStop["exit"],
  { message, hint = null }: { readonly message: string; readonly hint?: Sentence | null },
  ...next: readonly Command[]
): GoStop => ({ exit, problem: { message, hint: hint === null ? null : plainText(hint) }, next });

export const isStop = (step: object | GoStop): step is GoStop => "exit" in step;

/** The same command again, by the id of its tech spec; one that lies elsewhere is found by its file alone. */
export function buildGo({ flags }: Pick<Going, "flags">, { spec, root, file }: GoodSpec): Command {
  return plait("spec go", root === null ? file : spec.id, flags);
}

/** Whoever continues means the same agents and the same folder. `--yes` is typed by a person each time. */
export function pickGoFlags({ options }: Pick<Request, "options">): CommandFlags {
  const { agent, model, budgetUsd, name, tech, rounds, concurrency, land } = options;
  return { agent, model, "budget-usd": budgetUsd, name, tech, rounds, concurrency, land };
}

/** On the branch that is checked out. Null where it is done, or there is nothing to do. */
export async function commitPlan(
  going: Going,
  known: GoodSpec,
  { changes, title }: { readonly changes: readonly FileChange[]; readonly title: string },
): Promise<GoStop | null> {
  if (changes.length === 0) return null;
  const { host, request } = going;
  const { repository } = granted(await findRepository(host));
  const message = `${known.spec.id}: ${title}\n\n${known.spec.title}\n`;
  const saved = await commitChanges(repository, { changes, message });
  if (saved.kind === "committed") {
    const { options, output } = request;
    const at = `${saved.commit.slice(0, 7)} on ${branchName(repository)}`;
    if (options.json !== true) output.say([[`Committed ${count(changes.length, "file")} as ${at}`]]);
    return null;
  }
  const paths = changes.map(({ path }) => shellWord(path)).join(" ");
  const hint = `commit the files yourself: git add -- ${paths} && git commit -- ${paths}`;
  const problem = { message: `cannot commit the ${title}: ${saved.detail}`, hint };
  return stopGoing(exitCodes.badRequest, problem, buildGo(going, known));
}
