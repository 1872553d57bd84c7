import type { OperatorInstallation, OperatorKey, operatorOperations } from '@vitrine/contract/operator'
import {
  changeInstallation,
  createInstallation as create,
  createKey,
  findInstallationRecord,
  findKey,
  type InstallationRecord,
  type KeyRow,
  keyStatus,
  listInstallationRecords,
  listKeys,
  loadRecordedProofs,
  lockInstallation,
  READINESS_PROOFS,
  recordReadinessProof as record,
  revokeKey,
  rotateKey,
} from '../../../features/installations/index.ts'
import { present } from '../../../kernel/assert.ts'
import { refuse, refuseField, refuseStale } from '../../../kernel/refusal.ts'
import { thumbprintOf } from '../../../platform/auth/dpop.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { likeOf, pagingOf } from '../../door/paging.ts'
import { expiryOf } from '../../door/period.ts'
import type { PaymentOperationDeps } from '../sales/payments.ts'

type Rows = typeof operatorOperations

/** GET /operator/v1/installations */
function listInstallations(cursorSecret: Secret): OperatorHandler<Rows['listInstallations']> {
  return async ({ query }, { reader, now }) => {
    const paging = pagingOf<string>(cursorSecret, ['installations', query.q], query)
    const question = { like: likeOf(query.q), afterId: paging.after, limit: paging.limit, now }
    return paging.page(await listInstallationRecords(reader, question), ({ id }) => id, presentInstallation)
  }
}

/** POST /operator/v1/installations */
const createInstallation: OperatorHandler<Rows['createInstallation']> = async ({ body }, context) => {
  const { tx, now, audit } = context
  const id = await create(tx, body, context)
  audit({ subject: { type: 'installation', id }, before: null, after: { ...body } })
  return presentInstallation(present(await findInstallationRecord(tx, id, now), 'just created'))
}

/** GET /operator/v1/installations/{installationId} */
const getInstallation: OperatorHandler<Rows['getInstallation']> = async ({ params }, { reader, now }) => {
  return presentInstallation(await installationOf(reader, params.installationId, now))
}

/** PATCH /operator/v1/installations/{installationId} */
const updateInstallation: OperatorHandler<Rows['updateInstallation']> = async ({ params, body }, context) => {
  const { tx, now, audit } = context
  const current = (await lockInstallation(tx, params.installationId, now)) ?? refuse('not_found')
  const { expectedVersion, returnUrls, ...rest } = body
  refuseStale(current.version, expectedVersion)

  const change = { ...rest, ...(returnUrls && { return_urls: returnUrls }) }
  changeInstallation(tx, current, change, now)

  const before = Object.fromEntries(
    Object.keys(change).map((name) => [name, current[name as keyof InstallationRecord]]),
  )
  audit({ subject: { type: 'installation', id: current.id }, before, after: change })
  return presentInstallation(await installationOf(tx, current.id, now))
}

/** GET /operator/v1/installations/{installationId}/keys */
const listInstallationKeys: OperatorHandler<Rows['listInstallationKeys']> = async ({ params }, { reader, now }) => {
  await installationOf(reader, params.installationId, now)
  const keys = await listKeys(reader, params.installationId)
  return { items: keys.map((key) => presentKey(key, now)) }
}

/** GET /operator/v1/keys/{keyId} */
const getKey: OperatorHandler<Rows['getKey']> = async ({ params }, { reader, now }) => {
  const key = (await findKey(reader, params.keyId)) ?? refuse('not_found')
  return { key: presentKey(key, now), installationId: key.installation_id }
}

/** POST /operator/v1/installations/{installationId}/keys */
const createInstallationKey: OperatorHandler<Rows['createInstallationKey']> = async ({ params, body }, context) => {
  const { tx, now, audit } = context
  const { installationId } = params
  await installationOf(tx, installationId, now)
  const { scopes, publicKey, expiresAt } = body
  const jkt = publicKey && (await thumbprintOf(publicKey))

  const created = await createKey(
    tx,
    { installationId, scopes, jkt, expiresAt: expiryOf(expiresAt, now) ?? undefined },
    context,
  )

  audit({
    subject: { type: 'key', id: created.keyId },
    before: null,
    after: { installationId, scopes, jkt, expiresAt },
  })
  return { ...created, ...(jkt && { jkt }), keyState: 'shown' }
}

/** POST /operator/v1/installations/{installationId}/keys/{keyId}/rotate */
const rotateInstallationKey: OperatorHandler<Rows['rotateInstallationKey']> = async ({ params, body }, context) => {
  const { tx, now, audit } = context
  const current = await keyOf(tx, params, now)
  const jkt = body.publicKey && (await thumbprintOf(body.publicKey))

  const created = await rotateKey(tx, { keyId: params.keyId, jkt }, context)

  const { key, keyId, oldKeyExpiresAt } = created
  const after = { replacedBy: keyId, expiresAt: oldKeyExpiresAt.toISOString() }
  const before = { replacedBy: null, expiresAt: current.expires_at }
  audit({ subject: { type: 'key', id: params.keyId }, before, after })
  return { key, keyId, ...(created.jkt && { jkt: created.jkt }), oldKeyExpiresAt: oldKeyExpiresAt.toISOString() }
}

/** POST /operator/v1/installations/{installationId}/keys/{keyId}/revoke */
const revokeInstallationKey: OperatorHandler<Rows['revokeInstallationKey']> = async ({ params }, context) => {
  const { tx, now, audit } = context
  const before = { revokedAt: (await keyOf(tx, params, now)).revoked_at }
  const revokedAt = (await revokeKey(tx, params.keyId, now)).toISOString()
  audit({ subject: { type: 'key', id: params.keyId }, before, after: { revokedAt } })
  return { keyId: params.keyId, revokedAt }
}

/** GET /operator/v1/readiness-proofs */
const listReadinessProofs: OperatorHandler<Rows['listReadinessProofs']> = async (_input, { reader }) => {
  const recorded = await loadRecordedProofs(reader)
  const items = READINESS_PROOFS.map(({ code, remedy }) => ({ code, remedy, recorded: recorded.has(code) }))
  return { items, activated: items.every((proof) => proof.recorded) }
}

/** POST /operator/v1/readiness-proofs */
function recordReadinessProof({
  payments,
  problemsOfProof,
}: InstallationOperationDeps): OperatorHandler<Rows['recordReadinessProof']> {
  return async ({ body: { code, note } }, { database, now, auditIn }) => {
    const problems =
      code === 'payment_provider_live' ? await payments.problemsIn('live') : await problemsOfProof(code, now)
    if (problems.length > 0) refuseField('code', 'not_ready', problems.join(' '))
    await database.transaction(async (tx) => {
      const recorded = (await loadRecordedProofs(tx)).has(code)
      record(tx, code, note, now)
      const subject = { type: 'readiness_proof', id: code }
      auditIn(tx, { subject, before: { recorded }, after: { recorded: true, note } })
    })
    const { remedy } = present(
      READINESS_PROOFS.find((proof) => proof.code === code),
      'known',
    )
    return { code, remedy, recorded: true }
  }
}

export interface InstallationOperationDeps extends PaymentOperationDeps {
  /** The problems with a proof that this process can see. */
  readonly problemsOfProof: (code: string, now: Date) => Promise<readonly string[]>
}

export function installationOperations(deps: InstallationOperationDeps) {
  return {
    listInstallations: listInstallations(deps.cursorSecret),
    createInstallation,
    getInstallation,
    updateInstallation,
    listInstallationKeys,
    getKey,
    createInstallationKey,
    rotateInstallationKey,
    revokeInstallationKey,
    listReadinessProofs,
    recordReadinessProof: recordReadinessProof(deps),
  }
}

async function installationOf(reader: Reader, id: string, now: Date): Promise<InstallationRecord> {
  return (await findInstallationRecord(reader, id, now)) ?? refuse('not_found')
}

/** Refuses a key of another installation. */
async function keyOf(
  reader: Reader,
  { installationId, keyId }: { readonly installationId: string; readonly keyId: string },
  now: Date,
) {
  await installationOf(reader, installationId, now)
  const keys = await listKeys(reader, installationId)
  return keys.find(({ id }) => id === keyId) ?? refuse('not_found')
}

function presentInstallation(row: InstallationRecord): OperatorInstallation {
  const { id, name, status, environment, store_id, store_slug, version } = row
  return {
    id,
    name,
    status,
    environment,
    ...(store_id !== null && store_slug !== null && { store: { id: store_id, slug: store_slug } }),
    origins: [...row.origins],
    returnUrls: [...row.return_urls],
    keyCount: row.key_count,
    version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

function presentKey(key: KeyRow, now: Date): OperatorKey {
  return {
    id: key.id,
    display: key.display,
    scopes: [...key.scopes],
    standing: keyStatus(key, now),
    ...(key.jkt !== null && { jkt: key.jkt }),
    createdAt: key.created_at.toISOString(),
    ...(key.expires_at && { expiresAt: key.expires_at.toISOString() }),
    ...(key.revoked_at && { revokedAt: key.revoked_at.toISOString() }),
    ...(key.last_used_at && { lastUsedAt: key.last_used_at.toISOString() }),
    ...(key.replaced_by !== null && { replacedBy: key.replaced_by }),
  }
}
