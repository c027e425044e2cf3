import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inspectFolder } from "../../src/app/inspect-folder.ts";
import { loadPlan } from "../../src/app/load-plan.ts";
import { defaultCaps, defaultLayers } from "../../src/config/settings.ts";
import { examples } from "./examples.ts";
import { show } from "./read-as-plan.ts";

const native = examples.filter(({ isNative }) => isNative);

/** A repository with the files that examples look for, so that they are found also where this one has no history. */
let repository: string;

beforeAll(() => {
  repository = mkdtempSync(join(tmpdir(), "plait-examples-"));
  cpSync(fileURLToPath(new URL("../../docs", import.meta.url)), join(repository, "docs"), {
    recursive: true,
  });
  const identity = ["-c", "user.name=User", "-c", "user.email=user@example.com"];
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    [...identity, "commit", "-q", "-m", "start"],
  ])
    execFileSync("git", args, { cwd: repository });
});
afterAll(() => rmSync(repository, { recursive: true, force: true }));

describe("the examples", () => {
  test("are there", () => expect(native.length).toBeGreaterThanOrEqual(4));

  test.each(native)("$name is a plan without a finding that matters", async ({ path }) => {
    const { plan, diagnostics } = await loadPlan(path, {
      ...{ caps: defaultCaps, layers: defaultLayers(), cwd: repository },
    });
    expect(diagnostics.filter(({ severity }) => severity !== "note").map(show)).toEqual([]);
    expect(plan).not.toBeNull();
  });

  test("the artefact folder is one too, and valid in all its parts", async () => {
    cpSync(fileURLToPath(new URL("../../examples/inventory", import.meta.url)), repository, {
      recursive: true,
    });
    const { plan, diagnostics } = await loadPlan("parallel/TS-0042-inventory", {
      ...{ caps: defaultCaps, layers: defaultLayers(), cwd: repository, inspect: inspectFolder },
    });
    expect(diagnostics.map(show)).toEqual([]);
    expect(plan?.tasks).toHaveLength(6);
  });

  test.each(native)("$name tells editors its schema", ({ name, text }) => {
    const sign = name.endsWith(".json")
      ? '"$schema": "../../schema/plan.schema.json"'
      : "# yaml-language-server: $schema=../../schema/plan.schema.json";
    expect(
      text
        .split("\n")
        .slice(0, 2)
        .map((line) => line.trim().replace(/,$/, "")),
    ).toContain(sign);
  });
});
