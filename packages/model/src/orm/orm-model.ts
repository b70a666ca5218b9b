import type { Attributes, ObjectId } from '@godwit/protocol'
import { Syncing } from './syncing.js'

/**
 * The model class of the document, NewORMModel. Definition, properties, finding, records and sync have a file each; this one has the
 * names that have a replacement.
 */
export class OrmModel extends Syncing {
  /** @deprecated Use `canModify`. */
  can_modify(objId: ObjectId): boolean {
    return this.canModify(objId)
  }

  /** @deprecated Use `anyChangedObjects`. */
  'changed?'(): boolean {
    return this.changed()
  }

  /** @deprecated Use `Sdk.clientId()`. Null before there is one. */
  client_id(): string | null {
    return this.state.device.clientId()
  }

  /** @deprecated Use `getCount`. */
  count(): number {
    return this.getCount()
  }

  /** @deprecated Use `delete_all`. */
  deleteAll(params?: unknown): void {
    this.delete_all(params)
  }

  /** @deprecated Use `find('all')`. Attributes by id. */
  find_all(): { readonly [object: ObjectId]: Attributes } {
    return Object.fromEntries(this.find('all').map(({ object, attributes }) => [object, attributes]))
  }

  /** @deprecated Use `getBackendRefreshTime`. */
  backend_refresh_time(): string {
    return this.getBackendRefreshTime()
  }

  /** @deprecated Use the property `source_id`. */
  get_source_id(): { readonly source_id: number } {
    return { source_id: this.source_id }
  }

  /** @deprecated Use the property `model_name`. */
  get_source_name(): { readonly source_name: string } {
    return { source_name: this.model_name }
  }

  /** @deprecated Use `pushChanges`. */
  push_changes(): Promise<void> {
    return this.pushChanges()
  }
}
