import axe from "axe-core";
import type { Page } from "playwright-core";

/** What this part of the page has against WCAG 2 A and AA, a line a finding. */
export async function axeFindings(page: Page, part: string): Promise<string[]> {
  // Not as a script of the page, which its own rules would refuse.
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe.source);
  const rules = '{ runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"], resultTypes: ["violations"] }';
  const { violations } = (await page.evaluate(`axe.run("${part}", ${rules})`)) as Pick<
    axe.AxeResults,
    "violations"
  >;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** How many pixels wider the page is than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - innerWidth") as Promise<number>;
