import type { AuditEntry } from '@godwit/admin-client'
import { type ReactNode, useState } from 'react'
import { admin } from '../../api.js'
import { Badge } from '../../parts/badge.js'
import { Drawer } from '../../parts/drawer.js'
import { Search } from '../../parts/field.js'
import { dateTime, number, shortTime } from '../../parts/format.js'
import { List } from '../../parts/list.js'
import { useNotify } from '../../parts/notices.js'
import { PageHead } from '../../parts/page-head.js'
import { EmptyState } from '../../parts/states.js'
import type { Column } from '../../parts/table.js'
import { linkTo, useFilters, useOpenItem } from '../../routes.js'
import { usePages } from '../../use-pages.js'

const PAGE = 500

/** The audit log, newest entries first. */
export default function Audit(): ReactNode {
  const notify = useNotify()
  const [busyCheck, setBusyCheck] = useState(false)
  const [{ text = '' }, setFilters] = useFilters()
  const [open, close] = useOpenItem()
  const list = usePages<AuditEntry, number>('audit', async (before, signal) => {
    const rows = await admin.operations.audit({ ...(before !== undefined && { before }), limit: PAGE, signal })
    return { rows, next: rows.length === PAGE ? rows.at(-1)?.number : undefined }
  })
  const matching = list.rows.filter(entry => isAbout(entry, text.toLowerCase()))
  const check = async (): Promise<void> => {
    setBusyCheck(true)
    const found = await admin.operations.checkAudit().catch((error: unknown) => error as Error)
    setBusyCheck(false)
    if (found instanceof Error) return notify(found.message)
    notify(
      found.intact
        ? `All ${number(found.checked)} entries are intact.`
        : `Entry ${found.broken?.number} is ${found.broken?.why}.`,
    )
  }
  const entry = list.rows.find(one => String(one.number) === open)
  return (
    <>
      <PageHead title="Audit" says="All changes of users, settings and documents, and all API logins.">
        <button type="button" className="button" onClick={check} disabled={busyCheck}>
          {busyCheck ? 'Verifying…' : 'Verify all entries'}
        </button>
      </PageHead>
      <div className="bar">
        <Search
          label="Contains"
          wide
          value={text}
          placeholder="a login, an action, an address"
          onSearch={value => setFilters({ text: value })}
        />
      </div>
      <List
        label="Audit"
        columns={columnsOf(text)}
        list={list}
        rows={matching}
        keyOf={entry => String(entry.number)}
        empty={<EmptyState icon="audit" title="No entries" says="No entries match." />}
      />
      {entry && (
        <Drawer title={`Entry ${entry.number}`} close={close}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions need keyboard access */}
          <pre className="code" tabIndex={0}>
            {JSON.stringify(entry, null, 2)}
          </pre>
        </Drawer>
      )}
    </>
  )
}

const isAbout = ({ login, action, address, result, about }: AuditEntry, text: string): boolean =>
  `${login} ${action} ${address} ${result} ${JSON.stringify(about)}`.toLowerCase().includes(text)

const aboutText = (about: AuditEntry['about']): string =>
  Object.entries(about)
    .map(
      ([name, value]) => `${name.replaceAll('_', ' ')}: ${typeof value === 'object' ? JSON.stringify(value) : value}`,
    )
    .join(', ')

const columnsOf = (text: string): readonly Column<AuditEntry>[] => [
  {
    title: 'Time',
    width: '142px',
    cell: ({ number, time }) => (
      <a href={linkTo('audit', { text, open: String(number) })} title={dateTime(time)}>
        {shortTime(time)}
      </a>
    ),
  },
  { title: 'User', width: 'minmax(0, 0.8fr)', cell: ({ login }) => login ?? <span className="soft">unknown</span> },
  {
    title: 'Action',
    width: 'minmax(0, 1.2fr)',
    cell: ({ action }) => (
      <span className="mono" title={action}>
        {action}
      </span>
    ),
  },
  {
    title: 'Details',
    width: 'minmax(0, 1.6fr)',
    wideOnly: true,
    cell: ({ about }) => aboutText(about) || '–',
  },
  { title: 'Address', width: 'minmax(0, 1fr)', wideOnly: true, cell: ({ address }) => address },
  {
    title: 'Result',
    width: 'minmax(0, 1fr)',
    wideOnly: true,
    cell: ({ result }) => <Badge tone={result === 'ok' ? 'good' : 'warn'}>{result}</Badge>,
  },
]
