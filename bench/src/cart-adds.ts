import { createHash, createPrivateKey, type KeyObject, randomUUID, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { type PrivateJwk, vitrine } from '@vitrine/sdk'

/** Carts of one connection: adds go round, so that no line meets its maximum before the bench ends. */
const CARTS_PER_CONNECTION = 40
/** Adds for which proofs are made in advance. */
const ADDS_PER_SECOND_MAX = 1500

export interface CartAdds {
  run(seconds: number): Promise<number>
  close(): void
}

interface Target {
  readonly path: string
  readonly body: string
}

interface PreparedAdd {
  readonly target: Target
  readonly headers: Readonly<Record<string, string>>
}

/** Adds to carts as installations do: a proof and a new idempotency key for each request, over kept connections. */
export async function cartAdds(
  door: string,
  key: string,
  privateKeyFile: string,
  connections: number,
): Promise<CartAdds> {
  const jwk = JSON.parse(await readFile(privateKeyFile, 'utf8')) as PrivateJwk
  const prove = await prover(door, key, jwk)
  const targets = await prepareCarts(door, key, jwk, connections)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const nonce = { value: await prove.learnNonce() }

  /** Signed before the clock starts: the load shares its cores with what is measured. */
  function prepare(target: Target): PreparedAdd {
    const headers = {
      authorization: `DPoP ${key}`,
      dpop: prove.proof(target.path, nonce.value),
      'idempotency-key': randomUUID(),
      'content-type': 'application/json',
    }
    return { target, headers }
  }

  async function add({ target, headers }: PreparedAdd): Promise<void> {
    const answer = await post(agent, door, target, headers)
    if (answer.nonce) nonce.value = answer.nonce
    if (answer.status !== 200) throw new Error(`a cart add answered ${answer.status}: ${answer.text}`)
  }

  async function repeat(own: readonly Target[], prepared: readonly PreparedAdd[], until: number): Promise<number> {
    let done = 0
    while (performance.now() < until) {
      await add(prepared[done] ?? prepare(own[done % own.length] as Target))
      done += 1
    }
    return done
  }

  return {
    async run(seconds) {
      const each = Math.ceil((seconds * ADDS_PER_SECOND_MAX) / connections)
      const prepared = targets.map((own) =>
        Array.from({ length: each }, (_, index) => prepare(own[index % own.length] as Target)),
      )
      const startedAt = performance.now()
      const until = startedAt + seconds * 1000
      const counts = await Promise.all(targets.map((own, index) => repeat(own, prepared[index] ?? [], until)))
      return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - startedAt) / 1000)
    },
    close: () => agent.destroy(),
  }
}

async function prepareCarts(door: string, key: string, jwk: PrivateJwk, connections: number): Promise<Target[][]> {
  const client = vitrine({ baseUrl: door, key, privateKey: jwk })
  const products = await client.call('listApiKeyCatalogProducts')
  const skus = products.data
    .flatMap((product) => product.skus)
    .filter((sku) => sku.maxQuantity >= 50 && sku.minQuantity === 1 && sku.step === 1)
  const sku = skus.find((each) => each.availability === 'in_stock')
  if (!sku) throw new Error('No SKU of the first page can be added often enough.')
  const { currency } = sku.price
  return Promise.all(
    Array.from({ length: connections }, async () => {
      const own: Target[] = []
      for (let made = 0; made < CARTS_PER_CONNECTION; made += 1) {
        const cart = await client.call('createPublicCart', { body: { currency, country: 'US' } })
        own.push({
          path: `/api/v1/open/storefront/carts/${cart.id}/items`,
          body: JSON.stringify({ skuId: sku.id, quantity: 1 }),
        })
      }
      return own
    }),
  )
}

/** Proofs made with as little work as can be, since the load shares its cores with what is measured. */
async function prover(door: string, key: string, jwk: PrivateJwk) {
  const privateKey: KeyObject = createPrivateKey({ key: { ...jwk }, format: 'jwk' })
  const { d: _, ...publicJwk } = { kty: jwk.kty, crv: jwk.crv, x: jwk.x, y: jwk.y, d: jwk.d }
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const header = encode({ typ: 'dpop+jwt', alg: 'ES256', jwk: publicJwk })
  const ath = createHash('sha256').update(key).digest('base64url')
  function prove(htm: string, path: string, nonce?: string): string {
    const claims = { htm, htu: door + path, jti: randomUUID(), iat: Math.floor(Date.now() / 1000), ath, nonce }
    const signed = `${header}.${encode(claims)}`
    const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    return `${signed}.${signature.toString('base64url')}`
  }
  return {
    proof: (path: string, nonce: string) => prove('POST', path, nonce),
    async learnNonce(): Promise<string> {
      const path = '/api/v1/open/identity'
      const dpop = prove('GET', path)
      const response = await fetch(door + path, { headers: { authorization: `DPoP ${key}`, dpop } })
      const nonce = response.headers.get('dpop-nonce')
      if (!nonce) throw new Error(`No nonce with ${response.status}: ${await response.text()}`)
      return nonce
    },
  }
}

function post(
  agent: Agent,
  door: string,
  target: Target,
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number; nonce: string | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      door + target.path,
      { method: 'POST', agent, headers: { ...headers, 'content-length': Buffer.byteLength(target.body) } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const nonce = response.headers['dpop-nonce']
          resolve({
            status: response.statusCode ?? 0,
            nonce: typeof nonce === 'string' ? nonce : undefined,
            text: Buffer.concat(chunks).toString('utf8'),
          })
        })
      },
    )
    sent.on('error', reject)
    sent.end(target.body)
  })
}
