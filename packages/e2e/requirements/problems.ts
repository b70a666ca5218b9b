import type { Citation } from './citations.js'
import type { Document, Requirement } from './requirement.js'

const wellFormed = /^(rest|model)(\.[a-z0-9]+(-[a-z0-9]+)*){2,}$/

/** What is wrong between the manifest and the tests that cite it, one message each. */
export function problemsOf(documents: readonly Document[], citations: readonly Citation[]): readonly string[] {
  const all = documents.flatMap(({ sections }) => sections).flatMap(section => section.requirements)
  return [...misshapen(all), ...repetitionsIn(all), ...unshown(all, citations), ...untrue(all, citations)]
}

function misshapen(all: readonly Requirement[]): readonly string[] {
  return all.flatMap(({ id, says }) => [
    ...(wellFormed.test(id) ? [] : [`${id}: an id is document.section.name, in lower case with dots and hyphens.`]),
    ...(says.trim() === '' ? [`${id}: the sentence is empty.`] : []),
    ...(says.trim() === '' || says.endsWith('.') ? [] : [`${id}: the sentence does not end in a full stop.`]),
  ])
}

function repetitionsIn(all: readonly Requirement[]): readonly string[] {
  return [
    ...twice(all.map(({ id }) => id)).map(id => `${id}: the id stands twice in the manifest.`),
    ...twice(all.map(({ says }) => says)).map(says => `“${says}” stands twice in the manifest.`),
  ]
}

function unshown(all: readonly Requirement[], citations: readonly Citation[]): readonly string[] {
  const cited = new Set(citations.map(({ id }) => id))
  return all
    .filter(({ id, state }) => state === 'held' && !cited.has(id))
    .map(
      ({ id }) => `${id} is held, but no test that runs cites it: hand it to verifies in a test or turn it to planned.`,
    )
}

function untrue(all: readonly Requirement[], citations: readonly Citation[]): readonly string[] {
  const states = new Map(all.map(({ id, state }) => [id, state]))
  return citations.flatMap(({ id, file }) => {
    if (!states.has(id)) return [`${id} is cited by ${file}, but the manifest has no such id.`]
    if (states.get(id) === 'planned') return [`${id} is cited by ${file}, but still planned: turn it to held.`]
    return []
  })
}

const twice = (texts: readonly string[]) => [...new Set(texts.filter((text, index) => texts.indexOf(text) !== index))]
