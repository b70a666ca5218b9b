// A device in the terminal. `node app.ts second` is another one, with a database of its own.
import { createInterface } from 'node:readline'
import { openSdk } from '@godwit/model/node'
import * as models from './models.ts'

/** Any model: this app shows all attributes of whatever model is chosen. */
type Row = { readonly id: string } & { readonly [attribute: string]: unknown }
interface Table {
  observe(options: object, callback: (rows: readonly Row[]) => void): () => void
  create(values: object): void
  update(id: string, changes: object): void
  destroy(id: string): void
}

const { GODWIT_URL: server = 'http://127.0.0.1:8675' } = process.env
const directory = `devices/${process.argv[2] ?? 'first'}`
const sdk = await openSdk({ directory, server, models })
const tables = sdk.models as unknown as { readonly [name: string]: Table }
let name = Object.keys(models)[0] ?? ''
let rows: readonly Row[] = []
let word = ''

function show(): void {
  const { online, waiting, refused } = sdk.status()
  console.log(`\n${name}${online === false ? ', offline: changes are sent later' : ''}, not sent yet: ${waiting}`)
  for (const [at, { id, ...values }] of found().entries())
    console.log(
      `${at + 1}. ${Object.entries(values)
        .map(([key, value]) => `${key}=${value}`)
        .join(', ')}`,
    )
  if (refused > 0) for (const { error } of sdk.refused()) console.log(`Refused: ${error.message}`)
}
const found = () => rows.filter(row => JSON.stringify(row).toLowerCase().includes(word))
const idAt = (at = '') => found()[Number(at) - 1]?.id ?? at

let stop = () => {}
function open(next: string): void {
  stop()
  name = next
  stop =
    tables[name]?.observe({}, next => {
      rows = next
      show()
    }) ?? stop
}

/** `title=Buy milk done=true`: a value is JSON, or text. */
const valuesIn = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)=(.*?)(?=\s+\w+=|$)/g)].map(([, key = '', value = '']) => {
      try {
        return [key, JSON.parse(value)]
      } catch {
        return [key, value]
      }
    }),
  )

const HELP = 'add title=Buy milk | set 1 done=true | remove 1 | find WORD | open MODEL | discard | quit'
async function run(line: string): Promise<void> {
  const [verb = '', first = '', ...rest] = line.trim().split(/\s+/)
  if (verb === 'add') tables[name]?.create(valuesIn(line))
  else if (verb === 'set') tables[name]?.update(idAt(first), valuesIn(rest.join(' ')))
  else if (verb === 'remove') tables[name]?.destroy(idAt(first))
  else if (verb === 'open') open(first)
  else if (verb === 'discard') for (const refusal of sdk.refused()) refusal.dismiss()
  else if (verb === 'quit') process.kill(process.pid, 'SIGINT')
  else if (verb === 'find') word = first.toLowerCase()
  else console.log(HELP)
  if (verb === 'find' || verb === 'discard') show()
}

// Everything works without a server; the first sign-in alone needs one.
if (!sdk.isLoggedIn()) await sdk.login('ada', 'ada').catch(error => console.log(error.message))
console.log(HELP)
open(name)
for await (const line of createInterface({ input: process.stdin }))
  await run(line).catch(error => console.log(error.message))
await sdk.close()
