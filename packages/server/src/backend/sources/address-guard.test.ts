import { defineSource } from '@godwit/source'
import { openMemoryStore } from '@godwit/store'
import { verifies } from '@godwit/testing'
import { describe, expect, test } from '@jest/globals'
import { failure, json, openServer } from '../../testing/open-server.js'
import { AddressGuard } from './address-guard.js'

const PRIVATE = [
  'http://127.0.0.1',
  'http://127.1',
  'http://127.0.1:8080/path',
  'http://2130706433',
  'http://0x7f000001',
  'http://0x7f.0.0.1',
  'http://0177.0.0.1',
  'http://017700000001',
  'http://127.0.0.1.',
  'http://１２７.０.０.１',
  'http://127。0。0。1',
  'http:\\\\127.0.0.1',
  'http:127.0.0.1',
  'http://localhost',
  'http://LOCALHOST.',
  'http://a.localhost',
  'http://0.0.0.0',
  'http://0',
  'http://10.0.0.1',
  'http://10.1',
  'http://172.16.0.1',
  'http://172.31.255.255',
  'http://192.168.1.1',
  'http://0300.0250.1.1',
  'http://100.64.0.1',
  'http://100.127.255.254',
  'http://192.0.2.1',
  'http://198.18.0.1',
  'http://198.51.100.1',
  'http://203.0.113.7',
  'http://224.0.0.1',
  'http://240.0.0.1',
  'http://255.255.255.255',
  'http://[::]',
  'http://[::1]',
  'http://[0:0:0:0:0:0:0:1]',
  'http://[::127.0.0.1]',
  'http://[::ffff:127.0.0.1]',
  'http://[::ffff:7f00:1]',
  'http://[::ffff:0:10.0.0.1]',
  'http://[64:ff9b::10.0.0.1]',
  'http://[64:ff9b:1::10.0.0.1]',
  'http://[2002:0a00:0001::]',
  'http://[2001:0:1::1]',
  'http://[2001:db8::1]',
  'http://[fc00::1]',
  'http://[fd12:3456::1]',
  'http://[fec0::1]',
  'http://[ff02::1]',
  'http://[100::1]',
]

const NEVER = [
  'http://169.254.169.254',
  'http://169.254.0.1',
  'http://0xa9fea9fe',
  'http://2852039166',
  'http://0251.0376.0251.0376',
  'http://169.254.43518',
  'http://169.254.169.254.',
  'http://[::ffff:169.254.169.254]',
  'http://[::169.254.169.254]',
  'http://[::ffff:0:169.254.169.254]',
  'http://[64:ff9b::169.254.169.254]',
  'http://[64:ff9b:1::a9fe:a9fe]',
  'http://[2002:a9fe:a9fe::]',
  'http://[2001:0:0:0:0:0:5601:5601]',
  'http://[fe80::1]',
  'http://[fd00:ec2::254]',
  'http://[fd20:ce::254]',
  'http://100.100.100.200',
  'http://168.63.129.16',
  'http://192.0.0.192',
  'http://metadata.google.internal',
  'http://METADATA.google.internal.',
  'http://metadata',
  'http://instance-data',
]

const MALFORMED = [
  'ftp://example.com',
  'file:///etc/passwd',
  'gopher://example.com',
  'javascript:alert(1)',
  'data:text/plain,x',
  'unix:///var/run/docker.sock',
  'example.com',
  '//example.com',
  'http://',
  'http://[fe80::1%25eth0]',
  'http://[::1',
  'http://999.1.1.1',
  'http://user@example.com',
  'http://user:secret@example.com',
  'http://:secret@example.com',
  'http://example.com@127.0.0.1',
  'http://example.com?x=1',
  'http://example.com#x',
]

const PUBLIC = [
  'http://8.8.8.8',
  'https://[2606:4700::1111]:8443/base/',
  'http://example.com/',
  'https://münchen.example',
]

const outside = async () => ['93.184.216.34']
const production = new AddressGuard({ allowPrivate: false, resolve: outside })
const development = new AddressGuard({ allowPrivate: true, resolve: outside })
const refused = expect.objectContaining({ code: 'url_not_allowed' })

describe('the guard of addresses', () => {
  test.each(PRIVATE)('%s only where private ones are allowed', async url => {
    await expect(production.check(url)).rejects.toEqual(refused)
    await expect(development.check(url)).resolves.toEqual(expect.any(String))
  })

  test.each(NEVER)('%s never', async url => {
    await expect(production.check(url)).rejects.toEqual(refused)
    await expect(development.check(url)).rejects.toEqual(refused)
  })

  test.each(MALFORMED)('%s is refused everywhere', async url => {
    await expect(development.check(url)).rejects.toEqual(refused)
  })

  test.each(PUBLIC)('%s may be called', async url => {
    await expect(production.check(url)).resolves.toMatch(/^https?:.*[^/]$/)
  })

  test('all addresses of a name are checked', async () => {
    const of = (...addresses: string[]) => new AddressGuard({ allowPrivate: false, resolve: async () => addresses })
    await expect(of('127.0.0.1').check('http://backend.example')).rejects.toEqual(refused)
    await expect(of('8.8.8.8', '::ffff:10.0.0.1').check('http://backend.example')).rejects.toEqual(refused)
    await expect(of().check('http://backend.example')).rejects.toEqual(refused)
    await expect(of('fe80::1%eth0').check('http://backend.example')).rejects.toEqual(refused)
    await expect(of('8.8.8.8').check('http://backend.example')).resolves.toBe('http://backend.example')
  })
})

describe('the address of the backend', () => {
  const PATH = '/rc/v1/system/appserver'
  const backend = { secret: 'sixteen characters' }

  test('is set by admins alone where the configuration names no backend', async () => {
    const on = openServer({ resolveName: outside })
    const headers = await on.as()
    const shop = { attributes: { login: 'shop', password: 'secret' }, role: 'plugin' }
    await on.call('POST', '/rc/v1/users', { headers, body: shop })
    const plugin = await on.as('shop', 'secret')
    const set = (by: Record<string, string>, adapter_url: string | null) =>
      on.call('POST', PATH, { headers: by, body: { adapter_url } })
    expect(await failure(await set(plugin, 'https://backend.example'))).toBe('403 role_insufficient')
    expect(await json(await on.call('GET', PATH, { headers }))).toEqual({ adapter_url: null })
    expect((await set(headers, 'https://backend.example')).status).toBe(200)
    expect(await json(await on.call('GET', PATH, { headers: plugin }))).toEqual({
      adapter_url: 'https://backend.example',
    })
    expect((await set(plugin, null)).status).toBe(200)
  })

  test('makes its sources due when it changes', async () => {
    const Far = defineSource<object>({ name: 'Far', pollInterval: 86_400 })
    const Near = defineSource<object>({ name: 'Near', pollInterval: 86_400, query: () => ({}) })
    const on = openServer({ resolveName: outside, backend, sources: [Far, Near] })
    const headers = await on.as()
    const collections = ['Far', 'Near'].map(source => ({ source, partition: 'user:ada' }))
    for (const collection of collections) await on.store.collections.open(collection)
    const asked = async () =>
      Promise.all(collections.map(async collection => (await on.store.collections.head(collection))?.queriesRequested))
    const set = (adapter_url: string | null) => on.call('POST', PATH, { headers, body: { adapter_url } })
    await set('https://backend.example')
    expect(await asked()).toEqual([1, 0])
    await set('https://backend.example')
    expect(await asked()).toEqual([1, 0])
    await set('https://other.example')
    expect(await asked()).toEqual([2, 0])
  })

  test('is read, set and cleared', async () => {
    verifies('rest.system.appserver.read', 'rest.system.appserver.write')

    const on = openServer({ resolveName: outside, backend })
    const headers = await on.as()
    const read = async () => json(await on.call('GET', PATH, { headers }))
    const set = (adapter_url: unknown) => on.call('POST', PATH, { headers, body: { adapter_url } })
    for (const nothing of [null, '']) {
      expect(await read()).toEqual({ adapter_url: null })
      const answer = await set('https://backend.example/sync/')
      expect([answer.status, await answer.json()]).toEqual([200, {}])
      expect(await read()).toEqual({ adapter_url: 'https://backend.example/sync' })
      await set(nothing)
    }
    expect(await read()).toEqual({ adapter_url: null })
    expect(await failure(await set(7))).toBe('422 body_invalid')
  })

  test('that is refused changes nothing and lists what is allowed', async () => {
    const on = openServer({ resolveName: outside, backend })
    const headers = await on.as()
    await on.call('POST', PATH, { headers, body: { adapter_url: 'http://backend.example' } })
    const answer = await on.call('POST', PATH, { headers, body: { adapter_url: 'http://127.1/' } })
    expect([answer.status, await answer.json()]).toEqual([
      422,
      expect.objectContaining({ code: 'url_not_allowed', detail: expect.stringContaining('http or https') }),
    ])
    expect(await json(await on.call('GET', PATH, { headers }))).toEqual({ adapter_url: 'http://backend.example' })
  })

  test('survives a restart', async () => {
    const store = openMemoryStore()
    const first = openServer({ store, resolveName: outside, backend })
    await first.call('POST', PATH, { headers: await first.as(), body: { adapter_url: 'http://backend.example' } })
    await first.server.close()
    const again = openServer({ store })
    expect(await json(await again.call('GET', PATH, { headers: await again.as() }))).toEqual({
      adapter_url: 'http://backend.example',
    })
  })

  test('is for plugins too', async () => {
    const on = openServer({ resolveName: outside, backend })
    const body = { attributes: { login: 'shop', password: 'secret' }, role: 'plugin' }
    await on.call('POST', '/rc/v1/users', { headers: await on.as(), body })
    const headers = await on.as('shop', 'secret')
    const answer = await on.call('POST', PATH, { headers, body: { adapter_url: 'http://backend.example' } })
    expect(answer.status).toBe(200)
    expect(await json(await on.call('GET', PATH, { headers }))).toEqual({ adapter_url: 'http://backend.example' })
    expect((await on.call('GET', '/rc/v1/sources/City', { headers })).status).toBe(200)
  })
})
