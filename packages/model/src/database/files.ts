/** The partitions' schema names; each is one attached file. */
export const SCHEMAS = ['user', 'app', 'local'] as const
export type SchemaName = (typeof SCHEMAS)[number]
/** All files of a device, by schema name. */
export const FILES = ['main', ...SCHEMAS] as const
export type File = (typeof FILES)[number]

const WRITES =
  /\b(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|REPLACE\s+INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM|(?:CREATE|DROP)\s+(?:TEMP\s+)?(?:UNIQUE\s+)?(?:VIRTUAL\s+)?(?:TABLE|INDEX|TRIGGER|VIEW)(?:\s+IF\s+(?:NOT\s+)?EXISTS)?|ALTER\s+TABLE)\s+(?:"?(main|user|app|local)"?\s*\.|(?!SET\b))/gi
/** Matches statements that do not write to a file. */
const READS = /^\s*(?:SELECT|VALUES|EXPLAIN|PRAGMA|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|ATTACH|DETACH)\b/i

/** Returns the files that a statement may write: those of the schemas that it names, or all files if it names none. */
export function writtenBy(sql: string): readonly File[] {
  if (READS.test(sql)) return []
  const schemas = [...sql.matchAll(WRITES)].map(([, schema]) => schema?.toLowerCase())
  if (schemas.includes(undefined)) return FILES
  return [...new Set(schemas as File[])]
}
