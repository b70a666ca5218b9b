import type { ObjectId } from '@godwit/protocol'
import type { SdkEvent } from './sdk-events.js'

/** One object of a source. */
export interface NotifiedObject {
  readonly source_name: string
  readonly object: ObjectId
}

/** What a sync did to the objects registered by the app. */
export interface ObjectNotification {
  readonly created: readonly NotifiedObject[]
  readonly updated: readonly NotifiedObject[]
  readonly deleted: readonly NotifiedObject[]
}

/** Called with what a sync did to the objects registered by the app. */
export type ObjectNotificationHandler = (notification: ObjectNotification) => void

/** One handler and its objects; none means all. `idOf` returns the current id of an object. */
export class ObjectNotifications {
  readonly #registered = new Map<string, Set<ObjectId>>()
  readonly #idOf: (source: string, object: ObjectId) => ObjectId
  #handler: ObjectNotificationHandler | undefined

  constructor(idOf: (source: string, object: ObjectId) => ObjectId) {
    this.#idOf = idOf
  }

  set(handler: ObjectNotificationHandler | undefined): void {
    this.#handler = handler
  }

  add(source: string, object: ObjectId): void {
    this.#registered.set(source, (this.#registered.get(source) ?? new Set()).add(object))
  }

  remove(source: string, object: ObjectId): void {
    const objects = this.#registered.get(source)
    if (!objects) return
    const id = this.#idOf(source, object)
    for (const one of objects) if (one === object || this.#idOf(source, one) === id) objects.delete(one)
    if (objects.size === 0) this.#registered.delete(source)
  }

  /** Notifies about registered objects. */
  notify(event: SdkEvent): void {
    if (event.kind !== 'objects' || !this.#handler) return
    const { source } = event
    const ids = new Set(
      [...(this.#registered.get(source) ?? [])].flatMap(object => [object, this.#idOf(source, object)]),
    )
    const notifiedOf = (objects: readonly ObjectId[]): readonly NotifiedObject[] =>
      objects
        .filter(object => this.#registered.size === 0 || ids.has(object))
        .map(object => ({ source_name: source, object }))
    const [created, updated, deleted] = [
      notifiedOf(event.created),
      notifiedOf(event.updated),
      notifiedOf(event.deleted),
    ]
    if (created.length + updated.length + deleted.length > 0) this.#handler({ created, updated, deleted })
  }
}
