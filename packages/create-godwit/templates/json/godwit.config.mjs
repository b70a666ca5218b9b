import { backend } from './backend.mjs'

export default ({ defineSource, refusal }) => ({
  sources: [defineSource({ name: 'Task', pollInterval: 0, idempotent: true, ...backend(refusal) })],
})
