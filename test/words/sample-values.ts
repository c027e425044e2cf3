// Values as runs of people have them, in place of those of the simulator: a reading test reads them with the sentence.
import { createHash } from "node:crypto";
import type { Fact } from "../../src/core/facts.ts";

/** In the order of the simulator's numbers. */
const TASKS = [
  ...["cart", "tax", "search", "orders", "mail", "login", "invoice", "promo", "stock", "profile"],
  ...["export", "import", "themes", "audit", "alerts", "billing", "catalog", "coupons", "returns", "ratings"],
];

const DETAILS: { readonly [reason: string]: string } = {
  "rate-limit": "429 Too many requests",
  "usage-limit": "You have reached your usage limit",
  overloaded: "529 Overloaded",
  network: "connect ETIMEDOUT",
  auth: "Please run /login",
  billing: "Your credit balance is too low",
  "agent-error": "API Error 500 Internal server error",
  crash: "claude exited with code 139",
  "max-turns": "40 turns",
  environment: "node_modules/.bin/tsc: not found",
  budget: "$2.00 spent",
  context: "prompt is too long: 204800 tokens",
  denied: "Bash(git push)",
  "agent-said-no": "the orders API has no endpoint for refunds",
  rejected: "invalid model name",
};

const GIT = "fatal: Unable to create '.git/index.lock': File exists";

/** What stands in the journals of the simulator, and what is drawn instead. */
const VALUES: readonly (readonly [RegExp, string | ((...found: string[]) => string)])[] = [
  [
    /"reason":"([a-z-]+)"([^{}]*)"detail":"as scripted"/g,
    (_, reason = "", between = "") =>
      `"reason":"${reason}"${between}"detail":"${DETAILS[reason] ?? "exit code 1"}"`,
  ],
  [/\b(?:flaky )?gate 0\b/g, "npm test"],
  [/\b(?:flaky )?gate 1\b/g, "npm run lint"],
  [/\b(?:flaky )?gate 2\b/g, "npm run build"],
  [/\b(?:flaky )?extra 0\b/g, "npm run e2e"],
  [/\b(?:flaky )?extra 1\b/g, "npm run typecheck"],
  [/\bit is red\b/g, "2 of 41 tests failed"],
  [/\bit is green\b/g, "41 tests passed"],
  [/"git fails"(?=,"cause":"no-space")/g, '"fatal: write error: No space left on device"'],
  [/"git fails"/g, `"${GIT}"`],
  [/"no space left"/g, '"No space left on device"'],
  [/"the server says no"/g, '"main is a protected branch: pushing is not allowed"'],
  [/"the target went on"/g, '"Later changes on main conflict with the undo"'],
  [/"look at it"/g, '"check the tax rates first"'],
  [/"detail":"no-target"/g, '"detail":"HEAD was detached when the run started"'],
  [/"detail":"dirty"/g, '"detail":"Uncommitted changes would be overwritten"'],
  [/"detail":"conflict"/g, '"detail":"New commits on main conflict with the run"'],
  [/\boutside\.ts\b/g, "src/config.ts"],
  [/\bmeet\/t\d+-t\d+/g, "src/routes.ts"],
  [/\bshared\//g, "src/shared/"],
  [/\bgroup(\d)\b/g, (_, n) => ["database", "browser"][Number(n)] ?? "network"],
  [/"run":"run"/g, '"run":"shop-k7f2"'],
  [/plait\/run\//g, "plait/shop-k7f2/"],
  [/\bt(\d+)\b/g, (_, n) => nameTask(Number(n))],
  [/\bn\d{2,}\b/g, (found) => `fix-${found}`],
  [/\b0{20,}[0-9a-f]*\b/g, (found) => createHash("sha1").update(found).digest("hex")],
];

const nameTask = (n: number): string => {
  const name = TASKS[n % TASKS.length] ?? "";
  return n < TASKS.length ? name : `${name}-${Math.floor(n / TASKS.length) + 1}`;
};

/** The same fact, of a run that people know. */
export function giveSampleValues(fact: Fact): Fact {
  const text = VALUES.reduce(
    (so, [found, value]) => so.replaceAll(found, value as string),
    JSON.stringify(fact),
  );
  return JSON.parse(text) as Fact;
}

/** A sentence without what differs from run to run. */
export const formatShape = (text: string): string =>
  text
    .replace(NAMES, "x")
    .replace(/\b\S*\d\S*/g, "0")
    .replace(/`[^`]*`|"npm [^"]*"|\bnpm (?:test|run \w+)/g, "x");

const NAMES = new RegExp(`\\b(?:${TASKS.join("|")})(?:-\\d+)?\\b`, "g");
