import type { operatorOperations } from '@vitrine/contract/operator'
import { enqueueReseal } from '../../../features/fulfillment/index.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Randomness } from '../../../kernel/randomness.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { bumpRevision } from '../../../platform/revisions/revisions.ts'
import type { Keyring } from '../../../platform/secrets/keyring.ts'
import { assertOpenable, resealAll } from '../../../platform/secrets/sealed-places.ts'
import { forgetOtherKeys, SealingKeyError } from '../../../platform/secrets/sealing-keys.ts'
import {
  countPlainSecrets,
  forgetPlainSecrets as forgetPlain,
  listSecrets as list,
  rotateSecret as rotate,
  SECRETS_SUBJECT,
  type SecretPurpose,
} from '../../../platform/secrets/server-secrets.ts'
import type { OperatorHandler } from '../../door/handler.ts'

type Rows = typeof operatorOperations

export interface SecretOperationDeps {
  readonly keyring: Keyring
  readonly randomness: Randomness
  readonly clock: Clock
  /** Puts a new key in front of those in the data directory; `null` where the operator keeps the keys. */
  readonly addSealingKey: (() => Promise<void>) | null
}

/** GET /operator/v1/secrets */
function listSecrets({ keyring }: SecretOperationDeps): OperatorHandler<Rows['listSecrets']> {
  return async (_input, { reader, now }) => {
    const [secrets, plain] = await Promise.all([list(reader, now), countPlainSecrets(reader)])
    const items = secrets.map(({ purpose, versions }) => ({
      purpose,
      versions: versions.map(({ createdAt, signsFrom, acceptedUntil, ...version }) => ({
        ...version,
        createdAt: createdAt.toISOString(),
        signsFrom: signsFrom.toISOString(),
        acceptedUntil: acceptedUntil?.toISOString() ?? null,
      })),
    }))
    return { items, keyId: keyring.keyId, plain }
  }
}

const OF_LICENSES = ['licence-keys', 'licence-fingerprint'] as const

/** An earlier release would reject signatures of the new version. */
const EARLIER_RELEASE = {
  field: 'purpose',
  code: 'plain_copies',
  message: 'Nodes of an earlier release may still run. Once none does: vitrine secret forget-plain.',
}

/** POST /operator/v1/secrets/rotate */
function rotateSecret(deps: SecretOperationDeps): OperatorHandler<Rows['rotateSecret']> {
  return async ({ body: { purpose, dropsOld = false } }, { tx, ids, audit }) => {
    if ((await countPlainSecrets(tx)) > 0) refuse('state_conflict', { faults: [EARLIER_RELEASE] })
    const isOfLicenses = OF_LICENSES.some((each) => each === purpose)
    const together: readonly SecretPurpose[] = isOfLicenses ? OF_LICENSES : [purpose]
    const items = []
    for (const each of together) {
      const { signsFrom, oldAcceptedUntil, ...rotated } = await rotate(tx, each, { dropsOld }, deps)
      if (each === 'licence-keys') enqueueReseal(tx, signsFrom, ids)
      items.push({
        ...rotated,
        signsFrom: signsFrom.toISOString(),
        oldAcceptedUntil: oldAcceptedUntil.toISOString(),
      })
    }
    audit({ subject: { type: 'secret', id: purpose }, before: null, after: { rotated: items } })
    return { items }
  }
}

/** POST /operator/v1/secrets/rotate-sealing-key */
function rotateSealingKey({ keyring, addSealingKey }: SecretOperationDeps): OperatorHandler<Rows['rotateSealingKey']> {
  return async (_input, { tx, audit }) => {
    // If the transaction is retried, an unused key stays in the file.
    await addSealingKey?.()
    keyring.lookAgain()
    await assertOpenable(tx, keyring).catch(refuseMissingKey)
    const resealed = await resealAll(tx, keyring)
    forgetOtherKeys(tx, keyring)
    const { keyId } = keyring
    audit({ subject: { type: 'sealing_key', id: keyId }, before: null, after: { resealed, keyId } })
    // Other nodes read what is sealed with it, and so the key.
    bumpRevision(tx, SECRETS_SUBJECT)
    return { resealed, keyId }
  }
}

function refuseMissingKey(error: unknown): never {
  if (!(error instanceof SealingKeyError)) throw error
  refuse('state_conflict', { faults: [{ field: '', code: 'key_missing', message: error.message }] })
}

/** POST /operator/v1/secrets/forget-plain */
const forgetPlainSecrets: OperatorHandler<Rows['forgetPlainSecrets']> = async (_input, { tx, audit }) => {
  const forgotten = await forgetPlain(tx)
  audit({ subject: { type: 'secret', id: 'plain' }, before: null, after: { forgotten } })
  return { forgotten }
}

export function secretOperations(deps: SecretOperationDeps) {
  return {
    listSecrets: listSecrets(deps),
    rotateSecret: rotateSecret(deps),
    rotateSealingKey: rotateSealingKey(deps),
    forgetPlainSecrets,
  }
}
