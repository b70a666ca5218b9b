import { type ReactNode, useState } from 'react'
import { admin, messageOf } from '../../api.js'
import { number } from '../../parts/format.js'
import { Icon } from '../../parts/icon.js'
import { useNotify } from '../../parts/notices.js'

interface ExportProps {
  readonly source: string
  readonly user: string
}

const TELL = 5000

/** All objects of the copy as a file, one object on each line; it can be left at any time. */
export function Export({ source, user }: ExportProps): ReactNode {
  const [running, setRunning] = useState<{ readonly end: AbortController; readonly count: number }>()
  const notify = useNotify()
  const begin = async (): Promise<void> => {
    const end = new AbortController()
    setRunning({ end, count: 0 })
    try {
      const parts: string[] = []
      let lines: string[] = []
      let count = 0
      for await (const [id, attributes] of admin.objects.all({ source, user, signal: end.signal })) {
        lines.push(`${JSON.stringify({ id, ...attributes })}\n`)
        count++
        if (count % TELL > 0) continue
        parts.push(lines.join(''))
        lines = []
        setRunning({ end, count })
      }
      save(new Blob([...parts, ...lines], { type: 'application/x-ndjson' }), `${source}.ndjson`)
      notify(`${number(count)} objects are in ${source}.ndjson.`)
    } catch (error) {
      notify(end.signal.aborted ? 'The export was left: no file was written.' : messageOf(error))
    } finally {
      setRunning(undefined)
    }
  }
  if (running) {
    return (
      <button type="button" className="button" onClick={() => running.end.abort()}>
        <Icon name="cross" />
        Leave the export ({number(running.count)})
      </button>
    )
  }
  return (
    <button type="button" className="button" onClick={begin}>
      <Icon name="download" />
      Export
    </button>
  )
}

function save(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
