import type { ObjectId } from '@godwit/protocol'

type ChangeKind = 'created' | 'updated' | 'deleted'

/** The final change of each object within one transaction. */
export class ObjectChanges {
  readonly #changes = new Map<ObjectId, ChangeKind>()

  get isEmpty(): boolean {
    return this.#changes.size === 0
  }

  of(change: ChangeKind): readonly ObjectId[] {
    return [...this.#changes].flatMap(([object, one]) => (one === change ? [object] : []))
  }

  written(object: ObjectId, wasHere: boolean): void {
    const before = this.#changes.get(object) ?? (wasHere ? 'updated' : 'created')
    this.#changes.set(object, before === 'deleted' ? 'updated' : before)
  }

  removed(object: ObjectId): void {
    if (this.#changes.get(object) === 'created') this.#changes.delete(object)
    else this.#changes.set(object, 'deleted')
  }
}
