import type { KeyAdvice } from "../formats/catalog-values.ts";
import { planFile } from "../formats/native/schema.ts";
import { task } from "../formats/native/task-schema.ts";
import { configFile } from "./schema.ts";

const RUN: KeyAdvice = { use: "run" };
const PREPARE: KeyAdvice = { move: "move it to `prepare`" };
const flagOnly = (flag: string): KeyAdvice => ({ move: `delete it, and pass the flag: --${flag}` });

/** Words from flags, plans and other tools, and the key of a configuration; by place. */
const otherWords: Readonly<Record<string, Readonly<Record<string, KeyAdvice>>>> = {
  configuration: {
    agent: { move: "set the default agent under `defaults`, custom agents under `agents`" },
    model: { use: "defaults: { agent: { use: …, model: … } }" },
    slots: { use: "concurrency" },
    "budget-usd": { use: "budget" },
    copy: PREPARE,
    setup: PREPARE,
    teardown: PREPARE,
    "env-files": PREPARE,
    checks: { move: "move it to `integrate`" },
    openapi: { move: "move it to `integrate`" },
    "save-max-bytes": { use: "save: { max-bytes: … }" },
    "max-bytes": { use: "save: { max-bytes: … }" },
    plait: { move: "delete `plait`: a configuration has no version" },
    "allow-root": flagOnly("allow-root"),
    "allow-nested": flagOnly("allow-nested"),
  },
  defaults: {
    model: { use: "agent: { use: …, model: … }" },
    slots: { move: "set `concurrency` at the top level of the configuration" },
    "allow-root": flagOnly("allow-root"),
  },
  "a check": { command: RUN, cmd: RUN, exec: RUN, script: RUN, id: { use: "name" }, type: { use: "kind" } },
  "an agent": {
    argv: RUN,
    args: RUN,
    cmd: RUN,
    command: RUN,
    exec: RUN,
    program: RUN,
    "version-args": { use: "version" },
  },
};

/** Advice on an unknown key that spelling does not explain. */
export function adviceOn(key: string, place: string): KeyAdvice | null {
  const words = otherWords[place];
  if (words !== undefined && Object.hasOwn(words, key)) return words[key] as KeyAdvice;
  const inDefaults = configFile.shape.defaults.unwrap().shape;
  if (place !== "defaults" && Object.hasOwn(inDefaults, key))
    return { move: `move \`${key}\` to \`defaults\`` };
  if (place !== "configuration" && Object.hasOwn(configFile.shape, key))
    return { move: `move \`${key}\` to the top of the configuration` };
  if (Object.hasOwn(task.shape, key) || Object.hasOwn(planFile.shape, key))
    return { move: `set \`${key}\` in a plan instead` };
  return null;
}
