/**
 * A word as a shell reads it, quoted only where needed. Invisible and control characters are spelled out as `$'…'`, and so is
 * everything beyond ASCII for a terminal that shows nothing else.
 */
export function shellWord(word: string, { ascii = false }: { readonly ascii?: boolean } = {}): string {
  if (/^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word)) return word;
  const odd = ascii ? BEYOND_ASCII : UNSEEN;
  if (word.search(odd) === -1) return `'${word.replaceAll("'", "'\\''")}'`;
  return `$'${word.replace(/[\\']/g, "\\$&").replace(odd, bytesOf)}'`;
}

/** Control and invisible characters, and those that turn the direction of writing. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;
const BEYOND_ASCII = /[^\x20-\x7e]/gu;

/** As octal bytes of UTF-8: three digits each, so what follows is never taken for more of them. */
function bytesOf(char: string): string {
  const named = { "\n": "\\n", "\t": "\\t", "\r": "\\r" }[char];
  if (named !== undefined) return named;
  const written = encodeURIComponent(/\p{Cs}/u.test(char) ? "\ufffd" : char);
  const bytes = written.startsWith("%")
    ? written
        .slice(1)
        .split("%")
        .map((hex) => Number.parseInt(hex, 16))
    : [char.charCodeAt(0)];
  return bytes.map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}
