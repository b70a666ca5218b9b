import { plainLine } from '@godwit/terminal'
import { command } from './command.js'
import type { CheckResult } from './doctor/check-result.js'

export const doctor = command({
  summary: 'checks for problems that could keep a server from working, and how to fix them',
  local: true,
  options: { url: { takes: 'URL', says: 'the server to check (default: GODWIT_URL, else HOST and PORT)' } },
  details: [
    'Checks Node, the environment, the configuration file, the integrity of the store, the disk, the port, and the server if it is running. It',
    'changes nothing and needs no password. With a token (godwit login, GODWIT_TOKEN) it also checks the address of the',
    'backend, and lists the feeds. The exit code is 1 if there is a problem, and 0 if there are only warnings.',
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
