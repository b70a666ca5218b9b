/** Text as it stands in HTML, in an attribute too. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, one => `&#${one.charCodeAt(0)};`)

/** A sentence of docs: what stands between backticks is code. */
export const sentence = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')

/** Docs of several paragraphs, with lists of lines that begin with a hyphen. */
export const prose = (text: string): string =>
  text
    .split('\n\n')
    .map(part => (part.startsWith('- ') ? list(part.slice(2).split('\n- ')) : `<p>${sentence(part)}</p>`))
    .join('')

export const list = (items: readonly string[]): string =>
  `<ul>${items.map(item => `<li>${sentence(item)}</li>`).join('')}</ul>`

/** Rows under a head; nothing at all without rows. Cells are HTML. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const line = (cells: readonly string[], tag: string): string => cells.map(cell => `<${tag}>${cell}</${tag}>`).join('')
  const body = rows.map(([first = '', ...rest]) => `<tr><th scope="row">${first}</th>${line(rest, 'td')}</tr>`).join('')
  const heads = head.map(cell => `<th scope="col">${cell}</th>`).join('')
  return `<div class="scroll" tabindex="0"><table><thead><tr>${heads}</tr></thead><tbody>${body}</tbody></table></div>`
}

export interface Shell {
  readonly title: string
  readonly header: string
  readonly main: string
  /** Leads from the page to where style and script are: `docs/` or ''. */
  readonly base: string
}

/** A whole HTML page. */
export const shell = ({ title, header, main, base }: Shell): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}page.css">
<script src="${base}page.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the routes</a>
${header}
${main}
</body>
</html>
`
