import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react'

/** A confirmation before an action. */
export interface Confirmation {
  readonly title: string
  /** The consequences, in full sentences. */
  readonly says: ReactNode
  /** The label of the button, a verb with its object: "Delete ada". */
  readonly action: string
  /** How to undo the action: by a button in the notice, not at all, or as this sentence says. */
  readonly undo: 'offered' | 'never' | `To undo it, ${string}`
  /** True if the action destroys data. */
  readonly danger?: boolean
}

const UNDO_NOTES = { offered: 'You can undo it right afterwards.', never: 'This cannot be undone.' } as const

/** The dialog's return value if the action was chosen. */
const CHOSEN = 'chosen'

type Confirm = (question: Confirmation) => Promise<boolean>

const Context = createContext<Confirm>(() => Promise.resolve(false))

/** Returns a function that asks for confirmation and resolves to true if the action was chosen. */
export const useConfirm = (): Confirm => useContext(Context)

interface OpenQuestion extends Confirmation {
  readonly answer: (yes: boolean) => void
}

export function ConfirmProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [open, setOpen] = useState<OpenQuestion>()
  const ask: Confirm = useCallback(question => new Promise(answer => setOpen({ ...question, answer })), [])
  const end = (yes: boolean): void => {
    open?.answer(yes)
    setOpen(undefined)
  }
  return (
    <Context value={ask}>
      {children}
      {open && <Confirm question={open} end={end} />}
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
  // Closing a dialog restores the focus; removing it from the DOM does not.
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby="question"
      onClose={() => end(dialog.current?.returnValue === CHOSEN)}
    >
      <div className="dialog-body">
        <h2 id="question" className="break">
          {title}
        </h2>
        <div className="soft stack tight break">{says}</div>
        <p>{undo === 'offered' || undo === 'never' ? UNDO_NOTES[undo] : undo}</p>
      </div>
      <div className="dialog-foot">
        <button type="button" className="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
        <button
          type="button"
          className={`button ${danger ? 'danger' : 'primary'}`}
          onClick={() => dialog.current?.close(CHOSEN)}
        >
          {action}
        </button>
      </div>
    </dialog>
  )
}
