import { progressBar } from '../view/progress.js'
import type { Command, Device } from './command.js'

type Summary = Awaited<ReturnType<Device['sync']>>

export const sync: Command = {
  usage: 'sync',
  summary: 'send what was changed here, and fetch what was changed elsewhere',
  async run({ sdk, terminal, print }) {
    const bar = progressBar(terminal)
    const events = sdk.events()
    const refused: string[] = []
    const watching = (async () => {
      for await (const event of events) {
        if (event.kind === 'progress') bar.show(event)
        if (event.kind === 'refused' || event.kind === 'conflict') refused.push(event.model)
        if (event.kind === 'complete') return
      }
    })()
    try {
      const summary = await sdk.sync()
      await watching
      bar.end()
      print(withRefused(summary, refused), ({ sources }) => sources.map(line).join(''))
    } finally {
      bar.end()
      await events.return()
    }
  },
}

const withRefused = ({ sources }: Summary, refused: readonly string[]) => ({
  sources: sources.map(summary => ({ ...summary, refused: refused.filter(model => model === summary.source).length })),
})

function line({ source, received, sent, refused, error }: ReturnType<typeof withRefused>['sources'][number]): string {
  const facts = [`${received} received`, `${sent} sent`, ...(refused > 0 ? [`${refused} refused`] : [])]
  return `${source}: ${facts.join(', ')}${error === undefined ? '' : `: ${error.message}`}\n`
}
