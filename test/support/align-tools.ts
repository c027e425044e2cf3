// npm and uv for tests, by what they print: npm as version 11 was seen to answer, uv as its documentation and its own tests have it.

import { parseRequirement } from "../../src/formats/packages/spec.ts";
import { pythonRanges } from "../../src/spec/align/python-ranges.ts";
import { newestOf } from "../../src/spec/align/ranges.ts";
import type { Answer, ToolAsk, ToolQuestion } from "../../src/spec/align/tool.ts";

type Tagged = { readonly versions: readonly string[]; readonly tags: Readonly<Record<string, string>> };

/** What the registries have; left out, the tool is not there. */
export type Shelf = {
  readonly npm: Readonly<Record<string, readonly string[] | Tagged>>;
  readonly pypi: Readonly<
    Record<string, { readonly versions: readonly string[]; readonly needs?: readonly string[] }>
  >;
};

export function fakeTools({ npm, pypi }: Partial<Shelf>): {
  readonly ask: ToolAsk;
  readonly asked: readonly ToolQuestion[];
} {
  const asked: ToolQuestion[] = [];
  const ask: ToolAsk = async (question) => {
    asked.push(question);
    const [program, verb, name] = question.argv;
    if (program === "npm" && verb === "view" && npm !== undefined) return view(npm, String(name));
    if (program === "uv" && pypi !== undefined) return compile(pypi, question);
    return { kind: "absent" };
  };
  return { ask, asked };
}

function view(npm: Shelf["npm"], name: string): Answer {
  if (name === "broken") {
    const error = { code: "ECONNREFUSED", summary: "request failed, reason: ECONNREFUSED" };
    return {
      kind: "ended",
      code: 1,
      stdout: JSON.stringify({ error }),
      stderr: "npm error code ECONNREFUSED",
    };
  }
  if (name.startsWith("slow")) return { kind: "failed", problem: "did not answer within 30 seconds" };
  const found = npm[name];
  if (found === undefined) {
    const error = { code: "E404", summary: `Not Found - GET ${name}` };
    return { kind: "ended", code: 1, stdout: JSON.stringify({ error }), stderr: "npm error code E404" };
  }
  const { versions, tags } = "tags" in found ? found : { versions: found, tags: {} };
  return { kind: "ended", code: 0, stdout: JSON.stringify({ versions, "dist-tags": tags }), stderr: "" };
}

/** Takes the newest of each, with what each needs; constraints hold for what comes along. */
function compile(pypi: Shelf["pypi"], { argv, stdin = "", files = {} }: ToolQuestion): Answer {
  const lines = stdin.split("\n").filter((line) => line !== "");
  const wanted = new Map<string, string[]>();
  const add = (line: string, isConstraint: boolean): void => {
    const parsed = parseRequirement(line);
    if (!parsed.ok || parsed.spec.source.kind !== "range") throw new Error(`no requirement: ${line}`);
    const { key, source } = parsed.spec;
    if (isConstraint && !wanted.has(key)) return;
    wanted.set(key, [...(wanted.get(key) ?? []), source.range]);
  };
  for (const line of lines) add(line, false);
  if (!argv.includes("--no-deps"))
    for (const key of [...wanted.keys()]) for (const need of pypi[key]?.needs ?? []) add(need, false);
  for (const line of (files["constraints.txt"] ?? "").split("\n").filter(Boolean)) add(line, true);
  const pins: string[] = [];
  for (const [key, ranges] of wanted) {
    const versions = pypi[key]?.versions;
    if (versions === undefined)
      return unsolvable(`Because ${key} was not found in the package registry and you require ${key}`);
    const version = newestOf(pythonRanges, versions, ranges);
    if (version === null)
      return unsolvable(
        `Because only ${key}<=${versions.at(-1)} is available and you require ${key}${ranges.join(",")}`,
      );
    pins.push(`${key}==${version}`);
  }
  return {
    kind: "ended",
    code: 0,
    stdout: `${pins.toSorted().join("\n")}\n`,
    stderr: `Resolved ${pins.length} packages in 4ms\n`,
  };
}

function unsolvable(why: string): Answer {
  const stderr = `  × No solution found when resolving dependencies:\n  ╰─▶ ${why}, we can conclude that your\n      requirements are unsatisfiable.\n`;
  return { kind: "ended", code: 1, stdout: "", stderr };
}
