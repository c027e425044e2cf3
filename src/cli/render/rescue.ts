import type { RescueItem } from "../../app/index.ts";
import { count } from "../../core/text/figures.ts";
import { dayAndMinute } from "../../report/local-times.ts";
import { dim, type Line } from "./line.ts";
import type { Look } from "./run/look.ts";
import { shown } from "./visible.ts";
import { cells, cutEnd, pad, padStart } from "./width.ts";

const WHEN = 18;

/** Saved work, one a line: what it is called is what `--restore` takes, and so is never cut. */
export function rescueTable(items: readonly RescueItem[], { width, glyphs }: Look): Line[] {
  const names = items.map(({ run, task, attempt }) => `${run}/${task}/${attempt}`);
  const name = names.reduce((most, text) => Math.max(most, cells(text)), 5) + 2;
  const files = items.map(filesText);
  const wide = files.reduce((most, text) => Math.max(most, cells(text)), 5);
  const room = Math.max(12, width - name - WHEN - wide - 2);
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
