/** Removals of a query that were held back, as JSON, and the sketch of those that an operator accepted. */
export const PENDING_REMOVALS = `
ALTER TABLE collection ADD COLUMN pendingRemovals TEXT;
ALTER TABLE collection ADD COLUMN acceptedRemovals TEXT;
CREATE INDEX collection_with_removals ON collection (source, partition) WHERE pendingRemovals IS NOT NULL;
`
