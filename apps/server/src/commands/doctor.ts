import { plainLine } from '@godwit/terminal'
import { command } from './command.js'
import { checkBackend } from './doctor/backend.js'
import type { CheckResult } from './doctor/check-result.js'
import { checkDemoLogins } from './doctor/demo-logins.js'
import { checkConfig, checkNode, checkSettings } from './doctor/environment.js'
import { checkServer } from './doctor/server.js'
import { checkSpace, checkStore } from './doctor/store.js'

export const doctor = command({
  summary: 'looks for what could keep a server from working, and says what to do',
  local: true,
  options: { url: { takes: 'URL', says: 'the server to look at (GODWIT_URL; else HOST and PORT)' } },
  details: [
    'Looks at Node, the environment, the configuration file, the store (is it whole?), the disk, the port, and the server if one runs. It reads',
    'alone: nothing is changed, and no password is needed; with a token at hand (godwit login, GODWIT_TOKEN) it asks the server for the address of its',
    'backend. The exit code is 1 if there is a problem, 0 if there are warnings at most.',
  ].join('\n'),
  examples: ['godwit doctor', 'godwit doctor --json | jq \'.[] | select(.state != "ok")\''],
  async run({ host, url, signal, print }) {
    const { env } = host
    const findings: readonly CheckResult[] = [
      checkNode(process.versions.node),
      ...checkSettings(env),
      ...(await checkConfig(env)),
      ...(await checkStore(env)),
      ...(await checkDemoLogins(env)),
      ...(await checkSpace(env)),
      ...(await checkServer(url, env, signal)),
      ...(await checkBackend(url, env)),
    ]
    signal.throwIfAborted()
    print(findings, all => all.map(lineOf).join(''))
    return findings.some(({ state }) => state === 'problem') ? 1 : 0
  },
})

const MARKS = { ok: 'ok      ', warning: 'warning ', problem: 'PROBLEM ' }

const lineOf = ({ state, about, says, todo }: CheckResult): string =>
  `${MARKS[state]} ${about}: ${plainLine(says)}${todo === undefined ? '' : ` → ${plainLine(todo)}`}\n`
