type StoreMethod = (...given: never[]) => unknown

/** A capability whose methods reject with what `check` throws, if it does. */
export function guarded<Capability extends object>(capability: Capability, check: () => void): Capability {
  const methods = Object.entries(capability).map(([name, method]) => [
    name,
    async (...given: never[]) => {
      check()
      return (method as StoreMethod)(...given)
    },
  ])
  return Object.fromEntries(methods) as Capability
}
