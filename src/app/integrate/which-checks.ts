import type { ConfiguredCheck } from "../../config/merge.ts";
import { nearest } from "../../core/suggest.ts";
import type { SourceProject } from "../../spec/integrate/project.ts";
import type { CheckKind, StackCheck } from "../../spec/integrate/report.ts";
import { stackChecks } from "../../spec/integrate/stack-checks.ts";
import type { Technology } from "../../spec/spec-contents.ts";
import { type OrRefusal, refuse } from "../host.ts";

export type WhichChecks = {
  /** The tree that is judged. */
  readonly project: SourceProject;
  /** As the user or the manifest says it; null: all that the files say. */
  readonly technology: Technology | null;
  /** True: the user named it. A manifest may be wrong about the project. */
  readonly isTyped: boolean;
  /** Of the configuration; null where it says none. */
  readonly configured: readonly ConfiguredCheck[] | null;
  /** By name; empty: all of them. */
  readonly only: readonly string[];
};

export type ChosenChecks = {
  readonly checks: readonly StackCheck[];
  readonly from: "configuration" | "files";
  /** The files have checks, but none in that technology. */
  readonly isOther: boolean;
};

/** The checks of a project: from the configuration, or found by its files. */
export async function whichChecks(asked: WhichChecks): Promise<OrRefusal<ChosenChecks>> {
  const { project, technology, configured, only, isTyped } = asked;
  const from = configured === null ? "files" : "configuration";
  const said = configured === null ? await stackChecks(project, technology) : configured.map(withKind);
  const there =
    configured === null && !isTyped && technology !== null && said.length === 0
      ? await stackChecks(project, null)
      : said;
  const [all, isOther] = [there, there !== said && there.length > 0];
  const names = all.map(({ name }) => name);
  const unknown = only.find((name) => !names.includes(name));
  if (unknown === undefined) {
    const checks = only.length === 0 ? all : all.filter(({ name }) => only.includes(name));
    return { ok: true, checks, from, isOther };
  }
  const near = nearest(unknown, names);
  const known = names.length === 0 ? "the project has no checks" : `use one of: ${names.join(", ")}`;
  const hint = near === null ? known : `did you mean ${JSON.stringify(near)}? (${known})`;
  return refuse("request", `unknown check ${JSON.stringify(unknown)}`, hint);
}

function withKind({ name, kind, run }: ConfiguredCheck): StackCheck {
  return { name, kind: kind ?? kindByName(name), run };
}

function kindByName(name: string): CheckKind {
  return kinds.find(([pattern]) => pattern.test(name))?.[1] ?? "tests";
}

const kinds: readonly (readonly [RegExp, CheckKind])[] = [
  [/migrat/i, "migrations"],
  [/test|spec|e2e/i, "tests"],
  [/lint|format|fmt|style|ruff|flake8|biome|vet\b/i, "lint"],
  [/types?\b|typecheck|mypy|pyright|tsc/i, "types"],
  [/build|compile|bundle/i, "build"],
];
