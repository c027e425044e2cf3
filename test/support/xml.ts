/** A small strict reader of XML 1.0, for tests: whatever a parser of the world might refuse, it refuses. */
export type Element = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
};

const CHARS = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
const TAG = /<(\/?)([A-Za-z][\w.-]*)((?:\s+[A-Za-z][\w.-]*="[^"<]*")*)\s*(\/?)>/y;
const ENTITY = /&(?:#(\d+)|(amp|lt|gt|quot));/g;
const NAMES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

export function parseXml(xml: string): Element {
  if (!CHARS.test(xml)) throw new Error("there is a character that XML cannot hold");
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!xml.startsWith(head)) throw new Error("there is no declaration");
  const root: Element = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  for (let at = head.length; at < xml.length; ) {
    const inside = open.at(-1) as Element;
    const next = xml.indexOf("<", at);
    const text = xml.slice(at, next === -1 ? undefined : next);
    inside.text += plain(text);
    if (next === -1) break;
    TAG.lastIndex = next;
    const [whole, closes, name = "", attributes = "", isEmpty] = TAG.exec(xml) ?? [];
    if (whole === undefined) throw new Error(`no tag: ${xml.slice(next, next + 80)}`);
    at = next + whole.length;
    if (closes === "/") {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes another element`);
      continue;
    }
    const element = { name, attributes: attributesOf(attributes), children: [], text: "" };
    inside.children.push(element);
    if (isEmpty !== "/") open.push(element);
  }
  const [document] = root.children;
  if (document === undefined || root.children.length !== 1 || open.length !== 1 || root.text.trim() !== "")
    throw new Error("there is not exactly one element");
  return document;
}

function attributesOf(text: string): Record<string, string> {
  const found = [...text.matchAll(/([\w.-]+)="([^"]*)"/g)].map(
    ([, name = "", value = ""]) => [name, plain(value)] as const,
  );
  if (new Set(found.map(([name]) => name)).size !== found.length) throw new Error(`twice in ${text}`);
  return Object.fromEntries(found);
}

function plain(text: string): string {
  if (text.includes("]]>") || /&(?!(?:#\d+|amp|lt|gt|quot);)/.test(text))
    throw new Error(`not escaped: ${text}`);
  return text.replace(ENTITY, (_, code, name) =>
    code === undefined ? (NAMES[name] ?? "") : String.fromCodePoint(Number(code)),
  );
}
