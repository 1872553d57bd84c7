import assert from 'node:assert/strict'
import type { Challenge } from '@vitrine/contract'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { type StoreAccessChange, setStoreAccess } from '../../server/src/features/access/index.ts'
import type { World } from './world.ts'

export const PASSWORD = 'open sesame'

/** Sets how a store is entered, as an operator does; this node and the given others know at once. */
export async function gate(world: World, change: StoreAccessChange, others: readonly World[] = []): Promise<void> {
  await world.database.transaction((tx) => setStoreAccess(tx, change, world.clock.now()))
  for (const node of [world, ...others]) await node.refresh()
}

/** Does the work of a challenge with the solver of ALTCHA itself, and says it as its widget does. */
export async function solve({ proofOfWork: work }: Challenge): Promise<string> {
  assert(work, 'a challenge that asks for work')
  const solution = await solveChallenge({ challenge: work, deriveKey })
  return Buffer.from(JSON.stringify({ challenge: work, solution })).toString('base64')
}

/** The way into one store, over HTTP, as a shopper takes it. */
export function wayInto(slug: string, { anonymous }: World) {
  const path = `/api/v1/public/store-access/${slug}`
  return {
    config: () => anonymous.get(`${path}/config`),
    create: (body: object) => anonymous.post(`${path}/challenges`, body),
    verify: (body: object) => anonymous.post(`${path}/challenges/verify`, body),

    /** A fresh challenge, as it must be there. */
    async challenge(purpose: Challenge['purpose'] = 'store_access'): Promise<Challenge> {
      const { status, body } = await this.create({ purpose })
      assert.equal(status, 200, JSON.stringify(body))
      return body.data
    },

    /** A grant, by whichever kind of challenge the store asks for. */
    async grant(purpose: Challenge['purpose'] = 'store_access', password = PASSWORD): Promise<string> {
      const challenge = await this.challenge(purpose)
      const answer = challenge.kind === 'password' ? { password } : { solution: await solve(challenge) }
      const { status, body } = await this.verify({ challengeId: challenge.id, ...answer })
      assert.equal(status, 200, JSON.stringify(body))
      return body.data.accessToken
    },
  }
}
