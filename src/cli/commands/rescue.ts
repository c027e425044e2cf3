import { listRescue, type RescueItem, restoreWork } from "../../app/index.ts";
import { shortOid } from "../../core/select/run-words.ts";
import { exitCodes } from "../exit-codes.ts";
import { granted, hostOf } from "../host.ts";
import { bold, dim } from "../render/line.ts";
import { nextLines } from "../render/next-lines.ts";
import { rescueTable } from "../render/rescue.ts";
import type { Request, RunCommand } from "../request.ts";

/** `plait rescue`: all saved work; with `--restore` a branch of it. */
export const rescue: RunCommand = async (request) => {
  const { options } = request;
  return options.restore === undefined ? list(request) : restore(request, options.restore);
};

async function list(request: Request) {
  const { output, options } = request;
  const { items } = granted(await listRescue(hostOf(request, "plait rescue")));
  const look = { width: output.resultWidth, glyphs: output.glyphs };
  const first = mostWanted(items);
  if (options.json === true) output.json({ v: 1, saved: items });
  else if (first === undefined) output.result([["no saved work: everything is landed, or nothing was done"]]);
  else {
    const command = `plait rescue --restore ${first.run}/${first.task}/${first.attempt}`;
    const next = nextLines([{ command, says: "make a branch of it" }], look);
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

async function restore(request: Request, name: string) {
  const { output, options } = request;
  const { ref, branch, commit } = granted(await restoreWork(hostOf(request, "plait rescue --restore"), name));
  if (options.json === true) output.json({ v: 1, ref, branch, commit });
  else {
    const commands = [
      { command: `git log --stat -3 ${branch}`, says: "look at it" },
      { command: `git switch ${branch}`, says: "work on it" },
      { command: `git merge ${branch}`, says: "take it as it is" },
    ];
    const look = { width: output.resultWidth, glyphs: output.glyphs };
    output.result([
      [bold(branch), ` is at ${shortOid(commit)}`, dim(`, from ${ref}`)],
      ...nextLines(commands, look),
    ]);
  }
  return exitCodes.ok;
}
