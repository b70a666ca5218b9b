import { UsageError } from './command.js'

/** `{ [name]: number }` if the text of an option is a whole number, nothing if it was not given. */
export function wholeNumberOption<Name extends string>(
  option: string,
  text: string | undefined,
  name: Name,
): { readonly [N in Name]?: number } {
  if (text === undefined) return {}
  if (!/^-?\d{1,15}$/.test(text)) throw new UsageError(`${option}: expected a whole number, got ${text}.`)
  return { [name]: Number(text) } as { readonly [N in Name]?: number }
}
