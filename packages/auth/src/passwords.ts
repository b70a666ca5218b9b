import type { PasswordProvider } from '@godwit/source'

/** Returns the provider for logins with passwords: by `authenticate`, the plugin backend, or the users of the server. */
export const passwords = (): PasswordProvider => ({ kind: 'passwords' })
