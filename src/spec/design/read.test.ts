import { describe, expect, test } from "vitest";
import { caps } from "../../../test/formats/caps.ts";
import { fullDesign, sampleDesign, sampleTask } from "../../../test/support/designs.ts";
import { diagnostic } from "../../../test/support/diagnostic.ts";
import { tooMuchGrowth } from "../../../test/support/growth.ts";
import type { ContractFile } from "../contracts/check.ts";
import { hasObject, isCutOff, saidObject } from "../said-object.ts";
import { checkDesign } from "./check.ts";
import { givenContracts } from "./check-contracts.ts";
import { readDesign } from "./read.ts";

const saidDesign = (text: string): string => saidObject(text, "tasks");

const read = (design: unknown, limits = caps) =>
  readDesign({ file: "d.json", text: typeof design === "string" ? design : JSON.stringify(design) }, limits);

describe("a design", () => {
  test("is read as it is written", () => {
    for (const design of [sampleDesign, fullDesign]) {
      const { diagnostics, ...found } = read(design);
      expect([diagnostics, JSON.parse(JSON.stringify(found.design))]).toEqual([[], design]);
    }
  });

  test("is read without what nobody knows, where that is only warned of", () => {
    const { design, diagnostics } = read({
      ...sampleDesign,
      notes: "x",
      tasks: sampleDesign.tasks.map((task) => ({ ...task, effort: 1 })),
    });
    expect(diagnostics.map(({ severity, code }) => `${severity} ${code}`)).toEqual(
      Array(4).fill("warning unknown-key"),
    );
    expect(JSON.parse(JSON.stringify(design))).toEqual(sampleDesign);
  });

  test("is none where its form is wrong, and what can be read is read all the same", () => {
    const { design, doc, diagnostics } = read({
      ...sampleDesign,
      tasks: [{ ...sampleDesign.tasks[0], id: 7 }],
    });
    expect([design, doc === null, diagnostics.map(({ code }) => code)]).toEqual([
      null,
      false,
      ["wrong-type"],
    ]);
  });

  test("with a title without end is read in time that grows with its length", async () => {
    const work = (size: number) =>
      read({ ...sampleDesign, tasks: [sampleTask(1, { title: `${"a".repeat(size)}\n` })] });
    expect(await tooMuchGrowth(work, { from: 2_500, to: 160_000 })).toBeNull();
    expect(work(3).diagnostics.map(({ message }) => message)).toEqual([
      expect.stringContaining("one line of text"),
    ]);
  });

  test.each([
    ["too large", { ...caps, maxPlanBytes: 100 }, "design-too-large", "raise the limit: --max-plan-bytes"],
    ["too deep", { ...caps, maxDepth: 3 }, "too-deep", null],
    ["of too many tasks", { ...caps, maxTasks: 2 }, "too-many-tasks", "raise the limit: --max-tasks"],
  ])("that is %s is not looked at", (_, limits, code, hint) => {
    const { doc, diagnostics } = read(sampleDesign, limits);
    expect([doc, diagnostics.map((one) => [one.code, one.hint])]).toEqual([null, [[code, hint]]]);
  });
});

test("contracts are checked as files of their own, and what is wrong there is told with the key that it stands under", async () => {
  const at = { file: "d.json#contracts/types.ts", start: { line: 1, col: 8 }, end: { line: 1, col: 9 } };
  const asked: ContractFile[] = [];
  const whole = read(fullDesign);
  const found = await checkDesign(whole, {
    ...{ requirements: null, isAsked: false, knownAgents: null, tracked: null, technology: null },
    checkContracts: async (files) => {
      asked.push(...files);
      return [diagnostic({ code: "contract-syntax", message: "this does not parse", at })];
    },
  });
  expect(asked.map(({ path, file, text }) => [path, file, text.slice(0, 7)])).toEqual([
    ["contracts/types.ts", "d.json#contracts/types.ts", "export "],
    ["contracts/api-schema.yaml", "d.json#contracts/api-schema.yaml", "openapi"],
  ]);
  const given = whole.doc === null ? [] : givenContracts(whole.doc, "django");
  expect(given.map(({ path }) => path)).toEqual(["contracts/types.py", "contracts/api-schema.yaml"]);
  const inContracts = found.filter(({ code }) => code === "contract-syntax");
  expect(inContracts.map(({ path, at: place, related }) => [path, place, related[0]?.at.file])).toEqual([
    ["contracts.types", at, "d.json"],
  ]);
});

describe("what an agent says at its end", () => {
  const design = JSON.stringify({ tasks: [{ code: 'a { b } " c' }] }, null, 2);
  test.each([
    ["the design alone", design],
    ["a fence", `\`\`\`json\n${design}\n\`\`\``],
    ["words around it", `Here {it} is, with "quotes and { braces:\n\n${design}\n\nThat's it: {} done }.`],
    ["an earlier one", `First {"tasks": []}, then:\n${design}`],
    ["a later object that is no design", `${design}\n{"status": "DONE"}`],
    ["a wrapper", `{"result": ${design}}`],
    ["a wrapper with a text", JSON.stringify({ type: "result", result: `Here:\n${design}\nDone.` })],
    ["lines of JSON", `{"type":"start"}\n${JSON.stringify({ response: design })}\n{"type":"end"}`],
  ])("%s has the design in it", (_, text) =>
    expect(JSON.parse(saidDesign(text))).toEqual(JSON.parse(design)),
  );

  test("what is cut off or no JSON is still what is read, so that it is told what is wrong with it", () => {
    const cut = design.slice(0, -6);
    expect(saidDesign(`Sure:\n\`\`\`json\n${cut}\n\`\`\`\n`)).toBe(cut.trim());
    const bad = '{"tasks": [{"id": 1,}]}';
    expect(saidDesign(`So: ${bad} as asked`)).toBe(bad);
    expect([cut, bad].map(isCutOff)).toEqual([true, false]);
    expect(saidDesign(" I cannot do that. ")).toBe("I cannot do that.");
    expect(["Which {db}?", "", '{ "a": 1', "{}"].map(hasObject)).toEqual([false, false, true, true]);
  });

  test("a text of braces costs little", () => {
    const start = performance.now();
    saidDesign("{".repeat(200_000));
    saidDesign(`${"{".repeat(100_000)}${"}".repeat(100_000)}`);
    expect(performance.now() - start).toBeLessThan(4_000);
  });
});
