import { listSections } from "../../src/spec/tech-spec/new-text.ts";
import { type Place, sh, tempRepo, writeFiles } from "../git/support.ts";
import { sampleDesign, sampleTask } from "../support/designs.ts";

/** What the demo agent is told at each step: whatever a document says, it answers, or works, as that says. */
export type Script = { readonly draft?: string; readonly design?: string; readonly task?: string };

export function scriptedShop(scriptOf: (root: string) => Script = () => ({})): Place {
  const place = tempRepo({ "src/app.py": "def main(): ...\n", "yours.txt": "yours\n" });
  const { draft = "", design = "", task = "" } = scriptOf(place.root);
  const answers = { draft: draft || "demo: answer spec.json", design: design || "demo: answer design.json" };
  const [first, ...others] = listSections().map(({ name }) => `## ${name}\n\nText.`);
  const body = `${first}\n\n${answers.design}\n\n${others.join("\n\n")}`;
  const tasks = [sampleTask(1, { agent: "general-purpose" }), sampleTask(2, { agent: "general-purpose" })];
  writeFiles(place.repo, {
    "plait.config.yaml": 'integrate:\n  checks:\n    - { name: tests, run: "true" }\n',
    "docs/prd.md": `# Shop\n\nA shop.\n\n${answers.draft}\n`,
    "spec.json": JSON.stringify({ title: "Shop", body }),
    "design.json": JSON.stringify({
      ...sampleDesign,
      ...{ tasks, waves: [{ number: 1, validation: "true" }], contracts: { types: null, api_schema: null } },
      context_summary: `# Shop\n\n${task}\ndemo: work`,
    }),
  });
  sh(place, "git add -A; git commit -q -m start");
  return place;
}
