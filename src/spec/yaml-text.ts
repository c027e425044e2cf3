/** Values of front matter on one line. Readers of YAML get back the same text, whatever is in it. */
export function yamlText(text: string): string {
  return PLAIN.test(text) && !WORDS.test(text) ? text : quotedText(text);
}

export function yamlList(texts: readonly string[]): string {
  return `[${texts.map(yamlText).join(", ")}]`;
}

const PLAIN = /^[A-Za-z][\w./-]*(?::[\w./-]+)*$/;

/** Words that mean something else to one reader or another. */
const WORDS = /^(?:true|false|yes|no|on|off|y|n|null|nan|inf|infinity)$/i;

/** Quotes of JSON are quotes of YAML; what cannot be seen is spelled out. */
function quotedText(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u00a0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
