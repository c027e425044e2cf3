const SIGNS: Readonly<Record<string, string>> = {
  ...{ n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", v: "\v", "0": "\0" },
};

const ESCAPED = /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|(\r\n|[\s\S]))/gi;

/** What the inside of a literal of TypeScript or JavaScript stands for. */
export function unescapedScript(written: string): string {
  return written.replace(ESCAPED, (found, ...parts: (string | undefined)[]) => {
    const [braced, four, two, sign = ""] = parts;
    const code = Number.parseInt(braced ?? four ?? two ?? "", 16);
    if (!Number.isNaN(code)) return code <= 0x10ffff ? String.fromCodePoint(code) : found;
    return /[\r\n]/.test(sign) ? "" : (SIGNS[sign] ?? sign);
  });
}
