/**
 * Node's `http` and `https`, as `require` would give them. An `import` of `node:http` reads all its exports, among them `WebSocket`, and so loads
 * undici with its streams: 14 MB of each process that never uses them.
 */
export const http = process.getBuiltinModule('node:http')
export const https = process.getBuiltinModule('node:https')
