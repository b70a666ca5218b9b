export { useQuery, useSuspenseQuery } from './use-query.js'
export { type LiveRow, useRow } from './use-row.js'
