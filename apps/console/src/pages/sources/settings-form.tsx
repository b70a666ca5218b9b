import type { SourceChange, SourceInfo } from '@godwit/admin-client'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useConfirm } from '../../parts/confirm.js'
import { Choice, Text } from '../../parts/field.js'
import { type FieldErrors, fieldErrorsOf } from '../../parts/field-errors.js'
import { useAction } from '../../parts/notices.js'
import { changeOf, errorsIn, type Fields, fieldsOf, LABELS, linesOf } from './settings.js'

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
  const [rejected, setRejected] = useState<FieldErrors>({})
  const confirm = useConfirm()
  const perform = useAction()
  const typed = errorsIn(fields)
  const change = changeOf(source, fields)
  const lines = linesOf(source, change)
  const control = (name: keyof Fields) => ({
    label: LABELS[name],
    value: fields[name],
    error: typed[name] ?? rejected[name],
    disabled: !isOpen,
    onChange: (event: { readonly target: { readonly value: string } }) => {
      setFields({ ...fields, [name]: event.target.value })
      setRejected({ ...rejected, [name]: undefined })
    },
  })
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const says = (
      <>
        <p>For all users, effective immediately and kept across restarts:</p>
        <ul className="mono">
          {lines.map(line => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </>
    )
    if (
      !(await confirm({
        title: `Change the settings of ${source.name}?`,
        says,
        undo: 'offered',
        action: 'Change settings',
      }))
    )
      return
    const before = Object.fromEntries(Object.keys(change).map(name => [name, source[name as keyof SourceInfo]]))
    const undo = (): void => void perform(() => save(before), `Settings of ${source.name} restored.`).then(saved)
    const failed = (error: unknown): void => setRejected(fieldErrorsOf(error))
    if (await perform(() => save(change), `Settings of ${source.name} changed.`, { undo, failed })) saved()
  }
  return (
    <form className="stack tight" onSubmit={submit} noValidate>
      <h3>Settings</h3>
      <Text
        hint="Seconds between queries. 0: on every pull. -1: only on request."
        inputMode="numeric"
        {...control('poll_interval')}
      />
      <Choice
        options={[
          ['incremental', 'pulls'],
          ['bulk_only', 'bulk file only'],
        ]}
        {...control('sync_type')}
      />
      <Text hint="Devices sync sources with lower numbers first." inputMode="numeric" {...control('sync_priority')} />
      <Text
        hint="How many times a failed query is retried before the next one is due."
        inputMode="numeric"
        {...control('retry_limit')}
      />
      <Text
        hint="The queue whose workers call the backend. Empty: the backend is called within the request."
        {...control('queue')}
      />
      <Choice
        options={[
          ['true', 'send push messages to devices'],
          ['false', 'notify listening devices only'],
        ]}
        {...control('push_notify')}
      />
      {isOpen && (
        <div className="buttons">
          <button
            type="submit"
            className="button primary"
            disabled={lines.length === 0 || Object.keys(typed).length > 0}
          >
            Change…
          </button>
        </div>
      )}
    </form>
  )
}
