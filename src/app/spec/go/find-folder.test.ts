import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../test/git/support.ts";
import { plait } from "../../../core/text/command.ts";
import { fix } from "../../../core/text/sentence.ts";
import { findFolder, listKeptDesigns } from "./find-folder.ts";

const caps = { maxPlanBytes: 1e6, maxDepth: 32, maxTasks: 10, maxPromptBytes: 1e6 };

function folder(root: string, name: string, techSpecId: string): void {
  mkdirSync(join(root, "parallel", name), { recursive: true });
  const manifest = JSON.stringify({ tech_spec_id: techSpecId, name: "x", waves: [] });
  writeFileSync(join(root, "parallel", name, "manifest.json"), manifest);
}

test("the folder of a tech spec is the one whose manifest says so; two of them must be told apart", async () => {
  const root = tempFolder();
  const find = (name: string | null = null) => findFolder({ root, techSpecId: "TS-0001", name, caps });
  expect(await find()).toEqual({ ok: true, folder: null });
  folder(root, "TS-0001-shop", "TS-0001");
  folder(root, "TS-00010-other", "TS-00010");
  mkdirSync(join(root, "parallel/TS-0001-empty"));
  expect(await find()).toEqual({ ok: true, folder: join(root, "parallel/TS-0001-shop") });
  folder(root, "TS-0001-till", "TS-0001");
  expect(await find()).toMatchObject({
    ok: false,
    refusal: {
      message: "TS-0001 has 2 folders: TS-0001-shop, TS-0001-till",
      hint: fix("choose one", plait("spec go", "TS-0001", { name: "shop" })),
    },
  });
  expect(await find("till")).toEqual({ ok: true, folder: join(root, "parallel/TS-0001-till") });
});

test("kept designs come with the latest first, and others that begin alike are not among them", async () => {
  const root = tempFolder();
  for (const end of ["", "-2", "-10", "-b"]) writeFileSync(join(root, `shop${end}.design.json`), "{}");
  writeFileSync(join(root, "shop-2.errors.txt"), "");
  expect(await listKeptDesigns(join(root, "shop"))).toEqual(
    ["-10", "-2", ""].map((end) => join(root, `shop${end}.design.json`)),
  );
});
