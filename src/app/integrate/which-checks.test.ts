import { expect, test } from "vitest";
import { whichChecks } from "./run-checks.ts";

const project = {
  paths: ["go.mod"],
  read: async () => "module x\n",
};
const asked = { project, technology: null, isTyped: false, configured: null };
const names = async (more: object) => {
  const { checks } = await whichChecks({ ...asked, ...more });
  return checks.map(({ name, kind }) => `${kind} ${name}`);
};

test("checks are those of the configuration, else those of the files", async () => {
  expect(await names({})).toEqual(["build build", "lint vet", "lint gofmt"]);
  expect(await names({ configured: [] })).toEqual([]);
  const written = ["unit tests", "lint", "Types", "mypy", "bundle", "migrations", "smoke"];
  const configured = written.map((name) => ({ name, run: "x" }));
  expect(await names({ configured })).toEqual([
    "tests unit tests",
    "lint lint",
    "types Types",
    "types mypy",
    "build bundle",
    "migrations migrations",
    "tests smoke",
  ]);
});

test("a manifest that is wrong about the project does not hide its checks; a user's word counts", async () => {
  const found = await whichChecks({ ...asked, technology: "python" });
  expect(found).toMatchObject({
    isOther: true,
    checks: [{ name: "build" }, { name: "vet" }, { name: "gofmt" }],
  });
  expect(await whichChecks({ ...asked, technology: "python", isTyped: true })).toMatchObject({
    ...{ isOther: false, checks: [] },
  });
  expect(await whichChecks({ ...asked, technology: "go" })).toMatchObject({ isOther: false });
});
