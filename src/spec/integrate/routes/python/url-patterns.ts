import { reasons } from "../../reasons.ts";
import { gap, joined, known, type PathText } from "./path-text.ts";

/** `<int:pk>` is `{pk}`. */
export function withBraces(text: PathText): PathText {
  const plain = (part: string) => part.replaceAll(/<(?:[^<>]*:)?(\w+)>/g, "{$1}");
  return { ...text, lead: plain(text.lead), tail: plain(text.tail) };
}

const GROUP = /\(\?P<(\w+)>(?:[^()[\]]|\[[^\]]*\])*\)|\((?:[^()?[\]]|\[[^\]]*\])(?:[^()[\]]|\[[^\]]*\])*\)/g;

/** A regular expression that is words and groups only; of others, what it begins with. */
export function ofPattern(text: PathText): PathText {
  if (text.gap !== null) return text;
  const bare = text.lead
    .replace(/^\^/, "")
    .replace(/\/?\??\$$|\\Z$/, (end) => (end.startsWith("/") ? "/" : ""));
  // What takes everything, or everything else, is a parameter.
  const open = bare.replaceAll(/\(\?[!=][^()]*\)/g, "").replaceAll(/(?<![\])\w])\.[*+]/g, "{rest}");
  const named = open.replaceAll(GROUP, (_, name: string | undefined) => `{${name ?? "x"}}`);
  const plain = named.replaceAll(/\\([./_-])/g, "$1");
  const strange = plain.search(/[\\^$|?*+()[\]]/);
  if (strange === -1) return known(plain);
  return joined(known(plain.slice(0, strange)), gap(reasons.regularExpression));
}
