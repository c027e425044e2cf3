/** As `Co-Authored-By` names an agent: the address that its vendor uses, else one without an owner. */
export function formatCoAuthor({ name, title }: { readonly name: string; readonly title: string }): string {
  const known = ADDRESSES[name];
  return known ?? `${title.replaceAll(/[<>\s]+/g, " ").trim()} <${name}@localhost>`;
}

const ADDRESSES: { readonly [agent: string]: string } = {
  claude: "Claude <noreply@anthropic.com>",
  codex: "Codex <noreply@openai.com>",
};
