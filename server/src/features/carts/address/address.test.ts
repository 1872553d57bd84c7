import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Address } from '@vitrine/contract'
import { refuses } from '../../../../../test/support/refuses.ts'
import { faultsOf, refuseInvalidAddress, tidyAddress } from './address.ts'
import { COUNTRIES, formatOf } from './formats.ts'

function addressIn(countryCode: string, more: Partial<Address> = {}): Address {
  return { recipientName: 'Ada Example', line1: '1 Main Street', city: 'Somewhere', countryCode, ...more }
}

describe('the table of formats', () => {
  test('has all 249 countries of ISO 3166-1, each once and in order', () => {
    assert.equal(COUNTRIES.length, 249)
    assert.deepEqual(COUNTRIES, [...new Set(COUNTRIES)].sort())
  })

  test('asks for a postal code that it can tell from a wrong one', () => {
    for (const country of COUNTRIES) {
      const format = formatOf(country)!
      if (format.requiresPostalCode) assert.ok(format.postalCode, country)
      if (format.regions) assert.ok(format.requiresRegion, country)
    }
  })

  test('takes real postal codes and refuses their neighbours', () => {
    const taken: Record<string, readonly string[]> = {
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
    for (const [country, codes] of Object.entries(taken)) {
      for (const code of codes) assert.match(code, formatOf(country)!.postalCode!, country)
    }
    for (const [country, codes] of Object.entries(refused)) {
      for (const code of codes) assert.doesNotMatch(code, formatOf(country)!.postalCode!, country)
    }
  })
})

describe('an address', () => {
  test('of Germany needs a postal code and no region; of the United States both', () => {
    assert.deepEqual(faultsOf(addressIn('DE')), { missing: ['postalCode'], invalid: [] })
    assert.deepEqual(faultsOf(addressIn('US')), { missing: ['region', 'postalCode'], invalid: [] })
    assert.deepEqual(faultsOf(addressIn('IE')), { missing: [], invalid: [] })
  })

  test('is kept without spaces around it, with its postal code in upper case', () => {
    const taken = tidyAddress(addressIn('NL', { recipientName: ' Ada ', postalCode: ' 1012 ab ', line2: '  ' }))
    assert.deepEqual(taken, addressIn('NL', { recipientName: 'Ada', postalCode: '1012 AB' }))
  })

  test('is kept with the code of its region, however that was written', () => {
    const regions = ['CA', 'ca', 'California', ' california ']
    for (const region of regions) assert.equal(tidyAddress(addressIn('US', { region })).region, 'CA')
    assert.equal(tidyAddress(addressIn('CA', { region: 'Québec' })).region, 'QC')
    assert.equal(tidyAddress(addressIn('IT', { region: 'Roma' })).region, 'Roma')
  })

  test('is refused with each place that is wrong', async () => {
    const wrong = addressIn('US', { region: 'Kalifornien', postalCode: '9', city: ' ' })
    const { facts } = await refuses('address_invalid', () => refuseInvalidAddress(tidyAddress(wrong), '/billing'))
    assert.deepEqual(
      facts.details?.map(({ pointer, code }) => [pointer, code]),
      [
        ['/billing/city', 'blank'],
        ['/billing/region', 'unknown_region'],
        ['/billing/postalCode', 'wrong_format'],
      ],
    )
  })
})
