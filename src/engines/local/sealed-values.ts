// Values of variables that a plan sets may be secrets, as may the address of a webhook, and facts go far: to terminals, pages,
// reports, other hosts. So a plan is sealed before it enters the journal: each value becomes a keyed hash of itself. Two equal
// values have the same seal within a run, so that a verdict holds for the same variables; the key is the run's own, so that
// nobody can guess a value by hashing candidates. What the seals stand for is encrypted in one file of the run folder, which a
// resume needs where the plan is gone. Its key is the user's and lies elsewhere: a copy of the repository tells nothing (0007).

import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { RunId } from "../../core/ids.ts";
import type { Env, Gate, Plan } from "../../core/plan.ts";
import { plait } from "../../core/text/command.ts";
import { refuseCommand } from "../../core/text/refusal.ts";
import { fix } from "../../core/text/sentence.ts";
import { onErrno } from "../../util/errno.ts";
import { type RunFolder, writeWhole } from "./run-folder.ts";

export type SealedValues = ReturnType<typeof sealedValues>;

/** Where the values of a run lie, and the key to the values of all runs of the user. */
export type ValuesPlace = {
  readonly folder: Pick<RunFolder, "values" | "plainValues">;
  readonly keyFile: string;
};

type Variable = readonly [name: string, value: string];

type Content = { readonly key: string; readonly values: { readonly [seal: string]: Variable } };

export async function openValues(place: ValuesPlace): Promise<SealedValues> {
  const { folder } = place;
  const sealed = await readFile(folder.values, "utf8").catch(onErrno({ ENOENT: null }));
  const known = sealed === null ? null : await decrypt(sealed, place.keyFile);
  const plain = await readFile(folder.plainValues, "utf8").catch(() => null);
  const old: Content | null = plain === null ? null : JSON.parse(plain);
  const { key, values } = known ?? old ?? { key: randomBytes(32).toString("hex"), values: {} };
  const opened = sealedValues(key, new Map(Object.entries(values)));
  if (plain !== null) {
    // Of a version that wrote them as they are.
    if (sealed === null) await opened.write(place);
    await rm(folder.plainValues, { force: true });
  }
  return opened;
}

/** Written before the first fact, so that a sealed plan in the journal can always be opened. */
export async function sealPlan(place: ValuesPlace, plan: Plan): Promise<Plan> {
  const values = await openValues(place);
  const sealed = values.seal(plan);
  await values.write(place);
  return sealed;
}

function sealedValues(key: string, known: Map<string, Variable>) {
  const sealOf = (name: string, value: string): string => {
    if (known.has(value)) return value; // sealed already
    const hash = createHmac("sha256", key).update(`${name}=${value}`).digest("hex");
    const seal = `sealed:${hash.slice(0, 32)}`;
    known.set(seal, [name, value]);
    return seal;
  };
  return {
    seal: (plan: Plan): Plan => mapValues(plan, sealOf),
    /** Whether a plan has seals whose values are not known: the key is gone, or another one. */
    isLost: (plan: Plan): boolean => {
      let isLost = false;
      mapValues(plan, (_, value) => {
        isLost ||= SEAL.test(value) && !known.has(value);
        return value;
      });
      return isLost;
    },
    /** A sealed environment as a program is to see it. */
    open: (env: Env): Env => mapEnv(env, (_, value) => known.get(value)?.[1] ?? value),
    /** With all that was sealed since it was read. */
    write: async ({ folder, keyFile }: ValuesPlace): Promise<void> => {
      if (known.size === 0) return;
      const content: Content = { key, values: Object.fromEntries(known) };
      await writeWhole(folder.values, encrypt(content, await needKey(keyFile)));
    },
    /** Every variable that the plan sets, for the masker. */
    all: (): readonly Variable[] => [...known.values()],
  };
}

/** A program must not get a seal for a value. Only the plan knows what the seals of a lost key stand for. */
export function refuseLostValues(values: SealedValues, plan: Plan, run: RunId) {
  if (!values.isLost(plan)) return null;
  const message =
    "the values of the plan's variables cannot be decrypted: their key is missing or has changed";
  const hint = fix("resume with the plan", plait("resume", run, { plan: plan.source.path }));
  return { ok: false as const, refusal: refuseCommand(message, hint) };
}

const SEAL = /^sealed:[\da-f]{32}$/;

type Change = (name: string, value: string) => string;

const mapEnv = (env: Env, change: Change): Env =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, change(name, value)]));

function mapValues(plan: Plan, change: Change): Plan {
  const gates = (all: readonly Gate[]): Gate[] =>
    all.map((gate) => ({ ...gate, env: mapEnv(gate.env, change) }));
  const address = (url: string | null) => (url === null ? null : change("WEBHOOK_SECRET", url));
  const { complete, failure } = plan.webhooks;
  return {
    ...plan,
    webhooks: { complete: address(complete), failure: address(failure) },
    notify: { ...plan.notify, webhook: address(plan.notify.webhook) },
    gates: gates(plan.gates),
    tasks: plan.tasks.map((task) => ({
      ...task,
      env: mapEnv(task.env, change),
      gates: gates(task.gates),
    })),
  };
}

const CIPHER = "aes-256-gcm";
const [KEY_BYTES, IV_BYTES, TAG_BYTES] = [32, 12, 16] as const;

function encrypt(content: Content, key: Buffer): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv);
  const data = Buffer.concat([cipher.update(JSON.stringify(content), "utf8"), cipher.final()]);
  return `${Buffer.concat([iv, cipher.getAuthTag(), data]).toString("base64")}\n`;
}

/** Null: the key is gone, or is that of somebody else. */
async function decrypt(text: string, keyFile: string): Promise<Content | null> {
  const key = await readKey(keyFile);
  if (key === null) return null;
  const bytes = Buffer.from(text, "base64");
  const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
  try {
    const decipher = createDecipheriv(CIPHER, key, iv).setAuthTag(tag);
    const data = bytes.subarray(IV_BYTES + TAG_BYTES);
    return JSON.parse(Buffer.concat([decipher.update(data), decipher.final()]).toString("utf8"));
  } catch {
    return null;
  }
}

async function readKey(file: string): Promise<Buffer | null> {
  const text = await readFile(file, "utf8").catch(() => null);
  const key = Buffer.from(text ?? "", "hex");
  return key.length === KEY_BYTES ? key : null;
}

/** Made once for the user; two runs that start at once agree on one. */
async function needKey(file: string): Promise<Buffer> {
  const known = await readKey(file);
  if (known !== null) return known;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const fresh = randomBytes(KEY_BYTES);
  const options = { flag: "wx", mode: 0o600, flush: true };
  await writeFile(file, fresh.toString("hex"), options).catch(onErrno({ EEXIST: undefined }));
  const key = await readKey(file);
  if (key === null) throw new Error(`${file} is not a key: remove it`);
  return key;
}
