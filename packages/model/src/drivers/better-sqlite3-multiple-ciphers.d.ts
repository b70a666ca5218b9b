/** Types of the package, which its `exports` do not expose. Its API is that of better-sqlite3. */
declare module 'better-sqlite3-multiple-ciphers' {
  export { default } from 'better-sqlite3'
}
