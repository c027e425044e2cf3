/** One event of a stream, as the server sent it. */
export type StreamEvent = { readonly event: string; readonly id: string | null; readonly data: string };

/** Takes what arrives in pieces of any size, also cut inside a line break; gives whole events. Comments are left out. */
export function createEventParser(): (piece: string) => StreamEvent[] {
  let rest = "";
  let event = "message";
  let id: string | null = null;
  let data: string[] = [];

  function take(line: string, found: StreamEvent[]): void {
    if (line === "") {
      if (data.length > 0) found.push({ event, id, data: data.join("\n") });
      [event, id, data] = ["message", null, []];
      return;
    }
    const colon = line.indexOf(":");
    if (colon === 0) return; // a comment: somebody is there
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") event = value;
    else if (field === "id") id = value;
    else if (field === "data") data.push(value);
  }

  return (piece) => {
    const found: StreamEvent[] = [];
    const text = rest + piece;
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      take(text.slice(start, text[end - 1] === "\r" ? end - 1 : end), found);
      start = end + 1;
    }
    rest = text.slice(start);
    return found;
  };
}
