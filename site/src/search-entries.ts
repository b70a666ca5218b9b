import { outputOf } from './links.ts'
import type { RenderedDocument } from './markdown.ts'

/** A passage that the search finds: a heading with the text below it. */
export interface SearchEntry {
  readonly id: number
  /** From the root of the site, with the anchor. */
  readonly address: string
  /** The title of the page. */
  readonly page: string
  readonly heading: string
  readonly body: string
}

/** Characters of a passage that can be found and are shown. */
const BODY_LENGTH = 1200

export function searchEntries(
  documents: readonly { readonly file: string; readonly document: RenderedDocument }[],
): readonly SearchEntry[] {
  return documents
    .flatMap(({ file, document: { title, passages } }) =>
      passages.map(({ text, anchor, body }) => ({
        address: `${outputOf(file)}#${anchor}`,
        page: title,
        heading: text,
        body: body.slice(0, BODY_LENGTH),
      })),
    )
    .map((entry, id) => ({ id, ...entry }))
}
