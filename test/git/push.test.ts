import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { oid } from "../../src/core/ids.ts";
import type { LandStyle } from "../../src/core/plan.ts";
import { type Pushed, pushBranch, pushTarget } from "../../src/git/index.ts";
import { addHook, buildIt, type LandRig, landIt, MERGE, placeWith, startedRig, TASKS } from "./landing.ts";
import { type Place, sh } from "./support.ts";

/** A server that takes signed commits and no merges. */
const STRICT = `for c in $(git rev-list --reverse "$3" --not --all); do
  git verify-commit "$c" 2>/dev/null || { echo "$(git log -1 --format=%s "$c") is not signed"; exit 1; }
  [ -z "$(git rev-list --no-walk --merges "$c")" ] || { echo 'no merge commits here'; exit 1; }
done`;

const hasKeygen = isThere("ssh-keygen");

function isThere(program: string): boolean {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
}

/** A program in the place of gpg: every signature is the same, and good. */
const OWN_GPG = `#!/bin/sh
cat > /dev/null
case "$*" in
*--verify*) printf '\\n[GNUPG:] GOODSIG 0123456789ABCDEF User\\n[GNUPG:] TRUST_ULTIMATE 0 pgp\\n' ;;
*) printf '\\n[GNUPG:] SIG_CREATED D\\n' >&2
   printf -- '-----BEGIN PGP SIGNATURE-----\\n\\n%s\\n-----END PGP SIGNATURE-----\\n' "$3" ;;
esac
`;

/** The user's key, as the user's git is told of it. */
function giveKey(place: Place, format: "ssh" | "openpgp"): void {
  const { root } = place;
  if (format === "openpgp") {
    writeFileSync(join(root, "own-gpg"), OWN_GPG, { mode: 0o755 });
    sh(place, `git config --global gpg.program '${root}/own-gpg'; git config --global user.signingKey mine`);
    return;
  }
  sh(
    place,
    `ssh-keygen -q -t ed25519 -N '' -C user -f ../key; echo "user@example.com $(cat ../key.pub)" > ../signers
    git config --global gpg.format ssh; git config --global user.signingKey '${root}/key.pub'
    git config --global gpg.ssh.allowedSignersFile '${root}/signers'`,
  );
}

/** With a server that main is followed on. */
function placeWithServer(update = STRICT): Place {
  const place = placeWith(TASKS);
  sh(
    place,
    `git init -q --bare -b main --template= ../server.git; git remote add origin ../server.git
    git push -q -u origin main 2>/dev/null`,
  );
  addHook(place, "update", update, "../server.git/hooks");
  return place;
}

async function landAs(it: LandRig, style: LandStyle): Promise<string> {
  const built = await buildIt(it, { style });
  if (built.kind !== "built") throw new Error(JSON.stringify(built));
  expect(await landIt(it, { to: built.result })).toMatchObject({ kind: "landed" });
  return built.result.commit;
}

/** What is on the target now. */
const commitOf = (it: LandRig) => oid(sh(it.place, "git rev-parse main"));
const pushIt = (it: LandRig, remote: string | null = null): Promise<Pushed> =>
  pushTarget(it.shadow, { ...it, remote, commit: commitOf(it) });
const onServer = (it: LandRig, ref = "main") => sh(it.place, `git -C ../server.git rev-parse ${ref}`);

describe("a server that demands signatures and linear history", () => {
  test.each(["squash", "rebase"] as const)("takes a signed %s", async (as) => {
    const place = placeWithServer();
    giveKey(place, hasKeygen ? "ssh" : "openpgp");
    const it = await startedRig(place);
    const commit = await landAs(it, { ...MERGE, as, sign: true, signoff: true });
    expect(await pushIt(it)).toEqual({ kind: "pushed", remote: "origin", branch: "main" });
    expect(onServer(it)).toBe(commit);
    expect(sh(place, "git rev-parse origin/main")).toBe(commit);
    expect(await pushIt(it)).toMatchObject({ kind: "pushed" }); // once more: it is there
  });

  test("refuses a merge and an unsigned squash, in its own words", async () => {
    const place = placeWithServer();
    giveKey(place, "openpgp");
    sh(place, "git config commit.gpgSign true");
    const it = await startedRig(place);
    await landAs(it, { ...MERGE, as: "squash", sign: false });
    const unsigned = await pushIt(it);
    expect(unsigned).toMatchObject({
      kind: "refused",
      detail: "plan: 2 tasks is not signed (hook declined)",
      said: expect.stringMatching(
        /remote: plan: 2 tasks is not signed[\s\S]*\[remote rejected\] \(hook declined\)/,
      ),
    });
    sh(place, `git reset -q --hard ${it.base.commit}`);
    const merge = await landAs(it, { ...MERGE, sign: null }); // as the user's git does it: signed, and so a commit of its own
    expect(sh(place, `git verify-commit ${merge} 2>&1; git log -1 --format=%P ${merge}`)).toMatch(
      `${it.base.commit} ${it.to.commit}`,
    );
    expect(await pushIt(it)).toMatchObject({
      kind: "refused",
      detail: expect.stringMatching(/is not signed/),
    });
    expect(onServer(it)).toBe(it.base.commit);
  });
});

test("what landed is pushed, and nothing where the target does not have it any more (I1)", async () => {
  const place = placeWithServer("true");
  const it = await startedRig(place);
  const commit = oid(await landAs(it, MERGE));
  sh(place, "echo mine > mine.txt; git add -A; git commit -qm mine");
  expect(await pushTarget(it.shadow, { ...it, remote: null, commit })).toMatchObject({ kind: "pushed" });
  expect(onServer(it)).toBe(commit);
  sh(place, "git reset -q --hard HEAD~2");
  const gone = await pushTarget(it.shadow, { ...it, remote: null, commit });
  expect(gone).toMatchObject({ kind: "refused", detail: expect.stringContaining("no longer has") });
});

test("a server that is ahead is refused with the commands that help, and what the user pushed then counts", async () => {
  const place = placeWithServer("true");
  sh(place, "git clone -q -b main ../server.git ../other");
  sh(place, "cd ../other && git commit -q --allow-empty -m theirs && git push -q origin HEAD:main");
  const it = await startedRig(place);
  const commit = oid(await landAs(it, MERGE));
  const push = () => pushTarget(it.shadow, { ...it, remote: null, commit });
  const detail = expect.stringMatching(
    /^main on origin has commits .*: git pull --no-rebase origin main, then push: git push/,
  );
  expect(await push()).toMatchObject({ kind: "refused", detail });
  sh(place, "git pull -q --no-rebase --no-edit origin main");
  const merged = "main has commits beyond this run. Push them: git push origin main";
  expect(await push()).toMatchObject({ kind: "refused", detail: merged });
  sh(place, "git push -q origin main");
  expect(await push()).toMatchObject({ kind: "pushed", branch: "main" });
});

describe("pushing as the user", () => {
  test("goes where git would, and nowhere else", async () => {
    const place = placeWithServer("true");
    sh(place, "git clone -q --bare ../server.git ../fork.git; git remote add fork ../fork.git");
    const it = await startedRig(place);
    const commit = await landAs(it, MERGE);
    const of = async (config: string, remote: string | null = null) => {
      sh(place, config);
      return pushTarget((await startedRig(place)).shadow, { ...it, remote, commit: commitOf(it) });
    };
    expect(await of("git config branch.main.pushRemote fork")).toMatchObject({ remote: "fork" });
    expect(sh(place, "git -C ../fork.git rev-parse main")).toBe(commit);
    expect(onServer(it)).toBe(it.base.commit);
    const other = "git config --unset branch.main.pushRemote; git config branch.main.merge refs/heads/trunk";
    expect(await of(other)).toMatchObject({
      kind: "refused",
      detail: expect.stringMatching(/main tracks trunk on origin.*git push origin main:trunk/),
    });
    expect(await of("git config push.default upstream")).toMatchObject({ kind: "pushed", branch: "trunk" });
    expect(onServer(it, "trunk")).toBe(commit);
    expect(await of("true", "nowhere")).toMatchObject({
      kind: "refused",
      detail: expect.stringMatching(/nowhere/),
    });
    sh(place, "git remote set-url origin ../fork.git"); // since the start
    expect(await pushIt(it, "origin")).toMatchObject({
      kind: "refused",
      detail: expect.stringMatching(/URL of origin changed/),
    });
  });

  test("asks the user's pre-push hook, and never one that was planted", async () => {
    const place = placeWithServer("true");
    addHook(place, "pre-push", "echo not on a friday >&2; exit 1");
    const it = await startedRig(place);
    await landAs(it, MERGE);
    expect(await pushIt(it)).toMatchObject({
      kind: "refused",
      detail: expect.stringMatching(/not on a friday/),
    });
    addHook(place, "pre-push", "touch ../ran");
    expect(await pushIt(it)).toMatchObject({
      kind: "refused",
      detail: expect.stringMatching(/since the run started/),
    });
    expect([existsSync(join(place.root, "ran")), onServer(it)]).toEqual([false, it.base.commit]);
  });

  test("to a branch for a pull request: the target stays, and what others did there is not overwritten", async () => {
    const place = placeWithServer("true");
    const it = await startedRig(place);
    const push = (commit: string, last: string | null = null) =>
      pushBranch(it.shadow, {
        ...{ ...it, remote: null, branch: "plait/r1", commit: oid(commit) },
        last: last === null ? null : oid(last),
      });
    const pushed = { kind: "pushed", remote: "origin", branch: "plait/r1", base: "main" };
    expect(await push(it.to.commit)).toEqual(pushed);
    const squash = await buildIt(it, { style: { ...MERGE, as: "squash" } });
    const commit = squash.kind === "built" ? squash.result.commit : "";
    expect(await push(commit)).toEqual(pushed); // ours: it may be another one now
    expect([onServer(it, "plait/r1"), onServer(it)]).toEqual([commit, it.base.commit]);
    sh(place, "git -C ../server.git update-ref refs/heads/plait/r1 main");
    expect(await push(it.to.commit)).toMatchObject({
      kind: "refused",
      detail: expect.stringMatching(/stale info/),
    });
    expect(onServer(it, "plait/r1")).toBe(it.base.commit);
    sh(place, "git fetch -q origin"); // the commits of others are known here now, and are theirs all the same
    expect(await push(it.to.commit, commit)).toMatchObject({ kind: "refused" });
    sh(place, "git -C ../server.git update-ref -d refs/heads/plait/r1");
    expect(await push(it.to.commit, commit)).toEqual(pushed);
  });
});
