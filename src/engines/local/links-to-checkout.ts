// Whether what was prepared in a worktree leads back to the user's checkout: by a link, by the first line of a script, by the
// files that tell Python where a package lies. Then an agent's tests and our gates would see the code of the checkout and not
// that of the worktree, and a verdict would be about nothing. Links from one place of the worktree to another are as they
// should be: npm makes them for workspaces.

import type { Dirent } from "node:fs";
import { open, readdir, readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { throughFolders } from "./copy-tree.ts";

export type LinkToCheckout = {
  /** Below the root of the worktree. */
  readonly path: string;
  readonly to: string;
  readonly kind: "link" | "script" | "python";
};

export type Prepared = {
  readonly folder: string;
  readonly checkout: string;
  /** Files, and folders with a slash at the end, below the root of the worktree. */
  readonly paths: readonly string[];
};

/** All that there are, in order. */
export async function findLinksToCheckout({ folder, checkout, paths }: Prepared): Promise<LinkToCheckout[]> {
  const leads: LinkToCheckout[] = [];
  const place = { folder, checkout };
  const look = async (path: string, entry: Dirent | null, inVenv: boolean): Promise<void> => {
    const lead = await leadOf({ ...place, path: join(folder, path) }, entry, inVenv);
    if (lead !== null) leads.push({ path, ...lead });
  };
  const venvs = new Set<string>();
  const isFolder = (path: string) => path.endsWith("/");
  for (const path of paths.filter((one) => !isFolder(one))) await look(path, null, false);
  await throughFolders(
    paths.filter(isFolder).map((path) => path.slice(0, -1)),
    async (path) => {
      // Gone meanwhile, or not for us to read: then it leads nobody anywhere.
      const entries = await readdir(join(folder, path), { withFileTypes: true }).catch(() => []);
      if (entries.some(({ name }) => name === "pyvenv.cfg")) venvs.add(path);
      for (const entry of entries) {
        if (!entry.isDirectory()) await look(join(path, entry.name), entry, venvs.has(dirname(path)));
      }
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name));
    },
  );
  return leads.sort((a, b) => (a.path < b.path ? -1 : 1));
}

type Place = { readonly folder: string; readonly checkout: string; readonly path: string };
type Found = Omit<LinkToCheckout, "path">;

/** Without an entry the path is one that git listed by itself: a file, or a link. */
async function leadOf(place: Place, entry: Dirent | null, inVenv: boolean): Promise<Found | null> {
  const mayLink = entry === null || entry.isSymbolicLink();
  const target = mayLink ? await readlink(place.path).catch(() => null) : null; // not a link
  if (target !== null) return linkLead(place, target);
  const name = basename(place.path);
  if (/^activate/.test(name) && inVenv) return textLead(place, "python", WHOLE);
  if (PYTHON_FILE.test(name)) return pythonLead(place, name);
  const isScript = /^(?:\.?bin|Scripts)$/.test(basename(dirname(place.path)));
  return isScript ? textLead(place, "script", FIRST_LINES, interpreter) : null;
}

async function linkLead({ folder, checkout, path }: Place, target: string): Promise<Found | null> {
  const named = resolve(dirname(path), target);
  if (isInside(named, folder)) return null;
  const real = await realpath(path).catch(() => null);
  // Counted from the checkout it led somewhere; from here it leads nowhere.
  if (real === null && !isAbsolute(target)) return { to: named, kind: "link" };
  const to = real ?? named;
  return isInside(to, checkout) && !isInside(to, folder) ? { to, kind: "link" } : null;
}

/** The files by which an editable install says where its code is, and the one that says whose an environment is. */
const PYTHON_FILE = /^(?:.*\.pth|__editable__.*|.*\.egg-link|direct_url\.json|pyvenv\.cfg)$/;

async function pythonLead(place: Place, name: string): Promise<Found | null> {
  if (name === "pyvenv.cfg")
    return textLead(place, "python", WHOLE, (text) => /^home\s*=.*$/m.exec(text)?.[0]);
  if (name === "direct_url.json") return textLead(place, "python", WHOLE, editablePlace);
  return textLead(place, "python", WHOLE);
}

/** Where a package comes from that was installed once and for all does not matter any more. */
function editablePlace(text: string): string | undefined {
  const [, url] = /"url"\s*:\s*"(file:\/\/[^"]+)"/.exec(text) ?? [];
  if (url === undefined || !/"editable"\s*:\s*true/.test(text)) return undefined;
  return URL.canParse(url) ? fileURLToPath(url) : undefined;
}

const FIRST_LINES = 1_024;
const WHOLE = 262_144;

/** A first line that would be too long for the system stands in the second one, for the shell. */
function interpreter(text: string): string | undefined {
  return /^#!(?:\/bin\/sh\n'''exec'.*|.*)/.exec(text)?.[0];
}

async function textLead(
  { folder, checkout, path }: Place,
  kind: Found["kind"],
  bytes: number,
  part: (text: string) => string | undefined = (text) => text,
): Promise<Found | null> {
  const text = part(await readStart(path, bytes)) ?? "";
  const to = pathsIn(text, checkout).find((one) => !isInside(one, folder));
  return to === undefined ? null : { to, kind };
}

function pathsIn(text: string, checkout: string): string[] {
  const paths: string[] = [];
  for (let at = text.indexOf(checkout); at >= 0; at = text.indexOf(checkout, at + 1)) {
    const [rest = ""] = /^(?:\/[^\s"'`:;,)]*)?/.exec(text.slice(at + checkout.length)) ?? [];
    const next = text.charAt(at + checkout.length + rest.length);
    // Another folder whose name only begins like it: /work/shop-old.
    if (next === "" || /[\s"'`:;,)]/.test(next)) paths.push(checkout + rest);
  }
  return paths;
}

async function readStart(path: string, bytes: number): Promise<string> {
  const file = await open(path).catch(() => null); // not for us to read: then no program of ours reads it either
  if (file === null) return "";
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || !(way === ".." || way.startsWith("../") || isAbsolute(way));
}

/** Where the first leads, and what to write instead. */
export function describeLinks(leads: readonly LinkToCheckout[], copied: (path: string) => boolean): string {
  const [first, ...others] = leads;
  if (first === undefined) return "";
  const verb = { link: "is a link to", script: "is a script for", python: "makes Python use" };
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  const what = `${first.path} ${verb[first.kind]} ${first.to}${more}, outside this worktree`;
  return `${what}: gates would check the files there; ${instead(first, copied(first.path))}`;
}

function instead({ path, kind }: LinkToCheckout, isCopied: boolean): string {
  const isNode = path.includes("node_modules");
  if (kind === "link" && !isNode)
    return isCopied
      ? "copy its target instead"
      : "setup created it: copy the files in setup, do not link to them";
  const command = isNode ? "npm ci" : "uv sync";
  // The folder that is copied as a rule: dependencies, an environment.
  const [, top = path] = /^(.*?(?:node_modules|\.?venv))\//.exec(path) ?? [];
  return isCopied
    ? `do not copy ${top}; create it in each worktree: setup: ${command}`
    : `setup created it: install into the current folder in setup, as with: ${command}`;
}
