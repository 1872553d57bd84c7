import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { findCustomerByEmail } from '../../../server/src/features/accounts/customer-store.ts'
import { returnCustomer } from '../../../server/src/features/hosted-login/index.ts'
import { type Answer, type Client, dataOf } from '../client.ts'
import { testRandomness } from '../randomness.ts'
import type { World } from '../world.ts'

export const LOGIN = {
  initiate: '/api/v1/open/hosted/login/initiate',
  consume: '/api/v1/open/hosted/login/return',
} as const

/** The return URLs of the installations in these tests. */
export const RETURN_URL = 'https://shop.example/return'
export const CODE_VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

/** @see RFC 7636 §4.2 */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

/** The request of an installation. */
export const beginning = {
  returnUrl: RETURN_URL,
  state: 'af0ifjsldkj',
  codeChallenge: challengeOf(CODE_VERIFIER),
  codeChallengeMethod: 'S256',
}

export function initiate(client: Client, more: object = {}): Promise<Answer> {
  return client.post(LOGIN.initiate, { ...beginning, ...more })
}

/** A started login. */
export interface BegunLogin {
  readonly loginSession: string
  readonly loginUrl: string
  readonly expiresAt: string
}

export async function begun(client: Client, more: object = {}): Promise<BegunLogin> {
  return dataOf(await initiate(client, more))
}

/** The query of the return URL. */
export interface CarriedBack {
  readonly loginSession: string
  readonly code: string
  readonly state: string
}

/** Completes a login as the pages do after sign-in. */
export async function carriedBack(world: World, { loginSession }: BegunLogin, email: string): Promise<CarriedBack> {
  const customer = await findCustomerByEmail(world.database.reader, email)
  assert(customer, `${email} is a customer`)
  const randomness = testRandomness(`${process.env.SEED ?? Date.now()} ${loginSession}`)
  const address = await world.database.transaction((tx) =>
    returnCustomer(
      tx,
      { loginId: loginSession, customer },
      { now: world.clock.now(), issuer: world.publicUrl, randomness },
    ),
  )
  const carried = Object.fromEntries(new URL(address).searchParams)
  return { loginSession, code: String(carried.code), state: String(carried.state) }
}

/** The request that exchanges a code for the customer. */
export function returning(carried: CarriedBack, more: object = {}): object {
  return { ...carried, codeVerifier: CODE_VERIFIER, ...more }
}

/** A complete login, which returns the token for carts. */
export async function customerTokenOf(world: World, client: Client, email: string): Promise<string> {
  const carried = await carriedBack(world, await begun(client), email)
  return dataOf(await client.post(LOGIN.consume, returning(carried))).customerToken
}
