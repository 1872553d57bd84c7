import { Client } from 'pg'

/**
 * The limits of requests: the same driver and nothing else. For a read, a row is selected by its key; for a write, a row is locked,
 * read, changed and committed.
 */
export interface BareStatements {
  run(work: 'select' | 'transaction', seconds: number): Promise<number>
  close(): Promise<void>
}

const SELECT = 'select value from bench_rows where id = $1'

export async function bareStatements(url: string, connections: number): Promise<BareStatements> {
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new Client({ connectionString: url })
      await client.connect()
      return client
    }),
  )
  const [first] = clients as [Client, ...Client[]]
  await first.query('create table if not exists bench_rows (id integer primary key, value bigint not null)')
  await first.query('insert into bench_rows select id, 0 from generate_series(1, $1) id on conflict do nothing', [
    connections,
  ])

  const work = {
    async select(client: Client, id: number) {
      await client.query({ name: 'bare.select', text: SELECT, values: [id] })
    },
    async transaction(client: Client, id: number) {
      await client.query({ name: 'bare.begin', text: 'begin' })
      await client.query({ name: 'bare.lock', text: `${SELECT} for update`, values: [id] })
      await client.query({
        name: 'bare.update',
        text: 'update bench_rows set value = value + 1 where id = $1',
        values: [id],
      })
      await client.query({ name: 'bare.commit', text: 'commit' })
    },
  }

  return {
    async run(name, seconds) {
      const startedAt = performance.now()
      const until = startedAt + seconds * 1000
      const counts = await Promise.all(
        clients.map(async (client, index) => {
          let done = 0
          for (; performance.now() < until; done += 1) await work[name](client, index + 1)
          return done
        }),
      )
      return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - startedAt) / 1000)
    },
    async close() {
      await first.query('drop table bench_rows')
      await Promise.all(clients.map((client) => client.end()))
    },
  }
}
