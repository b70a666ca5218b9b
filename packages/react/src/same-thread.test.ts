import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { defineModel, type Sdk, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { hostDevice, openRemote } from '@godwit/model/remote'
import { afterEach, test } from '@jest/globals'
import { createElement } from 'react'
import { act, cleanup, render, screen } from './page.fixture.js'
import { DeviceProvider } from './provider.js'
import { useQuery } from './use-query.js'
import { useRefusals } from './use-refusals.js'
import { useSyncStatus } from './use-sync-status.js'

const models = { Task: defineModel('Task', { sync: 'incremental', attributes: { title: t.string() } }) }

function Page({ tasks }: { tasks: Sdk<typeof models>['models']['Task'] }) {
  const { rows } = useQuery(tasks)
  const { waiting, connected } = useSyncStatus()
  const { status } = useRefusals()
  return createElement('p', null, `${rows.length} rows, ${waiting} wait, ${connected}, ${status}`)
}

let end = async (): Promise<void> => {}
afterEach(() => end())

test('every hook works over an engine in the same thread', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-react-'))
  const sdk = await openSdk({ directory: folder, server: 'http://127.0.0.1:9', models })
  const { port1, port2 } = new MessageChannel()
  const stop = hostDevice({ sdk, models }).connect(port1)
  const device = openRemote(port2, { models })
  end = async () => {
    cleanup()
    device.close()
    stop()
    port1.close()
    await sdk.close()
    rmSync(folder, { recursive: true })
  }
  const shows = (text: string) => screen.findByText(text, {}, { timeout: 60_000 })
  await act(async () =>
    render(createElement(DeviceProvider, { device }, createElement(Page, { tasks: sdk.models.Task }))),
  )
  await shows('0 rows, 0 wait, true, ready')
  act(() => void sdk.models.Task.create({ title: 'first' }))
  await shows('1 rows, 1 wait, true, ready')
})
