import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMasker } from "./masker.ts";
import { viewVisible } from "./visible.ts";

const SECRET = "hunter2-is/not+safe";
const TOKEN = `ghp_${"a1B2".repeat(9)}`;
const HOOK = "https://hooks.slack.com/services/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";
const masker = createMasker([SECRET]);

/** Masked whole, and in two chunks cut at every place: it must be the same each time. */
function mask(text: string): string {
  const whole = masker.text(text);
  const bytes = Buffer.from(text);
  for (let at = 0; at <= bytes.length; at += 1) {
    const { push, end } = masker.stream();
    const parts = [push(bytes.subarray(0, at)), push(bytes.subarray(at)), end()];
    expect(Buffer.concat(parts).toString()).toBe(whole);
  }
  return whole;
}

const seen = (text: string): string => {
  const bytes = Buffer.from(text);
  return (viewVisible(bytes, true)?.bytes ?? bytes).toString();
};

const between = (text: string, hidden: string): string => [...text].join(hidden);

const HIDDEN: readonly (readonly [what: string, hidden: string])[] = [
  ["color codes", "\u001b[1;31m"],
  ["color codes of one byte", "\u009b0m"],
  ["links", "\u001b]8;;https://example.com\u001b\\"],
  ["titles", "\u001b]0;a title\u0007"],
  ["character sets", "\u001b(B"],
  ["NUL, as UTF-16 has it", "\u0000"],
  ["zero-width spaces", "\u200b"],
  ["zero-width joiners", "\u200d\u2060"],
  ["byte order marks", "\ufeff"],
  ["soft hyphens", "\u00ad"],
  ["combining characters", "\u0301"],
  ["variation selectors and tags", "\ufe0f\u{e0061}"],
  ["characters that are erased again", "x\b"],
];

describe("a secret that is split by what nobody sees is masked (I13)", () => {
  it.each(HIDDEN)("%s", (what, hidden) => {
    for (const secret of [SECRET, TOKEN, HOOK]) {
      const begins = /^(?:ghp_|https:\/\/hooks\.slack\.com\/services\/)/.exec(secret)?.[0] ?? "";
      const text = `say "${between(secret, hidden)}", end`;
      const masked = what.includes("erased") ? masker.text(text) : mask(text);
      expect(seen(masked)).toBe(`say "${begins}[masked]", end`);
    }
  });

  it.each(HIDDEN)("%s, inside JSON, also in JSON that is quoted again", (_, hidden) => {
    const text = `it is ${between(SECRET, hidden)}.`;
    const line = JSON.stringify({ text });
    expect(seen(JSON.parse(masker.text(line)).text)).toBe("it is [masked].");
    const again = JSON.stringify({ line });
    expect(seen(JSON.parse(JSON.parse(masker.text(again)).line).text)).toBe("it is [masked].");
    const ascii = line.replaceAll(
      /[\u0080-\uffff]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
    expect(seen(JSON.parse(masker.text(ascii)).text)).toBe("it is [masked].");
  });

  it("the colors around it stay, and so does all that hides nothing", () => {
    expect(mask(`\u001b[31m${TOKEN.slice(0, 20)}\u001b[1m${TOKEN.slice(20)}\u001b[0m!`)).toBe(
      "\u001b[31mghp_[masked]\u001b[0m!",
    );
    const calm =
      "\u001b[32m✓\u001b[0m naïve e\u0301 \u001b]8;;x\u0007link\u001b]8;;\u0007 C:\\new\\users 日本 👩\u200d💻 \\u00";
    expect(mask(calm)).toBe(calm);
    expect(mask("\u001b[")).toBe("\u001b[");
    expect(mask("\u001b]0;never ended\nnext")).toBe("\u001b]0;never ended\nnext");
  });
});

describe("a secret that is written with escapes is masked (I13)", () => {
  const units = (text: string): string =>
    [...text].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
  it.each([
    ["slashes as PHP writes them", SECRET.replaceAll("/", "\\/")],
    ["some characters by their number", SECRET.replaceAll("-", "\\u002D").replaceAll("/", "\\u002f")],
    ["all characters by their number", units(SECRET)],
    ["escaped twice", units(SECRET).replaceAll("\\", "\\\\")],
    ["by hexadecimal figures", [...SECRET].map((char) => `\\x${char.charCodeAt(0).toString(16)}`).join("")],
    ["for a shell", SECRET.replaceAll(/[^a-z0-9]/g, "\\$&")],
  ])("%s", (_, text) => {
    expect(mask(`"${text}"`)).toBe('"[masked]"');
  });

  it("also one with a line break, quotes or backslashes of its own", () => {
    const own = 'first line\\nline "of" it\\u0041/é👍\\';
    const one = createMasker([own]);
    for (const text of [
      own,
      JSON.stringify(own).slice(1, -1),
      JSON.stringify(JSON.stringify(own)).slice(3, -3),
    ])
      expect(one.text(`<${text}>`).replaceAll("[masked]", "").length).toBeLessThan(12);
  });

  it("although a backslash before it looks like an escape with its first letter", () => {
    const own = createMasker(["n3w-password-1"]);
    expect(own.text("C:\\n3w-password-1")).toBe("C:\\[masked]");
    expect(own.text(JSON.stringify("\nn3w-password-1"))).toBe('"\\n[masked]"');
  });

  it("JSON stays JSON", () => {
    const text = fc.array(
      fc.constantFrom(
        SECRET,
        SECRET.slice(0, 9),
        TOKEN,
        "\\",
        '"',
        "/",
        "\n",
        "\u001b[31m",
        "\u001b]8;;",
        "\u0007",
        "\b",
        "u00",
        "é",
        "n",
        "x",
        "👍",
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(text, (parts) => {
        const line = JSON.stringify({ text: parts.join("") });
        const { text: masked } = JSON.parse(masker.text(line));
        expect(seen(masked)).not.toContain(SECRET);
        expect(() => JSON.parse(JSON.parse(masker.text(JSON.stringify(line))))).not.toThrow();
      }),
    );
  });
});

describe("a value that is wrapped is masked (I13)", () => {
  it.each(["\n", "\r\n", "\n    ", "\\n"])("with %j, and the line breaks stay", (wrap) => {
    const masked = mask(`${"x".repeat(70)} ${SECRET.slice(0, 9)}${wrap}${SECRET.slice(9)} end\nnext`);
    expect(masked).toBe(`${"x".repeat(70)} [masked]${wrap.includes("\n") ? "\n" : ""} end\nnext`);
  });

  it("lines that only begin or end like one stay", () => {
    const calm = `${SECRET.slice(0, 9)}\nnext line\n${SECRET.slice(9)}\n${SECRET.slice(0, 9)}\n`;
    expect(mask(calm)).toBe(calm);
  });
});

it("webhooks and further kinds of tokens are masked and named (I13)", () => {
  for (const begins of [
    "https://hooks.slack.com/services/",
    "https://discord.com/api/webhooks/",
    "https://acme.webhook.office.com/webhookb2/",
    "https://api.telegram.org/bot",
    "glrt-",
    "hvs.",
    "SG.",
    "dop_v1_",
    "xoxe-",
  ]) {
    const secret = `${begins}${"1a2B3c4D5e6F7g8H9i0J".repeat(3)}`;
    expect(masker.text(`<${secret}>`)).toBe(`<${begins}[masked]>`);
    expect(masker.text(JSON.stringify(secret).replaceAll("/", "\\/"))).toContain('[masked]"');
    expect(masker.kind(secret)).not.toBe(null);
  }
  expect(
    mask("POST https://hooks.slack.com/services/T0/B0/x and npm_config_cache, hf_hub, SG.md"),
  ).not.toContain("masked");
});

it("what is kept back is bounded whatever is hidden in it (I10)", () => {
  const { push } = masker.stream();
  push(Buffer.from(SECRET.slice(0, 9)));
  let given = 0;
  for (let i = 0; i < 50; i += 1) given += push(Buffer.from("\u001b[0m".repeat(1000))).length;
  expect(given).toBeGreaterThan(50 * 4000 - 20_000);
});
