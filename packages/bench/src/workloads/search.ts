import { figure } from '../measure.js'
import { syncCities, withDemo } from './demo.js'
import type { Workload } from './workload.js'

const WORDS = ['pa', 'par', 'pari', 'new york', 'sán jo', 'san']
const LIMIT = 20
const TIMES = 41

/** Finds cities of the demo by words: processor time of one find in the app's process. */
export const search: Workload<{ readonly name: string }> = {
  name: 'p. search by words',
  systems: [{ name: 'Godwit' }],
  run: () =>
    withDemo({}, async server => {
      const measured: { readonly measure: string; readonly took: readonly number[] }[] = []
      await syncCities(server, ({ models: { City } }) => {
        for (const words of WORDS) {
          const find = () => City.find({ search: words, limit: LIMIT }).length
          if (find() === 0) throw new Error(`no city is found by "${words}"`)
          measured.push({
            measure: `"${words}", ${LIMIT} rows, ms`,
            took: Array.from({ length: TIMES }, () => spent(find)),
          })
        }
      })
      return measured.map(({ measure, took }) => ({ measure, ...figure(took) }))
    }),
}

function spent(run: () => unknown): number {
  const began = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}
