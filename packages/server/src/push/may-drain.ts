import type { Head } from '@godwit/store'
import { awaitsFirstQuery } from '../sources/first-query.js'
import type { Source } from '../sources/source.js'

/** Nothing is sent to a backend before the collection's first query is complete, where there is one to come. */
export const mayDrain = (source: Source, head: Head): boolean => !awaitsFirstQuery(source, head)
