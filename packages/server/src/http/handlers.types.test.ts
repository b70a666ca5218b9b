import { type Routes, routes } from '@godwit/protocol'
import { expect, test } from '@jest/globals'
import type { AllHandlers, Handlers } from './handler.js'
import { handlers } from './handlers.js'

type System = Routes['system']
const users = handlers.users

// What must not compile. Each line fails the type check when its error is missing.
// @ts-expect-error a route without its handler
export const missing: Handlers<System> = {}
// @ts-expect-error a group without its table
export const missingGroup: AllHandlers = { device: handlers.device, plugin: handlers.plugin, system: handlers.system }
// @ts-expect-error an answer of another kind
export const mistyped: Handlers<System> = { login: () => ({ token: 7 }) }
export const misspelt: Handlers<Routes['users']> = {
  ...users,
  // @ts-expect-error a parameter that the path does not have
  get: (_, { parameters: { user_ident } }) => Promise.reject(user_ident),
}

test('every route has its handler', () => {
  for (const [group, lines] of Object.entries(routes)) {
    expect(Object.keys(handlers[group as keyof Routes])).toEqual(Object.keys(lines))
  }
})
