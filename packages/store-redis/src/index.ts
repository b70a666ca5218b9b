export { connectRedisStore } from './connect-redis-store.js'
export type { RedisStoreOptions } from './connection.js'
export type { Primary, RedisHandle, RedisReply } from './redis-handle.js'
export { redisStore } from './redis-store.js'
