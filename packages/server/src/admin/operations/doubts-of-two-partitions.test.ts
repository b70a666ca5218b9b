import type { Attributes, Page, PushOutcomes, UndecidedMutation } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { describe, expect, test } from '@jest/globals'
import { failure, json, openServer } from '../../testing/open-server.js'

const KEY = 'key-of-the-first-1'

/** One change of a user who moved from red to blue while it was in progress: its key is in doubt in the journals of both teams. */
async function inDoubtTwice(again: () => string | Promise<string> = () => 'real') {
  const calls: string[] = []
  let team = 'red'
  const Note = defineSource<Attributes>({
    name: 'Note',
    pollInterval: -1,
    partitionName: () => team,
    create(_attributes, { partition }) {
      calls.push(partition)
      if (calls.length === 1) throw new Error('the line broke')
      return again()
    },
  })
  const on = openServer({ sources: [Note], limits: { pushWait: 0.5 } })
  const [admin, ada] = [await on.as(), await on.device('ada')]
  const send = async (sent: boolean): Promise<PushOutcomes> => {
    const { epoch } = await json<Page>(await on.call('GET', '/app/v1/Note', { headers: ada.headers }))
    const mutation = { number: 1, key: KEY, operation: 'create', object: 't1', attributes: { a: 1 }, sent }
    const body = { epoch, acknowledged: 0, mutations: [mutation] }
    return json(await on.call('POST', '/app/v1/Note', { headers: ada.headers, body }))
  }
  expect(await send(false)).toMatchObject({ outcomes: [{ status: 'in_doubt' }] })
  team = 'blue'
  expect(await send(true)).toMatchObject({ outcomes: [{ status: 'in_doubt' }] })
  const doubts = await json<UndecidedMutation[]>(await on.call('GET', '/rc/v1/mutations', { headers: admin }))
  expect(doubts.map(({ partition, key }) => [partition, key])).toEqual([
    ['name:blue', KEY],
    ['name:red', KEY],
  ])
  const [blue, red] = doubts.map(({ id }) => id) as [string, string]
  const decide = (id: string, how: string) => on.call('POST', `/rc/v1/mutations/${id}/${how}`, { headers: admin })
  return { on, calls, blue, red, decide }
}

describe('one change in doubt in the journals of two partitions', () => {
  test('is not called again in one of them once it was applied in the other', async () => {
    const { calls, blue, red, decide } = await inDoubtTwice()
    expect(await json(await decide(blue, 'retry'))).toEqual({ status: 'applied', link: 'real' })
    const second = await decide(red, 'retry')
    expect(await second.clone().json()).toMatchObject({ detail: expect.stringContaining('name:blue') })
    expect(await failure(second)).toBe('422 value_not_allowed')
    expect(calls).toEqual(['red', 'blue'])
    expect((await decide(red, 'discard')).status).toBe(200)
  })

  test('is not called in one of them while a retry in the other is under way', async () => {
    const { on, calls, blue, red, decide } = await inDoubtTwice(() => new Promise<string>(() => {}))
    expect(await json(await decide(red, 'retry'))).toEqual({ status: 'queued' })
    expect(await failure(await decide(blue, 'retry'))).toBe('422 value_not_allowed')
    expect(calls).toEqual(['red', 'red'])
    await on.server.close()
  })

  test('is called once when it is retried in both at the same time', async () => {
    const { calls, blue, red, decide } = await inDoubtTwice()
    const answers = await Promise.all([decide(blue, 'retry'), decide(red, 'retry')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(calls).toHaveLength(2)
  })

  test('can be retried in one of them when the other was discarded', async () => {
    const { calls, blue, red, decide } = await inDoubtTwice()
    expect((await decide(red, 'discard')).status).toBe(200)
    expect(await json(await decide(blue, 'retry'))).toEqual({ status: 'applied', link: 'real' })
    expect(calls).toEqual(['red', 'blue'])
  })
})
