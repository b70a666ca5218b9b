import type { Attributes } from '@godwit/protocol'
import type { SourceContext } from '@godwit/server'
import type { SourcePlan } from '../world/plan.js'
import type { BackendEnvironment } from './backend-environment.js'
import { type BackendObjects, withNulls } from './backend-objects.js'
import type { BackendPhotos } from './backend-photos.js'

interface QueryParts {
  readonly plan: SourcePlan
  readonly environment: BackendEnvironment
  readonly objects: BackendObjects
  readonly photos: BackendPhotos
}

/** The requested range of search results. */
interface SearchWindow {
  readonly offset: number
  readonly limit: number
}

/** The queries and searches of one backend. */
export class BackendQueries {
  readonly #plan: SourcePlan
  readonly #environment: BackendEnvironment
  readonly #objects: BackendObjects
  readonly #photos: BackendPhotos
  /** Whether queries read immediately and respond later. */
  isSlow = false
  /** Whether a query has read since this was set to false. */
  hasRead = false

  constructor({ plan, environment, objects, photos }: QueryParts) {
    this.#plan = plan
    this.#environment = environment
    this.#objects = objects
    this.#photos = photos
  }

  async whole(context: SourceContext): Promise<{ [id: string]: Attributes }> {
    const { partition } = context
    if (this.#plan.isAdministered === true) await this.#environment.queryBegins(this.#plan.name, partition)
    await this.#environment.delay(`the query of ${this.#plan.name} reaches the backend`)
    const outcome = this.#environment.queryOutcome(this.#objects.of(partition).size)
    const answer = this.#objects.displayed(partition)
    this.hasRead = true
    while (this.isSlow) await this.#environment.delay(`the query of ${this.#plan.name} takes its time`)
    await this.#environment.delay(`the query of ${this.#plan.name} is answered (${outcome})`)
    if (outcome === 'hangs') return new Promise(() => {})
    if (outcome === 'fails' || outcome === 'breaksOff') throw new Error('the backend is out of order')
    if (outcome === 'nonsense') return 'a page of HTML' as never
    if (outcome === 'nothing') return {}
    if (this.#plan.photos === true) await this.#photos.putAll(answer, context)
    return answer
  }

  /** Returns the requested range of objects, including those that only searches find. */
  async search({ partition, offset, limit }: SourceContext & SearchWindow): Promise<{ [id: string]: Attributes }> {
    await this.#environment.delay(`a search of ${this.#plan.name} reaches the backend`)
    const outcome = this.#environment.queryOutcome(0)
    const found = [...this.#objects.more(partition), ...this.#objects.of(partition)].slice(offset, offset + limit)
    await this.#environment.delay(`a search of ${this.#plan.name} is answered (${outcome})`)
    if (outcome === 'hangs') return new Promise(() => {})
    if (outcome !== 'works') throw new Error('the backend is out of order')
    return Object.fromEntries(found.map(([id, one]) => [id, withNulls(id, one)]))
  }

  /** Returns objects in parts, each with the state at the time of its part. */
  async *parts(context: SourceContext): AsyncGenerator<{ [id: string]: Attributes }> {
    const { partition } = context
    if (this.#plan.isAdministered === true) await this.#environment.queryBegins(this.#plan.name, partition)
    const outcome = this.#environment.queryOutcome(this.#objects.of(partition).size)
    const ids = Object.keys(this.#objects.displayed(partition))
    for (let from = 0; from < ids.length; ) {
      await this.#environment.delay(`the query of ${this.#plan.name} goes on`)
      const part = ids.slice(from, from + 1 + this.#environment.below(4))
      from += part.length
      if (outcome === 'nothing') return
      if (outcome === 'hangs') await new Promise(() => {})
      if (outcome === 'nonsense') yield 'a page of HTML' as never
      const objects = this.#objects.displayed(partition)
      const displayed = Object.fromEntries(part.flatMap(id => (objects[id] === undefined ? [] : [[id, objects[id]]])))
      if (this.#plan.photos === true) await this.#photos.putAll(displayed, context)
      yield displayed
      if (outcome === 'fails' || outcome === 'breaksOff') throw new Error('the backend broke off')
    }
  }
}
