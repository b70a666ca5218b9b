import { type Mutation, type Outcome, type PartitionPages, type PartitionPull, parametersName } from '@godwit/protocol'
import { defineSource, gone, type SourceDefinition } from '@godwit/source'
import type { SyncServerOptions } from '../start/options.js'
import { openServer, type TestServer } from './open-server.js'

/** A task of a project. */
export interface Task {
  readonly project: string
  readonly title: string
}

type TaskChange = { readonly [Name in keyof Task]?: Task[Name] | null }

/** The backend of a source with `by`: tasks by id, and the projects of users. */
export class Projects {
  readonly tasks = new Map<string, Task>()
  readonly members = new Map<string, Set<string>>()
  /** The projects whose queries fail, or wait. */
  readonly failing = new Set<string>()
  readonly slow = new Map<string, Promise<void>>()
  /** Runs after a write, before it is answered. */
  afterWrite: () => Promise<void> = async () => {}
  allowCalls = 0
  queries: string[] = []
  #made = 0

  /** Lets a user see these projects alone. */
  member(user: string, ...projects: readonly string[]): void {
    this.members.set(user, new Set(projects))
  }

  of(project: string): Record<string, Task> {
    return Object.fromEntries([...this.tasks].filter(([, task]) => task.project === project))
  }

  /** The definition of the source, without access. */
  readonly definition: SourceDefinition<Task> = {
    name: 'Task',
    by: ['project'],
    pollInterval: 300,
    timeout: 5,
    query: async ({ parameters: { project = '' } }) => {
      this.queries.push(project)
      await this.slow.get(project)
      if (this.failing.has(project)) throw new Error('the backend of a project fails')
      return this.of(project)
    },
    create: async attributes => {
      const id = `t${++this.#made}`
      this.tasks.set(id, attributes)
      await this.afterWrite()
      return { id, attributes }
    },
    update: async (id, changes, { parameters }) => {
      const task = this.#find(id, parameters['project'])
      this.tasks.set(id, { ...task, ...(changes as TaskChange) } as Task)
      await this.afterWrite()
      return undefined
    },
    delete: async (id, { parameters }) => {
      this.#find(id, parameters['project'])
      this.tasks.delete(id)
    },
  }

  #find(id: string, project: unknown): Task {
    const task = this.tasks.get(id)
    if (task === undefined || task.project !== project) throw gone()
    return task
  }
}

let keys = 0

/** Returns a mutation of a task. */
export const mutation = (number: number, operation: Mutation['operation'], rest: Partial<Mutation>): Mutation => ({
  number,
  key: `task-key-${String(++keys).padStart(16, '0')}`,
  operation,
  object: `~${keys}`,
  ...rest,
})

/** A server with the source Task, and requests of its devices. */
export interface ProjectsWorld {
  readonly on: TestServer
  readonly backend: Projects
  device(login: string): Promise<ProjectsDevice>
}

/** The requests of one device. */
export interface ProjectsDevice {
  readonly headers: Record<string, string>
  pull(projects: readonly string[], options?: Partial<PartitionPull>): Promise<PartitionPages>
  pulls(body: unknown): Promise<Response>
  /** The page, or error, of one project. */
  page(project: string, options?: Partial<PartitionPull>): Promise<Record<string, unknown>>
  push(
    project: string,
    body: { readonly epoch: string; readonly acknowledged?: number; readonly mutations: readonly Mutation[] },
  ): Promise<{
    readonly status: number
    readonly body: { readonly outcomes?: readonly Outcome[]; readonly code?: string }
  }>
}

/** Opens a server over the backend, where ada is a member of 1 and 2, and eve of 2. */
export function openProjects(
  access: Partial<SourceDefinition<Task>> = {},
  options: Partial<SyncServerOptions> = {},
): ProjectsWorld {
  const backend = new Projects()
  backend.member('ada', '1', '2')
  backend.member('eve', '2')
  backend.tasks.set('a', { project: '1', title: 'one' })
  backend.tasks.set('b', { project: '2', title: 'two' })
  const source = defineSource<Task>({
    ...backend.definition,
    partitionsOf: async ({ user }) => [...(backend.members.get(user) ?? [])].map(project => ({ project })),
    ...access,
  })
  const on = openServer({ sources: [source as never], ...options })
  return { on, backend, device: login => openDevice(on, login) }
}

async function openDevice(on: TestServer, login: string): Promise<ProjectsDevice> {
  const { headers } = await on.device(login)
  const pulls = (body: unknown) => on.call('POST', '/app/v1/Task/pull', { headers, body })
  const pull: ProjectsDevice['pull'] = async (projects, options = {}) => {
    const answer = await pulls({ pulls: projects.map(project => ({ parameters: { project }, ...options })) })
    return (await answer.json()) as PartitionPages
  }
  return {
    headers,
    pulls,
    pull,
    page: async (project, options) => {
      const { pages } = await pull([project], options)
      const name = parametersName({ project })
      return pages.find(({ parameters }) => parametersName(parameters) === name) as never
    },
    push: async (project, { epoch, acknowledged = 0, mutations }) => {
      const body = { parameters: { project }, epoch, acknowledged, mutations }
      const answer = await on.call('POST', '/app/v1/Task', { headers, body })
      return { status: answer.status, body: (await answer.json()) as never }
    },
  }
}
