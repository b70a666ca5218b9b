/**
 * Kills this process at a named point: `KILL_AT=settle:before:2` is just before the second `settle`.
 * SIGKILL runs no handlers and flushes nothing, like a crash.
 */
const [name, edge, turn = '1'] = (process.env.KILL_AT ?? '').split(':')
let left = Number(turn)

export function point(at, when) {
  if (at !== name || when !== edge) return
  left--
  if (left === 0) process.kill(process.pid, 'SIGKILL')
}

/** Returns a proxy of the object with a kill point before and after each method. */
export function watched(target) {
  return new Proxy(target, {
    get(_, member) {
      const method = target[member]
      if (typeof method !== 'function') return method
      return async (...given) => {
        point(member, 'before')
        const result = await method.apply(target, given)
        point(member, 'after')
        return result
      }
    },
  })
}
