import fc from "fast-check";

/** Every character that there is, as the unit of texts. fast-check's own "binary" is the same, and takes a second to be made. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((n) => String.fromCodePoint(n < 0xd800 ? n : n + 0x800)); // halves of characters are none
