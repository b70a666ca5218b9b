import { UsageError } from './command.js'

/** Returns `{ [name]: number }`, or `{}` if the option was not given. Throws `UsageError` unless its text is a whole number. */
export function wholeNumberOption<Name extends string>(
  option: string,
  text: string | undefined,
  name: Name,
): { readonly [N in Name]?: number } {
  if (text === undefined) return {}
  if (!/^-?\d{1,15}$/.test(text)) throw new UsageError(`${option}: expected a whole number, got ${text}.`)
  return { [name]: Number(text) } as { readonly [N in Name]?: number }
}
