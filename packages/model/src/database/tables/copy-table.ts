import type { PartitionParameters, SourceError } from '@godwit/protocol'
import { quote } from '../../columns/table-shape.js'
import type { SqlRow, Statement } from '../../platform/driver.js'
import type { DeviceDatabase } from '../database.js'
import type { SchemaName } from '../files.js'
import { NEW_SOURCE, readState, StateCell } from '../source-states.js'

/** What the device has of one partition of a source. */
export interface StoredCopy {
  readonly id: number
  readonly parameters: PartitionParameters
  /** The name of the partition: its parameters as canonical JSON. */
  readonly partition: string
  /** Why the server did not deliver it last; null after a page. */
  readonly failure: SourceError | null
}

const COLUMNS = 'id, partition, failure'

/** The copies of partitions. A copy stays as long as the client id, also without rows, because its numbers go on. */
export class CopyTable {
  readonly #sql: (text: string) => Statement

  constructor(database: DeviceDatabase, schema: SchemaName) {
    this.#sql = database.over({ copy: `${quote(schema)}.copy` })
  }

  of(model: string): readonly StoredCopy[] {
    return this.#sql(`SELECT ${COLUMNS} FROM $copy WHERE model = ? ORDER BY id`).all(model).map(copyOf)
  }

  get(id: number): StoredCopy | undefined {
    const row = this.#sql(`SELECT ${COLUMNS} FROM $copy WHERE id = ?`).get(id)
    return row && copyOf(row)
  }

  find(model: string, partition: string): StoredCopy | undefined {
    const row = this.#sql(`SELECT ${COLUMNS} FROM $copy WHERE model = ? AND partition = ?`).get(model, partition)
    return row && copyOf(row)
  }

  /** Returns the copy of a partition, which is created if there is none. */
  open(model: string, partition: string): StoredCopy {
    this.#sql('INSERT OR IGNORE INTO $copy (model, partition) VALUES (?, ?)').run(model, partition)
    return this.find(model, partition) as StoredCopy
  }

  fail(id: number, failure: SourceError | null): void {
    const text = failure && JSON.stringify({ code: failure.code, message: failure.message })
    this.#sql('UPDATE $copy SET failure = ? WHERE id = ? AND failure IS NOT ?').run(text, id, text)
  }

  state(id: number): StateCell {
    return new StateCell({
      read: () => {
        const text = this.#sql('SELECT state FROM $copy WHERE id = ?').get(id)?.['state']
        return typeof text === 'string' ? readState(text) : NEW_SOURCE
      },
      write: state => void this.#sql('UPDATE $copy SET state = ? WHERE id = ?').run(JSON.stringify(state), id),
    })
  }

  clear(model: string): void {
    this.#sql('DELETE FROM $copy WHERE model = ?').run(model)
  }
}

const copyOf = ({ id, partition, failure }: SqlRow): StoredCopy => ({
  id: id as number,
  partition: partition as string,
  parameters: JSON.parse(partition as string) as PartitionParameters,
  failure: typeof failure === 'string' ? (JSON.parse(failure) as SourceError) : null,
})
