/** The message for a failed file operation: SQLite's text, the browser's reason, and what to do. */
export function fileFailure(said: string, fileError: unknown): string {
  const { name = '', message = fileError } = (fileError ?? {}) as Partial<Error>
  const reason = name === 'Error' || name === '' ? message : `${name}: ${message}`
  const because = fileError === undefined ? '' : ` (${String(reason).replace(/\.$/, '')})`
  return `${said}${because}. Close the other tabs of this app, and reload this one`
}
