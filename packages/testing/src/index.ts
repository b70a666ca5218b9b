export { findProgram, type Program } from './find-program.js'
export { freePort } from './free-port.js'
export { type RunningRedis, redisIsThere, redisUrl, startRedis, startRedisSentinel } from './redis.js'
export { type RunningCluster, startRedisCluster } from './redis-cluster.js'
