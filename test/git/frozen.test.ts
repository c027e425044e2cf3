// plait's own git sees the configuration of the start of the run, whatever is planted where it lies.

import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { recordFingerprint } from "../../src/git/fingerprint.ts";
import { plantedSince } from "../../src/git/planted.ts";
import { refCall } from "../../src/git/refs.ts";
import { saveAttempt } from "../../src/git/save.ts";
import { callShadow, frozenPaths, openShadow } from "../../src/git/shadow.ts";
import { agent, attempt, opened, rig, sh, tempRepo } from "./support.ts";

const FILTER = '[filter "x"]\n\tclean = touch ../../ran; cat\n';

describe("a filter that is planted during a run does not run (I3)", () => {
  test.each([
    ["in ~/.gitconfig", "printf '%s' \"$F\" >> ~/.gitconfig"],
    ["in ~/.config/git/config", "mkdir -p ~/.config/git; printf '%s' \"$F\" > ~/.config/git/config"],
    ["in the shadow", "printf '%s' \"$F\" >> $S/config"],
    ["in the shadow's copy of the user's config", "printf '%s' \"$F\" >> $S/user-config"],
    [
      "behind the shadow",
      "cp -r $S ../other; printf '%s' \"$F\" >> ../other/config; echo $PWD/../other > $S/commondir",
    ],
    ["by a link", "cp $S/config ../c; printf '%s' \"$F\" >> ../c; ln -sf $PWD/../c $S/config"],
  ])("%s", async (_where, script) => {
    const it = await rig(tempRepo());
    const lease = await it.pool.acquire(attempt("t1"), it.base);
    agent(it.place, lease, "echo '* filter=x' > .gitattributes; echo new > a.txt");
    sh(it.place, script, lease.slot.path, { F: FILTER, S: it.shadow.dir });
    const { run, runDir } = it;
    const more = { at: 0, title: "t", history: "keep", maxBytes: 1e9 } as const;
    const saved = await saveAttempt(it.shadow, lease, { run, runDir, attempt: attempt("t1"), ...more });
    expect(saved.paths.map(({ path }) => path)).toEqual([".gitattributes", "a.txt"]);
    expect(existsSync(join(lease.slot.path, "../../ran"))).toBe(false);
  });

  test("and is told, whether it was put back or lies where there was no file", async () => {
    const it = await rig(tempRepo());
    const { env } = it.place;
    const keptIn = join(it.place.root, "kept");
    const fingerprint = await recordFingerprint(it.repository, keptIn, { env, also: frozenPaths(it.shadow) });
    const start = { fingerprint, keptIn };
    expect(await plantedSince(it.shadow, start)).toEqual([]);
    sh(it.place, "mkdir -p ~/.config/git; echo '* filter=x' > ~/.config/git/attributes");
    sh(it.place, `echo '* filter=x' > ${it.shadow.dir}/info/attributes`);
    await refCall(it.shadow.repository, ["rev-parse", "HEAD"]);
    expect(await plantedSince(it.shadow, start)).toMatchObject([
      { file: join(it.place.root, "home/.config/git/attributes"), change: "added", weight: "runs" },
      { file: join(it.shadow.dir, "info/attributes"), isPutBack: true },
    ]);
  });

  test("a file that the user's config includes is watched before it exists", async () => {
    const it = await rig(tempRepo());
    sh(it.place, "git config --global include.path later");
    const keptIn = join(it.place.root, "kept");
    const start = { fingerprint: await recordFingerprint(it.repository, keptIn), keptIn };
    sh(it.place, "git config --file ~/later core.fsmonitor x");
    expect(await plantedSince(it.shadow, start)).toMatchObject([
      { file: join(it.place.root, "home/later"), change: "added", weight: "runs" },
    ]);
  });

  test("what was changed while no driver lived is put back from the copies of the start", async () => {
    const it = await rig(tempRepo());
    const keptIn = join(it.place.root, "kept");
    const fingerprint = await recordFingerprint(it.repository, keptIn, { also: frozenPaths(it.shadow) });
    writeFileSync(join(it.shadow.dir, "config"), FILTER);
    rmSync(join(it.shadow.dir, "frozen"));
    const again = await openShadow(await opened(it.place), it.runDir, { start: { fingerprint, keptIn } });
    const asked = await callShadow(again, { args: ["config", "filter.x.clean"], allow: [1] });
    expect(asked.code).toBe(1);
  });
});

test("the user's attributes and ignored files hold as they were at the start", async () => {
  const place = tempRepo();
  const folder = join(place.root, "home/.config/git");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "attributes"), "*.txt mine\n");
  writeFileSync(join(folder, "ignore"), "*.mine\n");
  const it = await rig(place);
  writeFileSync(join(folder, "attributes"), "*.txt other\n");
  rmSync(join(folder, "ignore"));
  symlinkSync("/dev/zero", join(folder, "ignore"));
  const inTree = { workTree: place.repo, index: join(place.repo, ".git/index") };
  const attributes = await callShadow(it.shadow, { args: ["check-attr", "-a", "a.txt"], ...inTree });
  expect(attributes.stdout.toString()).toBe("a.txt: mine: set\n");
  writeFileSync(join(place.repo, "x.mine"), "");
  const others = await callShadow(it.shadow, { args: ["ls-files", "-o", "--exclude-standard"], ...inTree });
  expect(others.stdout.toString()).toBe("");
});
