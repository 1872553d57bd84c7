import { timingSafeEqual } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../../../../kernel/clock.ts'
import { readAcceptLanguage } from '../../../../platform/http/accept-language.ts'
import { actionPage, closedPage, languageOf } from './action-page.ts'
import { type BankDispute, type BookEntry, type Change, OPERATIONS, type Order, replay } from './bank.ts'
import { FAULTS, type Fault, isFault, MODE, type Mode, presentMode, readMode } from './faults.ts'
import { SIGNATURE_HEADER, signNotification } from './notification-signature.ts'
import { SETTLES_MS, type Served, Simulator, type SimulatorNotification } from './simulator.ts'

interface SimulatorServerSettings {
  /** Signs notifications and authenticates callers. */
  readonly secret: string
  readonly clock: Clock
  /** 0: any free port. */
  readonly port?: number
  /** A file for the books; absent: they are lost when the process ends. */
  readonly journal?: string
}

/** A local payment provider: an HTTP server on loopback with its own books, independent of the server. */
export interface SimulatorServer {
  readonly url: string
  /** Movements of money in order: all of them, or those of the payment authorized under a key. */
  books(payment?: string): readonly BookEntry[]
  /** Settle a delayed payment by the key of its authorization. `false` if none is pending. */
  settle(key: string, paid: boolean): boolean
  /** Open a dispute of a captured payment, or decide it. `false` if that is not possible. */
  dispute(key: string, status: BankDispute['status']): boolean
  /** Queues faults for the next matching requests. */
  misbehave(...faults: readonly Fault[]): void
  /** Changes the given parts of the mode. */
  behave(mode: Partial<Mode>): void
  /** Drops unused faults and resets the mode. */
  reset(): void
  close(): Promise<void>
}

const BODY_BYTES_MAX = 64 * 1024
/** Waits between retries of a notification that was not accepted. Milliseconds. */
const NOTIFY_RETRY_MS = [1000, 4000, 16_000, 64_000]
const NOTIFY_TIMEOUT_MS = 10_000

/** Starts the simulator on loopback. */
export async function startSimulator(settings: SimulatorServerSettings): Promise<SimulatorServer> {
  const { secret, clock, port = 0, journal } = settings
  const timers = new Set<NodeJS.Timeout>()
  let url = ''
  let books: number | null = null

  function later(milliseconds: number, act: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      act()
    }, milliseconds)
    timers.add(timer)
  }

  async function deliver(notification: SimulatorNotification, again = 0): Promise<void> {
    const { id, key, status } = notification
    const body = JSON.stringify({ id, key, status })
    const headers = {
      'content-type': 'application/json',
      [SIGNATURE_HEADER]: signNotification(secret, body, clock.now()),
    }
    const taken = await isTaken(notification.url, { method: 'POST', headers, body })
    const waitMs = NOTIFY_RETRY_MS[again]
    if (!taken && waitMs !== undefined && url !== '') later(waitMs, () => void deliver(notification, again + 1))
  }

  const simulator = new Simulator({
    origin: () => url,
    now: () => clock.now(),
    later,
    notify: (notification, { lateMs }) => later(lateMs, () => void deliver(notification)),
    onChange: (change) => {
      if (books !== null) writeSync(books, `${JSON.stringify(change)}\n`)
    },
  })
  if (journal !== undefined) {
    replay(simulator.bank, readJournal(journal))
    settlePending(simulator, later)
    books = openSync(journal, 'a', 0o600)
  }

  const server = createServer((request, response) => {
    answer(simulator, secret, request, response, later).catch(() => response.destroy())
  })
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    server.listen(port, '127.0.0.1', listening)
  })
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url,
    books: (payment) => simulator.bank.books(payment),
    dispute: (key, status) => simulator.dispute(key, status) !== null,
    settle: (key, paid) => simulator.settle(key, paid) !== null,
    misbehave(...faults) {
      simulator.faults.push(...faults)
    },
    behave: (mode) => {
      simulator.mode = { ...simulator.mode, ...mode }
    },
    reset() {
      simulator.faults.length = 0
      simulator.mode = MODE
    },
    async close() {
      url = ''
      for (const timer of timers) clearTimeout(timer)
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
      if (books !== null) closeSync(books)
      books = null
    },
  }
}

/** Whether the merchant has taken a notification. */
async function isTaken(url: string, request: RequestInit): Promise<boolean> {
  return fetch(url, { ...request, signal: AbortSignal.timeout(NOTIFY_TIMEOUT_MS) }).then(
    async (answer) => {
      await answer.arrayBuffer()
      return answer.status < 500
    },
    () => false,
  )
}

/** Settle the delayed payments of earlier runs as paid: the books do not record which of them should bounce. */
function settlePending(simulator: Simulator, later: Later): void {
  for (const { key } of simulator.bank.pending()) later(SETTLES_MS, () => void simulator.settle(key, true))
}

/** Read the journal. A last line that a crash cut off is truncated: its order was not answered. */
function readJournal(path: string): Change[] {
  if (!existsSync(path)) return []
  const bytes = readFileSync(path)
  const end = bytes.lastIndexOf('\n') + 1
  if (end < bytes.length) truncateSync(path, end)
  const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1)
  // Journals of earlier versions have `verdict` for `decision`.
  return lines.map((line) => JSON.parse(line.replace('"verdict":', '"decision":')) as Change)
}

type Later = (milliseconds: number, act: () => void) => void

async function answer(
  simulator: Simulator,
  secret: string,
  request: IncomingMessage,
  response: ServerResponse,
  later: Later,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://simulator')
  const [, area = '', name = '', key = ''] = url.pathname.split('/').map(decodeURIComponent)
  const parsed: ParsedRequest = {
    method: request.method,
    name,
    body: await bodyOf(request),
    payment: url.searchParams.get('payment'),
    languages: readAcceptLanguage(request.headers['accept-language']),
  }
  if (area === 'actions') showAction(simulator, parsed, response)
  else if (!isAuthorized(request.headers.authorization, secret)) json(response, 401, { status: 'unauthorized' })
  else if (area === 'control') control(simulator, parsed, response)
  else if (area === 'v1' && name === 'disputes') serve(simulator.disputes(key), response, later)
  else if (area === 'v1' && name === 'operations') serve(simulator.lookup(key), response, later)
  else {
    const order = readOrder(name, request.headers['idempotency-key'], parsed.body)
    if (order) serve(simulator.order(order), response, later)
    else json(response, 400, { status: 'malformed' })
  }
}

function isAuthorized(header: string | undefined, secret: string): boolean {
  const [given, expected] = [Buffer.from(header ?? ''), Buffer.from(`Bearer ${secret}`)]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > BODY_BYTES_MAX) throw new Error('the body is too long')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function readOrder(name: string, key: unknown, body: string): Order | null {
  const operation = OPERATIONS.find((each) => each === name)
  const { payment, amount, currency, returnUrl, notifyUrl } = readJson(body)
  if (!operation || typeof key !== 'string' || typeof payment !== 'string' || typeof currency !== 'string') return null
  if (typeof amount !== 'string' || !/^\d{1,18}$/.test(amount)) return null
  const address = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return { operation, key, payment, amount, currency, returnUrl: address(returnUrl), notifyUrl: address(notifyUrl) }
}

function readJson(body: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(body)
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function serve(served: Served, response: ServerResponse, later: Later): void {
  if (served.line === 'hang') return
  if (served.line === 'drop') {
    response.destroy()
    return
  }
  const { status, body, afterMs } = served
  const send = () => response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  if (afterMs > 0) later(afterMs, send)
  else send()
}

interface ParsedRequest {
  readonly method: string | undefined
  /** Second segment of the path. */
  readonly name: string
  readonly body: string
  readonly payment: string | null
  /** Language ranges of the browser. */
  readonly languages: readonly string[]
}

/** The page on which the shopper approves or declines. */
function showAction(
  simulator: Simulator,
  { name, method, body, languages }: ParsedRequest,
  response: ServerResponse,
): void {
  const record = simulator.bank.byReference(name)
  const language = languageOf(languages)
  if (!record) page(response, 404, closedPage('unknown', language))
  else if (method !== 'POST' && record.status === 'action_required') page(response, 200, actionPage(record, language))
  else {
    if (method === 'POST') simulator.act(name, new URLSearchParams(body).get('answer') === 'approve')
    if (record.returnUrl === undefined) page(response, 200, closedPage('done', language))
    else response.writeHead(303, { location: record.returnUrl }).end()
  }
}

/** The control API. */
function control(simulator: Simulator, { name, method, body, payment }: ParsedRequest, response: ServerResponse): void {
  const given = readJson(body)
  const mode = readMode(given)
  if (name === 'books' && method === 'GET') {
    json(response, 200, { entries: simulator.bank.books(payment ?? undefined) })
  } else if (name === 'faults' && method === 'POST' && isFault(given)) {
    simulator.faults.push(given)
    json(response, 200, { waiting: simulator.faults })
  } else if (name === 'settle' && method === 'POST' && typeof given.key === 'string') {
    json(response, 200, { settled: simulator.settle(given.key, given.paid !== false) !== null })
  } else if (name === 'dispute' && method === 'POST' && typeof given.key === 'string') {
    const status = (['open', 'won', 'lost'] as const).find((each) => each === given.status) ?? 'open'
    json(response, 200, { disputed: simulator.dispute(given.key, status) !== null })
  } else if (name === 'mode' && method === 'POST' && mode) {
    simulator.mode = { ...simulator.mode, ...mode }
    json(response, 200, presentMode(simulator.mode))
  } else json(response, 400, { status: 'malformed', faults: FAULTS, mode: presentMode(MODE) })
}

function page(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(body)
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
