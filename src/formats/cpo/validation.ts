import type { Command } from "../../core/plan.ts";

/**
 * What `validation` of a wave runs. Two ways to write it are about: a line for the shell (`pytest apps/orders -v`) and bare Python
 * (`from apps.users.models import User; print("ok")`). Python goes to the interpreter as it is, with no quoting in between.
 */
export function validationCommand(written: string): Command {
  const source = written.trim();
  if (!looksLikePython(source)) return { kind: "shell", line: source };
  return { kind: "argv", argv: ["sh", "-c", RUN_PYTHON, "python", dedented(written)] };
}

/** In the environment that uv keeps, where it does; else by what is there: some systems have only one of the two names. */
const RUN_PYTHON = [
  'if [ -f uv.lock ] && command -v uv >/dev/null; then exec uv run python -c "$1"; fi',
  'p=$(command -v python3 || command -v python) || { echo "no python3 on the PATH" >&2; exit 127; }',
  'exec "$p" -c "$1"',
].join("; ");

/** In none can two parts take the same signs: a long text would be tried in each way to share them out. */
const PYTHON = [
  /^from\s+[\w.]+\s+import\s/,
  /^import\s+\w[\w.]*(?:\s+as\s+\w+)?(?:\s*[,;\n]|$)/,
  /^assert\s+(?!-)/,
  /^(?:def|class|async def)\s+\w.*:/,
  /^(?:for\s(?=.+\sin\s)|with\s|if\s|while\s).+:(?:\s|$)/,
  /^try:(?:\s|$)/,
  /^[A-Za-z_]\w*(?:\.\w+)*\([^)]/, // a call; a shell would take it for a mistake
  /^[A-Za-z_]\w* = /,
  /^raise\s+\w+\(/,
];

/** Words that only a shell puts behind a condition. */
const SHELL = /[;\n][^\S\n]*(?:then|do)\b/;

export function looksLikePython(source: string): boolean {
  const first = source.replace(/^(?:\s*#[^\n]*\n)+/, "").trimStart();
  return !SHELL.test(first) && PYTHON.some((sign) => sign.test(first));
}

/** A text in JSON may be indented as a whole, which Python refuses. */
function dedented(source: string): string {
  const lines = source.replace(/^(?:[ \t]*\r?\n)+/, "").split("\n");
  const least = lines
    .filter((line) => line.trim() !== "")
    .reduce(
      (width, line) => Math.min(width, line.length - line.trimStart().length),
      Number.POSITIVE_INFINITY,
    );
  return lines
    .map((line) => line.slice(least))
    .join("\n")
    .trimEnd();
}
