import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react'
import { messageOf } from '../api.js'

interface Notice {
  readonly id: number
  readonly text: string
  readonly undo: (() => void) | undefined
}

/** Says what was done, for some seconds; `undo` takes it back. */
export type Notify = (text: string, undo?: () => void) => void

const Context = createContext<Notify>(() => {})
export const useNotify = (): Notify => useContext(Context)

const SHOWN = 8000

export function Notices({ children }: { readonly children: ReactNode }): ReactNode {
  const [notices, setNotices] = useState<readonly Notice[]>([])
  const next = useRef(0)
  const drop = useCallback((id: number) => setNotices(all => all.filter(one => one.id !== id)), [])
  const notify: Notify = useCallback(
    (text, undo) => {
      const id = next.current++
      setNotices(all => [...all.slice(-2), { id, text, undo }])
      setTimeout(() => drop(id), SHOWN)
    },
    [drop],
  )
  return (
    <Context value={notify}>
      {children}
      <div className="notices" role="status">
        {notices.map(({ id, text, undo }) => (
          <div key={id} className="notice">
            <span className="break">{text}</span>
            {undo && (
              <button
                type="button"
                onClick={() => {
                  drop(id)
                  undo()
                }}
              >
                Undo
              </button>
            )}
            <button type="button" aria-label="Close" onClick={() => drop(id)}>
              ×
            </button>
          </div>
        ))}
      </div>
    </Context>
  )
}

/** Runs what somebody asked for, and says how it went; resolves to whether it was done. */
export function useDo(): (act: () => Promise<unknown>, done: string, undo?: () => void) => Promise<boolean> {
  const notify = useNotify()
  return async (act, done, undo) => {
    try {
      await act()
      notify(done, undo)
      return true
    } catch (error) {
      notify(`That was not done: ${messageOf(error)}`)
      return false
    }
  }
}
