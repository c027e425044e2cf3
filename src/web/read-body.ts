import type { IncomingMessage } from "node:http";
import type { Rejected } from "./guard.ts";

export type Body =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly rejected: Rejected };

const MOST_BYTES = 16 * 1024;

/**
 * The JSON of a request. Forms on other sites can send any content type but this one without a preflight, and preflights are
 * refused.
 */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const { "content-type": type = "", "content-encoding": encoding } = request.headers;
  if (!/^application\/json(?:;\s*charset=utf-8)?$/i.test(type) || encoding !== undefined)
    return reject(415, "an action must be JSON", "send it as: Content-Type: application/json");
  const text = await readText(request);
  if (text === null) return reject(413, "the action is too long", `send at most ${MOST_BYTES} bytes`);
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return reject(400, "invalid JSON", 'send an action, for example: {"kind":"pause"}');
  }
}

/** Null where it is too long: the rest stays unread. */
function readText(request: IncomingMessage): Promise<string | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= MOST_BYTES) return;
      request.pause();
      resolve(null);
    });
    for (const end of ["end", "close", "error"])
      request.on(end, () => resolve(Buffer.concat(chunks).toString("utf8")));
    if (Number(request.headers["content-length"] ?? 0) > MOST_BYTES) resolve(null);
  });
}

function reject(status: number, message: string, hint: string): Body {
  return { ok: false, rejected: { status, message, hint } };
}
