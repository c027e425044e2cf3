// A git in front of git that fails calls of plait itself, and no others: once, or from a call on until it is repaired.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Place, type Plait, type Surroundings, startPlait, writeProgram } from "./support.ts";

/** Which calls fail. */
export type GitFault =
  | { readonly kind: "first-of" | "every"; readonly subcommands: readonly string[] }
  | { readonly kind: "nth" | "from"; readonly n: number }
  /** Every call once the checkout has been switched to what lands. */
  | { readonly kind: "after-switch" };

export type FailingGit = {
  /** Starts plait with this git. */
  readonly start: (args: readonly string[], around?: Surroundings) => Plait;
  /** The calls so far, without options before the subcommand. */
  readonly calls: () => readonly string[];
  /** The call that failed first; null while none did. */
  readonly failed: () => string | null;
};

export function failingGit(place: Place, fault: GitFault | null): FailingGit {
  const { root, env } = place;
  const bin = join(root, "bin");
  mkdirSync(bin, { recursive: true });
  const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  writeProgram(
    join(bin, "git"),
    `[ "$PPID" = "$(cat ${root}/pid)" ] || exec ${git} "$@"
sub=; skip=
for one; do
  if [ -n "$skip" ]; then skip=; continue; fi
  case $one in -c|-C) skip=1 ;; -*) ;; *) sub=$one; break ;; esac
done
printf '%s\\n' "$sub" >> ${root}/calls
n=$(wc -l < ${root}/calls)
${condition(fault, root)}
exec ${git} "$@"`,
  );
  const lines = (name: string): string[] =>
    existsSync(join(root, name)) ? readFileSync(join(root, name), "utf8").split("\n").slice(0, -1) : [];
  return {
    start: (args, around = {}) => {
      const path = { PATH: `${bin}:${env["PATH"] ?? ""}` };
      const started = startPlait(place, args, { ...around, env: { ...around.env, ...path } });
      writeFileSync(join(root, "pid"), String(started.pid));
      return started;
    },
    calls: () => lines("calls"),
    failed: () => lines("failed")[0] ?? null,
  };
}

/** mkdir does it once, however many ask at the same time. */
function condition(fault: GitFault | null, root: string): string {
  const fail = `{ echo "$n $sub" >> ${root}/failed; echo 'fatal: told to fail' >&2; exit 128; }`;
  switch (fault?.kind) {
    case "first-of":
      return `case $sub in ${fault.subcommands.join("|")}) mkdir ${root}/once-$sub 2>/dev/null && ${fail} ;; esac`;
    case "every":
      return `case $sub in ${fault.subcommands.join("|")}) ${fail} ;; esac`;
    case "nth":
      return `[ $n -ge ${fault.n} ] && mkdir ${root}/once 2>/dev/null && ${fail}`;
    case "from":
      return `[ $n -ge ${fault.n} ] && ${fail}`;
    case "after-switch":
      return `case " $* " in *" read-tree -m -u "*) mkdir ${root}/switched ;; *) [ -e ${root}/switched ] && ${fail} ;; esac`;
    default:
      return "";
  }
}
