import { table } from '@godwit/terminal'
import { tableStyle } from '../terminal.js'
import { integer } from '../view/read.js'
import { type Command, type CommandContext, UsageError } from './command.js'

/** Reads the attributes of a visit from the options. */
function attributes({ sdk, options }: CommandContext): { cityId?: string; note?: string; rating?: number } {
  const rating = integer('--rating', options.rating)
  return {
    ...(options.city !== undefined && { cityId: cityId(sdk, options.city) }),
    ...(options.note !== undefined && { note: options.note }),
    ...(rating !== undefined && { rating }),
  }
}

/** Resolves `--city`: an id, or a name, which means the largest city of that name. */
function cityId(sdk: CommandContext['sdk'], given: string): string {
  const city =
    sdk.models.City.get(given) ?? sdk.models.City.first({ conditions: { name: given }, order: { population: 'desc' } })
  if (city === undefined)
    throw new UsageError(
      `No city has the id or name "${given}" on this device. Sync first, or search with: find ${given}`,
    )
  return city.id
}

const ACTIONS: { readonly [action: string]: (context: CommandContext, object: string | undefined) => void } = {
  list({ sdk, terminal, print }) {
    const visits = sdk.models.Visit.find({ with: { city: { select: ['name'] } } }).map(({ city, ...visit }) => ({
      ...visit,
      city: city?.name ?? '',
    }))
    print(visits, rows => table(rows, ['id', 'city', 'note', 'rating', 'visitedAt'], tableStyle(terminal)))
  },
  add(context) {
    const { cityId, ...given } = attributes(context)
    if (cityId === undefined) throw new UsageError('visit add: expected --city ID|NAME, got none.')
    const visit = context.sdk.models.Visit.create({ cityId, ...given, visitedAt: new Date() })
    context.print(visit, ({ id }) => `Added visit ${id}.\n`)
  },
  edit(context, object) {
    const visit = context.sdk.models.Visit.update(existingVisit(context, object), attributes(context))
    context.print(visit, () => `Changed visit ${object}.\n`)
  },
  delete(context, object) {
    context.sdk.models.Visit.destroy(existingVisit(context, object))
    context.print({ object }, () => `Deleted visit ${object}.\n`)
  },
}

function existingVisit({ sdk }: CommandContext, object: string | undefined): string {
  if (object === undefined) throw new UsageError('expected the id of a visit, got none; see them with: visit list')
  if (sdk.models.Visit.get(object) === undefined)
    throw new UsageError(`expected the id of a visit on this device, got "${object}"; see them with: visit list`)
  return object
}

export const visit: Command = {
  usage:
    'visit [list] | add --city ID|NAME [--note TEXT] [--rating 1-5] | edit ID [--note TEXT] [--rating 1-5] | delete ID',
  summary: 'list and change your visits, with or without a network',
  run(context) {
    const [action = 'list', object] = context.words
    const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
    if (act === undefined)
      throw new UsageError(`visit: expected one of ${Object.keys(ACTIONS).join(', ')}, got "${action}".`)
    act(context, object)
  },
}
