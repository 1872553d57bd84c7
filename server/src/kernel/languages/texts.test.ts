import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LANGUAGE_CODES, type Language, languageOf, writingFor } from './languages.ts'
import { type ShopperTexts, say, textsIn } from './texts.ts'

/** Facts for every text that needs some. */
const FACTS = {
  currency: 'EUR',
  isHigher: true,
  isRetry: false,
  max: 5,
  min: 2,
  step: 3,
  units: 4,
  address: 'shipping',
  field: 'postalCode',
  carrier: 'DHL',
  departure: { carrier: 'DHL', trackingNumber: '00340', trackingUrl: 'https://dhl.example/00340' },
}

/** Every text of a language by section and code. */
function textsOf(language: Language): ReadonlyMap<string, string> {
  const sections = Object.entries(textsIn(language)) as [keyof ShopperTexts, object][]
  return new Map(
    sections.flatMap(([section, texts]) => {
      const facts = { ...FACTS, reason: section === 'cart' ? 'expired' : null }
      return Object.entries(texts).flatMap(([code, text]): [string, string][] =>
        typeof text === 'object'
          ? Object.entries<string>(text).map(([part, each]) => [`${section}/${code}/${part}`, each])
          : [[`${section}/${code}`, say(texts, { code, facts } as never)]],
      )
    }),
  )
}

const isLabel = (name: string) => name.startsWith('facets/') || name.endsWith('/name')

describe('the texts that a shopper may read', () => {
  for (const language of LANGUAGE_CODES) {
    test(`are complete sentences or labels within the limits of the contract: ${language}`, () => {
      for (const [name, text] of textsOf(language)) {
        assert.ok(text.length > 0 && text.length <= 300, `${name}: ${text.length} characters`)
        assert.doesNotMatch(text, /undefined|null|\[object|NaN/, name)
        assert.match(text, isLabel(name) ? /^[\p{Lu}\d]/u : /^[\p{Lu}\d].*(\.|https:\S+)$/u, name)
      }
    })
  }

  test('differ between the languages', () => {
    const english = textsOf('en')
    for (const [name, text] of textsOf('de')) assert.notEqual(text, english.get(name), name)
  })
})

describe('the language of a text', () => {
  test('is the best match for the locale, else English', () => {
    assert.deepEqual(['de-AT', 'DE', 'en-GB', 'fr', 'zh-Hant'].map(languageOf), ['de', 'de', 'en', 'en', 'en'])
  })

  test('comes with the locale of amounts and dates in it', () => {
    assert.deepEqual(writingFor('de-AT'), { language: 'de', locale: 'de-AT' })
    assert.deepEqual(writingFor('fr-FR'), { language: 'en', locale: 'en' })
  })
})
