import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { taskFile } from "../formats/cpo-folder.ts";
import { expectGolden } from "./golden.ts";
import { makePlace, type Place, plaitIn } from "./place.ts";

/** Whole prompts of real runs, read as an agent would. */
function expectPrompt(place: Place, attempt: string, name: string): void {
  const runs = join(place.repo, ".git/plait/runs");
  const run = readdirSync(runs)[0] as string;
  const names = readdirSync(join(runs, run, "prompts"));
  expect(names).toContain(`${attempt}.md`);
  const text = readFileSync(join(runs, run, "prompts", `${attempt}.md`), "utf8");
  expect(text).not.toContain(run); // nor its worktree or branch
  expectGolden(`agent-prompts/${name}.md`, text.replace(/\b[0-9a-f]{40}\b/g, "0123456789"));
}

async function run(place: Place, ...args: string[]): Promise<void> {
  const { code, stderr } = await plaitIn(place, "run", ...args, "--agent", "demo", "--quiet", "-j", "1");
  expect(code, stderr).toBe(0);
}

async function runPlan(place: Place, name: string, text: string): Promise<void> {
  writeFileSync(join(dirname(place.repo), name), text);
  await run(place, join("..", name));
}

test("a prompt on the command line comes with the least that an agent needs", async () => {
  const place = makePlace();
  await run(place, "-p", "Add a greeting.\n\ndemo: write hello.txt hello", "--gate", "test -d src");
  expectPrompt(place, "add-greeting.1", "minimal");
});

test("a task learns what it may change, what was done before it, how it is checked, and what went wrong", async () => {
  const place = makePlace({ "src/cart.ts": "export const total = 0;\n", "docs/style.md": "Use tabs.\n" });
  await runPlan(
    place,
    "plan.yaml",
    `plait: 1
name: shop
context: [repo/docs/style.md]
gates: [{ name: clean, run: "! grep -rn BAD src" }]
enforce: fail
defaults: { retries: 1, fix-rounds: 1 }
tasks:
  - { id: audit, title: Audit of prices, access: read-only, prompt: "demo: say Prices are integers." }
  - id: money
    title: Add a money type
    prompt: "demo: write src/money.ts 1\\ndemo: say I added it.\\\\n\\\\nStatus: DONE\\\\nSummary: Money keeps cents."
  - id: cart
    title: Totals of the cart
    needs: [audit, money]
    owns: [src/cart/, { create: src/new.ts }, { modify: "src/cart.ts::total" }]
    boundary: [docs/]
    gates: ["test -e src/new.ts"]
    prompt: |
      Add up the cart.
      demo: on attempt 1: write src/new.ts BAD
      demo: on attempt 2: write src/money.ts 2
      demo: on attempt 3: write src/new.ts good
`,
  );
  expectPrompt(place, "audit.1", "read-only");
  expectPrompt(place, "cart.1", "native");
  expectPrompt(place, "cart.2", "red-gate");
  expectPrompt(place, "cart.3", "retry");
});

test("the formats of older systems keep what they promise: summaries in front, agent commands first, one result object", async () => {
  const dispatch = makePlace();
  const batch = (id: number, more: object) => ({ id, description: `Batch ${id}`, parallel: true, ...more });
  const agents = [
    { subagent_type: "researcher", prompt: "demo: write a.txt a\ndemo: say I looked.\\nSummary: two bugs" },
  ];
  const next = [{ subagent_type: "writer", prompt: "Fix them.\ndemo: write b.txt b", owns_files: ["b.txt"] }];
  const manifest = { batches: [batch(1, { type: "fan-out", agents }), batch(2, { agents: next })] };
  await runPlan(dispatch, "plan.md", `# Plan\n\n\`\`\`json dispatch\n${JSON.stringify(manifest)}\n\`\`\`\n`);
  expectPrompt(dispatch, "b2-1-writer.1", "dispatch");

  const orchestra = makePlace();
  await runPlan(
    orchestra,
    "po.md",
    `---\npo_plan_version: "0.1"\nname: po\ncwd: .\ntasks:\n  - { id: a, agent: dev, read_only: false }\n---\n`,
  );
  expectPrompt(orchestra, "a.1", "orchestra");

  const folder = "parallel/TS-1/";
  const artifacts = makePlace({
    [`${folder}manifest.json`]: JSON.stringify({
      tech_spec_id: "TS-1",
      waves: ["task-001-users", "task-002-items"].map((id, i) => ({
        ...{ number: i + 1, tasks: [{ id, agent: "general-purpose" }] },
        validation: "echo ok 1 - all && test -d src",
      })),
    }),
    [`${folder}context.md`]: "# Context\n",
    [`${folder}contracts/types.ts`]: "export type A = 1;\n",
    [`${folder}tasks/task-001-users.md`]: `${taskFile({
      ...{ id: "task-001-users", wave: 1, scope: "CREATE: src/users.js" },
    })}\n## Requirements\n\ndemo: write src/users.js 1\n\n## Checklist\n\n- [ ] It is there.\n`,
    [`${folder}tasks/task-002-items.md`]: `${taskFile({
      ...{ id: "task-002-items", wave: 2, scope: "CREATE: src/items.js\nBOUNDARY: src/users.js" },
    })}\n## Requirements\n\ndemo: write src/items.js 1\n\n## Checklist\n\n- [ ] It is there.\n`,
  });
  expect((await plaitIn(artifacts, "spec", "prompts", folder)).code).toBe(0);
  await run(artifacts, folder);
  expectPrompt(artifacts, "task-001-users.1", "artifacts");
  expectPrompt(artifacts, "task-002-items.1", "artifacts-later-wave");
});
