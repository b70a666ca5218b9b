import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { messageOf } from '../api.js'

interface Notice {
  readonly id: number
  readonly text: string
  readonly undo?: (() => void) | undefined
  /** True for an action in progress; the notice has no close button. */
  readonly busy?: boolean
}

/** Shows a notice for some seconds; `undo` adds a button that undoes the action. */
export type Notify = (text: string, undo?: () => void) => void

interface NoticeBoard {
  readonly notify: Notify
  /** Shows that an action is in progress, until the returned function is called. */
  readonly begin: () => () => void
}

const Context = createContext<NoticeBoard>({ notify: () => {}, begin: () => () => {} })
export const useNotify = (): Notify => useContext(Context).notify

const NOTICE_DURATION = 8000
/** Milliseconds after which an action in progress is shown. */
const SLOW_AFTER = 100
const WORKING_MESSAGE = 'Working… You can leave this page; the result appears here.'

/** Keeps the CSS variable `--notices` at the height of an element, so that a drawer can end above it. */
function useNoticesHeight() {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty('--notices', `${element.offsetHeight}px`))
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.removeProperty('--notices')
    }
  }, [])
  return box
}

export function Notices({ children }: { readonly children: ReactNode }): ReactNode {
  const [notices, setNotices] = useState<readonly Notice[]>([])
  const next = useRef(0)
  const box = useNoticesHeight()
  const drop = useCallback((id: number) => setNotices(all => all.filter(one => one.id !== id)), [])
  const board = useMemo((): NoticeBoard => {
    const add = (notice: Omit<Notice, 'id'>): number => {
      const id = next.current++
      setNotices(all => [...all.slice(-2), { id, ...notice }])
      return id
    }
    return {
      notify: (text, undo) => {
        const id = add({ text, undo })
        // A modal dialog covers notices, so the notice stays until the dialog is closed.
        const end = (): void => {
          if (document.querySelector('dialog:modal')) setTimeout(end, NOTICE_DURATION)
          else drop(id)
        }
        setTimeout(end, NOTICE_DURATION)
      },
      begin: () => {
        let id: number | undefined
        const timer = setTimeout(() => {
          id = add({ text: WORKING_MESSAGE, busy: true })
        }, SLOW_AFTER)
        return () => {
          clearTimeout(timer)
          if (id !== undefined) drop(id)
        }
      },
    }
  }, [drop])
  return (
    <Context value={board}>
      {children}
      <div ref={box} className="notices" role="status">
        {notices.map(({ id, text, undo, busy }) => (
          <div key={id} className="notice">
            {busy && <div className="spinner" />}
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
            {!busy && (
              <button type="button" aria-label="Close" onClick={() => drop(id)}>
                ×
              </button>
            )}
          </div>
        ))}
      </div>
    </Context>
  )
}

/** The message on success, or a function from the response to it. */
type DoneMessage<T> = string | ((answer: T) => string)

interface ActionOptions {
  /** Adds a button to the notice that undoes the action. */
  readonly undo?: () => void
  /** Called with the error, to show it at the fields that it is about. */
  readonly failed?: (error: unknown) => void
}

type Perform = <T>(act: () => Promise<T>, done: DoneMessage<T>, options?: ActionOptions) => Promise<boolean>

/** Returns a function that runs an action and shows its result, even if the user has left the page. It resolves to true on success. */
export function useAction(): Perform {
  const { notify, begin } = useContext(Context)
  return async (act, done, { undo, failed } = {}) => {
    const end = begin()
    try {
      const answer = await act()
      notify(typeof done === 'string' ? done : done(answer), undo)
      return true
    } catch (error) {
      failed?.(error)
      notify(`Failed: ${messageOf(error)}`)
      return false
    } finally {
      end()
    }
  }
}
