import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Operation, operations, refusalsOf } from '@vitrine/contract'
import type { FastifyInstance } from 'fastify'

/*
 * Records the codes that each operation has answered in a run. Every process of scripts/test.js appends to its own file;
 * at the end of a full run all codes are compared with the rows. A listed code that was never answered fails the run, and so does an answered
 * code that is not listed.
 */

const folder = process.env.VITRINE_ANSWERED_CODES
const recorded = new Set<string>()

/** Record the error codes of a door. Call it before the door listens. */
export function recordAnsweredCodes(door: FastifyInstance): void {
  if (folder === undefined) return
  door.addHook('onResponse', (request, _reply, done) => {
    const answered = `${request.operation} ${request.errorCode}`
    if (request.errorCode && !recorded.has(answered)) {
      recorded.add(answered)
      appendFileSync(join(folder, String(process.pid)), `${answered}\n`)
    }
    done()
  })
}

/** Every `operation code` that was recorded, by all processes. */
export function answeredCodes(recordsFolder: string): ReadonlySet<string> {
  return new Set(
    readdirSync(recordsFolder).flatMap((file) => readFileSync(join(recordsFolder, file), 'utf8').split('\n')),
  )
}

type Rows = Readonly<Record<string, Operation>>

/**
 * The listed codes that no response had. A handler's code must be answered by each row, a code of the pipeline by one
 * row of each kind of authentication, for reads and for writes.
 */
export function unansweredCodes(answered: ReadonlySet<string>, rows: Rows = operations): string[] {
  const own = Object.entries(rows).flatMap(([id, row]) => row.refusals.map((code) => `${id} ${code}`))
  const shared = new Map<string, string[]>()
  for (const [id, row] of Object.entries(rows)) {
    for (const code of refusalsOf(row).filter((each) => !row.refusals.includes(each))) {
      const kind = `any ${row.auth.kind} ${row.method === 'GET' ? 'read' : 'write'} ${code}`
      shared.set(kind, [...(shared.get(kind) ?? []), `${id} ${code}`])
    }
  }
  const unansweredKinds = [...shared].filter(([, rowsOfKind]) => !rowsOfKind.some((each) => answered.has(each)))
  return [...own.filter((each) => !answered.has(each)), ...unansweredKinds.map(([kind]) => kind)]
}

/** Every operation may fail, so that no row lists these. */
const FAILURES = ['internal_error', 'unavailable']

/** Every `operation code` that was answered although its row does not list the code. */
export function unlistedCodes(answered: ReadonlySet<string>, rows: Rows = operations): string[] {
  return [...answered].filter((each) => {
    const [id = '', code = ''] = each.split(' ')
    const row = rows[id]
    return row !== undefined && !FAILURES.includes(code) && !refusalsOf(row).some((listed) => listed === code)
  })
}
