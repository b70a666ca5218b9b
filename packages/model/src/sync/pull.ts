import type { Model } from '../database/models.js'
import { duplicatesOf } from '../records/store-row.js'
import { type Applied, applyPage } from './apply-page.js'
import { mend } from './mend.js'
import type { ReadPage } from './read-page.js'
import { askingFor, type Run, type Syncing, tell } from './syncing.js'

/** What was asked: needed to judge the answer. */
interface Asked {
  readonly sync: number
  readonly token: string | null
  readonly answer: Promise<ReadPage>
}

/** RECIPE of a pull: ask → apply → again, until the source is up to date or the run is stopped. */
export async function pull(syncing: Syncing, model: Model, run: Run): Promise<void> {
  let asked = ask(syncing, model, run)
  for (;;) {
    const page = await asked.answer
    run.query = {}
    run.backendError = page.source_error
    const next = askAhead(syncing, model, run, asked, page)
    const applied = apply(syncing, model, asked, page)
    tell(syncing, applied)
    progress(syncing, model, run, page, applied)
    if (applied.stale || run.signal.aborted) return
    const isMended = applied.differs === true && (await mend(syncing, model, run))
    if (!page.more && !isMended) return fillText(model, run)
    asked = next && isNext(model, page) ? next : ask(syncing, model, run)
  }
}

/** The index of words follows a pass from zero in parts, so that reads come in between. A search that comes first fills it itself. */
async function fillText({ text }: Model, { signal }: Run): Promise<void> {
  while (!signal.aborted && text?.fillPart()) await new Promise(resolve => setTimeout(resolve))
}

function ask(syncing: Syncing, model: Model, run: Run, ahead?: { token: string }): Asked {
  const state = model.partition.sources.get(model.name)
  const token = ahead?.token ?? state.token
  const query = {
    ...run.query,
    token: token ?? undefined,
    p_size: syncing.pageSize(),
    acknowledged: state.acknowledged,
    ...(model.definition.passThrough && { pass_through: 'true' }),
  }
  const asking = { ...askingFor(syncing, model, run), isHinted: run.isHinted === true }
  const answer = syncing.transport.pull(model.name, query, asking)
  answer.catch(() => {}) // awaited later, or not at all
  return { sync: state.sync, token, answer }
}

/** The server makes the next page while this one is applied. Not when outcomes came: they are acknowledged first. */
function askAhead(syncing: Syncing, model: Model, run: Run, { sync }: Asked, page: ReadPage): Asked | undefined {
  const { sync: present, epoch } = model.partition.sources.get(model.name)
  const goesOn = page.more && !page.ends && page.outcomes === undefined
  if (!goesOn || present !== sync || (epoch !== null && epoch !== page.epoch) || run.signal.aborted) return undefined
  return ask(syncing, model, run, { token: page.token })
}

const isNext = ({ partition, name }: Model, page: ReadPage): boolean => partition.sources.get(name).token === page.token

/** Rows may be lost with the power: their token is lost with them. Outcomes may not, the server forgets what is acknowledged. */
function apply(
  { database, models, now, watchesObjects }: Syncing,
  model: Model,
  { sync, token }: Asked,
  page: ReadPage,
): Applied {
  const context = { models, model, sync, fromZero: token === null, now: now(), watched: watchesObjects() }
  const run = () => {
    const applied = applyPage(context, page)
    const duplicates = applied.stale ? [] : duplicatesOf(database, model, page.eachInsert)
    const told = duplicates.map(one => ({ kind: 'duplicate', source: model.name, ...one }) as const)
    return { ...applied, events: [...applied.events, ...told] }
  }
  return page.outcomes === undefined ? database.transaction(run) : database.durable(run)
}

function progress({ events }: Syncing, model: Model, run: Run, page: ReadPage, { stale }: Applied): void {
  if (stale) return
  run.received += page.count
  if (page.count === 0 && !page.ends) return
  events.emit({
    kind: 'progress',
    source: model.name,
    page: page.count,
    received: page.progress_count,
    total: page.total_count,
    cumulative: run.received,
  })
}
