/** The attributes of a `Set-Cookie` header. */
export interface CookieOptions {
  /** Seconds until the browser drops the cookie. 0: at once. */
  readonly seconds: number
  /** Sent over https only. */
  readonly secure: boolean
  readonly sameSite: 'Lax' | 'Strict'
}

/** Returns a `Set-Cookie` value for a cookie that scripts cannot read. */
export const cookieText = (name: string, value: string, { seconds, secure, sameSite }: CookieOptions): string =>
  `${name}=${value}; Path=/; HttpOnly; SameSite=${sameSite}; Max-Age=${seconds}${secure ? '; Secure' : ''}`

/** Returns the value of a cookie in a `Cookie` header; undefined if it is missing. */
export function cookieOf(header = '', name: string): string | undefined {
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}
