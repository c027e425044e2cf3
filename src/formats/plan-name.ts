import { basename, dirname } from "node:path";

/** What a plan is called that does not say it: as its file, or as the folder where the file is only called plan. */
export function nameFrom(path: string): string {
  const file = basename(path).replace(/\.[^.]*$/, "");
  const folder = basename(dirname(path));
  return /^plan$/i.test(file) && /\w/.test(folder) ? folder : file;
}
