import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { messageTranslator } from '../../console/src/known-message.ts'
import german from '../../console/src/languages/de.json' with { type: 'json' }

const translateMessage = messageTranslator(german)

describe('a message of the API in German', () => {
  const cases: readonly (readonly [english: string, german: string])[] = [
    ['The file is empty.', 'Die Datei ist leer.'],
    ['Enter at most 3 words.', 'Geben Sie höchstens 3 Wörter ein.'],
    ['"19,90" is not an amount in EUR.', '„19,90“ ist kein Betrag in EUR.'],
    [
      'Price: "a" is not an amount in EUR. Stock: "1.5" is not a whole number.',
      'Price: „a“ ist kein Betrag in EUR. Stock: „1.5“ ist keine ganze Zahl.',
    ],
    [
      'Line 3: A quoted cell goes on after its closing quote. Double the quotes inside it.',
      'Zeile 3: Eine Zelle in Anführungszeichen geht nach dem schließenden weiter. Verdoppeln Sie die Anführungszeichen in der Zelle.',
    ],
    [
      '{{order.numer}} in line 1, column 7, is not a placeholder of this email. It has: site.name.',
      '{{order.numer}} in Zeile 1, Spalte 7, ist kein Platzhalter dieser E-Mail. Es gibt: site.name.',
    ],
    ['SKU Color has no value for the option Size.', 'Der SKU Color fehlt ein Wert der Option Size.'],
    ['The redirect URI "x" is not a URL.', 'Die Redirect-URI „x“ ist nicht erlaubt: keine URL.'],
  ]
  for (const [english, expected] of cases)
    test(`translates “${english}”`, () => assert.equal(translateMessage(english), expected))

  test('stays as it is if it is unknown, with an amount of dollars and parentheses', () => {
    assert.equal(translateMessage('Costs $1 (one dollar). Really'), 'Costs $1 (one dollar). Really')
  })

  test('keeps what looks like a reference to a match or a value within a value', () => {
    assert.equal(translateMessage('"$1 {2}" is not a weight.'), '„$1 {2}“ ist kein Gewicht.')
  })
})
