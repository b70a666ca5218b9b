import type { Attributes, StoredObject } from '@godwit/admin-client'
import { type FormEvent, type ReactNode, useState } from 'react'
import { admin, messageOf } from '../../api.js'
import { useConfirm } from '../../parts/confirm.js'
import { useDo } from '../../parts/notices.js'
import { attributesOf, brief, type Difference, differences, mergeOf } from './values.js'

interface EditorProps {
  readonly source: string
  readonly user: string
  readonly object: StoredObject
  readonly done: () => void
}

/** The attributes as JSON. What would change is shown before it does. */
export function Editor({ source, user, object, done }: EditorProps): ReactNode {
  const { id, attributes } = object
  const [text, setText] = useState(() => JSON.stringify(attributes, null, 2))
  const confirm = useConfirm()
  const perform = useDo()
  const typed = read(text)
  const found = typed instanceof Error ? [] : differences(attributes, typed)
  const write = (change: readonly Difference[]) => () =>
    admin.users.writeDocument(user, source, 'md', { [id]: mergeOf(change) }, { append: true })
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const yes = await confirm({
      title: `Change ${id} of ${source}?`,
      says: (
        <>
          <Changes found={found} />
          <p>
            Devices receive it with their next pull. The backend does not hear of it, and its next query may undo it.
          </p>
        </>
      ),
      action: `Change ${id}`,
    })
    if (!yes) return
    const back = found.map(({ name, before, after }) => ({ name, before: after, after: before }))
    const undo = (): void => void perform(write(back), `${id} is as before.`).then(done)
    if (await perform(write(found), `${id} is changed.`, undo)) done()
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

const Changes = ({ found }: { readonly found: readonly Difference[] }): ReactNode => (
  <section className="diff" aria-label="What changes">
    {found.flatMap(({ name, before, after }) => [
      before !== undefined && (
        <div key={`- ${name}`} className="gone">
          − {name}: {brief(before)}
        </div>
      ),
      after !== undefined && (
        <div key={`+ ${name}`} className="come">
          + {name}: {brief(after)}
        </div>
      ),
    ])}
  </section>
)
