import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { admin } from '../../api.js'
import { Ago } from '../../parts/ago.js'
import { useConfirm } from '../../parts/confirm.js'
import { Text } from '../../parts/field.js'
import { fieldErrorsOf } from '../../parts/field-errors.js'
import { number } from '../../parts/format.js'
import { useAction } from '../../parts/notices.js'
import { PageHead } from '../../parts/page-head.js'
import { QueryContent } from '../../parts/states.js'
import { useSession } from '../../session.js'
import { useQuery } from '../../use-query.js'

/** Settings of the server. */
export default function Settings(): ReactNode {
  const { may } = useSession()
  return (
    <>
      <PageHead title="Settings" says="Server-wide settings. Everything else is in the configuration." />
      <div className="columns">
        <AppServer />
        {may('system.license') && <License />}
      </div>
    </>
  )
}

function AppServer(): ReactNode {
  const { may } = useSession()
  const confirm = useConfirm()
  const perform = useAction()
  const address = useQuery('app server', options => admin.system.readAppServer(options))
  const known = address.data?.adapter_url ?? ''
  const [typed, setTyped] = useState(known)
  const [rejected, setRejected] = useState<string>()
  useEffect(() => setTyped(known), [known])
  const error =
    typed.trim() === '' || isWebAddress(typed.trim()) ? rejected : 'Address is a URL like https://example.com/backend'
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const url = typed.trim() || null
    const says = url
      ? `${url} will serve device logins, and sources defined without functions.`
      : 'No backend will be called over HTTP: sources without functions receive objects only by pushes.'
    if (
      !(await confirm({
        title: 'Change the backend address?',
        says,
        undo: 'offered',
        action: 'Change address',
      }))
    )
      return
    const write = (to: string | null) => () => admin.system.writeAppServer(to)
    const undo = (): void => void perform(write(known || null), 'Restored the backend address.').then(address.reload)
    const failed = (error: unknown): void => setRejected(fieldErrorsOf(error, { url_not_allowed: 'url' })['url'])
    if (await perform(write(url), 'Changed the backend address.', { undo, failed })) address.reload()
  }
  return (
    <section className="card">
      <div className="card-head">
        <h2>Plugin backend</h2>
      </div>
      <div className="card-body">
        <QueryContent query={address} what="the address">
          {() => (
            <form className="stack tight" onSubmit={submit} noValidate>
              <Text
                label="Address"
                type="url"
                placeholder="none"
                hint="The URL of an HTTP backend in any language. Empty: none."
                value={typed}
                error={error}
                disabled={!may('system.writeAppServer')}
                onChange={event => {
                  setTyped(event.target.value)
                  setRejected(undefined)
                }}
              />
              {may('system.writeAppServer') && (
                <div className="buttons">
                  <button type="submit" className="button primary" disabled={typed === known || error !== undefined}>
                    Change…
                  </button>
                </div>
              )}
            </form>
          )}
        </QueryContent>
        {may('system.readBackendSecret') && <Secret />}
      </div>
    </section>
  )
}

const isWebAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '')

/** The secret that the backend shares with the server, read when it is asked for, since each read is in the audit. */
function Secret(): ReactNode {
  const perform = useAction()
  const [secret, setSecret] = useState<string | null>()
  const show = async (): Promise<void> => {
    const read = async () => setSecret((await admin.system.readBackendSecret()).secret)
    await perform(read, 'Showing the secret. The audit log records this.')
  }
  if (secret === undefined)
    return (
      <div className="buttons">
        <button type="button" className="button" onClick={show}>
          Show the secret
        </button>
      </div>
    )
  return (
    <dl className="facts">
      <dt>Secret</dt>
      <dd>{secret === null ? 'Set in the configuration.' : <code>{secret}</code>}</dd>
    </dl>
  )
}

function License(): ReactNode {
  const license = useQuery('license', options => admin.system.license(options))
  return (
    <section className="card">
      <div className="card-head">
        <h2>License</h2>
      </div>
      <div className="card-body">
        <QueryContent query={license} what="the license">
          {({ licensee, license: name, version, devices, issued }) => (
            <dl className="facts">
              <dt>Terms</dt>
              <dd>{name}</dd>
              <dt>Licensee</dt>
              <dd>{licensee}</dd>
              <dt>Devices</dt>
              <dd className="number">{number(devices)} (unlimited)</dd>
              <dt>Server</dt>
              <dd>{version}</dd>
              <dt>Store created</dt>
              <dd>
                <Ago time={issued} />
              </dd>
            </dl>
          )}
        </QueryContent>
      </div>
    </section>
  )
}
