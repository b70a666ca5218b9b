import type { ErrorCode, RouteLine, Routes } from '@godwit/protocol'

type Own = {
  readonly [Group in keyof Routes]: { readonly [Name in keyof Routes[Group]]: readonly ErrorCode[] }
}

const DOCUMENT = ['user_not_found', 'value_not_allowed', 'document_not_found', 'backend_failed'] as const
const WRITE = ['document_read_only', 'kind_differs'] as const
const COLLECTION = ['value_not_allowed', 'epoch_changed'] as const
const PUSHED = ['name_reserved', ...COLLECTION] as const

/** What a route may answer beside what its line says already: see `problemsOf`. A route without its line here does not compile. */
const own: Own = {
  clients: {
    list: ['user_not_found'],
    get: ['client_not_found'],
    page: ['user_not_found'],
    sources: ['client_not_found'],
    documentNames: ['client_not_found'],
    readDocument: ['client_not_found', 'document_not_found'],
    writeDocument: ['client_not_found', ...WRITE],
  },
  device: {
    login: [
      'invalid_credentials',
      'not_a_device_user',
      'user_locked',
      'too_many_attempts',
      'backend_failed',
      'backend_timeout',
    ],
    logout: [],
    createClient: ['quota_exceeded'],
    registerClient: [],
    resetClient: ['source_not_found'],
    pull: ['bulk_only', 'value_not_allowed', 'quota_exceeded'],
    pullByBody: ['bulk_only', 'value_not_allowed'],
    events: [],
    push: ['epoch_changed', 'mutation_gap', 'client_forked', 'blob_missing', 'value_not_allowed', 'quota_exceeded'],
    versions: [...COLLECTION, 'quota_exceeded'],
    objects: [...COLLECTION, 'quota_exceeded'],
    uploadBlob: ['value_not_allowed', 'quota_exceeded'],
    readBlob: ['value_not_allowed', 'file_not_found', 'range_invalid', 'quota_exceeded'],
    search: ['quota_exceeded'],
    bulkData: ['source_not_found', 'value_not_allowed', 'backend_failed', 'quota_exceeded'],
    bulkFile: ['file_not_found', 'range_invalid'],
  },
  operations: {
    events: ['value_not_allowed'],
    explain: [],
    audit: [],
    checkAudit: [],
    undecided: ['mutation_not_found'],
    mutation: ['mutation_not_found'],
    retry: ['mutation_not_found', 'value_not_allowed'],
    settle: ['mutation_not_found', 'value_not_allowed'],
    discard: ['mutation_not_found', 'value_not_allowed'],
  },
  plugin: {
    pushObjects: PUSHED,
    pushDeletes: PUSHED,
    fastInsert: PUSHED,
    fastUpdate: PUSHED,
    fastDelete: PUSHED,
  },
  readState: {
    set: ['user_not_found', 'value_not_allowed'],
  },
  sources: {
    all: [],
    list: ['value_not_allowed'],
    get: [],
    update: ['user_not_found'],
  },
  store: {
    read: ['document_not_found'],
    write: ['kind_differs'],
  },
  system: {
    login: ['invalid_credentials', 'not_an_api_user', 'user_locked', 'too_many_attempts'],
    signIn: ['invalid_credentials', 'not_an_api_user', 'user_locked', 'too_many_attempts', 'origin_not_allowed'],
    session: [],
    signOut: [],
    state: [],
    license: [],
    reset: ['reset_disabled'],
    jobs: ['value_not_allowed'],
    readAppServer: [],
    writeAppServer: ['url_not_allowed'],
    stats: ['metric_not_found'],
    tokens: [],
    revokeToken: ['token_not_found'],
  },
  users: {
    create: ['user_exists', 'name_reserved'],
    createMany: ['name_reserved'],
    list: [],
    get: ['user_not_found'],
    page: [],
    endSessions: ['user_not_found'],
    update: ['user_not_found', 'value_not_allowed', 'last_admin'],
    delete: ['user_not_found', 'last_admin'],
    clients: ['user_not_found'],
    deleteClient: ['user_not_found', 'client_not_found'],
    ping: ['value_not_allowed'],
    partition: ['user_not_found', 'value_not_allowed', 'backend_failed'],
    objects: ['user_not_found', 'value_not_allowed', 'backend_failed'],
    history: ['user_not_found', 'value_not_allowed'],
    documentNames: ['user_not_found', 'value_not_allowed'],
    readDocument: DOCUMENT,
    writeDocument: ['user_not_found', 'value_not_allowed', ...WRITE, 'epoch_changed'],
  },
}

/** Every code that a route may answer with, each once. */
export function problemsOf(
  group: string,
  name: string,
  { line, query, body }: { readonly line: RouteLine; readonly query: boolean; readonly body: boolean },
): readonly ErrorCode[] {
  const special = (own as Record<string, Record<string, readonly ErrorCode[]>>)[group]?.[name] ?? []
  const isRead = query || body || line.path.includes('<')
  return [
    ...new Set<ErrorCode>([
      ...callers(line),
      ...(body ? (['malformed_json', 'body_too_large', 'unsupported_media_type'] as const) : []),
      ...(isRead ? (['body_invalid'] as const) : []),
      ...(/<source_(id|name)>/.test(line.path) ? (['source_not_found'] as const) : []),
      ...special,
      'store_unavailable',
      'internal',
    ]),
  ]
}

/** Because of who calls. */
function callers({ roles, path, client }: RouteLine): readonly ErrorCode[] {
  if (roles.includes('open')) return []
  if (!roles.includes('device'))
    return ['token_missing', 'token_invalid', 'token_expired', 'origin_not_allowed', 'role_insufficient']
  return [
    'session_missing',
    'session_expired',
    'origin_not_allowed',
    ...(client ? (['client_missing'] as const) : []),
    ...(client || path.includes('<client_id>') ? (['client_not_found', 'not_your_client'] as const) : []),
  ]
}
