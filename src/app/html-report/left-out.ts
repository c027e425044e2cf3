import type { RunId } from "../../core/ids.ts";
import { formatCommand, plait } from "../../core/text/command.ts";
import type { Share } from "./share.ts";
import type { Wanted } from "./wanted.ts";

type Kind = Wanted["kind"];

const TASK = { placeholder: "task" };

const NAMES: { readonly [K in Kind]: readonly [one: string, many: string] } = {
  text: ["output of a gate or agent", "outputs of gates and agents"],
  diff: ["diff", "diffs"],
  transcript: ["transcript", "transcripts"],
  log: ["log", "logs"],
  prompt: ["prompt", "prompts"],
};

export type LeftOutItem = { readonly kind: Kind; readonly state: Share<unknown>["state"] };

/** What is not in the file, a sentence for each kind, and where it can be seen. */
export function leftOutSentences(
  told: readonly LeftOutItem[],
  { run, folder }: { readonly run: RunId; readonly folder: string },
): string[] {
  const where: { readonly [K in Kind]: string } = {
    text: `see ${folder}/texts`,
    diff: formatCommand(plait("diff", TASK, { run })),
    transcript: formatCommand(plait("logs", TASK, { run })),
    log: formatCommand(plait("logs", TASK, { run, raw: true })),
    prompt: `see ${folder}/prompts`,
  };
  return (Object.keys(NAMES) as Kind[]).flatMap((kind) => {
    const of = (state: LeftOutItem["state"]) =>
      told.filter((one) => one.kind === kind && one.state === state).length;
    const [cut, gone] = [of("cut"), of("left-out")];
    const parts = [
      ...(cut === 0 ? [] : [`${named(cut, kind)} cut short`]),
      ...(gone === 0 ? [] : [`${named(gone, kind)} left out`]),
    ];
    return parts.length === 0 ? [] : [`${parts.join(", ")}: ${where[kind]}`];
  });
}

function named(n: number, kind: Kind): string {
  const [one, many] = NAMES[kind];
  return `${n} ${n === 1 ? `${one} is` : `${many} are`}`;
}
