/** Who may log in on a device in the demo. */
export const DEMO_LOGINS = ['ada', 'grace', 'linus'] as const

/** Each password is the login. */
export const DEMO_PEOPLE = DEMO_LOGINS.map(login => ({ login, password: login }))
