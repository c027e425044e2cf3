import { expect, it } from "vitest";
import { runGate } from "../../src/gates/run-gate.ts";
import { gateOf } from "../support/plans.ts";
import { env, newMarker, tempFolder } from "./support.ts";

it("the summary of a red gate is its last line without colours; what it printed has them", async () => {
  const line = "printf 'a\\n\\033[31m2 failed\\033[0m\\n'; exit 1";
  const gate = gateOf("coloured", { run: { kind: "shell", line } });
  const [root, marker] = [await tempFolder(), newMarker()];
  const verdict = await runGate({ gate, cwd: root, root, env }, { marker, runMarker: marker });
  expect(verdict).toMatchObject({ verdict: "red", summary: "exit code 1: 2 failed" });
  expect(verdict?.output).toContain("\u001b[31m2 failed");
});

it("ends its summary where a sentence can continue, also after a line of code", async () => {
  const gate = gateOf("no-bad", { run: { kind: "shell", line: "echo 'src/a.js:1:const BAD = 1;'; exit 1" } });
  const [root, marker] = [await tempFolder(), newMarker()];
  const verdict = await runGate({ gate, cwd: root, root, env }, { marker, runMarker: marker });
  expect(verdict).toMatchObject({ summary: "exit code 1: src/a.js:1:const BAD = 1" });
});
