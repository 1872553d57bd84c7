import { createHash, createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Clock } from '../../kernel/clock.ts'
import type { MediaStore } from './media-store.ts'

/** A bucket of any S3-compatible service. */
export interface S3Settings {
  /** Such as `https://s3.eu-central-1.amazonaws.com`, without the bucket. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly keyId: string
  readonly secret: string
}

/** How long an answer may take once the request has been sent: to begin if it is a file, else to end. */
const ANSWER_MS_MAX = 30_000
/** For a file to begin, with retries: until then, the request takes the place of another one. */
const OPENING_MS_MAX = 10_000
/** For all files of a picture, with retries: less than PostgreSQL lets the transaction of a removal wait. */
const REMOVAL_MS_MAX = 8_000
/** The slowest line on which a file is still saved: 128 kbit/s. */
const BYTES_PER_MS_MIN = 16
const TRIES = 3
const OFFLINE_MS = 200

type Method = 'GET' | 'PUT' | 'DELETE'

interface Attempt {
  readonly method: Method
  readonly url: URL
  readonly body: Buffer
  readonly signal: AbortSignal
}

/** The store of a bucket. Its files need not be public: the pages door serves them. */
export function s3Store(
  settings: S3Settings,
  clock: Clock,
  { answerMsMax = ANSWER_MS_MAX, openingMsMax = OPENING_MS_MAX } = {},
): MediaStore {
  const urlOf = (address: string, name: string) =>
    new URL(`${settings.endpoint}/${settings.bucket}/media/${address}/${name}`)

  async function sendOnce({ method, url, body, signal }: Attempt, isLast: boolean): Promise<Response | null> {
    const response = await fetch(url, {
      method,
      headers: signed({ method, url, body, now: clock.now() }, settings),
      ...(method === 'PUT' && { body: new Uint8Array(body) }),
      signal,
    })
    if (!isLast && (response.status >= 500 || response.status === 429)) {
      // A connection with an unread body stays open. One that broke meanwhile is closed already.
      await response.body?.cancel().catch(() => {})
      return null
    }
    // A file takes as long as the shopper who reads it.
    if (method === 'GET' && response.ok) return response
    return new Response((await response.text()) || null, { status: response.status })
  }

  async function send(method: Method, url: URL, body = Buffer.alloc(0), ends?: AbortSignal): Promise<Response> {
    for (let trial = 1; ; trial += 1) {
      const waiting = new AbortController()
      const timer = setTimeout(() => waiting.abort(late(method)), answerMsMax + body.length / BYTES_PER_MS_MIN)
      const signal = ends === undefined ? waiting.signal : AbortSignal.any([waiting.signal, ends])
      const response = await sendOnce({ method, url, body, signal }, trial === TRIES)
        .catch((error: unknown) => {
          if (trial === TRIES || ends?.aborted) throw error
          return null
        })
        .finally(() => clearTimeout(timer))
      if (response !== null) return response
      await new Promise((done) => setTimeout(done, OFFLINE_MS * trial))
    }
  }

  return {
    async save(address, { folder, names }) {
      for (const name of names) {
        const response = await send('PUT', urlOf(address, name), await readFile(join(folder, name)))
        await assertDone(response, 'PUT')
      }
    },
    async open(address, name) {
      const opening = new AbortController()
      const timer = setTimeout(() => opening.abort(late('GET')), openingMsMax)
      // The signal would also end a file that is being read.
      const response = await send('GET', urlOf(address, name), undefined, opening.signal).finally(() =>
        clearTimeout(timer),
      )
      if (response.status === 404 || response.body === null) return null
      if (!response.ok) await assertDone(response, 'GET')
      const bytes = Number(response.headers.get('content-length'))
      return { body: Readable.fromWeb(response.body as ReadableStream), bytes }
    },
    async remove(address, names) {
      const ending = new AbortController()
      const timer = setTimeout(() => ending.abort(late('DELETE')), REMOVAL_MS_MAX)
      const removing = names.map((name) => send('DELETE', urlOf(address, name), undefined, ending.signal))
      try {
        for (const response of await Promise.all(removing)) await assertDone(response, 'DELETE')
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

const late = (method: Method) => new Error(`The object store has not answered ${method} in time.`)

async function assertDone(response: Response, method: Method): Promise<void> {
  const answer = await response.text()
  if (response.ok || (method === 'DELETE' && response.status === 404)) return
  const [, code = 'no code'] = /<Code>(\w+)<\/Code>/.exec(answer) ?? []
  throw new Error(`The object store has answered ${method} with ${response.status} ${code}.`)
}

interface S3Request {
  readonly method: string
  readonly url: URL
  readonly body: Buffer
  readonly now: Date
}

/**
 * The headers of a signed request. Addresses and names need no escaping: letters, digits, dot and hyphen.
 * @see Signature Version 4, https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
function signed({ method, url, body, now }: S3Request, settings: S3Settings): Record<string, string> {
  const { region, keyId, secret } = settings
  const at = `${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
  const scope = `${at.slice(0, 8)}/${region}/s3/aws4_request`
  const hash = sha256(body)
  const headers = { host: url.host, 'x-amz-content-sha256': hash, 'x-amz-date': at }
  const names = Object.keys(headers).join(';')
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`)
  const canonical = [method, url.pathname, '', lines.join(''), names, hash].join('\n')
  const key = scope.split('/').reduce<Buffer | string>((made, part) => hmac(made, part), `AWS4${secret}`)
  const signature = hmac(key, ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n')).toString('hex')
  const credential = `Credential=${keyId}/${scope}`
  return {
    'x-amz-content-sha256': hash,
    'x-amz-date': at,
    authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()
