import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebhookEvent, WebhookVerificationError, type WebhookVerifier, webhookVerifier } from '@vitrine/sdk'
import { UsageError } from '../failure.ts'
import type { Output } from '../output.ts'

interface ListenOptions {
  readonly port: string
  readonly secret?: string
  readonly answer: string
}

/** Larger than any event. */
const BODY_BYTES_MAX = 1_048_576

/** A received delivery and its result. */
interface Received {
  readonly deliveryId: string | null
  readonly attempt: number | null
  /** `null` without a secret to verify with. */
  readonly genuine: boolean | null
  readonly refusedBecause: string | null
  readonly answered: number
  readonly event: Partial<WebhookEvent> | null
}

/**
 * `vitrine webhook listen`: receives deliveries on this machine, verifies them and shows them, until it is stopped. It listens
 * only on loopback, so the server must allow it: `WEBHOOK_ALLOWED_TARGETS`.
 */
export async function listenCommand(options: ListenOptions, output: Output): Promise<void> {
  const port = wholeNumber('--port', options.port, 0, 65_535)
  const answer = wholeNumber('--answer', options.answer, 200, 599)
  const secret = options.secret ?? output.io.env.VITRINE_WEBHOOK_SECRET
  const verifier = secret === undefined ? null : verifierOf(secret)

  const server = createServer((request, response) => {
    receive(request, response, verifier, answer).then(
      (received) => received && output.result(received, linesOf(received)),
      // The sender closed the connection early.
      () => response.destroy(),
    )
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: taken } = server.address() as AddressInfo
  const listening = `http://localhost:${taken}/`
  output.result({ listening, verifies: verifier !== null }, [
    `Listening on ${listening}, until Ctrl+C.`,
    verifier ? 'Deliveries that the secret did not sign are refused.' : 'Nothing is verified: give --secret whsec_….',
    `The server must allow it: WEBHOOK_ALLOWED_TARGETS=localhost:${taken}`,
  ])

  await output.io.stopSignal()
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new UsageError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`)
}

function verifierOf(secret: string): WebhookVerifier {
  try {
    return webhookVerifier({ secret })
  } catch (error) {
    throw new UsageError(`--secret: ${(error as Error).message}`)
  }
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  verifier: WebhookVerifier | null,
  answer: number,
): Promise<Received | null> {
  const body = request.method === 'POST' ? await bytesOf(request) : null
  if (body === null) {
    response.writeHead(request.method === 'POST' ? 413 : 405, { connection: 'close' }).end()
    return null
  }
  const { event, genuine, refusedBecause } = await judge(body, request, verifier)
  const answered = genuine === false ? 400 : answer
  response.writeHead(answered).end()
  return {
    deliveryId: headerOf(request, 'webhook-delivery-id'),
    attempt: Number(headerOf(request, 'webhook-attempt')) || null,
    genuine,
    refusedBecause,
    answered,
    event,
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = []
  let length = 0
  // Read to its end: leaving the loop would close the connection before the answer.
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length <= BODY_BYTES_MAX) parts.push(part)
  }
  return length > BODY_BYTES_MAX ? null : Buffer.concat(parts)
}

async function judge(
  body: Buffer,
  { headers }: IncomingMessage,
  verifier: WebhookVerifier | null,
): Promise<Pick<Received, 'event' | 'genuine' | 'refusedBecause'>> {
  if (!verifier) return { event: parsed(body), genuine: null, refusedBecause: null }
  try {
    return { event: await verifier.verify(body, headers), genuine: true, refusedBecause: null }
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    return { event: parsed(body), genuine: false, refusedBecause: error.reason }
  }
}

function parsed(body: Buffer): Partial<WebhookEvent> | null {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name]
  return typeof value === 'string' ? value : null
}

function linesOf({ event, genuine, refusedBecause, attempt, answered }: Received): readonly string[] {
  const verification = genuine === null ? 'not verified' : genuine ? 'genuine' : `REFUSED: ${refusedBecause}`
  const what = event ? `${plain(event.type)} ${plain(event.id)} #${plain(event.sequence)}` : 'not JSON'
  const dataLines = JSON.stringify(event?.data ?? null, null, 2).split('\n')
  return ['', `${what} · attempt ${attempt ?? '?'} · ${verification} · answered ${answered}`, ...dataLines.map(plain)]
}

/** Anyone can send here, so control characters are replaced before they reach the terminal. */
function plain(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null)
  return text.replace(/[\p{Cc}\p{Cf}]/gu, '\ufffd')
}
