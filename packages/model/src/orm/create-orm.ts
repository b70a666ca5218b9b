import { SyncError } from '@godwit/protocol'
import type { Device } from '../device.js'
import { OrmModel } from './orm-model.js'

/** The namespace of the document for one device: no globals, so that several devices run in one process. */
export interface Orm {
  readonly NewORMModel: {
    new (name: string): OrmModel
    /** The model of this name, or null. */
    getModel(name: string): OrmModel | null
  }
  /** Defines a model and makes its tables. */
  addModel(name: string, define?: (model: OrmModel) => void): OrmModel
  /** The model of this name, or null. */
  getModel(name: string): OrmModel | null
}

export function createOrm(device: Device): Orm {
  const models = new Map<string, OrmModel>()
  const getModel = (name: string): OrmModel | null => models.get(name) ?? null
  class NewORMModel extends OrmModel {
    constructor(name: string) {
      if (typeof name !== 'string' || name === '') throw new SyncError('name_not_allowed', 'A model needs a name.')
      super(device, name)
      models.set(name, this)
    }

    static getModel(name: string): OrmModel | null {
      return getModel(name)
    }
  }
  return {
    NewORMModel,
    getModel,
    addModel(name, define = () => {}) {
      const model = new NewORMModel(name)
      define(model)
      model.initModel()
      return model
    },
  }
}
