import { posix } from "node:path";
import type { Packages } from "./modules.ts";
import { isImplementation, type SourceProject } from "./project.ts";

/** More than any repository of people has; each is read. */
const MOST = 500;

/** The packages that a repository of several has, by what their package.json says. */
export async function packagesOf({ paths, read }: SourceProject): Promise<Packages> {
  const manifests = paths.filter((path) => posix.basename(path) === "package.json" && isImplementation(path));
  const packages = new Map<string, { folder: string; entries: string[] }>();
  // One alone has nobody who could import it by its name.
  for (const path of manifests.length > 1 ? manifests.slice(0, MOST) : []) {
    const { name, types, source, main } = manifestOf(await read(path));
    const entries = [source, types, main].flatMap((one) => (typeof one === "string" ? [one] : []));
    if (typeof name === "string") packages.set(name, { folder: posix.dirname(path), entries });
  }
  return packages;
}

function manifestOf(text: string | null): { readonly [key: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {}; // whoever builds the package is told; here it only has no name
  }
}
