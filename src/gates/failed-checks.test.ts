import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { PathPattern } from "../core/ownership/pattern.ts";
import { findTapFailure, findTapSection, junitFailures, listFailureLines, readTap } from "./failed-checks.ts";

function tap(text: string) {
  const reader = readTap();
  for (const line of text.split("\n")) reader.line(line);
  return reader.failed();
}

describe("TAP", () => {
  test("names what failed, subtests too, and counts no announced failure", () => {
    expect(
      tap(`TAP version 13
ok 1 - adds
not ok 2 - divides by zero
  ---
  message: "not ok 7 - is only said"
  ...
# Subtest: rates
    not ok 1 - reduced
    1..1
not ok 3 - rates
not ok 4 - later # TODO not written
not ok 5 - other # SKIP no network
not ok 6 - divides by zero
not ok
1..7`),
    ).toEqual(["divides by zero", "reduced", "rates", "divides by zero (2)", ""]);
  });

  test("is not what any program prints", () => {
    expect(tap("Error: not ok\nok then\nnot ok 1 - nothing announces this")).toBeNull();
    expect(tap("1..2\nok 1\nok 2")).toEqual([]);
    expect(tap("TAP version 13\nnot ok 1 - and then it died")).toBeNull();
    expect(tap("1..3\nnot ok 1 - a\nok 2")).toBeNull();
  });
});

describe("JUnit files", () => {
  const root = mkdtempSync(join(tmpdir(), "plait-junit-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const put = (path: string, text: string) => {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  };

  test("name what failed or broke, in whatever quotes and order", async () => {
    put(
      "out/a.xml",
      `<?xml version="1.0"?><testsuites><testsuite name="s">
<testcase classname="tax" name="reduced > rate"><failure message="x">no</failure></testcase>
<testcase name='plain' />
<testcase name="skipped"><skipped/></testcase>
<testcase name="quoting"><system-out><![CDATA[<failure>]]></system-out></testcase>
<testcase name="broken" classname="tax"><error/></testcase>
</testsuite></testsuites>`,
    );
    put(
      "out/deep/b.xml",
      `<testsuite><testcase name="broken" classname="tax"><error/></testcase></testsuite>`,
    );
    put("out/notes.xml", "<notes/>");
    const failed = await junitFailures(root, "out/**/*.xml" as PathPattern);
    expect(failed).toEqual(["tax reduced > rate", "tax broken", "tax broken (2)"]);
  });

  test("that are not there say nothing", async () => {
    expect(await junitFailures(root, "none/*.xml" as PathPattern)).toBeNull();
    expect(await junitFailures(root, "out/notes.xml" as PathPattern)).toBeNull();
  });
});

test("the first failure in TAP is named with its error, not the statistics at the end", () => {
  const point = (error: string) =>
    [
      "TAP version 13",
      "ok 1 - a",
      "not ok 2 - b # TODO later",
      "# Subtest: c",
      "    not ok 1 - adds",
      "      ---",
    ].concat([
      "      duration_ms: 1",
      `      error: ${error}`,
      "      ...",
      "not ok 3 - c",
      "1..3",
      "# duration_ms 926.8",
    ]);
  expect(findTapFailure(point("'1 !== 2'").join("\n"))).toBe("not ok 1 - adds: 1 !== 2");
  expect(findTapFailure(point("|-\n        Expected values to be equal:\n").join("\n"))).toBe(
    "not ok 1 - adds: Expected values to be equal:",
  );
  expect(findTapFailure("not ok 1 - x\nok 2 - y\n  error: other")).toBe("not ok 1 - x");
  expect(findTapFailure("this is not ok 1\n# duration_ms 9")).toBeNull();
});

/** As `node --test` of Node 20 prints it, where a package is missing. */
const MISSING_PACKAGE = `TAP version 13
# Subtest: fine
ok 1 - fine
  ---
  duration_ms: 9.2
  ...
# node:internal/modules/esm/resolve:873
#   throw new ERR_MODULE_NOT_FOUND(packageName, fileURLToPath(base), null);
#         ^
# Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'leftish' imported from /w/a.test.js
#     at packageResolve (node:internal/modules/esm/resolve:873:9)
# Node.js v20.20.2
# Subtest: /w/a.test.js
not ok 2 - /w/a.test.js
  ---
  duration_ms: 248.9
  location: '/w/a.test.js:1:1'
  failureType: 'testCodeFailure'
  exitCode: 1
  signal: ~
  error: 'test failed'
  code: 'ERR_TEST_FAILURE'
  ...
1..2
# pass 1
# fail 1
# duration_ms 570.2
`;

test("where a whole file failed, the error it printed is the reason", () => {
  expect(findTapFailure(MISSING_PACKAGE)).toBe(
    "not ok 2 - /w/a.test.js: Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'leftish' imported from /w/a.test.js",
  );
  expect(listFailureLines(MISSING_PACKAGE, 6)).toEqual([
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'leftish' imported from /w/a.test.js",
    "not ok 2 - /w/a.test.js",
    "location: '/w/a.test.js:1:1'",
    "error: 'test failed'",
  ]);
  expect(findTapSection(MISSING_PACKAGE)?.at(0)).toBe("# node:internal/modules/esm/resolve:873");
  expect(findTapSection(MISSING_PACKAGE)?.at(-1)).toBe("  code: 'ERR_TEST_FAILURE'");
});

test("the lines about the first failure leave out times, codes and stacks", () => {
  const block = [
    "  ---",
    "  duration_ms: 1",
    "  error: |-",
    "    Expected values to be equal:",
    "",
    "    2 !== 3",
  ];
  const rest = [
    "  code: 'ERR_ASSERTION'",
    "  expected: 3",
    "  stack: |-",
    "    at x",
    "  ...",
    "1..1",
    "# fail 1",
  ];
  const text = ["TAP version 13", "# Subtest: adds", "not ok 1 - adds", ...block, ...rest].join("\n");
  expect(listFailureLines(text, 6)).toEqual([
    ...["not ok 1 - adds", "error: |-", "  Expected values to be equal:", "  2 !== 3", "expected: 3"],
  ]);
  expect(listFailureLines("3 failed\n1 passed", 6)).toBeNull();
});
