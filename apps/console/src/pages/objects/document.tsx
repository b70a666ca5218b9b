import { type Attributes, isSyncError } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { Choice } from '../../parts/field.js'
import { number } from '../../parts/format.js'
import { EmptyState, QueryContent } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'
import { shortText } from '../../parts/values.js'
import { useQuery } from '../../use-query.js'

/** The content shown of a document. */
type DocumentView =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'objects'
      readonly entries: readonly (readonly [id: string, attributes: Attributes])[]
      readonly isCut: boolean
    }

const MAX_OBJECTS = 1000

interface DocumentName {
  readonly user: string
  readonly source: string
  readonly name: string
}

/** Reads the first objects of a document of any size, or all of a text. */
async function readDocumentView(
  { user, source, name }: DocumentName,
  { signal }: { readonly signal: AbortSignal },
): Promise<DocumentView> {
  const entries: (readonly [string, Attributes])[] = []
  try {
    for await (const [id, attributes] of admin.users.readDocument(user, source, name, { stream: true, signal })) {
      if (entries.length === MAX_OBJECTS) return { kind: 'objects', entries, isCut: true }
      entries.push([id, attributes])
    }
    return { kind: 'objects', entries, isCut: false }
  } catch (error) {
    if (!isSyncError(error) || error.code !== 'kind_differs') throw error
    const text = await admin.users.readDocument(user, source, name, { signal })
    return { kind: 'text', text: String(text) }
  }
}

interface DocumentChoiceProps {
  readonly source: string
  readonly user: string
  readonly value: string
  readonly onChoose: (name: string) => void
}

const DOCUMENT_LABELS: { readonly [name: string]: string } = {
  md: 'objects (md)',
  md_size: 'object count (md_size)',
  errors: 'query errors (errors)',
  metadata: 'metadata of the source',
  schema: 'schema of the source',
}

/** Selects a document of a source for a user. */
export function DocumentChoice({ source, user, value, onChoose }: DocumentChoiceProps): ReactNode {
  const { data } = useQuery(`documents ${source} ${user}`, options => admin.users.documentNames(user, source, options))
  const names = [...new Set(['md', value, ...Object.keys(data ?? {})])]
  return (
    <Choice
      label="Document"
      value={value}
      options={names.map(name => [name, Object.hasOwn(DOCUMENT_LABELS, name) ? (DOCUMENT_LABELS[name] ?? name) : name])}
      onChange={event => onChoose(event.target.value)}
    />
  )
}

interface OtherDocumentProps {
  readonly source: string
  readonly user: string
  readonly name: string
}

/** Shows a document other than the objects: a text, or the first part of an object map. */
export function OtherDocument({ source, user, name }: OtherDocumentProps): ReactNode {
  const document = useQuery(`document ${source} ${user} ${name}`, options =>
    readDocumentView({ user, source, name }, options),
  )
  return (
    <QueryContent query={document} what="the document">
      {content => <Content name={name} content={content} />}
    </QueryContent>
  )
}

function Content({ name, content }: { readonly name: string; readonly content: DocumentView }): ReactNode {
  if (content.kind === 'text') {
    if (content.text === '') return <EmptyState title="Empty" says={`The document ${name} is empty.`} />
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions need keyboard access
      <pre className="code" tabIndex={0}>
        {content.text}
      </pre>
    )
  }
  if (content.entries.length === 0) return <EmptyState title="Empty" says={`The document ${name} has no objects.`} />
  return (
    <Table
      label={`Document ${name}`}
      columns={COLUMNS}
      rows={content.entries}
      keyOf={([id]) => id}
      foot={<span>{content.isCut ? `first ${number(content.entries.length)} only` : ''}</span>}
    />
  )
}

type ObjectEntry = Extract<DocumentView, { kind: 'objects' }>['entries'][number]

const COLUMNS: readonly Column<ObjectEntry>[] = [
  { title: 'Id', width: 'minmax(0, 1fr)', cell: ([id]) => id },
  {
    title: 'Attributes',
    width: 'minmax(0, 3fr)',
    cell: ([, attributes]) => <span title={JSON.stringify(attributes)}>{shortText(attributes as never)}</span>,
  },
]
