import { parseRequirement, pinnedVersion } from "../../formats/packages/spec.ts";
import { lastWords, type Silence, silence, type ToolAsk, type ToolQuestion } from "./tool.ts";

export type Resolution =
  /** Versions by key, of all that would be installed. */
  | { readonly ok: true; readonly versions: ReadonlyMap<string, string> }
  /** There is no set of versions that satisfies everything; in the words of uv. */
  | { readonly ok: false; readonly unsolvable: string }
  | Silence;

export type Requirements = {
  readonly lines: readonly string[];
  /** What must hold for packages that come along. */
  readonly constraints: readonly string[];
  /** What is locked, and stays where it can. */
  readonly preferred: readonly string[];
  readonly python: string | null;
  /** Only the packages that are named, without what they need. */
  readonly alone: boolean;
};

/**
 * Asks uv for versions and changes nothing. It builds nothing either: that would run code of packages before anybody has
 * accepted them. A file to write into is how uv is told what is locked; it is one of ours.
 */
export async function resolveRequirements(ask: ToolAsk, requirements: Requirements): Promise<Resolution> {
  const answer = await ask(questionFor(requirements));
  if (answer.kind !== "ended") return silence("uv", answer);
  const { code, stdout, stderr } = answer;
  if (code === 0) return { ok: true, versions: versionsIn(stdout) };
  // 2 is for everything that is not about versions: no network, no Python, an option that it does not know.
  if (code === 1 && /No solution found/.test(stderr)) return { ok: false, unsolvable: reasonIn(stderr) };
  return {
    ok: false,
    why: `uv reported no versions: ${lastWords(stderr) || `exit code ${code}`}`,
    isFinal: false,
  };
}

function questionFor({ lines, constraints, preferred, python, alone }: Requirements): ToolQuestion {
  const text = (all: readonly string[]) => all.map((line) => `${line}\n`).join("");
  return {
    argv: [
      ...["uv", "pip", "compile", "-", "--no-header", "--no-annotate", "--no-build"],
      ...(alone ? ["--no-deps"] : []),
      ...(python === null ? [] : ["--python-version", python]),
      ...["--constraint", { file: "constraints.txt" }, "--output-file", { file: "requirements.txt" }],
    ],
    stdin: text(lines),
    files: { "constraints.txt": text(constraints), "requirements.txt": text(preferred) },
  };
}

function versionsIn(stdout: string): ReadonlyMap<string, string> {
  const pins = stdout.split("\n").flatMap((line) => {
    const parsed = parseRequirement(line);
    if (!parsed.ok || parsed.spec.source.kind !== "range") return [];
    const version = pinnedVersion(parsed.spec.source.range, "python");
    return version === null ? [] : [[parsed.spec.key, version] as const];
  });
  return new Map(pins);
}

/** Without the frame that it draws around it. */
function reasonIn(stderr: string): string {
  const told = /No solution found[^\n]*\n([\s\S]*)/.exec(stderr)?.[1] ?? stderr;
  return lastWords(told.replaceAll(/[╰─▶│×├]/gu, " "));
}
