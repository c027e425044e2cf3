import { expect, test } from "vitest";
import { diffStats } from "../../src/git/diff-stat.ts";
import { diffText } from "../../src/git/diff-text.ts";
import { type DiffFile, parseDiff } from "../../src/report/diff/parse-diff.ts";
import { commitFiles, opened, revision, sh, tempRepo } from "./support.ts";

// The page reads what git prints, so what git prints is what it is tried with.

const MIB = 1024 * 1024;

const BEFORE = {
  "a.ts": `${Array.from({ length: 40 }, (_, n) => `line ${n}`).join("\n")}\n`,
  "moved.txt": "one\ntwo\nthree\nfour\nfive\nsix\n",
  "gone.txt": "gone\n",
  "run.sh": "echo\n",
  "my file.txt": "x\n",
  "odd\tname.txt": "odd\n",
  "ümlaut.txt": "ü\n",
  "end.txt": "no end",
  "dos.txt": "a\r\nb\r\n",
  "tricky.txt": "-- a\n++ b\n@@ c\ndiff --git a/x b/x\n",
  "link-to-file": "f\n",
};

const SCRIPT = `
sed -i '3s/line/LINE/; 30d' a.ts
mkdir -p sub && git mv moved.txt 'sub/moved it.txt' && sed -i '2s/two/2/' 'sub/moved it.txt'
rm gone.txt
chmod +x run.sh
echo y >> 'my file.txt'
echo more >> "$(printf 'odd\\tname.txt')"
echo more >> 'ümlaut.txt'
printf 'no end now' > end.txt
printf 'a\\r\\nc\\r\\n' > dos.txt
printf -- '-- b\\n++ a\\n@@ d\\n' > tricky.txt
printf '\\0\\1' > 'bin ary'
: > empty
rm link-to-file && ln -s a.ts link-to-file
git update-index --add --cacheinfo 160000,1111111111111111111111111111111111111111,vendor/lib
git add -A -- . ':!vendor'
git commit -q -m work
`;

const said = ({ path, from, status, mode, isBinary, added, removed }: DiffFile) => ({
  ...{ path, from, status, mode, isBinary, added, removed },
});
const nothing = { from: null, mode: null, isBinary: false, added: 0, removed: 0 };

test("every kind of change is read as git tells it, and counted as git counts it", async () => {
  const place = tempRepo();
  const before = commitFiles(place, BEFORE, "before");
  sh(place, SCRIPT);
  const after = revision(place, "HEAD");
  const [from, to] = [before.commit, after.commit];
  const repository = await opened(place);
  const { text } = await diffText(repository, { from, to }, { maxBytes: MIB });
  const files = parseDiff(text);
  const of = (path: string): DiffFile | undefined => files.find((file) => file.path === path);
  const about = (path: string) => {
    const file = of(path);
    return file === undefined ? undefined : said(file);
  };

  expect(about("sub/moved it.txt")).toMatchObject({
    status: "renamed",
    from: "moved.txt",
    added: 1,
    removed: 1,
  });
  expect(about("gone.txt")).toMatchObject({ status: "deleted", removed: 1 });
  expect(about("run.sh")).toEqual({
    ...nothing,
    path: "run.sh",
    status: "modified",
    mode: { from: "100644", to: "100755" },
  });
  expect(about("bin ary")).toEqual({ ...nothing, path: "bin ary", status: "added", isBinary: true });
  expect(about("empty")).toEqual({ ...nothing, path: "empty", status: "added" });
  expect(about("vendor/lib")).toMatchObject({ status: "added", added: 1 });
  expect(of("vendor/lib")?.hunks[0]?.lines[0]?.text).toMatch(/^Subproject commit 1111/);
  expect(of("dos.txt")?.hunks[0]?.lines.map(({ text: line }) => line)).toEqual(["a\r", "b\r", "c\r"]);
  expect(of("end.txt")?.hunks[0]?.lines).toEqual([
    { kind: "removed", text: "no end", old: 1, new: null, noNewline: true },
    { kind: "added", text: "no end now", old: null, new: 1, noNewline: true },
  ]);
  expect(of("tricky.txt")).toMatchObject({ added: 3, removed: 4 });
  const [first, second] = of("a.ts")?.hunks ?? [];
  expect([first?.oldStart, first?.newStart, second?.oldStart, second?.newStart]).toEqual([1, 1, 27, 27]);
  expect(first?.lines.find(({ kind }) => kind === "added")).toMatchObject({ text: "LINE 2", new: 3 });
  expect(second?.lines.at(-1)).toMatchObject({ kind: "same", old: 33, new: 32 });

  const [stat] =
    (await diffStats(repository, [{ from: before.tree, to: after.tree }], { maxFiles: 100 })) ?? [];
  const counted = (stat?.changes ?? []).map(({ path, added, removed }) => [path, added ?? 0, removed ?? 0]);
  // A link in place of a file is told as the one gone and the other new.
  const parsed = files.filter(({ path }) => path !== "link-to-file");
  expect(parsed.map(({ path, added, removed }) => [path, added, removed]).sort()).toEqual(
    counted.filter(([path]) => path !== "link-to-file").sort(),
  );
});

test("a diff that is cut anywhere gives what is whole of it", async () => {
  const place = tempRepo();
  const from = commitFiles(place, BEFORE, "before").commit;
  sh(place, SCRIPT);
  const { text } = await diffText(
    await opened(place),
    { from, to: revision(place, "HEAD").commit },
    { maxBytes: MIB },
  );
  const whole = parseDiff(text).length;
  for (let end = 0; end < text.length; end += 7) {
    expect(parseDiff(text.slice(0, end)).length).toBeLessThanOrEqual(whole);
  }
});
