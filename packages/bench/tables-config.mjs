// The server that is measured over a table of PostgreSQL: with a feed, or, with BENCH_POLL, by a query at that interval.
export default ({ connectDatabase, sqlFeed, sqlSource }) => {
  const database = connectDatabase(process.env.DATABASE_URL)
  const poll = process.env.BENCH_POLL
  const table = { name: 'Task', table: 'task', key: 'id', columns: ['title', 'changed_at'], owner: 'owner' }
  return {
    authenticate: () => true,
    sources: [
      poll === undefined
        ? sqlSource({ db: sqlFeed({ db: database }), ...table })
        : sqlSource({ db: database, ...table, pollInterval: Number(poll) }),
    ],
  }
}
