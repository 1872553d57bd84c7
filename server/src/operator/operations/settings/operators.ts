import {
  type OperatorAccount,
  type OperatorSessionSummary,
  type operatorOperations,
  operatorRoles,
} from '@vitrine/contract/operator'
import { hashNewPassword } from '../../../features/accounts/index.ts'
import { cancelImportsOf, findStore } from '../../../features/catalog/index.ts'
import { revokeGrantsOfApprover } from '../../../features/oauth/index.ts'
import { present } from '../../../kernel/assert.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { Randomness } from '../../../kernel/randomness.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { hashOfToken } from '../../../platform/auth/opaque-token.ts'
import { addressForLimits } from '../../../platform/http/client-address.ts'
import { deviceName } from '../../../platform/http/device-name.ts'
import { enqueue } from '../../../platform/jobs/index.ts'
import { sendMail } from '../../../platform/mail/index.ts'
import type { Transaction } from '../../../platform/postgres/reader.ts'
import { type RateLimiter, refuseOverLimit } from '../../../platform/rate-limit/rate-limiter.ts'
import type { Keyring } from '../../../platform/secrets/keyring.ts'
import {
  choosePassword,
  createOperatorLink,
  disableOperator,
  enableOperator,
  endOperatorSessions,
  endSessionOf,
  findOperatorAccount,
  findOperatorByLink,
  listOperatorAccounts,
  listOperatorSessions,
  type OperatorAccountRow,
  type OperatorSessionRow,
  replacePassword,
  saveRole,
} from '../../door/account-store.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { takeCode } from '../../door/second-factor-store.ts'
import {
  endOperatorSession,
  findOperator,
  insertOperator,
  lockOperators,
  openOperatorSession,
} from '../../door/session-store.ts'
import { linkUrl, OPERATOR_RESET_JOB, operatorMail } from './operator-mails.ts'
import {
  accountKey,
  presentSession,
  provedKey,
  provePassword,
  refuseWrong,
  WRONG_PASSWORD,
  withNeeds,
} from './sessions.ts'

type Rows = typeof operatorOperations

interface OperatorAccountDeps {
  readonly limiter: RateLimiter
  readonly keyring: Keyring
  /** The URL of the console, for links. */
  readonly operatorUrl: string
}

/** GET /operator/v1/operators */
const listOperators: OperatorHandler<Rows['listOperators']> = async (_input, { reader }) => {
  return { items: (await listOperatorAccounts(reader)).map(presentAccount) }
}

/** POST /operator/v1/operators */
function addOperator({ operatorUrl }: OperatorAccountDeps): OperatorHandler<Rows['addOperator']> {
  return async ({ body }, context) => {
    const { database, ids, now, auditIn } = context
    const { email, role, store = null, password } = body
    const { language } = context
    const passwordHash = password === undefined ? null : await hashNewPassword(password, email, 'password')
    const id = ids.next('opr')

    const created = await database.transaction(async (tx) => {
      const storeId = await storeFor(tx, role, store)
      if (!(await insertOperator(tx, { id, email, role, storeId, language, passwordHash, now }))) refuse('name_taken')
      if (passwordHash === null) await invite(tx, { id, email, role, language }, { ...context, operatorUrl })
      auditIn(tx, { subject: { type: 'operator', id }, before: null, after: { email, role, store } })
      return present(await findOperatorAccount(tx, id), 'just created')
    })

    return presentAccount(created)
  }
}

/** POST /operator/v1/operators/{operatorId}/invitation */
function inviteOperatorAgain({ operatorUrl }: OperatorAccountDeps): OperatorHandler<Rows['inviteOperatorAgain']> {
  return async ({ params }, context) => {
    const { tx, audit } = context
    const { operatorId: id } = params
    await lockOperators(tx)
    const found = (await findOperatorAccount(tx, id)) ?? refuse('not_found')
    assertStatus(found, ['invited'])

    await invite(tx, found, { ...context, operatorUrl })
    audit({ subject: { type: 'operator', id }, before: null, after: { invited: true, email: found.email } })

    return presentAccount(present(await findOperatorAccount(tx, id), 'held'))
  }
}

interface InviteContext {
  readonly ids: IdSource
  readonly now: Date
  readonly randomness: Randomness
  readonly operatorUrl: string
}

async function invite(
  tx: Transaction,
  to: Pick<OperatorAccountRow, 'id' | 'email' | 'role' | 'language'>,
  { ids, now, randomness, operatorUrl }: InviteContext,
): Promise<void> {
  const { token } = createOperatorLink(tx, { operatorId: to.id, purpose: 'invitation' }, { now, randomness })
  sendMail(tx, await operatorMail(tx, 'operators.invitation', to, linkUrl(operatorUrl, token)), { ids, now })
}

/** PATCH /operator/v1/operators/{operatorId} */
const updateOperator: OperatorHandler<Rows['updateOperator']> = async ({ params, body }, context) => {
  const { tx, now, operator, audit } = context
  const { operatorId: id } = params
  // If two operators disable each other at once, the second request waits here and then sees the result of the first.
  await lockOperators(tx)
  const all = await listOperatorAccounts(tx)
  const found = all.find((each) => each.id === id) ?? refuse('not_found')
  const { role = found.role, store = found.store, status = found.disabled_at ? 'disabled' : 'active' } = body
  const anotherOwner = all.some((each) => each.id !== id && isActiveOwner(each))
  const losesAnOwner = isActiveOwner(found) && (role !== 'owner' || status === 'disabled')
  if (id === operator.id || (losesAnOwner && !anotherOwner)) {
    refuse('state_conflict', { conflict: { currentState: statusOf(found), allowed: ['active'] } })
  }

  const storeId = await storeFor(tx, role, store)
  if (role !== found.role || store !== found.store) saveRole(tx, id, role, storeId)
  if (status === 'disabled' && !found.disabled_at) disableOperator(tx, id, now)
  // The grants that they approved end when they may no longer approve apps.
  const mayApprove = status === 'active' && storeId === null && operatorRoles[role].apps === 'write'
  const endedGrants = mayApprove ? 0 : await revokeGrantsOfApprover(tx, id, now)
  // So do the imports that they have uploaded.
  const mayImport =
    status === 'active' && operatorRoles[role].catalog === 'write' && [null, found.store].includes(store)
  const canceledImports = mayImport ? [] : await cancelImportsOf(tx, id, now)
  if (status === 'active' && found.disabled_at) enableOperator(tx, id)

  audit({
    subject: { type: 'operator', id },
    before: { role: found.role, store: found.store, status: statusOf(found) },
    after: {
      role,
      store,
      status,
      email: found.email,
      ...(endedGrants > 0 && { endedGrants }),
      ...(canceledImports.length > 0 && { canceledImports }),
    },
  })
  return presentAccount(present(await findOperatorAccount(tx, id), 'held'))
}

/** POST /operator/v1/operators/{operatorId}/end-sessions */
const endSessionsOfOperator: OperatorHandler<Rows['endOperatorSessions']> = async ({ params }, { tx, audit }) => {
  const { operatorId: id } = params
  const found = (await findOperatorAccount(tx, id)) ?? refuse('not_found')

  endOperatorSessions(tx, id)
  audit({ subject: { type: 'operator', id }, before: { sessions: 'open' }, after: { sessions: 'ended' } })

  const { last_used_at: _, ...rest } = found
  return presentAccount({ ...rest, last_used_at: null })
}

/** POST /operator/v1/operators/{operatorId}/link */
function createLink({ operatorUrl }: OperatorAccountDeps): OperatorHandler<Rows['createOperatorLink']> {
  return async ({ params }, { tx, now, randomness, audit }) => {
    const { operatorId: id } = params
    await lockOperators(tx)
    const found = (await findOperatorAccount(tx, id)) ?? refuse('not_found')
    assertStatus(found, ['invited', 'active'])

    const { token, expiresAt } = createOperatorLink(tx, { operatorId: id, purpose: 'reset' }, { now, randomness })
    audit({
      subject: { type: 'operator', id },
      before: null,
      after: { link: 'to choose a password', email: found.email },
    })

    return { url: linkUrl(operatorUrl, token), expiresAt: expiresAt.toISOString() }
  }
}

/** POST /operator/v1/password-resets */
function requestReset({ limiter }: OperatorAccountDeps): OperatorHandler<Rows['requestOperatorPasswordReset']> {
  return async ({ body }, { database, reader, ids, now, address }) => {
    const { email } = body
    refuseOverLimit(await limiter.take('reset-address', addressForLimits(address), now.getTime()))
    refuseOverLimit(await limiter.take('reset-account', accountKey(email), now.getTime()))
    const found = await findOperator(reader, email)

    const subject = found?.id ?? ids.next('opr')
    await database.transaction(async (tx) => enqueue(tx, { kind: OPERATOR_RESET_JOB, subject, runAt: now }, ids))

    return { status: 'accepted' }
  }
}

/** POST /operator/v1/password-resets/confirm */
function chooseOperatorPassword({
  limiter,
  keyring,
}: OperatorAccountDeps): OperatorHandler<Rows['chooseOperatorPassword']> {
  return async ({ body }, context) => {
    const { database, reader, ids, now, address, sessionToken, setSession, actAs, auditIn } = context
    const { token, password } = body
    refuseOverLimit(await limiter.take('sign-in-address', addressForLimits(address), now.getTime()))
    const found = (await findOperatorByLink(reader, token, now)) ?? refuse('reset_token_invalid')
    const { id, email, role } = found
    // Anyone who can read the mailbox has the link, and could guess the code from many addresses.
    refuseOverLimit(await limiter.take('sign-in-account', provedKey(id), now.getTime()))
    const passwordHash = await hashNewPassword(password, email, 'password')

    actAs({ id, email, role, via: 'session' })
    const session = await database.transaction(async (tx) => {
      const proof = await takeCode(tx, { operatorId: id, code: body.code, now, keyring })
      if (proof === 'missing') refuse('second_factor_required')
      if (proof === 'passkey') refuse('passkey_required')
      if (proof === 'failed') {
        auditIn(tx, { subject: { type: 'operator', id }, before: null, after: { signedIn: false } })
        return null
      }
      if (!(await choosePassword(tx, { id, token, passwordHash, now }))) refuse('reset_token_invalid')
      if (sessionToken !== null) endOperatorSession(tx, sessionToken)
      const to = { email, role, language: context.language }
      sendMail(tx, await operatorMail(tx, 'operators.changed', to), { ids, now })
      auditIn(tx, { subject: { type: 'operator', id }, before: null, after: { password: 'a new one', signedIn: true } })
      return openOperatorSession(tx, id, context)
    })

    if (session === null) return refuseWrong('code', 'The code does not match.')
    setSession(session.token)
    return presentSession(await withNeeds(reader, found), session.expiresAt)
  }
}

/** GET /operator/v1/sessions */
const listOwnSessions: OperatorHandler<Rows['listOwnSessions']> = async (_input, context) => {
  const { reader, now, operator, sessionToken } = context
  if (operator.id === null) return { items: [] }
  const current = sessionToken === null ? null : hashOfToken(sessionToken)
  const sessions = await listOperatorSessions(reader, operator.id, now)
  return { items: sessions.map((each) => presentOwnSession(each, current)) }
}

/** DELETE /operator/v1/sessions/{sessionId} */
const endOwnSession: OperatorHandler<Rows['endOwnSession']> = async ({ params }, { tx, operator, audit }) => {
  const { id } = operator
  if (id === null || !(await endSessionOf(tx, id, params.sessionId))) refuse('not_found')

  audit({ subject: { type: 'operator', id }, before: { session: 'open' }, after: { session: 'ended' } })

  return { status: 'ended' }
}

/** POST /operator/v1/session/password */
function changeOwnPassword({ limiter }: OperatorAccountDeps): OperatorHandler<Rows['changeOwnPassword']> {
  return async ({ body }, context) => {
    const { database, ids, now, operator, sessionToken, auditIn } = context
    const { email, role } = operator
    if (sessionToken === null) refuse('session_required')
    const { id, password_hash: provedHash } = await provePassword(
      limiter,
      context,
      'currentPassword',
      body.currentPassword,
    )
    const passwordHash = await hashNewPassword(body.newPassword, email, 'newPassword')

    const change = { before: { password: 'the old one' }, after: { password: 'a new one', otherSessions: 'ended' } }
    await database.transaction(async (tx) => {
      if (!(await replacePassword(tx, { id, passwordHash, provedHash, sessionToken })))
        refuseWrong('currentPassword', WRONG_PASSWORD)
      const to = { email, role, language: context.language }
      sendMail(tx, await operatorMail(tx, 'operators.changed', to), { ids, now })
      auditIn(tx, { subject: { type: 'operator', id }, ...change })
    })

    return { status: 'changed' }
  }
}

export function operatorAccountOperations(deps: OperatorAccountDeps) {
  return {
    listOperators,
    addOperator: addOperator(deps),
    inviteOperatorAgain: inviteOperatorAgain(deps),
    updateOperator,
    endOperatorSessions: endSessionsOfOperator,
    createOperatorLink: createLink(deps),
    requestOperatorPasswordReset: requestReset(deps),
    chooseOperatorPassword: chooseOperatorPassword(deps),
    listOwnSessions,
    endOwnSession,
    changeOwnPassword: changeOwnPassword(deps),
  }
}

/** The id of the only store that an operator may see. Refusals: `not_found`; `validation_failed` for an owner, who sees all. */
async function storeFor(tx: Transaction, role: OperatorAccount['role'], slug: string | null): Promise<string | null> {
  if (slug === null) return null
  if (role === 'owner') refuseWrong('store', 'An owner sees all stores. Choose another role.')
  return (await findStore(tx, slug))?.id ?? refuse('not_found')
}

function isActiveOwner(each: OperatorAccountRow): boolean {
  return each.role === 'owner' && statusOf(each) === 'active'
}

function statusOf({ disabled_at, has_password, uses_provider }: OperatorAccountRow): OperatorAccount['status'] {
  if (disabled_at) return 'disabled'
  return has_password || uses_provider ? 'active' : 'invited'
}

/** Refusals: `state_conflict`. */
function assertStatus(account: OperatorAccountRow, allowed: OperatorAccount['status'][]): void {
  const currentState = statusOf(account)
  if (!allowed.includes(currentState)) refuse('state_conflict', { conflict: { currentState, allowed } })
}

export function presentAccount(row: OperatorAccountRow): OperatorAccount {
  const { id, email, role, store, created_at, disabled_at, last_used_at, invited_until } = row
  const status = statusOf(row)
  return {
    id,
    email,
    role,
    ...(store !== null && { store }),
    status,
    secondFactor: row.has_second_factor ? 'on' : 'off',
    usesProvider: row.uses_provider,
    createdAt: created_at.toISOString(),
    ...(status === 'invited' && invited_until && { invitationExpiresAt: invited_until.toISOString() }),
    ...(disabled_at && { disabledAt: disabled_at.toISOString() }),
    ...(last_used_at && { lastUsedAt: last_used_at.toISOString() }),
  }
}

function presentOwnSession(row: OperatorSessionRow, current: Buffer | null): OperatorSessionSummary {
  const { token_hash, created_at, used_at, expires_at, address, device } = row
  const name = deviceName(device)
  return {
    id: token_hash.toString('base64url'),
    isCurrent: current?.equals(token_hash) ?? false,
    createdAt: created_at.toISOString(),
    lastUsedAt: used_at.toISOString(),
    expiresAt: expires_at.toISOString(),
    ...(address !== null && { address }),
    ...(name !== '' && { device: name }),
  }
}
