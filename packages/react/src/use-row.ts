import type {
  Access,
  AttributesOf,
  KeyIn,
  LiveRows,
  NoRelations,
  RowOptions,
  RowWith,
  TypedModel,
  With,
} from '@godwit/model'
import { useRows } from './use-query.js'

/** One row, kept up to date. `row` is undefined while loading, if it is not on the device, or without an id. */
export interface LiveRow<Row> {
  readonly row: Row | undefined
  readonly status: LiveRows<Row>['status']
  readonly error: Error | undefined
}

/** Returns the row of `get`, kept up to date. A temporary id still finds its row after a sync. */
export function useRow<
  Name,
  Ms,
  P extends Access,
  const S extends keyof AttributesOf<Name, Ms> & string = KeyIn<Name, Ms>,
  const W extends With<Name, Ms> = NoRelations,
>(
  model: TypedModel<Name, Ms, P>,
  id: string | undefined,
  options?: RowOptions<Name, Ms, S, W>,
): LiveRow<RowWith<Name, Ms, S, W>> {
  const { rows, status, error } = useRows(model, { ...options, conditions: { id: id ?? '' }, limit: 1 }, id)
  return { row: rows[0] as RowWith<Name, Ms, S, W> | undefined, status, error }
}
