import type { Attributes } from '@godwit/admin-client'
import { type FormEvent, type ReactNode, useState } from 'react'
import { messageOf } from '../api.js'
import { Changes } from './changes.js'
import { useConfirm } from './confirm.js'
import { useDo } from './notices.js'
import { attributesOf, differences, mergeOf } from './values.js'

interface AttributesEditorProps {
  readonly attributes: Attributes
  /** Whose attributes they are, as sentences name it. */
  readonly name: string
  /** The title of the question before anything changes. */
  readonly title: string
  /** What happens then. */
  readonly says: ReactNode
  /** Takes what changes; `null` removes an attribute. */
  readonly write: (change: Attributes) => Promise<unknown>
  readonly done: () => void
}

/** Attributes as JSON. What would change is shown before it does, and can be taken back. */
export function AttributesEditor({ attributes, name, title, says, write, done }: AttributesEditorProps): ReactNode {
  const [text, setText] = useState(() => JSON.stringify(attributes, null, 2))
  const confirm = useConfirm()
  const perform = useDo()
  const typed = read(text)
  const found = typed instanceof Error ? [] : differences(attributes, typed)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const shown = (
      <>
        <Changes found={found} />
        <p>{says}</p>
      </>
    )
    if (!(await confirm({ title, says: shown, undo: 'offered', action: `Change ${name}` }))) return
    const back = found.map(({ name, before, after }) => ({ name, before: after, after: before }))
    const undo = (): void => void perform(() => write(mergeOf(back)), `${name} is as before.`).then(done)
    if (await perform(() => write(mergeOf(found)), `${name} is changed.`, undo)) done()
  }
  return (
    <form className="stack tight" onSubmit={submit}>
      <textarea
        className="input"
        aria-label="Attributes as JSON"
        spellCheck={false}
        rows={Math.min(24, text.split('\n').length + 2)}
        value={text}
        onChange={event => setText(event.target.value)}
      />
      {typed instanceof Error && (
        <p className="alert bad" role="alert">
          {messageOf(typed)}
        </p>
      )}
      {found.length > 0 && <Changes found={found} />}
      <div className="buttons">
        <button type="submit" className="button primary" disabled={found.length === 0}>
          Change …
        </button>
        <button type="button" className="button" onClick={done}>
          Cancel
        </button>
      </div>
    </form>
  )
}

function read(text: string): Attributes | Error {
  try {
    return attributesOf(text)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
