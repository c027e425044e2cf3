import { count } from "../../core/text/figures.ts";

/** What stays is kept for a terminal that takes no text (a stopped one, a slow line), up to this many texts. */
const MOST_KEPT = 1_000;

/** Texts that wait for the next frame. The oldest go first when nobody takes them, and their number is told. */
export type KeptLines = {
  readonly add: (text: string) => void;
  readonly take: () => string;
  readonly isEmpty: () => boolean;
};

export function keptLines(): KeptLines {
  let lines: string[] = [];
  let lost = 0;
  return {
    add: (text) => {
      lines.push(text);
      if (lines.length > 2 * MOST_KEPT) {
        lost += lines.length - MOST_KEPT;
        lines = lines.slice(-MOST_KEPT);
      }
    },
    take: () => {
      const told = lost === 0 ? "" : `(${count(lost, "text")} left out: the terminal took none)\n`;
      const text = told + lines.join("");
      lines = [];
      lost = 0;
      return text;
    },
    isEmpty: () => lines.length === 0,
  };
}
