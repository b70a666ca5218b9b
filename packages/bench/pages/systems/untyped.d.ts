/** The part of PouchDB that is measured; it has no types. */
declare module 'pouchdb' {
  interface Changes {
    on(event: 'change', hear: () => void): Changes
    cancel(): void
  }
  export default class PouchDB {
    constructor(name: string)
    static plugin(plugin: unknown): void
    createIndex(options: object): Promise<unknown>
    bulkDocs(documents: readonly object[]): Promise<unknown>
    put(document: object): Promise<unknown>
    find(options: object): Promise<{ readonly docs: readonly object[] }>
    changes(options: object): Changes
  }
}
declare module 'pouchdb-find' {
  const plugin: unknown
  export default plugin
}
