import type { Attributes } from '@godwit/protocol'
import type { Definition } from '../definition/definition.js'
import { hasMembers } from '../definition/plain-json.js'
import { fitsAsGiven } from './fit.js'

/** Returns a copy of the attributes of a new object; undefined where one of them is missing, unknown or converted. */
export type WholeAttributes = (given: Attributes) => Attributes | undefined

/** The short way of `fit` and `checkComplete` for a typed definition, in one loop; undefined for others. */
export function wholeAttributes(definition: Definition, defaults: Attributes | undefined): WholeAttributes | undefined {
  const { attributes, typed } = definition
  // A name that every object inherits needs a record without a prototype.
  if (!typed || [...attributes.keys()].some(name => name in {})) return undefined
  const required = [...attributes.values()].filter(({ presence }) => presence === 'required').length
  return given => {
    if (!hasMembers(given)) return undefined
    const copy = defaults ? { ...defaults, ...given } : { ...given }
    let found = 0
    for (const name in copy) {
      const [attribute, value] = [attributes.get(name), copy[name]]
      if (!attribute || value === undefined || !fitsAsGiven(attribute, value)) return undefined
      if (attribute.presence === 'required') found++
    }
    return found === required ? copy : undefined
  }
}
