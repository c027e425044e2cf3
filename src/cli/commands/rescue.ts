import { listRescue, type RescueItem, restoreWork } from "../../app/index.ts";
import { otherCommand, plait } from "../../core/text/command.ts";
import { count, shortOid } from "../../core/text/figures.ts";
import { listing, path, plainText, sentence } from "../../core/text/sentence.ts";
import { dayAndMinute } from "../../report/local-times.ts";
import { exitCodes } from "../exit-codes.ts";
import { createHost, granted } from "../host.ts";
import { bold, dim, type Line, styled } from "../render/line.ts";
import { nextLines } from "../render/next-lines.ts";
import { type Look, measureLastColumn } from "../render/run/look.ts";
import { shown } from "../render/visible.ts";
import { cells, cutEnd, pad, padStart } from "../render/width.ts";
import type { Request, RunCommand } from "../request.ts";

/** `plait rescue`: lists saved work; `--branch` makes a branch from it. */
export const rescue: RunCommand = async (request) => {
  const { options } = request;
  return options.branch === undefined ? list(request) : makeBranch(request, options.branch);
};

async function list(request: Request) {
  const { output, options } = request;
  const { look } = output;
  const { items } = granted(await listRescue(createHost(request, plait("rescue"))));
  const first = mostWanted(items);
  if (options.json === true) output.json({ v: 1, saved: items });
  else if (first === undefined) output.result([["no saved work"]]);
  else {
    const command = plait("rescue", [], { branch: `${first.run}/${first.task}/${first.attempt}` });
    const next = nextLines([{ command, purpose: "turn it into a branch" }], look);
    output.result([...rescueTable(items, look), [], ...next]);
  }
  return exitCodes.ok;
}

/** The latest attempt of the first task that failed; where none did, of the first in the list. */
function mostWanted(items: readonly RescueItem[]): RescueItem | undefined {
  const first = items.find(({ isFailed }) => isFailed) ?? items[0];
  return items.findLast(({ run, task, isMerged }) => {
    return run === first?.run && task === first.task && isMerged === first.isMerged;
  });
}

async function makeBranch(request: Request, name: string) {
  const { output, options } = request;
  const { ref, branch, commit, conflicts } = granted(
    await restoreWork(createHost(request, plait("rescue", [], { branch: name })), name),
  );
  if (options.json === true) output.json({ v: 1, ref, branch, commit, conflicts });
  else {
    const commands = [
      { command: otherCommand("git", "log", ["--stat", "-3", branch]), purpose: "see its commits" },
      ...(conflicts.length === 0
        ? [
            { command: otherCommand("git", "switch", branch), purpose: "work on it" },
            { command: otherCommand("git", "merge", branch), purpose: "merge it as it is" },
          ]
        : [
            {
              command: otherCommand("git", "switch", branch),
              purpose: "resolve the conflicts before you merge it",
            },
          ]),
    ];
    const marked = plainText(sentence`conflict markers in ${listing(conflicts.map(path), MOST_PATHS)}`);
    output.result([
      [bold(branch), ` is at ${shortOid(commit)}`, dim(`, from ${ref}`)],
      ...(conflicts.length === 0 ? [] : [[styled("red", shown(marked, output.glyphs))]]),
      ...nextLines(commands, output.look),
    ]);
  }
  return exitCodes.ok;
}

const MOST_PATHS = 20;
const WHEN = 18;

/** Saved work, one a line: what it is called is what `--restore` takes, and so is never cut. */
function rescueTable(items: readonly RescueItem[], look: Look): Line[] {
  const { width, glyphs } = look;
  const names = items.map(({ run, task, attempt }) => `${run}/${task}/${attempt}`);
  const name = names.reduce((most, text) => Math.max(most, cells(text)), 5) + 2;
  const files = items.map(filesText);
  const wide = files.reduce((most, text) => Math.max(most, cells(text)), 5);
  const room = measureLastColumn(width - name - WHEN - wide - 2, look);
  const head = `${pad("saved", name)}${pad("when", WHEN)}${padStart("files", wide)}  why it is not merged`;
  return [
    [dim(head)],
    ...items.map((item, n): Line => {
      const why = cutEnd(shown(item.why, glyphs), room, glyphs.cut);
      return [
        `${pad(names[n] as string, name)}${pad(dayAndMinute(item.at), WHEN)}${padStart(files[n] as string, wide)}  ${why}`,
      ];
    }),
  ];
}

function filesText({ files }: RescueItem): string {
  return files === null ? "?" : count(files, "file");
}
