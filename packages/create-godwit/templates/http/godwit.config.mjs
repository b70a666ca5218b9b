const { BACKEND_PORT = '9000', BACKEND_SECRET, BACKEND_URL = `http://127.0.0.1:${BACKEND_PORT}` } = process.env

export default ({ defineSource }) => ({
  backend: { url: BACKEND_URL, secret: BACKEND_SECRET },
  sources: [defineSource({ name: 'Task', pollInterval: 0, idempotent: true })],
})
