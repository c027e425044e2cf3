import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { AttemptId } from "../../src/core/ids.ts";
import type { PathPattern } from "../../src/core/ownership/pattern.ts";
import { artifactsOf, keepArtifacts } from "../../src/engines/local/artifacts.ts";

const attempt = "tax/2" as AttemptId;
const MIB = 1024 * 1024;
const caps = { files: 10, bytes: MIB, runBytes: 2 * MIB, looks: 1_000 };

/** A worktree with these files, beside the folder of a run. */
function places(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), "plait-artifacts-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [runDir, from] = [join(root, "run"), join(root, "tree")];
  for (const folder of [runDir, from]) mkdirSync(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(from, path)), { recursive: true });
    writeFileSync(join(from, path), text);
  }
  const keep = (patterns: readonly string[], more = {}) =>
    keepArtifacts(
      runDir,
      { attempt, place: "work", from, patterns: patterns as readonly PathPattern[] },
      { ...caps, ...more },
    );
  return { root, runDir, from, keep };
}

test("what matches is copied for its user alone, and told again from the run folder", async () => {
  const it = places({
    "out/a.log": "a",
    "out/deep/b.log": "bb",
    "junit.xml": "x",
    "node_modules/p/c.log": "c",
  });
  const kept = await it.keep(["**/*.log", "junit.xml"]);
  expect(kept?.files).toEqual([
    { path: "junit.xml", bytes: 1 },
    { path: "out/a.log", bytes: 1 },
    { path: "out/deep/b.log", bytes: 2 },
  ]);
  expect(kept?.leftOut).toEqual({ files: 0, why: [] });
  expect(await artifactsOf(it.runDir, attempt)).toEqual([kept]);
  const copy = join(it.runDir, "artifacts/tax/2/work/out/deep/b.log");
  expect([statSync(copy).mode & 0o777, statSync(dirname(copy)).mode & 0o777]).toEqual([0o600, 0o700]);
});

test("no link is followed, neither a file nor a folder, and what is no file is left alone", async () => {
  const it = places({ "out/a.log": "a" });
  mkdirSync(join(it.root, "outside"));
  writeFileSync(join(it.root, "outside/key.log"), "secret");
  symlinkSync("../../outside/key.log", join(it.from, "out/file.log"));
  symlinkSync("../../outside", join(it.from, "out/folder"));
  symlinkSync("../outside", join(it.from, "logs"));
  execFileSync("mkfifo", [join(it.from, "out/pipe.log")]);
  const kept = await it.keep(["out/", "logs/**", "logs"]);
  expect(kept?.files).toEqual([{ path: "out/a.log", bytes: 1 }]);
  expect(readdirSync(join(it.runDir, "artifacts/tax/2/work/out"))).toEqual(["a.log"]);
});

test("what is too much is left out and told: files, bytes, the whole run, the looks (I10)", async () => {
  const files = Object.fromEntries(["a", "b", "c"].map((name) => [`out/${name}.log`, "x".repeat(40)]));
  const it = places(files);
  expect(await it.keep(["out/"], { files: 2 })).toMatchObject({
    files: [{ path: "out/a.log" }, { path: "out/b.log" }],
    leftOut: { files: 1, why: ["more than 2 files"] },
  });
  // The copies of before are gone, and do not count.
  expect(await it.keep(["out/"], { bytes: 90, runBytes: 200 })).toMatchObject({ leftOut: { files: 1 } });
  expect(readdirSync(join(it.runDir, "artifacts/tax/2/work/out"))).toEqual(["a.log", "b.log"]);
  const other = {
    attempt: "tax/3" as AttemptId,
    place: "gate",
    from: it.from,
    patterns: ["out/" as PathPattern],
  } as const;
  const last = await keepArtifacts(it.runDir, other, { ...caps, runBytes: 100 });
  expect(last?.leftOut).toEqual({ files: 3, why: ["the limit of the run is reached"] });
  expect((await it.keep(["out/"], { looks: 3 }))?.leftOut.why).toEqual([
    "only the first 3 files were checked",
  ]);
});
