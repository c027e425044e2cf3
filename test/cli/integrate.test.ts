import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { asked, askedIn } from "./asked.ts";
import { commit, FOLDER, files, findingsIn, MANIFEST, taskFile, trailers, write } from "./integrate-place.ts";
import { git, makePlace } from "./place.ts";
import { folderWith } from "./plait.ts";

describe("an artifact folder", () => {
  const place = makePlace(files);

  it("whose tasks have left no trace says so of each, and tells the manifest", async () => {
    const { code, stdout, stderr } = await askedIn(place, "spec", "integrate", "--no-checks");
    expect(code).toBe(1);
    expect(stdout).toContain(
      "must fix[task-without-commits]: task-001-a: no run, commit trailer or branch names this task",
    );
    expect(stdout).toContain(`${FOLDER}/integration-report.md: written`);
    expect(stderr).toContain("plait explain task-without-commits");
    const report = readFileSync(join(place.repo, FOLDER, "integration-report.md"), "utf8");
    expect(report).toContain(`1. Run the tasks: \`plait run ${FOLDER}\`.`);
    const text = readFileSync(join(place.repo, FOLDER, "manifest.json"), "utf8");
    const [before = "", after = ""] = MANIFEST.split(/(?<=prd.md" \})/);
    expect(text.startsWith(`${before},\r\n   "integration": {\r\n      "status"`)).toBe(true);
    expect(text.endsWith(after)).toBe(true);
    expect(JSON.parse(text).integration).toMatchObject({
      status: "pending",
      report_path: `${FOLDER}/integration-report.md`,
      checks: { branch_merge: "failed", boundary_violations: "warning" },
    });
  });

  it("is judged by the trailers of commits: what is not a task's own is named, with who did it", async () => {
    symlinkSync("a.txt", join(place.repo, "alias.txt"));
    git(place, "add", "alias.txt");
    git(place, "update-index", "--chmod=+x", "tool.sh"); // the same bytes in another mode
    commit(place, { "a.txt": "A\n", "kept.txt": "no\n", "stray.txt": "x\n" }, trailers("task-001-a"));
    commit(place, { "b.txt": "B\n", [`${FOLDER}/contracts/agreed.json`]: "[]\n" }, trailers("task-002-b"));
    commit(place, { "other.txt": "o\n" }, trailers("task-001-a", "elsewhere-aaaa")); // another plan's
    const { code, report, findings } = await findingsIn(place);
    expect(code).toBe(1);
    expect(findings).toEqual([
      "must outside-scope task-001-a alias.txt",
      "must inside-boundary task-001-a kept.txt",
      "must outside-scope task-001-a stray.txt",
      "must outside-scope task-001-a tool.sh",
      `must contract-changed task-002-b ${FOLDER}/contracts/agreed.json`,
    ]);
    expect(report).toMatchObject({
      subject: { techSpec: "tech-specs/approved/TS-0007-shop.md", techSpecId: "TS-0007", prd: "docs/prd.md" },
      judged: { kind: "landed", ref: "main", run: null },
      tasks: [
        { task: "task-001-a", status: "merged", files: 5, from: "trailers" },
        { task: "task-002-b", status: "merged", files: 2 },
      ],
    });
  });

  it("fits again once the mistake is reverted, whoever does it, and a second time changes one block only", async () => {
    git(place, "rm", "-q", "stray.txt", "alias.txt");
    git(place, "update-index", "--chmod=-x", "tool.sh");
    commit(place, {}, trailers("task-001-a")); // by the task that had done it
    commit(place, { "kept.txt": "kept\n", [`${FOLDER}/contracts/agreed.json`]: "{}\n" });
    const { code, findings, report } = await findingsIn(place);
    expect(findings.map((one) => one.split(" ")[0])).toEqual(Array(5).fill("should"));
    expect(report.findings[0].message).toMatch(/; reverted since$/);
    expect(code).toBe(0);
    const manifest = readFileSync(join(place.repo, FOLDER, "manifest.json"), "utf8");
    expect(JSON.parse(manifest).integration.status).toBe("completed");
    expect(manifest.replace(/,\s*"integration": \{[^}]*\{[^}]*\}\s*\}/, "")).toBe(MANIFEST);
    const written = JSON.parse(readFileSync(join(place.repo, FOLDER, "integration-report.json"), "utf8"));
    expect(written.findings).toEqual(report.findings);
    expect(readFileSync(join(place.repo, FOLDER, "integration-report.md"), "utf8")).toContain(
      "reverted since",
    );
  });

  it("is not green without any check, unless that is accepted", async () => {
    const unsure = await askedIn(place, "spec", "integrate");
    expect([unsure.code, unsure.stdout]).toEqual([
      1,
      expect.stringContaining("unclear whether the parts fit: no checks found; 5 should be fixed\n"),
    ]);
    expect(unsure.stderr).toContain(`plait spec integrate --parallel-dir ${FOLDER} --allow-unknown`);
    expect((await askedIn(place, "spec", "integrate", "--allow-unknown")).code).toBe(0);
  });

  it("is asked for as a gate: nothing is written, and only what is in the tree counts", async () => {
    rmSync(join(place.repo, FOLDER, "integration-report.md"));
    const good = await askedIn(place, "spec", "integrate", "--enforce");
    expect([good.code, existsSync(join(place.repo, FOLDER, "integration-report.md"))]).toEqual([0, false]);
    git(place, "checkout", "-q", "--detach", "HEAD~1");
    const red = await askedIn(place, "spec", "integrate", "--enforce");
    expect(red.code).toBe(1);
    expect(red.stdout.trimEnd().split("\n").at(-1)).toContain("must fix[contract-changed]: task-002-b: ");
    git(place, "checkout", "-q", "--detach", "HEAD~4"); // neither task is there
    const early = await askedIn(place, "spec", "integrate", "--enforce");
    expect([early.code, early.stdout]).toEqual([0, "the parts fit; 0 of 2 tasks in this tree\n"]);
    git(place, "checkout", "-q", "main");
    const wrong = await askedIn(place, "spec", "integrate", "--enforce", "--agent", "demo");
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining("--agent and --enforce cannot be combined"),
    ]);
  });
});

describe("what is not there", () => {
  it("is found in what is merged: files, functions, versions, a task that did nothing", async () => {
    const scope = "CREATE: app/cart.py, app/late.py, docs/*.md, .env\nMODIFY: app/old.py\nBOUNDARY: (none)";
    const place = makePlace({
      ...files,
      ".gitignore": "integration-report.*\n.env\n",
      "requirements.txt": "fastapi==0.115.6\nhttpx==0.27.0\n",
      "app/old.py": "def old():\n    raise NotImplementedError\n",
      [`${FOLDER}/manifest.json`]: MANIFEST.replace(
        '"waves"',
        '"dependencies": { "python": { "add": ["fastapi==0.115.6", "httpx==0.27.0"] } }, "waves"',
      ),
      [`${FOLDER}/tasks/task-001-a.md`]: taskFile("task-001-a", scope),
    });
    const cart = `from .store import Store


class Cart(Store):
    def total(self):
        raise NotImplementedError


class Sized:
    def size(self):
        raise NotImplementedError


class Box(Sized):
    def size(self):
        return 1  # TODO: weigh


def get_store():
    raise NotImplementedError


def wire(app):
    app.dependency_overrides[get_store] = Store
`;
    const old =
      "def old():\n    raise NotImplementedError\n\n\ndef added():\n    raise NotImplementedError\n";
    commit(
      place,
      { "app/cart.py": cart, "app/old.py": old, "app/late.py": "x = 1\n" },
      trailers("task-001-a"),
    );
    git(place, "rm", "-q", "app/late.py");
    commit(place, { "requirements.txt": "fastapi==0.115.6\nhttpx==0.28.0\n" });
    commit(place, {}, trailers("task-002-b"));
    const { code, report, findings } = await findingsIn(place);
    expect([code, findings]).toEqual([
      1,
      [
        `must task-empty task-002-b ${FOLDER}/tasks/task-002-b.md`,
        `must scope-file-missing task-001-a ${FOLDER}/tasks/task-001-a.md`,
        `must scope-file-missing task-001-a ${FOLDER}/tasks/task-001-a.md`,
        "must stub-left task-001-a app/cart.py",
        "should stub-left task-001-a app/cart.py",
        "should stub-left task-001-a app/old.py",
        "must version-changed httpx requirements.txt",
      ],
    ]);
    expect(report.findings.map(({ at }: { at: { line: number } }) => at.line)).toEqual([
      2, 12, 12, 5, 16, 5, 2,
    ]);
    expect(report.findings.map(({ message }: { message: string }) => message).slice(1, 3)).toEqual([
      "`app/late.py` was created, then deleted",
      "no file matches `docs/*.md`, which the task must create",
    ]);
  });
});

describe("what is guarded, and what is generated", () => {
  const lock = "package-lock.json";
  const place = makePlace({
    [lock]: "{}\n",
    ".gitattributes": "*.gen.py linguist-generated\n",
    "a.gen.py": "x = 1\n",
    "check.sh": "exit 0\n",
  });
  const plan = (enforce: string, consent: string) => `plait: 1
name: shop
defaults: { agent: demo }
enforce: ${enforce}
gates: [sh check.sh]
tasks:
  - { id: all, owns: ["**"], prompt: x${consent} }
  - { id: part, needs: [all], owns: ["a.gen.py::y"], prompt: x${consent} }
`;

  it("is judged as in a run: a claim that names it or consent allows it", async () => {
    commit(place, { [lock]: "[]\n", "check.sh": "exit 1\n" }, trailers("all"));
    commit(place, { [lock]: "1\n", "a.gen.py": "x = 2\n", ".gitattributes": "\n" }, trailers("part"));
    const found = async (text: string) => {
      write(place, "plan.yaml", text);
      const { stdout } = await askedIn(place, "integrate", "plan.yaml", "--no-checks", "--json");
      const all: { weight: string; code: string; about: string; at: { file: string } }[] =
        JSON.parse(stdout).findings;
      return all.map(({ weight, code, about, at }) => [weight, code, about, at.file].join(" "));
    };
    const others = [
      "unclear scope-unclear part a.gen.py", // as .gitattributes said before
      "must outside-scope part .gitattributes",
    ];
    expect((await found(plan("report", ""))).sort()).toEqual(
      [
        ...others,
        "must guarded-changed part package-lock.json",
        "should guarded-changed all check.sh",
        "should guarded-changed all package-lock.json",
      ].sort(),
    );
    expect((await found(plan("fail", ", consent: [lockfiles]"))).sort()).toEqual(
      [...others, "must guarded-changed all check.sh"].sort(),
    );
  });
});

describe("what cannot be integrated is told with exit 2 or 3, and nothing is written", () => {
  const place = makePlace({ ...files, "parallel/other/manifest.json": "{}\n", "parallel/README.md": "x\n" });

  it.each([
    [["spec", "integrate"], 2, `2 artifact folders found: ${FOLDER}, parallel/other`],
    [["spec", "integrate", "--parallel-dir", "parallel/none"], 2, "parallel/none does not exist"],
    [["spec", "integrate", "--parallel-dir", "parallel"], 2, "parallel has no manifest.json"],
    [["spec", "integrate", "--parallel-dir", "a.txt"], 2, "a.txt is a file, not an artifact folder"],
    [["spec", "integrate", "--parallel-dir", "parallel/other"], 2, "error[missing-key]"],
    [["spec", "integrate", "--parallel-dir", FOLDER, "--run", "none"], 2, 'unknown run "none"'],
    [["integrate", "none.yaml"], 2, "error[file-missing]"],
    [
      ["integrate"],
      2,
      `more than one plan: ${FOLDER}, parallel/other\n  help: pass one: plait integrate ${FOLDER}`,
    ],
  ])("plait %s", async (words, code, says) => {
    const found = await askedIn(place, ...words);
    expect(found.code).toBe(code);
    expect(found.stderr).toContain(says);
    expect(git(place, "status", "--porcelain")).toBe("");
  });

  it("where there is no folder, no repository, and a report that cannot be written", async () => {
    const none = await asked(["spec", "integrate"], { cwd: folderWith({ x: "" }) });
    expect([none.code, none.stderr]).toEqual([
      2,
      expect.stringContaining("no artifact folder below parallel"),
    ]);
    const outside = folderWith({
      "parallel/x/manifest.json": MANIFEST,
      "parallel/x/tasks/task-001-a.md": "",
    });
    expect((await asked(["spec", "integrate"], { cwd: outside })).code).toBe(3);
    mkdirSync(join(place.repo, FOLDER, "integration-report.md"));
    const flags = ["--no-checks", "--parallel-dir", FOLDER];
    const taken = await askedIn(place, "spec", "integrate", ...flags);
    expect([taken.code, taken.stderr]).toEqual([
      2,
      expect.stringContaining("integration-report.md is a folder"),
    ]);
    expect(taken.stdout).toContain("2 findings must be fixed\n"); // looking may have taken long: it is told all the same
    expect(git(place, "status", "--porcelain")).toBe("");
    rmSync(join(place.repo, FOLDER, "integration-report.md"), { recursive: true });
    symlinkSync(join(place.repo, "a.txt"), join(place.repo, FOLDER, "integration-report.md"));
    expect((await askedIn(place, "spec", "integrate", ...flags)).code).toBe(1);
    expect(readFileSync(join(place.repo, "a.txt"), "utf8")).toBe("a\n"); // the link was replaced, not followed
  });
});
