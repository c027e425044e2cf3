import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentsOfFiles } from "../../src/spec/known-agents.ts";
import { technologies } from "../../src/spec/spec-contents.ts";
import { specFolder } from "../../src/spec/spec-folder.ts";
import { root } from "../cli/plait.ts";

// Whoever tries an example, a scaffold or what a skill shows has Claude as it is installed, and no plugin.

/** As Claude itself lists them. */
const stock: readonly string[] = JSON.parse(
  readFileSync(join(root, "src/agents/claude/fixtures/auth-401.ndjson"), "utf8").split("\n")[0] ?? "",
).agents;

/** Programs, and the word of dispatch manifests for no sub-agent. */
const PROGRAMS = ["claude", "codex", "demo", "main"];
/** What stands for a name of the reader's own. */
const OF_READERS = ["plugin:agent", "our-experts:api-expert"];
const OF_PLUGINS = agentsOfFiles({ mapping: new Map(), own: [] })
  .map(({ name }) => name)
  .filter((name) => name.includes(":"));

const NAMED = /(?:"agent"|"subagent_type"|\bagent|^Agent): *"?([\w-]+(?::[\w-]+)?)"?/gm;
const MAPPED = /^ {2}([\w-]+(?::[\w-]+)?): *$/gm;

function namesIn(path: string, text: string): string[] {
  const patterns = path.endsWith("agent-skills-mapping.yaml") ? [NAMED, MAPPED] : [NAMED];
  const named = patterns.flatMap((pattern) => Array.from(text.matchAll(pattern), ([, name = ""]) => name));
  return [...named, ...OF_PLUGINS.filter((name) => text.includes(name))];
}

const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((path) => join(folder, path))
    .filter((path) => !path.includes("node_modules") && statSync(join(root, path)).isFile());

const examples = readdirSync(join(root, "examples"));

function unknownIn(files: readonly string[], shipped: readonly string[] = []): string[] {
  const known = new Set([...stock, ...PROGRAMS, ...OF_READERS, ...shipped]);
  return files.flatMap((path) =>
    namesIn(path, readFileSync(join(root, path), "utf8"))
      .filter((name) => !known.has(name))
      .map((name) => `${path}: ${name}`),
  );
}

describe("agents that nobody has to install", () => {
  test.each(examples)("are those of the example %s, or it brings them along", (name) => {
    const folder = join("examples", name);
    const agents = join(root, folder, ".claude/agents");
    const shipped = existsSync(agents) ? readdirSync(agents).map((file) => file.replace(/\.md$/, "")) : [];
    expect(unknownIn(filesBelow(folder), shipped)).toEqual([]);
  });

  test("are those of the plugin", () => expect(unknownIn(filesBelow("plugin"))).toEqual([]));

  test.each(technologies)("are those of a new folder for %s", (technology) => {
    const files = specFolder(
      { techSpecId: "TS-0001", name: "x", technology, generatedAt: "2026-01-01T00:00:00Z" },
      "parallel/x",
    );
    const names = files.flatMap(({ path, text }) => namesIn(path, text));
    expect(new Set(names)).toEqual(new Set(["general-purpose"]));
    expect(stock).toContain("general-purpose");
  });

  test("are told from others", () => {
    expect(namesIn("plan.json", '{ "subagent_type": "code-writer" }')).toEqual(["code-writer"]);
    expect(namesIn("x.txt", "Agent: a:b\n- python-experts:django-expert")).toEqual([
      ...["a:b", "python-experts:django-expert"],
    ]);
    expect(namesIn("agent-skills-mapping.yaml", "agents:\n  a:b:\n")).toEqual(["a:b"]);
  });
});
