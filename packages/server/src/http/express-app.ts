import type { IncomingMessage, ServerResponse } from 'node:http'
import express, { type NextFunction } from 'express'
import helmet from 'helmet'
import type { EdgeContext } from './edge.js'
import { isHot, serve, serveHot } from './node-edge.js'
import { problemReply } from './problem.js'
import { send } from './send.js'

/** A listener of `http.Server`. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void

/** Returns the handler: routes of devices and backends bypass Express, everything else passes through it. */
export function createNodeHandler(edge: EdgeContext): NodeHandler {
  const app = createExpressApp(edge)
  return (request, response) => {
    if (isHot(request.url)) void serveHot(edge, request, response)
    else app(request, response)
  }
}

const DIRECTIVES = {
  styleSrc: ["'self'"],
  fontSrc: ["'self'"],
  // A console inside a private network may be served over plain http, so its resources must not be upgraded to https.
  upgradeInsecureRequests: null,
}

/** Serves pages with their headers, then the route table. */
function createExpressApp(edge: EdgeContext): NodeHandler {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(helmet({ contentSecurityPolicy: { directives: DIRECTIVES } }))
  app.use((request: IncomingMessage, response: ServerResponse) => serve(edge, request, response))
  app.use((error: unknown, request: IncomingMessage, response: ServerResponse, _next: NextFunction) =>
    send(edge, { request, response, reply: problemReply(error, edge.engine) }),
  )
  return app
}
