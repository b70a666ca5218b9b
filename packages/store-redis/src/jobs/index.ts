export { connectRedisJobs } from './connect-redis-jobs.js'
