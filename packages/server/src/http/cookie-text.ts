/** The attributes of a `Set-Cookie` header. */
export interface CookieOptions {
  /** How long a browser keeps it. 0: it goes. */
  readonly seconds: number
  /** It goes over https alone. */
  readonly secure: boolean
  readonly sameSite: 'Lax' | 'Strict'
}

/** A cookie that no script can read, as `Set-Cookie` has it. */
export const cookieText = (name: string, value: string, { seconds, secure, sameSite }: CookieOptions): string =>
  `${name}=${value}; Path=/; HttpOnly; SameSite=${sameSite}; Max-Age=${seconds}${secure ? '; Secure' : ''}`
