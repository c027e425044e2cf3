// What the parts of the project are about. The first ones are words; where more are asked for, words with numbers.
const WORDS = [
  ...["product", "order", "customer", "supplier", "warehouse", "shipment", "invoice", "payment", "coupon"],
  ...["brand", "review", "carrier", "contract", "project", "budget", "asset", "ticket", "vehicle", "route"],
  ...["driver", "tenant", "channel", "campaign", "audience", "template", "message", "device", "sensor"],
];

/** `count` names beginning with the `from`th: how one is written as a name, as a type, and of many. */
export function namesOf(from, count) {
  return Array.from({ length: count }, (_, i) => {
    const at = from + i;
    const round = Math.floor(at / WORDS.length);
    const word = WORDS[at % WORDS.length];
    const one = round === 0 ? word : `${word}${round + 1}`;
    return { at, one, many: `${one}s`, Type: one[0].toUpperCase() + one.slice(1) };
  });
}

/** Files as [path, text], the text without the gap that stands before it here. */
export const file = (path, text) => [path, `${text.replace(/^\n/, "").trimEnd()}\n`];
