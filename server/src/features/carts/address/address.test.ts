import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Address } from '@vitrine/contract'
import { refuses } from '../../../../../test/support/refuses.ts'
import { COUNTRIES } from '../../../kernel/countries.ts'
import { addressFaults, refuseInvalidAddress, tidyAddress } from './address.ts'
import { formatOf } from './formats.ts'

function addressIn(countryCode: string, more: Partial<Address> = {}): Address {
  return { recipientName: 'Ada Example', line1: '1 Main Street', city: 'Somewhere', countryCode, ...more }
}

describe('the table of formats', () => {
  test('has all 249 ISO 3166-1 countries, sorted, without duplicates', () => {
    assert.equal(COUNTRIES.length, 249)
    assert.deepEqual(COUNTRIES, [...new Set(COUNTRIES)].sort())
  })

  test('has a format for every country', () => {
    for (const country of COUNTRIES) assert.ok(formatOf(country), country)
  })

  test('has a format for every required postal code', () => {
    for (const country of COUNTRIES) {
      const format = formatOf(country)!
      if (format.requiresPostalCode) assert.ok(format.postalCode, country)
      if (format.regions) assert.ok(format.requiresRegion, country)
    }
  })

  test('accepts real postal codes and refuses wrong ones', () => {
    const accepted: Record<string, readonly string[]> = {
      AT: ['1010'],
      AU: ['2000'],
      BR: ['01310-100', '01310100'],
      CA: ['K1A 0B1', 'h2y1c6'],
      CH: ['8001'],
      DE: ['10969'],
      FR: ['75001', '75 001'],
      GB: ['SW1A 1AA', 'M1 1AE', 'EC1A1BB', 'GIR 0AA'],
      IE: ['D02 AF30'],
      IN: ['110001', '110 001'],
      JP: ['100-0001', '1000001'],
      NL: ['1012 AB', '1012AB'],
      PL: ['00-001'],
      PT: ['1000-001'],
      SE: ['111 29'],
      US: ['94607', '94607-1234'],
    }
    const refused: Record<string, readonly string[]> = {
      CA: ['K1A 0D', 'Z1A 0B1'],
      DE: ['1096', '109690', 'ABCDE'],
      GB: ['12345', 'QQ1 1AA'],
      NL: ['0012 AB', '1012'],
      US: ['9460', '94607-12'],
    }
    for (const [country, codes] of Object.entries(accepted)) {
      for (const code of codes) assert.match(code, formatOf(country)!.postalCode!, country)
    }
    for (const [country, codes] of Object.entries(refused)) {
      for (const code of codes) assert.doesNotMatch(code, formatOf(country)!.postalCode!, country)
    }
  })
})

describe('an address', () => {
  test('needs a postal code in Germany, and a region too in the United States', () => {
    assert.deepEqual(addressFaults(addressIn('DE')), { missing: ['postalCode'], invalid: [] })
    assert.deepEqual(addressFaults(addressIn('US')), { missing: ['region', 'postalCode'], invalid: [] })
    assert.deepEqual(addressFaults(addressIn('IE')), { missing: [], invalid: [] })
  })

  test('is stored trimmed, with an uppercase postal code', () => {
    const tidied = tidyAddress(addressIn('NL', { recipientName: ' Ada ', postalCode: ' 1012 ab ', line2: '  ' }))
    assert.deepEqual(tidied, addressIn('NL', { recipientName: 'Ada', postalCode: '1012 AB' }))
  })

  test('is stored with its region code', () => {
    const regions = ['CA', 'ca', 'California', ' california ']
    for (const region of regions) assert.equal(tidyAddress(addressIn('US', { region })).region, 'CA')
    assert.equal(tidyAddress(addressIn('CA', { region: 'Québec' })).region, 'QC')
    assert.equal(tidyAddress(addressIn('IT', { region: 'Roma' })).region, 'Roma')
  })

  test('has a VAT number of its country', () => {
    const numbers = {
      valid: {
        DE: 'de 123.456-788',
        AT: 'ATU13585627',
        BE: 'BE0428759497',
        ES: 'ESB58378431',
        FR: 'FR40303265045',
        GR: 'EL094259216',
        CH: 'CHE-107.787.577 MWST',
        NO: '995525828MVA',
        GB: 'XI980780684',
        IE: 'IE3706224MH',
        // The number of a sole trader, in use since 2020.
        NL: 'NL000099998B57',
        PL: 'PL8567346215',
        US: '12-3456789',
      },
      invalid: {
        DE: '123456789',
        AT: 'AT12345678',
        GR: 'GR123456789',
        CH: 'CH123456789',
        NO: 'NO12345678',
        GB: 'GB12345678',
        FR: 'FRIO123456789',
        // Well formed, with wrong check digits.
        BE: 'BE0428759498',
        IT: 'IT00743110158',
      },
    }
    const faultsOf = ([country, vatId]: [string, string]) =>
      addressFaults(tidyAddress(addressIn(country, { vatId }))).invalid
    assert.deepEqual(Object.entries(numbers.valid).flatMap(faultsOf), [])
    for (const each of Object.entries(numbers.invalid)) assert.deepEqual(faultsOf(each), ['vatId'], each.join(' '))
    assert.equal(tidyAddress(addressIn('DE', { vatId: ' de 123.456-788 ' })).vatId, 'DE123456788')
  })

  test('is refused with a fault for each wrong field', async () => {
    const wrong = addressIn('US', { region: 'Kalifornien', postalCode: '9', city: ' ' })
    const { facts } = await refuses('address_invalid', () => refuseInvalidAddress(tidyAddress(wrong), 'billing'))
    assert.deepEqual(
      facts.faults?.map(({ field, code }) => [field, code]),
      [
        ['billing/city', 'blank'],
        ['billing/region', 'unknown_region'],
        ['billing/postalCode', 'wrong_format'],
      ],
    )
  })
})
