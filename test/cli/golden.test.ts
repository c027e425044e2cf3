import { describe, expect, it } from "vitest";
import { asked } from "./asked.ts";
import { expectGolden } from "./golden.ts";

// With --no-copy, because a clone may have dependencies or not.
const example = "examples/checkout/plan.yaml";

describe("what people see", () => {
  it.each<[string, string[]]>([
    ["plan-80.txt", ["plan", example, "--no-copy"]],
    ["plan-80-ascii.txt", ["plan", example, "--ascii", "--no-copy"]],
    ["plan.json.txt", ["plan", example, "--json", "--no-copy"]],
    ["plan.mmd", ["plan", example, "--graph", "mermaid"]],
    ["plan.dot", ["plan", example, "--graph", "dot"]],
    ["plan.svg", ["plan", example, "--graph", "svg"]],
    ["help.txt", ["--help"]],
    ["help-validate.txt", ["validate", "--help"]],
    ["help-plan.txt", ["help", "plan"]],
    ["no-arguments.txt", []],
    ["explain.txt", ["explain", "unknown-key"]],
  ])("%s", async (name, args) => {
    const { code, stdout, stderr } = await asked(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    // The version changes with every release.
    expectGolden(name, stdout.replace(/^plait \d+\.\d+\.\d+\S*,/m, "plait VERSION,"));
  });

  it("findings.txt", async () => {
    const { code, stdout, stderr } = await asked(["validate", "test/cli/broken.yaml"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expectGolden("findings.txt", stderr);
  });

  it.each(["cast-parallel", "cpo", "cpo run", "parallel-orchestra", "parallel-orchestra run"])(
    "help of %s, another system's command line, is what that prints",
    async (words) => {
      const [shown, own] = [
        await asked(["help", ...words.split(" ")]),
        await asked([...words.split(" "), "--help"]),
      ];
      expect(shown).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(/^usage: /i) });
      expect(own.stdout).toBe(shown.stdout);
    },
  );

  it("flags in front of such a command line are refused, with what to type", async () => {
    expect(await asked(["--no-color", "cpo", "run", "x"])).toEqual({
      ...{ code: 2, stdout: "" },
      stderr: "error: flags must follow cpo\n  help: put the name first: plait cpo\n",
    });
  });
});
