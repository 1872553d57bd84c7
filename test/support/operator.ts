import assert from 'node:assert/strict'
import { statement } from '@vitrine/server'
import { totpCode, totpStep } from '../../server/src/operator/door/totp.ts'
import { headersOf, send as sendRequest } from './network/send.ts'
import { OPERATOR_TOKEN } from './operator-token.ts'
import type { World } from './world.ts'

/** A response of the operator door. */
export interface OperatorAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of many shapes.
  readonly body: any
}

/** A client of the operator door of a world. */
export interface OperatorClient {
  readonly origin: string
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<OperatorAnswer>
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<OperatorAnswer>
  /** Sends a change that must succeed and be in the audit log. @returns the data of the response */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of many shapes.
  change(method: string, path: string, body?: unknown): Promise<any>
  /** Posts a file that must be accepted. @returns the data of the response */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of many shapes.
  upload(path: string, file: string | Uint8Array<ArrayBuffer>): Promise<any>
}

const entries = statement<{ count: string }>('test.audit_count', 'select count(*)::text as count from audit_log')

/** A client with the token of the data directory, or with other headers. */
export async function operatorClient(
  world: World,
  own: Readonly<Record<string, string>> = { authorization: `Bearer ${OPERATOR_TOKEN}` },
): Promise<OperatorClient> {
  const origin = await world.openOperator()
  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<OperatorAnswer> {
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = { ...own, ...json, ...headers }
    const payload = body === undefined ? undefined : JSON.stringify(body)
    const answer = await sendRequest(`${origin}/operator/v1${path}`, method, sent, payload)
    return { ...answer, headers: headersOf(answer.headers) }
  }
  const client: OperatorClient = {
    origin,
    get: (path, headers) => send('GET', path, undefined, headers),
    send,
    async change(method, path, body) {
      const written = async () => (await world.database.reader.row(entries))?.count
      const before = await written()
      const answer = await send(method, path, body)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      assert.notEqual(await written(), before, `${method} ${path} is in the audit log`)
      return answer.body.data
    },
    async upload(path, file) {
      const headers = { ...own, 'content-type': 'application/octet-stream' }
      const { status, body } = await sendRequest(`${origin}/operator/v1${path}`, 'POST', headers, file)
      assert.equal(status, 200, JSON.stringify(body))
      return body.data
    },
  }
  return client
}

/** The current code of an authenticator app for a key. */
export function codeOfApp(key: string, now: Date): string {
  const bits = [...key].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
  const bytes = bits.join('').match(/\d{8}/g) ?? []
  return totpCode(
    Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2)),
    totpStep(now),
  )
}
