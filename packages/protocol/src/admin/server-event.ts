import { type SourceError, sourceErrorSchema } from '../device/outcome.js'
import { OPERATIONS, type Operation } from '../device/vocabulary.js'
import { USER_ROLES, type UserRole } from '../roles.js'
import {
  boolean,
  integer,
  literal,
  type Members,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Schema,
  string,
} from '../schema.js'

/** Selects the events of a stream. */
export interface ServerEventsQuery {
  /** Comma-separated kinds: `query_failed,call_failed`. Default: all kinds. Events about the stream itself are always sent. */
  readonly kinds?: string
  /** Only events of this source. */
  readonly source?: string
  /** Only events of this user. */
  readonly user?: string
  /** The id of the last event received: later events that the server still has are sent first. */
  readonly after?: string
}

/** The members of every event. */
interface AnyEvent<Kind extends string> {
  /** The kind of the event. */
  readonly kind: Kind
  /** When it happened, ISO 8601 UTC. */
  readonly time: string
}

/** The members of every server event, as opposed to events about the stream itself. */
interface NumberedEvent<Kind extends string> extends AnyEvent<Kind> {
  /** The id of the event; pass it as `after` to resume the stream after it. */
  readonly id: string
}

interface OfSource {
  /** The name of the source. */
  readonly source: string
  /** The partition of the source, such as `user:ada`, or `*` for an app source. */
  readonly partition: string
}

interface OfMutation extends OfSource {
  /** The login of the user who made the change. */
  readonly user: string
  /** The client that sent it. */
  readonly client: string
  readonly operation: Operation
  /** The object's id; for a create, its temporary id. */
  readonly object: string
}

/** The stream is open. Always the first event. */
export interface StreamStartedEvent extends AnyEvent<'stream_started'> {
  /**
   * True if the events since `after` follow. False if no `after` was given, or if the server no longer has that event and some events may be missing.
   */
  readonly resumed: boolean
}

/** Events may be missing at this point, because there were too many at once or the connection between processes was interrupted. */
export interface EventsMissedEvent extends AnyEvent<'events_missed'> {}

/** The server ends the stream. Always the last event. */
export interface StreamEndedEvent extends AnyEvent<'stream_ended'> {
  /**
   * `slow`: the reader did not keep up. `replaced`: the user opened too many streams. `revoked`: the token is no longer valid. `stopping`: the server
   * stops.
   */
  readonly reason: 'slow' | 'replaced' | 'revoked' | 'stopping'
}

/** A server process started. */
export interface ServerStartedEvent extends NumberedEvent<'server_started'> {
  /** The id of the process. */
  readonly process: string
}

/** A server process is stopping. */
export interface ServerStoppingEvent extends NumberedEvent<'server_stopping'> {
  /** The id of the process. */
  readonly process: string
}

/** A user logged in, on a device or to the API. */
export interface LoginEvent extends NumberedEvent<'login'> {
  /** The login of the user. */
  readonly user: string
  /** The role of the user. */
  readonly role: UserRole
}

/** A login was refused. */
export interface LoginRefusedEvent extends NumberedEvent<'login_refused'> {
  /** The login if such a user exists; null otherwise, because users type passwords there by mistake. */
  readonly user: string | null
  /** True for the API, false for a device. */
  readonly api: boolean
  /** The error code. */
  readonly code: string
}

/** A client was created for a device. */
export interface ClientCreatedEvent extends NumberedEvent<'client_created'> {
  /** The login of its user. */
  readonly user: string
  /** The id of the client. */
  readonly client: string
}

/** A client was deleted. */
export interface ClientDeletedEvent extends NumberedEvent<'client_deleted'> {
  /** The login of its user. */
  readonly user: string
  /** The id of the client. */
  readonly client: string
}

/** A backend or an operator wrote objects. */
export interface ObjectsWrittenEvent extends NumberedEvent<'objects_written'>, OfSource {
  /** The version of the partition after the write. */
  readonly version: number
  /** The number of objects changed. */
  readonly changed: number
}

/** A device pushed mutations. */
export interface MutationsPushedEvent extends NumberedEvent<'mutations_pushed'>, OfSource {
  /** The login of the device's user. */
  readonly user: string
  /** The client that sent them. */
  readonly client: string
  /** The number of mutations sent. */
  readonly sent: number
  /** The number of mutations applied before the response. */
  readonly applied: number
  /** The number of mutations not applied before the response, including conflicts and mutations that depend on refused ones. */
  readonly refused: number
}

/** A mutation was not applied. */
export interface MutationRefusedEvent extends NumberedEvent<'mutation_refused'>, OfMutation {
  /**
   * `refused`: by the source; `conflict`, `gone`: the object was changed or removed meanwhile; `depends_on_refused`: it references an object whose
   * creation was refused.
   */
  readonly status: 'refused' | 'conflict' | 'gone' | 'depends_on_refused'
  /** Why the mutation was not applied. */
  readonly error: SourceError
}

/** It is unknown whether the backend applied a mutation; an operator decides. */
export interface MutationInDoubtEvent extends NumberedEvent<'mutation_in_doubt'>, OfMutation {
  /** Why the mutation is in doubt. */
  readonly error: SourceError
}

/** A query of a source updated a partition. */
export interface QueryDoneEvent extends NumberedEvent<'query_done'>, OfSource {
  /** The number of objects created or changed. */
  readonly changed: number
  /** The number of objects removed. */
  readonly removed: number
  /** The number of removals held back. Absent: none. */
  readonly pending_removals?: number
  /** The duration of the query, in seconds. */
  readonly seconds: number
}

/** A query of a source failed; the partition is unchanged. */
export interface QueryFailedEvent extends NumberedEvent<'query_failed'>, OfSource {
  /** The duration of the query, in seconds. */
  readonly seconds: number
  /** Why the query failed. */
  readonly error: SourceError
}

/** A write or search call to a backend failed or timed out; its result is unknown. */
export interface CallFailedEvent extends NumberedEvent<'call_failed'>, OfSource {
  /** The login of the user for whom the backend was called. */
  readonly user: string
  /** The method that was called. */
  readonly method: 'create' | 'update' | 'delete' | 'search'
  /** Why the call failed. */
  readonly error: SourceError
}

/** A job failed; it is retried or given up. */
export interface JobFailedEvent extends NumberedEvent<'job_failed'> {
  /** The queue of a source, or `ping`. */
  readonly queue: string
  /** The kind of the job, as listed by `GET /rc/v1/system/jobs`. */
  readonly job: string
  /** The number of attempts. */
  readonly attempts: number
  /** Why the job failed. */
  readonly error: SourceError
}

/** One event of the stream, sent as the JSON `data` of an SSE event; `kind` discriminates. The SSE event name is the kind, the SSE id is `id`. */
export type ServerEvent =
  | StreamStartedEvent
  | EventsMissedEvent
  | StreamEndedEvent
  | ServerStartedEvent
  | ServerStoppingEvent
  | LoginEvent
  | LoginRefusedEvent
  | ClientCreatedEvent
  | ClientDeletedEvent
  | ObjectsWrittenEvent
  | MutationsPushedEvent
  | MutationRefusedEvent
  | MutationInDoubtEvent
  | QueryDoneEvent
  | QueryFailedEvent
  | CallFailedEvent
  | JobFailedEvent

/** The kind of an event of `GET /rc/v1/events`. */
export type ServerEventKind = ServerEvent['kind']

export const serverEventsQuerySchema: Schema<ServerEventsQuery> = object<ServerEventsQuery>({
  kinds: optional(string({ maxLength: 1024 })),
  source: optional(string()),
  user: optional(string()),
  after: optional(string({ maxLength: 256 })),
})

const eventMembers = { time: string(), id: string() }
const sourceMembers = { source: string(), partition: string() }
const mutationMembers = {
  ...sourceMembers,
  user: string(),
  client: string(),
  operation: oneOf(...OPERATIONS),
  object: string(),
  error: sourceErrorSchema,
}
const count = integer({ minimum: 0 })
const seconds = number({ minimum: 0 })

/** A schema titled with its message's name, by which the OpenAPI document finds the message's description. */
const namedSchema = <T>(title: string, members: Members<T>): Schema<T> => ({ title, ...object<T>(members) })

const streamStarted = namedSchema<StreamStartedEvent>('StreamStartedEvent', {
  time: string(),
  kind: literal('stream_started'),
  resumed: boolean,
})
const eventsMissed = namedSchema<EventsMissedEvent>('EventsMissedEvent', {
  time: string(),
  kind: literal('events_missed'),
})
const streamEnded = namedSchema<StreamEndedEvent>('StreamEndedEvent', {
  time: string(),
  kind: literal('stream_ended'),
  reason: oneOf('slow', 'replaced', 'revoked', 'stopping'),
})
const serverStarted = namedSchema<ServerStartedEvent>('ServerStartedEvent', {
  ...eventMembers,
  kind: literal('server_started'),
  process: string(),
})
const serverStopping = namedSchema<ServerStoppingEvent>('ServerStoppingEvent', {
  ...eventMembers,
  kind: literal('server_stopping'),
  process: string(),
})
const login = namedSchema<LoginEvent>('LoginEvent', {
  ...eventMembers,
  kind: literal('login'),
  user: string(),
  role: oneOf(...USER_ROLES),
})
const loginRefused = namedSchema<LoginRefusedEvent>('LoginRefusedEvent', {
  ...eventMembers,
  kind: literal('login_refused'),
  user: nullable(string()),
  api: boolean,
  code: string(),
})
const clientCreated = namedSchema<ClientCreatedEvent>('ClientCreatedEvent', {
  ...eventMembers,
  kind: literal('client_created'),
  user: string(),
  client: string(),
})
const clientDeleted = namedSchema<ClientDeletedEvent>('ClientDeletedEvent', {
  ...eventMembers,
  kind: literal('client_deleted'),
  user: string(),
  client: string(),
})
const objectsWritten = namedSchema<ObjectsWrittenEvent>('ObjectsWrittenEvent', {
  ...eventMembers,
  ...sourceMembers,
  kind: literal('objects_written'),
  version: count,
  changed: count,
})
const mutationsPushed = namedSchema<MutationsPushedEvent>('MutationsPushedEvent', {
  ...eventMembers,
  ...sourceMembers,
  kind: literal('mutations_pushed'),
  user: string(),
  client: string(),
  sent: count,
  applied: count,
  refused: count,
})
const mutationRefused = namedSchema<MutationRefusedEvent>('MutationRefusedEvent', {
  ...eventMembers,
  ...mutationMembers,
  kind: literal('mutation_refused'),
  status: oneOf('refused', 'conflict', 'gone', 'depends_on_refused'),
})
const mutationInDoubt = namedSchema<MutationInDoubtEvent>('MutationInDoubtEvent', {
  ...eventMembers,
  ...mutationMembers,
  kind: literal('mutation_in_doubt'),
})
const queryDone = namedSchema<QueryDoneEvent>('QueryDoneEvent', {
  ...eventMembers,
  ...sourceMembers,
  kind: literal('query_done'),
  changed: count,
  removed: count,
  pending_removals: optional(count),
  seconds,
})
const queryFailed = namedSchema<QueryFailedEvent>('QueryFailedEvent', {
  ...eventMembers,
  ...sourceMembers,
  kind: literal('query_failed'),
  seconds,
  error: sourceErrorSchema,
})
const callFailed = namedSchema<CallFailedEvent>('CallFailedEvent', {
  ...eventMembers,
  ...sourceMembers,
  kind: literal('call_failed'),
  user: string(),
  method: oneOf(...OPERATIONS, 'search'),
  error: sourceErrorSchema,
})
const jobFailed = namedSchema<JobFailedEvent>('JobFailedEvent', {
  ...eventMembers,
  kind: literal('job_failed'),
  queue: string(),
  job: string(),
  attempts: count,
  error: sourceErrorSchema,
})

const KINDS = {
  stream_started: streamStarted,
  events_missed: eventsMissed,
  stream_ended: streamEnded,
  server_started: serverStarted,
  server_stopping: serverStopping,
  login,
  login_refused: loginRefused,
  client_created: clientCreated,
  client_deleted: clientDeleted,
  objects_written: objectsWritten,
  mutations_pushed: mutationsPushed,
  mutation_refused: mutationRefused,
  mutation_in_doubt: mutationInDoubt,
  query_done: queryDone,
  query_failed: queryFailed,
  call_failed: callFailed,
  job_failed: jobFailed,
} satisfies { readonly [Kind in ServerEventKind]: Schema<Extract<ServerEvent, { readonly kind: Kind }>> }

/** Every kind of event. */
export const SERVER_EVENT_KINDS = Object.keys(KINDS) as readonly ServerEventKind[]

/** Any event. */
export const serverEventSchema: Schema<ServerEvent> = { anyOf: Object.values(KINDS) }
