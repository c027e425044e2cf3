import { expect, test } from "vitest";
import { defaultCaps } from "../../../config/settings.ts";
import { parseManifest } from "../../../formats/cpo/manifest.ts";
import { listPinFindings } from "./pins.ts";

async function found(dependencies: object, files: Readonly<Record<string, string>>): Promise<string[]> {
  const text = JSON.stringify({ name: "x", dependencies, waves: [] });
  const { manifest } = parseManifest({ file: "manifest.json", text }, defaultCaps);
  if (manifest === null) throw new Error("no manifest");
  const project = { paths: Object.keys(files), read: async (path: string) => files[path] ?? null };
  const findings = await listPinFindings(manifest.dependencies, project);
  return findings.map(({ weight, about, at }) => `${weight} ${about} ${at?.file}:${at?.line}`);
}

const python = { python: { add: ["fastapi==0.115.6", "httpx>=0.27"], add_dev: ["pytest==8.3.4"] } };
const node = { node: { add: ["zod@3.24.1", "@types/node@20.1.0"] } };
const lock = (zod: string) =>
  JSON.stringify(
    {
      lockfileVersion: 3,
      packages: {
        "": { dependencies: { zod: "^3.0.0", "@types/node": "20.1.0" } },
        "node_modules/@types/node": { version: "20.1.0" },
        "node_modules/zod": { version: zod },
      },
    },
    null,
    1,
  );
const packageJson = (zod: string) =>
  `{\n "dependencies": {\n  "zod": "${zod}",\n  "@types/node": "20.1.0"\n }\n}\n`;

test.each<[string, object, Readonly<Record<string, string>>, ...string[]]>([
  ["pins that hold", python, { "requirements.txt": "fastapi==0.115.6\nhttpx\npytest==8.3.4\n" }],
  [
    "another pin",
    python,
    { "requirements.txt": "# x\nFastAPI==0.116.0\npytest==8.3.4\n" },
    "must fastapi requirements.txt:2",
  ],
  [
    "a range that leaves it out, and one that is gone",
    python,
    { "pyproject.toml": '[project]\ndependencies = [\n  "fastapi>=0.116",\n]\n' },
    "must fastapi pyproject.toml:3",
    "should pytest pyproject.toml:null",
  ],
  [
    "a range that has it",
    { python: { add: ["fastapi==0.115.6"] } },
    { "requirements.txt": "fastapi>=0.115\n" },
  ],
  [
    "what the lock file has",
    node,
    { "package.json": packageJson("^3.0.0"), "package-lock.json": lock("3.24.1") },
  ],
  [
    "what the lock file has otherwise",
    node,
    { "package.json": packageJson("^3.0.0"), "package-lock.json": lock("3.25.0") },
    "must zod package-lock.json:13",
  ],
  ["another range", node, { "package.json": packageJson("^4.0.0") }, "must zod package.json:3"],
  ["no project in the root", node, { "web/package.json": packageJson("^4.0.0") }],
])("%s", async (_, dependencies, files, ...lines) => {
  expect(await found(dependencies, files)).toEqual(lines);
});
