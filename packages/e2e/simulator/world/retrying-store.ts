import type { Store } from '@godwit/store'

type Call = (...given: never[]) => Promise<unknown>

type Capability = 'collections' | 'journal' | 'registry'

/**
 * The store as an operator reaches it, whose commands end with the process that carries them out like any request: what failed because that died
 * is asked once more, of the process that came after it.
 */
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
