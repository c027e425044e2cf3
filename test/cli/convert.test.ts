import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { asked } from "./asked.ts";
import { folderWith, root } from "./plait.ts";

const manifest = readFileSync(join(root, "examples/dispatch/plan.md"), "utf8");
const cwd = folderWith({
  "plan.md": manifest,
  "both.md": `---\nplait: 1\ntasks: [{ id: a, prompt: x }]\n---\n\n${manifest}`,
  "bad.md": manifest.replace(/"subagent_type"(: "Explore",\s+"prompt": "Can)/, '"subagent"$1'),
  "mine.yaml": "mine",
});

describe("plait convert", () => {
  it("prints the plan, or writes it into a new file, and what it wrote is a plan", async () => {
    const { code, stdout, stderr } = await asked(["convert", "plan.md"], { cwd });
    expect([code, stderr]).toEqual([0, ""]);
    const written = await asked(["convert", "plan.md", "--to", "native", "-o", "plan.yaml"], { cwd });
    expect(written).toEqual({ code: 0, stdout: "plan.yaml: 8 tasks, from plan.md\n", stderr: "" });
    expect(readFileSync(join(cwd, "plan.yaml"), "utf8")).toBe(stdout);
    expect((await asked(["validate", "plan.yaml"], { cwd })).stdout).toBe("plan.yaml: 8 tasks, ok\n");
  });

  it.each<[string, string[], RegExp]>([
    ["a file that is there", ["plan.md", "-o", "mine.yaml"], /mine\.yaml already exists/],
    ["a plan with errors", ["bad.md", "-o", "new.yaml"], /bad\.md:43:9: error\[missing-key\]/],
    ["a plan of two formats", ["both.md", "-o", "new.yaml"], /--format native or --format adm/],
    ["a name for JSON", ["plan.md", "-o", "new.json"], /use a \.yaml file/],
    ["another format", ["plan.md", "--to", "po"], /is not native/],
  ])("refuses %s and writes nothing", async (_, args, says) => {
    const { code, stdout, stderr } = await asked(["convert", ...args], { cwd });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(says);
    expect(readFileSync(join(cwd, "mine.yaml"), "utf8")).toBe("mine");
    expect(["new.yaml", "new.json"].filter((name) => existsSync(join(cwd, name)))).toEqual([]);
  });

  it("takes the format that is asked for", async () => {
    expect((await asked(["convert", "both.md", "--format", "native"], { cwd })).stdout).toContain("id: a\n");
    expect((await asked(["convert", "both.md", "--format", "adm"], { cwd })).stdout).toContain(
      "id: b3-2-general-purpose\n",
    );
  });
});
