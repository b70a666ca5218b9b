/** Running tasks by name, at most one for each. */
export type TasksByName = Map<string, Promise<unknown>>

/** Runs after the current task of this name, whether that fails or not. */
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

/** Runs after the current tasks of all these names. Only one caller may use several names at a time, otherwise two could wait for each other. */
export const runExclusively = <T>(
  running: TasksByName,
  names: readonly string[],
  run: () => Promise<T>,
): Promise<T> => {
  const [name, ...rest] = names
  return name === undefined ? run() : oneAtATime(running, name, () => runExclusively(running, rest, run))
}
