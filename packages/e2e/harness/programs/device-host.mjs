// A device that a test calls over the message channel of its process or thread, and kills. Argument: the device's folder.
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { defineActions, hostDevice } from '@godwit/model/remote'

const City = defineModel('City', {
  partition: 'app',
  attributes: { name: t.string(), population: t.integer().default(0) },
})
const Visit = defineModel('Visit', { partition: 'user', attributes: { cityId: t.string(), note: t.string() } })
const models = { City, Visit }
const actions = defineActions(models, {
  visitNew(sdk, name) {
    const city = sdk.models.City.create({ name })
    return sdk.models.Visit.create({ cityId: city.id, note: name }).id
  },
})

const directory = isMainThread ? process.argv[2] : workerData
const sdk = await openSdk({ directory, models, release: 1 })
const host = hostDevice({ sdk, models, actions, release: 1 })
host.connect(
  isMainThread
    ? { postMessage: message => process.send(message), on: (_, hear) => process.on('message', hear) }
    : parentPort,
)
