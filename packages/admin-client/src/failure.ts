import { ERROR_CODES, type ErrorCode, SyncError } from '@godwit/protocol'

/** Codes for answers that name none: from a proxy on the way, or from a newer server. */
const BY_STATUS: { readonly [status: number]: ErrorCode } = {
  400: 'malformed_json',
  401: 'token_invalid',
  403: 'role_insufficient',
  404: 'route_not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  416: 'range_invalid',
  422: 'body_invalid',
  429: 'too_many_attempts',
  502: 'backend_failed',
  503: 'store_unavailable',
  504: 'backend_timeout',
}

/** The error that an answer tells of. Its body may be empty or no problem document at all: then the status speaks. */
export async function failureOf(response: Response, what: string): Promise<SyncError> {
  const { status, statusText } = response
  const { code, detail, type: _type, title: _title, ...rest } = problemIn(await response.text().catch(() => ''))
  const said = typeof detail === 'string' && detail !== '' ? detail : `${what}: ${status} ${statusText}`.trimEnd()
  return new SyncError(isKnown(code) ? code : codeFor(status), said, {
    details: { ...rest, ...(typeof code === 'string' && { code }), ...retryAfter(response), status },
  })
}

function problemIn(text: string): { readonly [name: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return text.length > 0 && text.length < 500 && !text.startsWith('<') ? { detail: text } : {}
  }
}

function retryAfter({ headers }: Response): { readonly retry_after?: number } {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isNaN(seconds) ? {} : { retry_after: seconds }
}

const isKnown = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(ERROR_CODES, code)
const codeFor = (status: number): ErrorCode => BY_STATUS[status] ?? (status < 500 ? 'body_invalid' : 'internal')
