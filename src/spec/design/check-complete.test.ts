import { expect, test } from "vitest";
import { caps } from "../../../test/formats/caps.ts";
import { sampleDesign, sampleTask } from "../../../test/support/designs.ts";
import { formatMessage } from "../../core/text/finding.ts";
import { gatherRequirements } from "../requirements/read-requirements.ts";
import { checkDesign } from "./check.ts";
import { readDesign } from "./read.ts";

const prd = { file: "prd.md", text: "## Requirements\n- R1: Reserve\n- R2: Release\n- R3: Pay\n" };
const api = `openapi: 3.0.3
info: { title: Shop, version: "1" }
paths:
  /items: { get: { responses: { "200": { description: all } } } }
components:
  schemas:
    Item: { type: object, properties: { id: { type: integer } } }
`;

async function check(design: object, isAsked: boolean): Promise<string[]> {
  const text = JSON.stringify(design, null, 1);
  const found = await checkDesign(readDesign({ file: "d.json", text }, caps), {
    ...{ knownAgents: null, tracked: null, technology: null, checkContracts: async () => [] },
    requirements: gatherRequirements([prd]),
    isAsked,
  });
  return found.map(
    ({ at, severity, code, ...text }) =>
      `${at?.file}:${at?.start.line} ${severity} ${code} ${formatMessage(text)}`,
  );
}

const contracts = { types: "class Item:\n    id: str\n", api_schema: api };

test("what an architect leaves out is an error, each at its place: requirements, operations, waves, contracts that contradict", async () => {
  expect(await check({ ...sampleDesign, contracts }, true)).toEqual([
    "d.json:8 error wave-unvalidated waves: wave 2 has no validation",
    "prd.md:2 error requirement-uncovered no task covers `R1`: Reserve",
    "prd.md:3 error requirement-uncovered no task covers `R2`: Release",
    "prd.md:4 error requirement-uncovered no task covers `R3`: Pay",
    "d.json#contracts/api-schema.yaml:4 error operation-unowned no task implements `GET /items`",
    expect.stringMatching(/^d\.json#contracts\/types\.py:2 error contracts-differ `Item`: .*`id`/),
  ]);
});

test("a design from before is warned of once for each; one that says some of it is held to it", async () => {
  const old = { ...sampleDesign, contracts: { ...contracts, types: null } };
  expect(await check(old, false)).toEqual([
    expect.stringMatching(/^d\.json:\d+ warning wave-unvalidated/),
    expect.stringMatching(/^prd\.md:2 warning requirement-uncovered no task lists/),
    expect.stringMatching(/^d\.json#contracts\/api-schema\.yaml:4 warning operation-unowned no task lists/),
  ]);
  const [, , last] = sampleDesign.tasks;
  const some = {
    ...old,
    waves: [1, 2].map((number) => ({ number, validation: "pytest" })),
    out_of_scope: [{ id: "R3", reason: "later" }],
    tasks: [sampleTask(1, { covers: ["R1", "R9"] }), sampleTask(2, { operations: ["GET /items"] }), last],
  };
  expect(await check(some, false)).toEqual([
    expect.stringMatching(/^d\.json:\d+ error requirement-unknown tasks\[0\]\.covers\[1\]: `R9` is not/),
    "prd.md:3 error requirement-uncovered no task covers `R2`: Release",
  ]);
});

test("of tasks that cannot be read it is not known what they cover", async () => {
  const tasks = [{ ...sampleTask(1), wave: "first" }];
  expect(await check({ ...sampleDesign, tasks }, true)).toEqual([expect.stringContaining("wrong-type")]);
});
