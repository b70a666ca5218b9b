import { UsageError } from './command.js'

/** Returns `{ [name]: value }`, or `{}` if the option was not given. Throws `UsageError` unless its text is an allowed value. */
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
