/** Accepts logins with passwords. */
export interface PasswordProvider {
  readonly kind: 'passwords'
}

/** Returns the provider for logins with passwords: by `authenticate`, the plugin backend, or the users of the server. */
export const passwords = (): PasswordProvider => ({ kind: 'passwords' })
