import type { ServerResponse } from "node:http";
import { plainText, type Sentence } from "../core/text/sentence.ts";

export type Problem = { readonly message: string; readonly hint: Sentence };

export function sendJson(response: ServerResponse, status: number, document: unknown): void {
  send(response, status, {
    type: "application/json; charset=utf-8",
    bytes: Buffer.from(JSON.stringify(document)),
  });
}

/** What went wrong, in words; never a stack trace. */
export function sendProblem(response: ServerResponse, status: number, { message, hint }: Problem): void {
  if (status === 401) response.setHeader("WWW-Authenticate", "Bearer");
  // What is left of a request that was refused is not read.
  if (status !== 401 && status !== 404 && status !== 409) response.setHeader("Connection", "close");
  sendJson(response, status, { message, hint: plainText(hint) });
}

export function send(
  response: ServerResponse,
  status: number,
  { type, bytes }: { readonly type: string; readonly bytes: Buffer },
): void {
  response.writeHead(status, { ...safeHeaders, "Content-Type": type, "Content-Length": bytes.length });
  response.end(bytes); // without its body where only the head was asked for
}

/** What every answer says, also a refusal. Nothing here lets another site read anything: there is no CORS header at all. */
export const safeHeaders: { readonly [name: string]: string } = {
  // Scripts, styles and pictures of this server and nothing else; no frame around it, no form, no text that becomes markup.
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
  "Cache-Control": "no-store",
};
