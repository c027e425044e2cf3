import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { askedIn } from "./asked.ts";
import { git, makePlace } from "./place.ts";

const FOLDER = "parallel/TS-0007-shop";
const API = (limit: string) =>
  `openapi: 3.0.3\ninfo: { title: Shop, version: "1" }\npaths:\n  /orders:\n    get:\n      parameters: [${limit}]\n      responses: { "200": { description: ok } }\n`;
const files = {
  ".gitignore": "integration-report.*\n",
  // Computed: the code alone leaves it open.
  "app.py":
    "import os\nfrom fastapi import FastAPI\napp = FastAPI()\n@app.get(os.environ['ORDERS'])\ndef orders(limit: int = 20): ...\n",
  "printed.yaml": API("{ name: limit, in: query, schema: { type: integer } }"),
  "plait.config.yaml": "integrate: { checks: [], openapi: cat printed.yaml }\n",
  [`${FOLDER}/manifest.json`]:
    '{ "tech_spec_id": "TS-0007", "name": "shop", "waves": [{ "number": 1, "tasks": [{ "id": "task-001-a", "agent": "p:a" }] }] }\n',
  [`${FOLDER}/context.md`]: "# Context\n",
  [`${FOLDER}/contracts/api-schema.yaml`]: API("{ name: limit, in: query, schema: { type: integer } }"),
  [`${FOLDER}/tasks/task-001-a.md`]:
    "---\nid: task-001-a\ncomponent: c\nwave: 1\ndeps: []\nagent: p:a\ncontracts: [contracts/api-schema.yaml]\n---\n# task-001-a: Title\n\n## Scope\nMODIFY: app.py\nBOUNDARY: (none)\n",
};

it("the document that the project prints decides about endpoints, unless no command may run", async () => {
  const place = makePlace(files);
  const change = (name: string, text: string) => writeFileSync(join(place.repo, name), text);
  change("app.py", `${files["app.py"]}# done\n`);
  git(place, "commit", "-qam", "work", "-m", "Plait-Run: shop-k7f2\nPlait-Task: task-001-a");
  const integrated = async (...flags: string[]) => {
    const { code, stdout, stderr } = await askedIn(place, "spec", "integrate", "--json", ...flags);
    const report = JSON.parse(stdout);
    const said = report.findings.map(
      ({ weight, code: what, message }: Record<string, string>) => `${weight} ${what} ${message}`,
    );
    return {
      code,
      said: said as string[],
      statuses: report.endpoints.map((one: { status: string }) => one.status),
      stderr,
    };
  };
  expect(await integrated()).toMatchObject({ code: 0, said: [], statuses: ["ok"] });
  const skipped =
    "unclear document-not-read `cat printed.yaml` was not run, so endpoints were compared with the code only";
  for (const flag of ["--no-checks", "--enforce"]) {
    const { said, statuses } = await integrated(flag);
    expect(said).toContain(skipped);
    expect(statuses).toEqual(["unclear"]);
  }
  const commit = (name: string, text: string) => {
    change(name, text);
    git(place, "commit", "-qam", "by hand");
  };
  commit("printed.yaml", API(""));
  expect(await integrated()).toMatchObject({
    ...{ code: 1, statuses: ["differs"] },
    said: ["must endpoint-parameter lacks query parameter `limit`"],
  });
  commit("printed.yaml", "nothing of the kind\n");
  const { code, stdout, stderr } = await askedIn(place, "spec", "integrate");
  expect(code).toBe(1);
  expect(stderr).toContain("API document: cat printed.yaml\n");
  expect(stdout).toMatch(
    /must fix\[document-unreadable\]: integrate\.openapi: `cat printed\.yaml` printed no API document: /,
  );
  expect(stdout).toContain("0 of 1 endpoint (1 unclear)");
});
