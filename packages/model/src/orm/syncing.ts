import type { Attributes, ObjectId } from '@godwit/protocol'
import type { Refusal, RefusalRef } from '../device.js'
import { checkAction, type RefusalAction } from '../records/resolve-refusal.js'
import { asDeclared } from './lenient.js'
import { Recording } from './recording.js'

type Named = ObjectId | { readonly object?: ObjectId | undefined }

/** The methods about what the server has not decided, or has refused. */
export abstract class Syncing extends Recording {
  anyChangedObjects(): boolean {
    return this.state.ready().anyChanges()
  }

  /** Whether any object has changes that the server has not decided. */
  changed(): boolean {
    return this.anyChangedObjects()
  }

  /** True for an object that was created, updated or deleted and not decided by the server. Always false for a model that does not sync. */
  hasChanges(objId: ObjectId): boolean {
    return this.state.ready().hasChanges(objId)
  }

  /** False while a change of it is in a request. */
  canModify(objId: ObjectId): boolean {
    return this.state.ready().canModify(objId)
  }

  /** Failures go to notifications and to the refused list, never to the promise: it may be ignored. */
  pushChanges(): Promise<void> {
    this.state.ready()
    return this.state.device.pushChanges(this.state.name)
  }

  /** When a pass was last complete: ISO 8601, '' before the first. */
  getBackendRefreshTime(): string {
    this.state.ready()
    return this.state.device.refreshTime(this.state.name)
  }

  /** Hears of every refused change; what it does not settle by one of the methods below stays rolled back and listed. */
  onRefused(handler: ((refusal: Refusal) => void) | undefined): void {
    this.state.ready()
    this.state.device.onRefused(this.state.name, handler)
  }

  /** `delete` leaves the refused objects away, `recreate` makes them again. */
  onSyncCreateError(objects: readonly Named[], action: 'delete' | 'recreate'): void {
    const ids = objects.map(one => (typeof one === 'string' ? one : one.object)).filter(id => id !== undefined)
    this.#resolve(ids, { operation: 'create' }, action)
  }

  /**
   * `rollback` leaves the object as it was, `retry` changes it again: to these attributes or, when they are empty, to those refused.
   * Of several refused updates it is the one of these attributes, else the latest. One to retry whose object is gone stays listed.
   */
  onSyncUpdateError(objId: ObjectId, attrs: Attributes, _rollback: Attributes, action: 'retry' | 'rollback'): void {
    this.#resolve([objId], { operation: 'update', attributes: asDeclared(this.state.definition, attrs) }, action)
  }

  /** `retry` deletes it again. */
  onSyncDeleteError(objId: ObjectId, _attrs: Attributes, action: 'retry'): void {
    this.#resolve([objId], { operation: 'delete' }, action)
  }

  #resolve(
    objects: readonly ObjectId[],
    refused: Pick<RefusalRef, 'operation' | 'attributes'>,
    action: RefusalAction,
  ): void {
    checkAction(refused.operation, action)
    const { device, name: model } = this.state
    this.state.ready()
    device.transaction(() => {
      for (const object of objects) device.resolveRefusal({ model, object, ...refused }, action)
    })
  }
}
