import { describe, expect, test } from "vitest";
import {
  analyzeSample,
  at,
  BASE,
  brief,
  draftOf,
  gateOf,
  SOURCE_HASH,
  sampleText,
} from "../../../test/support/drafts.ts";
import type { Lost, PlanDraft, TaskDraft } from "../draft.ts";

describe("a sound plan", () => {
  test("comes out complete, with every default applied", () => {
    const { plan, diagnostics } = analyzeSample(draftOf([{ id: "a", prompt: "Say hello." }]));
    expect(diagnostics).toEqual([]);
    expect(plan).toEqual({
      name: "sample",
      source: { format: "native", path: "plan.yaml", hash: SOURCE_HASH },
      context: [],
      tasks: [
        {
          id: "a",
          title: "a",
          needs: [],
          wave: null,
          work: {
            kind: "agent",
            agent: BASE.agent,
            prompt: sampleText({ kind: "inline", text: "Say hello." }),
            systemPrompt: null,
            tools: { allow: [], deny: [] },
            budgetUsd: null,
          },
          access: "write",
          owns: [],
          boundary: [],
          gates: [],
          prepare: { copy: [], include: [], envFiles: true, setup: [], teardown: [] },
          retries: 1,
          fixRounds: 2,
          race: 1,
          limits: BASE.limits,
          group: null,
          env: {},
          priority: 0,
          estimate: null,
          allowEmpty: false,
          approve: false,
          history: "keep",
          artifacts: [],
          reports: [],
          hears: null,
          doneFile: null,
          dir: null,
        },
      ],
      limits: [],
      gates: [],
      prepare: { copy: [], include: [], envFiles: true, setup: [], teardown: [] },
      hooks: { start: [], end: [], failed: [], held: [] },
      notify: BASE.notify,
      keepAwake: false,
      isolation: "shared",
      budgetUsd: null,
      land: "end",
      landStyle: BASE.landStyle,
      publish: "no",
      enforce: "report",
      slots: null,
      ports: null,
      saveMaxBytes: 5000,
      prices: [],
      folder: null,
      webhooks: { complete: null, failure: null },
      mergeMessage: null,
    });
  });

  test("consents for all tasks, and a task for itself besides", () => {
    const { tasks, ...draft } = draftOf([{ id: "a" }, { id: "b" }], { consent: ["lockfiles"] });
    const [a, b] = tasks as [TaskDraft, TaskDraft];
    const said = analyzeSample({ ...draft, tasks: [a, { ...b, consent: ["ci", "lockfiles"] }] });
    expect(said.plan?.tasks.map(({ consent }) => consent)).toEqual([["lockfiles"], ["lockfiles", "ci"]]);
  });

  test("keeps what it says about paths, groups and gates", () => {
    const draft = draftOf(
      [
        {
          id: "a",
          title: " The A ",
          owns: ["create ./src//a.ts", "modify src/b.py::B.c"],
          boundary: ["docs/"],
          artifacts: ["*.log"],
          group: "db",
          gates: [
            { run: { kind: "argv", argv: ["make", "a"] }, dir: { value: "./web/", at: at(1) }, retries: 2 },
          ],
        },
        { id: "look", command: "ls", access: "read-only", gates: [{ name: "mine" }] },
      ],
      {
        limits: [{ group: { value: "db", at: at(2) }, max: { value: 3, at: at(3) } }],
        gates: [gateOf({ run: { kind: "shell", line: `npm   test ${"x".repeat(80)}` } })],
        context: [{ value: { kind: "file", file: "context.md" }, at: at(4) }],
      },
    );
    const { plan, diagnostics } = analyzeSample(draft);
    expect(diagnostics).toEqual([]);
    const gate = { dir: null, when: [], retries: 0, slots: null, timeoutMs: 4000, env: {} };
    const planGate = { ...gate, name: `npm test ${"x".repeat(50)}…`, run: draft.gates[0]?.run };
    expect(plan).toMatchObject({
      context: [{ file: "context.md" }],
      limits: [{ group: "db", max: 3 }],
      gates: [planGate],
      tasks: [
        {
          title: "The A",
          owns: [
            { mode: "create", pattern: "src/a.ts", symbol: null },
            { mode: "modify", pattern: "src/b.py", symbol: "B.c" },
          ],
          boundary: ["docs/"],
          artifacts: ["*.log"],
          group: "db",
          gates: [planGate, { ...gate, name: "make a", dir: "web", retries: 2 }],
        },
        { work: { kind: "command", run: { kind: "shell", line: "ls" } }, gates: [{ ...gate, name: "mine" }] },
      ],
    });
  });

  test("a task's `only` replaces the plan's gates", () => {
    const draft = draftOf(
      [
        { id: "a", only: true, gates: [{ name: "mine" }] },
        { id: "b", only: true },
      ],
      {
        gates: [gateOf({ name: "all" })],
      },
    );
    expect(analyzeSample(draft).plan?.tasks.map(({ gates }) => gates.map(({ name }) => name))).toEqual([
      ["mine"],
      [],
    ]);
  });

  test("keeps what a task names itself; the wave stands beside it", () => {
    const tasks = [
      { id: "late", wave: 7 },
      { id: "a", wave: 1 },
      { id: "free" },
      { id: "b", wave: 1, needs: ["free"] },
      { id: "c", wave: 3, needs: ["b", "free"] },
    ];
    const found = analyzeSample(draftOf(tasks)).plan?.tasks.map(({ needs, wave }) => [wave, ...needs]);
    expect(found).toEqual([[7], [1], [null], [1, "free"], [3, "b", "free"]]);
  });
});

describe("what is wrong", () => {
  test("is told all at once, in the order of the file, each mistake once", () => {
    const draft = draftOf(
      [
        { id: "bad id", needs: ["nobody"], owns: ["/etc"] },
        { id: "a", needs: ["a", "b"], prompt: " " },
        { id: "b", needs: ["a"], env: { PATH: "/x" } },
        { id: "a", owns: ["src/"], command: "ls", race: 2 },
        { id: "c", owns: ["src/x"], group: "nowhere" },
        { id: "d", owns: ["src/x"], boundary: ["src"] },
      ],
      { gates: [gateOf({ dir: { value: "..", at: at(3) } })] },
    );
    const { plan, diagnostics } = analyzeSample(draft);
    expect(plan).toBeNull();
    expect(brief(diagnostics)).toEqual([
      "error dir-escapes 3:1",
      "error bad-id 10:1",
      "error unknown-need 11:1",
      "error bad-pattern 12:1",
      "error cycle 20:1",
      "note no-owns 20:1",
      "error needs-itself 21:1",
      "error empty-prompt 25:1",
      "error env-refused 37:2",
      "error duplicate-id 40:1",
      "error race-on-command 40:1",
      "error unknown-group 57:1",
      "error ownership-overlap 62:1",
      "error owns-in-boundary 63:1",
    ]);
  });

  test("a text that could not be had gives no plan and no finding: its reader tells of it", () => {
    const draft = draftOf([{ id: "a" }], {
      context: [{ value: { kind: "file", file: "missing" }, at: at(4) }],
    });
    expect(analyzeSample(draft)).toMatchObject({ plan: null, diagnostics: [] });
    expect(analyzeSample(draftOf([{ id: "a", prompt: "" }]), { text: () => null })).toMatchObject({
      plan: null,
      diagnostics: [],
    });
  });

  test("what refers to something that was lost is not wrong for that", () => {
    const tasks = [{ id: "a", needs: ["b", "c"], group: "db" }];
    const codes = (lost: Lost, limits: PlanDraft["limits"] = []) =>
      analyzeSample(draftOf(tasks, { lost, limits })).diagnostics.map(
        ({ code, message }) => `${code} ${message}`,
      );
    expect(codes({ tasks: ["b"], groups: ["db"] })).toEqual([
      "unknown-need `a` needs `c`, which is not a task in this plan",
    ]);
    expect(codes({ tasks: ["b", "c"], groups: [] })).toEqual(["unknown-group the group `db` has no limit"]);
    expect(codes({ tasks: "any", groups: "any" })).toEqual([]);
    const limit = { group: { value: "gpu", at: at(2) }, max: { value: 1, at: at(2) } };
    expect(codes({ tasks: "any", groups: ["db"] }, [limit])).toEqual([]);
    expect(analyzeSample(draftOf([], { lost: { tasks: "any", groups: [] } })).diagnostics).toEqual([]);
  });

  test("forty thousand mistakes of one kind are told by the first, and counted", () => {
    const needs = Array.from({ length: 20 }, (_, i) => `x${i}`);
    const tasks = Array.from({ length: 2000 }, (_, i) => ({ id: `t${i}`, needs }));
    const { plan, diagnostics, unlisted } = analyzeSample(draftOf(tasks));
    expect(plan).toBeNull();
    expect(diagnostics).toHaveLength(200);
    expect(unlisted).toEqual(new Map([["unknown-need", 39_800]]));
  });

  test("warnings and notes leave the plan alone", () => {
    const { plan, diagnostics } = analyzeSample(draftOf([{ id: "a", owns: ["src/"] }, { id: "b" }]));
    expect(brief(diagnostics)).toEqual(["note no-owns 20:1"]);
    expect(plan).not.toBeNull();
  });
});
