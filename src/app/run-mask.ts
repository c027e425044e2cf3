import { copiedSecrets, earlierCopies } from "../engines/local/copies.ts";
import { runMasker } from "../engines/local/open-run-context.ts";
import type { RunFolder } from "../engines/local/run-folder.ts";
import { openValues } from "../engines/local/sealed-values.ts";
import type { Repository } from "../git/index.ts";
import { secretsOf } from "../process/mask/secrets.ts";
import type { Host } from "./host.ts";

export type Mask = (text: string) => string;

/** A run by where it lies and where it copied from. */
export type RunPlace = { readonly repository: Pick<Repository, "workTree">; readonly folder: RunFolder };

/**
 * Takes out of texts what the environment, the plan, copied .env files and the settings of agents may not show (I13). What lies in
 * the folder of a run is masked already; diffs, paths and names are not.
 */
export async function runMask({ env, agents = [] }: Host, { repository, folder }: RunPlace): Promise<Mask> {
  const all = await earlierCopies(folder);
  const copied = await copiedSecrets(repository.workTree ?? "", { all });
  const own = agents.flatMap((agent) => secretsOf(agent.env));
  return runMasker(await openValues(folder.values), env, [...copied, ...own]).text;
}
