/** What the script of SQLite needs of the module that was instantiated, and where it tells what went wrong. */
export interface BootstrapConfig {
  readonly memory: WebAssembly.Memory
  readonly exports: WebAssembly.Exports
  error(...parts: readonly unknown[]): void
  warn(...parts: readonly unknown[]): void
  log(...parts: readonly unknown[]): void
  debug(...parts: readonly unknown[]): void
}

/** Makes SQLite's JavaScript over an instance of its WebAssembly. `scripts/sqlite-script.ts` writes the module before builds and tests. */
export declare const bootstrap: (config: BootstrapConfig) => Promise<unknown>
