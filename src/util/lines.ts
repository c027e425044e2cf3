/** Where each line of a text begins. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Of the last that begins at or before the offset; a line break belongs to the line that it ends. */
export function lineIndex(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** From 1, for an offset of the text. */
export type LineOf = (offset: number) => number;

/** For many offsets of one text, in any order. */
export function lineFinder(text: string): LineOf {
  const starts = lineStarts(text);
  return (offset) => lineIndex(starts, offset) + 1;
}
