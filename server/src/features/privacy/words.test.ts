import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testDatabase } from '../../../../test/support/database.ts'
import { statement } from '../../platform/postgres/index.ts'
import { hasWord, hasWordSql } from './words.ts'

const WITH_WORD: readonly (readonly [text: string, word: string])[] = [
  ['Order T-10001', 't-10001'],
  ['T-100017, T-10001.', 't-10001'],
  ['“T-10001”', 't-10001'],
  ["T-10001's parcel", 't-10001'],
  [String.raw`{"note":"Two lines\nT-10001"}`, 't-10001'],
  ['Write to Ada@Example.com.', 'ada@example.com'],
  ['<mailto:ada@example.com>', 'ada@example.com'],
  ['{"email":"a+b(c)$d^e@example.com"}', 'a+b(c)$d^e@example.com'],
]
const WITHOUT_WORD: typeof WITH_WORD = [
  ['Order T-100017', 't-10001'],
  ['Order AT-10001, T-10001-2', 't-10001'],
  ['{"id":"X-T-10001"}', 't-10001'],
  ['o.ada@example.com, o-ada@example.com, gada@example.com', 'ada@example.com'],
  ["o'ada@example.com", 'ada@example.com'],
  ['ada@example.com.au, ada@example.community', 'ada@example.com'],
  ['ada@example-com', 'ada@example.com'],
]

describe('a word in a text', () => {
  test('is found as a whole word only', () => {
    for (const [text, word] of WITH_WORD) assert.equal(hasWord(text, ['another', word]), true, text)
    for (const [text, word] of WITHOUT_WORD) assert.equal(hasWord(text, ['another', word]), false, text)
  })

  test('is found in the same texts by the database', async () => {
    const { database } = await testDatabase()
    const select = statement<{ found: boolean }>(
      'test.has_word',
      `with person as (select $2::text[] as words) select ${hasWordSql('$1::text')} as found from person`,
    )
    const found = async ([text, word]: (typeof WITH_WORD)[number]) =>
      (await database.reader.row(select, [text, ['another', word]]))?.found
    for (const each of WITH_WORD) assert.equal(await found(each), true, each[0])
    for (const each of WITHOUT_WORD) assert.equal(await found(each), false, each[0])
  })
})
