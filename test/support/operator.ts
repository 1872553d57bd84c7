import assert from 'node:assert/strict'
import { statement } from '@vitrine/server'
import { OPERATOR_TOKEN } from './operator-token.ts'
import type { World } from './world.ts'

/** An answer of the operator door. */
export interface OperatorAnswer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
  readonly body: any
}

/** Talks to the operator door of a world. */
export interface OperatorClient {
  readonly origin: string
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<OperatorAnswer>
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<OperatorAnswer>
  /** Sends a change that must succeed, makes sure that it was written down, and gives what was answered. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
  change(method: string, path: string, body?: unknown): Promise<any>
}

const entries = statement<{ count: string }>('test.audit_count', 'select count(*)::text as count from audit_log')

/** Talks as whoever holds the token of the data directory, or with other headers. */
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
    const response = await fetch(`${origin}/operator/v1${path}`, {
      method,
      headers: { ...own, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
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
      assert.notEqual(await written(), before, `${method} ${path} was written down`)
      return answer.body.data
    },
  }
  return client
}
