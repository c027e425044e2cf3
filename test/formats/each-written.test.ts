import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Binding } from "../../src/core/draft.ts";
import { asPattern, fillCommand } from "../../src/core/each/written.ts";
import { matches } from "../../src/core/ownership/match.ts";
import { parsePattern } from "../../src/core/ownership/parse.ts";

const bind = (value: string): Binding => ({ name: "file", from: "files", value });

const hostile = [
  "plain.js",
  "a b",
  "it's",
  '"',
  "$(echo pwned)",
  "`echo pwned`",
  "${HOME}",
  "a\nb",
  "\\",
  "*",
  "~",
  "a;echo pwned",
  "#",
  "!!",
  "ünïcode",
  "=",
  "a&",
  "-n",
];

test("a shell gets exactly the value, whatever is in it", () => {
  const random = fc.sample(
    fc.string({
      minLength: 1,
      unit: fc.constantFrom("'", '"', "$", "(", ")", "`", "\\", " ", "\n", "a", ";", "#", "*", "!"),
    }),
    { numRuns: 200, seed: 7 },
  );
  const values = [...hostile, ...random];
  const lines = values.map((value) => {
    const command = fillCommand(
      { kind: "shell", line: "printf %s {file}" },
      [bind(value)],
      ({ value: refused }) => {
        throw new Error(`refused ${refused}`);
      },
    );
    return command.kind === "shell" ? command.line : "";
  });
  const printed = execFileSync("sh", ["-c", lines.join("; printf '\\000';")], { encoding: "utf8" }).split(
    "\0",
  );
  // A name that begins with a dash is the same file as ./ and it.
  expect(printed).toEqual(values.map((value) => (value.startsWith("-") ? `./${value}` : value)));
});

test.each([
  "echo '{file}'",
  'echo "{file}"',
  "echo `cat {file}`",
  "cat <<E\n{file}\nE",
  "echo $(( {file} ))",
  "x # {file}",
  "echo \\{file}",
])("in %j a value that needs quotes is refused, and one that needs none is not", (line) => {
  const refused: string[] = [];
  const written = (value: string) =>
    fillCommand({ kind: "shell", line }, [bind(value)], (problem) => refused.push(problem.value));
  expect(written("src/a.js")).toEqual({ kind: "shell", line: line.replace("{file}", "src/a.js") });
  expect(refused).toEqual([]);
  written("a b");
  expect(refused).toEqual(["a b"]);
});

test("a list of arguments takes every value as it is, but for a file that looks like an option", () => {
  const argv = (value: string) =>
    fillCommand({ kind: "argv", argv: ["x", "{file}"] }, [bind(value)], () => undefined);
  expect(argv('a "b"')).toEqual({ kind: "argv", argv: ["x", 'a "b"'] });
  expect(argv("-rf")).toEqual({ kind: "argv", argv: ["x", "./-rf"] });
});

test.each([
  ...hostile,
  "pages/[id].tsx",
  "{a,b}.js",
  "+page@(app).svelte",
  "a::b",
  "x?y",
  "~/a",
  "!a/b",
  "[!a]",
])("%j is claimed by its name, and another file is not", (name) => {
  const parsed = parsePattern(asPattern(name, bind(name)));
  expect(parsed).toMatchObject({ ok: true });
  if (!parsed.ok) return;
  expect([matches(parsed.pattern, name), matches(parsed.pattern, "pages/i.tsx")]).toEqual([true, false]);
});
