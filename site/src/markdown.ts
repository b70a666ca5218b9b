import MarkdownIt, { type Token } from 'markdown-it'
import { createHighlighter } from 'shiki'
import { headingAnchors } from './heading-anchors.ts'
import { type LinkTargets, resolveLink } from './links.ts'

export interface Heading {
  readonly level: number
  readonly text: string
  readonly anchor: string
}

/** A document as a page shows it. */
export interface RenderedDocument {
  /** Its first heading. */
  readonly title: string
  readonly html: string
  /** Its headings below the first. */
  readonly headings: readonly Heading[]
  /** The text below each heading, for the search. */
  readonly passages: readonly (Heading & { readonly body: string })[]
}

export type RenderDocument = (file: string, text: string) => RenderedDocument

const LANGUAGES = ['ts', 'tsx', 'js', 'json', 'sh', 'console', 'sql', 'python', 'yaml', 'csv', 'html']

/** Makes the function that renders documents: GitHub's Markdown, with coloured code, anchors, and links within the site. */
export async function markdownRenderer(targets: LinkTargets): Promise<RenderDocument> {
  const highlighter = await createHighlighter({
    themes: ['github-light-high-contrast', 'github-dark-high-contrast'],
    langs: LANGUAGES,
  })
  const markdown = new MarkdownIt({
    linkify: false,
    highlight: (code, language) =>
      highlighter.codeToHtml(code.trimEnd(), {
        lang: LANGUAGES.includes(language) ? language : 'text',
        themes: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
        defaultColor: 'light-dark()',
        // The ground is that of the page.
        transformers: [{ pre: node => void delete node.properties['style'] }],
      }),
  })
  // A wide table scrolls by itself, also by keys.
  markdown.renderer.rules['table_open'] = () =>
    '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>'
  markdown.renderer.rules['table_close'] = () => '</table></div>'
  return (file, text) => {
    const tokens = markdown.parse(text, {})
    resolveAddresses(file, tokens, targets)
    const headings = anchorHeadings(tokens)
    const [title, ...rest] = headings
    return {
      title: title?.text ?? file,
      html: markdown.renderer.render(tokens, markdown.options, {}),
      headings: rest.filter(({ level }) => level <= 3),
      passages: passagesOf(tokens, headings),
    }
  }
}

/** Rewrites addresses of links and pictures. What only the repository has, where its address is not known, is no link. */
function resolveAddresses(file: string, tokens: readonly Token[], targets: LinkTargets): void {
  let isPlain = false
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type === 'link_close' && isPlain) token.tag = 'span'
    const name = token.type === 'image' ? 'src' : 'href'
    const target = token.attrGet(name)
    if (typeof target !== 'string') continue
    const address = resolveLink(file, target, targets)
    isPlain = address === undefined
    if (address !== undefined) token.attrSet(name, address)
    else [token.tag, token.attrs] = ['span', null]
    if (token.type === 'image') token.attrSet('loading', 'lazy')
  }
}

const isHeading = ({ type }: Token): boolean => type === 'heading_open'

function anchorHeadings(tokens: readonly Token[]): readonly Heading[] {
  const opened = tokens.flatMap((token, at) => (isHeading(token) ? [{ token, inline: tokens[at + 1] }] : []))
  const anchors = headingAnchors(opened.map(({ inline }) => inline?.content ?? ''))
  return opened.map(({ token, inline }, at) => {
    const anchor = anchors[at] ?? ''
    token.attrSet('id', anchor)
    return { level: Number(token.tag.slice(1)), text: plainText(inline), anchor }
  })
}

const plainText = (inline: Token | undefined): string =>
  (inline?.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('')

/** Each heading with the text up to the next one; code counts, as people search for names. */
function passagesOf(tokens: readonly Token[], headings: readonly Heading[]): RenderedDocument['passages'] {
  const bodies: string[][] = []
  let isTitle = false
  for (const token of tokens) {
    if (isHeading(token)) bodies.push([])
    if (token.type.startsWith('heading_')) isTitle = isHeading(token)
    else if (token.type === 'inline' && !isTitle) bodies.at(-1)?.push(plainText(token))
    else if (token.type === 'fence') bodies.at(-1)?.push(token.content)
  }
  return headings.map((heading, at) => ({ ...heading, body: (bodies[at] ?? []).join(' ') }))
}
