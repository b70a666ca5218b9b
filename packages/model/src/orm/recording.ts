import type { Attributes } from '@godwit/protocol'
import { readFind } from '../query/read-options.js'
import { Finding } from './finding.js'
import { asDeclared } from './lenient.js'
import type { OrmRecord } from './orm-record.js'

/** The methods that make and remove objects. */
export abstract class Recording extends Finding {
  /** A new object, saved. */
  create(attrs: Attributes = {}): OrmRecord {
    const records = this.state.ready()
    return this.record(records.insert(asDeclared(records.definition, attrs)))
  }

  /** A new object that is not saved; its `save` does. */
  make(attrs: Attributes = {}): OrmRecord {
    const record = this.record({ object: this.state.ready().newId(), attributes: {} })
    record.setProperties(attrs)
    return record
  }

  /** Removes what matches `conditions`, joined by `op`, in one transaction; everything without conditions. */
  delete_all(params?: unknown): void {
    this.state.ready().destroyAll(readFind(params))
  }
}
