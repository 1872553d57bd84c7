import { refuse } from '../../kernel/refusal.ts'
import type { WriteContext } from '../../platform/http/handler.ts'
import type { Reader } from '../../platform/postgres/reader.ts'

/**
 * Tells whose customer token it is, or null where it is not, or no longer, a good one of this installation. Hosted login
 * gives such tokens and ranks above carts, so it is handed in.
 */
export type FindCustomer = (
  reader: Reader,
  token: string,
  asking: Pick<WriteContext, 'principal' | 'now'>,
) => Promise<string | null>

/** Whose cart it will be: nobody's without a token. Refusals: `validation_failed`. */
export async function customerOf(
  findCustomer: FindCustomer,
  token: string | undefined,
  context: Pick<WriteContext, 'tx' | 'principal' | 'now'>,
): Promise<string | null> {
  if (token === undefined) return null
  return (await findCustomer(context.tx, token, context)) ?? refuse('validation_failed', notValid)
}

const notValid = {
  details: [
    {
      in: 'body',
      pointer: '/customerToken',
      code: 'invalid',
      message: 'The customer token is not one of this installation, or it is no longer valid.',
    },
  ],
} as const
