import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { routeCases } from "../../../../test/support/script-routes.ts";
import { compareContracts } from "../compare.ts";

const folder = new URL("../../../../test/fixtures/api-surfaces/", import.meta.url);

/** What is found in a project by its contract `api.yaml`: `weight code about place: message`. */
async function findings({ "api.yaml": text = "", ...files }: Readonly<Record<string, string>>) {
  const { endpoints, findings: others } = await compareContracts({
    project: { paths: Object.keys(files).sort(), read: async (path) => files[path] ?? null },
    contracts: [{ path: "contracts/api-schema.yaml", file: "api.yaml", text }],
    touched: new Set(Object.keys(files)),
    before: async () => null,
  });
  const all = [...others, ...(endpoints ?? []).flatMap((one) => one.findings)];
  return all.map(
    ({ weight, code, about, at, message }) =>
      `${weight} ${code} ${about} ${at === null ? "-" : `${at.file}:${at.line}`}: ${message}`,
  );
}

describe.each(readdirSync(folder).toSorted())("contract and code of %s", (name) => {
  const cases = routeCases(readFileSync(new URL(name, folder), "utf8"));
  test.each(cases)("$title", async ({ files, said }) => {
    expect(await findings(files)).toEqual(said);
  });
});
