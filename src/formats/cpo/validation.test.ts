import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { looksLikePython, validationCommand } from "./validation.ts";

const hasPython = spawnSync("python3", ["--version"]).status === 0;

describe("the validation of a wave", () => {
  test.each([
    "from apps.users.models import User; print('Wave 1 OK')",
    "import django",
    "import os, sys\nprint(os.name)",
    "import json as j; j.dumps(1)",
    "# check\nfrom a import b\n",
    "print('ok')",
    "assert 1 + 1 == 2",
    "x = 1; assert x",
    "for x in [1, 2]:\n    print(x)",
    "if True: print(1)",
    "def f(): pass",
    "raise SystemExit(1)",
  ])("%j is Python", (source) => expect(looksLikePython(source)).toBe(true));

  test.each([
    "pytest apps/orders/tests/ -v",
    "python -c 'from apps.users.models import User'",
    "npm test && npm run lint",
    "import -window root shot.png",
    "if [ -f a ]; then echo yes: it is; fi",
    "for f in *.py; do python -m py_compile $f: ; done",
    "check() { true; }; check",
    "test -f src/a.js",
    "FOO=1 make check",
    "./scripts/validate.sh",
    "true",
    "assert -h",
  ])("%j is for the shell", (line) =>
    expect(validationCommand(` ${line} `)).toEqual({ kind: "shell", line }),
  );

  test.skipIf(!hasPython)("Python runs as it is written, whatever its quotes", () => {
    const command = validationCommand(`  import sys\n  print('a "b" $HOME', len(sys.argv))\n`);
    const [program, ...args] = command.kind === "argv" ? command.argv : [];
    expect(execFileSync(program as string, args, { encoding: "utf8" })).toBe('a "b" $HOME 1\n');
  });

  test("a project of uv is asked in its own environment", () => {
    const folder = mkdtempSync(join(tmpdir(), "plait-uv-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, "uv.lock"), "");
    writeFileSync(join(folder, "uv"), '#!/bin/sh\necho "uv: $*"\n', { mode: 0o755 });
    const command = validationCommand("import sys");
    const args = command.kind === "argv" ? command.argv.slice(1) : [];
    const said = execFileSync("/bin/sh", args, { cwd: folder, env: { PATH: folder }, encoding: "utf8" });
    expect(said).toBe("uv: run python -c import sys\n");
  });

  test("without an interpreter it says so", () => {
    const command = validationCommand("import sys");
    const args = command.kind === "argv" ? command.argv.slice(1) : [];
    const run = () => execFileSync("/bin/sh", args, { env: { PATH: "/nowhere" }, stdio: "pipe" });
    expect(run).toThrow(/no python3 on the PATH/);
  });
});
