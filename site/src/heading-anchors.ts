/** Returns GitHub's anchor of a heading, before duplicates are numbered. */
const slugOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-')

/** Returns the anchors of a page's headings, in order. */
export const headingAnchors = (headings: readonly string[]): readonly string[] =>
  headings.map(slugOf).map((slug, at, slugs) => {
    const times = slugs.slice(0, at).filter(other => other === slug).length
    return times === 0 ? slug : `${slug}-${times}`
  })
