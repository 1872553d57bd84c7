import type { OperatorSecondFactor, operatorOperations } from '@vitrine/contract/operator'
import { qrCodePicture } from '../../../features/payments/index.ts'
import { readSiteName } from '../../../features/storefront/index.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { type RateLimiter, refuseOverLimit } from '../../../platform/rate-limit/rate-limiter.ts'
import type { Keyring } from '../../../platform/secrets/keyring.ts'
import { endOperatorSessions, findOperatorAccount } from '../../door/account-store.ts'
import { readRefundLimit, saveRefundLimit } from '../../door/fresh-proof.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import {
  type CodeAttempt,
  confirmSecret,
  isSecondFactorRequired,
  readSecondFactor,
  removeFactor,
  saveNewSecret,
  saveOperatorPolicyRow,
  takeCode,
} from '../../door/second-factor-store.ts'
import { lockOperatorById, noteSecondFactor } from '../../door/session-store.ts'
import { removePasskeys } from '../../door/sign-in/passkey-store.ts'
import { base32, totpUri } from '../../door/totp.ts'
import { provedKey, provePassword, refuseWrong } from './sessions.ts'

type Rows = typeof operatorOperations

/** The length of a name that an app shows, and that fits twice into a QR code. */
const SITE_LENGTH_MAX = 24

interface SecondFactorDeps {
  readonly limiter: RateLimiter
  readonly keyring: Keyring
}

/** GET /operator/v1/session/second-factor */
const getOwnSecondFactor: OperatorHandler<Rows['getOwnSecondFactor']> = async (_input, { reader, operator }) => {
  return presentFactor(reader, operator.id ?? '')
}

/** POST /operator/v1/session/second-factor */
function beginSecondFactor(deps: SecondFactorDeps): OperatorHandler<Rows['beginSecondFactor']> {
  return async ({ body }, context) => {
    const { database, reader, randomness, operator, auditIn } = context
    const { id } = await provePassword(deps.limiter, context, 'password', body.password)
    const site = await readSiteName(reader)

    const secret = await database.transaction(async (tx) => {
      // One that is confirmed meanwhile would be turned off.
      await lockOperatorById(tx, id)
      if ((await readSecondFactor(tx, id)).isOn) refuse('state_conflict', { conflict: { currentState: 'on' } })
      auditIn(tx, { subject: { type: 'operator', id }, before: null, after: { secondFactor: 'begun' } })
      return saveNewSecret(tx, id, { ...deps, randomness })
    })

    const key = base32(secret)
    const uri = totpUri({ key, email: operator.email, site: site.slice(0, SITE_LENGTH_MAX) })
    return { key, uri, qrCode: qrCodePicture(uri) }
  }
}

/** POST /operator/v1/session/second-factor/confirm */
function confirmSecondFactor({ limiter, keyring }: SecondFactorDeps): OperatorHandler<Rows['confirmSecondFactor']> {
  return async ({ body }, { database, reader, randomness, operator, now, sessionToken, auditIn }) => {
    const operatorId = operator.id ?? refuse('session_required')
    refuseOverLimit(await limiter.take('sign-in-account', provedKey(operatorId), now.getTime()))
    if ((await readSecondFactor(reader, operatorId)).isOn)
      refuse('state_conflict', { conflict: { currentState: 'on' } })

    const recoveryCodes = await database.transaction(async (tx) => {
      const codes = await confirmSecret(tx, { operatorId, code: body.code, now, keyring }, randomness)
      if (codes === null) return refuseWrong('code', 'The code does not match. Check the time of your phone.')
      const subject = { type: 'operator', id: operatorId }
      if (sessionToken !== null) noteSecondFactor(tx, sessionToken)
      auditIn(tx, { subject, before: { secondFactor: 'off' }, after: { secondFactor: 'on' } })
      return codes
    })

    return { recoveryCodes: [...recoveryCodes] }
  }
}

/** POST /operator/v1/session/second-factor/remove */
function removeOwnSecondFactor(deps: SecondFactorDeps): OperatorHandler<Rows['removeOwnSecondFactor']> {
  return async ({ body }, context) => {
    const { database, reader, now, auditIn } = context
    const { id: operatorId } = await provePassword(deps.limiter, context, 'password', body.password)

    await database.transaction(async (tx) => {
      const attempt: CodeAttempt = { operatorId, code: body.code, now, keyring: deps.keyring }
      const proof = await takeCode(tx, attempt)
      if (proof === 'off' || proof === 'passkey') refuse('state_conflict', { conflict: { currentState: 'off' } })
      if (proof !== 'passed') refuseWrong('code', 'The code does not match.')
      removeFactor(tx, operatorId)
      const subject = { type: 'operator', id: operatorId }
      auditIn(tx, { subject, before: { secondFactor: 'on' }, after: { secondFactor: 'off' } })
    })

    return presentFactor(reader, operatorId)
  }
}

/** POST /operator/v1/operators/{operatorId}/second-factor/remove */
const removeSecondFactor: OperatorHandler<Rows['removeSecondFactor']> = async ({ params }, { tx, audit }) => {
  const { operatorId: id } = params
  if (!(await findOperatorAccount(tx, id))) refuse('not_found')
  const { hasOwn, isRequired } = await readSecondFactor(tx, id)
  if (!hasOwn) refuse('state_conflict', { conflict: { currentState: 'off' } })

  removeFactor(tx, id)
  removePasskeys(tx, id)
  endOperatorSessions(tx, id)
  audit({ subject: { type: 'operator', id }, before: { secondFactor: 'on' }, after: { secondFactor: 'off' } })

  return { status: 'off', passkeys: 0, required: isRequired, recoveryCodesLeft: 0 }
}

/** GET /operator/v1/operator-policy */
const getOperatorPolicy: OperatorHandler<Rows['getOperatorPolicy']> = async (_input, { reader }) => {
  return readPolicy(reader)
}

/** PUT /operator/v1/operator-policy */
const saveOperatorPolicy: OperatorHandler<Rows['saveOperatorPolicy']> = async ({ body }, { tx, operator, audit }) => {
  const { requiresSecondFactor, proofForRefundsOver } = body
  const [current, before] = await Promise.all([readSecondFactor(tx, operator.id ?? ''), readPolicy(tx)])
  if (requiresSecondFactor && operator.id !== null && !current.hasOwn) {
    refuse('state_conflict', { conflict: { currentState: 'off', allowed: ['on'] } })
  }

  saveOperatorPolicyRow(tx, requiresSecondFactor)
  saveRefundLimit(tx, proofForRefundsOver)
  audit({ subject: { type: 'operator_policy', id: 'marketplace' }, before, after: body })

  return body
}

export function secondFactorOperations(deps: SecondFactorDeps) {
  return {
    getOwnSecondFactor,
    beginSecondFactor: beginSecondFactor(deps),
    confirmSecondFactor: confirmSecondFactor(deps),
    removeOwnSecondFactor: removeOwnSecondFactor(deps),
    removeSecondFactor,
    getOperatorPolicy,
    saveOperatorPolicy,
  }
}

async function readPolicy(reader: Reader) {
  const [requiresSecondFactor, proofForRefundsOver] = await Promise.all([
    isSecondFactorRequired(reader),
    readRefundLimit(reader),
  ])
  return { requiresSecondFactor, proofForRefundsOver }
}

async function presentFactor(reader: Reader, operatorId: string): Promise<OperatorSecondFactor> {
  const { isOn, passkeys, isRequired, recoveryCodesLeft } = await readSecondFactor(reader, operatorId)
  return { status: isOn ? 'on' : 'off', passkeys, required: isRequired, recoveryCodesLeft }
}
