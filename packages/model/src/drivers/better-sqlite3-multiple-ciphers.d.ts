/** Its own types cannot be reached through its `exports`. It is better-sqlite3 with pragmas for keys. */
declare module 'better-sqlite3-multiple-ciphers' {
  export { default } from 'better-sqlite3'
}
