import type { Contract } from './contract.js'

/** Made from the docs of the contract by `node scripts/descriptions.ts`. */
export const descriptions: Contract = {
  groups: {
    clients: {
      description: 'Clients (devices) of all users, and the documents of what each has of a source.',
      routes: {
        list: {
          description: 'Ids of clients in order, a page at a time.',
          query: 'ClientList',
          call: 'admin.clients.list({ user, after, limit })',
        },
        get: {
          description:
            'A client: how its device says it can be reached, when it last synced, and up to where it has each source.',
          answer: 'ClientInfo',
          call: 'admin.clients.get(client)',
        },
        page: {
          description:
            'Clients in order of id, a page at a time, each with how its device can be reached and when it last synced.',
          query: 'ClientList',
          answer: 'ClientLine',
          call: 'admin.clients.page({ user, after, limit })',
        },
        sources: {
          description: 'What a client has of each source, what waits for it there, and what it has not heard of.',
          answer: 'ClientSource',
          call: 'admin.clients.sources(client)',
        },
        documentNames: {
          description: 'The documents of a source for this client: name → REST path.',
          answer: 'DocumentNames',
          call: 'admin.clients.documentNames(client, source)',
        },
        readDocument: {
          description:
            'A document of a source for this client. `cd` is what the client is known to have: the objects of the source up to its last position.',
          answer: 'ObjectMap',
          call: 'admin.clients.readDocument(client, source, doc, { stream })',
        },
        writeDocument: {
          description:
            "Writes a document of a source for this client. Writing `cd`, with any object map, makes the client's next pull of the source a resync; the other computed ones are read-only.",
          body: 'DocumentWrite',
          call: 'admin.clients.writeDocument(client, source, doc, data, { append })',
        },
      },
    },
    device: {
      description: 'What a device calls.',
      routes: {
        login: {
          description: 'A device user logs in and gets a session, in the answer and as a cookie.',
          body: 'DeviceLogin',
          answer: 'DeviceSession',
        },
        logout: {
          description: 'Ends the session.',
        },
        createClient: {
          description: "Makes a client, one installed device, of the session's user.",
          answer: 'ClientCreated',
        },
        registerClient: {
          description: 'Says how push messages reach the device.',
          body: 'ClientRegistration',
        },
        resetClient: {
          description: 'Makes the next pull of these sources start from zero.',
          body: 'ClientReset',
        },
        pull: {
          description:
            'A page of what changed in a source since the token. A query that is due runs first. Members of the query string that are not named here reach the source as parameters of the query. The header `X-Sync-HINT: 1` says that an event asked for it: a source with poll_interval 0 that was queried once is not queried again for that.',
          query: 'Pull',
          answer: 'Page',
        },
        pullByBody: {
          description:
            'The same page, asked for by a JSON body: for pages of other origins, whose browsers ask before each address that is new to them. `parameters` reach the source.',
          body: 'PullBody',
          answer: 'Page',
        },
        events: {
          description:
            'A stream of server-sent events that stays open: `change` names a source and where it stands, for those that lack it to pull, `check` tells where all stand, `ping` is a push message. `within`: the milliseconds over which devices spread. A comment keeps it alive.',
          query: 'EventsQuery',
        },
        push: {
          description: 'Mutations made on the device, in order; the answer says what became of them.',
          body: 'Push',
          answer: 'Pushed',
        },
        versions: {
          description: 'Which objects of a source there are, with their versions: for a device whose checksum differs.',
          query: 'VersionsQuery',
          answer: 'Versions',
        },
        objects: {
          description: 'Objects of a source by id: for a device that lacks them or has them otherwise.',
          body: 'GetObjects',
          answer: 'GotObjects',
        },
        uploadBlob: {
          description:
            'A part of a blob on its way to the server, before a mutation names it; answers how far the blob is.',
          query: 'BlobUpload',
          answer: 'BlobUploaded',
        },
        readBlob: {
          description:
            'The bytes of a blob that an object of the user names; in part, where the header `Range` asks for it.',
          query: 'BlobRead',
        },
        search: {
          description: 'Asks backends for objects that the device does not have.',
          body: 'Search',
          answer: 'SearchResults',
        },
        bulkData: {
          description: 'The data of whole sources as one SQLite file, compressed by gzip.',
          body: 'BulkRequest',
          answer: 'BulkData',
        },
        bulkFile: {
          description: 'The file of a bulk answer, with `Range` and `If-None-Match`.',
        },
      },
    },
    operations: {
      description: 'What operators ask when something is not as they expect.',
      routes: {
        events: {
          description:
            'A stream of what happens on the server, in all of its processes: server-sent events, each with one `ServerEvent` as its data. Hints for people and programs that watch: what must not be missed stands in the lists.',
          query: 'ServerEventsQuery',
          answer: 'ServerEvent',
          call: 'admin.events({ kinds, source, user })',
        },
        explain: {
          description: "Why an object is, or isn't, on the devices of a user or on one of them.",
          query: 'Explain',
          answer: 'Explanation',
          call: 'admin.operations.explain({ source, user, object, client })',
        },
        undecided: {
          description: 'Mutations of devices that have no outcome yet, a page at a time.',
          query: 'UndecidedList',
          answer: 'Undecided',
          call: 'admin.operations.undecided({ state, after, limit })',
        },
        mutation: {
          description: 'One of them as its device sent it, beside the object as it is now.',
          answer: 'SentMutation',
          call: 'admin.operations.mutation(id)',
        },
        audit: {
          description:
            'Who did what to the server, when and from where, and how it went: the newest entries, or those before a number.',
          query: 'AuditList',
          answer: 'AuditEntry',
          call: 'admin.operations.audit({ before, limit })',
        },
        checkAudit: {
          description: 'Whether every entry of the audit is there as it was written. It reads all of them.',
          answer: 'AuditCheck',
          call: 'admin.operations.checkAudit()',
        },
        retry: {
          description:
            'Calls the source of a mutation in doubt again, with the same idempotency key, and answers what became of it.',
          answer: 'Retried',
          call: 'admin.operations.retry(id)',
        },
        settle: {
          description:
            'Settles a mutation in doubt as done, without calling its source: an operator saw in the backend what came of it. Its device keeps the change. The partition is due, so that a query tells what the backend holds.',
          body: 'MutationSettlement',
          answer: 'Retried',
          call: 'admin.operations.settle(id, { object, attributes })',
        },
        discard: {
          description: 'Refuses a mutation in doubt, with what depends on it; the device rolls it back.',
          call: 'admin.operations.discard(id)',
        },
      },
    },
    plugin: {
      description: 'What a backend calls when its data changes.',
      routes: {
        pushObjects: {
          description:
            'Merges attributes into objects that exist and creates the others. The next query of a source that has one replaces them: `replaced_at` says when.',
          body: 'PushObjects',
          answer: 'Written',
          call: 'admin.push.objects(source, user, objects, { rebuildMd, batch, onProgress })',
        },
        pushDeletes: {
          description: 'Removes objects.',
          body: 'PushDeletes',
          answer: 'Written',
          call: 'admin.push.deletes(source, user, ids, { rebuildMd, batch, onProgress })',
        },
        fastInsert: {
          description: 'Adds objects that the backend knows to be new.',
          body: 'FastInsert',
          answer: 'Written',
          call: 'admin.push.fastInsert(source, user, objects, { batch, onProgress })',
        },
        fastUpdate: {
          description:
            'Removes the attributes named in `delete_data`, then merges `data`; devices see both or neither.',
          body: 'FastUpdate',
          answer: 'Written',
          call: 'admin.push.fastUpdate(source, user, { delete_data, data })',
        },
        fastDelete: {
          description: 'Removes the attributes named; an object whose last attribute goes is gone.',
          body: 'FastDelete',
          answer: 'Written',
          call: 'admin.push.fastDelete(source, user, objects, { batch, onProgress })',
        },
      },
    },
    readState: {
      description: 'When sources are queried next.',
      routes: {
        set: {
          description:
            'Says when the source is queried next for a user; without a time, at the next pull. At poll_interval -1 it runs once.',
          body: 'ReadState',
          call: 'admin.readState.set(user, source, { refreshTime })',
        },
      },
    },
    sources: {
      description: 'The configured sources and their settings.',
      routes: {
        all: {
          description: 'Every source with its present settings; by priority, then name.',
          answer: 'SourceInfo',
          call: 'admin.sources.all()',
        },
        list: {
          description:
            'Names of the sources that have one copy for all users, or one for each; by priority, then name.',
          call: "admin.sources.list('app')",
        },
        get: {
          description: 'A source with its present settings.',
          answer: 'SourceInfo',
          call: 'admin.sources.get(source)',
        },
        update: {
          description: 'Changes settings of a source for all users; they count at once and outlive restarts.',
          body: 'SourceUpdate',
          call: 'admin.sources.update(source, { poll_interval }, { user })',
        },
      },
    },
    store: {
      description: 'Documents of the server itself.',
      routes: {
        read: {
          description: 'A document of the server.',
          answer: 'ObjectMap',
          call: 'admin.store.read(doc, { stream })',
        },
        write: {
          description: 'Writes a document of the server.',
          body: 'DocumentWrite',
          call: 'admin.store.write(doc, data, { append })',
        },
      },
    },
    system: {
      description: 'The server as a whole.',
      routes: {
        login: {
          description:
            'An API user logs in and gets a token: with `Accept: application/json` its end and role too, else the bare token as text.',
          body: 'AdminLogin',
          answer: 'AdminToken',
          call: 'AdminClient.login({ url, login, password })',
        },
        signIn: {
          description:
            'A page signs in: the answer sets the cookie `sync_console`, which stands for a token until it ends after twelve hours at most. With an `Origin`, that of the server or a configured one.',
          body: 'AdminLogin',
          answer: 'AdminSession',
          call: 'admin.system.signIn({ login, password })',
        },
        session: {
          description: 'Who calls, by whatever token or cookie.',
          answer: 'AdminSession',
          call: 'admin.system.session()',
        },
        signOut: {
          description: 'Ends the session of the cookie, or the token of the call.',
          call: 'admin.system.signOut()',
        },
        state: {
          description: 'How the server is: what it holds, what waits, and what should be looked after.',
          answer: 'ServerState',
          call: 'admin.system.state()',
        },
        license: {
          description: 'The terms in use, and how many devices use the server under them.',
          answer: 'License',
          call: 'admin.system.license()',
        },
        reset: {
          description:
            "Empties the server: users, clients, documents, collections and changed settings are removed, and devices start over. The caller's token and the admin stay.",
          call: 'admin.system.reset()',
        },
        jobs: {
          description:
            'Work outside of requests that is not done: queries and writes of sources with queues, pings. In order of queue.',
          query: 'JobList',
          answer: 'JobInfo',
          call: 'admin.system.jobs({ queue, state, after, limit })',
        },
        readAppServer: {
          description: 'The address of the plugin backend.',
          answer: 'AppServer',
          call: 'admin.system.readAppServer()',
        },
        writeAppServer: {
          description: 'Sets or clears the address of the plugin backend.',
          body: 'AppServer',
          call: 'admin.system.writeAppServer(url)',
        },
        stats: {
          description:
            'What was counted minute by minute of requests, calls of sources, users and clients: the keys that match a pattern, or the statistics of one key. Buckets of durations have `time` (Unix seconds), `count`, `sum`, `min` and `max` (seconds); those of levels `time` and `value`.',
          query: 'StatsQuery',
          call: "admin.system.stats.names('source:*:Visit')",
        },
        tokens: {
          description: "API tokens that open something, oldest first: one's own, and for an admin everybody's.",
          query: 'TokenList',
          answer: 'TokenInfo',
          call: 'admin.system.tokens({ login })',
        },
        revokeToken: {
          description: 'From then on the token opens nothing.',
          call: 'admin.system.revokeToken(id)',
        },
      },
    },
    users: {
      description: 'Users, their clients, and the documents of their partitions.',
      routes: {
        create: {
          description: 'Makes a user.',
          body: 'UserCreate',
          answer: 'UserCreated',
          call: 'admin.users.create({ login, password, … }, { role })',
        },
        createMany: {
          description:
            'Makes the users that do not exist yet. Those whose passwords come as hashes take no time; each other one about a quarter of a second of a core. Nothing is made where one of them is not valid.',
          body: 'UsersCreate',
          answer: 'UsersCreated',
          call: 'admin.users.createMany([{ attributes, role, password_hash }])',
        },
        list: {
          description: 'Logins of the users of one role, sorted: all of them, or a page.',
          query: 'UserList',
          call: 'admin.users.list({ role, after, limit })',
        },
        get: {
          description: 'A user.',
          answer: 'User',
          call: 'admin.users.get(user)',
        },
        page: {
          description: 'The users of one role, sorted by login, a page at a time: 100 unless `limit` says otherwise.',
          query: 'UserList',
          answer: 'User',
          call: 'admin.users.page({ role, after, limit })',
        },
        update: {
          description: 'Merges free attributes of a user. Admins also set roles and passwords, and lock users out.',
          body: 'UserUpdate',
          call: 'admin.users.update(user, { attributes, role, locked })',
        },
        delete: {
          description: "Deletes the user with all devices, sessions and data that is this user's alone.",
          call: 'admin.users.delete(user)',
        },
        endSessions: {
          description:
            "Ends all sessions of the user's devices: they keep what they have, and ask for a login before they sync again. Of an API user, by admins only, all tokens.",
          call: 'admin.users.endSessions(user)',
        },
        clients: {
          description: "Ids of the user's clients.",
          call: 'admin.users.clients(user)',
        },
        deleteClient: {
          description: 'Deletes a client of this user.',
          call: 'admin.users.deleteClient(user, client)',
        },
        ping: {
          description:
            'Sends a push message to every device of these users. It answers 200 even if none could be reached; with `async` at once, with the job that sends it.',
          body: 'Ping',
          answer: 'PingAnswer',
          call: 'admin.users.ping(users, { sources, message, badge, sound, vibrate, async })',
        },
        partition: {
          description: "How this user's copy of a source stands; `*` for the shared copy of an app source.",
          answer: 'PartitionState',
          call: 'admin.users.partition(user, source)',
        },
        objects: {
          description:
            'Objects of a master document, a page at a time, with their versions; all of them, or those that a search finds.',
          query: 'ObjectList',
          answer: 'ObjectPage',
          call: 'admin.users.objects(user, source, { id, contains, attribute, after, limit })',
        },
        documentNames: {
          description: 'The documents of a source for this user: name → REST path.',
          answer: 'DocumentNames',
          call: 'admin.users.documentNames(user, source)',
        },
        readDocument: {
          description:
            'A document of a source for this user. `md` is the master document: every object that the server holds for this user and source.',
          answer: 'ObjectMap',
          call: 'admin.users.readDocument(user, source, doc, { stream })',
        },
        writeDocument: {
          description:
            'Writes a document of a source for this user. Writing `md` makes changes that devices receive; the other computed ones are read-only.',
          body: 'DocumentWrite',
          call: 'admin.users.writeDocument(user, source, doc, data, { append })',
        },
      },
    },
  },
  messages: {
    AdminLogin: {
      description: 'An API user logs in.',
      members: {
        login: {
          description: 'Of a user with another role than device.',
        },
        password: {
          description: 'Of that user.',
        },
      },
    },
    AdminSession: {
      description:
        'Who is signed in, and until when. The secret is in a cookie that scripts cannot read, or in the token of the call.',
      members: {
        login: {
          description: 'Who is signed in.',
        },
        role: {
          description: 'What that user may do.',
        },
        expires_at: {
          description: 'ISO 8601 UTC.',
        },
      },
    },
    AdminToken: {
      description: 'The answer with `Accept: application/json`; else the bare token as text.',
      members: {
        token: {
          description: 'Secret: sent in `X-Sync-API-TOKEN`.',
        },
        expires_at: {
          description: 'ISO 8601 UTC.',
        },
        login: {
          description: 'Whose token it is.',
        },
        role: {
          description: 'What it may do.',
        },
      },
    },
    AppServer: {
      description: 'Where the plugin backend is.',
      members: {
        adapter_url: {
          description:
            "An http or https address without credentials, below which the backend answers; null: there is none. Written, '' counts as null.",
        },
      },
    },
    Attributes: {
      description: 'The attributes of one object. Names are hostile text too (`__proto__` is an ordinary name).',
      isMap: true,
    },
    AuditCheck: {
      description: 'Whether the audit is as it was written.',
      members: {
        intact: {
          description: 'Every entry is there, in its order, as it was written.',
        },
        checked: {
          description: 'How many entries fit together, from the newest down.',
        },
        head: {
          description:
            'The newest entry: kept elsewhere, it proves later that the log was not rewritten. Null for an empty log.',
        },
        broken: {
          description: 'The entry where something is wrong, and what. Absent: nothing.',
        },
      },
    },
    AuditEntry: {
      description:
        'Who did what to the server, when and from where, and how it went. Never a secret, never the contents of objects and documents.',
      members: {
        number: {
          description: 'From 1, without gaps.',
        },
        time: {
          description: 'ISO 8601 UTC.',
        },
        login: {
          description:
            "Null for a login that does not exist, and for commands on the server's machine. What was typed as a login is not kept, since people type passwords there.",
        },
        role: {
          description: 'At that time. Null: it was a login, or a command.',
        },
        action: {
          description: 'Group and name of the route: `users.delete`; `store.restore` for `godwit restore`.',
        },
        about: {
          description: 'What it was done to: the parameters of the path, and what tells of the change.',
        },
        address: {
          description: "The remote address; '' where there is none.",
        },
        result: {
          description: '`ok`, or the code of the error.',
        },
        hash: {
          description:
            'SHA-256 over the hash of the entry before and this entry, so that changing one entry means changing all that follow.',
        },
      },
    },
    AuditList: {
      description: 'Which entries: the newest, or those before one.',
      members: {
        before: {
          description: 'Entries with a lower number. Absent: from the newest.',
        },
        limit: {
          description: 'Default 100.',
        },
      },
    },
    BlobRead: {
      description: "A blob is read through an object of one's own partition that names it.",
      members: {
        object: {
          description: 'An object of the source with an attribute whose value is the hash.',
        },
      },
    },
    BlobUpload: {
      description:
        'A part of a blob on its way to the server: the body is its bytes, at most 1 MiB; none asks where the blob stands.',
      members: {
        hash: {
          description: 'SHA-256 of the whole blob, in 64 lower-case hexadecimal digits: its name.',
        },
        size: {
          description: 'Bytes of the whole blob.',
        },
        offset: {
          description: 'Where the bytes of the body belong.',
        },
      },
    },
    BlobUploaded: {
      description: 'Where the blob stands after that: what did not go on exactly there was not taken.',
      members: {
        hash: {
          description: 'As it was announced.',
        },
        size: {
          description: 'As it was announced, in bytes.',
        },
        received: {
          description: 'Bytes that are on the server, from the first on: send on from there.',
        },
        complete: {
          description: 'All bytes are there and have the announced hash: mutations may name it.',
        },
      },
    },
    BulkData: {
      description: 'The file, or that it is being made.',
      members: {
        status: {
          description: '`wait`: it is being made, ask again; `ready`; `nothing`: the sources have no objects.',
        },
        url: {
          description: 'The path of the file, for this session. With `ready`.',
        },
        size: {
          description: 'Bytes of the file as it is sent. With `ready`.',
        },
        sha256: {
          description: 'SHA-256 of these bytes, in 64 lower-case hexadecimal digits. With `ready`.',
        },
        tokens: {
          description: 'For each source the token that a pull goes on from, once the file is imported. With `ready`.',
        },
        ticket: {
          description: 'Sent with the next request. With `wait`.',
        },
        pending: {
          description:
            'Sources whose first query is still to come: the file has nothing of them, and what a device has of them stays.',
        },
        source_errors: {
          description: 'Why the last query of a source failed, until one succeeds.',
          message: 'SourceError',
        },
      },
    },
    BulkRequest: {
      description: 'Which data a device wants as a file.',
      members: {
        partition: {
          description: "Whose: `app` for sources that all users share, `user` for those of one's own.",
        },
        sources: {
          description: 'Their names; all of them have this partition.',
        },
        ticket: {
          description:
            'The `ticket` of the answer `wait` to the same question. The file is then begun after that question, however often its sources change.',
        },
      },
    },
    CallFailedEvent: {
      description: 'A backend did not say what became of a write or a search: it failed, or took too long.',
      members: {
        user: {
          description: 'The login for whom it was called.',
        },
        method: {
          description: 'What it was asked for.',
        },
        error: {
          description: 'Why.',
          message: 'SourceError',
        },
        id: {
          description: 'Names the event; `after` takes it to go on behind it.',
        },
        kind: {
          description: 'What happened.',
        },
        time: {
          description: 'When it happened, ISO 8601 UTC.',
        },
        source: {
          description: 'The name of the source.',
        },
        partition: {
          description: 'Whose copy of the source, as the server spells it: `user:ada`, or `*` for all.',
        },
      },
    },
    ClientCreated: {
      description: "A new client (device) of the session's user.",
      members: {
        client: {
          description: '`client_id` goes into the header X-Sync-CLIENT-ID of every pull and push.',
        },
      },
    },
    ClientCreatedEvent: {
      description: 'A device got its client.',
      members: {
        user: {
          description: 'The login of its user.',
        },
        client: {
          description: 'Its id.',
        },
        id: {
          description: 'Names the event; `after` takes it to go on behind it.',
        },
        kind: {
          description: 'What happened.',
        },
        time: {
          description: 'When it happened, ISO 8601 UTC.',
        },
      },
    },
    ClientDeletedEvent: {
      description: 'A client was deleted.',
      members: {
        user: {
          description: 'The login of its user.',
        },
        client: {
          description: 'Its id.',
        },
        id: {
          description: 'Names the event; `after` takes it to go on behind it.',
        },
        kind: {
          description: 'What happened.',
        },
        time: {
          description: 'When it happened, ISO 8601 UTC.',
        },
      },
    },
    ClientInfo: {
      description: 'A client (device) as operators see it.',
      members: {
        listening: {
          description: 'The device holds an event stream open to the process that answers.',
        },
        positions: {
          description:
            'Source → the version up to which the client is known to have everything. Noted from time to time, so it may lag.',
        },
        client_id: {
          description: 'As the device names itself in its pulls and pushes.',
        },
        user: {
          description: 'The login of its user.',
        },
        device_type: {
          description: '`apple`, `android`, …: selects the push provider unless `device_push_type` does.',
        },
        device_push_type: {
          description: 'Selects the push provider.',
        },
        device_pin: {
          description: 'The address at the push provider.',
        },
        device_port: {
          description: 'A port at that address, for providers that take one.',
        },
        phone_id: {
          description: 'Devices of the same one are one device to a ping.',
        },
        device_app_id: {
          description: 'The app on the device.',
        },
        device_app_version: {
          description: 'Its version.',
        },
        created_at: {
          description: 'ISO 8601 UTC.',
        },
        last_sync: {
          description: 'When it last pulled or pushed, to the minute, ISO 8601 UTC; null: never.',
        },
      },
    },
    ClientLine: {
      description: 'A client (device) as lists show it; null: the device did not say.',
      members: {
        client_id: {
          description: 'As the device names itself in its pulls and pushes.',
        },
        user: {
          description: 'The login of its user.',
        },
        device_type: {
          description: '`apple`, `android`, …: selects the push provider unless `device_push_type` does.',
        },
        device_push_type: {
          description: 'Selects the push provider.',
        },
        device_pin: {
          description: 'The address at the push provider.',
        },
        device_port: {
          description: 'A port at that address, for providers that take one.',
        },
        phone_id: {
          description: 'Devices of the same one are one device to a ping.',
        },
        device_app_id: {
          description: 'The app on the device.',
        },
        device_app_version: {
          description: 'Its version.',
        },
        created_at: {
          description: 'ISO 8601 UTC.',
        },
        last_sync: {
          description: 'When it last pulled or pushed, to the minute, ISO 8601 UTC; null: never.',
        },
      },
    },
    ClientList: {
      description: 'Which clients.',
      members: {
        user: {
          description: 'Those of this login. Absent: all.',
        },
        after: {
          description: 'Ids behind this one.',
        },
        limit: {
          description: 'Default 100.',
        },
      },
    },
    ClientRegistration: {
      description: 'How the device can be reached by push messages. Members that are left out stay as they are.',
      members: {
        device_type: {
          description: '`apple`, `android`, … : selects the push provider unless `device_push_type` does.',
        },
        device_push_type: {
          description: 'Selects the push provider.',
        },
        device_pin: {
          description: 'The address at the push provider.',
        },
        device_port: {
          description: 'A port at that address, for providers that take one; null: none.',
        },
        phone_id: {
          description: 'Devices of the same one are one device to a ping.',
        },
        device_app_id: {
          description: 'The app on the device.',
        },
        device_app_version: {
          description: 'Its version.',
        },
      },
    },
    ClientReset: {
      description: 'Makes the next pull of these sources start from zero (a resync).',
      members: {
        sources: {
          description: 'Names of sources. Left out: all.',
        },
      },
    },
    ClientSource: {
      description: 'What a client has of a source, and what waits for it there.',
      members: {
        source: {
          description: 'The name of the source.',
        },
        partition: {
          description: 'Whose copy of it the client syncs, as the server spells it.',
        },
        version: {
          description:
            'The version up to which the client is known to have everything; 0 during its first pass. Null: it never pulled the source.',
        },
        noted_at: {
          description: 'When that was noted, ISO 8601 UTC; null: never.',
        },
        head: {
          description: 'The present version of the copy.',
        },
        queued: {
          description: 'How many changes of the client wait for a worker; 1,000 are counted at most.',
        },
        outcomes: {
          description: 'Outcomes of its changes that it has not acknowledged: the first 100.',
          message: 'UnheardOutcome',
        },
      },
    },
    DeviceLogin: {
      description: 'A device user logs in.',
      members: {
        login: {
          description: 'Of a user with the role device, or one that the backend knows.',
        },
        password: {
          description: 'Checked by the backend where there is one, else against the registry.',
        },
      },
    },
    DeviceSession: {
      description: 'The answer also sets the session cookie.',
      members: {
        login: {
          description: 'As it was given.',
        },
        user_id: {
          description: 'Random, for the life of the user: changes made on a device belong to it, not to the login.',
        },
        session: {
          description: 'Secret: sent as `Authorization: Bearer <session>` or as the cookie.',
        },
        expires_at: {
          description: 'ISO 8601 UTC.',
        },
      },
    },
    DocumentNames: {
      description: 'Name of each document → its REST path.',
      isMap: true,
    },
    DocumentWrite: {
      description: 'Writes a document.',
      members: {
        data: {
          description: 'The content of a document: text (on the wire `text/plain`) or an object map.',
          message: 'ObjectMap',
        },
        append: {
          description:
            'True: text is concatenated, objects are merged attribute by attribute; another kind is refused. Default false: replaces.',
        },
      },
    },
    EventsMissedEvent: {
      description:
        'Events may be missing at this point: there were too many at once, or processes did not hear each other for a while.',
      members: {
        kind: {
          description: 'What happened.',
        },
        time: {
          description: 'When it happened, ISO 8601 UTC.',
        },
      },
    },
    EventsQuery: {
      description:
        'Which client listens, where the header X-Sync-CLIENT-ID cannot be set: `EventSource` of browsers sets none. The header goes first.',
      members: {
        client_id: {
          description: "A client of the session's user.",
        },
      },
    },
    Explain: {
      description: 'Which object, for whom.',
      members: {
        source: {
          description: 'The name of a source.',
        },
        user: {
          description: 'A login; `*` for the shared partition of an app source.',
        },
        object: {
          description: 'The id of the object.',
        },
        client: {
          description:
            'A client of the user. Absent: each client of the user is looked at, and the one that lacks the object decides.',
        },
      },
    },
    Explanation: {
      description: "Why an object is, or isn't, on a device: what was found, in the order in which it was looked for.",
      members: {
        on_device: {
          description:
            '- `yes`: the device has it, as it stands now.\n- `next_pull`: the server has it, and the next pull brings it (of a client: or its present state).\n- `no`: the server does not have it, and no device that has pulled.\n- `until_next_pull`: it was removed, and the device has not heard of it.',
        },
        findings: {
          description: 'In the order in which they were made.',
          message: 'Finding',
        },
      },
    },
    FailureCount: {
      description: 'How often a route answered with an error.',
      members: {
        route: {
          description: 'Group and name: `device.pull`.',
        },
        code: {
          description: 'Of the error.',
        },
        count: {
          description: 'How many there were.',
        },
      },
    },
    FastDelete: {
      description: 'A backend removes the attributes named. An object whose last attribute goes is gone.',
      members: {
        user_id: {
          description: 'Whose partition. Ignored for app sources, where `*` is allowed.',
        },
        data: {
          description: 'Objects with all of their attributes; what is left out stays stored.',
          message: 'ObjectMap',
        },
      },
    },
    FastInsert: {
      description:
        'A backend adds objects that it knows to be new. One that exists after all is merged. One of `objects` and `data` is required.',
      members: {
        user_id: {
          description: 'Whose partition. Ignored for app sources, where `*` is allowed.',
        },
        objects: {
          description: 'Objects by id.',
          message: 'ObjectMap',
        },
        data: {
          description: 'Another name for `objects`.',
          message: 'ObjectMap',
        },
      },
    },
    FastUpdate: {
      description:
        'A backend replaces attributes: those named in `delete_data` go, `data` is merged; named in both: the new value stands.',
      members: {
        user_id: {
          description: 'Whose partition. Ignored for app sources, where `*` is allowed.',
        },
        delete_data: {
          description: 'The previous state. Its values are not compared.',
          message: 'ObjectMap',
        },
        data: {
          description: 'The new state.',
          message: 'ObjectMap',
        },
      },
    },
    Finding: {
      description: 'One thing that was found on the way.',
      members: {
        code: {
          description:
            '`user_unknown`, `user_barred`, `user_locked`, `source_unknown`, `bulk_only`, `partition`, `never_opened`, `no_query`, `never_queried`, `queried`, `query_failed`, `query_due`, `query_asked`, `object_present`, `object_removed`, `object_unknown`, `mutation_queued`, `mutation_started`, `mutation_in_doubt`, `client_unknown`, `client_of_another_user`, `client_never_asked`, `client_has_it`, `client_behind`, `clients_more`',
        },
        message: {
          description: 'A sentence for people.',
        },
      },
    },
    GetObjects: {
      description: 'The objects that differ, by id.',
      members: {
        ids: {
          description: 'At most 500.',
        },
      },
    },
    GotObjects: {
      description: 'Those of them that live, whole.',
      members: {
        epoch: {
          description: "The collection's epoch. Another than that of the device: what is here does not fit its rows.",
        },
        objects: {
          description: 'Objects by id.',
          message: 'ObjectMap',
        },
        versions: {
          description: 'The version of each object in `objects`.',
        },
      },
    },
    JobFailedEvent: {
      description: 'A job failed: it is tried again, or given up.',
      members: {
        queue: {
          description: "A source's queue, or `ping`.",
        },
        job: {
          description: 'What kind of job, as `GET /rc/v1/system/jobs` lists it.',
        },
        attempts: {
          description: 'How often it was begun.',
        },
        error: {
          description: 'Why.',
          message: 'SourceError',
        },
        id: {
          description: 'Names the event; `after` takes it to go on behind it.',
        },
        kind: {
          description: 'What happened.',
        },
        time: {
          description: 'When it happened, ISO 8601 UTC.',
        },
      },
    },
    JobInfo: {
      description: 'Work outside of requests: it waits, runs, or died. What is done is listed no more.',
      members: {
        id: {
          description: 'Of this job over all queues.',
        },
        queue: {
          description: "A source's, or `ping`.",
        },
        kind: {
          description:
            "`drain`: the writes of a journal; `query`: a partition; `ping`: a push message; `notify`: pings after a backend's write; `bulk`: a file of a partition.",
        },
        state: {
          description: '`dead`: it failed as often as it may.',
        },
        attempts: {
          description: 'How often it was begun since it was asked for.',
        },
        due_at: {
          description: 'From when it may run, or when it died; ISO 8601.',
        },
        reason: {
          description: 'Why the last attempt failed; null: none did.',
        },
        source: {
          description: 'Null: it is about none.',
        },
        partition: {
          description: 'Whose copy of the source; null: it is about none.',
        },
      },
    },
    JobList: {
      description: 'Which jobs.',
      members: {
        queue: {
          description: 'Of this queue alone.',
        },
        state: {
          description: 'Default: of any.',
        },
        after: {
          description: 'Those behind this id.',
        },
        limit: {
          description: 'Default 100.',
        },
      },
    },
    License: {
      description: 'Under what terms this server runs.',
      members: {
        licensee: {
          description: 'Whom the operator names, or a sentence that says that anyone may use it.',
        },
        license: {
          description: 'An SPDX identifier.',
        },
        version: {
          description: 'Of the server.',
        },
        seats: {
          description: 'Always null: unlimited.',
        },
        devices: {
          description: 'How many are registered now.',
        },
        issued: {
          description: 'When this store was first bootstrapped, ISO 8601 UTC.',
        },
      },
    },
    LoginEvent: {
      description: 'Somebody logged in, on a device or to the API.',
      members: {
        user: {
          description: 'The login.',
        },
        role: {
          description: 'What the user may do.',
        },
        id: {
          description: 'Names the event; `after` takes it to go on behind it.',
        },
        kind: {
          description: 'What happened.',
        },
        time: {
          description: 'When it happened, ISO 8601 UTC.',
        },
      },
    },
    LoginRefusedEvent: {
      description: 'A login was refused.',
      members: {
        user: {
          description: 'The login, if there is such a user; else null, since people type passwords there.',
        },
        api: {
          description: 'True: to the API. False: on a device.',
        },
        code: {
          description: 'Why: the code of the error.',
        },
        id: {
          description: 'Names the event; `after` takes it to go on behind it.',
        },
        kind: {
          description: 'What happened.',
        },
        time: {
          description: 'When it happened, ISO 8601 UTC.',
        },
      },
    },
    Mutation: {
      description:
        'One create, update or delete that a device sends. Number, key and content never change once they were in a request.',
      members: {
        number: {
          description: 'Counts from 1 per (client, source) and epoch, without gaps.',
        },
        key: {
          description: "Random; the mutation's identity for life, and the idempotency key for the source.",
        },
        operation: {
          description: 'What a mutation does to its object.',
        },
        object: {
          description: "The object's id; of a create its temporary one.",
        },
        attributes: {
          description:
            'create: all attributes. update: those that change (`null` removes one), or all of a `full_update`. delete: absent.',
          message: 'Attributes',
        },
        was: {
          description:
            'What the changed attributes were on the device (a missing one was absent); of a delete, all of the object. create: absent.',
          message: 'Attributes',
        },
        changed: {
          description: '`full_update` only: the names that really changed; only these can conflict.',
        },
        seen: {
          description:
            'The version of the object on the device. Absent: it never came from the collection (a search result, or a new epoch).',
        },
        owners: {
          description:
            "Temporary ids that the mutation names and whose creates the device doesn't know to be decided; all of this source.",
        },
        sent: {
          description: 'It may have been in a request under another client id or epoch.',
        },
        blobs: {
          description:
            'The attributes whose values name blobs by their SHA-256. Any other text of 64 hexadecimal digits is text.',
        },
        blobs_lost: {
          description:
            'The device cannot send a blob that the mutation names: where the server does not have it either, the mutation is refused (`blobs_lost`).',
        },
      },
    },
    MutationInDoubtEvent: {
      description: 'The backend may or may not have made a change: an operator decides.',
      members: {
        error: {
          description: 'Why.',
          message: 'SourceError',
        },
        id: {
          description: 'Names the event; `after` takes it to go on behind it.',
        },
        kind: {
          description: 'What happened.',
        },
        time: {
          description: 'When it happened, ISO 8601 UTC.',
        },
        user: {
          description: 'The login of the user who made the change.',
        },
        client: {
          description: 'The client that sent it.',
        },
        operation: {
          description: 'What a mutation does to its object.',
        },
        object: {
          description: "The object's id; of a create its temporary one.",
        },
        source: {
          description: 'The name of the source.',
        },
        partition: {
          description: 'Whose copy of the source, as the server spells it: `user:ada`, or `*` for all.',
        },
      },
    },
    MutationRefusedEvent: {
      description: 'A change of a device was not applied.',
      members: {
        status: {
          description:
            '`refused` by the source, a `conflict`, or the object is `gone`, or the object that it belongs to was refused.',
        },
        error: {
          description: 'Why.',
          message: 'SourceError',
        },
        id: {
          description: 'Names the event; `after` takes it to go on behind it.',
        },
        kind: {
          description: 'What happened.',
        },
        time: {
          description: 'When it happened, ISO 8601 UTC.',
        },
        user: {
          description: 'The login of the user who made the change.',
        },
        client: {
          description: 'The client that sent it.',
        },
        operation: {
          description: 'What a mutation does to its object.',
        },
        object: {
          description: "The object's id; of a create its temporary one.",
        },
        source: {
          description: 'The name of the source.',
        },
        partition: {
          description: 'Whose copy of the source, as the server spells it: `user:ada`, or `*` for all.',
        },
      },
    },
    MutationSettlement: {
      description: 'What an operator found in the backend: the mutation was done there, and this is what came of it.',
      members: {
        object: {
          description: 'The real id, of a create. Absent: the temporary id stays.',
        },
        attributes: {
          description: 'What the backend made of the attributes: laid over those that the device wanted.',
          message: 'Attributes',
        },
      },
    },
    MutationsPushedEvent: {
      description: 'A device pushed changes.',
      members: {
        user: {
          description: "The login of the device's user.",
        },
        client: {
          description: 'The client that sent them.',
        },
        sent: {
          description: 'How many changes it sent.',
        },
        applied: {
          description: 'How many of them were applied by the time of the answer.',
        },
        refused: {
          description: 'How many of them were refused by then, conflicts and their dependents included.',
        },
        id: {
          description: 'Names the event; `after` takes it to go on behind it.',
        },
        kind: {
          description: 'What happened.',
        },
        time: {
          description: 'When it happened, ISO 8601 UTC.',
        },
        source: {
          description: 'The name of the source.',
        },
        partition: {
          description: 'Whose copy of the source, as the server spells it: `user:ada`, or `*` for all.',
        },
      },
    },
    ObjectList: {
      description: 'Which objects of a master document.',
      members: {
        id: {
          description: 'The object with this id alone, if it is there.',
        },
        contains: {
          description: 'Only objects that have this text in a value, in whatever case.',
        },
        attribute: {
          description:
            'Where `contains` is looked for: in the value of this attribute. Default: in all of them. Without `contains`: objects that have the attribute.',
        },
        after: {
          description: 'Those behind this id.',
        },
        limit: {
          description: 'Default 100.',
        },
      },
    },
    ObjectMap: {
      description: 'Objects by id.',
      isMap: true,
      values: 'Attributes',
    },
    ObjectPage: {
      description:
        'Objects in order of id. One request looks at 10,000 objects at most, so that a search may find none and still have a `next`.',
      members: {
        objects: {
          description: 'What was found.',
          message: 'StoredObject',
        },
        looked: {
          description: 'How many objects were looked at.',
        },
        next: {
          description: 'For `after` of the next request. Absent: this was the end.',
        },
      },
    },
    ObjectsWrittenEvent: {
      description: 'A backend or an operator wrote objects.',
      members: {
        version: {
          description: 'The version of the copy after it.',
        },
        changed: {
          description: 'How many objects changed.',
        },
        id: {
          description: 'Names the event; `after` takes it to go on behind it.',
        },
        kind: {
          description: 'What happened.',
        },
        time: {
          description: 'When it happened, ISO 8601 UTC.',
        },
        source: {
          description: 'The name of the source.',
        },
        partition: {
          description: 'Whose copy of the source, as the server spells it: `user:ada`, or `*` for all.',
        },
      },
    },
    Outcome: {
      description: "One outcome, in a push's answer or in a page.",
      members: {
        outcome: {
          description:
            'Counts from 1 per (client, source) in order of decision; the device acknowledges by it. Absent while `queued`.',
        },
        number: {
          description: 'The number of the mutation.',
        },
        status: {
          description:
            'What became of a mutation.\n\n- `applied`: the source did it.\n- `refused`: the source refused it, and only the source.\n- `conflict`: the object changed meanwhile and the policy keeps the present state.\n- `gone`: the object was removed meanwhile.\n- `depends_on_refused`: it names an object whose creation was refused or is unknown.\n- `in_doubt`: the backend was called and never answered; an operator decides. Another outcome follows.\n- `queued`: not decided yet; carries no outcome number. The decision comes with a later pull.',
        },
        link: {
          description: 'The real id of a created object. Absent: the temporary id stays.',
        },
        object: {
          description: 'With a link: the temporary id.',
        },
        version: {
          description:
            'The version of the object (or of its tombstone) after it, written or not; the head of the collection where it has neither.',
        },
        attributes: {
          description:
            'The whole object as it now stands on the server. Absent: as the device saw it with its changes on top, or there is none.',
          message: 'Attributes',
        },
        removed: {
          description:
            'Of an applied update: the collection does not have the object. It was removed while the call was under way and not brought back, or never was there.',
        },
        error: {
          description: 'Why it was not applied.',
          message: 'SourceError',
        },
      },
    },
    Page: {
      description:
        "One answer to a pull. Members that would be empty are left out; the order of a map's members means nothing.",
      members: {
        version: {
          description: 'Of this protocol.',
        },
        epoch: {
          description:
            "The collection's epoch. Another than before: the device voids token, row versions and `seen`, and numbers from 1.",
        },
        token: {
          description: 'Opaque. Stored in the transaction that applies the page, and sent with the next pull.',
        },
        more: {
          description: 'Ask again at once: the pass goes on, or outcomes are left.',
        },
        status: {
          description:
            '`resync`: on every page of a pass that replaces what the device has; its end removes rows of other passes.',
        },
        pass: {
          description: 'The pass, stored with each row that a page brings.',
        },
        ends: {
          description: 'Present on the page that ends the pass.',
        },
        head: {
          description:
            "On the page that ends a pass: the collection's version that it was read at. Everything up to it is on the device now, removals too that a pass from zero leaves out.",
        },
        count: {
          description: 'Inserts and deletes of this page.',
        },
        progress_count: {
          description: 'Inserts and deletes of this pass so far, this page included.',
        },
        total_count: {
          description: 'Live objects of the collection.',
        },
        insert: {
          description: 'Whole objects, new or changed.',
          message: 'ObjectMap',
        },
        versions: {
          description: 'The version of each object in `insert` and each id in `delete`.',
        },
        delete: {
          description: 'Ids of objects that are gone.',
        },
        checksum: {
          description: 'On the page that ends a pass: Σ hash64(id, version) over live objects, 16 hexadecimal digits.',
        },
        outcomes: {
          description: 'Outcomes after `acknowledged`, in their order.',
          message: 'Outcome',
        },
        links: {
          description: 'Temporary id → real id, of the outcomes in this page.',
        },
        source_error: {
          description: 'Why the last query of the source failed, until one succeeds.',
          message: 'SourceError',
        },
        metadata: {
          description: 'What the source says about itself, for the app.',
        },
        schema: {
          description: 'The schema that the source declares.',
        },
      },
    },
    PartitionState: {
      description: "How a user's copy of a source stands.",
      members: {
        partition: {
          description: 'Whose copy it is, as the server spells it.',
        },
        version: {
          description: 'Counts the writes that changed something; 0: there was none.',
        },
        count: {
          description: 'How many objects there are.',
        },
        queried_at: {
          description: 'When a query last succeeded, ISO 8601 UTC; null: never.',
        },
        next_query: {
          description: 'When the next query is due, ISO 8601 UTC; null: no time is set.',
        },
        asked: {
          description: 'A query was asked for: the next pull runs it.',
        },
        error: {
          description: 'Why the last query failed; null: it did not.',
          message: 'SourceError',
        },
      },
    },
    Ping: {
      description: 'Makes devices sync: a push message to every device of these users.',
      members: {
        user_id: {
          description: 'Whose devices: one login or many.',
        },
        sources: {
          description: 'What the devices sync when the message arrives: one source or many. Left out: none is named.',
        },
        message: {
          description: 'The text of the notification on the device.',
        },
        badge: {
          description: 'The number on the icon of the app, or what the platform takes for it.',
        },
        sound: {
          description: 'The name of the sound file to play.',
        },
        vibrate: {
          description: 'How long to vibrate, in seconds.',
        },
        async: {
          description: 'True: answers at once with the job that sends it. Default false: answers when it was sent.',
        },
      },
    },
    PingAnswer: {
      description: 'What became of a ping; of an `async` one, the job that sends it and nothing else.',
      members: {
        sent: {
          description: 'How many devices it was handed to a stream or provider for.',
        },
        skipped: {
          description: 'Users that were not pinged, and why.',
          message: 'PingSkipped',
        },
        failed: {
          description: 'Those that somebody tried to reach in vain.',
          message: 'PingFailed',
        },
        job: {
          description: 'The id of the job, as `GET /rc/v1/system/jobs` lists it.',
        },
      },
    },
    PingFailed: {
      description: 'A device that a provider failed to reach.',
      members: {
        client: {
          description: 'The client that a provider could not reach.',
        },
        reason: {
          description: "`gone`: its address was cleared; `timeout`; else the provider's words.",
        },
      },
    },
    PingSkipped: {
      description: 'Somebody whom a ping could not be sent to.',
      members: {
        user: {
          description: 'A user without devices, or who does not exist.',
        },
        client: {
          description: "A client that cannot be reached, or is another's device.",
        },
        reason: {
          description: 'The code for why a user was not pinged.',
        },
      },
    },
    Problem: {
      description: 'How an error looks on the wire: RFC 9457, `application/problem+json`.',
      members: {
        type: {
          description: 'A URI reference that names the kind of problem: `/docs/errors#<code>`.',
        },
        title: {
          description: 'The same for every problem of this code.',
        },
        status: {
          description: 'The HTTP status.',
        },
        detail: {
          description: 'What was expected and what came.',
        },
        code: {
          description: 'From the documented list of codes. A client takes one that it does not know by its status.',
        },
        errors: {
          description: 'For `body_invalid`: where, as a JSON pointer, and what was expected there.',
          message: 'ProblemPart',
        },
        expected: {
          description: 'For `mutation_gap`: the number that comes next.',
        },
        epoch: {
          description: 'For `epoch_changed`: the present epoch.',
        },
        hashes: {
          description: 'For `blob_missing`: the SHA-256 of the blobs that are not on the server.',
        },
        limit: {
          description: 'For `quota_exceeded`: the name of the limit.',
        },
      },
    },
    ProblemPart: {
      description: 'One thing that is wrong.',
      members: {
        path: {
          description: 'A JSON pointer into the body, the query or the answer.',
        },
        message: {
          description: 'What was expected there, and what came.',
        },
      },
    },
    ProcessState: {
      description: 'A process that serves the store.',
      members: {
        process: {
          description: 'Names the process.',
        },
        version: {
          description: 'Of the software that it runs.',
        },
        started_at: {
          description: 'ISO 8601 UTC.',
        },
        streams: {
          description: 'Event streams that devices hold open to it.',
        },
      },
    },
    Pull: {
      description: 'What a device asks of one source.',
      members: {
        token: {
          description: 'The token of the last page that was applied. Absent or unreadable: a pass from zero.',
        },
        p_size: {
          description: 'Rows a page: 0 to 10,000; 0 = counts only, the token stays. Default 500.',
        },
        acknowledged: {
          description: 'Every outcome up to this number has been applied on the device. Default 0.',
        },
        pass_through: {
          description:
            'Nothing of what is answered may be kept on the server: refused (`value_not_allowed`) unless the source passes through. Default false.',
        },
      },
    },
    PullBody: {
      description:
        'The same as a JSON body: its address is the same for every page, so that a browser asks once whether it may call it.',
      members: {
        parameters: {
          description: 'Reaches the query of the source, as other members of the query string of a GET do.',
        },
        token: {
          description: 'The token of the last page that was applied. Absent or unreadable: a pass from zero.',
        },
        p_size: {
          description: 'Rows a page: 0 to 10,000; 0 = counts only, the token stays. Default 500.',
        },
        acknowledged: {
          description: 'Every outcome up to this number has been applied on the device. Default 0.',
        },
        pass_through: {
          description:
            'Nothing of what is answered may be kept on the server: refused (`value_not_allowed`) unless the source passes through. Default false.',
        },
      },
    },
    Push: {
      description: 'What a device pushes to one source: at most 500 mutations or 1 MiB.',
      members: {
        epoch: {
          description: 'The epoch the device knows from its last pull.',
        },
        acknowledged: {
          description: 'Every outcome up to this number has been applied on the device.',
        },
        mutations: {
          description: 'In the order of their numbers; may be empty, to hear of outcomes.',
          message: 'Mutation',
        },
        pass_through: {
          description:
            'Nothing of it may be kept on the server: refused (`value_not_allowed`) unless the source passes through. Default false.',
        },
      },
    },
    PushDeletes: {
      description: 'A backend removes objects of one partition.',
      members: {
        user_id: {
          description: 'Whose partition. Ignored for app sources, where `*` is allowed.',
        },
        objects: {
          description: 'Unknown ids are no error; each leaves a tombstone.',
        },
        rebuild_md: {
          description: 'True also verifies count and checksum in the background.',
        },
      },
    },
    PushObjects: {
      description: 'A backend hands over new or changed objects of one partition.',
      members: {
        user_id: {
          description: 'Whose partition; the user need not exist yet. Ignored for app sources, where `*` is allowed.',
        },
        objects: {
          description:
            'Merged attribute by attribute into objects that exist (`null` removes an attribute); the others are created.',
          message: 'ObjectMap',
        },
        rebuild_md: {
          description: 'True also verifies count and checksum in the background. Absent: only what is sent is touched.',
        },
      },
    },
    Pushed: {
      description: 'All outcomes after `acknowledged` in their order, then what is still queued of this request.',
      members: {
        epoch: {
          description: 'The present epoch of the collection.',
        },
        outcomes: {
          description: 'Those after `acknowledged` in their order, then what is still queued of this request.',
          message: 'Outcome',
        },
      },
    },
    QueryDoneEvent: {
      description: 'A query of a source replaced a copy.',
      members: {
        changed: {
          description: 'How many objects are new or changed.',
        },
        removed: {
          description: 'How many objects are gone.',
        },
        seconds: {
          description: 'How long it took, in seconds.',
        },
        id: {
          description: 'Names the event; `after` takes it to go on behind it.',
        },
        kind: {
          description: 'What happened.',
        },
        time: {
          description: 'When it happened, ISO 8601 UTC.',
        },
        source: {
          description: 'The name of the source.',
        },
        partition: {
          description: 'Whose copy of the source, as the server spells it: `user:ada`, or `*` for all.',
        },
      },
    },
    QueryFailedEvent: {
      description: 'A query of a source failed; its copy is as it was.',
      members: {
        seconds: {
          description: 'How long it took, in seconds.',
        },
        error: {
          description: 'Why.',
          message: 'SourceError',
        },
        id: {
          description: 'Names the event; `after` takes it to go on behind it.',
        },
        kind: {
          description: 'What happened.',
        },
        time: {
          description: 'When it happened, ISO 8601 UTC.',
        },
        source: {
          description: 'The name of the source.',
        },
        partition: {
          description: 'Whose copy of the source, as the server spells it: `user:ada`, or `*` for all.',
        },
      },
    },
    ReadState: {
      description: 'Says when the source is queried next for a user.',
      members: {
        refresh_time: {
          description: 'Seconds from now. Absent: at the next pull.',
        },
      },
    },
    RequestSummary: {
      description: 'How long the requests of a route took, without sending the answer.',
      members: {
        route: {
          description: 'Group and name: `device.pull`.',
        },
        count: {
          description: 'How many there were.',
        },
        p50: {
          description:
            'Seconds within which half of them were done; estimated, like the others, from counts of durations.',
        },
        p95: {
          description: 'Seconds within which 95 of 100 were done.',
        },
        p99: {
          description: 'Seconds within which 99 of 100 were done.',
        },
      },
    },
    Retried: {
      description: "What became of a mutation that was retried or settled; without attributes, which are the user's.",
      members: {
        status: {
          description:
            '`queued`: not known yet, as with a source whose workers do it; then `undecided` or the device tells.',
        },
        link: {
          description: 'The real id of a created object. Absent: the temporary id stays.',
        },
        error: {
          description: 'Why it was not applied.',
          message: 'SourceError',
        },
      },
    },
    Search: {
      description: 'Asks backends for objects that the device does not have.',
      members: {
        sources: {
          description: '1 to 100 names.',
        },
        search: {
          description: 'What is searched for: a text, or named values; the sources know what they mean.',
        },
        offset: {
          description: 'How many results of each source to leave out. Default 0.',
        },
        max_results: {
          description: 'How many of each source at most: 1 to 1000. Default 100.',
        },
      },
    },
    SearchResult: {
      description: 'What one source found, or why it did not.',
      members: {
        objects: {
          description: 'Objects by id.',
          message: 'ObjectMap',
        },
        error: {
          description: 'A message for the people who use the device.',
          message: 'SourceError',
        },
      },
    },
    SearchResults: {
      description: 'One result for each source that was asked. Nothing of it enters a collection.',
      members: {
        results: {
          description: 'Name of the source → what it found.',
          message: 'SearchResult',
        },
      },
    },
    SentMutation: {
      description:
        'A mutation as its device sent it, beside the object as it is now: for the operator who decides what becomes of it.',
      members: {
        state: {
          description: '`decided`: it has its outcome, of which its device has not heard yet.',
        },
        attributes: {
          description:
            'What the device wants: of a create all attributes, of an update those that change (`null` removes one). Null: of a delete, or not kept.',
          message: 'Attributes',
        },
        was: {
          description: 'What those were on the device; of a delete, all of the object. Null: of a create, or not kept.',
          message: 'Attributes',
        },
        owners: {
          description: 'Temporary ids that it names and whose creates were undecided when it was sent.',
        },
        present: {
          description: 'The object as the server holds it now. Null: it does not.',
        },
        outcome: {
          description: 'What became of it. Null: it is not decided.',
          message: 'Retried',
        },
        object: {
          description: "The object's id; of a create its temporary one.",
        },
        user: {
          description: 'The login of the user who made the change.',
        },
        id: {
          description: 'For retry and discard.',
        },
        source: {
          description: 'The name of the source.',
        },
        partition: {
          description: 'Whose copy of the source, as the server spells it.',
        },
        client: {
          description: 'The client that sent it.',
        },
        operation: {
          description: 'What it does to its object.',
        },
        key: {
          description: 'What the source got as its idempotency key.',
        },
        attempts: {
          description: 'How often the source was called.',
        },
        error: {
          description: 'Why it is in doubt; null: it is not.',
        },
      },
    },
    ServerEvent: {
      description:
        'One event of the stream, as the JSON of its `data`; `kind` tells which. The SSE event has the kind as its name and `id` as its id.',
      isUnion: true,
    },
    ServerEventsQuery: {
      description: 'Which events a stream tells.',
      members: {
        kinds: {
          description:
            'Kinds, separated by commas: `query_failed,call_failed`. Default: every kind. What concerns the stream itself is always told.',
        },
        source: {
          description: 'Only events of this source.',
        },
        user: {
          description: 'Only events of this user.',
        },
        after: {
          description:
            'The id of the last event that was received: what happened since then comes first, as far as the server still has it.',
        },
      },
    },
    ServerStartedEvent: {
      description: 'A process of the server began to answer.',
      members: {
        process: {
          description: 'Names the process.',
        },
        id: {
          description: 'Names the event; `after` takes it to go on behind it.',
        },
        kind: {
          description: 'What happened.',
        },
        time: {
          description: 'When it happened, ISO 8601 UTC.',
        },
      },
    },
    ServerState: {
      description: 'How the server is. Counts of what the store holds are up to ten seconds old.',
      members: {
        version: {
          description: 'Of the process that answers.',
        },
        process: {
          description: 'The process that answers; several may serve one store.',
        },
        started_at: {
          description: 'When that process started, ISO 8601 UTC.',
        },
        streams: {
          description: 'Event streams that devices hold open, over all processes.',
        },
        processes: {
          description:
            'The processes that serve the store, the one that answers first. Figures of the others are up to five seconds old, and come with the second request after a pause.',
          message: 'ProcessState',
        },
        store: {
          description: 'The store; null: it cannot tell.',
        },
        users: {
          description: 'Users on record, API users included.',
        },
        clients: {
          description: 'Devices on record.',
        },
        undecided: {
          description: 'Mutations without an outcome; 20,000 are counted at most.',
        },
        jobs: {
          description: 'Jobs that are not done; 5,000 are counted at most.',
        },
        requests: {
          description: 'What these processes were asked since each of them started.',
          message: 'RequestSummary',
        },
        failures: {
          description: 'What they answered with an error.',
          message: 'FailureCount',
        },
        warnings: {
          description: 'What should be looked after.',
          message: 'Warning',
        },
      },
    },
    ServerStoppingEvent: {
      description: 'A process of the server stops.',
      members: {
        process: {
          description: 'Names the process.',
        },
        id: {
          description: 'Names the event; `after` takes it to go on behind it.',
        },
        kind: {
          description: 'What happened.',
        },
        time: {
          description: 'When it happened, ISO 8601 UTC.',
        },
      },
    },
    SourceChange: {
      description: 'The settings of a source that an operator may change while the server runs.',
      members: {
        poll_interval: {
          description: 'Seconds between queries: 0 = at every pull, -1 = only when asked.',
        },
        sync_type: {
          description: '`bulk_only`: no pulls, bulk data only.',
        },
        queue: {
          description:
            'The queue whose workers run the methods, where no specific one is given; null: they run with the request.',
        },
        query_queue: {
          description: 'The queue of queries; null: `queue`.',
        },
        cud_queue: {
          description: 'The queue of creates, updates and deletes; null: `queue`.',
        },
        sync_priority: {
          description: 'Lower comes first.',
        },
        retry_limit: {
          description:
            'How often a failed query is tried again, after pauses that together are not longer than one query may take.',
        },
        push_notify: {
          description: 'What a backend pushes also pings the devices of those who see it.',
        },
      },
    },
    SourceError: {
      description: 'A message for the people who use the device.',
      members: {
        code: {
          description: 'From the documented list of codes.',
        },
        message: {
          description: 'A sentence, in the words of the source where it gave any.',
        },
      },
    },
    SourceInfo: {
      description: 'A source with its present settings; null: not set.',
      members: {
        name: {
          description: 'Names the source in paths, and on devices.',
        },
        partition_type: {
          description: '`app`: one copy for all users. `user`: one for each.',
        },
        pass_through: {
          description: 'The content of mutations stays out of the journal.',
        },
        belongs_to: {
          description: 'Attribute → source whose object ids it holds.',
        },
        poll_interval: {
          description: 'Seconds between queries: 0 = at every pull, -1 = only when asked.',
        },
        sync_type: {
          description: '`bulk_only`: no pulls, bulk data only.',
        },
        queue: {
          description:
            'The queue whose workers run the methods, where no specific one is given; null: they run with the request.',
        },
        query_queue: {
          description: 'The queue of queries; null: `queue`.',
        },
        cud_queue: {
          description: 'The queue of creates, updates and deletes; null: `queue`.',
        },
        sync_priority: {
          description: 'Lower comes first.',
        },
        retry_limit: {
          description:
            'How often a failed query is tried again, after pauses that together are not longer than one query may take.',
        },
        push_notify: {
          description: 'What a backend pushes also pings the devices of those who see it.',
        },
      },
    },
    SourceUpdate: {
      description: 'Changes the settings of a source, for all users.',
      members: {
        user_name: {
          description:
            'The login of a user; an unknown one is refused. The settings are those of the source for all, and no partition becomes due.',
        },
        data: {
          description: 'The settings of a source that an operator may change while the server runs.',
          message: 'SourceChange',
        },
      },
    },
    StatsQuery: {
      description: 'Either which metric keys there are, or the statistics of one.',
      members: {
        names: {
          description: 'A pattern in which `*` stands for any text: the answer is the list of keys that match.',
        },
        metric: {
          description: 'A key: the answer is its statistics.',
        },
        start: {
          description: 'Index of the first bucket; a negative one counts from the end. Default 0.',
        },
        finish: {
          description: 'Index of the last bucket, included; -1 is the last there is. Default -1.',
        },
      },
    },
    StoredObject: {
      description: 'An object of a master document.',
      members: {
        id: {
          description: 'Of the object.',
        },
        version: {
          description: 'Of the write that changed it last.',
        },
        changed_at: {
          description:
            'When that was, to the second, ISO 8601 UTC; null: longer ago than the history of the document reaches. Told of one object that is asked for by `id`.',
        },
        attributes: {
          description: 'The attributes of one object. Names are hostile text too (`__proto__` is an ordinary name).',
          message: 'Attributes',
        },
      },
    },
    StreamEndedEvent: {
      description: 'The last event of a stream that the server ends.',
      members: {
        reason: {
          description:
            '`slow`: the reader did not keep up. `replaced`: the user opened too many streams. `revoked`: the token opens it no more. `stopping`: the server stops.',
        },
        kind: {
          description: 'What happened.',
        },
        time: {
          description: 'When it happened, ISO 8601 UTC.',
        },
      },
    },
    StreamStartedEvent: {
      description: 'The stream is open, and tells what happens from now on. Always the first event.',
      members: {
        resumed: {
          description:
            'True: what happened since `after` follows. False: no `after` was given, or the server has forgotten that event and some may be missing.',
        },
        kind: {
          description: 'What happened.',
        },
        time: {
          description: 'When it happened, ISO 8601 UTC.',
        },
      },
    },
    TokenInfo: {
      description:
        'An API token as its owner or an admin may see it. The token itself is given out once, at the login.',
      members: {
        id: {
          description: 'Names the token and opens nothing.',
        },
        login: {
          description: 'Whose it is.',
        },
        role: {
          description: 'What it may do.',
        },
        console: {
          description: "True: it is the session of a console's page.",
        },
        created_at: {
          description: 'ISO 8601 UTC.',
        },
        expires_at: {
          description: 'ISO 8601 UTC.',
        },
        last_used: {
          description: 'To the minute, ISO 8601 UTC. Absent: not used since its first minute.',
        },
      },
    },
    TokenList: {
      description: "Whose tokens: one's own by default, and for an admin everybody's.",
      members: {
        login: {
          description: "Those of this login. Another than one's own: admins only.",
        },
      },
    },
    Undecided: {
      description:
        "A mutation that a device sent and that has no outcome yet; without its attributes, which are the user's.",
      members: {
        id: {
          description: 'For retry and discard.',
        },
        state: {
          description: '`queued`: not begun. `started`: its process is gone. `in_doubt`: the backend never answered.',
        },
        source: {
          description: 'The name of the source.',
        },
        partition: {
          description: 'Whose copy of the source, as the server spells it.',
        },
        user: {
          description: 'The login of the user who made the change.',
        },
        client: {
          description: 'The client that sent it.',
        },
        operation: {
          description: 'What it does to its object.',
        },
        object: {
          description: "The object's id; of a create its temporary one.",
        },
        key: {
          description: 'What the source got as its idempotency key.',
        },
        attempts: {
          description: 'How often the source was called.',
        },
        error: {
          description: 'Why it is in doubt; null: it is not.',
        },
      },
    },
    UndecidedList: {
      description: 'Which mutations.',
      members: {
        state: {
          description: '`started`: those whose process is gone. Default `in_doubt`.',
        },
        after: {
          description: 'Those behind this id.',
        },
        limit: {
          description: 'Default 100.',
        },
      },
    },
    UnheardOutcome: {
      description: 'What became of a change, of which its client has not confirmed that it heard.',
      members: {
        number: {
          description: 'The number of the change, as its client counts.',
        },
        status: {
          description:
            'What became of a mutation.\n\n- `applied`: the source did it.\n- `refused`: the source refused it, and only the source.\n- `conflict`: the object changed meanwhile and the policy keeps the present state.\n- `gone`: the object was removed meanwhile.\n- `depends_on_refused`: it names an object whose creation was refused or is unknown.\n- `in_doubt`: the backend was called and never answered; an operator decides. Another outcome follows.\n- `queued`: not decided yet; carries no outcome number. The decision comes with a later pull.',
        },
        error: {
          description: 'Why it was not applied; null: it was.',
          message: 'SourceError',
        },
      },
    },
    User: {
      description: 'A user as others may see it: never the hash of the password.',
      members: {
        login: {
          description: 'Names the user in paths, and to devices.',
        },
        role: {
          description: 'What the user may do.',
        },
        locked: {
          description: 'No login succeeds.',
        },
        attributes: {
          description: 'The attributes of one object. Names are hostile text too (`__proto__` is an ordinary name).',
          message: 'Attributes',
        },
        clients: {
          description: 'How many clients (devices) the user has.',
        },
        created_at: {
          description: 'ISO 8601 UTC.',
        },
      },
    },
    UserCreate: {
      description: 'A new user.',
      members: {
        attributes: {
          description: '`login` and `password`, and any further attributes of the user.',
          message: 'Attributes',
        },
        role: {
          description: '`device` (default) for people with devices; another for API users.',
        },
        password_hash: {
          description:
            'A hash of the password instead of `attributes.password`: `scrypt$N$r$p$salt$key` as the server itself keeps it, or `$scrypt$ln=…,r=…,p=…$salt$key`; salt and key in Base64.',
        },
      },
    },
    UserCreated: {
      description: 'The user was made.',
      members: {
        login: {
          description: 'Of the new user.',
        },
      },
    },
    UserList: {
      description: 'Which users.',
      members: {
        role: {
          description: 'Which users: default `device`.',
        },
        after: {
          description: 'Logins behind this one.',
        },
        limit: {
          description: 'Default: all of them.',
        },
      },
    },
    UserUpdate: {
      description: 'Changes of a user.',
      members: {
        attributes: {
          description:
            "Merged into the user's free attributes; `null` removes one; `password` sets the password and ends all sessions.",
          message: 'Attributes',
        },
        role: {
          description: 'By admins only.',
        },
        locked: {
          description:
            'By admins only. True: ends all sessions and tokens, and no login succeeds until it is false again.',
        },
      },
    },
    UsersCreate: {
      description: 'Many new users at once.',
      members: {
        users: {
          description: 'At most 1,000; each login once.',
          message: 'UserCreate',
        },
      },
    },
    UsersCreated: {
      description: 'What became of them.',
      members: {
        created: {
          description: 'Logins that were made, in the order given.',
        },
        existing: {
          description: 'Logins that existed already: nothing was changed of them.',
        },
      },
    },
    Versions: {
      description:
        'Live objects with their versions, as they stand when they are read; what changes meanwhile, the next pull brings.',
      members: {
        epoch: {
          description: "The collection's epoch. Another than that of the device: what is here does not fit its rows.",
        },
        versions: {
          description: 'The version of each object after `after`, up to `next`.',
        },
        next: {
          description: 'The last id of this page; ask again with it as `after`. Absent: there are no more.',
        },
      },
    },
    VersionsQuery: {
      description:
        'What a device asks whose sum differs from that of the server: which objects there are, in order of the UTF-8 bytes of their ids.',
      members: {
        after: {
          description: 'Ids after this one. Absent: from the first.',
        },
        limit: {
          description: 'Ids a page: 1 to 10,000. Default 5000.',
        },
      },
    },
    Warning: {
      description: 'Something that works, but not as it should.',
      members: {
        about: {
          description: 'What it is about: `store`, `sources`, the name of a source, `jobs`, `mutations`.',
        },
        says: {
          description: 'What was found.',
        },
        todo: {
          description: 'What to do.',
        },
      },
    },
    Written: {
      description: "What a backend's write did.",
      members: {
        version: {
          description: 'The version of the collection after it.',
        },
        changed: {
          description: 'How many objects it changed, created or removed.',
        },
        count: {
          description: 'Live objects of the collection after it.',
        },
        replaced_at: {
          description:
            'When a query of the source replaces what was written, with the next pull after this time; the present time where one is due. Null: only when\nsomebody asks for a query. Absent: the source has no query, and what was written stays.',
        },
      },
    },
  },
}
