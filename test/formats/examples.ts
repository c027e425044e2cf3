import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { detectFormat } from "../../src/formats/registry.ts";

const folder = new URL("../../examples/", import.meta.url);

/** Every plan in examples. Those that are not native are of systems that plait reads plans of. */
export const examples = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => /(^|[/\\])plan\.\w+$/.test(name))
  .map((name) => {
    const path = fileURLToPath(new URL(name, folder));
    const text = readFileSync(path, "utf8");
    const { format } = detectFormat({ kind: "file", path, text });
    return { name, path, text, isNative: format?.name === "native" };
  });
