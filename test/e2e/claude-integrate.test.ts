import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pidsWith } from "../process/support.ts";
import { describeClaude } from "./claude-program.ts";
import { scriptMark } from "./model-script.ts";
import { endOf, factsOf, newPlace, plait, runIds, sh, startPlait, stateOf, until } from "./runs.ts";
import { writeFiles } from "./support.ts";

const FOLDER = "parallel/TS-0042-shop";
const ids = ["task-001-catalog", "task-002-orders"] as const;
const fileOf = (id: string) => `src/${id.slice("task-001-".length)}.ts`;

const taskFile = (id: string) =>
  `---\nid: ${id}\ncomponent: c\nwave: 1\ndeps: []\nagent: general-purpose\ncontracts: [contracts/types.ts]\n---\n# ${id}: Types\n\n## Scope\nCREATE: ${fileOf(id)}\nBOUNDARY: (none)\n`;

const folder = {
  ".gitignore": "integration-report.*\n",
  [`${FOLDER}/manifest.json`]: JSON.stringify({
    ...{ tech_spec_id: "TS-0042", name: "shop", metadata: {} },
    waves: [{ number: 1, tasks: ids.map((id) => ({ id, agent: "general-purpose" })) }],
  }),
  [`${FOLDER}/context.md`]: "# Context\n",
  [`${FOLDER}/contracts/types.ts`]:
    "export interface Product {\n  id: string;\n  price: number;\n}\n\nexport interface Order {\n  id: string;\n}\n",
  ...Object.fromEntries(ids.map((id) => [`${FOLDER}/tasks/${id}.md`, taskFile(id)])),
  ...Object.fromEntries(ids.map((id) => [`${FOLDER}/prompts/${id}.txt`, `Do it. ${scriptMark(id)}\n`])),
};

const write = (path: string, content: string) => ({ write: { path, content } });
const sayDone = { bash: "touch .claude-task-complete" };
const product = "export interface Product {\n  id: string;\n}\n";
const [catalog, orders] = ids;

describeClaude("plait integrate --fix with the real Claude", () => {
  test("continues the conversation of the task in its folder, through a kill, lands and fits (I1, I2, I4, I5, I8)", async () => {
    const place = await newPlace({
      [catalog]: [
        write(fileOf(catalog), product),
        sayDone,
        { text: "The catalog is done." },
        { stallAfter: 3 }, // plait is killed meanwhile
        { edit: { path: fileOf(catalog), old: "  id: string;", new: "  id: string;\n  price: number;" } },
        { text: "The price is there." },
      ],
      [orders]: [
        write(fileOf(orders), "export interface Order {\n  id: string;\n}\n"),
        sayDone,
        { text: "Done." },
      ],
    });
    await writeFiles(place.repo, folder);
    sh(place, "git add -A; git commit -q -m folder");
    expect(await plait(place, "run", FOLDER, "--allow-root")).toMatchObject({ code: 0 });
    sh(place, "echo mine > person.txt; git add -A; git commit -q -m mine");
    const edited = sh(place, "git rev-parse HEAD");

    const found = await plait(place, "spec", "integrate", "--no-checks");
    expect(found.code).toBe(1);
    expect(found.stdout).toContain(`${fileOf(catalog)}:1: must fix[field-missing]: Product`);
    const cut = startPlait(place, "spec", "integrate", "--fix", "--yes", "--no-checks", "--allow-root");
    await until(() => place.server.requestsOf(catalog).length === 4, cut);
    cut.signal("SIGKILL");
    await cut.ended;

    const fixed = await plait(place, "spec", "integrate", "--fix", "--yes", "--no-checks", "--allow-root");
    expect(fixed.stdout).toContain("the parts fit");
    expect(fixed.code).toBe(0);
    const [run = ""] = runIds(place);
    expect(fixed.stderr).toContain(`Resuming ${run}, which was interrupted`);
    expect(runIds(place)).toEqual([run]);
    expect(stateOf(place)).toMatchObject({ ended: { outcome: "complete" }, landing: { kind: "landed" } });

    // One conversation in one folder, from the commit that was judged.
    const started = factsOf(place, "attempt.started").filter(({ attempt }) => attempt.startsWith(catalog));
    expect(started.map(({ continues }) => continues)).toEqual([null, `${catalog}/1`, `${catalog}/1`]);
    expect(new Set(started.map(({ worktree }) => worktree)).size).toBe(1);
    expect(started.slice(1).map(({ base }) => base.commit)).toEqual([edited, edited]);
    expect(endOf(place, `${catalog}/3`).conversation).toBe(endOf(place, `${catalog}/1`).conversation);
    const said = JSON.stringify(place.server.requestsOf(catalog).at(-1)?.body?.messages);
    for (const text of ["The catalog is done.", "Fix your merged work", "[field-missing] Product"])
      expect(said).toContain(text);

    // All of it is on the branch, and nothing is left but what the killed attempt had.
    expect(sh(place, `git show main:${fileOf(catalog)}`)).toContain("price: number");
    expect(sh(place, "git show main:person.txt")).toBe("mine");
    const refs = sh(place, "git for-each-ref --format='%(refname)' refs/plait refs/heads/plait");
    expect(refs).toBe(`refs/plait/${run}/${catalog}/2`);
    expect(sh(place, "git status --porcelain")).toBe(` M ${FOLDER}/manifest.json`);
    expect(pidsWith(`PLAIT_RUN=${run}`)).toEqual([]);
    const report = JSON.parse(readFileSync(join(place.repo, FOLDER, "integration-report.json"), "utf8"));
    expect(report.judged).toMatchObject({ kind: "landed", run, commit: sh(place, "git rev-parse main") });
  });
});
