import { dirname, join, normalize, relative } from 'node:path/posix'

/** The folder of pictures, which the site has as it is. */
export const PICTURES = 'docs/pictures'

/** Where a Markdown file of the repository stands in the site: `docs/tutorial.md` is `docs/tutorial.html`. */
export const outputOf = (file: string): string => file.replace(/README\.md$/, 'index.html').replace(/\.md$/, '.html')

/** The address of one file of the site on a page of it; addresses are relative, so that the site works in any folder. */
export const addressFrom = (page: string, target: string): string => relative(dirname(page), target)

export interface LinkTargets {
  /** The Markdown files that are pages. */
  readonly pages: ReadonlySet<string>
  /** The address of the repository's files, with a slash at its end; undefined: links to them are plain text. */
  readonly repository: string | undefined
}

/** The address of what a document links to: a page or picture of the site, or elsewhere. Undefined: a file that only the repository has, whose address is not known. */
export function resolveLink(from: string, target: string, { pages, repository }: LinkTargets): string | undefined {
  if (/^([a-z]+:|#)/.test(target)) return target
  const [path = '', anchor] = target.split('#')
  const file = normalize(join(dirname(from), decodeURIComponent(path))).replace(/\/$/, '')
  const page = [file, `${file}/README.md`].find(one => pages.has(one))
  if (page === undefined && !file.startsWith(PICTURES)) return repository && repository + file
  const address = addressFrom(outputOf(from), page === undefined ? file : outputOf(page))
  return anchor === undefined ? address : `${address}#${anchor}`
}
