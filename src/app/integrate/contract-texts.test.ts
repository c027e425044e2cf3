import { expect, test } from "vitest";
import type { Diagnostic } from "../../core/source.ts";
import { absentContracts } from "./contract-texts.ts";

test("a contract that is not there is told once, with all tasks that name it", () => {
  const finding = (message: string, code = "contract-missing"): Diagnostic => ({
    ...{ code, severity: "warning", message, at: null, hint: null, related: [] },
  });
  const absent = absentContracts([
    finding("`task-001` names the contract `contracts/types.py`, which does not exist"),
    finding("`task-002` names the contract `contracts/types.py`, which does not exist"),
    finding("`task-002` names the contract `contracts/api.yaml`, which does not exist"),
    finding("something else", "wrong-type"),
  ]);
  expect(absent).toEqual([
    "`task-001`, `task-002` name the contract `contracts/types.py`, which does not exist",
    "`task-002` names the contract `contracts/api.yaml`, which does not exist",
  ]);
});
