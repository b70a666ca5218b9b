/** Width at which Markdown text wraps. */
const COLUMNS = 120

/** Returns the content of `docs/errors.md`, generated from the table of codes. */
export function errorsPage(codes: Readonly<Record<string, string>>, retryable: ReadonlySet<string>): string {
  const entries = Object.entries(codes).map(([code, meaning]) => {
    const text = `${meaning}${retryable.has(code) ? ' The same request may succeed later.' : ''}`
    return `## ${code}\n\n${wrapLines(text)}\n`
  })
  return [`# Errors\n\n${wrapLines(HEAD)}\n`, ...entries].join('\n')
}

function wrapLines(text: string): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`.trimStart()
    if (line.length > COLUMNS) lines.push(word)
    else lines[lines.length - 1] = line
  }
  return lines.join('\n')
}

const HEAD =
  'Every error carries a `code` from this list; on the wire it is an `application/problem+json` with `type`, `title`, ' +
  '`status`, `detail` and `code`. Decide by the code: texts may change. The page is generated from ' +
  '`packages/protocol/src/errors/meanings.ts` by `node scripts/wire-pins.ts`.'
