import { codeOf, type Scene } from '../suite.js'
import { collectionVerbs } from './ask-collections.js'
import { journalVerbs } from './ask-journal.js'
import { AnswerMemory } from './memory.js'
import type { Question } from './questions.js'

const verbs = { ...collectionVerbs, ...journalVerbs }

/** Returns a store's answers to a history of questions, each with the head afterwards. */
export async function answersOf(scene: Scene, history: readonly Question[]): Promise<readonly unknown[]> {
  const memory = new AnswerMemory()
  const aliases = new Map<string, string>()
  const answers: unknown[] = []
  for (const question of history) {
    const asked = ask(scene, memory, question)
    const code = await codeOf(asked)
    const head = await scene.store.collections.head(scene.collection)
    answers.push(
      aliased({ ask: question.ask, code, answer: code === 'resolved' ? await asked : undefined, head }, aliases),
    )
  }
  return answers
}

function ask(scene: Scene, memory: AnswerMemory, question: Question): Promise<unknown> {
  const verb = verbs[question.ask] as (scene: Scene, memory: AnswerMemory, question: Question) => Promise<unknown>
  return verb(scene, memory, question)
}

/** Members that each store generates: they are compared by the places where they repeat. */
const MADE_UP = new Set(['epoch', 'mark', 'fence', 'sequence'])

function aliased(value: unknown, aliases: Map<string, string>): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(item => aliased(item, aliases))
  const members = Object.entries(value).map(([name, member]) => {
    if (!MADE_UP.has(name) || typeof member === 'object') return [name, aliased(member, aliases)]
    const key = `${name} ${member}`
    const alias = aliases.get(key) ?? `${name} ${aliases.size}`
    aliases.set(key, alias)
    return [name, alias]
  })
  return Object.fromEntries(members)
}
