import { UsageError } from '../commands/command.js'

/** Reads an integer option; undefined if it is absent. */
export function integer(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^-?\d+$/.test(text)) throw new UsageError(`${option}: expected a whole number, got "${text}".`)
  return Number(text)
}
