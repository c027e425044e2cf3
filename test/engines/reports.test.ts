import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runFiles } from "../../src/app/run-files.ts";
import type { AttemptId } from "../../src/core/ids.ts";
import type { PathPattern } from "../../src/core/ownership/pattern.ts";
import { keepReports, noteReports, reportText } from "../../src/engines/local/reports.ts";
import type { RunReport } from "../../src/report/model.ts";
import { factsOf, place, promptOf, runPlan, sh } from "./local.ts";

const SECRET = "Zq81-kTThx-0042-geheim";

const PLAN = `tasks:
  - id: review
    access: read-only
    reports: ["reports/*.md", ".claude/reports/"]
    prompt: |
      demo: run git status --porcelain --ignored=no > ../status.txt
      demo: write .claude/reports/plan-report-x.md Prices are floats.
      demo: write reports/key.md the key is ${SECRET}
      demo: write src/stray.txt oops
      demo: run printf changed >> reports/tracked.md
      demo: say I saw it all.
  - id: second
    access: read-only
    needs: [review]
    reports: ["reports/*.md", ".claude/reports/"]
    prompt: |
      demo: run mkdir -p reports; head -c 2 /dev/zero > reports/binary.md
      demo: say Nothing more.
  - id: fix
    needs: [review, second]
    prompt: |
      demo: run cat .claude/reports/plan-report-x.md > seen.txt; cat reports/old.md >> seen.txt
      demo: run echo mine > reports/mine.md; git status --porcelain > status.txt
  - id: thief
    needs: [review]
    retries: 0
    fix-rounds: 0
    prompt: "demo: run git add -f .claude; git commit -qm mine"
`;

test("report files of a read-only task are kept, told and handed on, and nobody commits them (I2, I13)", async () => {
  const at = place({ "a.txt": "a\n", "reports/tracked.md": "t\n", "reports/old.md": "old\n" });
  const here = { ...at, host: { ...at.host, env: { ...at.host.env, API_TOKEN: SECRET } } };
  const ran = await runPlan(here, PLAN, { policy: { land: "partial" } });
  const saved = new Map(factsOf(ran, "attempt.saved").map((fact) => [fact.attempt as string, fact]));

  // What it wrote is kept for its user alone and as it is; what was there before is not its report.
  const folder = join(ran.folder, "reports/review/1");
  const read = (path: string) => readFileSync(join(folder, path), "utf8");
  expect(read(".claude/reports/plan-report-x.md")).toContain("Prices are floats.");
  expect(read("reports/key.md")).toContain(SECRET);
  expect(read("reports/tracked.md")).toBe("t\nchanged");
  expect(existsSync(join(folder, "reports/old.md"))).toBe(false);
  expect(statSync(join(folder, "reports/key.md")).mode & 0o777).toBe(0o600);
  // Only what is no report is held against it; a tracked file stays one.
  expect(saved.get("review/1")?.findings.map(({ path }) => path)).toEqual([
    "reports/tracked.md",
    "src/stray.txt",
  ]);
  // Reports that it was given are not those of the next.
  const second = readFileSync(join(ran.folder, "reports/second/1.json"), "utf8");
  expect(JSON.parse(second).files).toEqual([{ path: "reports/binary.md", bytes: 2 }]);

  const prompt = promptOf(ran, "fix/1");
  expect(prompt).toContain("| Prices are floats.");
  expect(prompt).toContain("| The file reports/binary.md is not text.");
  expect(prompt).toContain("### `review`\n\nReport files: `.claude/reports/plan-report-x.md`");
  expect(prompt).not.toContain(SECRET);
  expect(promptOf(ran, "review/1")).toContain("- `.claude/reports/`");

  // Found where it was written, hidden from git, and not merged; what a writer makes beside it is its work (I2).
  expect(sh(at, "cat seen.txt")).toBe("Prices are floats.\nold");
  expect(sh(at, "cat status.txt")).toBe("?? seen.txt\n?? status.txt");
  expect(sh(at, "git ls-files")).toBe(
    "a.txt\nreports/mine.md\nreports/old.md\nreports/tracked.md\nseen.txt\nstatus.txt",
  );
  expect(ran.state.landing.kind).toBe("landed");
  expect(saved.get("thief/1")?.findings).toMatchObject([
    { kind: "prepared-path", path: ".claude/reports/plan-report-x.md", blocks: true },
  ]);

  const report: RunReport = JSON.parse(readFileSync(join(ran.folder, "report.json"), "utf8"));
  expect(report.tasks[0]?.reports).toMatchObject({ folder, count: 3, leftOut: { files: 0 } });
  const markdown = readFileSync(join(ran.folder, "report.md"), "utf8");
  expect(markdown).toContain("- report files, in `reports/review/1`: 3 files");
  expect((await runFiles(ran.folder, ran.state)).reports).toEqual([
    {
      task: "review",
      paths: [".claude/reports/plan-report-x.md", "reports/key.md", "reports/tracked.md"].map((path) =>
        join(folder, path),
      ),
    },
    { task: "second", paths: [join(ran.folder, "reports/second/1/reports/binary.md")] },
  ]);
});

test("too much is left out and told, links are not followed, and a long file is cut in a text (I10)", async () => {
  const root = mkdtempSync(join(tmpdir(), "plait-reports-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [runDir, from] = [join(root, "run"), join(root, "tree")];
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(from, path)), { recursive: true });
    writeFileSync(join(from, path), text);
  };
  const patterns = ["out/"] as unknown as PathPattern[];
  const attempt = "look/1" as AttemptId;
  const caps = { files: 2, bytes: 100_000, runBytes: 200_000, looks: 100 };
  write("out/before.md", "b");
  await noteReports(runDir, { attempt, from, patterns });
  expect(await keepReports(runDir, { attempt, from, patterns })).toBeNull();
  write("out/a.md", `start${"x".repeat(50_000)}end`);
  write("out/b.md", "b");
  write("out/c.md", "c");
  write("key", "secret");
  symlinkSync("../key", join(from, "out/link.md"));
  const kept = await keepReports(runDir, { attempt, from, patterns }, caps);
  expect(kept).toMatchObject({
    files: [{ path: "out/a.md" }, { path: "out/b.md" }],
    leftOut: { files: 1, why: ["more than 2 files"] },
  });
  if (kept === null) throw new Error("nothing was kept");
  const text = await reportText(" ", kept);
  expect(text.length).toBeLessThan(33_000);
  expect(text).toMatch(
    /^The file out\/a\.md:\n\nstartx+\n\[… \d+ characters left out …\]\nx+end\n\nThe file out\/b\.md:\n\nb\n$/,
  );
});
