import { expect, test } from "vitest";
import { findAbsentContracts, type ReadFolder } from "./read-folder.ts";

test("a contract that is not there is found once, with all tasks that name it", async () => {
  const task = (id: string, ...contracts: string[]) => ({
    ...{ id: { value: id }, spec: { contracts: contracts.map((value) => ({ value })) } },
  });
  const folder = {
    tasks: [
      task("task-001", "contracts/types.py", "contracts/there.py"),
      task("task-002", "contracts/types.py", "contracts/api.yaml"),
    ],
    around: { lookAt: async () => null, names: async () => ["there.py"] },
  };
  const found = await findAbsentContracts(folder as unknown as ReadFolder);
  expect(found.map(({ area, message }) => [area, message])).toEqual([
    ["types", "`contracts/types.py` does not exist, but `task-001`, `task-002` name it"],
    ["endpoints", "`contracts/api.yaml` does not exist, but `task-002` names it"],
  ]);
});
