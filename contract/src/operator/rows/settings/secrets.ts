import { type Static, Type } from 'typebox'
import { none, Timestamp } from '../../../schemas/common.ts'
import { closed, flag, integer, listOf, oneOf, orNull, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'

const tag = 'Secrets'
/** In the area that only owners have, because dropping a secret at once interrupts the work of others. */
const auth = { kind: 'operator', area: 'operators' } as const

/** The purposes of the secrets of the server. The two for license keys are rotated together. */
export const secretPurposes = [
  'checkout-page',
  'cursor',
  'dpop-nonce',
  'eligibility',
  'licence-fingerprint',
  'licence-keys',
  'oauth-request',
  'oauth-token',
  'operator-setup',
  'order-link',
  'page-form',
  'quote-signature',
  'store-access',
  'webhook-fixture',
] as const

const Purpose = oneOf(secretPurposes, 'The purpose of the secret.')
const Version = integer(1, 2_147_483_647, 'The version, counted from 1.', 2)
const KeyId = text(16, 'The id of a key outside the database: its hash.', '9f86d081884c7d65')

export const OperatorSecret = operatorNamed(
  'OperatorSecret',
  closed('A secret of the server, without its value.', {
    purpose: Purpose,
    versions: listOf(
      closed('A version.', {
        version: Version,
        createdAt: Timestamp,
        signsFrom: Timestamp,
        acceptedUntil: orNull(
          Timestamp,
          'When the values that it signed stop being accepted; `null` for the newest version.',
        ),
        keyId: KeyId,
      }),
      1000,
      'The versions that are accepted, the newest first.',
    ),
  }),
)
export type OperatorSecret = Static<typeof OperatorSecret>

export const secretRows = {
  listSecrets: operatorOperation({
    method: 'GET',
    path: '/operator/v1/secrets',
    tag,
    summary: 'List the secrets of the server.',
    description: 'With their versions, and the id of the key that seals secrets in the database.',
    auth,
    data: closed('The secrets.', {
      items: listOf(OperatorSecret, secretPurposes.length, 'The secrets.'),
      keyId: KeyId,
      plain: integer(0, 2_147_483_647, 'Unsealed copies, for processes of a release before sealing.', 0),
    }),
    refusals: [],
  }),
  rotateSecret: operatorOperation({
    method: 'POST',
    path: '/operator/v1/secrets/rotate',
    tag,
    summary: 'Replace a secret of the server.',
    description:
      'Nothing is interrupted: all nodes know the new version before it signs, and values that the old one signed are accepted until they expire.',
    auth,
    body: closed('The secret.', {
      purpose: Purpose,
      dropsOld: Type.Optional(
        flag('Whether the old versions stop being accepted once the new one signs, as after a leak.', false),
      ),
    }),
    data: closed('The new versions.', {
      items: listOf(
        closed('A new version.', {
          purpose: Purpose,
          version: Version,
          signsFrom: Timestamp,
          oldAcceptedUntil: Timestamp,
        }),
        2,
        'The new version; two for license keys.',
      ),
    }),
    freshProof: 'always',
    refusals: [],
  }),
  rotateSealingKey: operatorOperation({
    method: 'POST',
    path: '/operator/v1/secrets/rotate-sealing-key',
    tag,
    summary: 'Seal everything with a new key.',
    description:
      'The new key is the first one of `SEALING_KEY`, `SEALING_KEY_FILE` or `SEALING_KEY_COMMAND`; if none is set, it is created in the data directory. Older keys are then needed only for older backups.',
    auth,
    body: none,
    data: closed('The result.', {
      resealed: integer(0, 2_147_483_647, 'Values that were sealed with an older key.', 18),
      keyId: KeyId,
    }),
    freshProof: 'always',
    refusals: ['state_conflict'],
  }),
  forgetPlainSecrets: operatorOperation({
    method: 'POST',
    path: '/operator/v1/secrets/forget-plain',
    tag,
    summary: 'Delete the unsealed copies of secrets.',
    description:
      'Left by a release before sealing, whose processes still need them. A week after the upgrade, they are deleted automatically.',
    auth,
    body: none,
    data: closed('The result.', { forgotten: integer(0, 2_147_483_647, 'The number of deleted copies.', 14) }),
    freshProof: 'always',
    refusals: [],
  }),
}
