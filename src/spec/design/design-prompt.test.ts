import { describe, expect, test } from "vitest";
import { agentsKnownTo, agentsOfFiles } from "../known-agents.ts";
import { designPrompt } from "./design-prompt.ts";

const question = {
  techSpecId: "TS-0042",
  spec: { file: "spec.md", text: "Bake bread.\n" },
  prd: null,
  requirements: [],
  technology: null,
  agents: agentsOfFiles({ mapping: new Map(), own: [] }),
  files: ["src/app.py"],
  schema: {
    type: "object",
    properties: {
      tasks: {
        type: "array",
        items: { type: "object", properties: { id: { type: "string", description: "task-001" } } },
      },
      tech: { anyOf: [{ type: "string", enum: ["go"] }, { type: "null" }], description: "what with" },
    },
  },
};

describe("what the architect is asked", () => {
  test("the form of the answer is told in words, down to the last key", () => {
    expect(designPrompt(question)).toContain(
      '- `tasks` (list of map)\n  - `id` (string): task-001\n- `tech` ("go" or null): what with\n',
    );
  });

  test("requirements are listed with ids and places", () => {
    const [file, start] = ["prd.md", { line: 7, col: 1 }];
    const requirements = [{ id: "R1", text: "Bread", at: { file, start, end: start } }];
    expect(designPrompt({ ...question, requirements })).toContain(
      "## Requirements\n\n- `R1` (prd.md:7): Bread\n",
    );
    expect(designPrompt(question)).toContain("The documents have no requirement ids");
  });

  test("thousands of files are told by their folders", () => {
    const files = ["README.md", ...Array.from({ length: 5_000 }, (_, n) => `src/${n}.py`)];
    const prompt = designPrompt({ ...question, files });
    expect(prompt).toContain("5001 files:\n- README.md\n- src/ (5000 files)\n");
    const deep = Array.from({ length: 900 }, (_, n) => `app/part${n % 3}/${n}.py`);
    expect(designPrompt({ ...question, files: deep })).toContain("files:\n- app/part0/ (300 files)\n");
    expect(prompt.length).toBeLessThan(20_000);
  });
});

describe("agents that a task can be given to", () => {
  test("a design from a file may name those of plugins, with their skills; what the project says of one counts, and its own come first", () => {
    expect(question.agents).toHaveLength(26);
    expect(question.agents.at(-1)?.name).toBe("general-purpose");
    const name = "python-experts:django-expert";
    expect(question.agents.find((agent) => agent.name === name)?.skills).toContain(
      "python-experts:django-api",
    );
    const known = agentsOfFiles({
      mapping: new Map([[name, ["shop:style"]]]),
      own: [{ name: "baker", does: "bread" }],
    });
    expect(known).toHaveLength(27);
    expect(known.slice(0, 2)).toMatchObject([{ name: "baker" }, { name, skills: ["shop:style"] }]);
  });

  test("where it is known what is installed, nothing else is offered, and nothing that does no tasks", () => {
    const own = [{ name: "baker", does: "bread" }];
    const mapping = new Map([
      ["shop:mapped", []],
      ["shop:there", ["shop:style"]],
    ]);
    const installed = ["Explore", "baker", "general-purpose", "python-experts:django-expert", "shop:there"];
    const known = agentsKnownTo({ mapping, own }, installed);
    expect(known.map(({ name }) => name)).toEqual([
      ...["baker", "shop:there", "general-purpose", "python-experts:django-expert"],
    ]);
    expect(known[1]?.skills).toEqual(["shop:style"]);
  });

  test("where nobody tells what is installed, those of the project are offered, and what stock Claude has", () => {
    const own = [{ name: "baker", does: "bread" }];
    const mapping = new Map([["shop:mapped", []]]);
    const names = agentsKnownTo({ mapping, own }, null).map(({ name }) => name);
    expect(names).toEqual(["baker", "shop:mapped", "general-purpose"]);
  });
});
