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
      'The backend is not called. The device keeps its change with these values, and changes that waited for it continue. The next query corrects any differences.'
    if (
      !(await confirm({
        title: `Mark ${source} ${object} as applied?`,
        says,
        undo: 'never',
        action: 'Mark as applied',
        danger: true,
      }))
    )
      return
    const found = { ...(real.trim() && { object: real.trim() }), ...(hasValues && { attributes: typed }) }
    if (await perform(() => admin.operations.settle(id, found), 'Marked the mutation as applied.')) decided()
  }
  return (
    <form className="stack tight" onSubmit={submit}>
      <h3>Mark as applied</h3>
      <p className="soft">If the backend has already applied this change, mark it as applied.</p>
      {operation === 'create' && (
        <Text
          label="Id in the backend"
          value={real}
          placeholder={object}
          hint="The id that the backend gave the object. Empty: the id from the device is kept."
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
          Mark as applied…
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
