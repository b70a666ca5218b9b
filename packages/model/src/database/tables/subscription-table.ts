import type { PartitionParameters } from '@godwit/protocol'
import { quote } from '../../columns/table-shape.js'
import type { SqlRow, Statement } from '../../platform/driver.js'
import type { DeviceDatabase } from '../database.js'
import type { SchemaName } from '../files.js'

/** A partition that the device wants, and who asked for it. */
export interface StoredSubscription {
  readonly partition: string
  readonly parameters: PartitionParameters
  /** The server lists it for the user. */
  readonly isListed: boolean
  /** The app has subscribed. */
  readonly isOfApp: boolean
  /** Milliseconds that rows stay after the last use. */
  readonly keep: number
  /** Lower numbers are pulled first. */
  readonly priority: number
  /** Until when the rows stay after the app unsubscribed, in milliseconds since 1970; null if it does not matter. */
  readonly until: number | null
}

/** What `subscribe` stores. */
export type NewSubscription = Pick<StoredSubscription, 'partition' | 'keep' | 'priority'>

/** The partitions that the device wants. */
export class SubscriptionTable {
  readonly #sql: (text: string) => Statement

  constructor(database: DeviceDatabase, schema: SchemaName) {
    this.#sql = database.over({ subscription: `${quote(schema)}.subscription` })
  }

  of(model: string): readonly StoredSubscription[] {
    return this.#sql('SELECT * FROM $subscription WHERE model = ? ORDER BY priority, partition')
      .all(model)
      .map(subscriptionOf)
  }

  get(model: string, partition: string): StoredSubscription | undefined {
    const row = this.#sql('SELECT * FROM $subscription WHERE model = ? AND partition = ?').get(model, partition)
    return row && subscriptionOf(row)
  }

  subscribe(model: string, { partition, keep, priority }: NewSubscription): void {
    const sql = `INSERT INTO $subscription VALUES (?, ?, 0, 1, ?, ?, NULL) ON CONFLICT (model, partition)
      DO UPDATE SET app = 1, keep = excluded.keep, priority = excluded.priority, until = NULL`
    this.#sql(sql).run(model, partition, keep, priority)
  }

  unsubscribe(model: string, partition: string, now: number): void {
    const sql = 'UPDATE $subscription SET app = 0, until = ? + keep WHERE model = ? AND partition = ? AND app = 1'
    this.#sql(sql).run(now, model, partition)
    this.forgetEnded(model, now)
  }

  /** Replaces the list of the server. */
  list(model: string, partitions: readonly string[]): void {
    const isListed = 'partition IN (SELECT value FROM json_each(?))'
    const text = JSON.stringify(partitions)
    this.#sql(`UPDATE $subscription SET listed = 0 WHERE model = ? AND listed = 1 AND NOT ${isListed}`).run(model, text)
    const sql = `INSERT INTO $subscription SELECT ?, value, 1, 0, 0, ?, NULL FROM json_each(?) WHERE true
      ON CONFLICT (model, partition) DO UPDATE SET listed = 1 WHERE listed = 0`
    this.#sql(sql).run(model, DEFAULT_PRIORITY, text)
  }

  /** Removes what neither the server nor the app wants any longer. */
  forgetEnded(model: string, now: number): void {
    const sql = 'DELETE FROM $subscription WHERE model = ? AND listed = 0 AND app = 0 AND ifnull(until, 0) <= ?'
    this.#sql(sql).run(model, now)
  }

  remove(model: string, partition: string): void {
    this.#sql('DELETE FROM $subscription WHERE model = ? AND partition = ?').run(model, partition)
  }

  clear(model: string): void {
    this.#sql('DELETE FROM $subscription WHERE model = ?').run(model)
  }
}

export const DEFAULT_PRIORITY = 1000

const subscriptionOf = (row: SqlRow): StoredSubscription => ({
  partition: row['partition'] as string,
  parameters: JSON.parse(row['partition'] as string) as PartitionParameters,
  isListed: row['listed'] === 1,
  isOfApp: row['app'] === 1,
  keep: row['keep'] as number,
  priority: row['priority'] as number,
  until: row['until'] as number | null,
})
