import type { SdkEvent } from '@godwit/model/node'
import { progressBar } from '../view/progress.js'
import type { AppSdk, Command } from './command.js'

type Summary = Awaited<ReturnType<AppSdk['sync']>>
type Failure = Pick<Extract<SdkEvent, { kind: 'error' }>, 'source' | 'error'>

export const sync: Command = {
  usage: 'sync',
  summary: 'send local changes and fetch those of others',
  async run({ sdk, terminal, print }) {
    const bar = progressBar(terminal)
    const events = sdk.events()
    const refused: string[] = []
    const overwritten: string[] = []
    const failures: Failure[] = []
    const watching = (async () => {
      for await (const event of events) {
        if (event.kind === 'progress') bar.show(event)
        if (event.kind === 'refused' || event.kind === 'conflict') refused.push(event.model)
        if (event.kind === 'overwritten') overwritten.push(event.model)
        if (event.kind === 'error') failures.push(event)
        if (event.kind === 'complete') return
      }
    })()
    try {
      const summary = await sdk.sync()
      await watching
      bar.end()
      const reported = addFailures(addDecisions(summary, { refused, overwritten }), failures)
      print(reported, ({ sources }) => sources.map(line).join(''))
      return reported.sources.some(({ error }) => error !== undefined) ? 1 : 0
    } finally {
      bar.end()
      await events.return()
    }
  },
}

/** The models of changes that were refused, and of those that replaced values of others. */
interface Decisions {
  readonly refused: readonly string[]
  readonly overwritten: readonly string[]
}

const addDecisions = ({ sources }: Summary, { refused, overwritten }: Decisions) => ({
  sources: sources.map(summary => {
    const count = (models: readonly string[]) => models.filter(model => model === summary.source).length
    return { ...summary, refused: count(refused), overwritten: count(overwritten) }
  }),
})

/** If a backend failed, the server still answers with the former rows, and the failure is only an event. */
const addFailures = ({ sources }: ReturnType<typeof addDecisions>, failures: readonly Failure[]) => ({
  sources: sources.map(summary => {
    const error = summary.error ?? failures.find(({ source }) => source === summary.source)?.error
    return { ...summary, ...(error !== undefined && { error }) }
  }),
})

function line({
  source,
  received,
  sent,
  refused,
  overwritten,
  error,
}: ReturnType<typeof addFailures>['sources'][number]): string {
  const facts = [`${received} received`, `${sent} sent`, ...(refused > 0 ? [`${refused} refused`] : [])]
  if (overwritten > 0) facts.push(`${overwritten} overwritten`)
  return `${source}: ${facts.join(', ')}${error === undefined ? '' : `: ${error.message}`}\n`
}
