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
