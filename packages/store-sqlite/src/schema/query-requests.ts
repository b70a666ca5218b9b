/** Names the counters of query requests as `Head` does. */
export const QUERY_REQUESTS = `
ALTER TABLE collection RENAME COLUMN asked TO queriesRequested;
ALTER TABLE collection RENAME COLUMN served TO queriesServed;
ALTER TABLE collection RENAME COLUMN askedAt TO queryRequestedAt;
`
