import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { prepareRunFolder, runFolder } from "../../src/engines/local/run-folder.ts";

test("two attempts that say the same at the same time both keep it", async () => {
  const path = mkdtempSync(join(tmpdir(), "plait-folder-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  const folder = runFolder(path);
  await prepareRunFolder(folder);
  const hashes = await Promise.all(Array.from({ length: 50 }, () => folder.putText("Done.")));
  expect(new Set(hashes).size).toBe(1);
  expect(await folder.text(hashes[0] as (typeof hashes)[0])).toBe("Done.");
  expect(readdirSync(join(path, "texts"))).toHaveLength(1);
});
