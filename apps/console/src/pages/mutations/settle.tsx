import type { SentMutation } from '@godwit/admin-client'
import { type FormEvent, type ReactNode, useState } from 'react'
import { admin, messageOf } from '../../api.js'
import { useConfirm } from '../../parts/confirm.js'
import { Text } from '../../parts/field.js'
import { useAction } from '../../parts/notices.js'
import { attributesOf } from '../../parts/values.js'

interface SettleProps {
  readonly mutation: SentMutation
  readonly decided: () => void
}

/** Marks a mutation as applied, without another call, if the backend has done it. */
export function SettleMutation({ mutation, decided }: SettleProps): ReactNode {
  const { id, source, object, operation, attributes } = mutation
  const [real, setReal] = useState('')
  const [text, setText] = useState(() => JSON.stringify(attributes ?? {}, null, 2))
  const confirm = useConfirm()
  const perform = useAction()
  const hasValues = operation !== 'delete' && attributes !== null
  const typed = hasValues ? parseAttributes(text) : {}
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (typed instanceof Error) return
    const says =
      'The backend is not called. The device keeps its change with these values, and what waited for it goes on. The next query corrects what differs.'
    if (
      !(await confirm({
        title: `Apply ${source} ${object} by hand?`,
        says,
        undo: 'never',
        action: 'Apply it',
        danger: true,
      }))
    )
      return
    const found = { ...(real.trim() && { object: real.trim() }), ...(hasValues && { attributes: typed }) }
    if (await perform(() => admin.operations.settle(id, found), 'It is applied.')) decided()
  }
  return (
    <form className="stack tight" onSubmit={submit}>
      <h3>The backend did it</h3>
      <p className="soft">Where you can see in the backend that this was done, apply it by hand.</p>
      {operation === 'create' && (
        <Text
          label="Real id"
          value={real}
          placeholder={object}
          hint="What the backend calls the object. Empty: it keeps the id of the device."
          onChange={event => setReal(event.target.value)}
        />
      )}
      {hasValues && (
        <textarea
          className="input"
          aria-label="Values in the backend, as JSON"
          spellCheck={false}
          rows={Math.min(12, text.split('\n').length + 1)}
          value={text}
          onChange={event => setText(event.target.value)}
        />
      )}
      {typed instanceof Error && (
        <p className="alert bad" role="alert">
          {messageOf(typed)}
        </p>
      )}
      <div className="buttons">
        <button type="submit" className="button" disabled={typed instanceof Error}>
          Apply by hand …
        </button>
      </div>
    </form>
  )
}

function parseAttributes(text: string) {
  try {
    return attributesOf(text)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
