import type { BlobFacts, BlobHold, BlobName, BlobPart, Blobs, LimitedCharge } from '@godwit/store'
import type { SqliteConnection } from './connection.js'
import type { Database } from './database.js'
import { sweep } from './sweep.js'

interface BlobRow {
  readonly number: number
  readonly size: number
  readonly received: number
  readonly complete: 0 | 1
  readonly touched: number
}

interface PartRow {
  readonly start: number
  readonly bytes: Uint8Array
}

const SELECT = 'SELECT number, size, received, complete, touched FROM blob WHERE scope = ? AND name = ?'
const INSERT =
  'INSERT INTO blob (scope, name, size, received, complete, touched, account, charged) VALUES (?, ?, ?, 0, 0, 0, ?, ?)'
const CHARGE = 'UPDATE blob SET account = ?, charged = ? WHERE scope = ? AND name = ?'
const SELECT_CHARGED = 'SELECT bytes FROM blob_account WHERE account = ?'
const GROW = 'UPDATE blob SET received = received + ?, touched = ? WHERE number = ?'
const COMPLETE = 'UPDATE blob SET complete = 1 WHERE number = ?'
const TOUCH = 'UPDATE blob SET touched = ? WHERE scope = ? AND name = ?'
const INSERT_PART = 'INSERT INTO blob_part (blob, start, bytes) VALUES (?, ?, ?)'
const DROP = 'INSERT INTO dropped_blob (blob) VALUES (?)'
const DROP_SCOPE = 'INSERT INTO dropped_blob SELECT number FROM blob WHERE scope = ?'
const DELETE = 'DELETE FROM blob WHERE number = ?'
const DELETE_SCOPE = 'DELETE FROM blob WHERE scope = ?'

const HOLD = 'INSERT INTO blob_hold (blob, holder, at) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at'
const RELEASE = 'DELETE FROM blob_hold WHERE blob = ? AND holder = ?'
const RELEASE_ALL = 'DELETE FROM blob_hold WHERE blob = ?'
const RELEASE_SCOPE = 'DELETE FROM blob_hold WHERE blob IN (SELECT number FROM blob WHERE scope = ?)'
const SELECT_HOLD = 'SELECT 1 FROM blob_hold WHERE blob = ? LIMIT 1'
const SELECT_HOLDS = 'SELECT holder, at FROM blob_hold WHERE blob = ?'

/** Selects parts from the one that contains the first byte. */
const SELECT_PARTS = `
SELECT start, bytes FROM blob_part
WHERE blob = ? AND start < ? AND start >= (SELECT max(start) FROM blob_part WHERE blob = ? AND start <= ?)
ORDER BY start`

const SELECT_UNTOUCHED = `
SELECT scope, name FROM blob WHERE touched <= ? AND (? IS NULL OR (scope, name) > (?, ?)) ORDER BY scope, name LIMIT ?`

export function sqliteBlobs(database: Database): Blobs {
  return {
    find: blob => database.read(connection => blobFacts(find(connection, blob))),
    append: (blob, part, charge) =>
      database.write(connection => append(database, connection, blob, { ...part, charge })),
    charge: ({ scope, name }, charge) =>
      database.write(connection => {
        const values = [charge?.account.toWellFormed() ?? null, charge?.bytes ?? 0] as const
        return connection.statement(CHARGE).run(...values, scope, name).changes > 0
      }),
    charged: account => database.read(connection => chargedTo(connection, account)),
    complete: (blob, instance) =>
      database.write(connection => {
        const row = find(connection, blob)
        if (row === undefined || row.received < row.size || !isInstance(row, instance)) return false
        connection.statement(COMPLETE).run(row.number)
        return true
      }),
    read: (blob, range) => database.read(connection => read(connection, blob, range)),
    touch: ({ scope, name }) =>
      database.write(connection => connection.statement(TOUCH).run(database.now(), scope, name).changes > 0),
    untouched: ({ since, after, limit }) =>
      database.read(connection =>
        connection.statement<BlobName>(SELECT_UNTOUCHED).all(since, ...afterOf(after), limit),
      ),
    hold: (blob, holder) =>
      database.write(connection => {
        const row = find(connection, blob)
        if (row?.complete !== 1) return false
        const now = database.now()
        connection.statement(HOLD).run(row.number, holder, now)
        connection.statement(TOUCH).run(now, blob.scope, blob.name)
        return true
      }),
    release: (blob, holder) =>
      database.write(connection => {
        const row = find(connection, blob)
        if (row === undefined || connection.statement(RELEASE).run(row.number, holder).changes === 0) return
        connection.statement(TOUCH).run(database.now(), blob.scope, blob.name)
      }),
    holders: blob =>
      database.read(connection => {
        const row = find(connection, blob)
        return row === undefined ? [] : connection.statement<BlobHold>(SELECT_HOLDS).all(row.number)
      }),
    remove: async (blob, conditions = {}) => {
      const isGone = await database.write(connection => remove(connection, blob, conditions))
      if (isGone) sweep(database)
      return isGone
    },
    removeScope: async scope => {
      await database.write(connection => {
        connection.statement(RELEASE_SCOPE).run(scope)
        connection.statement(DROP_SCOPE).run(scope)
        connection.statement(DELETE_SCOPE).run(scope)
      })
      sweep(database)
    },
  }
}

const afterOf = (after: BlobName | undefined) =>
  [after?.scope ?? null, after?.scope ?? null, after?.name ?? null] as const

const find = (connection: SqliteConnection, { scope, name }: BlobName): BlobRow | undefined =>
  connection.statement<BlobRow>(SELECT).get(scope, name)

const blobFacts = (row: BlobRow | undefined): BlobFacts | undefined =>
  row && { size: row.size, received: row.received, complete: row.complete === 1, instance: String(row.number) }

const isInstance = ({ number }: BlobRow, instance: string | undefined): boolean =>
  instance === undefined || String(number) === instance

function append(
  database: Database,
  connection: SqliteConnection,
  blob: BlobName,
  { size, offset, bytes, charge }: BlobPart & { readonly charge: LimitedCharge | undefined },
): BlobFacts | undefined {
  const known = find(connection, blob)
  if (known === undefined && offset === 0 && bytes.length <= size) {
    if (charge && !hasRoom(connection, charge)) return undefined
    const charged = [charge?.account.toWellFormed() ?? null, charge?.bytes ?? 0] as const
    connection.statement(INSERT).run(blob.scope, blob.name, size, ...charged)
  }
  const row = known ?? find(connection, blob)
  if (row === undefined || row.complete === 1 || row.size !== size) return blobFacts(row)
  if (row.received !== offset || offset + bytes.length > size) return blobFacts(row)
  if (bytes.length > 0) connection.statement(INSERT_PART).run(row.number, offset, bytes)
  connection.statement(GROW).run(bytes.length, database.now(), row.number)
  return blobFacts({ ...row, received: offset + bytes.length })
}

const chargedTo = (connection: SqliteConnection, account: string): number =>
  connection.statement<{ readonly bytes: number }>(SELECT_CHARGED).get(account.toWellFormed())?.bytes ?? 0

function hasRoom(connection: SqliteConnection, { account, bytes, limit }: LimitedCharge): boolean {
  const charged = chargedTo(connection, account)
  return charged === 0 || charged + bytes <= limit
}

function read(
  connection: SqliteConnection,
  blob: BlobName,
  { offset, length }: { readonly offset: number; readonly length: number },
): Uint8Array {
  const row = find(connection, blob)
  if (row === undefined) return new Uint8Array()
  const end = Math.min(offset + length, row.received)
  const parts = connection.statement<PartRow>(SELECT_PARTS).all(row.number, end, row.number, offset)
  return Buffer.concat(
    parts.map(({ start, bytes }) => bytes.subarray(Math.max(0, offset - start), Math.max(0, end - start))),
  )
}

function remove(
  connection: SqliteConnection,
  blob: BlobName,
  { untouchedSince, instance }: NonNullable<Parameters<Blobs['remove']>[1]>,
): boolean {
  const row = find(connection, blob)
  if (row === undefined || !isInstance(row, instance)) return false
  if (untouchedSince !== undefined && (row.touched > untouchedSince || hasHold(connection, row))) return false
  connection.statement(RELEASE_ALL).run(row.number)
  connection.statement(DELETE).run(row.number)
  connection.statement(DROP).run(row.number)
  return true
}

const hasHold = (connection: SqliteConnection, { number }: BlobRow): boolean =>
  connection.statement(SELECT_HOLD).get(number) !== undefined

/** Deletes all blobs and holds in one step; their bytes, which are unreachable then, are swept later. */
export function dropAllBlobs(connection: SqliteConnection): void {
  connection.run('DELETE FROM blob_hold')
  connection.run('INSERT INTO dropped_blob SELECT number FROM blob')
  connection.run('DELETE FROM blob')
}
