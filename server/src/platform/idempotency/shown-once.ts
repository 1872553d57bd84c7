import type { Operation } from '@vitrine/contract'

/**
 * The answer as it is kept for repetitions: what is shown once is left out, and the member beside it says that it was
 * shown. So neither the database nor a backup of it holds a secret in the clear.
 *
 * @see CONTRACT, Idempotency: "Secrets in a first answer are not kept in the clear: the replay says that they were shown."
 */
export function withoutSecrets(answer: Buffer, secrets: NonNullable<Operation['secrets']>): Buffer {
  const said = JSON.parse(answer.toString()) as { readonly data: Readonly<Record<string, unknown>> }
  const shown = Object.entries(secrets).filter(([member]) => member in said.data)
  const states = Object.fromEntries(shown.map(([, state]) => [state, 'already_shown']))
  const kept = Object.entries({ ...said.data, ...states }).filter(([member]) => !Object.hasOwn(secrets, member))
  return Buffer.from(JSON.stringify({ ...said, data: Object.fromEntries(kept) }))
}
