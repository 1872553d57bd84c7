import { openDatabase, statement, systemClock } from '@vitrine/server'
import { Client } from 'pg'
import { claimDeliveries, dueEndpoints } from '../../server/src/features/webhooks/deliveries/claim.ts'
import { migrate } from '../../server/src/platform/postgres/index.ts'
import { median } from './figure.ts'

const NAME = 'bench_claims'
const ENDPOINTS = 100
const CLAIMS = 50

const seed = (waiting: number) => `
  insert into installations (id, name, environment, created_at, updated_at)
    select 'ins_' || n, 'Bench', 'test', now(), now() from generate_series(1, ${ENDPOINTS}) n;
  insert into webhook_endpoints (id, installation_id, environment, slot, url, events, created_at, updated_at)
    select 'whe_' || n, 'ins_' || n, 'test', 1, 'https://shop.example/', '{*}', now(), now()
    from generate_series(1, ${ENDPOINTS}) n;
  insert into webhook_health (endpoint_id) select 'whe_' || n from generate_series(1, ${ENDPOINTS}) n;
  insert into events (id, kind, environment, subject_id, sequence, data, body, created_at)
    values ('evt_1', 'order.created', 'test', 'ord_1', 1, '{}', '{}', now());
  insert into webhook_deliveries (id, endpoint_id, event_id, event_type, sequence, replay_of, due_at, created_at, updated_at)
    select 'whd_' || n, 'whe_' || 1 + n % ${ENDPOINTS}, 'evt_1', 'order.created', 1, 'whd_0',
      now() - (n || ' ms')::interval, now(), now()
    from generate_series(1, ${waiting}) n;
  analyze`

const giveBack = statement(
  'bench.give_back',
  `update webhook_deliveries set status = 'retrying', due_at = attempted_at, lease_until = null
   where lease_until is not null`,
)

/**
 * Measures how long a worker takes to claim due deliveries while many wait at a hundred endpoints. It uses its own database,
 * which is dropped afterwards.
 *
 * @returns the median. Milliseconds
 */
export async function claimMs(serverUrl: string, waiting: number): Promise<number> {
  const admin = new Client(serverUrl)
  await admin.connect()
  await admin.query(`drop database if exists ${NAME} with (force)`)
  await admin.query(`create database ${NAME}`)
  const url = new URL(serverUrl)
  url.pathname = `/${NAME}`
  await migrate(url.href)
  const client = new Client(url.href)
  await client.connect()
  await client.query(seed(waiting))
  await client.end()
  const database = openDatabase({ url: url.href })
  try {
    const taken: number[] = []
    for (let claims = 0; claims < CLAIMS; claims += 1) {
      const startedAt = performance.now()
      const now = systemClock.now()
      const endpointIds = (await dueEndpoints(database.reader, now)).slice(0, 10)
      const leaseUntil = new Date(now.getTime() + 30_000)
      const { held } = await database.transaction((tx) =>
        claimDeliveries(tx, { endpointIds, now, leaseUntil, limit: 50 }, async () => null),
      )
      taken.push(performance.now() - startedAt)
      if (held.length === 0) throw new Error('Nothing was claimed.')
      await database.transaction(async (tx) => tx.write(giveBack, []))
    }
    return median(taken)
  } finally {
    await database.close()
    await admin.query(`drop database ${NAME} with (force)`)
    await admin.end()
  }
}
