import { copiedSecrets, earlierCopies } from "../engines/local/copies.ts";
import { runMasker } from "../engines/local/open-site.ts";
import { openValues } from "../engines/local/sealed-values.ts";
import { secretsOf } from "../process/mask/secrets.ts";
import type { Host } from "./host.ts";
import type { FoundRun } from "./runs.ts";

/**
 * Takes out of texts what the environment, the plan, copied .env files and the settings of agents may not show (I13). What lies in
 * the folder of a run is masked already; diffs, paths and names are not.
 */
export async function reportMask(
  { env, agents = [] }: Host,
  { repository, known }: FoundRun,
): Promise<(text: string) => string> {
  const { folder } = known;
  const all = await earlierCopies(folder);
  const copied = await copiedSecrets(repository.workTree ?? "", { all });
  const own = agents.flatMap((agent) => secretsOf(agent.env));
  return runMasker(await openValues(folder.values), env, [...copied, ...own]).text;
}
