import { progressBar } from '../view/progress.js'
import type { Command } from './command.js'

export const sync: Command = {
  usage: 'sync',
  summary: 'send what was changed here, and fetch what was changed elsewhere',
  async run({ sdk, terminal, print }) {
    const bar = progressBar(terminal)
    const events = sdk.events()
    const watching = (async () => {
      for await (const event of events) if (event.kind === 'progress') bar.show(event)
    })()
    try {
      const summary = await sdk.sync()
      bar.end()
      print(summary, ({ sources }) =>
        sources
          .map(({ source, received, sent, refused, error }) => {
            const facts = [`${received} received`, `${sent} sent`, ...(refused > 0 ? [`${refused} refused`] : [])]
            return `${source}: ${facts.join(', ')}${error === undefined ? '' : `: ${error.message}`}\n`
          })
          .join(''),
      )
    } finally {
      bar.end()
      await events.return?.(undefined)
      await watching
    }
  },
}
