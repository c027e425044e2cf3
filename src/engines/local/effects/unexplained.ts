// A target that moved while agents were running holds the landing: whoever put the commits there, no gate and no owner judged them.
// The refusal names them, and what they change that decides how work is judged.

import type { Oid } from "../../../core/ids.ts";
import { countCommits, listCommits, shortName } from "../../../git/index.ts";
import type { EffectContext } from "../driver.ts";
import type { RunContext } from "../run-context.ts";
import { findGuardedChanges } from "../target-watch.ts";

const MOST_COMMITS = 3;
const MOST_FILES = 10;

/** Whether the landing was refused because of such moves. */
export async function refuseUnexplained(
  site: RunContext,
  { tip }: { readonly tip: Oid },
  hands: EffectContext,
): Promise<boolean> {
  await site.targetWatch.look(hands);
  const { unexplained, target, index } = hands.state();
  if (unexplained === null || target === null) return false;
  const { shadow, masker } = site;
  const changes = await findGuardedChanges(shadow, index.plan, unexplained);
  const sorted = changes.toSorted((a, b) => Number(a.what === null) - Number(b.what === null));
  const files = sorted
    .slice(0, MOST_FILES)
    .map(({ path, what }) => (what === null ? path : `${path} (${what})`));
  const commits = masker.text(await describeCommits(site, unexplained));
  await hands.record({
    ...{ type: "landing.refused", tip, why: "unexplained" },
    detail: `${shortName(target)} moved while agents were running, and not by plait. ${commits}`,
    files,
  });
  return true;
}

type Moved = { readonly from: Oid; readonly to: Oid };

async function describeCommits({ shadow: { repository } }: RunContext, moved: Moved): Promise<string> {
  const total = await countCommits(repository, moved);
  if (total === 0) return `It was moved back to ${moved.to.slice(0, 7)}`;
  const subjects = (await listCommits(repository, moved, MOST_COMMITS)).map((one) => `"${one}"`);
  const rest = total > subjects.length ? [`${total - subjects.length} more`] : [];
  return `New there: ${[...subjects, ...rest].join(", ")}, with changes`;
}
