import { CONTENTS, type Entry } from './contents.ts'
import { addressFrom, outputOf } from './links.ts'
import type { Heading, RenderedDocument } from './markdown.ts'

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, one => `&#${one.charCodeAt(0)};`)

export interface Shell {
  /** The file of the site that is written: `docs/tutorial.html`. */
  readonly output: string
  readonly title: string
  readonly description: string
  readonly className: string
  readonly body: string
}

const MARK = `<svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0f5c6e"/><path d="M4 15.5c5-.2 8.600-.7 11-3.200C17 10 19 8 22.500 8c2.700 0 4.500 1.600 4.500 4.200 0 6.200-5 11.300-12.500 11.300-3.300 0-6-1-8-2.800 3.400.3 6-.4 8-2.200C10 19 6.500 18 4 15.500z" fill="#fff"/><circle cx="22.700" cy="12" r="1.200" fill="#0f5c6e"/></svg>`

/** A whole page: head, the bar on top, the body, the foot. */
export function shell({ output, title, description, className, body }: Shell): string {
  const to = (target: string): string => addressFrom(output, target)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(description)}">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${to('assets/icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${to('assets/site.css')}">
<script src="${to('assets/site.js')}" defer></script>
</head>
<body class="${className}" data-root="${to('index.html').replace(/index\.html$/, '')}">
<a class="skip" href="#main">Skip to the text</a>
<header class="top">
<a class="brand" href="${to('index.html')}">${MARK}<span>Godwit</span></a>
<nav class="links" aria-label="Site"><a href="${to('docs/tutorial.html')}">Tutorial</a><a href="${to('docs/index.html')}">Docs</a><a href="${to('packages/model/index.html')}">API</a><a href="${to('docs/operating/index.html')}">Operate</a></nav>
<button type="button" class="find" data-find aria-haspopup="dialog"><span>Search</span><kbd>/</kbd></button>
<button type="button" class="scheme" data-scheme aria-label="Light or dark"></button>
</header>
${body}
<footer class="foot"><p>Godwit is free software under the Apache License 2.0. The godwit flies the longest non-stop leg of any bird, and arrives.</p></footer>
<dialog class="search" data-search aria-label="Search"><input type="search" placeholder="Search the documents" aria-label="Search the documents" autocomplete="off" spellcheck="false"><ul></ul><p class="none" role="status"></p></dialog>
</body>
</html>
`
}

/** The page of a document: navigation, text, its headings, and what comes before and after. */
export function documentPage(file: string, { title, html, headings, passages }: RenderedDocument): string {
  const output = outputOf(file)
  const description = (passages[0]?.body ?? title).slice(0, 160)
  return shell({
    output,
    title: title.includes('Godwit') ? title : `${title} · Godwit`,
    description,
    className: 'document',
    body: `<div class="columns">
<nav class="pages" aria-label="Pages"><details><summary>All pages</summary>${navigation(file)}</details></nav>
<main id="main"><article>${html}</article>${neighbours(file)}</main>
${outline(headings)}
</div>`,
  })
}

const navigation = (file: string): string =>
  CONTENTS.map(({ title, entries }) => {
    const items = entries.map(one => `<li>${link(file, one)}</li>`).join('')
    return `<section><h2>${title}</h2><ul>${items}</ul></section>`
  }).join('')

const link = (from: string, { file, label }: Entry): string => {
  const current = file === from ? ' aria-current="page"' : ''
  return `<a href="${addressFrom(outputOf(from), outputOf(file))}"${current}>${escapeHtml(label)}</a>`
}

function outline(headings: readonly Heading[]): string {
  if (headings.length < 2) return ''
  const items = headings.map(
    ({ level, text, anchor }) => `<li class="level-${level}"><a href="#${anchor}">${escapeHtml(text)}</a></li>`,
  )
  return `<nav class="outline" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`
}

function neighbours(file: string): string {
  const all = CONTENTS.flatMap(({ entries }) => entries)
  const at = all.findIndex(one => one.file === file)
  const [before, after] = at === -1 ? [] : [all[at - 1], all[at + 1]]
  const side = (name: string, one: Entry | undefined): string =>
    one === undefined
      ? '<span></span>'
      : `<a class="${name}" href="${addressFrom(outputOf(file), outputOf(one.file))}"><small>${name === 'before' ? 'Previous' : 'Next'}</small>${escapeHtml(one.label)}</a>`
  return `<nav class="neighbours" aria-label="Previous and next page">${side('before', before)}${side('after', after)}</nav>`
}
