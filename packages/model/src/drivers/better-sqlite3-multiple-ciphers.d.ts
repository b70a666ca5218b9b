/** Its own types are out of reach of its `exports`; it is better-sqlite3 with pragmas for keys. */
declare module 'better-sqlite3-multiple-ciphers' {
  export { default } from 'better-sqlite3'
}
