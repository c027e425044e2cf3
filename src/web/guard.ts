// Which requests are allowed. The web UI is for one person on one machine; anything else that can reach the port is a web page in
// the same browser or another user of the machine. Each check closes one way in (reliability.md lists them, test/web/attacks.test.ts
// tries them).

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { plait } from "../core/text/command.ts";
import { command, type Sentence, sentence } from "../core/text/sentence.ts";

/** The part of a request that is checked before anything else. Header names are in lower case. */
export type Asked = {
  readonly method: string;
  readonly path: string;
  readonly headers: { readonly [name: string]: readonly string[] | undefined };
};

export type Rejected = { readonly status: number; readonly message: string; readonly hint: Sentence };

export type Guard = {
  /** For every request, first: the host name and the origin. */
  readonly stranger: (asked: Asked) => Rejected | null;
  /** For everything that reads or changes runs. */
  readonly unknown: (asked: Asked) => Rejected | null;
};

export const METHODS: readonly string[] = ["GET", "HEAD", "POST"];

/** 256 bits, in letters that need no escape in an address. */
export const newToken = (): string => randomBytes(32).toString("base64url");

/**
 * Names that stand for this machine and for nothing else. With any port: it is another one where ssh or an editor leads here from
 * another machine, and no page can have such a name but one that this machine serves.
 */
const OWN = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/;

export function createGuard({ port, token }: { readonly port: number; readonly token: string }): Guard {
  const expected = digest(token);
  return {
    stranger: (asked) => {
      // A name that leads here is not enough: a site may let its own name lead to this machine (DNS rebinding).
      const host = only(asked, "host")?.toLowerCase() ?? "";
      if (!OWN.test(host))
        return {
          status: 421,
          message: `unknown host ${JSON.stringify(host)}`,
          hint: `open the web UI at its own URL: http://127.0.0.1:${port}`,
        };
      if (!METHODS.includes(asked.method))
        return {
          status: 405,
          message: `unsupported method ${asked.method}`,
          hint: `use one of: ${METHODS.join(", ")}`,
        };
      // A page on another port of this machine is another site.
      if (asked.headers["origin"] !== undefined && only(asked, "origin") !== `http://${host}`) return FOREIGN;
      const site = asked.headers["sec-fetch-site"];
      const isOwn =
        site === undefined || ["same-origin", "none"].includes(only(asked, "sec-fetch-site") ?? "");
      return isOwn || isVisit(asked) ? null : FOREIGN;
    },
    unknown: (asked) => {
      const [, given = ""] = /^Bearer ([\w-]{1,128})$/.exec(only(asked, "authorization") ?? "") ?? [];
      if (timingSafeEqual(digest(given), expected)) return null;
      const hint = sentence`open the link that plait printed, or start the web UI again: ${command(plait("ui"))}`;
      return { status: 401, message: "missing or invalid token", hint };
    },
  };
}

/**
 * Somebody follows a link to the page, as from the file that `--open` makes: the empty page may be opened from anywhere, since it
 * holds nothing, cannot be put into a frame, and lets no opener keep a hand on its window. It cannot be told apart any better: that
 * file leads on as `cross-site` without a click (no `Sec-Fetch-User`) and without a `Referer`, and whoever came from another site
 * comes as `cross-site` again with each reload, however much later.
 */
function isVisit({ method, path, headers }: Asked): boolean {
  return (
    method === "GET" &&
    path === "/" &&
    headers["sec-fetch-mode"]?.[0] === "navigate" &&
    headers["sec-fetch-dest"]?.[0] === "document"
  );
}

/** A header that is there once; null where it is missing, or there twice. */
function only({ headers }: Asked, name: string): string | null {
  const [first, ...more] = headers[name] ?? [];
  return first === undefined || more.length > 0 ? null : first;
}

const FOREIGN: Rejected = {
  status: 403,
  message: "requests from other sites are not allowed",
  hint: "open the link that plait printed",
};

/** Of equal length, whatever was sent: so the time that a comparison takes tells nothing. */
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
