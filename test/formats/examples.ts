import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = new URL("../../examples/", import.meta.url);

/** Every plan in examples. */
export const examples = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => /(^|[/\\])plan\.\w+$/.test(name))
  .map((name) => ({
    name,
    path: fileURLToPath(new URL(name, folder)),
    text: readFileSync(new URL(name, folder), "utf8"),
    // Others are of systems that plait reads plans of.
    isNative: !name.startsWith("test-first"),
  }));
