import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react'
import { useLeave } from '../routes.js'

/** A confirmation before an action. */
export interface Confirmation {
  readonly title: string
  /** The consequences, in full sentences. */
  readonly says: ReactNode
  /** The label of the button, a verb with its object: "Delete ada". */
  readonly action: string
  /** How to undo the action: by a button in the notice, not at all, or as this sentence says. */
  readonly undo: 'offered' | 'never' | `To undo this, ${string}`
  /** True if the action destroys data. */
  readonly danger?: boolean
}

const UNDO_HINTS = { offered: 'You can undo this right afterward.', never: 'This cannot be undone.' } as const

type Confirm = (question: Confirmation) => Promise<boolean>

const Context = createContext<Confirm>(() => Promise.resolve(false))

/** Returns a function that asks for confirmation and resolves to true if the action was chosen. */
export const useConfirm = (): Confirm => useContext(Context)

interface OpenQuestion extends Confirmation {
  readonly number: number
  readonly answer: (yes: boolean) => void
}

export function ConfirmProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [open, setOpen] = useState<OpenQuestion>()
  const count = useRef(0)
  const ask: Confirm = useCallback(
    question => new Promise(answer => setOpen({ ...question, answer, number: count.current++ })),
    [],
  )
  const end = (yes: boolean): void => {
    open?.answer(yes)
    setOpen(undefined)
  }
  return (
    <Context value={ask}>
      {children}
      {open && <Confirm key={open.number} question={open} end={end} />}
    </Context>
  )
}

interface ConfirmProps {
  readonly question: Confirmation
  readonly end: (yes: boolean) => void
}

function Confirm({ question: { title, says, action, undo, danger = false }, end }: ConfirmProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  // Closing a dialog restores the focus; removing it from the DOM does not. It ends here and not with the event `close`, which comes so late that a
  // quick key may have asked the next question by then.
  const close = (yes: boolean): void => {
    dialog.current?.close()
    end(yes)
  }
  useLeave(() => close(false))
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby="question"
      onCancel={event => {
        event.preventDefault()
        close(false)
      }}
    >
      <div className="dialog-body">
        <h2 id="question" className="break">
          {title}
        </h2>
        <div className="soft stack tight break">{says}</div>
        <p>{undo === 'offered' || undo === 'never' ? UNDO_HINTS[undo] : undo}</p>
      </div>
      <div className="dialog-foot">
        <button type="button" className="button" onClick={() => close(false)}>
          Cancel
        </button>
        <button type="button" className={`button ${danger ? 'danger' : 'primary'}`} onClick={() => close(true)}>
          {action}
        </button>
      </div>
    </dialog>
  )
}
