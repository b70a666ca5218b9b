import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'

const page = readFileSync(new URL('../../../docs/coming-from-rhoconnect.md', import.meta.url), 'utf8')
/** Everything that the page writes as code, without the leading methods of HTTP. */
const code = [...page.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text.replaceAll('\\|', '|'))

/** Every route of the documented REST API. */
const ROUTES = `
  /rc/v1/system/login /rc/v1/system/license /rc/v1/system/reset /rc/v1/system/appserver /rc/v1/system/stats
  /rc/v1/store/<doc> /rc/v1/users /rc/v1/users/<user_id> /rc/v1/users/<user_id>/clients
  /rc/v1/users/<user_id>/clients/<client_id> /rc/v1/users/<user_id>/sources/<source_id>/docnames
  /rc/v1/users/<user_id>/sources/<source_id>/docs/<doc> /rc/v1/users/ping
  /rc/v1/readstate/users/<user_id>/sources/<source_id> /rc/v1/sources/type/<partition_type>
  /rc/v1/sources/<source_id> /rc/v1/clients/<client_id> /rc/v1/clients/<client_id>/sources/<source_id>/docnames
  /rc/v1/clients/<client_id>/sources/<source_id>/docs/<doc> /app/v1/<source>/push_objects /app/v1/<source>/push_deletes
  /app/v1/<source>/fast_insert /app/v1/<source>/fast_update /app/v1/<source>/fast_delete`

/** Every method and property of the documented model API, and the names that its methods take. */
const NAMES = `
  associations fixed_schema freezed loaded model_name partition source_id sync_priority sync_type
  String Float Integer Boolean Varchar Blob overwrite schema_version sync full_update pass_through
  conditions order orderdir select op page per_page
  anyChangedObjects canModify can_modify changed? client_id count create deleteAll delete_all enable find find_all
  find_by_sql get getAllProperties getBackendRefreshTime backend_refresh_time getBelongsTo getCount getModel
  getModelProperty getProperties getProperty get_source_id get_source_name has hasChanges make NewORMModel
  onSyncCreateError onSyncDeleteError onSyncUpdateError paginate pushChanges push_changes save set setBelongsTo
  setModelProperty setProperties setProperty setSchemaIndex updateAttributes update_attributes vars destroy
  delete recreate rollback retry`

/** Every field of the documented REST bodies. */
const FIELDS = `
  name poll_interval partition_type sync_type queue query_queue cud_queue api_token user_id sources vibrate append
  adapter_url refresh_time message badge sound attributes login metric names start finish user_name rebuild_md delete_data data md md_size cd cd_size device_type device_pin device_port`

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

test('the page for newcomers from RhoConnect names every documented route', () => {
  const named = code.map(text => text.replace(/^(GET|POST|PUT|DELETE)\s+/, '').replace(/\?.*$/, ''))
  const isNamed = (path: string): boolean =>
    named.some(one => one === path || (one.startsWith('…/') && path.endsWith(one.slice(1))))
  expect(words(ROUTES).filter(path => !isNamed(path))).toEqual([])
})

test.each([
  ['method, property and option of the model API', NAMES],
  ['field of the REST API', FIELDS],
])('the page for newcomers from RhoConnect names every documented %s', (_, names) => {
  const told = new Set(code.flatMap(text => [...text.split(/[^\w?]+/), ...text.split(/\W+/)]))
  expect(words(names).filter(name => !told.has(name))).toEqual([])
})
