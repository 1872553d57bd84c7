import { Client } from 'pg'

/** The limit of a write: a row locked, read, changed and committed through the same driver, without anything else. */
export interface BareTransactions {
  run(seconds: number): Promise<number>
  close(): Promise<void>
}

export async function bareTransactions(url: string, connections: number): Promise<BareTransactions> {
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new Client(clientOptions(url))
      await client.connect()
      return client
    }),
  )
  const [first] = clients as [Client, ...Client[]]
  await first.query('create table if not exists bench_rows (id integer primary key, value bigint not null)')
  await first.query('insert into bench_rows select id, 0 from generate_series(1, $1) id on conflict do nothing', [
    connections,
  ])

  async function repeat(client: Client, id: number, until: number): Promise<number> {
    let done = 0
    while (performance.now() < until) {
      await client.query({ name: 'bare.begin', text: 'begin' })
      await client.query({
        name: 'bare.lock',
        text: 'select value from bench_rows where id = $1 for update',
        values: [id],
      })
      await client.query({
        name: 'bare.update',
        text: 'update bench_rows set value = value + 1 where id = $1',
        values: [id],
      })
      await client.query({ name: 'bare.commit', text: 'commit' })
      done += 1
    }
    return done
  }

  return {
    async run(seconds) {
      const startedAt = performance.now()
      const counts = await Promise.all(
        clients.map((client, index) => repeat(client, index + 1, startedAt + seconds * 1000)),
      )
      return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - startedAt) / 1000)
    },
    async close() {
      await first.query('drop table bench_rows')
      await Promise.all(clients.map((client) => client.end()))
    },
  }
}

/** `postgres://user@/name?host=/socket/dir` in the form of the driver. */
function clientOptions(url: string): ConstructorParameters<typeof Client>[0] {
  return { connectionString: url }
}
