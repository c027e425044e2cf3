import { expect, test } from "vitest";
import type { CheckKind } from "../report.ts";
import { countsIn } from "./counts.ts";

/** As these programs print it when nobody sits there. */
const printed: readonly [program: string, kind: CheckKind, output: string, counts: string | null][] = [
  [
    "pytest",
    "tests",
    "FAILED tests/test_a.py::test_b - assert 1 == 2\n==== 1 failed, 3 passed, 2 skipped, 1 warning in 0.12s ====\n",
    "3/1/2",
  ],
  ["pytest -q", "tests", "....                                      [100%]\n4 passed in 0.01s\n", "4/0/0"],
  [
    "pytest that could not begin",
    "tests",
    "ERROR tests/test_a.py\n!!! Interrupted: 2 errors during collection !!!\n=== 2 errors in 0.09s ===\n",
    "0/2/0",
  ],
  ["pytest after a minute", "tests", "=== 120 passed, 1 xfailed in 75.20s (0:01:15) ===\n", "120/0/1"],
  ["pytest without tests", "tests", "==== no tests ran in 0.00s ====\n", "0/0/0"],
  ["unittest", "tests", "...\n------\nRan 5 tests in 0.001s\n\nOK (skipped=1)\n", "4/0/1"],
  [
    "Django",
    "tests",
    "Found 3 test(s).\nSystem check identified no issues (0 silenced).\nF.E\nRan 3 tests in 0.004s\n\nFAILED (failures=1, errors=1)\n",
    "1/2/0",
  ],
  [
    "Vitest",
    "tests",
    " Test Files  1 failed | 3 passed (4)\n      Tests  2 failed | 10 passed | 1 skipped (13)\n   Start at  10:00:00\n",
    "10/2/1",
  ],
  [
    "Vitest in colours, by pnpm in two packages",
    "tests",
    "a test: \u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m3 passed\u001b[39m\u001b[22m\u001b[90m (3)\u001b[39m\nb test:       Tests  1 passed (1)\n",
    "4/0/0",
  ],
  [
    "Jest",
    "tests",
    "Test Suites: 1 failed, 1 total\nTests:       1 failed, 1 skipped, 1 todo, 2 passed, 5 total\nSnapshots:   0 total\n",
    "2/1/2",
  ],
  [
    "node --test",
    "tests",
    "TAP version 13\nok 1 - a\n1..1\n# tests 4\n# suites 0\n# pass 3\n# fail 1\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 51\n",
    "3/1/0",
  ],
  [
    "node --test for people",
    "tests",
    "✔ a (1ms)\nℹ tests 2\nℹ suites 0\nℹ pass 1\nℹ fail 0\nℹ cancelled 0\nℹ skipped 1\nℹ todo 0\n",
    "1/0/1",
  ],
  [
    "Mocha",
    "tests",
    "\n  Cart\n    ✔ adds\n\n\n  5 passing (12ms)\n  2 pending\n  1 failing\n\n  1) Cart\n",
    "5/1/2",
  ],
  [
    "Playwright",
    "tests",
    "  1 failed\n    [chromium] › a.spec.ts:3:1 › 2 passed here ──\n  2 skipped\n  3 passed (5.1s)\n",
    "3/1/2",
  ],
  [
    "bun test",
    "tests",
    "\n 3 pass\n 1 skip\n 1 fail\n 6 expect() calls\nRan 5 tests across 2 files.\n",
    "3/1/1",
  ],
  [
    "go test",
    "tests",
    "ok  \texample.com/a\t0.003s\nok  \texample.com/b\t(cached)\n--- FAIL: TestC (0.00s)\nFAIL\nFAIL\texample.com/c\t0.004s\nFAIL\texample.com/d [build failed]\n?   \texample.com/e\t[no test files]\nFAIL\n",
    "2/2/1",
  ],
  ["a program that does not count", "tests", "all is well\n", null],
  ["tests whose compiler has errors", "tests", "src/a.ts(1,7): error TS2322: Type\n", null],
  [
    "tsc",
    "types",
    "src/a.ts(1,7): error TS2322: Type 'string' is not\n  assignable.\nsrc/b.ts(3,1): error TS2304: Cannot\n",
    "0/2/0",
  ],
  [
    "mypy",
    "types",
    "a.py:1: error: Incompatible\nFound 2 errors in 1 file (checked 3 source files)\n",
    "0/2/0",
  ],
  ["mypy that is content", "types", "Success: no issues found in 12 source files\n", "0/0/0"],
  ["pyright", "types", "  a.py:1:1 - error: x\n3 errors, 1 warning, 0 informations \n", "0/3/0"],
  [
    "Ruff",
    "lint",
    "F401 [*] `os` imported but unused\n\nFound 3 errors.\n[*] 1 fixable with the `--fix` option.\n",
    "0/3/0",
  ],
  ["Ruff that is content", "lint", "All checks passed!\n", "0/0/0"],
  ["ESLint", "lint", "\n/a.js\n  1:1  error  x  no-undef\n\n✖ 5 problems (3 errors, 2 warnings)\n", "0/5/0"],
  [
    "Biome",
    "lint",
    "Checked 12 files in 3ms. No fixes applied.\nFound 2 errors.\nFound 1 warning.\n",
    "0/2/0",
  ],
  ["oxlint", "lint", "Found 1 warning and 4 errors.\nFinished in 5ms on 3 files.\n", "0/4/0"],
  ["flake8", "lint", "a.py:1:1: F401 'os' imported but unused\nb.py:3:80: E501 line too long\n", "0/2/0"],
  ["go vet", "lint", "# example.com/a\nvet: ./a.go:3:2: undefined: x\n", "0/1/0"],
  ["golangci-lint", "lint", "a.go:1:1: x (errcheck)\n3 issues:\n* errcheck: 3\n", "0/3/0"],
  ["Django's check", "build", "System check identified 2 issues (0 silenced).\n", "0/2/0"],
  ["Django's check that is content", "build", "System check identified no issues (0 silenced).\n", "0/0/0"],
];

test.each(printed)("what %s counts", (_, kind, output, counts) => {
  const read = countsIn(output, kind);
  expect(read === null ? null : `${read.passed}/${read.failed}/${read.skipped}`).toBe(counts);
});
