import { afterEach, beforeEach, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { offlineSdk } from './orm.fixture.js'
import type { OrmModel } from './orm-model.js'

let device: Awaited<ReturnType<typeof offlineSdk>>
beforeEach(async () => {
  device = await offlineSdk()
})
afterEach(() => device.close())

function undone(run: () => void): void {
  const wholly = () =>
    device.sdk.transaction(() => {
      run()
      throw new Error('undone')
    })
  expect(wholly).toThrow('undone')
}

test('a model whose first use is rolled back is undefined again', () => {
  const Log = new device.sdk.NewORMModel('Log')
  undone(() => Log.create({ text: 'lost' }))
  expect([Log.loaded, device.opened.device.names()]).toEqual([false, []])
  Log.create({ text: 'kept' })
  expect(Log.find().map(({ attributes }) => attributes)).toEqual([{ text: 'kept' }])
})

test('a definition that is rolled back restores the previous one for every handle', () => {
  const { sdk, opened } = device
  const Product = sdk.addModel('Product', model => model.setModelProperty('name'))
  const records = opened.device.find('Product')
  const { object } = Product.create({ name: 'Phone' })
  undone(() => {
    sdk.addModel('Product', model => model.enable('fixed_schema'))
    sdk.addModel('Maker')
    Product.set('partition', 'app')
  })
  expect([Product.fixed_schema, Product.partition, opened.device.names()]).toEqual([false, 'local', ['Product']])
  expect(records?.definition.attributes.get('name')?.type).toBe('String')
  expect(records?.get(object)?.attributes).toEqual({ name: 'Phone' })
})

test('a definition that fails leaves no writes', () => {
  const { sdk } = device
  const fail = (model: OrmModel) => {
    model.create({ name: 'lost' })
    throw new Error('no')
  }
  expect(() => sdk.addModel('Product', fail)).toThrow('no')
  expect(sdk.addModel('Product').getCount()).toBe(0)
})

interface State {
  readonly types: { readonly [attribute: string]: string }
  readonly loaded: boolean
  readonly rows: number
}

type Step =
  | { readonly kind: 'create' }
  | { readonly kind: 'declare'; readonly name: string; readonly type: string }
  | { readonly kind: 'transaction'; readonly steps: readonly Step[]; readonly fails: boolean }

const { steps } = fc.letrec<{ steps: readonly Step[]; transaction: Step }>(tie => ({
  steps: fc.array(
    fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constant<Step>({ kind: 'create' }),
      fc.record<Step & { kind: 'declare' }>({
        kind: fc.constant('declare'),
        name: fc.constantFrom('a', 'b'),
        type: fc.constantFrom('String', 'Integer'),
      }),
      tie('transaction'),
    ),
    { maxLength: 4 },
  ),
  transaction: fc.record({ kind: fc.constant('transaction'), steps: tie('steps'), fails: fc.boolean() }),
}))

/** Returns the expected state of the model after a step. */
function after(state: State, step: Step): State {
  if (step.kind === 'create') return { ...state, loaded: true, rows: state.rows + 1 }
  if (step.kind === 'declare') return { ...state, loaded: true, types: { ...state.types, [step.name]: step.type } }
  return step.fails ? state : step.steps.reduce(after, state)
}

function take(model: OrmModel, step: Step): void {
  if (step.kind === 'create') model.create()
  else if (step.kind === 'declare') {
    model.initModel()
    model.setModelProperty(step.name, step.type)
  } else if (step.fails) undone(() => step.steps.forEach(one => void take(model, one)))
  else device.sdk.transaction(() => step.steps.forEach(one => void take(model, one)))
}

test('a model is what committed nested transactions made of it', () => {
  let made = 0
  fc.assert(
    fc.property(steps, fc.boolean(), (all, isFixed) => {
      const model = new device.sdk.NewORMModel(`M${made++}`)
      if (isFixed) model.enable('fixed_schema')
      let state: State = { types: {}, loaded: false, rows: 0 }
      for (const step of all) {
        take(model, step)
        state = after(state, step)
        expect(model.loaded).toBe(state.loaded)
        for (const name of ['a', 'b']) expect(model.getModelProperty(name)?.type).toBe(state.types[name])
      }
      expect(model.getCount()).toBe(state.rows)
    }),
    { numRuns: 60 },
  )
})
