import { until } from '@godwit/testing'
import type { Tab } from './tabs.js'

type Outcome = { readonly result: unknown } | { readonly error: string }

const CALL_TIMEOUT = 300_000

/** Calls a function of the worker at `/worker.js`, started at the page's first call. The call may exceed the browser's script timeout. */
export async function inWorker<Result>(
  tab: Pick<Tab, 'evaluate'>,
  name: string,
  ...values: readonly unknown[]
): Promise<Result> {
  await tab.evaluate(`{
    const worker = (window.worker ??= new Worker('/worker.js', { type: 'module' }))
    window.outcome = undefined
    worker.onerror = event => (window.outcome = { error: 'the worker failed: ' + event.message })
    worker.onmessage = ({ data }) => (window.outcome = data)
    worker.postMessage(${JSON.stringify({ name, values })})
  }`)
  let outcome: Outcome | undefined
  const isOver = async (): Promise<boolean> => {
    outcome = (await tab.evaluate('window.outcome')) as Outcome | undefined
    return outcome !== undefined
  }
  await until(isOver, { every: 50, within: CALL_TIMEOUT })
  if (!outcome || 'error' in outcome) throw new Error(outcome?.error ?? 'expected an outcome of the worker, got none')
  return outcome.result as Result
}
