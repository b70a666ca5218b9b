import type { ErrorCode, RouteLine } from '@godwit/protocol'
import type { AnyRouteSchemas } from './known-route.js'

/** Every code that a route may answer with, each once. */
export function problemsOf(line: RouteLine, { query, body, problems }: AnyRouteSchemas): readonly ErrorCode[] {
  const isRead = query !== undefined || body !== undefined || line.path.includes('<')
  return [
    ...new Set<ErrorCode>([
      ...callers(line),
      ...(body !== undefined ? (['malformed_json', 'body_too_large', 'unsupported_media_type'] as const) : []),
      ...(isRead ? (['body_invalid'] as const) : []),
      ...(/<source_(id|name)>/.test(line.path) ? (['source_not_found'] as const) : []),
      ...problems,
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
