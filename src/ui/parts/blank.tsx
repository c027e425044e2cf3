import type { ComponentChildren } from "preact";
import { SourceError } from "../source/source.ts";

type BlankProps = {
  readonly title: string;
  readonly sign?: ComponentChildren;
  readonly children?: ComponentChildren;
};

/** Where there is nothing to show: a title, one sentence, and what to do about it. */
export function Blank({ title, sign, children }: BlankProps) {
  return (
    <section class="blank">
      {sign}
      <h1>{title}</h1>
      {children}
    </section>
  );
}

/** The names of the columns of a table. */
export function HeadRow({ names }: { readonly names: readonly string[] }) {
  return (
    <tr>
      {names.map((name) => (
        <th key={name} scope="col">
          {name}
        </th>
      ))}
    </tr>
  );
}

export function Loading({ what }: { readonly what: string }) {
  return <Blank title={`Loading ${what}`} />;
}

export function Problem({ error }: { readonly error: Error }) {
  return (
    <Blank title={error.message}>
      <p>{error instanceof SourceError ? error.hint : "Reload the page."}</p>
    </Blank>
  );
}
