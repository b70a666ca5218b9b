import type { Pinged } from '@godwit/admin-client'
import { type FormEvent, type ReactNode, useState } from 'react'
import { admin, messageOf } from '../../api.js'
import { useConfirm } from '../../parts/confirm.js'
import { Text } from '../../parts/field.js'
import { useNotify } from '../../parts/notices.js'

interface NoticeProps {
  readonly user: string
  readonly source: string
}

/** A line to the user, as a notification on every device that can be reached. */
export function Notice({ user, source }: NoticeProps): ReactNode {
  const [message, setMessage] = useState('')
  const confirm = useConfirm()
  const notify = useNotify()
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const says = `“${message}” is shown on every device of ${user} that can be reached now, which then syncs ${source}.`
    if (!(await confirm({ title: `Tell ${user}?`, says, action: `Tell ${user}`, danger: true }))) return
    try {
      notify(wordsOf(await admin.users.ping(user, { message, sources: [source] })))
      setMessage('')
    } catch (error) {
      notify(`That was not sent: ${messageOf(error)}`)
    }
  }
  return (
    <form className="stack tight" onSubmit={submit}>
      <h3>Tell the user</h3>
      <Text
        label={`Message to ${user}`}
        value={message}
        maxLength={500}
        placeholder="Your order arrived; you need not send it again."
        onChange={event => setMessage(event.target.value)}
      />
      <div className="buttons">
        <button type="submit" className="button" disabled={message.trim() === ''}>
          Send …
        </button>
      </div>
    </form>
  )
}

function wordsOf({ sent, skipped, failed }: Pinged): string {
  const missed = skipped.length + failed.length
  const told = `Sent to ${sent} ${sent === 1 ? 'device' : 'devices'}`
  const reason = skipped[0]?.reason ?? failed[0]?.reason ?? ''
  return missed === 0 ? `${told}.` : `${told}; ${missed} could not be reached (${reason.replaceAll('_', ' ')}).`
}
