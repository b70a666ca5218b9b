import type { Page } from 'playwright-core'

/** Calls a function of the worker at `/worker.js`, which is started at the first call of a page. */
export const inWorker = <Result>(page: Page, name: string, ...values: readonly unknown[]): Promise<Result> =>
  page.evaluate(`new Promise((resolve, reject) => {
    const worker = (window.worker ??= new Worker('/worker.js', { type: 'module' }))
    worker.onerror = event => reject(new Error('the worker failed: ' + event.message))
    worker.onmessage = ({ data }) => ('error' in data ? reject(new Error(data.error)) : resolve(data.result))
    worker.postMessage(${JSON.stringify({ name, values })})
  })`) as Promise<Result>
