import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Oid } from "../../src/core/ids.ts";
import { addedSecrets } from "../../src/git/added-text.ts";
import { changedTexts, textsAt } from "../../src/git/changed-texts.ts";
import { diffStats } from "../../src/git/diff-stat.ts";
import { countCommits, diffText, logGraph } from "../../src/git/diff-text.ts";
import { openShadow } from "../../src/git/shadow.ts";
import { commitFiles, emptyRepo, opened, type Place, revision, sh, tempRepo } from "./support.ts";

const MIB = 1024 * 1024;

/** The repository before and after a script. */
async function changed(script: string, place: Place = tempRepo()) {
  const from = revision(place, "HEAD");
  sh(place, `${script}; git add -A; git commit -q --allow-empty -m work`);
  const to = revision(place, "HEAD");
  const repository = await opened(place);
  return { place, repository, from: from.commit, to: to.commit };
}

/** Everything with which a config can make a diff or a log run a program. */
function plant(place: Place): string {
  const ran = join(place.root, "ran");
  const program = join(place.root, "planted");
  writeFileSync(program, `#!/bin/sh\necho ran >> '${ran}'\n`, { mode: 0o755 });
  const keys = [
    "diff.external",
    "diff.x.textconv",
    "diff.x.command",
    "gpg.program",
    "core.pager",
    "core.fsmonitor",
  ];
  for (const key of keys) sh(place, `git config ${key} '${program}'`);
  sh(place, "git config log.showSignature true; git config diff.noprefix true; git config color.ui always");
  sh(place, "mkdir -p .git/info; echo '* diff=x' > .git/info/attributes");
  return ran;
}

describe("a diff to read", () => {
  test("shows what changed, renames as renames, and binary files by name", async () => {
    const it = await changed(
      "echo more >> a.txt; git mv b.txt moved.txt; printf '\\0\\1' > bin; rm dir/c.txt",
    );
    const { text, cutBytes } = await diffText(it.repository, it, { maxBytes: MIB });
    expect(text).toContain("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,2 @@\n a\n+more\n");
    expect(text).toContain("rename from b.txt\nrename to moved.txt\n");
    expect(text).toContain("Binary files /dev/null and b/bin differ\n");
    expect(text).toContain("deleted file mode 100644\n");
    expect(cutBytes).toBe(0);
  });

  test("of some paths, by their names: a star is a star, a folder is all in it", async () => {
    const it = await changed("echo x > '*'; echo x > dir/c.txt; echo x > dir/new; echo x > other");
    const names = async (...paths: string[]) =>
      (await diffText(it.repository, it, { maxBytes: MIB, paths })).text.match(/^diff .*$/gm);
    expect(await names("*")).toEqual(["diff --git a/* b/*"]);
    expect(await names("dir")).toEqual([
      "diff --git a/dir/c.txt b/dir/c.txt",
      "diff --git a/dir/new b/dir/new",
    ]);
    expect(await names("none")).toBeNull();
  });

  test("with colours, or as a table of counts, when asked", async () => {
    const it = await changed("echo more >> a.txt");
    const ask = async (more: object) => (await diffText(it.repository, it, { maxBytes: MIB, ...more })).text;
    expect(await ask({ color: true })).toContain("\u001b[32m+");
    expect(await ask({})).not.toContain("\u001b");
    expect(await ask({ stat: true })).toBe(" a.txt | 1 +\n 1 file changed, 1 insertion(+)\n");
  });

  test("of many pairs is counted in one call: renames, binary files, odd names, and what is gone", async () => {
    const place = tempRepo();
    const before = revision(place, "HEAD");
    const it = await changed(
      "seq 3 >> a.txt; git mv b.txt 'an odd\tname'; echo x > 'b\tnew'; printf '\\0\\1' > bin; rm dir/c.txt",
      place,
    );
    const tree = revision(place, "HEAD").tree;
    const gone = "0123456789012345678901234567890123456789" as Oid;
    const pairs = [
      { from: before.tree, to: tree },
      { from: gone, to: tree },
      { from: tree, to: tree },
    ];
    const [all, missing, same] = await diffStats(it.repository, pairs, { maxFiles: 4 });
    expect(all).toEqual({
      ...{ files: 5, added: 4, removed: 1 },
      changes: [
        { path: "a.txt", added: 3, removed: 0 },
        { path: "an odd\tname", added: 0, removed: 0 },
        { path: "b\tnew", added: 1, removed: 0 },
        { path: "bin", added: null, removed: null },
      ],
    });
    expect(missing).toBeNull();
    expect(same).toEqual({ files: 0, added: 0, removed: 0, changes: [] });
  });

  test("is cut at the end of a line, and says how much is missing", async () => {
    const it = await changed("seq 1000 | sed 's/$/ äöü/' > long.txt");
    const whole = await diffText(it.repository, it, { maxBytes: MIB });
    const part = await diffText(it.repository, it, { maxBytes: 1000 });
    const [, kept = "", bytes] =
      /^([\s\S]* äöü\n)\[([\d,]+) bytes of this file are left out\]\n$/.exec(part.text) ?? [];
    expect(whole.text.startsWith(kept)).toBe(true);
    expect(bytes?.replace(",", "")).toBe(String(part.cutBytes));
    expect(Buffer.byteLength(kept) + part.cutBytes).toBe(Buffer.byteLength(whole.text));
    expect(Buffer.byteLength(part.text)).toBeLessThanOrEqual(1000);
    expect(await diffText(it.repository, it, { maxBytes: 3 })).toMatchObject({ text: "" });
  });

  test("of very much is made only as far as it is wanted (I10)", async () => {
    const script =
      "for i in $(seq 1000); do echo $i > n$i; done; head -c 20000000 /dev/zero | tr '\\0' 'x' > z";
    const it = await changed(script);
    const { text, cutBytes } = await diffText(it.repository, it, { maxBytes: 10_000 });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(10_000);
    expect(text).toMatch(/^diff --git a\/n1 b\/n1\n/);
    expect(cutBytes).toBeGreaterThan(20_000_000);
    const all = await diffText(it.repository, it, { maxBytes: 30 * MIB });
    expect(all.text.match(/^diff /gm)).toHaveLength(1001);
    expect(all.text).toContain("Binary files /dev/null and b/z differ\n");
  });

  test("runs nothing and believes nothing that was planted, and leaves nothing behind", async () => {
    const it = await changed("echo more >> a.txt; echo '*.txt diff=x' > .gitattributes");
    const ran = plant(it.place);
    const temporary = join(it.place.root, "temporary");
    mkdirSync(temporary);
    vi.stubEnv("TMPDIR", temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    const planted = await opened(it.place);
    const { text } = await diffText(planted, it, { maxBytes: MIB });
    expect(text).toContain("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,2 @@\n a\n+more\n");
    expect((await diffText(planted, it, { maxBytes: MIB, stat: true })).text).not.toContain("\u001b");
    expect((await logGraph(planted, it)).text).toMatch(/^\* [0-9a-f]+ work\n$/);
    expect(existsSync(ran)).toBe(false);
    expect(readdirSync(temporary)).toEqual([]);
    sh(it.place, "git diff HEAD~ > ../out");
    expect(existsSync(ran)).toBe(true); // the trap was set
  });

  test("works in a repository with long object names and in a shallow clone", async () => {
    const long = await changed("echo x > a.txt", tempRepo({ "a.txt": "a\n" }, "--object-format=sha256"));
    expect((await diffText(long.repository, long, { maxBytes: MIB })).text).toContain("+x\n");
    const place = tempRepo();
    commitFiles(place, { "a.txt": "2\n" }, "two");
    sh(place, 'git clone -q --depth 1 "file://$PWD" ../shallow');
    const it = await changed("echo x > a.txt", { ...place, repo: join(place.root, "shallow") });
    expect(it.repository.isShallow).toBe(true);
    expect(await countCommits(it.repository, it)).toBe(1);
    expect((await diffText(it.repository, it, { maxBytes: MIB })).text).toContain("-2\n+x\n");
  });
});

test("the history of a run is drawn and counted", async () => {
  const script = `c() { export GIT_COMMITTER_DATE="@$1 +0000"; git add -A; git commit -qm $2; }
    git switch -q -c side; echo s > s; c 1 side; git switch -q main; echo m > m; c 2 main
    git merge -q --no-ff -m both side; echo e > e; c 3 end`;
  const it = await changed(script);
  const { text } = await logGraph(it.repository, it);
  const drawn = "* X work\n* X end\n*   X both\n|\\  \n| * X side\n* X main\n";
  expect(text.replace(/\b[0-9a-f]{7,}\b/g, "X")).toBe(drawn);
  expect(await countCommits(it.repository, it)).toBe(5);
  const short = await logGraph(it.repository, it, { maxBytes: 20 });
  expect(short).toEqual({
    text: text.slice(0, text.indexOf("\n") + 1),
    cutBytes: text.length - short.text.length,
  });
  expect(await countCommits(it.repository, { from: it.to, to: it.to })).toBe(0);
});

test("changed files are texts before and after, where they are texts that can be read (I10)", async () => {
  const place = tempRepo({ edited: "old\n", gone: "was\n", turned: "t\n", "odd \u00fc\n.txt": "x\n" });
  const it = await changed(
    `echo new > edited; rm gone; for f in odd*; do echo y >> "$f"; done; echo made > made; ln -s made link; ln -sf made turned
    printf 'a\\0b' > binary; printf 'caf\\351' > latin; head -c 5000000 /dev/zero | tr '\\0' a > large
    for i in $(seq 250); do echo $i > many-$i; done`,
    place,
  );
  const shadow = await openShadow(it.repository, join(it.repository.commonDir, "plait/runs/r1"));
  const all = await changedTexts(shadow, it.from, it.to);
  expect(all.filter(({ isReplaced }) => isReplaced).map(({ path }) => path)).toEqual(["turned"]);
  const texts = new Map<string, unknown>();
  for (const { path, change, before, after } of all) texts.set(path, [change, await before(), await after()]);
  for (let i = 1; i <= 250; i += 1) {
    expect(texts.get(`many-${i}`)).toEqual(["added", null, `${i}\n`]);
    texts.delete(`many-${i}`);
  }
  expect(Object.fromEntries(texts)).toEqual({
    binary: ["added", null, null],
    edited: ["modified", "old\n", "new\n"],
    gone: ["deleted", "was\n", null],
    large: ["added", null, null],
    latin: ["added", null, null], // as UTF-8 its letters would all be the same
    link: ["added", null, null],
    made: ["added", null, "made\n"],
    "odd \u00fc\n.txt": ["modified", "x\n", "x\ny\n"],
    turned: ["modified", "t\n", null],
  });
  const some = await textsAt(shadow, it.to, ["made", "none", "link", "*"]);
  expect([...some]).toEqual([["made", "made\n"]]);
});

describe("secrets in added lines (I13)", () => {
  const SECRET = "sk-secret-1";
  const looksSecret = (text: string) => /sk-secret-\d/.test(text);

  async function secretsAfter(script: string, place?: Place, looks = looksSecret) {
    const it = await changed(script, place);
    const shadow = await openShadow(it.repository, join(it.repository.commonDir, "plait/runs/r1"));
    return addedSecrets(shadow, it, {
      inText: (text) => (looks(text) ? "token" : null),
      inBinary: (content) => (content.includes(SECRET) ? "token" : null),
    });
  }

  test("are found in new, changed and renamed files, links, and files of any name", async () => {
    const script = `echo ${SECRET} > new; echo ${SECRET} >> a.txt; git mv b.txt moved; echo ${SECRET} >> moved
      ln -s ${SECRET} link; echo ${SECRET} > 'tab\tand\nline'; echo fine > fine`;
    const { found, skipped } = await secretsAfter(script);
    expect(found.map(({ path }) => path)).toEqual(["a.txt", "link", "moved", "new", "tab\tand\nline"]);
    expect(skipped).toEqual([]);
  });

  test("that were there before are not held against the work: deleted, moved, or beside its edit", async () => {
    const before = {
      kept: `${SECRET}\n`,
      gone: `${SECRET}\n`,
      moved: `x\ny\n${SECRET}\n`,
      twice: `${SECRET}\n`,
    };
    const script = `echo more >> kept; rm gone; git mv moved dir; chmod +x kept; echo ${SECRET} >> twice`;
    const { found } = await secretsAfter(script, tempRepo(before));
    expect(found).toEqual([{ path: "twice", line: 2, kind: "token" }]);
  });

  test("are looked for line by line in what was added, and in nothing else", async () => {
    const texts: string[] = [];
    await secretsAfter("printf 'a\\nnew\\na\\n' > a.txt", undefined, (text) => texts.push(text) === 0);
    expect(texts).toEqual(["new\na"]);
  });

  test("are not hidden by rules that call a file binary", async () => {
    const { found } = await secretsAfter(`echo '* binary -diff -text' > .gitattributes; echo ${SECRET} > x`);
    expect(found).toEqual([{ path: "x", line: 1, kind: "token" }]);
  });

  test("are looked for in binary files, where they were not there before", async () => {
    const before = { kept: `\0${SECRET}`, other: "\0other" };
    const script = `printf '\\0more' >> kept; printf '\\0${SECRET}' >> other; printf '\\0${SECRET}' > new; printf '\\0fine' > fine`;
    const { found, skipped } = await secretsAfter(script, tempRepo(before));
    expect(found).toEqual(["new", "other"].map((path) => ({ path, line: null, kind: "token" })));
    expect(skipped).toEqual([]);
  });

  test("are found in the lines of a text in UTF-16", async () => {
    const encode = (to: string) => `printf 'a\\n${SECRET}\\n' | iconv -t ${to} > ${to}`;
    const { found } = await secretsAfter(["UTF-16LE", "UTF-16BE", "UTF-16"].map(encode).join("; "));
    expect(found).toEqual(
      ["UTF-16", "UTF-16BE", "UTF-16LE"].map((path) => ({ path, line: 2, kind: "token" })),
    );
  });

  test("are not looked for in very large files, which are named", async () => {
    const script = `(head -c 9000000 /dev/zero | tr '\\0' x; echo ${SECRET}) > large
      echo ${SECRET} > small; git init -q sub; git -C sub commit -q --allow-empty -m x`;
    const { found, skipped } = await secretsAfter(script);
    expect(found).toEqual([{ path: "small", line: 1, kind: "token" }]);
    expect(skipped).toEqual([{ path: "large", bytes: 9_000_012 }]);
  });

  test("of more than is read in all, the small files are read (I10)", async () => {
    const script = `for i in 1 2 3 4 5 6; do head -c 7000000 /dev/zero | tr '\\0' $i > l$i; done; echo ${SECRET} > z`;
    const { found, skipped } = await secretsAfter(script, emptyWithOne());
    expect(found).toEqual([{ path: "z", line: 1, kind: "token" }]);
    expect(skipped).toHaveLength(2);
  });

  function emptyWithOne(): Place {
    const place = emptyRepo();
    commitFiles(place, { a: "a\n" }, "start");
    return place;
  }
});
