import type { PasskeyAssertion } from '@vitrine/contract/operator'
import { present } from '../../../kernel/assert.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { takeChallenge } from './challenge-store.ts'
import { type Credential, challengeIn, type RelyingParty, verifySigned } from './passkeys.ts'

/** A passkey of an operator. */
export interface PasskeyRow {
  readonly id: string
  readonly operator_id: string
  readonly credential_id: Buffer
  readonly public_key: Buffer
  /** A bigint. */
  readonly counter: string
  readonly rp_id: string
  readonly name: string
  readonly transports: readonly string[]
  readonly is_synced: boolean
  readonly created_at: Date
  readonly last_used_at: Date | null
}

/** As many as one person can tell apart. */
export const PASSKEYS_MAX = 20

const list = statement<PasskeyRow>(
  'operators.list_passkeys',
  'select * from operator_passkeys where operator_id = $1 order by id limit $2',
)
const lockOne = statement<PasskeyRow>(
  'operators.lock_passkey',
  'select * from operator_passkeys where credential_id = $1 for update',
)
const insert = statement(
  'operators.insert_passkey',
  `insert into operator_passkeys (id, operator_id, credential_id, public_key, counter, rp_id, name, transports, is_synced, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (credential_id) do nothing`,
)
const noteUse = statement(
  'operators.note_passkey_use',
  'update operator_passkeys set counter = $2, last_used_at = $3 where id = $1',
)
const removeOne = statement<{ name: string }>(
  'operators.remove_passkey',
  'delete from operator_passkeys where id = $1 and operator_id = $2 returning name',
)
const removeAll = statement('operators.remove_passkeys', 'delete from operator_passkeys where operator_id = $1')

export function listPasskeys(reader: Reader, operatorId: string): Promise<PasskeyRow[]> {
  return reader.rows(list, [operatorId, PASSKEYS_MAX])
}

/** A credential to store, with the name that its operator gave it. */
interface NewPasskey extends Credential {
  readonly id: string
  readonly operatorId: string
  readonly rpId: string
  readonly name: string
  readonly transports: readonly string[]
  readonly now: Date
}

/** Stores a passkey. False if the credential belongs to an operator already. */
export async function insertPasskey(tx: Transaction, passkey: NewPasskey): Promise<boolean> {
  const { id, operatorId, credentialId, publicKey, counter, rpId, name, transports, isSynced, now } = passkey
  const row = [id, operatorId, credentialId, publicKey, counter, rpId, name, transports, isSynced, now]
  return (await tx.change(insert, row)) === 1
}

/** @returns the name of the removed passkey; `undefined` if it is not theirs */
export async function removePasskey(tx: Transaction, id: string, operatorId: string): Promise<string | undefined> {
  return (await tx.row(removeOne, [id, operatorId]))?.name
}

export function removePasskeys(tx: Transaction, operatorId: string): void {
  tx.write(removeAll, [operatorId])
}

interface Expected {
  readonly purpose: 'passkey_sign_in' | 'passkey_proof'
  /** `null`: the owner of the passkey. */
  readonly operatorId: string | null
  readonly now: Date
  readonly party: RelyingParty
}

/** Whether the user handle, if there is one, is that of the owner. @see WebAuthn Level 3 §7.2 */
function names({ userHandle }: PasskeyAssertion, { operator_id }: PasskeyRow): boolean {
  return userHandle === undefined || Buffer.from(userHandle, 'base64url').toString() === operator_id
}

/** The result of an assertion: the owner of the passkey, if known, and whether it is accepted. */
interface TakenPasskey {
  readonly operatorId: string | null
  readonly isAccepted: boolean
}

/**
 * Verifies an assertion and uses its challenge up, even if it is not accepted. The caller must commit: a refusal would roll back, and
 * the challenge could be used again.
 */
export async function takePasskey(
  tx: Transaction,
  signed: PasskeyAssertion,
  expected: Expected,
): Promise<TakenPasskey> {
  const { operatorId, now, party } = expected
  const challenge = challengeIn(signed.clientDataJSON)
  const isOurs = challenge !== null && (await takeChallenge(tx, challenge, expected))
  const stored = await tx.row(lockOne, [Buffer.from(signed.id, 'base64url')])
  const owner = stored?.operator_id ?? null
  const isOf = operatorId === null || operatorId === owner
  if (!isOurs || !stored || !isOf || stored.rp_id !== party.id || !names(signed, stored))
    return { operatorId: owner, isAccepted: false }
  const counter = await verifySigned(signed, stored, present(challenge, 'taken'), party)
  if (counter === null) return { operatorId: owner, isAccepted: false }
  tx.write(noteUse, [stored.id, counter, now], { rows: 1 })
  return { operatorId: owner, isAccepted: true }
}
