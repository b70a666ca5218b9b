import type { Attributes } from '@godwit/admin-client'
import { type ReactNode, useState } from 'react'
import { messageOf } from '../../api.js'
import { number } from '../../parts/format.js'
import { Icon } from '../../parts/icon.js'
import { useNotify } from '../../parts/notices.js'
import { type ExportFormat, textOf } from './export-text.js'

interface ExportProps {
  /** The file name without its extension. */
  readonly name: string
  /** Reads page after page until the signal aborts. */
  readonly read: (signal: AbortSignal) => AsyncIterable<readonly (readonly [id: string, attributes: Attributes])[]>
}

interface ExportRun {
  readonly end: AbortController
  readonly count: number
}

const FORMATS = ['ndjson', 'json'] as const
const TYPES = { ndjson: 'application/x-ndjson', json: 'application/json' }

/** Exports the search results as a file; the export can be cancelled. */
export function Export({ name, read }: ExportProps): ReactNode {
  const [run, setRun] = useState<ExportRun>()
  const notify = useNotify()
  const begin = async (format: ExportFormat): Promise<void> => {
    const end = new AbortController()
    setRun({ end, count: 0 })
    try {
      const text = textOf(format)
      const parts: string[] = []
      let count = 0
      for await (const page of read(end.signal)) {
        parts.push(text.part(page))
        count += page.length
        setRun({ end, count })
      }
      parts.push(text.end())
      save(new Blob(parts, { type: TYPES[format] }), `${name}.${format}`)
      notify(`Exported ${number(count)} objects to ${name}.${format}.`)
    } catch (error) {
      notify(end.signal.aborted ? 'Export canceled. No file was written.' : messageOf(error))
    } finally {
      setRun(undefined)
    }
  }
  if (run) {
    return (
      <button type="button" className="button" onClick={() => run.end.abort()}>
        <Icon name="cross" />
        Cancel export ({number(run.count)})
      </button>
    )
  }
  return (
    <>
      {FORMATS.map(format => (
        <button key={format} type="button" className="button" onClick={() => begin(format)}>
          <Icon name="download" />
          {format === 'json' ? 'JSON' : 'NDJSON'}
        </button>
      ))}
    </>
  )
}

function save(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
