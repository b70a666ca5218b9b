import type { Attributes, AttributeValue } from '@godwit/protocol'
import { UsageError } from './command.js'

/** Parses texts of the form `NAME=VALUE`; a value is parsed as JSON if possible, else it is text. */
export function assignments(what: string, texts: readonly string[] = []): Attributes {
  return Object.fromEntries(
    texts.map(text => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
      if (name === undefined || value === undefined) throw new UsageError(`${what}: expected NAME=VALUE, got ${text}.`)
      return [name, jsonOrText(value)]
    }),
  )
}

function jsonOrText(text: string): AttributeValue {
  try {
    return JSON.parse(text) as AttributeValue
  } catch {
    return text
  }
}
