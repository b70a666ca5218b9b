import type { ServerEvent } from '@godwit/admin-client'
import { useEffect, useState } from 'react'
import { admin, onSignedInAgain } from '../../api.js'

/** The number of events shown. */
const MAX_EVENTS = 40
/** Milliseconds for which events are batched, because a busy server sends hundreds per second. */
const GATHER_INTERVAL = 250

export interface EventFeed {
  readonly isOpen: boolean
  /** Newest first. */
  readonly events: readonly ServerEvent[]
}

/** Returns server events as they happen, while the page is open. */
export function useEvents(): EventFeed {
  const [live, setLive] = useState<EventFeed>({ isOpen: false, events: [] })
  const [turn, setTurn] = useState(0)
  useEffect(() => onSignedInAgain(() => setTurn(last => last + 1)), [])
  useEffect(() => {
    const end = new AbortController()
    let gathered: ServerEvent[] = []
    const timer = setInterval(() => {
      if (gathered.length === 0) return
      const fresh = gathered.reverse()
      gathered = []
      setLive(({ events }) => ({ isOpen: true, events: [...fresh, ...events].slice(0, MAX_EVENTS) }))
    }, GATHER_INTERVAL)
    const listen = async (): Promise<void> => {
      for await (const event of admin.events({ signal: end.signal })) {
        if (event.kind === 'stream_started') setLive(({ events }) => ({ isOpen: true, events }))
        else if (event.kind === 'stream_ended') setLive(({ events }) => ({ isOpen: false, events }))
        else {
          gathered.push(event)
          if (gathered.length > MAX_EVENTS) gathered = gathered.slice(-MAX_EVENTS)
        }
      }
    }
    listen().catch(() => setLive(({ events }) => ({ isOpen: false, events })))
    return () => {
      clearInterval(timer)
      end.abort()
    }
    // Reconnect after a new sign-in, because the stream ended with the session.
  }, [turn])
  return live
}
