export { connectRedisJobs } from './redis-jobs.js'
