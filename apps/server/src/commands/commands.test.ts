import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AdminClient } from '@godwit/admin-client'
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { openDevice } from '../testing/device.js'
import { program, workshop } from '../testing/run-godwit.js'

const PASSWORD = 'a password of tests'
const shop = workshop()
let url: string
let admin: AdminClient
jest.setTimeout(60_000)

beforeAll(async () => {
  const environment = { SYNC_STORE: 'memory:', SYNC_ADMIN_PASSWORD: PASSWORD, SYNC_LOG_LEVEL: 'silent' }
  url = await shop.run({ environment }).listening
  admin = await AdminClient.login({ url, login: 'admin', password: PASSWORD })
})
afterAll(() => shop.clear())

/** Runs a command against the server, as its admin. */
async function godwit(
  words: string,
  { input, ...environment }: { input?: string; [name: string]: string | undefined } = {},
) {
  const given = { GODWIT_URL: url, GODWIT_TOKEN: admin.token, ...environment }
  return shop.run({ words: words.split(' '), environment: given, ...(input !== undefined && { input }) }).ended
}

const BY_PASSWORD = { GODWIT_TOKEN: undefined, GODWIT_PASSWORD: PASSWORD }

/** Returns the command's output with `--json`, parsed. */
async function json<T = Record<string, unknown>>(words: string, given = {}): Promise<T> {
  const { code, stdout, stderr } = await godwit(`${words} --json`, given)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as T
}

const file = (name: string, text: string): string => {
  const path = join(shop.folder, name)
  writeFileSync(path, text)
  return path
}

describe('tokens', () => {
  test('are created, listed and revoked', async () => {
    const { code, stdout } = await godwit('token create', BY_PASSWORD)
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\S{43}\n$/)])
    const token = stdout.trim()
    const other = new AdminClient({ url, token })
    expect(await other.users.list()).toContain('ada')
    const own = (await json<{ id: string }[]>('token list', { GODWIT_TOKEN: token })).at(-1)
    expect(await godwit(`token revoke ${own?.id}`)).toMatchObject({ code: 0, stdout: '' })
    await expect(other.users.list()).rejects.toMatchObject({ code: 'token_invalid' })
  })

  test('that a command creates for itself are revoked at its end', async () => {
    const before = await admin.system.tokens()
    expect(await godwit('license', BY_PASSWORD)).toMatchObject({ code: 0 })
    expect(await godwit('users show nobody', BY_PASSWORD)).toMatchObject({ code: 1 })
    expect(await admin.system.tokens()).toEqual(before)
  })

  test('that a command creates for itself are revoked when its output is closed', async () => {
    const before = await admin.system.tokens()
    const script = `set -o pipefail; "${process.execPath}" "${program}" audit list | true`
    const env = { ...process.env, NODE_OPTIONS: '', GODWIT_URL: url, GODWIT_TOKEN: '', GODWIT_PASSWORD: PASSWORD }
    const { status, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8', env })
    expect([status, stderr]).toEqual([0, ''])
    expect(await admin.system.tokens()).toEqual(before)
  })
})

describe('a saved login', () => {
  const UNNAMED = { GODWIT_TOKEN: undefined }
  const path = () => join(shop.folder, 'godwit', 'tokens.json')

  test('serves the commands that follow, in a private file, until it is revoked and deleted', async () => {
    const before = await admin.system.tokens()
    const told = await json<Record<string, string>>('login', BY_PASSWORD)
    expect(told).toMatchObject({ url, login: 'admin', role: 'admin', file: path() })
    expect([statSync(path()).mode & 0o777, statSync(dirname(path())).mode & 0o777]).toEqual([0o600, 0o700])
    expect(JSON.stringify(told)).not.toContain(JSON.parse(readFileSync(path(), 'utf8'))[url].token)
    const during = await admin.system.tokens()
    expect(during).toHaveLength(before.length + 1)
    expect(await json<string[]>('users list', UNNAMED)).toContain('ada')
    expect(await json<string[]>(`users list --url ${url}/`, UNNAMED)).toContain('ada')
    expect(await admin.system.tokens()).toHaveLength(during.length)
    expect(await json('login', BY_PASSWORD)).toMatchObject({ login: 'admin' })
    expect(await admin.system.tokens()).toHaveLength(during.length)
    expect(await json('logout', UNNAMED)).toEqual({ url, revoked: true })
    expect([await admin.system.tokens(), existsSync(path())]).toEqual([before, false])
    expect(await json('logout', UNNAMED)).toEqual({ url, revoked: false })
    expect(await godwit('users list', UNNAMED)).toMatchObject({ code: 2 })
  })

  test('is sent to its own server only, and a damaged file shows no secret', async () => {
    await json('login', BY_PASSWORD)
    expect(await godwit('users list --url http://127.0.0.1:9', UNNAMED)).toMatchObject({ code: 2 })
    expect(await godwit('logout --url http://127.0.0.1:9', UNNAMED)).toMatchObject({ code: 0 })
    await json('logout', UNNAMED)
    mkdirSync(dirname(path()), { recursive: true })
    writeFileSync(path(), '{"http://x": {"token": "secret"}}')
    const { code, stderr } = await godwit('users list', UNNAMED)
    expect([code, stderr]).toEqual([2, expect.stringContaining('log in again')])
    expect(stderr).not.toContain('secret')
    rmSync(path())
  })
})

describe('users', () => {
  test('without a password are refused where no backend decides on logins', async () => {
    const { code, stderr } = await godwit('users create mallory --no-password')
    expect([code, stderr]).toEqual([1, expect.stringContaining('no `authenticate` is configured')])
    expect(stderr).toContain('Send a password, or set one of these first')
    expect(await godwit('users show mallory')).toMatchObject({ code: 1 })
  })

  test('are imported from CSV or JSON lines, and a second import changes nothing', async () => {
    const csv = file(
      'people.csv',
      '\uFEFFlogin,password,team,role\r\nbarbara,"her ""own"" one","north, east",\nbot,a long one,,reader\n',
    )
    expect(await json(`users import ${csv}`)).toEqual({ created: ['barbara', 'bot'], existing: [] })
    expect(await json('users show barbara')).toMatchObject({ role: 'device', attributes: { team: 'north, east' } })
    expect(await json('users show bot')).toMatchObject({ role: 'reader', attributes: {} })
    await openDeviceOf('barbara', 'her "own" one')
    const lines = '{"login":"barbara","password":"x"}\n\n{"login":"katherine","password":"hers","floor":3}\n'
    expect(await json('users import -', { input: lines })).toEqual({ created: ['katherine'], existing: ['barbara'] })
    expect(await json('users show katherine')).toMatchObject({ attributes: { floor: 3 } })
  })

  test.each([
    ['name,password\nada,x\n', 'line 1: expected a line that names the columns, login among them'],
    ['login,password\nmary,x\ntoo,many,fields\n', 'line 3: expected 2 fields, got 3'],
    ['login,role\nmary,king\n', 'line 2: expected a role of'],
    ['{"login":"mary","password":"x"}\n{"login":7}\n', 'line 2: expected a login, got 7'],
    ['{"login":"mary","password":"x"}\n{', 'line 2: expected a JSON object'],
    ['login,password\nmary,x\nmary,y\n', 'line 3: expected each login once, got \\"mary\\" as on line 2'],
  ])('of a file with a mistake are not created: %j', async (text, said) => {
    const { code, stderr } = await godwit(`users import ${file('wrong', text)}`)
    expect([code, stderr]).toEqual([1, expect.stringContaining(said.replaceAll('\\', ''))])
    expect(await json<string[]>('users list')).not.toContain('mary')
  })

  test('are created with a password from standard input, changed and deleted', async () => {
    expect(
      await json('users create eve --attribute team=north --attribute floor=3 --password-stdin', {
        input: 'her own one\n',
      }),
    ).toEqual({ login: 'eve' })
    expect(await godwit('users set eve --attribute floor=null --attribute note={"a":1}')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"note":{"a":1}'),
    })
    expect(await json('users show eve')).toMatchObject({
      login: 'eve',
      role: 'device',
      attributes: { team: 'north', note: { a: 1 } },
    })
    await openDeviceOf('eve', 'her own one')
    await godwit('users password eve --password-stdin', { input: 'another one' })
    await openDeviceOf('eve', 'another one')
    expect(await json<string[]>('users list')).toContain('eve')
    expect(await godwit('users delete eve')).toMatchObject({ code: 0 })
    expect(await godwit('users show eve')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^godwit: .*eve.*\n$/),
    })
  })

  test('have one of the known roles', async () => {
    expect(await godwit('users create robot --role plugin --password-stdin', { input: 'its own one' })).toMatchObject({
      code: 0,
      stdout: 'robot\n',
    })
    expect(await json('users list --role plugin')).toEqual(['robot'])
    const { code, stderr } = await godwit('users list --role boss')
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^--role: expected one of device, .*, got boss\.\n/)])
  })

  test('are locked and unlocked', async () => {
    await godwit('users create eve --password-stdin', { input: 'her own one' })
    await godwit('users create bob --password-stdin', { input: 'his own one' })
    expect(await json('users lock eve bob')).toEqual({ locked: ['eve', 'bob'] })
    await expect(openDeviceOf('eve', 'her own one')).rejects.toThrow()
    expect(await json('users show bob')).toMatchObject({ locked: true })
    expect(await json('users unlock eve')).toEqual({ unlocked: ['eve'] })
    await openDeviceOf('eve', 'her own one')
    expect(await json('users show bob')).toMatchObject({ locked: true })
    expect(await godwit('users lock nobody')).toMatchObject({ code: 1, stderr: expect.stringContaining('nobody') })
    await godwit('users delete eve bob')
  })

  test('get no password where no terminal can prompt for one', async () => {
    const { code, stderr } = await godwit('users create eve')
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--password-stdin/)])
    expect(await json<string[]>('users list')).not.toContain('eve')
  })
})

async function openDeviceOf(login: string, password: string): Promise<void> {
  const body = JSON.stringify({ login, password })
  const answer = await fetch(`${url}/rc/v1/app/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  expect(answer.status).toBe(200)
}

describe('sources', () => {
  test('are listed, shown and set', async () => {
    expect((await json<{ name: string }[]>('sources list')).map(({ name }) => name)).toEqual([
      'City',
      'Notice',
      'Visit',
    ])
    const { stdout } = await godwit('sources list app')
    expect(stdout).toMatch(/^name +partition type .*\nCity +app +86400/)
    expect(await json('sources set Visit poll_interval=60 queue=slow')).toMatchObject({
      poll_interval: 60,
      queue: 'slow',
    })
    expect(await json('sources set Visit poll_interval=0 queue=null')).toMatchObject({ poll_interval: 0, queue: null })
    expect(await godwit('sources set Visit colour=red')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('colour'),
    })
    expect(await godwit('sources set Visit poll_interval')).toMatchObject({ code: 2 })
  })

  test('are queried at once, or after a while', async () => {
    expect(await json('sources refresh City')).toMatchObject({ count: 135_233, query_requested: false, error: null })
    expect(await json('sources refresh Visit ada --in 5')).toEqual({ source: 'Visit', user: 'ada' })
    expect(await godwit('sources refresh Nothing')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Nothing'),
    })
  })

  test('have a backend, or none', async () => {
    const config = file('godwit.config.mjs', "export default { backend: { secret: 'sixteen characters' } }")
    const environment = { SYNC_STORE: 'memory:', SYNC_ADMIN_PASSWORD: PASSWORD, SYNC_CONFIG: config }
    const asked = { GODWIT_URL: await shop.run({ environment }).listening, ...BY_PASSWORD }
    expect(await godwit('sources backend', asked)).toMatchObject({ stdout: 'none\n' })
    expect(await godwit('sources backend http://127.0.0.1:9', asked)).toMatchObject({ stdout: 'http://127.0.0.1:9\n' })
    expect(await json('sources backend --clear', asked)).toEqual({ adapter_url: null })
    expect(await godwit('backend secret', asked)).toMatchObject({ stdout: 'set in the configuration\n' })
  })

  test('have a backend, and a secret for it, without configuration', async () => {
    expect(await godwit('backend secret')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\S{22,}\n$/) })
    expect(await godwit('sources backend http://127.0.0.1:9')).toMatchObject({ code: 0 })
    expect(await json('sources backend --clear')).toEqual({ adapter_url: null })
  })
})

describe('push', () => {
  const visits = async () => {
    return admin.users.readDocument('linus', 'Visit', 'md')
  }

  test('sends a file of lines, a file of one map, and standard input', async () => {
    const lines = file('visits.ndjson', '{"id":"1","note":"one"}\n\n["2",{"note":"two"}]\n{"id":3,"note":"three"}\n')
    expect(await json(`push Visit linus ${lines} --batch 2`)).toMatchObject({ changed: 3, count: 3 })
    await godwit(`push Visit linus ${file('visits.json', '{"2":{"note":"changed"},"__proto__":{"note":"odd"}}')}`)
    const { stdout } = await godwit('push Visit linus -', { input: '{"id":"4","note":"four"}' })
    expect(stdout).toMatch(/^1 changed; Visit has 5 objects at version \d+\n$/)
    expect(Object.keys((await visits()) as object).sort()).toEqual(['1', '2', '3', '4', '__proto__'])
    expect(await visits()).toMatchObject({ 2: { note: 'changed' }, 3: { note: 'three' } })
    await godwit(`push Visit linus --delete ${file('gone.json', '["1","2",3,"__proto__"]')}`)
    expect(await json('push Visit linus --delete -', { input: '"4"\n' })).toMatchObject({ count: 0 })
  })

  test('reads one map, or a list of ids, from standard input and from files of any name', async () => {
    const map = '\n{\n  "1": {"note": "one"},\n  "2": {"note": "two"}\n}\n'
    expect(await json('push Visit linus -', { input: map })).toMatchObject({ count: 2 })
    expect(await json(`push Visit linus ${file('visits.txt', '{"3":{"note":"three"}}')}`)).toMatchObject({ count: 3 })
    expect(await json(`push Visit linus ${file('lines.json', '{"id":"4"}\n{"id":"5"}')}`)).toMatchObject({ count: 5 })
    const { code, stderr } = await godwit('push Visit linus -', { input: '{\n  "6": {"note": }\n}' })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^godwit: -: .*JSON/s)])
    expect(await godwit('push Visit linus -', { input: '{"note":"no id"}\n' })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^godwit: -, line 1: expected .*got \{"note":"no id"\}\n$/),
    })
    expect(await json('push Visit linus --delete -', { input: '[\n"1", "2", "3",\n"4", 5]' })).toMatchObject({
      count: 0,
    })
  })

  test('sends nothing of a file with a mistake, and names the line', async () => {
    const lines = file('wrong.ndjson', `${'{"id":"1"}\n'.repeat(3)}{"name":"no id"}\n`)
    const { code, stderr } = await godwit(`push Visit linus ${lines} --batch 1`)
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/wrong\.ndjson, line 4: expected .*got \{"name":"no id"\}\n$/),
    ])
    expect(await godwit(`push Visit linus ${file('cut.json', '{"1":{"note"')}`)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cut\.json: .*JSON/),
    })
    expect(await godwit('push Visit linus nowhere.ndjson')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot read nowhere.ndjson'),
    })
    expect(await godwit(`push Visit linus ${shop.folder}`)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^godwit: cannot read .*got a folder\.\n$/),
    })
    expect(await visits()).toEqual({})
  })
})

test('ping, explain, clients and mutations tell what the server answers', async () => {
  const { client, pull } = await openDevice(url, 'grace')
  await pull('Visit')
  expect(await json('ping grace --source Visit --message hello --vibrate 1')).toMatchObject({
    sent: 0,
    skipped: [{ client }],
  })
  expect(await godwit('ping grace')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^sent to 0 devices\nskipped /),
  })
  expect(await json('ping grace --async')).toEqual({ job: expect.any(String) })
  expect(Array.isArray(await json('jobs --state waiting'))).toBe(true)
  expect(await godwit('jobs --state asleep')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--state: expected one of waiting, running, dead'),
  })
  expect(await json('explain City 456172')).toMatchObject({ on_device: expect.any(String) })
  expect(await godwit('explain Visit 7 --user grace')).toMatchObject({
    stdout: expect.stringMatching(/^On the device: no\n- /),
  })
  for (const words of [
    'explain Visit 7 --user nobody',
    'explain None 7',
    'explain Visit 7',
    'explain City --contains qqqq',
  ])
    expect([words, (await godwit(words)).code]).toEqual([words, 1])
  expect(await godwit('explain City')).toMatchObject({ code: 2 })
  expect(await godwit('explain City 1 --contains x')).toMatchObject({ code: 2 })
  expect(await json('clients list --user grace')).toEqual([client])
  expect(await godwit(`clients resync ${client} Visit City`)).toMatchObject({ code: 0 })
  expect(await json(`clients show ${client}`)).toMatchObject({ client_id: client, user: 'grace' })
  expect(await godwit(`clients delete ${client}`)).toMatchObject({ code: 0 })
  expect(await json('clients list --user grace')).toEqual([])
  expect(await json('mutations list --state queued')).toEqual([])
  expect(await godwit('mutations retry nonsense')).toMatchObject({ code: 1 })
  expect(await json('license')).toMatchObject({ license: 'Apache-2.0' })
})

describe('stats', () => {
  test('are a line for each metric, with bars', async () => {
    await (await openDevice(url, 'ada')).pull('Visit')
    const metrics = await json<object[]>('stats source:query:*')
    expect(metrics).toContainEqual({
      metric: 'source:query:Visit',
      // Two, if the minute changes meanwhile.
      points: expect.arrayContaining([expect.objectContaining({ count: expect.any(Number) })]),
    })
    const { stdout } = await godwit('stats --minutes 30')
    expect(stdout).toMatch(/^source:query:Visit +[1-9]\d* +[\d.]+ ms +[\d.]+ ms +[·▁-█]{30}$/m)
    expect(stdout).toMatch(/^users +[1-9]\d* +[·▁-█]{30}$/m)
    expect(await godwit('stats --minutes 0')).toMatchObject({ code: 2 })
  })
})

test('the audit is listed and checked', async () => {
  await godwit('users set ada --attribute seen=true')
  const [newest] = await json<{ action: string; login: string }[]>('audit list --limit 1')
  expect(newest).toMatchObject({ action: 'users.update', login: 'admin', result: 'ok', about: { user_id: 'ada' } })
  expect(await json('audit check')).toMatchObject({ intact: true, head: { hash: expect.any(String) } })
  expect(await godwit('audit check')).toMatchObject({
    stdout: expect.stringMatching(/^\d+ entries are intact, the newest is \d+ /),
  })
})

describe('the caller of a command', () => {
  test.each([
    ['a wrong password', { GODWIT_TOKEN: undefined, GODWIT_PASSWORD: 'wrong' }, 1, 'invalid_credentials'],
    ['a wrong token', { GODWIT_TOKEN: 'wrong' }, 1, 'token_invalid'],
    ['no server', { GODWIT_URL: 'http://127.0.0.1:9', GODWIT_TOKEN: 'any' }, 3, 'offline'],
    ['no address', { GODWIT_URL: 'over there' }, 2, 'usage'],
    ['no password', { GODWIT_TOKEN: undefined }, 2, 'usage'],
  ])('with %s is told so, in words or as JSON', async (_, environment, code, name) => {
    const plain = await godwit('users list', environment)
    expect([plain.code, plain.stdout]).toEqual([code, ''])
    expect(plain.stderr).toMatch(/^\S/)
    const { stderr } = await godwit('users list --json', environment)
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: name, message: expect.any(String) } })
  })

  test.each(['one\ntwo', 'token…'])('with a token that no header can carry is refused: %j', async token => {
    const { code, stderr } = await godwit('users list', { GODWIT_TOKEN: token })
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^Expected a token as/)])
    expect(stderr).not.toContain(token)
  })

  test('at another address never sends the password of this server', async () => {
    const environment = { GODWIT_TOKEN: undefined, SYNC_ADMIN_PASSWORD: PASSWORD }
    expect(await godwit('users list', environment)).toMatchObject({ code: 2 })
    const { port } = new URL(url)
    expect(await godwit('users list', { ...environment, GODWIT_URL: undefined, PORT: port })).toMatchObject({ code: 0 })
  })

  test('says that the admin of a store keeps the password it had', async () => {
    const { port } = new URL(url)
    const environment = { GODWIT_TOKEN: undefined, GODWIT_URL: undefined, PORT: port, SYNC_ADMIN_PASSWORD: 'another' }
    const { code, stderr } = await godwit('users list', environment)
    expect([code, stderr]).toEqual([1, expect.stringContaining('SYNC_ADMIN_PASSWORD is not the password of admin:')])
    const typed = { ...environment, GODWIT_PASSWORD: 'wrong' }
    expect((await godwit('users list', typed)).stderr).toContain('Login or password is wrong')
  })

  test('that stops reading after the first lines sees no error', () => {
    const env = { ...process.env, GODWIT_URL: url, GODWIT_TOKEN: admin.token, NODE_OPTIONS: '' }
    const script = `"${process.execPath}" "${program}" help | true; "${process.execPath}" "${program}" sources list | head -n 1`
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8', env })
    expect([stdout.split('\n').length, stderr]).toEqual([2, ''])
  })
})

test('a reset asks for confirmation twice', async () => {
  expect(await godwit('reset')).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
  expect(await godwit('reset --yes')).toMatchObject({ code: 0, stdout: 'The server was reset.\n' })
  expect(await json('users list --role plugin')).toEqual([])
})
