import { present } from '../../kernel/assert.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import { hashOfToken } from '../../platform/auth/opaque-token.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { Keyring } from '../../platform/secrets/keyring.ts'
import { base32, matchingStep, TOTP_SECRET_BYTES } from './totp.ts'

interface FactorRow {
  readonly totp_key_id: string | null
  readonly totp_secret: Buffer | null
  readonly totp_confirmed_at: Date | null
  /** A bigint. */
  readonly totp_step: string
  readonly recovery_hashes: readonly Buffer[]
  readonly passkeys: number
}

const COLUMNS = `totp_key_id, totp_secret, totp_confirmed_at, totp_step, recovery_hashes,
  (select count(*)::integer from operator_passkeys where operator_id = operators.id) as passkeys`
const read = statement<FactorRow>('operators.factor', `select ${COLUMNS} from operators where id = $1`)
const lock = statement<FactorRow>('operators.lock_factor', `select ${COLUMNS} from operators where id = $1 for update`)
const begin = statement(
  'operators.begin_factor',
  `update operators set totp_key_id = $2, totp_secret = $3, totp_confirmed_at = null, totp_step = 0, recovery_hashes = '{}'
   where id = $1`,
)
const confirm = statement(
  'operators.confirm_factor',
  'update operators set totp_confirmed_at = $2, totp_step = $3, recovery_hashes = $4 where id = $1',
)
const keepStep = statement('operators.keep_step', 'update operators set totp_step = $2 where id = $1')
const useRecovery = statement(
  'operators.use_recovery',
  'update operators set recovery_hashes = array_remove(recovery_hashes, $2) where id = $1',
)
const remove = statement(
  'operators.remove_factor',
  `update operators set totp_key_id = null, totp_secret = null, totp_confirmed_at = null, totp_step = 0, recovery_hashes = '{}'
   where id = $1`,
)
const readPolicy = statement<{ requires_second_factor: boolean }>(
  'operators.policy',
  'select requires_second_factor from operator_policy',
)
const savePolicy = statement('operators.save_policy', 'update operator_policy set requires_second_factor = $1')

const RECOVERY_CODES = 10
const RECOVERY_BYTES = 8

/** The second factors of an operator: whether the authenticator app is on, how many passkeys, and whether there is either. */
export async function readSecondFactor(reader: Reader, operatorId: string) {
  const [row, isRequired] = await Promise.all([reader.row(read, [operatorId]), isSecondFactorRequired(reader)])
  const isOn = Boolean(row?.totp_confirmed_at)
  const passkeys = row?.passkeys ?? 0
  return {
    isOn,
    passkeys,
    hasOwn: isOn || passkeys > 0,
    isRequired,
    recoveryCodesLeft: isOn ? present(row, 'read').recovery_hashes.length : 0,
  }
}

/** Whether the marketplace requires a second factor. */
export async function isSecondFactorRequired(reader: Reader): Promise<boolean> {
  return (await reader.row(readPolicy))?.requires_second_factor ?? false
}

/** Stores a new secret, sealed for its operator. It takes effect once it is confirmed. @returns the secret */
export function saveNewSecret(
  tx: Transaction,
  operatorId: string,
  { keyring, randomness }: { readonly keyring: Keyring; readonly randomness: Randomness },
): Buffer {
  const secret = Buffer.from(randomness.bytes(TOTP_SECRET_BYTES))
  const { keyId, bytes } = keyring.seal(secret, placeOf(operatorId))
  tx.write(begin, [operatorId, keyId, bytes])
  return secret
}

/** Turns the second factor on with a first code. @returns the recovery codes; `null` if the code is wrong */
export async function confirmSecret(
  tx: Transaction,
  attempt: CodeAttempt,
  randomness: Randomness,
): Promise<readonly string[] | null> {
  const { operatorId, now } = attempt
  const row = await tx.row(lock, [operatorId])
  const step = row && !row.totp_confirmed_at ? stepOf(row, attempt) : null
  if (step === null) return null
  const codes = Array.from({ length: RECOVERY_CODES }, () => recoveryCode(randomness))
  tx.write(confirm, [operatorId, now, step, codes.map((code) => hashOfToken(normalized(code)))])
  return codes
}

export interface CodeAttempt {
  readonly operatorId: string
  readonly code: string | undefined
  readonly now: Date
  readonly keyring: Keyring
}

/** The result of a code. `off`: no second factor; `passkey`: only passkeys; `missing`: no code; `passed`: accepted and used up. */
export type Proof = 'off' | 'passkey' | 'passed' | 'missing' | 'failed'

/** Checks the code of the second factor and uses it up, in the transaction of the action that it allows. */
export async function takeCode(tx: Transaction, attempt: CodeAttempt): Promise<Proof> {
  const { operatorId, code } = attempt
  const row = await tx.row(lock, [operatorId])
  if (!row?.totp_confirmed_at) return row !== undefined && row.passkeys > 0 ? 'passkey' : 'off'
  if (code === undefined || code === '') return 'missing'
  const step = stepOf(row, attempt)
  if (step !== null) {
    tx.write(keepStep, [operatorId, step])
    return 'passed'
  }
  const hash = hashOfToken(normalized(code))
  if (!row.recovery_hashes.some((each) => each.equals(hash))) return 'failed'
  tx.write(useRecovery, [operatorId, hash])
  return 'passed'
}

export function removeFactor(tx: Transaction, operatorId: string): void {
  tx.write(remove, [operatorId])
}

export function saveOperatorPolicyRow(tx: Transaction, requiresSecondFactor: boolean): void {
  tx.write(savePolicy, [requiresSecondFactor], { rows: 1 })
}

function stepOf(row: FactorRow, { operatorId, code = '', now, keyring }: CodeAttempt): number | null {
  const { totp_key_id: keyId, totp_secret: bytes } = row
  if (keyId === null || bytes === null) return null
  const secret = keyring.open({ keyId, bytes }, placeOf(operatorId))
  return matchingStep(secret, code.replaceAll(' ', ''), { now, lastStep: Number(row.totp_step) })
}

/** The place that a secret is sealed for. */
function placeOf(operatorId: string): string {
  return `${operatorId}/totp`
}

/** Thirteen letters and digits in groups: 64 bits, too many to guess. */
function recoveryCode(randomness: Randomness): string {
  const text = base32(randomness.bytes(RECOVERY_BYTES)).toLowerCase()
  return `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`
}

function normalized(code: string): string {
  return code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}
