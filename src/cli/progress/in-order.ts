import type { ProgressIo } from "./io.ts";

/** Writes go one after another: the next begins when the one before it is on its way. When nobody reads, none does. */
export function inOrder(write: ProgressIo["write"]): ProgressIo["write"] {
  type Text = { readonly text: string; readonly flushed: (ok: boolean) => void };
  const waiting: Text[] = [];
  let isWriting = false;
  let isOver = false;

  function next(): void {
    const one = isWriting ? undefined : waiting.shift();
    if (one === undefined) return;
    if (isOver) {
      one.flushed(false);
      next();
      return;
    }
    isWriting = true;
    write(one.text, (ok) => {
      isWriting = false;
      isOver ||= !ok;
      one.flushed(ok);
      next();
    });
  }

  return (text, flushed) => {
    waiting.push({ text, flushed });
    next();
  };
}
