import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { shellQuote } from "./shell-quote.ts";

const WORDS = [
  "plain",
  "a b",
  "it's",
  "$HOME `id`",
  '"x" \\ ',
  "*",
  "",
  "~/x",
  "-n",
  "line\nbreak",
  "a==1.0",
  "ü;&|<>()",
];

test("a shell takes each word as it is", () => {
  const line = `for word in ${WORDS.map(shellQuote).join(" ")}; do printf '%s\\0' "$word"; done`;
  const said = execFileSync("sh", ["-c", line], { encoding: "utf8" });
  expect(said.split("\0").slice(0, -1)).toEqual(WORDS);
});
