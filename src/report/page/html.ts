import { INLINED_ID, type InlinedRun } from "./wire.ts";

/** The page in parts, as it was built: one script, one style sheet. */
export type PageParts = { readonly script: string; readonly style: string };

/**
 * The same page, with a script that cannot end its own element. What could is found in texts and patterns alone, where a character may be
 * written by its number: a minifier leaves no `<!--` in code. Hashes are those of this form.
 */
export const inFileParts = ({ script, style }: PageParts): PageParts => ({
  script: script.replace(/<(?=\/script|!--)/gi, "\\x3c"),
  style,
});

/** What the policy of the file allows: exactly this script and this style, by their hashes (base64 of SHA-256). */
export type PageHashes = { readonly script: string; readonly style: string };

/**
 * The page and its data in one file that works from a disk. Nothing is loaded from anywhere, and the policy keeps it so: also
 * if an agent had managed to smuggle in a script, it would not run.
 */
export function htmlPage(run: InlinedRun, parts: PageParts, hashes: PageHashes): string {
  // Their bytes must be those of the hashes, so nothing can be escaped here.
  if (/<\/script|<!--/i.test(parts.script) || /<\/style/i.test(parts.style))
    throw new Error("the script or the style of the page would end its own element");
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${hashes.script}'`,
    `style-src 'sha256-${hashes.style}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="dark light">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<title>${escaped(run.session.run ?? "plait")}</title>`,
    `<style>${parts.style}</style></head>`,
    '<body><div id="page"></div>',
    `<script type="application/json" id="${INLINED_ID}">${scriptJson(run)}</script>`,
    `<script type="module">${parts.script}</script>`,
    "</body></html>\n",
  ].join("\n");
}

/** JSON in which nothing can end the element that it stands in or begin a comment there. */
export const scriptJson = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
