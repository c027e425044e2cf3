import type { GateScripts } from "./gate-scripts.ts";
import { matcher } from "./match.ts";
import type { Claim, PathPattern } from "./pattern.ts";

/**
 * What decides how work is judged, or runs by itself on somebody's machine. An agent that changes it changes the rules that
 * it works under, so the plan must consent: by a claim that names it, or by `consent`.
 */
export const GUARDS = ["ci", "hooks", "lockfiles", "agent-settings", "gate-scripts"] as const;

export type Guard = (typeof GUARDS)[number];

/** `secrets:test/fixtures/**`: files where lines that only look like a secret may be added. A known secret never may. */
export type Consent = Guard | `secrets:${string}`;

const SECRETS = "secrets:";

/** Whether the plan allows lines that look like secrets in a file. */
export function allowsSecrets(consent: readonly Consent[], path: string): boolean {
  return consent.some(
    (one) => one.startsWith(SECRETS) && matcher(one.slice(SECRETS.length) as PathPattern)(path) === true,
  );
}

export const GUARD_WORDS: { readonly [G in Guard]: string } = {
  ci: "a CI file",
  hooks: "a git hook",
  lockfiles: "a lockfile",
  "agent-settings": "a setting of agents",
  "gate-scripts": "a script that a gate runs",
};

/** A guarded path, with the name in it that makes it one: `.github` of `.github/workflows/test.yml`. */
export type Guarded = { readonly guard: Guard; readonly name: string };

/** What the path says by itself; that a gate runs it, only the plan can tell. */
export function guardedPath(path: string): Guarded | null {
  const names = path.split("/");
  const [first = ""] = names;
  const last = names.at(-1) ?? "";
  if (NOTES.test(last)) return null;
  if (CI_FOLDERS.some((folder) => path.startsWith(`${folder}/`))) return { guard: "ci", name: first };
  const folder = names.slice(0, -1).find((name) => FOLDERS.has(name));
  if (folder !== undefined) return { guard: FOLDERS.get(folder) as Guard, name: folder };
  const file = FILES.find(({ where, named }) => named.test(where === "root" ? path : last));
  return file === undefined ? null : { guard: file.guard, name: last };
}

/** The same with what the gates of the plan run. Who makes a script that was not there takes nothing away from a gate. */
export function guardedChange(
  { path, change }: { readonly path: string; readonly change: "added" | "modified" | "deleted" },
  { files }: Pick<GateScripts, "files">,
): Guarded | null {
  const isScript = change !== "added" && files.has(path);
  return isScript ? { guard: "gate-scripts", name: path.split("/").at(-1) as string } : guardedPath(path);
}

/**
 * Whether a claim names the path on purpose: it covers it, and would not cover it under an everyday name. So `.github/**`,
 * `.github/workflows/test.yml` and `package-lock.json` name what is guarded; `**`, `apps/web/` and `*.yml` do not. Of a
 * pattern that is not taken apart nobody can tell, which is said elsewhere: it is not held against anybody here.
 */
export function isNamed(path: string, { name }: Guarded, claims: readonly Claim[]): boolean {
  const names = path.split("/");
  names[names.lastIndexOf(name)] = everyday(name);
  const other = names.join("/");
  return claims.some(({ pattern }) => {
    const covers = matcher(pattern);
    const verdict = covers(path);
    return verdict === "unknown" || (verdict && covers(other) !== true);
  });
}

/** With the same ending, which says nothing by itself; that of a lockfile does. */
function everyday(name: string): string {
  const ending = /\.[^.]+$/.exec(name.replace(/^\./, ""))?.[0] ?? "";
  return `everyday${/^\.lock/.test(ending) ? "" : ending}`;
}

/** Told to agents, not set for them. */
const NOTES = /^(?:CLAUDE|GEMINI|AGENTS)(?:\.local)?\.md$/;

/** At the root: elsewhere nobody runs them. */
const CI_FOLDERS = [
  ...[".github/workflows", ".github/actions", ".gitlab/ci", ".forgejo/workflows", ".gitea/workflows"],
  ...[".circleci", ".buildkite", ".azure-pipelines", ".woodpecker", ".teamcity", ".semaphore", ".builds"],
  ...[".tekton", ".ci"],
];

/** Wherever they lie. */
const FOLDERS: ReadonlyMap<string, Guard> = new Map([
  ...[".husky", ".githooks", ".git-hooks", ".lefthook"].map((name) => [name, "hooks"] as const),
  ...[".claude", ".codex", ".gemini", ".cursor", ".opencode", ".windsurf", ".continue", ".roo"].map(
    (name) => [name, "agent-settings"] as const,
  ),
]);

type FileRule = { readonly guard: Guard; readonly where: "root" | "anywhere"; readonly named: RegExp };

const FILES: readonly FileRule[] = [
  {
    guard: "ci",
    where: "root",
    named:
      /^(?:\.(?:gitlab-ci|travis|drone|woodpecker|cirrus|build|zuul)\.ya?ml|\.?appveyor\.yml|(?:azure-pipelines|bitbucket-pipelines|cloudbuild|buildspec|codemagic|zuul)\.ya?ml|Jenkinsfile(?:\.[\w-]+)?)$/,
  },
  {
    guard: "hooks",
    where: "anywhere",
    named:
      /^(?:\.pre-commit-(?:config|hooks)\.yaml|\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)|\.overcommit\.yml|\.?simple-git-hooks\.(?:json|c?js)|\.huskyrc(?:\..+)?|\.lintstagedrc(?:\..+)?|lint-staged\.config\.[cm]?[jt]s)$/,
  },
  {
    guard: "lockfiles",
    where: "anywhere",
    named:
      /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|bun\.lockb?|(?:yarn|deno|uv|poetry|pdm|pixi|flake|mix|pubspec|composer|paket|rebar|buf|devbox|[Cc]argo|Gemfile|Pipfile|Podfile|Chart)\.lock|pylock(?:\.[\w-]+)?\.toml|conda-lock\.ya?ml|go(?:\.work)?\.sum|packages\.lock\.json|gradle\.lockfile|stack\.yaml\.lock|MODULE\.bazel\.lock|Package\.resolved|\.terraform\.lock\.hcl)$/,
  },
  {
    guard: "agent-settings",
    where: "anywhere",
    named: /^(?:\.mcp\.json|\.aider\.conf\.ya?ml|opencode\.jsonc?|plait\.config\.ya?ml)$/,
  },
  { guard: "agent-settings", where: "root", named: /^\.vscode\/mcp\.json$/ },
];
