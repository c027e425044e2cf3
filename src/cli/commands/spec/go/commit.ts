import { findRepository } from "../../../../app/host.ts";
import { branchName, commitChanges, type FileChange } from "../../../../app/spec/go/plan-changes.ts";
import { shellWord } from "../../../../core/text/command.ts";
import { count } from "../../../../core/text/figures.ts";
import { exitCodes } from "../../../exit-codes.ts";
import { granted } from "../../../host.ts";
import { formatGo, type Going, type GoodSpec, type GoStop } from "./going.ts";

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
  return refusePlan(going, known, { changes, title, detail: saved.detail });
}

type Refused = {
  readonly changes: readonly Pick<FileChange, "path">[];
  readonly title: string;
  readonly detail: string;
};

function refusePlan(going: Going, known: GoodSpec, { changes, title, detail }: Refused): GoStop {
  const paths = changes.map(({ path }) => shellWord(path)).join(" ");
  const hint = `commit the files yourself: git add -- ${paths} && git commit -- ${paths}`;
  const problem = { message: `cannot commit the ${title}: ${detail}`, hint };
  return { exit: exitCodes.badRequest, problem, next: [formatGo(going, known)] };
}
