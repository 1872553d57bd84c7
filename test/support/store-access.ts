import assert from 'node:assert/strict'
import type { Challenge } from '@vitrine/contract'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { prepareStoreAccess, type StoreAccessChange, setStoreAccess } from '../../server/src/features/access/index.ts'
import type { World } from './world.ts'

export const PASSWORD = 'open sesame'

/** Sets the access to a store as an operator does, and refreshes this node and the given others. */
export async function gate(world: World, change: StoreAccessChange, others: readonly World[] = []): Promise<void> {
  const prepared = await prepareStoreAccess(change)
  await world.database.transaction((tx) => setStoreAccess(tx, prepared, world.clock.now()))
  for (const node of [world, ...others]) await node.refresh()
}

/** The server picks no counter below this one. Trying lower ones would cost 0.25 s of processor time per solution. */
const FIRST_KEY = 128

/** Solves a proof of work with ALTCHA's own solver, and encodes the solution as its widget does. */
export async function solve({ proofOfWork: work }: Challenge): Promise<string> {
  assert(work, 'a challenge with a proof of work')
  const solution = await solveChallenge({ challenge: work, deriveKey, counterStart: FIRST_KEY })
  return Buffer.from(JSON.stringify({ challenge: work, solution })).toString('base64')
}

/** The requests with which a shopper gets access to a store. */
export function wayInto(slug: string, { anonymous }: World) {
  const path = `/api/v1/public/store-access/${slug}`
  return {
    config: () => anonymous.get(`${path}/config`),
    create: (body: object) => anonymous.post(`${path}/challenges`, body),
    verify: (body: object) => anonymous.post(`${path}/challenges/verify`, body),

    /** A new challenge, which must succeed. */
    async challenge(purpose: Challenge['purpose'] = 'store_access'): Promise<Challenge> {
      const { status, body } = await this.create({ purpose })
      assert.equal(status, 200, JSON.stringify(body))
      return body.data
    },

    /** Gets a grant by solving the store's kind of challenge. */
    async grant(purpose: Challenge['purpose'] = 'store_access', password = PASSWORD): Promise<string> {
      const challenge = await this.challenge(purpose)
      const answer = challenge.kind === 'password' ? { password } : { solution: await solve(challenge) }
      const { status, body } = await this.verify({ challengeId: challenge.id, ...answer })
      assert.equal(status, 200, JSON.stringify(body))
      return body.data.accessToken
    },
  }
}
