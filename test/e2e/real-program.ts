import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, test } from "vitest";

const { PATH = "", PLAIT_REQUIRE = "" } = process.env;

/** An agent that the tests drive for real. */
export type RealProgram = {
  readonly name: string;
  /** Null where there is none. */
  readonly path: string | null;
};

/** The one that PLAIT_TEST_<NAME> names, the pinned one, or one on PATH. */
export function realProgram(name: string, pinned: readonly string[]): RealProgram {
  const named = process.env[`PLAIT_TEST_${name.toUpperCase()}`] ?? "";
  if (named !== "") return { name, path: named };
  const onPath = PATH.split(delimiter).map((folder) => join(folder, name));
  return { name, path: [...pinned, ...onPath].find(existsSync) ?? null };
}

/** Where scripts/agents.mjs puts the packages of an agent. */
export function pinnedPackages(name: string): string {
  return fileURLToPath(new URL(`../../.agents/${name}/node_modules/`, import.meta.url));
}

/** Tests that drive them: skipped where one is missing, unless PLAIT_REQUIRE asks for it, as CI does. */
export function describeReal(programs: readonly RealProgram[], name: string, tests: () => void): void {
  const missing = programs.find(({ path }) => path === null);
  if (missing === undefined) {
    describe.concurrent(name, tests);
    return;
  }
  const hint = `to install ${missing.name} for the tests: node scripts/agents.mjs`;
  if (PLAIT_REQUIRE.split(",").includes(missing.name)) {
    test(name, () => Promise.reject(new Error(`there is no ${missing.name}; ${hint}`)));
  } else {
    test.skip(`${name} (${hint})`); // one line for all of them
  }
}
