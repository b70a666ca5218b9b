import type { Outcome, Page } from '@godwit/protocol'
import type { SimulatedWorld } from '../world/world.js'
import { Violation } from './violation.js'

/** Checks that each response to a push reports all of its changes in doubt, whether acknowledged or not. */
export function checkDoubtsInAnswers({ foreign }: SimulatedWorld, outcomes: readonly Outcome[]): void {
  const named = new Set(outcomes.map(({ number }) => number))
  for (const { number, key } of foreign.unanswered) {
    if (foreign.statuses.get(number) === 'in_doubt' && !named.has(number))
      throw new Violation('who asks about a doubt is told of it', `${key} was in doubt, the answer does not name it`)
  }
}

/** Checks that the rows received in a slow pass match the checksum of its last page. */
export function checkSlowPass({ foreign }: SimulatedWorld, { more, checksum }: Page): void {
  const sum = foreign.checksum()
  if (more || checksum === undefined || checksum === sum) return
  throw new Violation('a slow pass ends with what there is', `the rows of ${foreign.login} are ${sum}, not ${checksum}`)
}

/** Checks that changes of one object reached the backend in the order of its device. */
export function checkChangeOrder({ backends, foreign, observations }: SimulatedWorld): void {
  for (const { effects, plan } of backends.values()) {
    const last = new Map<string, number>()
    const seen = new Set<string>()
    for (const { key, object, partition } of effects) {
      const sent = observations.key(key)
      if (partition !== foreign.login || sent?.outcome?.status !== 'applied' || seen.has(key)) continue
      seen.add(key)
      const { number } = sent.mutation
      const [client] = [...sent.clients]
      const line = JSON.stringify([client, object])
      if (number < (last.get(line) ?? 0))
        throw new Violation(
          'changes of one object are made in their order',
          `${plan.name} ${object}: ${key} came after ${last.get(line)}`,
        )
      last.set(line, number)
    }
  }
}
