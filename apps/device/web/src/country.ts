const NAMES = new Intl.DisplayNames('en', { type: 'region' })

/** `France` for `FR`. A code that has no name stays as it is. */
export function countryOf(code: string): string {
  try {
    return NAMES.of(code) ?? code
  } catch {
    return code
  }
}
