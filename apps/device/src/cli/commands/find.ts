import { table } from '@godwit/terminal'
import { tableStyle } from '../terminal.js'
import { integer } from '../view/read.js'
import type { Command } from './command.js'

export const find: Command = {
  usage: 'find [WORDS] [--country XX] [--limit N]',
  summary: 'find cities by the beginning of a word in the name, largest first',
  run({ sdk, words, options, terminal, print }) {
    const cities = sdk.models.City.find({
      search: words.join(' '),
      conditions: options.country === undefined ? undefined : { country: options.country.toUpperCase() },
      order: { population: 'desc' },
      limit: integer('--limit', options.limit) ?? 10,
    })
    print(cities, rows =>
      table(rows, ['id', 'name', 'country', 'population', 'latitude', 'longitude'], tableStyle(terminal)),
    )
  },
}
