import type { SourceChange, SourceInfo } from '@godwit/admin-client'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useConfirm } from '../../parts/confirm.js'
import { Choice, Text } from '../../parts/field.js'
import { useAction } from '../../parts/notices.js'
import { changeOf, type Fields, fieldsOf, linesOf } from './settings.js'

interface SettingsFormProps {
  readonly source: SourceInfo
  /** True if the user's role may change the settings. */
  readonly isOpen: boolean
  readonly save: (change: SourceChange) => Promise<unknown>
  readonly saved: () => void
}

/** A form of a source's settings, each with a description. */
export function SettingsForm({ source, isOpen, save, saved }: SettingsFormProps): ReactNode {
  const [fields, setFields] = useState<Fields>(() => fieldsOf(source))
  const confirm = useConfirm()
  const perform = useAction()
  const change = changeOf(source, fields)
  const lines = linesOf(source, change)
  const set = (name: keyof Fields) => (event: { readonly target: { readonly value: string } }) =>
    setFields({ ...fields, [name]: event.target.value })
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const says = (
      <>
        <p>For all users, at once, and beyond restarts:</p>
        <ul className="mono">
          {lines.map(line => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </>
    )
    if (!(await confirm({ title: `Change ${source.name}?`, says, undo: 'offered', action: 'Change the settings' })))
      return
    const before = Object.fromEntries(Object.keys(change).map(name => [name, source[name as keyof SourceInfo]]))
    const undo = (): void =>
      void perform(() => save(before), `The settings of ${source.name} are as before.`).then(saved)
    if (await perform(() => save(change), `The settings of ${source.name} are changed.`, undo)) saved()
  }
  const common = { disabled: !isOpen }
  return (
    <form className="stack tight" onSubmit={submit}>
      <h3>Settings</h3>
      <Text
        label="Interval"
        hint="Seconds between queries. 0: at every pull. -1: only when somebody asks."
        inputMode="numeric"
        pattern="-1|[0-9]+"
        required
        value={fields.poll_interval}
        onChange={set('poll_interval')}
        {...common}
      />
      <Choice
        label="Devices get it"
        options={[
          ['incremental', 'by pulls'],
          ['bulk_only', 'as a file alone'],
        ]}
        value={fields.sync_type}
        onChange={set('sync_type')}
        {...common}
      />
      <Text
        label="Priority"
        hint="Devices sync lower numbers first."
        inputMode="numeric"
        pattern="[0-9]+"
        required
        value={fields.sync_priority}
        onChange={set('sync_priority')}
        {...common}
      />
      <Text
        label="Retries"
        hint="How often a failed query is tried again before the next is due."
        inputMode="numeric"
        pattern="[0-9]+"
        required
        value={fields.retry_limit}
        onChange={set('retry_limit')}
        {...common}
      />
      <Text
        label="Queue"
        hint="Whose workers call the backend. Empty: calls run with the request."
        value={fields.queue}
        onChange={set('queue')}
        {...common}
      />
      <Choice
        label="When a backend pushes"
        options={[
          ['true', 'devices get a push message'],
          ['false', 'devices that listen hear of it'],
        ]}
        value={fields.push_notify}
        onChange={set('push_notify')}
        {...common}
      />
      {isOpen && (
        <div className="buttons">
          <button type="submit" className="button primary" disabled={lines.length === 0}>
            Change …
          </button>
        </div>
      )}
    </form>
  )
}
