import { copiedSecrets, earlierCopies } from "../engines/local/copies.ts";
import { runMasker } from "../engines/local/open-run-context.ts";
import type { RunFolder } from "../engines/local/run-folder.ts";
import { openValues } from "../engines/local/sealed-values.ts";
import type { Repository } from "../git/index.ts";
import { secretsOf } from "../process/mask/secrets.ts";
import { type Host, valuesKey } from "./host.ts";

export type Mask = (text: string) => string;

/** A run by where it lies and where it copied from. */
export type RunPlace = { readonly repository: Pick<Repository, "workTree">; readonly folder: RunFolder };

/**
 * Takes out of texts what the environment, the plan, copied .env files and the settings of agents may not show (I13). What lies in
 * the folder of a run is masked already; diffs, paths and names are not.
 */
export async function runMask(host: Host, { repository, folder }: RunPlace): Promise<Mask> {
  const { env, agents = [] } = host;
  const all = await earlierCopies(folder);
  const copied = await copiedSecrets(repository.workTree ?? "", { all });
  const own = agents.flatMap((agent) => secretsOf(agent.env));
  return runMasker(await openValues({ folder, keyFile: valuesKey(host) }), env, [...copied, ...own]).text;
}

/**
 * A document with its texts masked. Facts and what agents print are masked already; paths of files, titles and names in the plan
 * are not (I13).
 */
export function maskTexts<T>(document: T, mask: (text: string) => string): T {
  const texts = new Set<string>();
  JSON.stringify(document, (_, value) => {
    if (typeof value === "string") texts.add(value);
    return value;
  });
  const all = [...texts].filter((text) => text !== "");
  // In one piece, because thousands of small ones take long; no secret goes on behind the characters between them.
  const parts = mask(all.join(BETWEEN)).split(BETWEEN);
  const clean = new Map(all.map((text, n) => [text, parts.length === all.length ? parts[n] : mask(text)]));
  return JSON.parse(
    JSON.stringify(document, (_, value) => (typeof value === "string" ? (clean.get(value) ?? value) : value)),
  ) as T;
}

/** A character that is seen and that nobody uses, at the end of a line. */
const BETWEEN = "\ue000\n\ue000";

/**
 * Takes secrets out of a diff (I13). A private key goes over many lines, each with its sign in front: `-` is no letter of a key, so all
 * are given a sign that is one, and get their own back behind it.
 */
export function maskDiff(text: string, mask: Mask): string {
  const lines = text.split("\n");
  const likeKey = lines.map((line) => (line.startsWith("-") ? `+${line.slice(1)}` : line));
  const masked = mask(likeKey.join("\n")).split("\n");
  if (masked.length !== lines.length) return mask(text);
  return masked.map((line, n) => withSign(line, lines[n] ?? "", likeKey[n] ?? "")).join("\n");
}

/** Also where the sign went with what is masked: a line without one is no line of a diff. */
function withSign(masked: string, line: string, likeKey: string): string {
  const sign = line.slice(0, 1);
  if (!SIGNS.has(sign)) return masked;
  return sign + (masked.startsWith(likeKey.slice(0, 1)) ? masked.slice(1) : masked);
}

const SIGNS: ReadonlySet<string> = new Set(["+", "-", " "]);
