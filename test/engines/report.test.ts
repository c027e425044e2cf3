import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findRun } from "../../src/app/runs.ts";
import { reportOf } from "../../src/app/write-report.ts";
import type { RunReport } from "../../src/report/model.ts";
import { drive, place, resume, sh, start } from "./local.ts";

const SECRET = "Zq81-kTThx-0042-geheim";
/** A value that is named as a secret only after the run. */
const LATE = "Wp37-later-0815-geheim";

const PLAN = `gates:
  - name: no-todo
    run: "mkdir -p shots; echo red > shots/page.html; ln -s /etc/hosts shots/link; ! grep -rn TODO src"
hooks: { end: ["cp $PLAIT_HOOK_REPORT ../seen.md"] }
defaults: { retries: 0, fix-rounds: 0 }
tasks:
  - id: leak
    prompt: |
      demo: write src/${SECRET}.txt fine
      demo: say It is fine.
  - id: red
    artifacts: [shots/, "*.log"]
    prompt: |
      demo: write src/red.txt TODO
      demo: write own.log what it did
  - id: crash
    artifacts: ["*.log", shots/]
    prompt: |
      demo: on attempt 1: write debug.log a trace
      demo: on attempt 1: exit 3
      demo: on attempt 2: write src/crash.txt done
  - id: after
    needs: [crash]
    prompt: |
      demo: write src/after.txt x
      demo: say ${"x".repeat(1_985)} ${LATE} ${"y".repeat(1_990)} ${LATE} ${"z".repeat(1_985)}
`;

test("a run writes its report when it ends, with the artefacts of what failed, and anew when it goes on", async () => {
  const at = place({ "src/a.txt": "a\n", ".gitignore": "*.log\nshots/\n" });
  const env = { ...at.host.env, API_TOKEN: SECRET };
  const here = { ...at, host: { ...at.host, env } };
  const begun = await start(here, PLAN);
  const ran = await drive(begun);
  const path = join(ran.folder, "report.md");
  const read = (): RunReport => JSON.parse(readFileSync(join(ran.folder, "report.json"), "utf8"));

  expect(begun.reported()).toEqual({ ok: true, path, warnings: [] });
  for (const name of ["report.md", "report.json"])
    expect(statSync(join(ran.folder, name)).mode & 0o777).toBe(0o600);
  const markdown = readFileSync(path, "utf8");
  expect(readFileSync(join(at.root, "seen.md"), "utf8")).toBe(markdown); // the last hook may read it
  const report = read();
  expect(report).toMatchObject({ v: 1, run: ran.state.run, status: { kind: "not-landed" }, exit: 1 });
  expect(report.tasks[0]).toMatchObject({ message: "It is fine.", diff: { files: 1, added: 1 } });
  // A path that is a secret is masked like everything else (I13).
  expect(markdown + JSON.stringify(report)).not.toContain(SECRET);

  const kept = (task: number) =>
    report.tasks[task]?.attempts[0]?.artifacts.map(({ place: from, files }) => [from, ...files]);
  expect(kept(1)).toEqual([
    ["work", "own.log"],
    ["gate", "shots/page.html"],
  ]);
  expect(kept(2)).toEqual([["work", "debug.log"]]);
  expect(readFileSync(join(ran.folder, "artifacts/crash/1/work/debug.log"), "utf8")).toContain("a trace");
  expect(existsSync(join(ran.folder, "artifacts/red/1/gate/shots/link"))).toBe(false);

  // A report that cannot be written is told, and changes nothing else; the one of before is gone.
  rmSync(path);
  mkdirSync(join(path, "in-the-way"), { recursive: true });
  const again = await resume(here, ran, [{ kind: "retry", task: "crash" as never }]);
  const second = await drive(again);
  expect(second.outcome).toBe("incomplete");
  expect(again.reported()).toMatchObject({ ok: false, problem: expect.stringContaining("report.md") });
  expect(sh(at, `ls '${ran.folder}' | grep -E 'tmp|[.]json$'`)).toBe("mark.json\nnotified.json");

  rmSync(path, { recursive: true });
  const last = await resume(here, ran, [{ kind: "land" }]);
  await drive(last);
  expect(last.reported()).toMatchObject({ ok: true, path });
  expect(read().tasks.map(({ status }) => status)).toEqual(["failed", "failed", "merged", "merged"]);
  expect(readFileSync(path, "utf8")).toMatch(/^\*\*Partly landed on main as /m);

  // Half of a secret at the cut of a long text would be known by nobody (I13).
  expect(read().tasks[3]?.message).toMatch(/Wp37-.*\n\[\d+ characters are left out\]\n.*geheim/);
  const host = { ...here.host, env: { ...env, LATE_TOKEN: LATE } };
  const found = await findRun(host, ran.state.run);
  const told = found.ok ? await reportOf(host, found) : null;
  expect(told?.tasks[3]?.message).toMatch(/^x+ .*\n\[\d+ characters are left out\]\n.* z+$/);
  expect(told?.tasks[3]?.message).not.toMatch(/Wp37|later|geheim/);
});
