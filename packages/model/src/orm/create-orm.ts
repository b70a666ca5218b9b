import { SyncError } from '@godwit/protocol'
import { valueText } from '../definition/value-text.js'
import type { Device } from '../records/device-interface.js'
import { ModelState } from './model-state.js'
import { OrmModel } from './orm-model.js'

/** The part of the API around `NewORMModel` for one device. It has no globals, so several devices can run in one process. */
export interface Orm {
  readonly NewORMModel: {
    /** Creates a model of this name, or another handle to an existing one. */
    new (modelName: string): OrmModel
    /** Returns the model of this name, or null. */
    getModel(modelName: string): OrmModel | null
  }
  /** Defines a model by a function, and creates or migrates its tables. Without a function, keeps the current definition or creates an empty one. */
  addModel(modelName: string, define?: (model: OrmModel) => void): OrmModel
  /** Returns the model of this name, or null. */
  getModel(modelName: string): OrmModel | null
}

export function createOrm(device: Device): Orm {
  const states = new Map<string, ModelState>()
  const models = new Map<string, OrmModel>()

  class NewORMModel extends OrmModel {
    constructor(modelName: string) {
      super(stateOf(states, device, modelName))
      if (!models.has(modelName)) models.set(modelName, this)
    }

    static getModel(modelName: string): OrmModel | null {
      const isKnown = models.has(modelName) || device.find(modelName) !== undefined
      return isKnown ? (models.get(modelName) ?? new NewORMModel(modelName)) : null
    }
  }

  return {
    NewORMModel,
    getModel: NewORMModel.getModel,
    addModel(modelName, define) {
      const model = NewORMModel.getModel(modelName) ?? new NewORMModel(modelName)
      const state = stateOf(states, device, modelName)
      if (define) state.redefine(() => define(model))
      else state.ready()
      return model
    },
  }
}

function stateOf(states: Map<string, ModelState>, device: Device, name: string): ModelState {
  if (typeof name !== 'string' || name === '')
    throw new SyncError('name_not_allowed', `expected the name of a model, got ${valueText(name)}.`)
  const known = states.get(name)
  if (known) return known
  const state = new ModelState(device, name, states)
  states.set(name, state)
  if (!state.isLoaded) device.drafted(state)
  return state
}
