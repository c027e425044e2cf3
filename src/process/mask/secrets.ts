// Which values of an environment are secrets, and in which forms they may come out of a program again.

import type { Env } from "../../core/plan.ts";
import { xmlText } from "../../util/xml-text.ts";
import { viewVisible } from "./visible.ts";

/** Shorter values are words, numbers and switches: masking them would garble everything else. */
const LEAST_LENGTH = 8;

/** Words of a name, between underscores, that say "secret"; and last words that say "but this is only where it lies". */
const SECRET_WORD =
  /(?:^|_)(?:API)?(?:KEYS?|TOKENS?|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|PASS|PAT|CREDENTIALS?|COOKIE|DSN)(?:_|$)|(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS)$/i;
const PLACE_WORD = /_(?:PATH|FILE|DIR|FOLDER|SOCK|HOST|PORT|NAME|USER|TYPE|TTL|EXPIRY)$/i;

/** postgres://user:password@host: the password, whatever the variable is called. */
const URL_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s:@]*:([^/?#\s@]+)@/i;

/** Whether a variable holds a secret, by its name or because its value is an address with a password. */
export function isSecretVariable(name: string, value: string): boolean {
  return isSecretName(name) || URL_PASSWORD.test(value);
}

const isSecretName = (name: string): boolean => SECRET_WORD.test(name) && !PLACE_WORD.test(name);

/** The secrets of an environment, each once. */
export function secretsOf(env: Env): string[] {
  const secrets = new Set<string>();
  for (const [name, value] of Object.entries(env)) {
    if (isSecretName(name)) secrets.add(value.trim());
    const password = URL_PASSWORD.exec(value)?.[1];
    if (password !== undefined) {
      secrets.add(password);
      secrets.add(decoded(password));
    }
  }
  return [...secrets].filter((secret) => Buffer.byteLength(secret) >= LEAST_LENGTH);
}

/** Longer needles go in pieces: what is kept back stays small, and a long text that was wrapped is found all the same. */
const LONGEST_NEEDLE = 64;
const PIECE = 32;
const BASE64_PIECE = 16;

/** The byte strings to look for: plain forms of all secrets first, because they matter most should there be too many. */
export function needlesOf(secrets: readonly string[]): Buffer[] {
  const plain = secrets.flatMap((secret) => plainForms(secret).flatMap((form) => pieces(form, PIECE)));
  const base64 = secrets.flatMap((secret) =>
    base64Forms(secret).flatMap((form) => pieces(form, BASE64_PIECE)),
  );
  const unique = new Set([...plain, ...base64]);
  return [...unique].map((needle) => Buffer.from(needle, "latin1")).filter((it) => it.length >= LEAST_LENGTH);
}

/** As bytes in latin1. Lines of a secret are looked for one by one: they may be printed with other line breaks. */
function plainForms(secret: string): string[] {
  const lines = secret.split(/\r?\n|\\n/).filter((line) => line.length >= LEAST_LENGTH);
  const forms = lines.flatMap((line) => [
    line,
    JSON.stringify(line).slice(1, -1),
    percentEncoded(line),
    percentEncoded(line).replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    percentEncoded(line).replaceAll("%20", "+"),
    xmlText(line),
  ]);
  const bytes = [...new Set(forms)].map((form) => Buffer.from(form, "utf8"));
  // As it is read too, since texts are compared like that: see visible.ts.
  const read = lines
    .map((line) => Buffer.from(line, "utf8"))
    .map((line) => viewVisible(line, true)?.bytes ?? line);
  return [...new Set([...bytes, ...read].map((form) => form.toString("latin1")))];
}

/** Through bytes, because encodeURIComponent throws at half a surrogate pair. */
function percentEncoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a % that is only a %
  }
}

/**
 * Base64 has three ways to write a text, by where it begins in what is encoded ("user:secret" for one). The characters that
 * also depend on the neighbours are left out, except at the end of the plain one.
 */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const inner = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64url");
    const whole = Math.floor(((offset + bytes.length) * 8) / 6);
    return encoded.slice(offset === 0 ? 0 : offset + 1, whole);
  });
  const forms = [bytes.toString("base64url"), ...inner];
  return [...forms, ...forms.map((form) => form.replaceAll("-", "+").replaceAll("_", "/"))];
}

function pieces(form: string, size: number): string[] {
  if (form.length <= LONGEST_NEEDLE) return [form];
  const starts = Array.from({ length: Math.floor(form.length / size) }, (_, i) => i * size);
  return [...starts, form.length - size].map((start) => form.slice(start, start + size));
}
