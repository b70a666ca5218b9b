// A source filled only by pushes, each of which wakes the devices.
import { defineSource } from '@godwit/server'

export default { sources: [defineSource({ name: 'Note', pollInterval: -1, pushNotify: true })] }
