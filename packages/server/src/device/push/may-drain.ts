import type { Source } from '@godwit/source'
import type { Head } from '@godwit/store'
import { awaitsFirstQuery } from '../../backend/sources/first-query.js'

/** True unless the collection's first query is still to come: until then nothing is sent to the backend. */
export const mayDrain = (source: Source, head: Head): boolean => !awaitsFirstQuery(source, head)
