import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE_SCRIPT = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Returns the violations that axe finds. The pages' policy allows no foreign script, so the debugger runs it. */
export async function accessibilityProblems(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE_SCRIPT)
  const found = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] })`)) as {
    violations: readonly { id: string; impact: string; nodes: readonly { html: string }[] }[]
  }
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}

/** The same in light and dark mode. */
export async function accessibilityProblemsInBothModes(page: Page): Promise<readonly string[]> {
  const found: string[] = []
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    // During a transition between colour schemes, contrast is that of neither.
    await page.evaluate('Promise.allSettled(document.getAnimations().map(one => one.finished)).then(() => {})')
    for (const barrier of await accessibilityProblems(page)) found.push(`${colorScheme}: ${barrier}`)
  }
  return found
}
