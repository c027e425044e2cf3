import { packageManagerOf } from "../../formats/cpo/package-manager.ts";
import type { Ecosystem } from "../../formats/packages/spec.ts";
import { nodeInstalled } from "./node-project.ts";
import { pythonInstalled } from "./python-project.ts";

/** What a project has of one ecosystem, by the files in its root. */
export type Installed = {
  /** The packages that it names itself, by key. */
  readonly direct: ReadonlyMap<string, Direct>;
  /** All versions that its lock file has, by key. */
  readonly locked: ReadonlyMap<string, readonly string[]>;
  /** The file that the versions are from; null where nothing is locked. */
  readonly lockFile: string | null;
  /** The oldest Python that it is for: `3.11`. */
  readonly python: string | null;
};

export type Direct = {
  /** In the words of the ecosystem; null where the file has others. */
  readonly range: string | null;
  readonly extras: readonly string[];
  readonly isDev: boolean;
  readonly version: string | null;
};

/** Who is asked for versions. Yarn from version 2 on is `berry`. */
export type ToolKind = "uv" | "npm" | "pnpm" | "yarn" | "berry" | "bun";

export function programOf(tool: ToolKind): string {
  return tool === "berry" ? "yarn" : tool;
}

export type Project = {
  readonly [E in Ecosystem]: { readonly tool: ToolKind; readonly installed: Installed };
};

/** Names in the root of a repository that tell what is installed there. */
export const projectFiles: readonly string[] = [
  ...["pyproject.toml", "requirements.txt", "uv.lock", "poetry.lock", "requirements.lock"],
  ...["package.json", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock"],
];

/** `names` are all in the root, `texts` those of `projectFiles` that are there. */
export function readProject(names: readonly string[], texts: ReadonlyMap<string, string>): Project {
  const packageJson = texts.get("package.json") ?? null;
  const { manager } = packageManagerOf({ names, packageJson });
  return {
    python: { tool: "uv", installed: pythonInstalled(texts) },
    node: { tool: manager.kind, installed: nodeInstalled(texts, manager.kind) },
  };
}
