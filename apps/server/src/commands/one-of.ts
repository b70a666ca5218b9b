import { UsageError } from './command.js'

/** `{ [name]: value }` if the text of an option is one of those allowed, nothing if it was not given. */
export function oneOf<Name extends string, Allowed extends string>(
  name: Name,
  text: string | undefined,
  allowed: readonly Allowed[],
): { readonly [N in Name]?: Allowed } {
  if (text === undefined) return {}
  const found = allowed.find(one => one === text)
  if (found === undefined) throw new UsageError(`--${name}: expected one of ${allowed.join(', ')}, got ${text}.`)
  return { [name]: found } as { readonly [N in Name]?: Allowed }
}
