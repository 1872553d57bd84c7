import { unpackAnswer } from '../../server/src/platform/idempotency/answers.ts'
import { type Reader, statement } from '../../server/src/platform/postgres/index.ts'

const all = statement<{ dictionary: bigint | null; bytes: Buffer }>(
  'test.stored_answers',
  'select dictionary, answer as bytes from idempotency_answers',
)

/** All stored answers, as a replay would send them. */
export async function storedAnswers(reader: Reader): Promise<string[]> {
  return Promise.all((await reader.rows(all)).map(async (row) => (await unpackAnswer(reader, row)).toString()))
}
