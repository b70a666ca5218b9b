export { embeddedJobs } from './embedded-jobs.js'
export type { JobRow } from './job-row.js'
export type { JobFilter, JobRows, JobTable } from './job-table.js'
export { storedJob } from './stored-job.js'
