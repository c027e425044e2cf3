// What changed in hooks and config since the start: what can run something, what tools of a project always set, and the rest.

import { execFileSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { recordFingerprint } from "../../src/git/fingerprint.ts";
import { changeTexts, describePlanted, judgedChanges } from "../../src/git/planted.ts";
import { keepChanges, restoreFile } from "../../src/git/restore.ts";
import { rig, sh, tempRepo } from "./support.ts";

async function started(before = "true") {
  const place = tempRepo();
  sh(place, before);
  const it = await rig(place);
  const keptIn = join(place.root, "kept");
  return { ...it, start: { fingerprint: await recordFingerprint(it.repository, keptIn), keptIn } };
}

const lfsHook = (event: string, more = ""): string =>
  `#!/bin/sh
command -v git-lfs >/dev/null 2>&1 || { printf >&2 "\\n%s\\n\\n" "This repository is configured for Git LFS but 'git-lfs' was not found on your path. If you no longer wish to use Git LFS, remove this hook by deleting the 'pre-push' file in the hooks directory (set by 'core.hookspath'; usually '.git/hooks')."; exit 2; }
${more}git lfs ${event} "$@"
`;

const WAYS_OUT =
  /^Changed since the run started: \S+ \((?:added|changed)\)\. .*plait restore .*git merge plait\//;

const script = (text: string, name: string): string =>
  `mkdir -p .git/hooks; cat > .git/hooks/${name} <<'END'\n${text}END\nchmod +x .git/hooks/${name}`;

describe("what changed is judged by what git would run because of it", () => {
  test.each([
    ["the folder of husky", "git config core.hooksPath .husky/_", "known"],
    [
      "filters as git lfs install sets them",
      "git config filter.lfs.process 'git-lfs filter-process'; git config filter.lfs.required true; git config filter.lfs.clean 'git-lfs clean -- %f'",
      "known",
    ],
    ["a hook as git lfs install writes it", script(lfsHook("pre-push"), "pre-push"), "known"],
    ["a name", "git config user.email agent@example.com; git config branch.x.remote origin", "quiet"],
    ["files that git status hides", "mkdir -p .git/info; echo /notes >> .git/info/exclude", "quiet"],
    ["attributes", "mkdir -p .git/info; echo '* filter=x' >> .git/info/attributes", "runs"],
    ["a setting that goes", "git config --unset old.setting", "quiet"],
    ["that hook with a line more", script(lfsHook("pre-push", "touch /tmp/x\n"), "pre-push"), "runs"],
    ["that hook for another event", script(lfsHook("pre-push"), "post-merge"), "runs"],
    ["a hook", script("#!/bin/sh\n", "pre-commit"), "runs"],
    ["a filter", "git config filter.lfs.clean 'git-lfs clean -- %f; touch x'", "runs"],
    ["hooks outside", "git config core.hooksPath /tmp/hooks", "runs"],
    ["hooks above", "git config core.hooksPath a/../../hooks", "runs"],
    ["hooks in the git folder", "git config core.hooksPath .GIT/x", "runs"],
    ["hooks at home", "git config core.hooksPath '~/hooks'", "runs"],
    ["a known one and a program", "git config core.hooksPath .husky; git config core.fsmonitor x", "runs"],
    ["a program behind its section", "printf '[core] fsmonitor = x\\n' >> .git/config", "runs"],
    [
      "a program over two lines",
      "printf '[core]\\n\\tfsmon\\\\\\nitor = x\\n\\tsshCommand = \\\\\\nx\\n' >> .git/config",
      "runs",
    ],
    ["a pager", "git config pager.log x", "runs"],
    ["an alias", "git config alias.st '!x'", "runs"],
    ["another file of settings", "git config include.path x", "runs"],
    ["another address", "git config url.x.insteadOf y", "runs"],
    ["who knows passwords", "git config credential.helper x", "runs"],
    ["what git cannot read", "echo '[' >> .git/config", "runs"],
    ["a pipe", "mkdir -p .git/hooks; mkfifo .git/hooks/post-commit", "runs"],
    [
      "a script beyond measure",
      "mkdir -p .git/hooks; dd if=/dev/null of=.git/hooks/post-commit bs=1 seek=3221225472 2>/dev/null",
      "runs",
    ],
  ])("%s", async (_what, change, weight) => {
    const it = await started("git config old.setting 1");
    expect(await judgedChanges(it.shadow, it.start)).toEqual([]);
    sh(it.place, change);
    const found = await judgedChanges(it.shadow, it.start);
    expect(found.map((one) => one.weight)).toEqual([weight]);
    const described = await describePlanted(it.shadow, { ...it.start, run: it.run });
    expect(described).toEqual(weight === "runs" ? expect.stringMatching(WAYS_OUT) : null);
  });

  test("and told setting by setting", async () => {
    const it = await started("git config a.b 1; git config c.d 2");
    sh(it.place, "git config core.hooksPath .husky/_; git config a.b 3; git config --unset c.d");
    const [found] = await judgedChanges(it.shadow, it.start);
    expect(found && changeTexts(found).sort()).toEqual([
      "a.b = 3 (was 1)",
      "c.d was removed",
      "core.hookspath = .husky/_",
    ]);
  });
});

describe("files are put back", () => {
  const config = (place: { repo: string }) => join(place.repo, ".git/config");

  test("byte for byte and as executable as they were; what replaced them is kept", async () => {
    const it = await started(`${script("#!/bin/sh\n", "pre-push")}; chmod 640 .git/config`);
    const before = readFileSync(config(it.place));
    sh(it.place, `git config user.name X; rm .git/hooks/pre-push; ${script("new\n", "post-merge")}`);
    const after = readFileSync(config(it.place), "utf8");
    const changed = await keepChanges(it.shadow, it.start);
    expect(changed.map(({ change }) => change)).toEqual(["changed", "added", "removed"]);
    for (const one of changed) {
      expect(await restoreFile(one, { keptIn: it.start.keptIn, force: false, dryRun: false })).toEqual({
        kind: "restored",
      });
    }
    expect(await judgedChanges(it.shadow, it.start)).toEqual([]);
    expect(readFileSync(config(it.place))).toEqual(before);
    expect(statSync(config(it.place)).mode & 0o777).toBe(0o640);
    expect(execFileSync("grep", ["-rl", "name = X", it.start.keptIn]).toString().trim()).toBe(
      join(it.start.keptIn, changed[0]?.is ?? ""),
    );
    expect(after).toContain("name = X");
  });

  test("not where somebody went on with one, nor while git writes it", async () => {
    const it = await started();
    sh(it.place, "git config user.name X");
    const [one] = await keepChanges(it.shadow, it.start);
    if (one === undefined) throw new Error("nothing changed");
    const options = { keptIn: it.start.keptIn, force: false, dryRun: false };
    sh(it.place, "git config user.name Y");
    expect(await restoreFile(one, options)).toEqual({ kind: "changed-again" });
    expect(readFileSync(config(it.place), "utf8")).toContain("name = Y");
    const lock = `${config(it.place)}.lock`;
    writeFileSync(lock, "");
    expect(await restoreFile(one, { ...options, force: true })).toEqual({ kind: "locked", lock });
    sh(it.place, `rm ${lock}`);
    expect(await restoreFile(one, { ...options, force: true })).toEqual({ kind: "restored" });
    expect(execFileSync("grep", ["-rl", "name = Y", it.start.keptIn]).toString()).not.toBe("");
  });
});
