import type { Attributes } from '@godwit/protocol'
import type { SourceContext } from '@godwit/server'
import type { BackendObjects } from './backend-objects.js'
import type { SourcePlan } from './plan.js'
import type { Surroundings } from './surroundings.js'

/** How one backend answers queries. */
export class BackendQueries {
  readonly #plan: SourcePlan
  readonly #around: Surroundings
  readonly #objects: BackendObjects
  /** They have looked, and answer later. */
  isSlow = false
  /** One has looked since this was set to false. */
  hasRead = false

  constructor(plan: SourcePlan, around: Surroundings, objects: BackendObjects) {
    this.#plan = plan
    this.#around = around
    this.#objects = objects
  }

  async whole({ partition }: SourceContext): Promise<{ [id: string]: Attributes }> {
    await this.#around.moment(`the query of ${this.#plan.name} reaches the backend`)
    const fate = this.#around.queryFate(this.#objects.of(partition).size)
    const answer = this.#objects.shown(partition)
    this.hasRead = true
    while (this.isSlow) await this.#around.moment(`the query of ${this.#plan.name} takes its time`)
    await this.#around.moment(`the query of ${this.#plan.name} is answered (${fate})`)
    if (fate === 'hangs') return new Promise(() => {})
    if (fate === 'fails' || fate === 'breaksOff') throw new Error('the backend is out of order')
    if (fate === 'nonsense') return 'a page of HTML' as never
    return fate === 'nothing' ? {} : answer
  }

  /** In parts, each as it stands when it is its turn. */
  async *parts({ partition }: SourceContext): AsyncGenerator<{ [id: string]: Attributes }> {
    const fate = this.#around.queryFate(this.#objects.of(partition).size)
    const ids = Object.keys(this.#objects.shown(partition))
    for (let from = 0; from < ids.length; ) {
      await this.#around.moment(`the query of ${this.#plan.name} goes on`)
      const part = ids.slice(from, from + 1 + this.#around.below(4))
      from += part.length
      if (fate === 'nothing') return
      if (fate === 'hangs') await new Promise(() => {})
      if (fate === 'nonsense') yield 'a page of HTML' as never
      const objects = this.#objects.shown(partition)
      yield Object.fromEntries(part.flatMap(id => (objects[id] === undefined ? [] : [[id, objects[id]]])))
      if (fate === 'fails' || fate === 'breaksOff') throw new Error('the backend broke off')
    }
  }
}
