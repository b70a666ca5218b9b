const { process } = globalThis as unknown as { readonly process: Record<string, unknown> }
const listen = (how: 'addEventListener' | 'removeEventListener') => (_: string, hear: (reason: unknown) => void) =>
  (globalThis as unknown as EventTarget)[how]('unhandledrejection', hear as never)

/** As apps give it to browsers that have none. */
if (!Object.hasOwn(Symbol, 'asyncDispose')) Object.assign(Symbol, { asyncDispose: Symbol.for('Symbol.asyncDispose') })

/** What suites call of Node beside its modules. */
Object.assign(process, { on: listen('addEventListener'), off: listen('removeEventListener') })
Object.assign(globalThis, {
  setImmediate: (run: () => void) => setTimeout(run),
  Buffer: {
    from: (text: string) => new TextEncoder().encode(text),
    compare(one: Uint8Array, other: Uint8Array) {
      const at = one.findIndex((byte, index) => byte !== other[index])
      return at < 0 ? one.length - other.length : (one[at] ?? 0) - (other[at] ?? -1)
    },
  },
})
