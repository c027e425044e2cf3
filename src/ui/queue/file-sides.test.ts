import { expect, test } from "vitest";
import { fileSide } from "./file-sides.ts";

const DIFF = `diff --git a/lib/src/a.ts b/lib/src/a.ts
new file mode 100644
--- /dev/null
+++ b/lib/src/a.ts
@@ -0,0 +1 @@
+other
diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -10,3 +10,4 @@ class A {
 one
-two
+deux
+diff --git a/b b/b
 three
diff --git a/old.ts b/new name.ts
rename from old.ts
rename to new name.ts
--- a/old.ts
+++ b/new name.ts
@@ -1 +1 @@
-x
+y
`;

const told = (path: string) =>
  fileSide(DIFF, path)?.lines.map(({ kind, n, text }) => `${kind} ${n ?? "-"} ${text}`);

test("one file is cut out of a diff, with the numbers of its lines, also where a line looks like the head of the next", () => {
  expect(told("src/a.ts")).toEqual([
    "hunk - class A {",
    "same 10 one",
    "removed 11 two",
    "added 11 deux",
    "added 12 diff --git a/b b/b",
    "same 13 three",
  ]);
  expect(told("lib/src/a.ts")).toEqual(["note - new", "hunk - ", "added 1 other"]);
});

test("a file that was renamed is found by either name, and one that is not there is not", () => {
  expect(told("old.ts")?.at(-1)).toBe("added 1 y");
  expect(told("new name.ts")).toEqual(told("old.ts"));
  expect(told("a.ts")).toBeUndefined();
});

test("a path is found however git writes it, and nothing in a line hides from who reads it", () => {
  const diff = '"b/src/\\303\\244.ts"\nindex 1..2 100644\n@@ -1 +1 @@\n-a\n+b\u202e\n';
  const side = fileSide(`diff --git "a/src/\\303\\244.ts" ${diff}`, "src/ä.ts");
  expect(side?.lines.at(-1)?.text).toMatch(/^b[^\u202e]+$/);
});

test("however much it is, a screenful is shown and the rest is counted", () => {
  const many = `diff --git a/x b/x\n@@ -0,0 +1,300 @@\n${`+${"y".repeat(9_999)}\n`.repeat(300)}`;
  const side = fileSide(many, "x");
  expect({ shown: side?.lines.length, cut: side?.cutLines }).toEqual({ shown: 160, cut: 141 });
  expect(side?.lines.at(-1)?.text).toHaveLength(401);
});
