import { spawn } from 'node:child_process'
import { type Browser, chromium } from 'playwright-core'
import { QUIET_FLAGS } from './browser.js'

/** A browser whose profile outlives it, and that can be killed at any moment. */
export interface MortalBrowser {
  readonly browser: Browser
  /** SIGKILL for all of its processes. */
  kill(): Promise<void>
}

export async function openMortalBrowser(executablePath: string, profile: string): Promise<MortalBrowser> {
  const words = ['--headless', ...QUIET_FLAGS, '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank']
  const child = spawn(executablePath, words, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  const exit = new Promise<void>(resolve => child.once('close', () => resolve()))
  const address = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const [, found] = said.match(/DevTools listening on (ws:\S+)/) ?? []
      if (found !== undefined) resolve(found)
    })
    void exit.then(() => reject(new Error(`the browser ended before it listened:\n${said}`)))
  })
  return {
    browser: await chromium.connectOverCDP(address),
    async kill() {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, 'SIGKILL')
      await exit
    },
  }
}
