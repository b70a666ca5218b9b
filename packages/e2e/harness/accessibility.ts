import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE_SCRIPT = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** How grave a violation is, as axe rates it. */
type Impact = 'minor' | 'moderate' | 'serious' | 'critical'

const GRAVE: readonly Impact[] = ['serious', 'critical']
/** Every rating, for pages on which axe shall find nothing at all. */
export const ALL_IMPACTS: readonly Impact[] = ['minor', 'moderate', ...GRAVE]

/** A page of any browser. */
interface Evaluator {
  evaluate(script: string): Promise<unknown>
}

/**
 * Returns the violations that axe reports; by default the serious and critical ones. The debugger runs axe, because the pages' policy forbids foreign
 * scripts.
 */
export async function accessibilityProblems(page: Evaluator, impacts = GRAVE): Promise<readonly string[]> {
  await page.evaluate(AXE_SCRIPT)
  const found = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] })`)) as {
    violations: readonly { id: string; impact: Impact; nodes: readonly { html: string }[] }[]
  }
  return found.violations
    .filter(({ impact }) => impacts.includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}

/** Returns the violations in dark and light mode, each prefixed with its colour scheme. */
export async function accessibilityProblemsInBothModes(page: Page, impacts = GRAVE): Promise<readonly string[]> {
  const found: string[] = []
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    // Contrast measured during the transition would belong to neither colour scheme.
    await page.evaluate('Promise.allSettled(document.getAnimations().map(one => one.finished)).then(() => {})')
    for (const barrier of await accessibilityProblems(page, impacts)) found.push(`${colorScheme}: ${barrier}`)
  }
  return found
}
