import type { Attributes } from '@godwit/admin-client'
import { type FormEvent, type ReactNode, useState } from 'react'
import { messageOf } from '../api.js'
import { useConfirm } from './confirm.js'
import { useAction, useNotify } from './notices.js'
import {
  attributesOf,
  type Difference,
  differences,
  editDifferences,
  isOverwritten,
  mergeOf,
  shortText,
} from './values.js'

interface AttributesEditorProps {
  readonly attributes: Attributes
  /** The owner of the attributes, as named in sentences. */
  readonly name: string
  /** The title of the confirmation. */
  readonly title: string
  /** The consequences, as shown in the confirmation. */
  readonly says: ReactNode
  /** Returns the current attributes on the server; undefined if the object is gone. */
  readonly present: () => Promise<Attributes | undefined>
  /** Writes the changed attributes; `null` removes one. */
  readonly write: (change: Attributes) => Promise<unknown>
  readonly done: () => void
}

/** Edits attributes as JSON. Changes are shown for confirmation and can be undone. */
export function AttributesEditor({
  attributes,
  name,
  title,
  says,
  present,
  write,
  done,
}: AttributesEditorProps): ReactNode {
  const [text, setText] = useState(() => JSON.stringify(attributes, null, 2))
  const confirm = useConfirm()
  const perform = useAction()
  const notify = useNotify()
  const typed = parseAttributes(text)
  const found = typed instanceof Error ? [] : differences(attributes, typed)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const now = await present().catch((error: unknown) => error as Error)
    if (now instanceof Error) return notify(`Failed: ${messageOf(now)}`)
    if (now === undefined) return notify(`Failed: ${name} no longer exists.`)
    const edited = typed instanceof Error ? [] : editDifferences({ before: attributes, after: typed, now })
    const others = differences(attributes, now)
    const summary = (
      <>
        <Changes found={edited} />
        {others.length > 0 && (
          <>
            <p className="alert">
              Someone else changed {name} since you opened it. Their changes are kept unless you overwrite them:
            </p>
            <Changes found={others} label="Changes by others" />
          </>
        )}
        <p>{says}</p>
      </>
    )
    if (!(await confirm({ title, says: summary, undo: 'offered', action: `Change ${name}` }))) return
    const back = edited.map(({ name, before, after }) => ({ name, before: after, after: before }))
    const undo = (): void =>
      void perform(async () => {
        if (isOverwritten(edited, (await present()) ?? {}))
          throw new Error('another operator or device has changed it since. Reopen it to see its current state.')
        await write(mergeOf(back))
      }, `Restored ${name}.`).then(done)
    if (await perform(() => write(mergeOf(edited)), `Changed ${name}.`, { undo })) done()
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
          Change…
        </button>
        <button type="button" className="button" onClick={done}>
          Cancel
        </button>
      </div>
    </form>
  )
}

function parseAttributes(text: string): Attributes | Error {
  try {
    return attributesOf(text)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

interface ChangesProps {
  readonly found: readonly Difference[]
  readonly label?: string
}

/** The changes, attribute by attribute: old and new values. */
const Changes = ({ found, label = 'Your changes' }: ChangesProps): ReactNode => (
  <section className="diff" aria-label={label}>
    {found.flatMap(({ name, before, after }) => [
      before !== undefined && (
        <div key={`- ${name}`} className="gone">
          − {name}: {shortText(before)}
        </div>
      ),
      after !== undefined && (
        <div key={`+ ${name}`} className="come">
          + {name}: {shortText(after)}
        </div>
      ),
    ])}
  </section>
)
