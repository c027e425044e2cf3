import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMasker, type Masker } from "./masker.ts";

function inChunks(masker: Masker, chunks: readonly Buffer[]): string {
  const { push, end } = masker.stream();
  return Buffer.concat([...chunks.map((chunk) => push(chunk)), end()]).toString();
}

/** Masked whole, in two chunks cut at every place, and byte by byte: it must be the same each time. */
function mask(text: string, ...secrets: string[]): string {
  const masker = createMasker(secrets);
  const bytes = Buffer.from(text);
  const whole = inChunks(masker, [bytes]);
  for (let at = 0; at <= bytes.length; at += 1) {
    expect(inChunks(masker, [bytes.subarray(0, at), bytes.subarray(at)])).toBe(whole);
  }
  expect(
    inChunks(
      masker,
      [...bytes].map((byte) => Buffer.from([byte])),
    ),
  ).toBe(whole);
  expect(masker.text(text)).toBe(whole);
  return whole;
}

const SECRET = "hunter2-is-not-safe";

describe("values of secrets (I13)", () => {
  it("are masked wherever the chunks are cut", () => {
    expect(mask(`say ${SECRET}, and ${SECRET}.`, SECRET)).toBe("say [masked], and [masked].");
    expect(mask(SECRET, SECRET)).toBe("[masked]");
    expect(mask("hunter2-is-not-saf", SECRET)).toBe("hunter2-is-not-saf");
  });

  it("are masked once where they overlap or touch", () => {
    expect(mask("xabcdefghabcdefghx", "abcdefgh")).toBe("x[masked]x");
    expect(mask("x12345678901234x", "12345678", "56789012", "01234567")).toBe("x[masked]34x");
    expect(mask("aaaaaaaaaaaaab", "aaaaaaaa", "aaaaaaab")).toBe("[masked]");
    expect(mask("xx inner-secret-outer xx", "inner-secret", "an inner-secret-outer yy")).toBe(
      "xx [masked]-outer xx",
    );
  });

  it("are found although another one began just before", () => {
    expect(mask("secretsecret-one", "secret-one")).toBe("secret[masked]");
    expect(mask("abcdabcdabce!", "abcdabce")).toBe("abcd[masked]!");
    expect(mask("an inner-secret-out", "inner-secret", "an inner-secret-outer")).toBe("an [masked]-out");
  });

  it("are masked as base64, wherever they stand in what was encoded, and as base64url", () => {
    for (const prefix of ["", "u", "us", "user:", "somebody:"]) {
      for (const suffix of ["", "\n", "@x", "@example"]) {
        const encoded = Buffer.from(`${prefix}${SECRET}${suffix}`).toString("base64");
        const masked = mask(`Basic "${encoded}"`, SECRET);
        expect(masked).toContain("[masked]");
        // At most the characters that also depend on the neighbours are left.
        expect(masked.length).toBeLessThan(
          'Basic "[masked]"'.length + prefix.length * 2 + suffix.length * 2 + 6,
        );
      }
    }
    const odd = "\u00ff\u00fe~~~???>>>";
    expect(mask(Buffer.from(odd).toString("base64"), odd)).toMatch(/^\[masked\]=*$/);
    expect(mask(Buffer.from(odd).toString("base64url"), odd)).toBe("[masked]");
  });

  it("are masked in an address and in JSON", () => {
    const secret = 'p&ss w"rd/100%\\ok';
    expect(mask(`?a=${encodeURIComponent(secret)}&b`, secret)).toBe("?a=[masked]&b");
    expect(mask(`?a=${encodeURIComponent(secret).toLowerCase()}&b`, secret)).toBe("?a=[masked]&b");
    expect(mask(`?${new URLSearchParams({ a: "pass word&1" })}`, "pass word&1")).toBe("?a=[masked]");
    const line = JSON.stringify({ text: `it is ${secret}.` });
    expect(JSON.parse(mask(line, secret))).toEqual({ text: "it is [masked]." });
  });

  it("of several lines are masked line by line, with their line breaks written in any way", () => {
    const secret = "first line of it\nsecond line of it\nend";
    expect(mask(`${secret.replaceAll("\n", "\r\n")}`, secret)).toBe("[masked]\r\n[masked]\r\nend");
    expect(mask(JSON.stringify(secret), secret)).toBe('"[masked]\\n[masked]\\nend"');
  });

  it("that are long are masked whole, and nearly whole when base64 was wrapped", () => {
    const secret = Array.from({ length: 300 }, (_, i) =>
      String.fromCharCode(33 + ((i * i + 7 * i) % 94)),
    ).join("");
    expect(mask(`<${secret}>`, secret)).toBe("<[masked]>");
    const wrapped = Buffer.from(secret).toString("base64").replaceAll(/.{76}/g, "$&\n");
    const left = mask(wrapped, secret).replaceAll("[masked]", "").replaceAll("\n", "");
    expect(left.length).toBeLessThan(wrapped.length * 0.25);
  });

  it("are found by any of many needles as a plain search would", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 8, maxLength: 12 });
    const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 60 });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), text, (secrets, around) => {
        const covered = new Array<boolean>(around.length).fill(false);
        for (const secret of secrets)
          for (let at = around.indexOf(secret); at !== -1; at = around.indexOf(secret, at + 1))
            covered.fill(true, at, at + secret.length);
        const expected = [...around].map((char, i) => (covered[i] ? "*" : char)).join("");
        expect(createMasker(secrets).text(around)).toBe(expected.replaceAll(/\*+/g, "[masked]"));
      }),
    );
  });

  it("leave bytes that are no text as they are", () => {
    const bytes = Buffer.from([0, 255, 254, 128, 10, 27, 91, 0]);
    const { push, end } = createMasker([SECRET]).stream();
    expect(Buffer.concat([push(bytes), end()])).toEqual(bytes);
  });

  it("cost no copy where there is nothing to mask, and keep back less than the longest needle", () => {
    const { push } = createMasker([SECRET]).stream();
    const calm = Buffer.from("nothing here\n");
    expect(push(calm).buffer).toBe(calm.buffer);
    expect(push(Buffer.from("x hunter2-is")).toString()).toBe("x ");
    expect(push(Buffer.from(" only a word!")).toString()).toBe("hunter2-is only a word!");
  });
});

describe("known patterns of secrets (I13)", () => {
  const filler = "abcDEF0123456789abcDEF0123456789abcDEF01";
  it.each([
    ["Anthropic key", `sk-ant-api03-${filler}`, "sk-ant-[masked]"],
    ["OpenAI key", `sk-proj-${filler}`, "sk-proj-[masked]"],
    ["old OpenAI key", `sk-${filler}`, "sk-[masked]"],
    ["GitHub token", `ghp_${filler}`, "ghp_[masked]"],
    ["GitHub fine-grained token", `github_pat_11ABC_${filler}`, "github_pat_[masked]"],
    ["AWS key", "AKIAIOSFODNN7EXAMPLE", "AKIA[masked]"],
    ["Google key", `AIza${filler}`, "AIza[masked]"],
    ["Slack token", "xoxb-123456789012-abcdefABCDEF", "xoxb-[masked]"],
    ["npm token", `npm_${filler}`, "npm_[masked]"],
    ["bearer", `Authorization: Bearer ${filler}.x`, "Authorization: Bearer [masked]"],
    [
      "JSON web token",
      "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dBjftJeZ4CVP-mB92K27uhbU",
      "eyJhbGciOiJIUzI1NiJ9.eyJ[masked]",
    ],
  ])("%s", (_what, secret, masked) => {
    expect(mask(`"${secret}", end`)).toBe(`"${masked}", end`);
    expect(mask(secret)).toBe(masked);
  });

  it("are masked beside values, and a value that looks like one is masked once", () => {
    expect(mask(`sk-ant-${filler} ${SECRET} ghp_${filler}!`, SECRET, `sk-ant-${filler}`)).toBe(
      "[masked] [masked] ghp_[masked]!",
    );
  });

  it("private keys are masked to their end, and every line break stays", () => {
    const body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\nVJTUt9Us8cKj\n";
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${body}-----END RSA PRIVATE KEY-----\nnext line, whole`;
    expect(mask(key)).toBe(
      "-----BEGIN RSA PRIVATE KEY-----[masked]\n\n\n-----END RSA PRIVATE KEY-----\nnext line, whole",
    );
    expect(JSON.parse(mask(JSON.stringify({ key })))).toEqual({
      key: "-----BEGIN RSA PRIVATE KEY-----[masked]-----END RSA PRIVATE KEY-----\nnext line, whole",
    });
  });

  it("what only begins like one stays, also when a real one follows", () => {
    const calm = [
      "sk-ant-short",
      "task-implement-the-whole-of-the-login-page",
      "ghp_tooshort and AKIA and npm_config_registry=https://registry.npmjs.org",
      "-----BEGIN PRIVATE KEY-----",
      'if (text.includes("-----BEGIN PRIVATE KEY-----")) return;',
    ];
    for (const text of calm) expect(mask(text)).toBe(text);
    expect(mask(`sk-sk-ant-${filler}`)).toBe("sk-sk-ant-[masked]");
    expect(mask(`sk-abcsk-abc ghp_ghp_${filler}`)).toBe("sk-abcsk-abc ghp_[masked]");
  });

  it("a run without end is left out without being kept (I10)", () => {
    const { push, end } = createMasker([]).stream();
    let given = push(Buffer.from("sk-ant-")).length;
    const chunk = Buffer.alloc(65_536, "x");
    for (let i = 0; i < 200; i += 1) given += push(chunk).length;
    expect(given).toBe("sk-ant-[masked]".length);
    expect(push(Buffer.from(" end")).toString() + end().toString()).toBe(" end");
  });
});

describe("masking takes time that grows with the text and no faster", () => {
  it.each(["secret-secre", "sk-", "a", "sk-ant-x ", "-----BEGIN PRIVATE KEY-----", "aaaaaaa"])(
    "%s",
    (part) => {
      const masker = createMasker(["secret-secret-one", "aaaaaaab", `${"a".repeat(60)}b`]);
      const text = Buffer.from(part.repeat(Math.ceil(4_000_000 / part.length)));
      const { push } = masker.stream();
      for (let at = 0; at < text.length; at += 65_536) push(text.subarray(at, at + 65_536));
    },
  );
});

it("secrets that would need a table of hundreds of kilobytes are left out and counted, the plain forms last", () => {
  const many = Array.from({ length: 900 }, (_, i) => `secret-number-${i}-${"x".repeat(i % 40)}-of-900`);
  const masker = createMasker(many);
  expect(masker.leftOut).toBeGreaterThan(0);
  for (const secret of many) expect(masker.text(`<${secret}>`)).toBe("<[masked]>");
});

it("names the kind of a secret without its value", () => {
  const masker = createMasker(["hunter2-hunter2"]);
  const key = `sk-ant-${"a1".repeat(12)}`;
  expect(masker.kind(`key = "${key}"`)).toBe("sk-ant-…");
  expect(masker.kind("password: hunter2-hunter2")).toMatch(/^the value of a secret/);
  expect([masker.kind("nothing"), masker.kind("[masked]")]).toEqual([null, null]);
  expect([masker.isKnown(key), masker.isKnown("hunter2-hunter2")]).toEqual([false, true]);
});
