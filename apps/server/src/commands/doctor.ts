import { plainLine } from '@godwit/terminal'
import { command } from './command.js'
import type { CheckResult } from './doctor/check-result.js'

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
    const { checkAll } = await import('./doctor/check-all.js')
    const findings = await checkAll(url, host.env, signal)
    signal.throwIfAborted()
    print(findings, all => all.map(lineOf).join(''))
    return findings.some(({ state }) => state === 'problem') ? 1 : 0
  },
})

const MARKS = { ok: 'ok      ', warning: 'warning ', problem: 'PROBLEM ' }

const lineOf = ({ state, about, says, todo }: CheckResult): string =>
  `${MARKS[state]} ${about}: ${plainLine(says)}${todo === undefined ? '' : ` → ${plainLine(todo)}`}\n`
