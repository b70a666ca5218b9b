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

/** Which events a stream tells. */
export interface ServerEventsQuery {
  /** Kinds, separated by commas: `query_failed,call_failed`. Default: every kind. What concerns the stream itself is always told. */
  readonly kinds?: string
  /** Only events of this source. */
  readonly source?: string
  /** Only events of this user. */
  readonly user?: string
  /** The id of the last event that was received: what happened since then comes first, as far as the server still has it. */
  readonly after?: string
}

/** The members of every event. */
interface AnyEvent<Kind extends string> {
  /** What happened. */
  readonly kind: Kind
  /** When it happened, ISO 8601 UTC. */
  readonly time: string
}

/** The members of every event of the server, as opposed to those of the stream itself. */
interface NumberedEvent<Kind extends string> extends AnyEvent<Kind> {
  /** Names the event; `after` takes it to go on behind it. */
  readonly id: string
}

interface OfSource {
  /** The name of the source. */
  readonly source: string
  /** Whose copy of the source, as the server spells it: `user:ada`, or `*` for all. */
  readonly partition: string
}

interface OfMutation extends OfSource {
  /** The login of the user who made the change. */
  readonly user: string
  /** The client that sent it. */
  readonly client: string
  readonly operation: Operation
  /** The object's id; of a create its temporary one. */
  readonly object: string
}

/** The stream is open, and tells what happens from now on. Always the first event. */
export interface StreamStartedEvent extends AnyEvent<'stream_started'> {
  /** True: what happened since `after` follows. False: no `after` was given, or the server has forgotten that event and some may be missing. */
  readonly resumed: boolean
}

/** Events may be missing at this point: there were too many at once, or processes did not hear each other for a while. */
export interface EventsMissedEvent extends AnyEvent<'events_missed'> {}

/** The last event of a stream that the server ends. */
export interface StreamEndedEvent extends AnyEvent<'stream_ended'> {
  /** `slow`: the reader did not keep up. `replaced`: the user opened too many streams. `revoked`: the token opens it no more. `stopping`: the server stops. */
  readonly reason: 'slow' | 'replaced' | 'revoked' | 'stopping'
}

/** A process of the server began to answer. */
export interface ServerStartedEvent extends NumberedEvent<'server_started'> {
  /** Names the process. */
  readonly process: string
}

/** A process of the server stops. */
export interface ServerStoppingEvent extends NumberedEvent<'server_stopping'> {
  /** Names the process. */
  readonly process: string
}

/** Somebody logged in, on a device or to the API. */
export interface LoginEvent extends NumberedEvent<'login'> {
  /** The login. */
  readonly user: string
  /** What the user may do. */
  readonly role: UserRole
}

/** A login was refused. */
export interface LoginRefusedEvent extends NumberedEvent<'login_refused'> {
  /** The login, if there is such a user; else null, since people type passwords there. */
  readonly user: string | null
  /** True: to the API. False: on a device. */
  readonly api: boolean
  /** Why: the code of the error. */
  readonly code: string
}

/** A device got its client. */
export interface ClientCreatedEvent extends NumberedEvent<'client_created'> {
  /** The login of its user. */
  readonly user: string
  /** Its id. */
  readonly client: string
}

/** A client was deleted. */
export interface ClientDeletedEvent extends NumberedEvent<'client_deleted'> {
  /** The login of its user. */
  readonly user: string
  /** Its id. */
  readonly client: string
}

/** A backend or an operator wrote objects. */
export interface ObjectsWrittenEvent extends NumberedEvent<'objects_written'>, OfSource {
  /** The version of the copy after it. */
  readonly version: number
  /** How many objects changed. */
  readonly changed: number
}

/** A device pushed changes. */
export interface MutationsPushedEvent extends NumberedEvent<'mutations_pushed'>, OfSource {
  /** The login of the device's user. */
  readonly user: string
  /** The client that sent them. */
  readonly client: string
  /** How many changes it sent. */
  readonly sent: number
  /** How many of them were applied by the time of the answer. */
  readonly applied: number
  /** How many of them were refused by then, conflicts and their dependents included. */
  readonly refused: number
}

/** A change of a device was not applied. */
export interface MutationRefusedEvent extends NumberedEvent<'mutation_refused'>, OfMutation {
  /** `refused` by the source, a `conflict`, or the object is `gone`, or the object that it belongs to was refused. */
  readonly status: 'refused' | 'conflict' | 'gone' | 'depends_on_refused'
  /** Why. */
  readonly error: SourceError
}

/** The backend may or may not have made a change: an operator decides. */
export interface MutationInDoubtEvent extends NumberedEvent<'mutation_in_doubt'>, OfMutation {
  /** Why. */
  readonly error: SourceError
}

/** A query of a source replaced a copy. */
export interface QueryDoneEvent extends NumberedEvent<'query_done'>, OfSource {
  /** How many objects are new or changed. */
  readonly changed: number
  /** How many objects are gone. */
  readonly removed: number
  /** How long it took, in seconds. */
  readonly seconds: number
}

/** A query of a source failed; its copy is as it was. */
export interface QueryFailedEvent extends NumberedEvent<'query_failed'>, OfSource {
  /** How long it took, in seconds. */
  readonly seconds: number
  /** Why. */
  readonly error: SourceError
}

/** A backend did not say what became of a write or a search: it failed, or took too long. */
export interface CallFailedEvent extends NumberedEvent<'call_failed'>, OfSource {
  /** The login for whom it was called. */
  readonly user: string
  /** What it was asked for. */
  readonly method: 'create' | 'update' | 'delete' | 'search'
  /** Why. */
  readonly error: SourceError
}

/** A job failed: it is tried again, or given up. */
export interface JobFailedEvent extends NumberedEvent<'job_failed'> {
  /** A source's queue, or `ping`. */
  readonly queue: string
  /** What kind of job, as `GET /rc/v1/system/jobs` lists it. */
  readonly job: string
  /** How often it was begun. */
  readonly attempts: number
  /** Why. */
  readonly error: SourceError
}

/** One event of the stream, as the JSON of its `data`; `kind` tells which. The SSE event has the kind as its name and `id` as its id. */
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

/** The name of an event of `GET /rc/v1/events`, as in its `kind`. */
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

/** A schema that bears the name of its message, by which the API's document finds what the message means. */
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

/** One of the kinds. */
export const serverEventSchema: Schema<ServerEvent> = { anyOf: Object.values(KINDS) }
