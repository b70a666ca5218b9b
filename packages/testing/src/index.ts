export { askRedis } from './ask-redis.js'
export { findProgram, type Program } from './find-program.js'
export { freePort } from './free-port.js'
export { mariaDbIsThere, type RunningMariaDb, startMariaDb } from './mariadb.js'
export { postgresIsThere, type RunningPostgres, startPostgres } from './postgres.js'
export { type ApnsService, openApnsService, type ReceivedApns } from './push-services/apns-service.js'
export { type FcmService, openFcmService, type ReceivedFcm } from './push-services/fcm-service.js'
export {
  openWebPushService,
  type ReceivedPush,
  type SubscriptionJson,
  type WebPushService,
} from './push-services/web-push-service.js'
export { type RunningRedis, redisIsThere, redisUrl, startRedis, startRedisSentinel } from './redis.js'
export { type RunningCluster, startRedisCluster } from './redis-cluster.js'
export { type SelfSigned, selfSigned } from './self-signed.js'
export { type DumpedDatabase, dumpOf, tablesOf } from './sqlite-dump.js'
export { amount, partOf, type Tier, tier, turn } from './tier.js'
export { until } from './until.js'
export { verifies } from './verifies.js'
export { type ScriptCosts, weighingHandle } from './weighing-handle.js'
