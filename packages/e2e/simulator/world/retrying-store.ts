import type { Store } from '@godwit/store'

type Call = (...given: never[]) => Promise<unknown>

type Capability = 'collections' | 'journal' | 'registry'

/** The store as an operator uses it: a command that failed because its process died is repeated by the next process. */
export function retryingStore(present: () => Store): Pick<Store, Capability | 'clear'> {
  const retrying =
    (find: (store: Store) => Call): Call =>
    async (...given) => {
      for (;;) {
        const store = present()
        try {
          return await find(store)(...given)
        } catch (error) {
          if (present() === store) throw error
        }
      }
    }
  const capability = <Name extends Capability>(name: Name): Store[Name] =>
    new Proxy({} as Store[Name], {
      get: (_, method) => retrying(store => Reflect.get(store[name], method) as Call),
    })
  return {
    collections: capability('collections'),
    journal: capability('journal'),
    registry: capability('registry'),
    clear: retrying(store => store.clear as Call) as Store['clear'],
  }
}
