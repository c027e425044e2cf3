import type { Diagnostic } from "../../core/source.ts";
import { packageFindings } from "../../formats/cpo/dependencies.ts";
import type { Doc } from "../../formats/cpo/fields.ts";
import { ecosystems, type ListName, wishesOfDesign } from "../align/wish.ts";

/** What cannot be installed is an error. What is not pinned is only warned of: aligning the dependencies finds the version. */
export function checkPackages(doc: Doc): Diagnostic[] {
  const wishes = wishesOfDesign(doc);
  return ecosystems.flatMap((ecosystem) => {
    const of = (list: ListName) =>
      wishes.filter((wish) => wish.ecosystem === ecosystem && wish.list === list).map(({ spec }) => spec);
    const lists = { remove: of("remove"), upgrade: of("upgrade"), add: of("add"), add_dev: of("add_dev") };
    return packageFindings(lists, ecosystem);
  });
}
