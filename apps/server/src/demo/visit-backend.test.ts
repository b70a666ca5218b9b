import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { openVisitBackend } from './visit-backend.js'

const directory = mkdtempSync(join(tmpdir(), 'godwit-visits-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

describe('the backend of the demo', () => {
  test('keeps visits by user, in its file', () => {
    const path = join(directory, 'visits.sqlite')
    const backend = openVisitBackend(path)
    const id = backend.add('ada', { city_id: '7', note: 'by train' }, 'key-1')
    backend.add('grace', { city_id: '8' }, 'key-2')
    backend.close()
    const again = openVisitBackend(path)
    expect(again.visitsOf('ada')).toEqual({ [id]: { city_id: '7', note: 'by train' } })
    expect(again.visitsOf('linus')).toEqual({})
    again.close()
  })

  test('performs the operation of a key once, however often it is called', () => {
    const backend = openVisitBackend(':memory:')
    const id = backend.add('ada', { note: 'first' }, 'create')
    expect(backend.add('ada', { note: 'first' }, 'create')).toBe(id)
    expect(backend.change('ada', id, { note: 'second' }, 'change')).toBe(true)
    backend.change('ada', id, { note: 'third' }, 'another')
    expect(backend.change('ada', id, { note: 'second' }, 'change')).toBe(true)
    expect(backend.visitsOf('ada')).toEqual({ [id]: { note: 'third' } })
    backend.remove('ada', id, 'remove')
    expect(backend.add('ada', { note: 'first' }, 'create')).toBe(id)
    expect(backend.visitsOf('ada')).toEqual({})
  })

  test('merges changes, and removes what is null', () => {
    const backend = openVisitBackend(':memory:')
    const id = backend.add('ada', { note: 'first', rating: 4 }, 'create')
    backend.change('ada', id, { rating: null, visited_at: '2026-05-01' }, 'change')
    expect(backend.visitsOf('ada')).toEqual({ [id]: { note: 'first', visited_at: '2026-05-01' } })
  })

  test('changes no visits of other users, and assigns no id twice', () => {
    const backend = openVisitBackend(':memory:')
    const id = backend.add('ada', { note: 'mine' }, 'create')
    expect(backend.change('grace', id, { note: 'stolen' }, 'change')).toBe(false)
    backend.remove('grace', id, 'remove')
    expect(backend.visitsOf('ada')).toEqual({ [id]: { note: 'mine' } })
    backend.remove('ada', id, 'remove mine')
    expect(backend.add('ada', {}, 'create another')).not.toBe(id)
  })

  test('keeps photos beside visits, and forgets at its next start what no visit names', () => {
    const path = join(directory, 'photos.sqlite')
    const backend = openVisitBackend(path)
    backend.keepPhoto('named', new Uint8Array([1]))
    backend.keepPhoto('unnamed', new Uint8Array([2]))
    backend.add('ada', { photo: 'named' }, 'create')
    backend.close()
    const again = openVisitBackend(path)
    expect(again.photosOf('ada').map(bytes => [...bytes])).toEqual([[1]])
    again.add('ada', { photo: 'unnamed' }, 'create another')
    expect(again.photosOf('ada')).toHaveLength(1)
    again.close()
  })
})
