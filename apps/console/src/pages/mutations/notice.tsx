import { type FormEvent, type ReactNode, useState } from 'react'
import { admin } from '../../api.js'
import { useConfirm } from '../../parts/confirm.js'
import { Text } from '../../parts/field.js'
import { useAction } from '../../parts/notices.js'
import { pingSummary } from '../../parts/pinged.js'

interface NoticeProps {
  readonly user: string
  readonly source: string
}

/** Sends a text to a user as a notification on all reachable devices. */
export function Notice({ user, source }: NoticeProps): ReactNode {
  const [message, setMessage] = useState('')
  const confirm = useConfirm()
  const perform = useAction()
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const says = `“${message}” is shown on every device of ${user} that can be reached now. The devices then sync ${source}.`
    if (
      !(await confirm({
        title: `Send the message to ${user}?`,
        says,
        undo: 'never',
        action: 'Send message',
        danger: true,
      }))
    )
      return
    if (await perform(() => admin.users.ping(user, { message, sources: [source] }), pingSummary)) setMessage('')
  }
  return (
    <form className="stack tight" onSubmit={submit}>
      <h3>Message the user</h3>
      <Text
        label={`Message to ${user}`}
        value={message}
        maxLength={500}
        placeholder="Your order arrived; you need not send it again."
        onChange={event => setMessage(event.target.value)}
      />
      <div className="buttons">
        <button type="submit" className="button" disabled={message.trim() === ''}>
          Send…
        </button>
      </div>
    </form>
  )
}
