import type {
  Access,
  AttributesOf,
  FindOptions,
  KeyIn,
  LiveRows,
  NoRelations,
  RowWith,
  TypedModel,
  With,
} from '@godwit/model'
import { use, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { type LiveModel, liveQuery, type SharedQuery } from './live-queries.js'
import { optionKey } from './option-key.js'

/** The result of server rendering, until the page runs in the browser. */
const SERVER_ROWS: LiveRows<never> = { status: 'loading', rows: [], error: undefined }
export const serverRows = (): LiveRows<never> => SERVER_ROWS

/**
 * Returns the rows of `find`, kept up to date. `status` is `loading` until the first rows arrive, and `failed` with an `error` if the query fails;
 * options are compared by value, and when they change, the old rows stay, as `loading`, until the new ones arrive.
 */
export function useQuery<
  Name,
  Ms,
  P extends Access,
  const S extends keyof AttributesOf<Name, Ms> & string = KeyIn<Name, Ms>,
  const W extends With<Name, Ms> = NoRelations,
>(model: TypedModel<Name, Ms, P>, options?: FindOptions<Name, Ms, S, W>): LiveRows<RowWith<Name, Ms, S, W>> {
  return useRows(model, options) as LiveRows<RowWith<Name, Ms, S, W>>
}

/** Like `useQuery`, for a component within Suspense: returns the rows, suspends until the first result, and throws if the query fails. */
export function useSuspenseQuery<
  Name,
  Ms,
  P extends Access,
  const S extends keyof AttributesOf<Name, Ms> & string = KeyIn<Name, Ms>,
  const W extends With<Name, Ms> = NoRelations,
>(model: TypedModel<Name, Ms, P>, options?: FindOptions<Name, Ms, S, W>): readonly RowWith<Name, Ms, S, W>[] {
  const query = useShared(model, options)
  const now = useLive(query)
  // On the server, throw: React sends the fallback, and the browser runs the query.
  if (now === SERVER_ROWS && typeof document === 'undefined') throw noRowsError()
  if (now.status === 'loading') use(query.settled())
  if (now.status === 'failed') throw now.error
  return now.rows as readonly RowWith<Name, Ms, S, W>[]
}

const noRowsError = (): Error =>
  new Error(
    'Rows are not available during server rendering. Wrap the component in <Suspense>: the page shows its fallback first.',
  )

/** Returns the rows of a query. While it loads, the previous rows of the same model and subject stay. */
export function useRows(model: LiveModel, options: unknown, subject?: string): LiveRows<object> {
  const now = useLive(useShared(model, options))
  const displayed = useRef({ model, subject, rows: now.rows })
  useLayoutEffect(() => {
    if (now.status !== 'loading') displayed.current = { model, subject, rows: now.rows }
  })
  const { current } = displayed
  const isKept = now.status === 'loading' && current.model === model && current.subject === subject
  const kept = isKept ? current.rows : now.rows
  return useMemo(() => (kept === now.rows ? now : ({ ...now, rows: kept } as LiveRows<object>)), [now, kept])
}

function useShared(model: LiveModel, options: unknown): SharedQuery {
  const key = optionKey(options)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the value of the options
  return useMemo(() => liveQuery(model, options, key), [model, key])
}

const useLive = (query: SharedQuery): LiveRows<object> =>
  useSyncExternalStore(query.subscribe, query.current, serverRows)
