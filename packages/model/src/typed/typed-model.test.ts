import { afterEach, expect, test } from '@jest/globals'
import { openSdk } from '../node.js'
import { FakeServer } from '../testing/fake-server.js'
import { temporaryDirectories } from '../testing/open-device.js'
import { defineModel } from './define-model.js'

const directories = temporaryDirectories()
const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const sdk of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

const attributes = { name: { type: 'string', default: 'nobody' }, stars: { type: 'integer', default: 3 } } as const

test.each(['bag', 'fixed'] as const)(
  'rows of a %s model have the defaults of what was selected alone',
  async storage => {
    const options = { directory: directories.make(), server: 'http://sync.test', fetch: new FakeServer().fetch }
    const City = defineModel('City', { storage, attributes })
    const sdk = await openSdk({ ...options, models: { City } })
    opened.push(sdk)
    const { City: cities } = sdk.models
    const { object } = cities.create({ name: 'Paris', stars: 5 })
    expect(cities.find({ select: ['stars'] })).toEqual([{ object, stars: 5 }])
    expect(cities.first({ select: ['name'] })).toEqual({ object, name: 'Paris' })
    expect(cities.paginate({ select: ['stars'], page: 0 })).toEqual([{ object, stars: 5 }])
    cities.update(object, { stars: null })
    expect(cities.find({ select: ['stars'] })).toEqual([{ object, stars: 3 }])
    const seen: unknown[] = []
    cities.observe({ select: ['name'] }, rows => seen.push(rows))()
    expect([seen, cities.find()]).toEqual([[[{ object, name: 'Paris' }]], [{ object, name: 'Paris', stars: 3 }]])
  },
)
