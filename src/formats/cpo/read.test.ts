import { describe, expect, test } from "vitest";
import { check, manifest, readFolder, taskFile, taskOf, whole } from "../../../test/formats/cpo-folder.ts";
import type { PlanDraft } from "../../core/draft.ts";

const values = (list: readonly { readonly value: unknown }[] | undefined) => list?.map(({ value }) => value);
const waves = (draft: PlanDraft | null) =>
  draft?.tasks.map(
    ({ id, wave, needs }) => `${wave?.value ?? "-"} ${id.value} <- ${values(needs)?.join(" ")}`,
  );
const prompt = (draft: PlanDraft | null, id: string) => {
  const { work } = taskOf(draft, id);
  return work.kind === "agent" ? work.prompt.value : null;
};

describe("an artefact folder", () => {
  test("is a plan", async () => {
    const { draft, said } = await readFolder({});
    expect(said).toEqual([]);
    expect(draft).toMatchObject({ format: "cpo", name: "TS-1", slots: null, context: [] });
    expect(draft?.defaults.totalMs).toBe(7_200_000);
    expect(values(draft?.prepare.copy ?? [])).toEqual([
      "parallel/TS-1/context.md",
      "parallel/TS-1/contracts",
      "parallel/TS-1/tasks",
    ]);
    expect(waves(draft)).toEqual([
      "1 task-001-users <- ",
      "1 task-002-items <- ",
      "2 task-003-orders <- task-001-users",
    ]);
    const task = taskOf(draft, "task-003-orders");
    expect(task.title).toBe("The title");
    expect(task.owns.map(({ mode, text }) => `${mode} ${text.value}`)).toEqual(["modify src/users.js::User"]);
    expect(values(task.boundary)).toEqual(["parallel/TS-1/contracts/types.ts"]);
    expect(task.settings.agent?.value).toEqual({ name: "plugin:agent" });
    expect(task.settings.doneFile?.value).toBe(".claude-task-complete");
    expect(task.settings.systemPrompt?.value).toMatchObject({
      kind: "inline",
      text: expect.stringContaining('"task_completed"'),
    });
    expect(task.owns[0]?.text.at).toEqual({
      file: "parallel/TS-1/tasks/task-003-orders.md",
      start: { line: 12, col: 9 },
      end: { line: 12, col: 27 },
    });
  });

  test("analysis has nothing to say about it", async () => expect(await check({})).toEqual([]));

  test("prompts are found by the id, by the number and by the name of the task file", async () => {
    const { draft } = await readFolder({});
    expect(prompt(draft, "task-001-users")).toEqual({ kind: "file", file: "prompts/task-001.txt" });
    expect(prompt(draft, "task-003-orders")).toEqual({ kind: "file", file: "prompts/task-003-orders.txt" });
    const numbers = await readFolder({
      "manifest.json": manifest([["task-001"]]),
      "prompts/task-001.txt": null,
      "prompts/task-001-users.txt": whole["prompts/task-001.txt"] as string,
      ...onlyFirst,
    });
    expect(numbers.said).toEqual([]);
    expect(prompt(numbers.draft, "task-001")).toEqual({ kind: "file", file: "prompts/task-001-users.txt" });
  });

  test("prompt_file says where a prompt lies", async () => {
    const said = manifest([]).replace(
      '"waves": []',
      '"waves": [{ "number": 1, "tasks": [{ "id": "task-001-users", "agent": "a", "prompt_file": "p/x.txt" }] }]',
    );
    const { draft } = await readFolder({ "manifest.json": said, "p/x.txt": "=== CONTEXT ===\n" });
    expect(prompt(draft, "task-001-users")).toEqual({ kind: "file", file: "p/x.txt" });
  });

  test("names and concurrency of the manifest are used", async () => {
    const metadata = { max_parallel: 2, total_tasks: 1, critical_path: ["task-001"], generated_at: "now" };
    const { draft, said } = await readFolder({
      "manifest.json": manifest([["task-001-users"]], { name: "shop", technology: "python", metadata }),
      ...onlyFirst,
    });
    expect([said, draft?.name, draft?.slots?.value]).toEqual([[], "shop", 2]);
  });

  test("deps and blocks are needs, by id or by number, and each once", async () => {
    const { draft, said } = await readFolder({
      "tasks/task-001-users.md": taskFile({
        ...{ id: "task-001-users", wave: 1, scope: "CREATE: a" },
        more: "blocks: [task-003]\n",
      }),
      "tasks/task-002-items.md": taskFile({
        ...{ id: "task-002", wave: 1, scope: "CREATE: b" },
        more: "blocks: [task-003-orders]\n",
      }),
      "tasks/task-003-orders.md": taskFile({
        ...{ id: "task-003", wave: 2, deps: "[task-001]", scope: "CREATE: c" },
      }),
    });
    expect(said).toEqual([]);
    expect(waves(draft)?.at(-1)).toBe("2 task-003-orders <- task-001-users task-002-items");
  });

  test("main is no sub-agent", async () => {
    const { draft } = await readFolder({
      "manifest.json": manifest([["task-001-users"]]).replace("plugin:agent", "main"),
    });
    expect(taskOf(draft, "task-001-users").settings.agent).toBeNull();
  });
});

const onlyFirst = { "tasks/task-002-items.md": null, "tasks/task-003-orders.md": null };

describe("the validation of a wave", () => {
  const withValidation = (first: string, second?: string) => {
    const written = JSON.parse(whole["manifest.json"] as string);
    written.waves[0].validation = first;
    if (second !== undefined) written.waves[1].validation = second;
    return JSON.stringify(written, null, 1);
  };

  test("stands between two waves, as a read-only command", async () => {
    const { draft } = await readFolder({ "manifest.json": withValidation("npm test", "import a") });
    expect(waves(draft)).toEqual([
      "1 task-001-users <- ",
      "1 task-002-items <- ",
      "- wave-1-validation <- task-001-users task-002-items",
      "2 task-003-orders <- task-001-users wave-1-validation",
      "- wave-2-validation <- task-003-orders",
    ]);
    const first = taskOf(draft, "wave-1-validation");
    expect(first.work).toMatchObject({ kind: "command", run: { kind: "shell", line: "npm test" } });
    expect([first.settings.access, first.settings.retries, first.settings.doneFile ?? null]).toEqual([
      "read-only",
      0,
      null,
    ]);
    expect(taskOf(draft, "wave-2-validation").work).toMatchObject({ run: { kind: "argv" } });
    expect(await check({ "manifest.json": withValidation("npm test", "import a") })).toEqual([]);
  });

  describe("without tasks", () => {
    const withWaves = (...waves: [number, string[], string?][]) =>
      manifest([], {
        waves: waves.map(([number, ids, validation]) => ({
          ...{ number, tasks: ids.map((id) => ({ id, agent: "plugin:agent" })) },
          ...(validation !== undefined && { validation }),
        })),
      });
    const [first, third] = [["task-001-users", "task-002-items"], ["task-003-orders"]];
    const task3 = {
      "tasks/task-003-orders.md": taskFile({ id: "task-003-orders", wave: 3, scope: "CREATE: o.js" }),
    };

    test("runs when the wave before is done, and the next waits for it", async () => {
      const written = withWaves([1, first], [2, [], "exit 1"], [3, third]);
      const { draft, said } = await readFolder({ "manifest.json": written, ...task3 });
      expect(waves(draft)).toEqual([
        "1 task-001-users <- ",
        "1 task-002-items <- ",
        "- wave-2-validation <- task-001-users task-002-items",
        "3 task-003-orders <- wave-2-validation",
      ]);
      expect(said).toEqual([
        "manifest.json:18:17 warning wave-order: wave 2 has no tasks; its validation runs after wave 1 -> move `validation` to wave 1, and delete wave 2",
      ]);
    });

    test("runs after that of the wave before, and the last after all", async () => {
      const written = withWaves([1, first, "a"], [2, [], "b"], [3, third, "c"], [4, [], "d"], [5, [], "e"]);
      expect(waves((await readFolder({ "manifest.json": written, ...task3 })).draft)).toEqual([
        "1 task-001-users <- ",
        "1 task-002-items <- ",
        "- wave-1-validation <- task-001-users task-002-items",
        "- wave-2-validation <- task-001-users task-002-items wave-1-validation",
        "3 task-003-orders <- wave-2-validation",
        "- wave-3-validation <- task-003-orders",
        "- wave-4-validation <- task-003-orders wave-3-validation",
        "- wave-5-validation <- task-003-orders wave-4-validation",
      ]);
      expect(
        (await check({ "manifest.json": written, ...task3 })).filter((one) => / error /.test(one)),
      ).toEqual([]);
    });

    test("is refused where no wave before has any", async () => {
      const written = withWaves([1, [], "exit 1"], [2, first], [3, third]);
      expect((await readFolder({ "manifest.json": written, ...task3 })).said).toContain(
        "manifest.json:7:21 error wave-order: wave 1 has a validation, but no wave up to it has tasks -> move `validation` to the wave whose tasks it checks, or delete it",
      );
    });
  });

  test("that says nothing is none", async () => {
    const { draft } = await readFolder({ "manifest.json": withValidation("  ") });
    expect(draft?.tasks).toHaveLength(3);
  });
});

describe("the generation before, where tasks are files", () => {
  const files = ["tasks/task-001-users.md", "task-002-items.md", "./tasks/task-003-orders.md"];
  const legacy = (more: object = {}) =>
    JSON.stringify(
      {
        version: "1.0.0",
        created_at: "now",
        tech_spec: { id: "TS-1", title: "inventory", path: "x.md", status: "APPROVED" },
        sources: { prd: "a" },
        technology: "django",
        tasks: { total: 3, waves: 2, files },
        integration: { status: "pending" },
        ...more,
      },
      null,
      2,
    );

  test("is the same plan", async () => {
    const { draft, said } = await readFolder({ "manifest.json": legacy() });
    expect(said).toEqual([]);
    expect(draft?.name).toBe("inventory");
    expect(waves(draft)).toEqual([
      "1 task-001-users <- ",
      "1 task-002-items <- ",
      "2 task-003-orders <- task-001-users",
    ]);
    expect(taskOf(draft, "task-001-users").settings.agent?.value).toEqual({ name: "plugin:agent" });
  });

  test("a file that is missing, and one without a wave", async () => {
    const said = await check({
      "manifest.json": legacy({ tasks: { files: ["tasks/task-001-user.md", "tasks/task-002-items.md"] } }),
      "tasks/task-002-items.md": (whole["tasks/task-002-items.md"] as string).replace("wave: 1\n", ""),
      "tasks/task-003-orders.md": null,
    });
    expect(said).toEqual([
      "manifest.json:16:7 error spec-missing: the task file `tasks/task-001-user.md` does not exist -> did you mean `tasks/task-001-users.md`?",
      "tasks/task-001-users.md:2:5 warning spec-unused: the task file `tasks/task-001-users.md` belongs to no task in the manifest -> add it to `tasks.files`",
      "tasks/task-002-items.md:2:1 error missing-key: missing key `wave` in the task file -> add `wave: 1`",
    ]);
  });

  test("without files it has no tasks", async () => {
    const said = await check({ "manifest.json": legacy({ tasks: { total: 0, waves: 0, files: [] } }) });
    expect(said.filter((one) => one.includes(" error "))).toEqual([
      'manifest.json:17:14 error no-tasks: the plan has no tasks -> add a task: `"files": ["tasks/task-001-users.md"]`',
    ]);
  });
});

describe("what a prompt lacks", () => {
  const bare = { "prompts/task-001.txt": "Do it.\n" };
  const skills = (agents: string) => ({ "agent-skills-mapping.yaml": `agents:\n${agents}` });

  test("skills of the mapping and context come in front of it", async () => {
    const { draft } = await readFolder({
      ...bare,
      ...skills("  plugin:agent:\n    skills: [style, other:zod]\n    description: x\n"),
    });
    expect(prompt(draft, "task-001-users")).toEqual({
      kind: "inline",
      text: '=== REQUIRED SKILLS ===\nLoad these skills before you start, each by its full name (skill: "plugin:skill-name"):\n- plugin:style\n- other:zod\n\n=== CONTEXT ===\n# Context\n\nDo it.\n',
    });
    expect(prompt(draft, "task-002-items")).toMatchObject({ kind: "file" });
  });

  test("a task file's own skills are the ones that count", async () => {
    const { draft } = await readFolder({
      ...bare,
      ...skills("  plugin:agent: { skills: [style] }\n"),
      "tasks/task-001-users.md": taskFile({
        ...{ id: "task-001-users", wave: 1, scope: "CREATE: a" },
        more: "skills: [own]\n",
      }),
    });
    expect(prompt(draft, "task-001-users")).toMatchObject({
      text: expect.stringContaining("- plugin:own\n\n"),
    });
  });

  test("the mapping may lie in the folder above, and an agent may be named without its plugin", async () => {
    const { draft } = await readFolder({
      ...bare,
      "../agent-skills-mapping.yaml": "agents:\n  plugin:agent: { skills: [style] }\n",
      "manifest.json": (whole["manifest.json"] as string).replace('"plugin:agent"', '"agent"'),
    });
    expect(prompt(draft, "task-001-users")).toMatchObject({
      text: expect.stringContaining("- plugin:style"),
    });
  });

  test("a mapping that is wrong is told at its own place", async () => {
    const { said } = await readFolder(skills("  plugin:agent: { skill: [style] }\n"));
    expect(said).toEqual([
      "agent-skills-mapping.yaml:2:19 error unknown-key: unknown key `skill` in agent -> did you mean `skills`?",
    ]);
  });
});

describe("tools of a task file", () => {
  const withTools = (tools: string) => ({
    "tasks/task-001-users.md": taskFile({
      ...{ id: "task-001-users", wave: 1, scope: "CREATE: src/users.js" },
      more: `${tools}\n`,
    }),
  });

  test("are rules, and the agent may still say that it is done", async () => {
    const { draft } = await readFolder(withTools('allowed_tools: [Read, "Edit(/src/**)"]'));
    expect(values(taskOf(draft, "task-001-users").settings.tools?.allow)).toEqual([
      "Read",
      "Edit(/src/**)",
      "Bash(touch .claude-task-complete)",
    ]);
  });

  test("a review only reads, so it leaves no file", async () => {
    const { draft } = await readFolder(withTools("tools: review"));
    const { settings } = taskOf(draft, "task-001-users");
    expect([settings.access, settings.doneFile, values(settings.tools?.allow)]).toEqual([
      "read-only",
      null,
      ["Read", "Glob", "Grep"],
    ]);
    expect(settings.systemPrompt?.value).toMatchObject({ text: expect.not.stringContaining("touch") });
  });

  test("a bad rule is told at its place", async () =>
    expect((await readFolder(withTools("tools: [Read, Bsh]"))).said).toEqual([
      "tasks/task-001-users.md:8:15 error bad-tool: the task has the tool rule `Bsh`, which is not a known tool -> did you mean `Bash`?",
    ]));
});
