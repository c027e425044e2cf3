import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { manifest, readFolder } from "../../test/formats/cpo-folder.ts";
import { samplePlan, shell } from "../../test/support/sample-plan.ts";
import { checkPrograms, findMissingPrograms } from "./check-machine.ts";

const PATH = mkdtempSync(join(tmpdir(), "plait-programs-"));
afterAll(() => rmSync(PATH, { recursive: true }));
writeFileSync(join(PATH, "npm"), "#!/bin/sh\n");
chmodSync(join(PATH, "npm"), 0o755);

const needing = (program: string) =>
  samplePlan([{ id: "dependencies", work: { kind: "command", run: shell("true"), program } }]);

test("a program that is missing is found before anything starts, with what to install", async () => {
  expect(await checkPrograms(needing("npm"), { PATH })).toBeNull();
  expect(await checkPrograms(needing("uv"), { PATH })).toEqual({
    kind: "environment",
    message: "dependencies needs uv, which is not on the PATH",
    hint: "install uv: pip install uv",
  });
});

test("a manifest that asks for packages is warned of it, at the place that asks", async () => {
  const dependencies = { python: { add: ["c==2.0.0"] }, node: { add: ["d@1.0.0"] } };
  const { draft } = await readFolder({
    "manifest.json": manifest([["task-001-users", "task-002-items"], ["task-003-orders"]], { dependencies }),
    "../../package.json": "{}",
  });
  if (draft === null) throw new Error("no draft");
  const found = await findMissingPrograms(draft, { PATH });
  expect(
    found.map(({ severity, message, at }) => [severity, message, at?.file.endsWith("manifest.json")]),
  ).toEqual([["warning", "the plan needs uv, which is not on the PATH", true]]);
});
