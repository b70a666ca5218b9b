#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { runSuite } from './suite/run-suite.js'

const USAGE = `usage: godwit-plugin test URL --secret SECRET --source NAME [--user LOGIN] [--partition NAME] [--attributes JSON]

Checks an HTTP backend, in any language, against the documented wire. URL has the prefix: http://127.0.0.1:9000/sync.
With --attributes it also creates, updates and deletes an object. SECRET may be in GODWIT_BACKEND_SECRET instead.
`

const text = { type: 'string' } as const
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { secret: text, source: text, user: text, partition: text, attributes: text },
})
const [command, url] = positionals
// biome-ignore lint/style/noProcessEnv: a secret in the arguments is visible to other users of the machine.
const secret = values.secret ?? process.env['GODWIT_BACKEND_SECRET']
if (command !== 'test' || url === undefined || secret === undefined || values.source === undefined) {
  process.stderr.write(USAGE)
  process.exitCode = 2
} else {
  const { source, user, partition, attributes } = values
  const isWhole = await runSuite(
    {
      ...{ url, secret, source },
      ...(user !== undefined && { user }),
      ...(partition !== undefined && { partition }),
      ...(attributes !== undefined && { attributes: JSON.parse(attributes) as { readonly [name: string]: string } }),
    },
    line => process.stdout.write(`${line}\n`),
  )
  process.exitCode = isWhole ? 0 : 1
}
