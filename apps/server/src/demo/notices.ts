import type { Attributes } from '@godwit/protocol'
import { defineSource } from '@godwit/server'

/** Notices for all, which only pushes bring: without a query nothing replaces them. `godwit push Notice '*' notices.json` fills it. */
export const notices = defineSource<Attributes>({ name: 'Notice', partition: 'app', pollInterval: -1 })
