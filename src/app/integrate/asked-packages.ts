import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readProject } from "../../spec/align/project.ts";
import type { AskedPackages } from "../../spec/integrate/checks/uninstalled.ts";
import { isThere } from "../is-there.ts";
import { readText } from "../read-text.ts";

/** The packages that the folder of a check asks for, without those that are in the copy. */
export async function askedPackages(tree: string, run: string): Promise<AskedPackages> {
  const [, folder = "."] = /^cd ([\w@%+=:,./-]+) && /.exec(run) ?? [];
  const place = join(tree, folder);
  const names = await readdir(place).catch(() => []); // it is not there, and the check says so
  const texts = new Map<string, string>();
  for (const name of ["pyproject.toml", "requirements.txt", "package.json"]) {
    const read = await readText(join(place, name), MOST_BYTES);
    if (read.ok) texts.set(name, read.text);
  }
  const { python, node } = readProject(names, texts);
  const missing: string[] = [];
  for (const name of [...node.installed.direct.keys()].filter((one) => NAME.test(one))) {
    const folders = [place, tree].map((one) => join(one, "node_modules", name));
    if (!(await Promise.all(folders.map(isThere))).includes(true)) missing.push(name);
  }
  return { node: new Set(missing), python: new Set(python.installed.direct.keys()) };
}

const NAME = /^(?:@[\w.-]{1,100}\/)?[\w.-]{1,200}$/;
const MOST_BYTES = 1024 * 1024;
