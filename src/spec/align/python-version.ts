import { pythonInstalled } from "./python-project.ts";

/** Names in the root of a repository that tell which Python it is for. */
export const pythonVersionFiles = [".python-version", "pyproject.toml"] as const;

/** `3.12`: the Python that is chosen for the project, else the oldest that it is for. */
export function findPythonVersion(texts: ReadonlyMap<string, string>): string | null {
  const chosen = /^(?:c?python-)?(\d+\.\d+)(?:[.\s]|$)/m.exec(texts.get(".python-version") ?? "")?.[1];
  return chosen ?? pythonInstalled(texts).python;
}
