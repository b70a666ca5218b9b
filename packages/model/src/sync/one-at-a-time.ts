/** What runs under names, of each at most one. */
export type TasksByName = Map<string, Promise<unknown>>

/** Runs once nothing else does under this name; how that ended is its own matter. */
export async function oneAtATime<T>(running: TasksByName, name: string, run: () => Promise<T>): Promise<T> {
  while (running.has(name)) await running.get(name)
  const result = run()
  running.set(
    name,
    result.then(noResult, noResult).finally(() => running.delete(name)),
  )
  return result
}

const noResult = (): void => {}

/** Runs once nothing else does under any of these names. Only one may ask for several at a time: two could wait for each other. */
export const allAtOnce = <T>(running: TasksByName, names: readonly string[], run: () => Promise<T>): Promise<T> => {
  const [name, ...rest] = names
  return name === undefined ? run() : oneAtATime(running, name, () => allAtOnce(running, rest, run))
}
