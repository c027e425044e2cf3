import type { ConfiguredCheck } from "../../config/merge.ts";
import type { SourceProject } from "../../spec/integrate/project.ts";
import type { CheckKind, StackCheck } from "../../spec/integrate/report.ts";
import { stackChecks } from "../../spec/integrate/stack-checks.ts";
import type { Technology } from "../../spec/spec-contents.ts";

export type WhichChecks = {
  readonly project: SourceProject;
  /** As the user or the manifest says it; null: all that the files say. */
  readonly technology: Technology | null;
  /** True: the user named it. A manifest may be wrong about the project. */
  readonly isTyped: boolean;
  /** Of the configuration; null where it says none. */
  readonly configured: readonly ConfiguredCheck[] | null;
};

export type ChosenChecks = {
  readonly checks: readonly StackCheck[];
  /** The files have checks, but none in that technology. */
  readonly isOther: boolean;
};

/** The checks of a project: from the configuration, or found by its files. */
export async function whichChecks(asked: WhichChecks): Promise<ChosenChecks> {
  const { project, technology, configured, isTyped } = asked;
  if (configured !== null) return { checks: configured.map(withKind), isOther: false };
  const checks = await stackChecks(project, technology);
  if (isTyped || technology === null || checks.length > 0) return { checks, isOther: false };
  const all = await stackChecks(project, null);
  return { checks: all, isOther: all.length > 0 };
}

function withKind({ name, kind, run }: ConfiguredCheck): StackCheck {
  return { name, kind: kind ?? kindByName(name), run };
}

const kindByName = (name: string): CheckKind => kinds.find(([pattern]) => pattern.test(name))?.[1] ?? "tests";

const kinds: readonly (readonly [RegExp, CheckKind])[] = [
  [/migrat/i, "migrations"],
  [/test|spec|e2e/i, "tests"],
  [/lint|format|fmt|style|ruff|flake8|biome|vet\b/i, "lint"],
  [/types?\b|typecheck|mypy|pyright|tsc/i, "types"],
  [/build|compile|bundle/i, "build"],
];
