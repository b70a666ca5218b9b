import type { Document, Requirement } from './requirement.js'

/** One line: how much of each document is held. */
export function countsPerDocument(documents: readonly Document[]): string {
  const counts = documents.map(({ name, sections }) => `${name} ${heldOf(sections.flatMap(one => one.requirements))}`)
  return `requirements held: ${counts.join(', ')}`
}

/** One line for each section. */
export function countsPerSection(documents: readonly Document[]): readonly string[] {
  const sections = documents.flatMap(document => document.sections)
  const width = Math.max(...sections.map(({ prefix }) => prefix.length))
  return sections.map(({ prefix, requirements }) => {
    const held = heldIn(requirements)
    return `${prefix.padEnd(width)} ${count(requirements.length - held)} planned ${count(held)} held`
  })
}

const heldIn = (all: readonly Requirement[]) => all.filter(({ state }) => state === 'held').length
const heldOf = (all: readonly Requirement[]) => `${heldIn(all)} of ${all.length}`
const count = (number: number) => String(number).padStart(3)
