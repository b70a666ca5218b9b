import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react'

/** What is asked before anything changes. */
export interface Confirmation {
  readonly title: string
  /** What happens then, in full sentences. */
  readonly says: ReactNode
  /** What the button does, as a verb with its object: "Delete ada". */
  readonly action: string
  /** How it is taken back: by a button beside what is told afterwards, not at all, or as this sentence says. */
  readonly undo: 'offered' | 'never' | `To undo it, ${string}`
  /** Something is lost by it. */
  readonly danger?: boolean
}

const UNDO_NOTES = { offered: 'You can undo it right afterwards.', never: 'This cannot be undone.' } as const

/** What the dialog returns where the action was chosen. */
const CHOSEN = 'chosen'

type Confirm = (question: Confirmation) => Promise<boolean>

const Context = createContext<Confirm>(() => Promise.resolve(false))

/** Asks once; resolves to whether the action was chosen. */
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
  // A dialog that is closed gives the focus back where it came from; one that is only removed does not.
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
