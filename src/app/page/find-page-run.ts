import type { RunId } from "../../core/ids.ts";
import type { Host, OrRefusal } from "../host.ts";
import { type DamagedRun, findRun, listRuns, repositoryOfRuns } from "../runs.ts";

/** The run that a page is to show; also one that is damaged, which the page shows as far as it can be read. */
export async function findPageRun(
  host: Host,
  name: string,
): Promise<OrRefusal<{ run: RunId; damage: DamagedRun | null }>> {
  const found = await findRun(host, name);
  if (found.ok) return { ok: true, run: found.known.run, damage: null };
  const opened = await repositoryOfRuns(host);
  const damage = opened.ok
    ? (await listRuns(opened.repository)).damaged.find(({ run }) => run === name)
    : null;
  return damage == null ? found : { ok: true, run: damage.run, damage };
}
