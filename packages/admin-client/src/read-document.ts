import { type DocumentContent, type Parameters, type Route, SyncError } from '@godwit/protocol'
import { type AnyRequestValues, call, isText, respond } from './call.js'
import type { CallOptions, ServerConnection } from './connection.js'
import { membersOf, type StreamedObject } from './stream.js'

/** Options of reading a document. */
export interface ReadOptions extends CallOptions {
  /** If true, returns the objects of the document one by one as they arrive, for documents of any size. Default false. */
  readonly stream?: boolean
}

/** The whole document or, with `stream`, its objects in the server's order. A stream may be left at any time. */
export type DocumentResult<Options> = Options extends { readonly stream: true }
  ? AsyncIterable<StreamedObject>
  : Promise<DocumentContent>

export function readDocument<R extends Route<{ answer: DocumentContent }>, Options extends ReadOptions>(
  connection: ServerConnection,
  route: R,
  parameters: Parameters<R>,
  { stream, signal }: Options,
): DocumentResult<Options> {
  const values: AnyRequestValues = { parameters, ...(signal && { signal }) }
  const read = stream ? objectsOf(connection, route, values) : contentOf(connection, route, values)
  return read as DocumentResult<Options>
}

const contentOf = (connection: ServerConnection, route: Route, values: AnyRequestValues): Promise<DocumentContent> =>
  call(connection, route as Route<{ answer: DocumentContent }>, values as never)

async function* objectsOf(
  connection: ServerConnection,
  route: Route,
  values: AnyRequestValues,
): AsyncGenerator<StreamedObject> {
  const response = await respond(connection, route, values)
  if (response.body === null) return
  if (isText(response)) {
    await response.body.cancel()
    throw new SyncError('kind_differs', 'expected a document of objects, got text. Read it without `stream`.')
  }
  yield* membersOf(response.body, values.signal)
}
