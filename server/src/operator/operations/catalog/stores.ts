import type { OperatorStaff, OperatorStore, operatorOperations } from '@vitrine/contract/operator'
import { prepareStoreAccess, setStoreAccess as setAccess } from '../../../features/access/index.ts'
import {
  findStore,
  listStoreRecords,
  lockStore,
  type StoreRecord,
  saveStore,
  storeLineOf,
} from '../../../features/catalog/index.ts'
import {
  createStaff as create,
  listStaff as list,
  prepareStaff,
  prepareStaffPassword,
  removeStaff as remove,
  setStaffPassword as setPassword,
} from '../../../features/oauth/index.ts'
import { present } from '../../../kernel/assert.ts'
import { refuse, refuseStale } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import { refuseAccess } from '../../door/access.ts'
import { changedFields } from '../../door/changed-fields.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { likeOf, pagingOf } from '../../door/paging.ts'

type Rows = typeof operatorOperations

const STAFF_MAX = 1000

/** GET /operator/v1/stores */
function listStores(cursorSecret: Secret): OperatorHandler<Rows['listStores']> {
  return async ({ query }, { reader, operator }) => {
    const { q, status = null } = query
    const slug = operator.store?.slug ?? null
    const paging = pagingOf<string>(cursorSecret, ['stores', q, status], query)
    const search = { afterSlug: paging.after, like: likeOf(q), status, slug, limit: paging.limit }
    return paging.page(await listStoreRecords(reader, search), ({ slug }) => slug, presentStore)
  }
}

/** POST /operator/v1/stores */
const createStore: OperatorHandler<Rows['createStore']> = async ({ body }, { tx, ids, now, audit }) => {
  if ((await saveStore(tx, { type: 'store', ...body }, { ids, now })) !== 'created') refuse('name_taken')
  const created = await storeOf(tx, body.slug)
  audit({ subject: { type: 'store', id: created.id }, before: null, after: { ...body } })
  return presentStore(created)
}

/** GET /operator/v1/stores/{storeSlug} */
const getStore: OperatorHandler<Rows['getStore']> = async ({ params }, { reader }) => {
  return presentStore(await storeOf(reader, params.storeSlug))
}

/** PATCH /operator/v1/stores/{storeSlug} */
const updateStore: OperatorHandler<Rows['updateStore']> = async ({ params, body }, context) => {
  const { tx, ids, now, operator, audit } = context
  const current = (await lockStore(tx, params.storeSlug)) ?? refuse('not_found')
  const { expectedVersion, ...change } = body
  // Only the marketplace may decide whether a store sells.
  if (operator.store && change.status !== undefined) refuseAccess(operator)
  refuseStale(current.version, expectedVersion)

  const { descriptions, logo, ...line } = { ...storeLineOf(current), ...change }
  await saveStore(tx, { ...line, ...(descriptions && { descriptions }), ...(logo && { logo }) }, { ids, now })

  const saved = await storeOf(tx, params.storeSlug)
  if (change.currencies && saved.currencies.length > change.currencies.length)
    refuse('in_use', pricesIn(saved, change.currencies))
  audit({ subject: { type: 'store', id: current.id }, ...changedFields(presentStore(current), change) })
  return presentStore(saved)
}

function pricesIn({ currencies }: StoreRecord, wanted: readonly string[]) {
  const kept = currencies.filter((currency) => !wanted.includes(currency)).join(', ')
  const message = `There are prices in ${kept}: remove them first.`
  return { details: [{ in: 'body' as const, pointer: '/currencies', code: 'in_use', message }] }
}

/** POST /operator/v1/stores/{storeSlug}/access */
const setStoreAccess: OperatorHandler<Rows['setStoreAccess']> = async (
  { params, body },
  { reader, database, now, auditIn },
) => {
  const { slug } = await storeOf(reader, params.storeSlug)
  const { mode, password, requireGrant } = body
  const change = await prepareStoreAccess({ slug, mode, password, grantPurposes: requireGrant })

  return database.transaction(async (tx) => {
    const current = (await lockStore(tx, slug)) ?? refuse('not_found')
    await setAccess(tx, change, now)
    const saved = await storeOf(tx, slug)
    const seen = ({ access_mode, grant_purposes }: StoreRecord) => ({ mode: access_mode, requireGrant: grant_purposes })
    const after = { ...seen(saved), ...(password !== undefined && { password: 'changed' }) }
    auditIn(tx, { subject: { type: 'store', id: current.id }, before: seen(current), after })
    return presentStore(saved)
  })
}

/** GET /operator/v1/stores/{storeSlug}/staff */
const listStaff: OperatorHandler<Rows['listStaff']> = async ({ params }, { reader }) => {
  const { id } = await storeOf(reader, params.storeSlug)
  return { items: (await list(reader, id, STAFF_MAX)).map(presentStaff) }
}

/** POST /operator/v1/stores/{storeSlug}/staff */
const createStaff: OperatorHandler<Rows['createStaff']> = async (
  { params, body },
  { reader, database, ids, now, auditIn },
) => {
  const store = await storeOf(reader, params.storeSlug)
  const staff = await prepareStaff({ storeSlug: store.slug, ...body })

  return database.transaction(async (tx) => {
    const id = await create(tx, staff, { ids, now })
    auditIn(tx, { subject: { type: 'staff', id }, before: null, after: { store: store.slug, email: body.email } })
    return presentStaff(await memberOf(tx, store.id, id))
  })
}

/** PUT /operator/v1/stores/{storeSlug}/staff/{staffId}/password */
const setStaffPassword: OperatorHandler<Rows['setStaffPassword']> = async (
  { params: { storeSlug, staffId }, body },
  { reader, database, auditIn },
) => {
  const { id: storeId } = await storeOf(reader, storeSlug)
  const passwordHash = await prepareStaffPassword(reader, { staffId, storeId }, body.password)

  return database.transaction(async (tx) => {
    await setPassword(tx, { staffId, storeId }, passwordHash)
    const change = { before: { password: 'the old one' }, after: { password: 'a new one', sessions: 'ended' } }
    auditIn(tx, { subject: { type: 'staff', id: staffId }, ...change })
    return presentStaff(await memberOf(tx, storeId, staffId))
  })
}

async function memberOf(reader: Reader, storeId: string, staffId: string) {
  return present(
    (await list(reader, storeId, STAFF_MAX)).find(({ id }) => id === staffId),
    'just saved',
  )
}

/** DELETE /operator/v1/stores/{storeSlug}/staff/{staffId} */
const removeStaff: OperatorHandler<Rows['removeStaff']> = async ({ params }, { tx, now, audit }) => {
  const { staffId } = params
  const { id: storeId, slug: store } = await storeOf(tx, params.storeSlug)
  const { email, grants } = (await remove(tx, { staffId, storeId }, now)) ?? refuse('not_found')
  audit({ subject: { type: 'staff', id: staffId }, before: { store, email, grants }, after: null })
  return { id: staffId, email }
}

export function storeOperations({ cursorSecret }: { readonly cursorSecret: Secret }) {
  return {
    listStores: listStores(cursorSecret),
    createStore,
    getStore,
    updateStore,
    setStoreAccess,
    listStaff,
    createStaff,
    setStaffPassword,
    removeStaff,
  }
}

async function storeOf(reader: Reader, slug: string): Promise<StoreRecord> {
  return (await findStore(reader, slug)) ?? refuse('not_found')
}

function presentStore(store: StoreRecord): OperatorStore {
  return {
    id: store.id,
    slug: store.slug,
    name: store.names[store.locales[0] ?? ''] ?? Object.values(store.names)[0] ?? store.slug,
    names: { ...store.names },
    ...(store.descriptions && { descriptions: { ...store.descriptions } }),
    currencies: [...store.currencies],
    locales: [...store.locales],
    countries: [...store.countries],
    pricesIncludeTax: store.prices_include_tax,
    contact: { ...store.contact },
    ...(store.logo && { logo: store.logo as NonNullable<OperatorStore['logo']> }),
    policies: store.policies as NonNullable<OperatorStore['policies']>,
    status: store.status,
    accessMode: store.access_mode,
    hasPassword: store.has_password,
    requireGrant: [...store.grant_purposes],
    productCount: store.products,
    version: store.version,
    createdAt: store.created_at.toISOString(),
    updatedAt: store.updated_at.toISOString(),
  }
}

function presentStaff({ id, email, status, created_at }: Awaited<ReturnType<typeof list>>[number]): OperatorStaff {
  return { id, email, status, createdAt: created_at.toISOString() }
}
