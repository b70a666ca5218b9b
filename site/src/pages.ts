import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { CONTENTS } from './contents.ts'

/** The root of the repository, in which every document is. */
export const root = join(import.meta.dirname, '../..')

/** The front page: a hero, and the README below it. */
export const FRONT = 'site/index.md'

/** Returns the Markdown files that are pages: the front page, the navigation's, and every decision. */
export function sitePages(): readonly string[] {
  const decisions = readdirSync(join(root, 'docs/decisions')).filter(name => /^\d.*\.md$/.test(name))
  return [
    FRONT,
    ...CONTENTS.flatMap(({ entries }) => entries.map(({ file }) => file)),
    ...decisions.map(name => `docs/decisions/${name}`),
  ]
}

/** Returns the path of a document in the site, as Markdown: `docs/README.md` is `docs/index.md`. */
export const pathInSite = (file: string): string => file.replace(/^site\//, '').replace(/README\.md$/, 'index.md')

/** Returns the address of a document in the site: `/docs/errors`. */
export const addressOf = (file: string): string => `/${pathInSite(file).replace(/(?:(?<=^|\/)index)?\.md$/, '')}`
