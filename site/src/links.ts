import { existsSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path/posix'
import type { MarkdownRenderer } from 'vitepress'
import { FRONT, pathInSite, root } from './pages.ts'

type Token = ReturnType<MarkdownRenderer['parse']>[number]

export interface LinkTargets {
  /** The Markdown files that are pages. */
  readonly pages: ReadonlySet<string>
  /** The address of the repository's files, with a slash at its end; undefined: links to them are plain text. */
  readonly repository: string | undefined
}

/**
 * A plugin of markdown-it for links as GitHub resolves them, relative to the file in the repository: to another page they lead
 * there, to any other file they lead to the repository. A picture `…-light.webp` is exchanged for its `…-dark.webp`, if there
 * is one, in dark mode.
 */
export function repositoryLinks(markdown: MarkdownRenderer, targets: LinkTargets): void {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    const file = relative(root, (env.realPath ?? env.path) as string)
    // The front page includes the README, whose links are relative to the root, and has the title in its hero.
    const from = file === FRONT ? 'README.md' : file
    if (file === FRONT && tokens[0]?.type === 'heading_open') tokens.splice(0, 3)
    const inline = tokens.flatMap(({ children }) => children ?? [])
    resolveLinks(inline, target => resolveLink(from, target, targets))
    for (const token of inline) if (token.type === 'image') movePicture(token, { from, file })
  })
  const image = markdown.renderer.rules.image
  markdown.renderer.rules.image = (tokens, index, options, env, self) => {
    const token = tokens[index] as Token
    const render = (): string => image?.(tokens, index, options, env, self) ?? ''
    const dark = token.meta?.['dark'] as string | undefined
    if (dark === undefined) return render()
    token.attrJoin('class', 'light-only')
    const light = render()
    token.attrSet('class', 'dark-only')
    token.attrSet('src', dark)
    return light + render()
  }
}

function resolveLinks(tokens: readonly Token[], resolve: (target: string) => string | undefined): void {
  let isPlain = false
  for (const token of tokens) {
    if (token.type === 'link_close' && isPlain) token.tag = 'span'
    const target = token.type === 'link_open' ? token.attrGet('href') : null
    if (target === null) continue
    const address = resolve(target)
    isPlain = address === undefined
    if (address !== undefined) token.attrSet('href', address)
    else [token.tag, token.attrs] = ['span', null]
  }
}

/** Returns the address of a link's target; undefined for a file of the repository, whose address is unknown. */
export function resolveLink(from: string, target: string, { pages, repository }: LinkTargets): string | undefined {
  if (/^([a-z]+:|#|\/)/.test(target)) return target
  const [path = '', anchor] = target.split('#')
  const file = normalize(join(dirname(from), decodeURIComponent(path))).replace(/\/$/, '')
  if (file === 'README.md') return '/'
  const page = [file, `${file}/README.md`].find(one => pages.has(one))
  if (page === undefined) return repository && repository + file
  return `/${pathInSite(page)}${anchor === undefined ? '' : `#${anchor}`}`
}

function movePicture(token: Token, { from, file }: { readonly from: string; readonly file: string }): void {
  const source = token.attrGet('src') ?? ''
  if (/^([a-z]+:|\/)/.test(source)) return
  const path = join(dirname(from), source)
  const address = (picture: string): string => `./${relative(dirname(file), picture)}`
  token.attrSet('src', address(path))
  const dark = path.replace(/-light\.webp$/, '-dark.webp')
  if (dark !== path && existsSync(join(root, dark))) token.meta = { dark: address(dark) }
}
