import { otherCommand } from "../core/text/command.ts";
import { fix, plainText, type Sentence, sentence } from "../core/text/sentence.ts";
// Why a push was refused. Servers and hooks print many lines; one of them is enough, the rest is saved.

export type PushRefusal = {
  readonly kind: "refused";
  /** One line. */
  readonly detail: string;
  /** The whole output of git and the server, where that is more. */
  readonly said?: string;
  /** The remote branch was changed by another program. */
  readonly isStale?: true;
};

const MOST_SAID = 8_000;
const STALE = "stale info";

type FailedPush = {
  readonly remote: string;
  readonly branch: string;
  readonly stderr: string;
  /** What git says of the ref, such as `[remote rejected] (pre-receive hook declined)`. */
  readonly why: string;
};

export function describePushRefusal({ remote, branch, stderr, why }: FailedPush): PushRefusal {
  const said = [stderr.trim(), why].filter((text) => text !== "").join("\n");
  const lines = stderr.split("\n").map((line) => line.trim());
  const cause = /\((.+)\)$/.exec(why)?.[1] ?? why;
  const spoken = lines.flatMap((line) => /^remote:\s*(\S.*)$/.exec(line)?.[1] ?? []);
  const local = lines.filter((line) => line !== "" && !NOISE.test(line));
  const reason = pickLine(spoken) ?? pickLine(local);
  const plain = reason === null ? `${remote} refused the push: ${cause}` : withCause(reason, cause);
  const detail = describeOthersCommits({ remote, branch, cause }) ?? plain;
  const more = said !== detail && { said: said.slice(0, MOST_SAID) };
  return { kind: "refused", detail, ...more, ...(cause === STALE && { isStale: true }) };
}

/** The remote branch has other commits. */
function describeOthersCommits({
  remote,
  branch,
  cause,
}: Pick<FailedPush, "remote" | "branch"> & { readonly cause: string }): string | null {
  if (cause === STALE)
    return describeSteps(`${branch} on ${remote} was changed by another program (stale info)`, [
      fix("Save its commits", otherCommand("git", "fetch", [remote, branch])),
      fix("delete it", otherCommand("git", "push", [remote, "--delete", branch])),
    ]);
  if (cause === "fetch first" || cause === "non-fast-forward")
    return describeSteps(`${branch} on ${remote} has commits that you do not have`, [
      fix("Merge them", otherCommand("git", "pull", [remote, branch])),
      fix("push", otherCommand("git", "push", [remote, branch])),
    ]);
  return null;
}

const describeSteps = (problem: string, [first, second]: readonly [Sentence, Sentence]): string =>
  plainText(sentence`${problem}. ${first}, then ${second}`);

const withCause = (reason: string, cause: string): string => (cause === "" ? reason : `${reason} (${cause})`);

const NOISE = /^(?:remote:|hint:|To |error: failed to push some refs|[!*+=-])/;
const GRAVE = /\b(?:error|fatal|denied|declined|reject\w*|not allowed|protected|forbidden)\b/i;

function pickLine(lines: readonly string[]): string | null {
  const worded = lines.filter((line) => /\w/.test(line) && !line.startsWith("error: hook declined to"));
  return worded.find((line) => GRAVE.test(line)) ?? worded[0] ?? null;
}
