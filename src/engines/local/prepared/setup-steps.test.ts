import { expect, test } from "vitest";
import type { SetupCommand } from "../../../core/plan.ts";
import { findReused, splitSetup } from "./setup-steps.ts";

const shell = (line: string): SetupCommand => ({ kind: "shell", line });
const generate: SetupCommand = { ...shell("make api"), inputs: ["schema/**"], outputs: ["src/api"] };

/** Each step as its kind and its lines. */
const split = (...setup: (string | SetupCommand)[]) =>
  splitSetup(setup.map((one) => (typeof one === "string" ? shell(one) : one))).map(
    ({ kind, commands }) =>
      `${kind}: ${commands.map((one) => (one.kind === "shell" ? one.line : one.argv.join(" "))).join(" | ")}`,
  );

test("installers at the beginning are one step, and count only there", () => {
  expect(split("npm ci", { kind: "argv", argv: ["uv", "sync"] }, "npm run build", "npm ci")).toEqual([
    "installs: npm ci | uv sync",
    "each-tree: npm run build | npm ci",
  ]);
  expect(split("createdb shop", "npm ci")).toEqual(["each-tree: createdb shop | npm ci"]);
  expect(split()).toEqual([]);
});

test.each([
  ["npm ci && npm run build", "npm ci", "npm run build"],
  ["npm ci&&uv sync && make a && make b", "npm ci && uv sync", "make a && make b"],
  ["npm ci && node -e 'a && b; c'", "npm ci", "node -e 'a && b; c'"],
  ['npm ci && echo "x && y"', "npm ci", 'echo "x && y"'],
  ["npm ci && cd web && make", "npm ci", "cd web && make"],
  ["NODE_ENV=test npm ci && make", "NODE_ENV=test npm ci", "make"],
])("%s installs once and does the rest in each tree", (line, installs, rest) => {
  expect(split(line)).toEqual([`installs: ${installs}`, `each-tree: ${rest}`]);
});

test.each([
  "npm ci && make; touch x",
  "npm ci && make || true",
  "npm ci && make | tee log",
  "npm ci && make > log",
  "npm ci && make &",
  "npm ci && make $TARGET",
  'npm ci && make "$TARGET"',
  "npm ci && (make)",
  "npm ci && make # all",
  "npm ci && make\nmake b",
  "npm ci && echo 'a",
  "npm ci && ",
  "cd web && npm ci && make",
  "make && npm ci",
])("%j stays whole", (line) => {
  expect(split(line)).toEqual([`each-tree: ${line}`]);
});

test("a command with outputs is a step of its own, wherever it is", () => {
  expect(split(generate, "npm ci", "createdb shop", generate)).toEqual([
    "declared: make api",
    "installs: npm ci",
    "each-tree: createdb shop",
    "declared: make api",
  ]);
});

test("says which commands have a result that other trees get", () => {
  const setup = [shell("npm ci && make"), generate, shell("createdb shop"), shell("uv sync")];
  expect([...findReused(setup)]).toEqual([
    [setup[0], "npm ci"],
    [generate, null],
  ]);
});
