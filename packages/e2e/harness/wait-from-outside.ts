import { until } from '@godwit/testing'
import type { Tab } from './tabs.js'

/**
 * Resolves when the expression is true. Evaluated from outside, since the policies of the server's pages forbid them to evaluate texts. Rejects after
 * two minutes with the text of the page.
 */
export async function waitFromOutside(tab: Tab, script: string): Promise<void> {
  const holds = async () => Boolean(await tab.evaluate(`Boolean(${script})`))
  await until(holds, { every: 250, within: 120_000 }).catch(async () => {
    throw new Error(`expected ${script} on a page with the text: ${await tab.evaluate('document.body.innerText')}`)
  })
}
