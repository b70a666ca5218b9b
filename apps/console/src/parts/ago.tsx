import { type ReactNode, useSyncExternalStore } from 'react'
import { ago, dateTime } from './format.js'

const TICK_INTERVAL = 10_000
let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One shared timer, which runs only while a component shows a time. */
function listen(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const one of listeners) one()
  }, TICK_INTERVAL)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** A relative time, with the date as its tooltip; `never` if there is none. */
export function Ago({ time, never = 'never' }: { readonly time: string | null; readonly never?: string }): ReactNode {
  useSyncExternalStore(listen, () => now)
  if (time === null) return <span className="soft">{never}</span>
  return (
    <time dateTime={time} title={dateTime(time)}>
      {ago(time)}
    </time>
  )
}
