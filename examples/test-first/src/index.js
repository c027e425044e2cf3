/** Where a page with this title lives. */
export async function addressOf(title) {
  const { slug } = await import("./slug.js");
  return `/pages/${slug(title)}`;
}
