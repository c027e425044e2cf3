import { addVersion } from "./add-version.ts";
import { type NodeLock, objectOf, parsed } from "./node-lock.ts";

/** package-lock.json: by the places of packages from npm 7 on, before that by their names. */
export function npmLock(text: string): NodeLock {
  const json = objectOf(parsed(text));
  const direct = new Map<string, string>();
  const locked = new Map<string, string[]>();
  const add = (name: string, version: unknown, isTop: boolean): void => {
    if (typeof version !== "string") return;
    addVersion(locked, name, version);
    if (isTop) direct.set(name, version);
  };
  for (const [place, about] of Object.entries(objectOf(json["packages"]))) {
    const at = place.lastIndexOf("node_modules/");
    if (at !== -1) add(place.slice(at + "node_modules/".length), objectOf(about)["version"], at === 0);
  }
  if (locked.size > 0) return { direct, locked };
  for (const [name, about] of Object.entries(objectOf(json["dependencies"])))
    add(name, objectOf(about)["version"], true);
  return { direct, locked };
}
