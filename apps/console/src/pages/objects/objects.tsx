import type { StoredObject } from '@godwit/admin-client'
import { type ReactNode, useState } from 'react'
import { admin } from '../../api.js'
import { Choice, Search } from '../../parts/field.js'
import { number } from '../../parts/format.js'
import { List } from '../../parts/list.js'
import { PageHead } from '../../parts/page-head.js'
import { EmptyState, QueryContent } from '../../parts/states.js'
import type { Column } from '../../parts/table.js'
import { shortText } from '../../parts/values.js'
import { linkTo, useFilters, useOpenItem } from '../../routes.js'
import { usePages } from '../../use-pages.js'
import { useQuery } from '../../use-query.js'
import { DocumentChoice, OtherDocument } from './document.js'
import { Export } from './export.js'
import { ObjectDrawer } from './object-drawer.js'

const PAGE = 200

/** The objects of a partition, searchable by id or content. */
export default function Objects(): ReactNode {
  const [{ source = '', user = '', id = '', contains = '', attribute = '', document = 'md' }, setFilters] = useFilters()
  const [open, close] = useOpenItem()
  const sources = useQuery('sources', options => admin.sources.all(options))
  const all = sources.data ?? []
  // Prefer a source with a shared partition, which has objects to show without a user.
  const chosen = all.find(one => one.name === source) ?? all.find(one => one.partition_type === 'app') ?? all[0]
  const name = chosen?.name ?? ''
  const owner = chosen?.partition_type === 'app' ? '*' : user === '*' ? '' : user
  const isReady = name !== '' && owner !== ''
  const isMaster = document === 'md'
  const copy = useQuery(isReady ? `copy ${name} ${owner}` : undefined, options =>
    admin.users.partition(owner, name, options),
  )
  return (
    <>
      <PageHead
        title="Objects"
        says="Objects as devices receive them, shared or of one user, and the documents beside them."
      >
        {isReady && isMaster && (
          <Export name={name} read={signal => readPages(owner, name, { id, contains, attribute }, signal)} />
        )}
      </PageHead>
      <div className="bar">
        <Choice
          label="Source"
          value={name}
          options={all.map(one => [one.name, one.name])}
          onChange={event =>
            setFilters({ source: event.target.value, attribute: undefined, document: undefined, open: undefined })
          }
        />
        {chosen?.partition_type === 'user' && (
          <Search label="User" value={owner} placeholder="login" onSearch={value => setFilters({ user: value })} />
        )}
        {isReady && (
          <DocumentChoice source={name} user={owner} value={document} onChoose={one => setFilters({ document: one })} />
        )}
        {isMaster && (
          <>
            <Search label="Id" value={id} placeholder="exact match" onSearch={value => setFilters({ id: value })} />
            <Search
              label="Contains"
              wide
              value={contains}
              placeholder="text in a value"
              onSearch={value => setFilters({ contains: value })}
            />
            <Search
              label="In attribute"
              value={attribute}
              placeholder="any"
              onSearch={value => setFilters({ attribute: value })}
            />
          </>
        )}
      </div>
      <QueryContent query={sources} what="the sources">
        {() => null}
      </QueryContent>
      {sources.data?.length === 0 && (
        <EmptyState icon="sources" title="No sources" says="Objects belong to sources, and the server has none." />
      )}
      {chosen && !isReady && (
        <EmptyState
          icon="users"
          title="Choose a user"
          says={`Each user has a separate partition of ${name}. Enter a login to see its objects.`}
        />
      )}
      {isReady && !isMaster && (
        <OtherDocument key={`${name} ${owner} ${document}`} source={name} user={owner} name={document} />
      )}
      {isReady && isMaster && (
        <ObjectsTable
          key={`${name} ${owner} ${id} ${contains} ${attribute}`}
          source={name}
          user={owner}
          filters={{ id, contains, attribute }}
          {...(copy.data && { count: copy.data.count })}
        />
      )}
      {isReady && isMaster && open !== undefined && <ObjectDrawer source={name} user={owner} id={open} close={close} />}
    </>
  )
}

interface Filters {
  readonly id: string
  readonly contains: string
  readonly attribute: string
}

const nonEmptyFilters = (filters: Filters): Partial<Filters> =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''))

const EXPORT_PAGE = 1000

/** Reads all matching objects, page by page. */
async function* readPages(user: string, source: string, filters: Filters, signal: AbortSignal) {
  for (let after: string | undefined; ; ) {
    const query = { ...nonEmptyFilters(filters), ...(after !== undefined && { after }), limit: EXPORT_PAGE, signal }
    const { objects, next } = await admin.users.objects(user, source, query)
    yield objects.map(({ id, attributes }) => [id, attributes] as const)
    if (next === undefined) return
    after = next
  }
}

interface ObjectsTableProps {
  readonly source: string
  readonly user: string
  readonly filters: Filters
  readonly count?: number
}

function ObjectsTable({ source, user, filters, count }: ObjectsTableProps): ReactNode {
  const [looked, setLooked] = useState(0)
  const isSearch = filters.contains !== '' || filters.attribute !== ''
  const list = usePages<StoredObject>(`objects ${JSON.stringify([source, user, filters])}`, async (after, signal) => {
    const page = await admin.users.objects(user, source, {
      ...nonEmptyFilters(filters),
      ...(after && { after }),
      limit: PAGE,
      signal,
    })
    setLooked(before => (after === undefined ? 0 : before) + page.looked)
    return { rows: page.objects, next: page.next }
  })
  const here = { source, user, ...filters }
  return (
    <List
      label={`Objects of ${source}`}
      columns={columnsOf(list.rows, id => linkTo('objects', { ...here, open: id }))}
      list={list}
      keyOf={({ id }) => id}
      empty={<EmptyObjects isSearch={isSearch || filters.id !== ''} />}
      foot={
        <span className="number">
          {isSearch && `${number(looked)} scanned · `}
          {count !== undefined && `${number(count)} total`}
        </span>
      }
    />
  )
}

const EmptyObjects = ({ isSearch }: { readonly isSearch: boolean }): ReactNode =>
  isSearch ? (
    <EmptyState title="Nothing found" says="No objects match the filters." />
  ) : (
    <EmptyState title="No objects" says="The partition is empty. The first pull of a device or a push fills it." />
  )

const MAX_COLUMNS = 4

/** Returns columns for the attributes of the first objects. */
function columnsOf(rows: readonly StoredObject[], link: (id: string) => string): readonly Column<StoredObject>[] {
  const first = rows.slice(0, 20).map(({ attributes }) => attributes)
  const names = new Set(first.flatMap(attributes => Object.keys(attributes)))
  const isNumeric = (name: string): boolean =>
    first.every(attributes => !Object.hasOwn(attributes, name) || typeof attributes[name] === 'number')
  return [
    { title: 'Id', width: 'minmax(0, 1.2fr)', cell: ({ id }) => <a href={link(id)}>{id}</a> },
    ...[...names].slice(0, MAX_COLUMNS).map(
      (name, place): Column<StoredObject> => ({
        title: name,
        width: 'minmax(0, 1.4fr)',
        wideOnly: place > 0,
        end: isNumeric(name),
        cell: ({ attributes }) =>
          Object.hasOwn(attributes, name) ? shortText(attributes[name]) : <span className="soft">–</span>,
      }),
    ),
    { title: 'Version', width: '96px', end: true, cell: ({ version }) => number(version) },
  ]
}
