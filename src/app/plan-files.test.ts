import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { manifest, whole } from "../../test/formats/cpo-folder.ts";
import { defaultCaps as caps, defaultLayers } from "../config/settings.ts";
import { checkFolderContracts } from "../spec/folder/check-folder-contracts.ts";
import { inspectFolder } from "./inspect-folder.ts";
import { loadPlan } from "./load-plan.ts";
import { planFiles } from "./plan-files.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "plait-plan-files-")));
afterAll(() => rmSync(top, { recursive: true }));
let root = top;
beforeEach(() => {
  root = mkdtempSync(join(top, "root-"));
});

const put = (path: string, text: string | null = "x") => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text ?? "");
};
const link = (to: string, path: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  symlinkSync(to, join(root, path));
};
const around = (folder: string) =>
  planFiles({ named: folder, folder: join(root, folder), cwd: root, home: null, caps });
const read = async (folder: string, path: string) => {
  const found = await around(folder).read(path);
  return found.ok ? found.text : found.problem;
};

const OUTSIDE = "is outside the folder and its repository";

test("around a plan what lies in its repository is read, and nothing that links or dots lead out to", async () => {
  put("secret");
  put("repo/.git/HEAD");
  put("repo/package.json", "package");
  put("repo/parallel/skills.yaml", "skills");
  put("repo/parallel/p/own", "own");
  link("../../package.json", "repo/parallel/p/inner");
  link(join(root, "secret"), "repo/parallel/p/outer");
  link("../../..", "repo/parallel/p/up");
  const folder = "repo/parallel/p";
  for (const [path, expected] of [
    ["own", "own"],
    ["inner", "package"],
    ["../skills.yaml", "skills"],
    ["../../package.json", "package"],
    ["outer", OUTSIDE],
    ["up/secret", OUTSIDE],
    ["../../../secret", OUTSIDE],
    ["../../../none", "does not exist"],
  ] as const)
    expect([path, await read(folder, path)]).toEqual([path, expected]);
  expect(await around(folder).read("outer")).toMatchObject({ isMissing: false, file: join(folder, "outer") });
});

test("a folder that is reached through a link has both places around it", async () => {
  put("repo/.git/HEAD");
  put("repo/parallel/skills.yaml", "skills");
  put("other/.git/HEAD");
  put("other/shared", "shared");
  put("other/p/own", "own");
  link("../shared", "other/p/inner");
  link(join(root, "other/p"), "repo/parallel/p");
  for (const [path, expected] of [
    ["own", "own"],
    ["inner", "shared"],
    ["../skills.yaml", "skills"],
  ] as const)
    expect([path, await read("repo/parallel/p", path)]).toEqual([path, expected]);
});

test("outside of any repository what lies above the folder can be asked for; links still lead nowhere", async () => {
  put("secret/x");
  put("a/package.json", "package");
  put("a/parallel/p/own", "own");
  link("../../../secret", "a/parallel/p/outer");
  for (const [path, expected] of [
    ["own", "own"],
    ["../../package.json", "package"],
    ["outer/x", OUTSIDE],
  ] as const)
    expect([path, await read("a/parallel/p", path)]).toEqual([path, expected]);
});

test("of very many contracts the first are checked, however deep they lie, and links to folders are told once", async () => {
  for (let i = 0; i < 203; i += 1) put(`p/contracts/a/${String(i).padStart(3, "0")}.json`, '{"openapi": 1}');
  link("a", "p/contracts/0");
  link("a", "p/contracts/1");
  const found = await checkFolderContracts(around("p"));
  expect(found.filter(({ code }) => code === "api-version")).toHaveLength(200);
  const told = found.filter(({ code }) => code === "contract-unchecked");
  expect(told.map(({ at, message }) => `${at?.file}: ${message}`)).toEqual([
    "p/contracts/0: `contracts/0` is a link to a folder, so contracts in it are not checked (and 1 more)",
    "p/contracts: more than 200 contracts; only the first 200 are checked",
  ]);
});

test("whatever of an artefact folder leads out is told where it is asked for, and not a word of it is shown", async () => {
  put("secret", "=== SECRET ===\n");
  put("repo/.git/HEAD");
  // The names that links have in place of files; without types.ts no parser is loaded.
  const outside = [
    "contracts/types.ts",
    "context.md",
    "task-graph.md",
    "prompts/task-001.txt",
    "tasks/task-002-items.md",
  ];
  for (const [path, text] of Object.entries(whole)) if (!outside.includes(path)) put(`repo/p/${path}`, text);
  put("repo/p/manifest.json", manifest([["task-001-users", "task-002-items"], ["task-003-orders"]]));
  for (const path of [...outside, "agent-skills-mapping.yaml"]) link(join(root, "secret"), `repo/p/${path}`);
  link(root, "repo/p/contracts/x");
  put(
    "repo/p/tasks/task-001-users.md",
    whole["tasks/task-001-users.md"]?.replace("types.ts]", "x/secret]") ?? "",
  );
  const { diagnostics, sources } = await loadPlan("p", {
    ...{ caps, layers: defaultLayers(), cwd: join(root, "repo"), inspect: inspectFolder },
  });
  const told = diagnostics
    .filter(({ message }) => message.includes(OUTSIDE))
    .map(({ at, severity, code }) => `${at?.file}:${at?.start.line} ${severity} ${code}`);
  expect(told.sort()).toEqual([
    "p/agent-skills-mapping.yaml:1 warning file-unread",
    "p/context.md:1 warning file-unread",
    "p/contracts/types.ts:1 error contract-syntax",
    "p/manifest.json:3 error spec-missing",
    "p/manifest.json:8 error prompt-missing",
    "p/task-graph.md:1 warning graph-stale",
    "p/tasks/task-001-users.md:7 warning contract-missing",
    "p/tasks/task-003-orders.md:7 warning contract-missing",
  ]);
  const places = diagnostics.map(({ at }) => at?.file ?? "");
  expect(places.filter((file) => file.startsWith("p/contracts/x"))).toEqual(["p/contracts/x"]);
  expect(JSON.stringify([diagnostics, [...sources]])).not.toContain("SECRET");
});
