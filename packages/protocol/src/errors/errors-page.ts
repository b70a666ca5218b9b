/** `docs/errors.md`, made from the table of codes. */
export function errorsPage(codes: Readonly<Record<string, string>>, retryable: ReadonlySet<string>): string {
  const entries = Object.entries(codes).map(
    ([code, meaning]) =>
      `## ${code}\n\n${meaning}${retryable.has(code) ? ' The same request may succeed later.' : ''}\n`,
  )
  return [HEAD, ...entries].join('\n')
}

const HEAD = `# Errors

Every error carries a \`code\` from this list; on the wire it is an \`application/problem+json\` with \`type\`, \`title\`, \`status\`, \`detail\` and \`code\`. Decide by the code: texts may change.
Made from \`packages/protocol/src/errors/codes.ts\` by \`node scripts/errors-page.ts\`.
`
