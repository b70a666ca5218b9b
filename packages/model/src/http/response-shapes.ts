import type {
  BlobUploaded,
  BulkData,
  ClientCreated,
  DeviceSession,
  GotObjects,
  PartitionPages,
  PushOutcomes,
  SearchResults,
  Versions,
} from '@godwit/protocol'
import { notTheServer } from './failures.js'
import type { ReadPage } from './read-page.js'

/** The members, with their types, that the device needs in an answer. */
export type AnswerShape<T> = { readonly [Name in keyof T]?: 'string' | 'number' | 'boolean' | 'object' | 'array' }

export const SESSION: AnswerShape<DeviceSession> = { login: 'string', user_id: 'string', session: 'string' }
export const CLIENT: AnswerShape<ClientCreated> = { client: 'object' }
export const PUSHED: AnswerShape<PushOutcomes> = { epoch: 'string', outcomes: 'array' }
export const VERSIONS: AnswerShape<Versions> = { epoch: 'string', versions: 'object' }
export const OBJECTS: AnswerShape<GotObjects> = { epoch: 'string', objects: 'object', versions: 'object' }
export const UPLOADED: AnswerShape<BlobUploaded> = { received: 'number', complete: 'boolean' }
export const BULK: AnswerShape<BulkData> = { status: 'string' }
export const FOUND: AnswerShape<SearchResults> = { results: 'object' }
export const PAGES: AnswerShape<PartitionPages> = { pages: 'array', partitions: 'array' }
export const PAGE: AnswerShape<ReadPage> = {
  epoch: 'string',
  token: 'string',
  pass: 'string',
  count: 'number',
  total_count: 'number',
}

/** Checks that an answer comes from the server: a captive portal also answers with status 200. */
export function checkAnswer<T>(server: string, answer: T, expected: AnswerShape<T>): T {
  const given = (answer ?? {}) as { readonly [name: string]: unknown }
  const missing = Object.entries(expected).find(([name, type]) => typeOf(given[name]) !== type)?.[0]
  if (missing === undefined) return answer
  throw notTheServer(server, `without ${missing}`)
}

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
