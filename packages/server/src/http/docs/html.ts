/** Escapes text for HTML, also within attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, one => `&#${one.charCodeAt(0)};`)

/** Returns a sentence of docs as HTML, with text between backticks as code. */
export const sentence = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')

/** Returns docs of several paragraphs as HTML; lines that begin with a hyphen become lists. */
export const prose = (text: string): string =>
  text
    .split('\n\n')
    .map(part => (part.startsWith('- ') ? list(part.slice(2).split('\n- ')) : `<p>${sentence(part)}</p>`))
    .join('')

export const list = (items: readonly string[]): string =>
  `<ul>${items.map(item => `<li>${sentence(item)}</li>`).join('')}</ul>`

/** Returns a table with a head; '' without rows. Cells are HTML. */
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
  /** The relative path from the page to its style and script: `docs/` or ''. */
  readonly base: string
}

/** Returns a whole HTML page. */
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
