import type { JsonSchema } from './schema.js'

/** Every schema as it goes over the wire, spelled out: wire.pins.test.ts compares. */
export const pinnedSchemas: JsonSchema = {
  problem: {
    type: 'object',
    properties: {
      type: { type: 'string' },
      title: { type: 'string' },
      status: { type: 'integer', minimum: 400, maximum: 599 },
      detail: { type: 'string' },
      code: { type: 'string' },
      errors: {
        type: 'array',
        items: {
          type: 'object',
          properties: { path: { type: 'string' }, message: { type: 'string' } },
          required: ['path', 'message'],
        },
      },
      expected: { type: 'integer', minimum: 1 },
      epoch: { type: 'string' },
      hashes: { type: 'array', items: { type: 'string' } },
      limit: { type: 'string' },
    },
    required: ['type', 'title', 'status', 'detail', 'code'],
  },
  clients: {
    list: {
      query: {
        type: 'object',
        properties: {
          user: { type: 'string' },
          after: { type: 'string' },
          limit: { type: 'integer', minimum: 1, maximum: 1000 },
        },
      },
      answer: { type: 'array', items: { type: 'string' } },
    },
    get: {
      answer: {
        type: 'object',
        properties: {
          client_id: { type: 'string' },
          user: { type: 'string' },
          device_type: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          device_push_type: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          device_pin: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          device_port: { anyOf: [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, { type: 'null' }] },
          phone_id: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          device_app_id: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          device_app_version: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          created_at: { type: 'string' },
          last_sync: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          listening: { type: 'boolean' },
          positions: { type: 'object', additionalProperties: { type: 'integer', minimum: 0 } },
        },
        required: [
          'client_id',
          'user',
          'device_type',
          'device_push_type',
          'device_pin',
          'device_port',
          'phone_id',
          'device_app_id',
          'device_app_version',
          'created_at',
          'last_sync',
          'listening',
          'positions',
        ],
      },
    },
    page: {
      query: {
        type: 'object',
        properties: {
          user: { type: 'string' },
          after: { type: 'string' },
          limit: { type: 'integer', minimum: 1, maximum: 1000 },
        },
      },
      answer: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            client_id: { type: 'string' },
            user: { type: 'string' },
            device_type: { anyOf: [{ type: 'string' }, { type: 'null' }] },
            device_push_type: { anyOf: [{ type: 'string' }, { type: 'null' }] },
            device_pin: { anyOf: [{ type: 'string' }, { type: 'null' }] },
            device_port: { anyOf: [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, { type: 'null' }] },
            phone_id: { anyOf: [{ type: 'string' }, { type: 'null' }] },
            device_app_id: { anyOf: [{ type: 'string' }, { type: 'null' }] },
            device_app_version: { anyOf: [{ type: 'string' }, { type: 'null' }] },
            created_at: { type: 'string' },
            last_sync: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          },
          required: [
            'client_id',
            'user',
            'device_type',
            'device_push_type',
            'device_pin',
            'device_port',
            'phone_id',
            'device_app_id',
            'device_app_version',
            'created_at',
            'last_sync',
          ],
        },
      },
    },
    sources: {
      answer: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            source: { type: 'string' },
            partition: { type: 'string' },
            version: { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }] },
            noted_at: { anyOf: [{ type: 'string' }, { type: 'null' }] },
            head: { type: 'integer', minimum: 0 },
            queued: { type: 'integer', minimum: 0 },
            outcomes: {
              type: 'array',
              items: {
                type: 'object',
                properties: {
                  number: { type: 'integer', minimum: 1 },
                  status: {
                    type: 'string',
                    enum: ['applied', 'refused', 'conflict', 'gone', 'depends_on_refused', 'in_doubt', 'queued'],
                  },
                  error: {
                    anyOf: [
                      {
                        type: 'object',
                        properties: { code: { type: 'string' }, message: { type: 'string' } },
                        required: ['code', 'message'],
                      },
                      { type: 'null' },
                    ],
                  },
                },
                required: ['number', 'status', 'error'],
              },
            },
          },
          required: ['source', 'partition', 'version', 'noted_at', 'head', 'queued', 'outcomes'],
        },
      },
    },
    documentNames: { answer: { type: 'object', additionalProperties: { type: 'string' } } },
    readDocument: {
      answer: {
        anyOf: [
          { type: 'string' },
          { type: 'object', additionalProperties: { type: 'object', additionalProperties: {} } },
        ],
      },
    },
    writeDocument: {
      body: {
        type: 'object',
        properties: {
          data: {
            anyOf: [
              { type: 'string' },
              { type: 'object', additionalProperties: { type: 'object', additionalProperties: {} } },
            ],
          },
          append: { type: 'boolean' },
        },
        required: ['data'],
      },
    },
  },
  device: {
    login: {
      body: {
        type: 'object',
        properties: { login: { type: 'string', maxLength: 1024 }, password: { type: 'string', maxLength: 1024 } },
        required: ['login', 'password'],
      },
      answer: {
        type: 'object',
        properties: {
          login: { type: 'string' },
          user_id: { type: 'string' },
          session: { type: 'string' },
          expires_at: { type: 'string' },
        },
        required: ['login', 'user_id', 'session', 'expires_at'],
      },
    },
    logout: {},
    createClient: {
      answer: {
        type: 'object',
        properties: {
          client: { type: 'object', properties: { client_id: { type: 'string' } }, required: ['client_id'] },
        },
        required: ['client'],
      },
    },
    registerClient: {
      body: {
        type: 'object',
        properties: {
          device_type: { type: 'string', maxLength: 4096 },
          device_push_type: { type: 'string', maxLength: 4096 },
          device_pin: { type: 'string', maxLength: 4096 },
          device_port: {
            anyOf: [{ anyOf: [{ type: 'string', maxLength: 4096 }, { type: 'integer' }] }, { type: 'null' }],
          },
          phone_id: { type: 'string', maxLength: 4096 },
          device_app_id: { type: 'string', maxLength: 4096 },
          device_app_version: { type: 'string', maxLength: 4096 },
        },
      },
    },
    resetClient: {
      body: { type: 'object', properties: { sources: { type: 'array', items: { type: 'string' }, maxItems: 1000 } } },
    },
    pull: {
      query: {
        type: 'object',
        properties: {
          token: { type: 'string', maxLength: 4096 },
          p_size: { type: 'integer', minimum: 0, maximum: 10000 },
          acknowledged: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
          pass_through: { type: 'boolean' },
        },
      },
      answer: {
        type: 'object',
        properties: {
          version: { const: 4 },
          epoch: { type: 'string', minLength: 1 },
          token: { type: 'string', minLength: 1 },
          more: { type: 'boolean' },
          status: { type: 'string', enum: ['ok', 'resync'] },
          pass: { type: 'string' },
          ends: { const: true },
          head: { type: 'integer', minimum: 0 },
          count: { type: 'integer', minimum: 0 },
          progress_count: { type: 'integer', minimum: 0 },
          total_count: { type: 'integer', minimum: 0 },
          insert: { type: 'object', additionalProperties: { type: 'object', additionalProperties: {} } },
          versions: { type: 'object', additionalProperties: { type: 'integer', minimum: 0 } },
          delete: { type: 'array', items: { type: 'string' } },
          checksum: { type: 'string', pattern: '^[0-9a-f]{16}$' },
          outcomes: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                outcome: { type: 'integer', minimum: 1 },
                number: { type: 'integer', minimum: 1 },
                status: {
                  type: 'string',
                  enum: ['applied', 'refused', 'conflict', 'gone', 'depends_on_refused', 'in_doubt', 'queued'],
                },
                link: { type: 'string' },
                object: { type: 'string' },
                version: { type: 'integer', minimum: 0 },
                attributes: { type: 'object', additionalProperties: {} },
                removed: { const: true },
                error: {
                  type: 'object',
                  properties: { code: { type: 'string' }, message: { type: 'string' } },
                  required: ['code', 'message'],
                },
              },
              required: ['number', 'status', 'version'],
            },
          },
          links: { type: 'object', additionalProperties: { type: 'string' } },
          source_error: {
            type: 'object',
            properties: { code: { type: 'string' }, message: { type: 'string' } },
            required: ['code', 'message'],
          },
          metadata: { type: 'object', additionalProperties: {} },
          schema: { type: 'object', additionalProperties: {} },
        },
        required: ['version', 'epoch', 'token', 'more', 'status', 'pass', 'count', 'progress_count', 'total_count'],
      },
    },
    pullByBody: {
      body: {
        type: 'object',
        properties: {
          token: { type: 'string', maxLength: 4096 },
          p_size: { type: 'integer', minimum: 0, maximum: 10000 },
          acknowledged: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
          pass_through: { type: 'boolean' },
          parameters: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
      answer: {
        type: 'object',
        properties: {
          version: { const: 4 },
          epoch: { type: 'string', minLength: 1 },
          token: { type: 'string', minLength: 1 },
          more: { type: 'boolean' },
          status: { type: 'string', enum: ['ok', 'resync'] },
          pass: { type: 'string' },
          ends: { const: true },
          head: { type: 'integer', minimum: 0 },
          count: { type: 'integer', minimum: 0 },
          progress_count: { type: 'integer', minimum: 0 },
          total_count: { type: 'integer', minimum: 0 },
          insert: { type: 'object', additionalProperties: { type: 'object', additionalProperties: {} } },
          versions: { type: 'object', additionalProperties: { type: 'integer', minimum: 0 } },
          delete: { type: 'array', items: { type: 'string' } },
          checksum: { type: 'string', pattern: '^[0-9a-f]{16}$' },
          outcomes: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                outcome: { type: 'integer', minimum: 1 },
                number: { type: 'integer', minimum: 1 },
                status: {
                  type: 'string',
                  enum: ['applied', 'refused', 'conflict', 'gone', 'depends_on_refused', 'in_doubt', 'queued'],
                },
                link: { type: 'string' },
                object: { type: 'string' },
                version: { type: 'integer', minimum: 0 },
                attributes: { type: 'object', additionalProperties: {} },
                removed: { const: true },
                error: {
                  type: 'object',
                  properties: { code: { type: 'string' }, message: { type: 'string' } },
                  required: ['code', 'message'],
                },
              },
              required: ['number', 'status', 'version'],
            },
          },
          links: { type: 'object', additionalProperties: { type: 'string' } },
          source_error: {
            type: 'object',
            properties: { code: { type: 'string' }, message: { type: 'string' } },
            required: ['code', 'message'],
          },
          metadata: { type: 'object', additionalProperties: {} },
          schema: { type: 'object', additionalProperties: {} },
        },
        required: ['version', 'epoch', 'token', 'more', 'status', 'pass', 'count', 'progress_count', 'total_count'],
      },
    },
    events: { query: { type: 'object', properties: { client_id: { type: 'string' } } }, answer: { type: 'string' } },
    push: {
      body: {
        type: 'object',
        properties: {
          epoch: { type: 'string', minLength: 1, maxLength: 256 },
          acknowledged: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
          mutations: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                number: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
                key: { type: 'string', minLength: 16, maxLength: 128 },
                operation: { type: 'string', enum: ['create', 'update', 'delete'] },
                object: { type: 'string', minLength: 1, maxLength: 1024 },
                attributes: { type: 'object', additionalProperties: {} },
                was: { type: 'object', additionalProperties: {} },
                changed: { type: 'array', items: { type: 'string' } },
                seen: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
                owners: { type: 'array', items: { type: 'string', minLength: 1, maxLength: 1024 } },
                sent: { type: 'boolean' },
                blobs: { type: 'array', items: { type: 'string' } },
                blobs_lost: { type: 'boolean' },
              },
              required: ['number', 'key', 'operation', 'object'],
            },
            maxItems: 500,
          },
          pass_through: { type: 'boolean' },
        },
        required: ['epoch', 'acknowledged', 'mutations'],
      },
      answer: {
        type: 'object',
        properties: {
          epoch: { type: 'string' },
          outcomes: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                outcome: { type: 'integer', minimum: 1 },
                number: { type: 'integer', minimum: 1 },
                status: {
                  type: 'string',
                  enum: ['applied', 'refused', 'conflict', 'gone', 'depends_on_refused', 'in_doubt', 'queued'],
                },
                link: { type: 'string' },
                object: { type: 'string' },
                version: { type: 'integer', minimum: 0 },
                attributes: { type: 'object', additionalProperties: {} },
                removed: { const: true },
                error: {
                  type: 'object',
                  properties: { code: { type: 'string' }, message: { type: 'string' } },
                  required: ['code', 'message'],
                },
              },
              required: ['number', 'status', 'version'],
            },
          },
        },
        required: ['epoch', 'outcomes'],
      },
    },
    versions: {
      query: {
        type: 'object',
        properties: {
          after: { type: 'string', minLength: 1, maxLength: 1024 },
          limit: { type: 'integer', minimum: 1, maximum: 10000 },
        },
      },
      answer: {
        type: 'object',
        properties: {
          epoch: { type: 'string' },
          versions: { type: 'object', additionalProperties: { type: 'integer', minimum: 0 } },
          next: { type: 'string', minLength: 1, maxLength: 1024 },
        },
        required: ['epoch', 'versions'],
      },
    },
    objects: {
      body: {
        type: 'object',
        properties: { ids: { type: 'array', items: { type: 'string', minLength: 1, maxLength: 1024 }, maxItems: 500 } },
        required: ['ids'],
      },
      answer: {
        type: 'object',
        properties: {
          epoch: { type: 'string' },
          objects: { type: 'object', additionalProperties: { type: 'object', additionalProperties: {} } },
          versions: { type: 'object', additionalProperties: { type: 'integer', minimum: 0 } },
        },
        required: ['epoch', 'objects', 'versions'],
      },
    },
    uploadBlob: {
      query: {
        type: 'object',
        properties: {
          hash: { type: 'string', pattern: '^[0-9a-f]{64}$' },
          size: { type: 'integer', minimum: 0 },
          offset: { type: 'integer', minimum: 0 },
        },
        required: ['hash', 'size', 'offset'],
      },
      body: { type: 'string', format: 'binary', maxLength: 1048576 },
      answer: {
        type: 'object',
        properties: {
          hash: { type: 'string', pattern: '^[0-9a-f]{64}$' },
          size: { type: 'integer', minimum: 0 },
          received: { type: 'integer', minimum: 0 },
          complete: { type: 'boolean' },
        },
        required: ['hash', 'size', 'received', 'complete'],
      },
    },
    readBlob: {
      query: {
        type: 'object',
        properties: { object: { type: 'string', minLength: 1, maxLength: 1024 } },
        required: ['object'],
      },
      answer: { type: 'string', format: 'binary' },
    },
    search: {
      body: {
        type: 'object',
        properties: {
          sources: {
            type: 'array',
            items: { type: 'string', minLength: 1, maxLength: 128 },
            minItems: 1,
            maxItems: 100,
          },
          search: {
            anyOf: [
              { type: 'string', maxLength: 4096 },
              { type: 'object', additionalProperties: {} },
            ],
          },
          offset: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
          max_results: { type: 'integer', minimum: 1, maximum: 1000 },
        },
        required: ['sources', 'search'],
      },
      answer: {
        type: 'object',
        properties: {
          results: {
            type: 'object',
            additionalProperties: {
              type: 'object',
              properties: {
                objects: { type: 'object', additionalProperties: { type: 'object', additionalProperties: {} } },
                error: {
                  type: 'object',
                  properties: { code: { type: 'string' }, message: { type: 'string' } },
                  required: ['code', 'message'],
                },
              },
            },
          },
        },
        required: ['results'],
      },
    },
    bulkData: {
      body: {
        type: 'object',
        properties: {
          partition: { type: 'string', enum: ['app', 'user'] },
          sources: {
            type: 'array',
            items: { type: 'string', minLength: 1, maxLength: 128 },
            minItems: 1,
            maxItems: 100,
          },
          ticket: { type: 'string', maxLength: 128 },
        },
        required: ['partition', 'sources'],
      },
      answer: {
        type: 'object',
        properties: {
          status: { type: 'string', enum: ['wait', 'ready', 'nothing'] },
          url: { type: 'string' },
          size: { type: 'integer', minimum: 0 },
          sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
          tokens: { type: 'object', additionalProperties: { type: 'string' } },
          ticket: { type: 'string' },
          pending: { type: 'array', items: { type: 'string' } },
          source_errors: {
            type: 'object',
            additionalProperties: {
              type: 'object',
              properties: { code: { type: 'string' }, message: { type: 'string' } },
              required: ['code', 'message'],
            },
          },
        },
        required: ['status'],
      },
    },
    bulkFile: { answer: { type: 'string', format: 'binary' } },
  },
  operations: {
    events: {
      query: {
        type: 'object',
        properties: {
          kinds: { type: 'string', maxLength: 1024 },
          source: { type: 'string' },
          user: { type: 'string' },
          after: { type: 'string', maxLength: 256 },
        },
      },
      answer: {
        anyOf: [
          {
            title: 'StreamStartedEvent',
            type: 'object',
            properties: { time: { type: 'string' }, kind: { const: 'stream_started' }, resumed: { type: 'boolean' } },
            required: ['time', 'kind', 'resumed'],
          },
          {
            title: 'EventsMissedEvent',
            type: 'object',
            properties: { time: { type: 'string' }, kind: { const: 'events_missed' } },
            required: ['time', 'kind'],
          },
          {
            title: 'StreamEndedEvent',
            type: 'object',
            properties: {
              time: { type: 'string' },
              kind: { const: 'stream_ended' },
              reason: { type: 'string', enum: ['slow', 'replaced', 'revoked', 'stopping'] },
            },
            required: ['time', 'kind', 'reason'],
          },
          {
            title: 'ServerStartedEvent',
            type: 'object',
            properties: {
              time: { type: 'string' },
              id: { type: 'string' },
              kind: { const: 'server_started' },
              process: { type: 'string' },
            },
            required: ['time', 'id', 'kind', 'process'],
          },
          {
            title: 'ServerStoppingEvent',
            type: 'object',
            properties: {
              time: { type: 'string' },
              id: { type: 'string' },
              kind: { const: 'server_stopping' },
              process: { type: 'string' },
            },
            required: ['time', 'id', 'kind', 'process'],
          },
          {
            title: 'LoginEvent',
            type: 'object',
            properties: {
              time: { type: 'string' },
              id: { type: 'string' },
              kind: { const: 'login' },
              user: { type: 'string' },
              role: { type: 'string', enum: ['device', 'reader', 'operator', 'plugin', 'admin'] },
            },
            required: ['time', 'id', 'kind', 'user', 'role'],
          },
          {
            title: 'LoginRefusedEvent',
            type: 'object',
            properties: {
              time: { type: 'string' },
              id: { type: 'string' },
              kind: { const: 'login_refused' },
              user: { anyOf: [{ type: 'string' }, { type: 'null' }] },
              api: { type: 'boolean' },
              code: { type: 'string' },
            },
            required: ['time', 'id', 'kind', 'user', 'api', 'code'],
          },
          {
            title: 'ClientCreatedEvent',
            type: 'object',
            properties: {
              time: { type: 'string' },
              id: { type: 'string' },
              kind: { const: 'client_created' },
              user: { type: 'string' },
              client: { type: 'string' },
            },
            required: ['time', 'id', 'kind', 'user', 'client'],
          },
          {
            title: 'ClientDeletedEvent',
            type: 'object',
            properties: {
              time: { type: 'string' },
              id: { type: 'string' },
              kind: { const: 'client_deleted' },
              user: { type: 'string' },
              client: { type: 'string' },
            },
            required: ['time', 'id', 'kind', 'user', 'client'],
          },
          {
            title: 'ObjectsWrittenEvent',
            type: 'object',
            properties: {
              time: { type: 'string' },
              id: { type: 'string' },
              source: { type: 'string' },
              partition: { type: 'string' },
              kind: { const: 'objects_written' },
              version: { type: 'integer', minimum: 0 },
              changed: { type: 'integer', minimum: 0 },
            },
            required: ['time', 'id', 'source', 'partition', 'kind', 'version', 'changed'],
          },
          {
            title: 'MutationsPushedEvent',
            type: 'object',
            properties: {
              time: { type: 'string' },
              id: { type: 'string' },
              source: { type: 'string' },
              partition: { type: 'string' },
              kind: { const: 'mutations_pushed' },
              user: { type: 'string' },
              client: { type: 'string' },
              sent: { type: 'integer', minimum: 0 },
              applied: { type: 'integer', minimum: 0 },
              refused: { type: 'integer', minimum: 0 },
            },
            required: ['time', 'id', 'source', 'partition', 'kind', 'user', 'client', 'sent', 'applied', 'refused'],
          },
          {
            title: 'MutationRefusedEvent',
            type: 'object',
            properties: {
              time: { type: 'string' },
              id: { type: 'string' },
              source: { type: 'string' },
              partition: { type: 'string' },
              user: { type: 'string' },
              client: { type: 'string' },
              operation: { type: 'string', enum: ['create', 'update', 'delete'] },
              object: { type: 'string' },
              error: {
                type: 'object',
                properties: { code: { type: 'string' }, message: { type: 'string' } },
                required: ['code', 'message'],
              },
              kind: { const: 'mutation_refused' },
              status: { type: 'string', enum: ['refused', 'conflict', 'gone', 'depends_on_refused'] },
            },
            required: [
              'time',
              'id',
              'source',
              'partition',
              'user',
              'client',
              'operation',
              'object',
              'error',
              'kind',
              'status',
            ],
          },
          {
            title: 'MutationInDoubtEvent',
            type: 'object',
            properties: {
              time: { type: 'string' },
              id: { type: 'string' },
              source: { type: 'string' },
              partition: { type: 'string' },
              user: { type: 'string' },
              client: { type: 'string' },
              operation: { type: 'string', enum: ['create', 'update', 'delete'] },
              object: { type: 'string' },
              error: {
                type: 'object',
                properties: { code: { type: 'string' }, message: { type: 'string' } },
                required: ['code', 'message'],
              },
              kind: { const: 'mutation_in_doubt' },
            },
            required: ['time', 'id', 'source', 'partition', 'user', 'client', 'operation', 'object', 'error', 'kind'],
          },
          {
            title: 'QueryDoneEvent',
            type: 'object',
            properties: {
              time: { type: 'string' },
              id: { type: 'string' },
              source: { type: 'string' },
              partition: { type: 'string' },
              kind: { const: 'query_done' },
              changed: { type: 'integer', minimum: 0 },
              removed: { type: 'integer', minimum: 0 },
              seconds: { type: 'number', minimum: 0 },
            },
            required: ['time', 'id', 'source', 'partition', 'kind', 'changed', 'removed', 'seconds'],
          },
          {
            title: 'QueryFailedEvent',
            type: 'object',
            properties: {
              time: { type: 'string' },
              id: { type: 'string' },
              source: { type: 'string' },
              partition: { type: 'string' },
              kind: { const: 'query_failed' },
              seconds: { type: 'number', minimum: 0 },
              error: {
                type: 'object',
                properties: { code: { type: 'string' }, message: { type: 'string' } },
                required: ['code', 'message'],
              },
            },
            required: ['time', 'id', 'source', 'partition', 'kind', 'seconds', 'error'],
          },
          {
            title: 'CallFailedEvent',
            type: 'object',
            properties: {
              time: { type: 'string' },
              id: { type: 'string' },
              source: { type: 'string' },
              partition: { type: 'string' },
              kind: { const: 'call_failed' },
              user: { type: 'string' },
              method: { type: 'string', enum: ['create', 'update', 'delete', 'search'] },
              error: {
                type: 'object',
                properties: { code: { type: 'string' }, message: { type: 'string' } },
                required: ['code', 'message'],
              },
            },
            required: ['time', 'id', 'source', 'partition', 'kind', 'user', 'method', 'error'],
          },
          {
            title: 'JobFailedEvent',
            type: 'object',
            properties: {
              time: { type: 'string' },
              id: { type: 'string' },
              kind: { const: 'job_failed' },
              queue: { type: 'string' },
              job: { type: 'string' },
              attempts: { type: 'integer', minimum: 0 },
              error: {
                type: 'object',
                properties: { code: { type: 'string' }, message: { type: 'string' } },
                required: ['code', 'message'],
              },
            },
            required: ['time', 'id', 'kind', 'queue', 'job', 'attempts', 'error'],
          },
        ],
      },
    },
    explain: {
      query: {
        type: 'object',
        properties: {
          source: { type: 'string', minLength: 1 },
          user: { type: 'string', minLength: 1 },
          object: { type: 'string', minLength: 1 },
          client: { type: 'string', minLength: 1 },
        },
        required: ['source', 'user', 'object'],
      },
      answer: {
        type: 'object',
        properties: {
          on_device: { type: 'string', enum: ['yes', 'next_pull', 'no', 'until_next_pull'] },
          findings: {
            type: 'array',
            items: {
              type: 'object',
              properties: { code: { type: 'string' }, message: { type: 'string' } },
              required: ['code', 'message'],
            },
          },
        },
        required: ['on_device', 'findings'],
      },
    },
    undecided: {
      query: {
        type: 'object',
        properties: {
          state: { type: 'string', enum: ['queued', 'started', 'in_doubt'] },
          after: { type: 'string' },
          limit: { type: 'integer', minimum: 1, maximum: 1000 },
        },
      },
      answer: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: { type: 'string' },
            source: { type: 'string' },
            partition: { type: 'string' },
            user: { type: 'string' },
            client: { type: 'string' },
            operation: { type: 'string', enum: ['create', 'update', 'delete'] },
            object: { type: 'string' },
            key: { type: 'string' },
            attempts: { type: 'integer', minimum: 0 },
            error: {
              anyOf: [
                {
                  type: 'object',
                  properties: { code: { type: 'string' }, message: { type: 'string' } },
                  required: ['code', 'message'],
                },
                { type: 'null' },
              ],
            },
            state: { type: 'string', enum: ['queued', 'started', 'in_doubt'] },
          },
          required: [
            'id',
            'source',
            'partition',
            'user',
            'client',
            'operation',
            'object',
            'key',
            'attempts',
            'error',
            'state',
          ],
        },
      },
    },
    mutation: {
      answer: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          source: { type: 'string' },
          partition: { type: 'string' },
          user: { type: 'string' },
          client: { type: 'string' },
          operation: { type: 'string', enum: ['create', 'update', 'delete'] },
          object: { type: 'string' },
          key: { type: 'string' },
          attempts: { type: 'integer', minimum: 0 },
          error: {
            anyOf: [
              {
                type: 'object',
                properties: { code: { type: 'string' }, message: { type: 'string' } },
                required: ['code', 'message'],
              },
              { type: 'null' },
            ],
          },
          state: { type: 'string', enum: ['queued', 'started', 'in_doubt', 'decided'] },
          attributes: { anyOf: [{ type: 'object', additionalProperties: {} }, { type: 'null' }] },
          was: { anyOf: [{ type: 'object', additionalProperties: {} }, { type: 'null' }] },
          owners: { type: 'array', items: { type: 'string' } },
          present: {
            anyOf: [
              {
                type: 'object',
                properties: {
                  version: { type: 'integer', minimum: 0 },
                  attributes: { type: 'object', additionalProperties: {} },
                },
                required: ['version', 'attributes'],
              },
              { type: 'null' },
            ],
          },
          outcome: {
            anyOf: [
              {
                type: 'object',
                properties: {
                  status: {
                    type: 'string',
                    enum: ['applied', 'refused', 'conflict', 'gone', 'depends_on_refused', 'in_doubt', 'queued'],
                  },
                  link: { type: 'string' },
                  error: {
                    type: 'object',
                    properties: { code: { type: 'string' }, message: { type: 'string' } },
                    required: ['code', 'message'],
                  },
                },
                required: ['status'],
              },
              { type: 'null' },
            ],
          },
        },
        required: [
          'id',
          'source',
          'partition',
          'user',
          'client',
          'operation',
          'object',
          'key',
          'attempts',
          'error',
          'state',
          'attributes',
          'was',
          'owners',
          'present',
          'outcome',
        ],
      },
    },
    audit: {
      query: {
        type: 'object',
        properties: {
          before: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
          limit: { type: 'integer', minimum: 1, maximum: 1000 },
        },
      },
      answer: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            number: { type: 'integer', minimum: 1 },
            time: { type: 'string' },
            login: { anyOf: [{ type: 'string' }, { type: 'null' }] },
            role: {
              anyOf: [
                { type: 'string', enum: ['open', 'device', 'reader', 'operator', 'plugin', 'admin'] },
                { type: 'null' },
              ],
            },
            action: { type: 'string' },
            about: { type: 'object', additionalProperties: {} },
            address: { type: 'string' },
            result: { type: 'string' },
            hash: { type: 'string' },
          },
          required: ['number', 'time', 'login', 'role', 'action', 'about', 'address', 'result', 'hash'],
        },
      },
    },
    checkAudit: {
      answer: {
        type: 'object',
        properties: {
          intact: { type: 'boolean' },
          checked: { type: 'integer', minimum: 0 },
          head: {
            anyOf: [
              {
                type: 'object',
                properties: { number: { type: 'integer', minimum: 1 }, hash: { type: 'string' } },
                required: ['number', 'hash'],
              },
              { type: 'null' },
            ],
          },
          broken: {
            type: 'object',
            properties: {
              number: { type: 'integer', minimum: 0 },
              why: { type: 'string', enum: ['changed', 'missing'] },
            },
            required: ['number', 'why'],
          },
        },
        required: ['intact', 'checked', 'head'],
      },
    },
    retry: {
      answer: {
        type: 'object',
        properties: {
          status: {
            type: 'string',
            enum: ['applied', 'refused', 'conflict', 'gone', 'depends_on_refused', 'in_doubt', 'queued'],
          },
          link: { type: 'string' },
          error: {
            type: 'object',
            properties: { code: { type: 'string' }, message: { type: 'string' } },
            required: ['code', 'message'],
          },
        },
        required: ['status'],
      },
    },
    settle: {
      body: {
        type: 'object',
        properties: {
          object: { type: 'string', minLength: 1, maxLength: 1024 },
          attributes: { type: 'object', additionalProperties: {} },
        },
        additionalProperties: false,
      },
      answer: {
        type: 'object',
        properties: {
          status: {
            type: 'string',
            enum: ['applied', 'refused', 'conflict', 'gone', 'depends_on_refused', 'in_doubt', 'queued'],
          },
          link: { type: 'string' },
          error: {
            type: 'object',
            properties: { code: { type: 'string' }, message: { type: 'string' } },
            required: ['code', 'message'],
          },
        },
        required: ['status'],
      },
    },
    discard: {},
  },
  plugin: {
    pushObjects: {
      body: {
        type: 'object',
        properties: {
          user_id: { type: 'string', minLength: 1, maxLength: 1024 },
          objects: { type: 'object', additionalProperties: { type: 'object', additionalProperties: {} } },
          rebuild_md: { type: 'boolean' },
        },
        required: ['user_id', 'objects'],
      },
      answer: {
        type: 'object',
        properties: {
          version: { type: 'integer', minimum: 0 },
          changed: { type: 'integer', minimum: 0 },
          count: { type: 'integer', minimum: 0 },
          replaced_at: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        },
        required: ['version', 'changed', 'count'],
      },
    },
    pushDeletes: {
      body: {
        type: 'object',
        properties: {
          user_id: { type: 'string', minLength: 1, maxLength: 1024 },
          objects: { type: 'array', items: { type: 'string' } },
          rebuild_md: { type: 'boolean' },
        },
        required: ['user_id', 'objects'],
      },
      answer: {
        type: 'object',
        properties: {
          version: { type: 'integer', minimum: 0 },
          changed: { type: 'integer', minimum: 0 },
          count: { type: 'integer', minimum: 0 },
          replaced_at: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        },
        required: ['version', 'changed', 'count'],
      },
    },
    fastInsert: {
      body: {
        type: 'object',
        properties: {
          user_id: { type: 'string', minLength: 1, maxLength: 1024 },
          objects: { type: 'object', additionalProperties: { type: 'object', additionalProperties: {} } },
          data: { type: 'object', additionalProperties: { type: 'object', additionalProperties: {} } },
        },
        required: ['user_id'],
        anyOf: [{ required: ['objects'] }, { required: ['data'] }],
      },
      answer: {
        type: 'object',
        properties: {
          version: { type: 'integer', minimum: 0 },
          changed: { type: 'integer', minimum: 0 },
          count: { type: 'integer', minimum: 0 },
          replaced_at: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        },
        required: ['version', 'changed', 'count'],
      },
    },
    fastUpdate: {
      body: {
        type: 'object',
        properties: {
          user_id: { type: 'string', minLength: 1, maxLength: 1024 },
          delete_data: { type: 'object', additionalProperties: { type: 'object', additionalProperties: {} } },
          data: { type: 'object', additionalProperties: { type: 'object', additionalProperties: {} } },
        },
        required: ['user_id', 'delete_data', 'data'],
      },
      answer: {
        type: 'object',
        properties: {
          version: { type: 'integer', minimum: 0 },
          changed: { type: 'integer', minimum: 0 },
          count: { type: 'integer', minimum: 0 },
          replaced_at: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        },
        required: ['version', 'changed', 'count'],
      },
    },
    fastDelete: {
      body: {
        type: 'object',
        properties: {
          user_id: { type: 'string', minLength: 1, maxLength: 1024 },
          data: { type: 'object', additionalProperties: { type: 'object', additionalProperties: {} } },
        },
        required: ['user_id', 'data'],
      },
      answer: {
        type: 'object',
        properties: {
          version: { type: 'integer', minimum: 0 },
          changed: { type: 'integer', minimum: 0 },
          count: { type: 'integer', minimum: 0 },
          replaced_at: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        },
        required: ['version', 'changed', 'count'],
      },
    },
  },
  readState: {
    set: {
      body: { type: 'object', properties: { refresh_time: { type: 'integer', minimum: 0, maximum: 1000000000 } } },
    },
  },
  sources: {
    all: {
      answer: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            poll_interval: { type: 'integer', minimum: -1 },
            partition_type: { type: 'string', enum: ['app', 'user'] },
            sync_type: { type: 'string', enum: ['incremental', 'bulk_only'] },
            queue: { anyOf: [{ type: 'string' }, { type: 'null' }] },
            query_queue: { anyOf: [{ type: 'string' }, { type: 'null' }] },
            cud_queue: { anyOf: [{ type: 'string' }, { type: 'null' }] },
            sync_priority: { type: 'integer' },
            retry_limit: { type: 'integer' },
            pass_through: { type: 'boolean' },
            push_notify: { type: 'boolean' },
            belongs_to: { anyOf: [{ type: 'object', additionalProperties: { type: 'string' } }, { type: 'null' }] },
          },
          required: [
            'name',
            'poll_interval',
            'partition_type',
            'sync_type',
            'queue',
            'query_queue',
            'cud_queue',
            'sync_priority',
            'retry_limit',
            'pass_through',
            'push_notify',
            'belongs_to',
          ],
        },
      },
    },
    list: { answer: { type: 'array', items: { type: 'string' } } },
    get: {
      answer: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          poll_interval: { type: 'integer', minimum: -1 },
          partition_type: { type: 'string', enum: ['app', 'user'] },
          sync_type: { type: 'string', enum: ['incremental', 'bulk_only'] },
          queue: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          query_queue: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          cud_queue: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          sync_priority: { type: 'integer' },
          retry_limit: { type: 'integer' },
          pass_through: { type: 'boolean' },
          push_notify: { type: 'boolean' },
          belongs_to: { anyOf: [{ type: 'object', additionalProperties: { type: 'string' } }, { type: 'null' }] },
        },
        required: [
          'name',
          'poll_interval',
          'partition_type',
          'sync_type',
          'queue',
          'query_queue',
          'cud_queue',
          'sync_priority',
          'retry_limit',
          'pass_through',
          'push_notify',
          'belongs_to',
        ],
      },
    },
    update: {
      body: {
        type: 'object',
        properties: {
          user_name: { type: 'string' },
          data: {
            type: 'object',
            properties: {
              poll_interval: { type: 'integer', minimum: -1, maximum: 1000000000 },
              sync_type: { type: 'string', enum: ['incremental', 'bulk_only'] },
              queue: { anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }] },
              query_queue: { anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }] },
              cud_queue: { anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }] },
              sync_priority: { type: 'integer', minimum: 1, maximum: 1000000000 },
              retry_limit: { type: 'integer', minimum: 0, maximum: 1000 },
              push_notify: { type: 'boolean' },
            },
            additionalProperties: false,
          },
        },
        required: ['data'],
      },
    },
  },
  store: {
    read: {
      answer: {
        anyOf: [
          { type: 'string' },
          { type: 'object', additionalProperties: { type: 'object', additionalProperties: {} } },
        ],
      },
    },
    write: {
      body: {
        type: 'object',
        properties: {
          data: {
            anyOf: [
              { type: 'string' },
              { type: 'object', additionalProperties: { type: 'object', additionalProperties: {} } },
            ],
          },
          append: { type: 'boolean' },
        },
        required: ['data'],
      },
    },
  },
  system: {
    login: {
      body: {
        type: 'object',
        properties: { login: { type: 'string', maxLength: 1024 }, password: { type: 'string', maxLength: 1024 } },
        required: ['login', 'password'],
      },
      answer: {
        type: 'object',
        properties: {
          token: { type: 'string' },
          expires_at: { type: 'string' },
          login: { type: 'string' },
          role: { type: 'string', enum: ['reader', 'operator', 'plugin', 'admin'] },
        },
        required: ['token', 'expires_at', 'login', 'role'],
      },
    },
    signIn: {
      body: {
        type: 'object',
        properties: { login: { type: 'string', maxLength: 1024 }, password: { type: 'string', maxLength: 1024 } },
        required: ['login', 'password'],
      },
      answer: {
        type: 'object',
        properties: {
          login: { type: 'string' },
          role: { type: 'string', enum: ['reader', 'operator', 'plugin', 'admin'] },
          expires_at: { type: 'string' },
        },
        required: ['login', 'role', 'expires_at'],
      },
    },
    session: {
      answer: {
        type: 'object',
        properties: {
          login: { type: 'string' },
          role: { type: 'string', enum: ['reader', 'operator', 'plugin', 'admin'] },
          expires_at: { type: 'string' },
        },
        required: ['login', 'role', 'expires_at'],
      },
    },
    signOut: {},
    state: {
      answer: {
        type: 'object',
        properties: {
          version: { type: 'string' },
          process: { type: 'string' },
          started_at: { type: 'string' },
          streams: { type: 'integer', minimum: 0 },
          processes: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                process: { type: 'string' },
                version: { type: 'string' },
                started_at: { type: 'string' },
                streams: { type: 'integer', minimum: 0 },
              },
              required: ['process', 'version', 'started_at', 'streams'],
            },
          },
          store: {
            type: 'object',
            properties: {
              bytes: { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }] },
              persists: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
              intact: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
            },
            required: ['bytes', 'persists', 'intact'],
          },
          users: { type: 'integer', minimum: 0 },
          clients: { type: 'integer', minimum: 0 },
          undecided: {
            type: 'object',
            properties: {
              queued: { type: 'integer', minimum: 0 },
              started: { type: 'integer', minimum: 0 },
              in_doubt: { type: 'integer', minimum: 0 },
            },
            required: ['queued', 'started', 'in_doubt'],
          },
          jobs: {
            type: 'object',
            properties: {
              waiting: { type: 'integer', minimum: 0 },
              running: { type: 'integer', minimum: 0 },
              dead: { type: 'integer', minimum: 0 },
            },
            required: ['waiting', 'running', 'dead'],
          },
          requests: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                route: { type: 'string' },
                count: { type: 'integer', minimum: 0 },
                p50: { type: 'number', minimum: 0 },
                p95: { type: 'number', minimum: 0 },
                p99: { type: 'number', minimum: 0 },
              },
              required: ['route', 'count', 'p50', 'p95', 'p99'],
            },
          },
          failures: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                route: { type: 'string' },
                code: { type: 'string' },
                count: { type: 'integer', minimum: 0 },
              },
              required: ['route', 'code', 'count'],
            },
          },
          warnings: {
            type: 'array',
            items: {
              type: 'object',
              properties: { about: { type: 'string' }, says: { type: 'string' }, todo: { type: 'string' } },
              required: ['about', 'says', 'todo'],
            },
          },
        },
        required: [
          'version',
          'process',
          'started_at',
          'streams',
          'processes',
          'store',
          'users',
          'clients',
          'undecided',
          'jobs',
          'requests',
          'failures',
          'warnings',
        ],
      },
    },
    license: {
      answer: {
        type: 'object',
        properties: {
          licensee: { type: 'string' },
          license: { const: 'Apache-2.0' },
          version: { type: 'string' },
          seats: { type: 'null' },
          devices: { type: 'integer', minimum: 0 },
          issued: { type: 'string' },
        },
        required: ['licensee', 'license', 'version', 'seats', 'devices', 'issued'],
      },
    },
    reset: { body: { type: 'object', properties: {} } },
    readAppServer: {
      answer: {
        type: 'object',
        properties: { adapter_url: { anyOf: [{ type: 'string', maxLength: 2048 }, { type: 'null' }] } },
        required: ['adapter_url'],
      },
    },
    writeAppServer: {
      body: {
        type: 'object',
        properties: { adapter_url: { anyOf: [{ type: 'string', maxLength: 2048 }, { type: 'null' }] } },
        required: ['adapter_url'],
      },
    },
    jobs: {
      query: {
        type: 'object',
        properties: {
          queue: { type: 'string' },
          state: { type: 'string', enum: ['waiting', 'running', 'dead'] },
          after: { type: 'string' },
          limit: { type: 'integer', minimum: 1, maximum: 1000 },
        },
      },
      answer: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: { type: 'string' },
            queue: { type: 'string' },
            kind: { type: 'string' },
            state: { type: 'string', enum: ['waiting', 'running', 'dead'] },
            attempts: { type: 'integer', minimum: 0 },
            due_at: { type: 'string' },
            reason: { anyOf: [{ type: 'string' }, { type: 'null' }] },
            source: { anyOf: [{ type: 'string' }, { type: 'null' }] },
            partition: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          },
          required: ['id', 'queue', 'kind', 'state', 'attempts', 'due_at', 'reason', 'source', 'partition'],
        },
      },
    },
    stats: {
      query: {
        type: 'object',
        properties: {
          names: { type: 'string', maxLength: 256 },
          metric: { type: 'string' },
          start: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
          finish: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
        },
      },
      answer: {
        anyOf: [
          { type: 'array', items: { type: 'string' } },
          {
            type: 'array',
            items: {
              anyOf: [
                {
                  type: 'object',
                  properties: {
                    time: { type: 'integer' },
                    count: { type: 'integer' },
                    sum: { type: 'number' },
                    min: { type: 'number' },
                    max: { type: 'number' },
                  },
                  required: ['time', 'count', 'sum', 'min', 'max'],
                },
                {
                  type: 'object',
                  properties: { time: { type: 'integer' }, value: { type: 'number' } },
                  required: ['time', 'value'],
                },
              ],
            },
          },
        ],
      },
    },
    tokens: {
      query: { type: 'object', properties: { login: { type: 'string' } } },
      answer: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: { type: 'string' },
            login: { type: 'string' },
            role: { type: 'string', enum: ['reader', 'operator', 'plugin', 'admin'] },
            console: { type: 'boolean' },
            created_at: { type: 'string' },
            expires_at: { type: 'string' },
            last_used: { type: 'string' },
          },
          required: ['id', 'login', 'role', 'created_at', 'expires_at'],
        },
      },
    },
    revokeToken: {},
  },
  users: {
    create: {
      body: {
        type: 'object',
        properties: {
          attributes: { type: 'object', additionalProperties: {} },
          role: { type: 'string', enum: ['device', 'reader', 'operator', 'plugin', 'admin'] },
          password_hash: { type: 'string', maxLength: 512 },
        },
        required: ['attributes'],
      },
      answer: { type: 'object', properties: { login: { type: 'string' } }, required: ['login'] },
    },
    createMany: {
      body: {
        type: 'object',
        properties: {
          users: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                attributes: { type: 'object', additionalProperties: {} },
                role: { type: 'string', enum: ['device', 'reader', 'operator', 'plugin', 'admin'] },
                password_hash: { type: 'string', maxLength: 512 },
              },
              required: ['attributes'],
            },
            maxItems: 1000,
          },
        },
        required: ['users'],
      },
      answer: {
        type: 'object',
        properties: {
          created: { type: 'array', items: { type: 'string' } },
          existing: { type: 'array', items: { type: 'string' } },
        },
        required: ['created', 'existing'],
      },
    },
    list: {
      query: {
        type: 'object',
        properties: {
          role: { type: 'string', enum: ['device', 'reader', 'operator', 'plugin', 'admin'] },
          after: { type: 'string' },
          limit: { type: 'integer', minimum: 1, maximum: 1000 },
        },
      },
      answer: { type: 'array', items: { type: 'string' } },
    },
    get: {
      answer: {
        type: 'object',
        properties: {
          login: { type: 'string' },
          role: { type: 'string', enum: ['device', 'reader', 'operator', 'plugin', 'admin'] },
          locked: { type: 'boolean' },
          attributes: { type: 'object', additionalProperties: {} },
          clients: { type: 'integer', minimum: 0 },
          created_at: { type: 'string' },
        },
        required: ['login', 'role', 'locked', 'attributes', 'clients', 'created_at'],
      },
    },
    page: {
      query: {
        type: 'object',
        properties: {
          role: { type: 'string', enum: ['device', 'reader', 'operator', 'plugin', 'admin'] },
          after: { type: 'string' },
          limit: { type: 'integer', minimum: 1, maximum: 1000 },
        },
      },
      answer: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            login: { type: 'string' },
            role: { type: 'string', enum: ['device', 'reader', 'operator', 'plugin', 'admin'] },
            locked: { type: 'boolean' },
            attributes: { type: 'object', additionalProperties: {} },
            clients: { type: 'integer', minimum: 0 },
            created_at: { type: 'string' },
          },
          required: ['login', 'role', 'locked', 'attributes', 'clients', 'created_at'],
        },
      },
    },
    update: {
      body: {
        type: 'object',
        properties: {
          attributes: { type: 'object', additionalProperties: {} },
          role: { type: 'string', enum: ['device', 'reader', 'operator', 'plugin', 'admin'] },
          locked: { type: 'boolean' },
        },
        additionalProperties: false,
      },
    },
    delete: {},
    endSessions: {},
    clients: { answer: { type: 'array', items: { type: 'string' } } },
    deleteClient: {},
    ping: {
      body: {
        type: 'object',
        properties: {
          user_id: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, maxItems: 10000 }] },
          sources: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, maxItems: 1000 }] },
          message: { type: 'string', maxLength: 4096 },
          badge: { anyOf: [{ type: 'number' }, { type: 'string', maxLength: 4096 }] },
          sound: { type: 'string', maxLength: 4096 },
          vibrate: { type: 'integer', minimum: 0 },
          async: { type: 'boolean' },
        },
        required: ['user_id'],
      },
      answer: {
        type: 'object',
        properties: {
          sent: { type: 'integer', minimum: 0 },
          skipped: {
            type: 'array',
            items: {
              type: 'object',
              properties: { user: { type: 'string' }, client: { type: 'string' }, reason: { type: 'string' } },
              required: ['reason'],
            },
          },
          failed: {
            type: 'array',
            items: {
              type: 'object',
              properties: { client: { type: 'string' }, reason: { type: 'string' } },
              required: ['client', 'reason'],
            },
          },
          job: { type: 'string' },
        },
      },
    },
    partition: {
      answer: {
        type: 'object',
        properties: {
          partition: { type: 'string' },
          version: { type: 'integer', minimum: 0 },
          count: { type: 'integer', minimum: 0 },
          queried_at: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          next_query: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          asked: { type: 'boolean' },
          error: {
            anyOf: [
              {
                type: 'object',
                properties: { code: { type: 'string' }, message: { type: 'string' } },
                required: ['code', 'message'],
              },
              { type: 'null' },
            ],
          },
        },
        required: ['partition', 'version', 'count', 'queried_at', 'next_query', 'asked', 'error'],
      },
    },
    objects: {
      query: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          contains: { type: 'string', minLength: 1, maxLength: 256 },
          attribute: { type: 'string', minLength: 1, maxLength: 256 },
          after: { type: 'string' },
          limit: { type: 'integer', minimum: 1, maximum: 1000 },
        },
      },
      answer: {
        type: 'object',
        properties: {
          objects: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                id: { type: 'string' },
                version: { type: 'integer', minimum: 0 },
                changed_at: { anyOf: [{ type: 'string' }, { type: 'null' }] },
                attributes: { type: 'object', additionalProperties: {} },
              },
              required: ['id', 'version', 'attributes'],
            },
          },
          looked: { type: 'integer', minimum: 0 },
          next: { type: 'string' },
        },
        required: ['objects', 'looked'],
      },
    },
    documentNames: { answer: { type: 'object', additionalProperties: { type: 'string' } } },
    readDocument: {
      answer: {
        anyOf: [
          { type: 'string' },
          { type: 'object', additionalProperties: { type: 'object', additionalProperties: {} } },
        ],
      },
    },
    writeDocument: {
      body: {
        type: 'object',
        properties: {
          data: {
            anyOf: [
              { type: 'string' },
              { type: 'object', additionalProperties: { type: 'object', additionalProperties: {} } },
            ],
          },
          append: { type: 'boolean' },
        },
        required: ['data'],
      },
    },
  },
}
