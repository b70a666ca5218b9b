import { integer } from '../view/read.js'
import { table } from '../view/table.js'
import type { Command } from './command.js'

export const find: Command = {
  usage: 'find [NAME] [--country XX] [--limit N]',
  summary: 'find cities by the beginning of their name, largest first',
  run({ sdk, words: [name], options, terminal, print }) {
    const cities = sdk.models.City.find({
      conditions: {
        ...(name !== undefined && { name: { like: `${name}%` } }),
        ...(options.country !== undefined && { country: options.country.toUpperCase() }),
      },
      order: { population: 'DESC' },
      limit: integer('--limit', options.limit) ?? 10,
    })
    print(cities, rows => table(rows, ['object', 'name', 'country', 'population', 'latitude', 'longitude'], terminal))
  },
}
