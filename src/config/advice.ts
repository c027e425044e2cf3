import { planFile } from "../formats/native/schema.ts";
import { task } from "../formats/native/task-schema.ts";
import { configFile } from "./schema.ts";

const RUN = "write run instead";
const PREPARE = "it stands under prepare: { copy: …, setup: …, teardown: … }";
const FLAG_ONLY = "it is a flag only, because no file can answer for you: plait run --";

/** Words from flags, plans and other tools, and how a configuration says it; by place. */
const otherWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  configuration: {
    agent: "agents of your own are set under agents, the one that tasks use under defaults",
    model: "write defaults: { agent: { use: …, model: … } }",
    slots: "write concurrency instead",
    "budget-usd": "write budget instead",
    copy: PREPARE,
    setup: PREPARE,
    teardown: PREPARE,
    "env-files": PREPARE,
    checks: "write integrate: { checks: … }",
    openapi: "write integrate: { openapi: … }",
    "save-max-bytes": "write save: { max-bytes: … }",
    "max-bytes": "write save: { max-bytes: … }",
    plait: "a configuration has no version: delete it",
    "allow-root": `${FLAG_ONLY}allow-root`,
    "allow-nested": `${FLAG_ONLY}allow-nested`,
  },
  defaults: {
    model: "write agent: { use: …, model: … }",
    slots: "concurrency is set at the top of the configuration",
    "allow-root": `${FLAG_ONLY}allow-root`,
  },
  "a check": {
    command: RUN,
    cmd: RUN,
    exec: RUN,
    script: RUN,
    id: "write name instead",
    type: "write kind instead",
  },
  "an agent": {
    argv: RUN,
    args: RUN,
    cmd: RUN,
    command: RUN,
    exec: RUN,
    program: RUN,
    "version-args": "write version instead",
  },
};

/** What to say about an unknown key when more is known than its spelling. Null leaves it to spelling. */
export function adviceOn(key: string, place: string): string | null {
  const words = otherWords[place];
  if (words !== undefined && Object.hasOwn(words, key)) return words[key] as string;
  const inDefaults = configFile.shape.defaults.unwrap().shape;
  if (place !== "defaults" && Object.hasOwn(inDefaults, key)) return `${key} is set under defaults`;
  if (place !== "configuration" && Object.hasOwn(configFile.shape, key))
    return `${key} is set at the top of the configuration`;
  if (Object.hasOwn(task.shape, key) || Object.hasOwn(planFile.shape, key)) return `${key} is set in a plan`;
  return null;
}
