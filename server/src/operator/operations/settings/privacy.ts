import type { OperatorErasure, OperatorRetention, operatorOperations } from '@vitrine/contract/operator'
import {
  erasePerson as erase,
  exportPerson as exportOf,
  findPerson,
  type Person,
  type PersonName,
  previewErasure as previewOf,
  previewRetention as previewOfRetention,
  type Retention,
  readRetention,
  saveRetention as save,
} from '../../../features/privacy/index.ts'
import { refuseStale } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { changedFields } from '../../door/changed-fields.ts'
import type { OperatorHandler } from '../../door/handler.ts'

type Rows = typeof operatorOperations

/** POST /operator/v1/people/export */
const exportPerson: OperatorHandler<Rows['exportPerson']> = async ({ body }, { tx, now, audit }) => {
  const person = await findPerson(tx, nameOf(body.person))
  const data = await exportOf(tx, person)
  audit({ subject: subjectOf(person), before: null, after: { places: Object.keys(data) } })
  return { createdAt: now.toISOString(), data: data as Record<string, unknown[]> }
}

/** POST /operator/v1/people/erasure-preview */
const previewErasure: OperatorHandler<Rows['previewErasure']> = async ({ body }, { reader }) => {
  return presentErasure(reader, await findPerson(reader, nameOf(body.person)))
}

/** POST /operator/v1/people/erase */
const erasePerson: OperatorHandler<Rows['erasePerson']> = async ({ body }, { tx, now, ids, audit }) => {
  const person = await findPerson(tx, nameOf(body.person))
  const erasure = await presentErasure(tx, person)
  erase(tx, person, { now, ids })
  audit({ subject: subjectOf(person), before: null, after: { erased: erasure.found } })
  return erasure
}

/** GET /operator/v1/retention */
const getRetention: OperatorHandler<Rows['getRetention']> = async (_input, { reader }) => {
  return presentRetention(await readRetention(reader))
}

/** POST /operator/v1/retention/preview */
const previewRetention: OperatorHandler<Rows['previewRetention']> = ({ body }, { reader, now }) => {
  return previewOfRetention(reader, retentionOf(body), now)
}

/** PUT /operator/v1/retention */
const saveRetention: OperatorHandler<Rows['saveRetention']> = async ({ body }, { tx, now, audit }) => {
  const { expectedVersion, ...chosen } = body
  const { version, ...before } = await readRetention(tx)
  refuseStale(version, expectedVersion)
  const next = retentionOf(chosen)
  save(tx, next, now)
  const saved = await readRetention(tx)
  if (expectedVersion !== undefined) refuseStale(saved.version - 1, expectedVersion)
  audit({ subject: { type: 'retention', id: 'retention' }, ...changedFields({ ...before }, { ...next }) })
  return presentRetention(saved)
}

export const privacyOperations = {
  exportPerson,
  previewErasure,
  erasePerson,
  getRetention,
  previewRetention,
  saveRetention,
}

/** An account by its id, anything else is an address. */
function nameOf(person: string): PersonName {
  return person.startsWith('cus_') ? { customerId: person } : { email: person }
}

/** The id of the account or of an order, never an address: an audit entry stays. */
function subjectOf({ customers, subjects }: Person) {
  return { type: 'person', id: customers[0] ?? subjects[0] ?? 'unknown' }
}

async function presentErasure(reader: Reader, person: Person): Promise<OperatorErasure> {
  const found = await previewOf(reader, person)
  return { found: [...found], open: [...person.open] }
}

function retentionOf({ orderYears, closedAccountDays, ...rest }: Omit<OperatorRetention, 'version'>): Retention {
  return { orderYears: orderYears ?? null, closedAccountDays: closedAccountDays ?? null, ...rest }
}

function presentRetention({
  orderYears,
  closedAccountDays,
  ...rest
}: Awaited<ReturnType<typeof readRetention>>): OperatorRetention {
  return {
    ...(orderYears !== null && { orderYears }),
    ...(closedAccountDays !== null && { closedAccountDays }),
    ...rest,
  }
}
