export { embeddedJobs } from './embedded-jobs.js'
export type { JobRow } from './job-row.js'
export type { JobRows, JobsWanted, JobTable } from './job-table.js'
export { within } from './within.js'
