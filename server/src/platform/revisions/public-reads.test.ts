import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Statement } from '../postgres/index.ts'
import { Unreachable } from '../postgres/index.ts'
import type { Reader } from '../postgres/reader.ts'
import { publicReads } from './public-reads.ts'

/** A reader with a name and a total of revisions. */
function server(name: string, total: string): Reader {
  const rows = async <Row>({ name: asked }: Statement<Row>) =>
    (asked === 'revisions.read_total' ? [{ total }] : [{ name }]) as Row[]
  return { rows, row: async (asked) => (await rows(asked))[0], run: () => assert.fail('it is not asked') }
}

const whoAnswers = { name: 'test.who', text: '' } as Statement<{ name: string }>
const nameOf = async (reader: Reader) => (await reader.row(whoAnswers))?.name

const primary = server('primary', '7')
const revisions = { total: '7' }
let now = 0
/** The standbys behind the address of the replica, one for each snapshot. */
let standbys: (Reader | Error)[] = []
let snapshots = 0

const readPublicly = () =>
  publicReads({
    database: {
      reader: primary,
      async replicaSnapshot(work) {
        snapshots += 1
        const standby = standbys.shift() ?? assert.fail('there is no standby')
        if (standby instanceof Error) throw standby
        return work(standby)
      },
    },
    revisions,
    clock: { now: () => new Date(now) },
  })

beforeEach(() => {
  revisions.total = '7'
  now = 0
  standbys = []
  snapshots = 0
})

test('without a replica, the primary answers', async () => {
  const read = publicReads({
    database: { reader: primary, replicaSnapshot: null },
    revisions,
    clock: { now: () => new Date(now) },
  })
  assert.equal(await read(nameOf), 'primary')
})

test('a standby with every revision that this process knows answers', async () => {
  standbys = [server('standby', '7')]
  assert.equal(await readPublicly()(nameOf), 'standby')
})

test('of two standbys behind one address, the one that is behind never answers', async () => {
  const read = readPublicly()
  standbys = [server('first', '7'), server('second', '6'), server('first', '7')]
  assert.deepEqual([await read(nameOf), await read(nameOf), await read(nameOf)], ['first', 'primary', 'first'])
})

test('a revision that this process learns during a read makes it read again, from the primary', async () => {
  standbys = [server('standby', '7')]
  const seen: unknown[] = []
  const answer = await readPublicly()(async (reader) => {
    seen.push(await nameOf(reader))
    revisions.total = '8'
    return nameOf(reader)
  })
  assert.deepEqual([seen, answer], [['standby', 'primary'], 'primary'])
})

test('an unreachable replica fails no read, and is not used for five seconds', async () => {
  const read = readPublicly()
  standbys = [new Unreachable(new Error('no route')), server('standby', '7')]
  assert.equal(await read(nameOf), 'primary')
  now = 4_999
  assert.equal(await read(nameOf), 'primary')
  assert.equal(snapshots, 1)
  now = 5_000
  assert.equal(await read(nameOf), 'standby')
})

test('a read that the standby refuses is not repeated', async () => {
  standbys = [server('standby', '7')]
  const refused = readPublicly()(() => Promise.reject(new Error('no such product')))
  await assert.rejects(refused, /no such product/)
})
