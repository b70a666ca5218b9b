import type { Store } from '@godwit/store'

type Call = (...given: never[]) => Promise<unknown>

type Capability = 'collections' | 'journal' | 'registry'

/** Returns a store that repeats a call on the next process if the current one dies before it responds, as operators do. */
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
