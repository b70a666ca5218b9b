/** The kinds of apps, and what each is. */
export const APPS = {
  react: 'React with Vite: a page that opens offline',
  node: 'a Node script: a device in the terminal',
} as const

/** The kinds of backends, and what each is. */
export const BACKENDS = {
  json: 'a folder of JSON files, to start with',
  sql: 'tables of PostgreSQL, MySQL or SQLite, by a URL',
  node: 'an HTTP backend in Node',
  python: 'an HTTP backend in Python',
} as const

/** A key of {@link APPS}. */
export type App = keyof typeof APPS
/** A key of {@link BACKENDS}. */
export type Backend = keyof typeof BACKENDS

/** What is to be created. */
export interface Choices {
  /** The folder, which is missing or empty; its last part names the app. */
  readonly folder: string
  readonly app: App
  readonly backend: Backend
  /** The address of the database; only for the backend `sql`. */
  readonly database?: string
}
