import { createRequire } from 'node:module'
import { isDeepStrictEqual } from 'node:util'
import type { Address } from '@vitrine/contract'
import type PDFDocument from 'pdfkit'
import { formatDay } from '../../../kernel/format-date.ts'
import { formatMoney } from '../../../kernel/format-money.ts'
import { writingFor } from '../../../kernel/languages/languages.ts'
import { sum } from '../../../kernel/money.ts'
import { addressLines } from '../../carts/index.ts'
import { vatOf, vatSumsOf } from './figures.ts'
import { type InvoiceLine, netOf } from './lines.ts'
import type { Invoice } from './store.ts'
import { type InvoiceTexts, invoiceTexts } from './texts.ts'
import { buyerAddressOf, reasonOf, sellerVatId, xmlOf } from './xml.ts'

type Pdf = InstanceType<typeof PDFDocument>

/** A4 in points, with 20 mm at the sides. */
const LEFT = 57
const RIGHT = 538
const BOTTOM = 730
const FOOTER = 765
/** A4, less the footer and a line above it: where text of any length continues on the next page. */
const MARGIN_BOTTOM = 842 - FOOTER + 15
/** An amount in bold has up to 20 characters: IDR 999,999,999.00. */
const AMOUNTS = 425
const NAME_WIDTH = 250
const COLUMNS = { quantity: [315, 45], rate: [365, 55], amount: [AMOUNTS, RIGHT - AMOUNTS] } as const
const fontFile = createRequire(import.meta.url).resolve

/**
 * The document as PDF/A-3 with the XML embedded (ZUGFeRD, Factur-X). The same document gives the same pages. The PDF library is
 * loaded at the first use.
 */
export async function pdfOf(invoice: Invoice): Promise<Buffer> {
  const { default: Document } = await import('pdfkit')
  const { locale } = writingFor(invoice.facts.locale)
  const texts = invoiceTexts(invoice.facts.locale)
  const title = `${texts[invoice.kind]} ${invoice.number}`
  const pdf = new Document({
    size: 'A4',
    margins: { top: 50, bottom: MARGIN_BOTTOM, left: LEFT, right: 595 - RIGHT },
    pdfVersion: '1.7',
    subset: 'PDF/A-3b',
    tagged: true,
    lang: locale,
    displayTitle: true,
    bufferPages: true,
    font: fontFile('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'),
    info: { Title: title, Author: invoice.seller.legalName, CreationDate: invoice.issuedAt, ModDate: invoice.issuedAt },
  })
  pdf.registerFont('regular', fontFile('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'))
  pdf.registerFont('bold', fontFile('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf'))
  const written = collected(pdf)
  const words: Words = {
    texts,
    money: (amount) => formatMoney(locale, amount, invoice.currency),
    day: (on) => formatDay(locale, on),
    address: (of) => addressLines(of, locale),
    percent: (value) => `${Number(value).toLocaleString(locale, { maximumFractionDigits: 4 })} %`,
  }
  const shown = withReplacements(invoice, glyphsOf(pdf))
  writeHead(pdf, shown, title, words)
  writeLines(pdf, shown.lines, words)
  writeSums(pdf, shown, words)
  if (!isDeepStrictEqual(shown, invoice)) pdf.moveDown(0.5).text(texts.replaced, LEFT, pdf.y, { width: RIGHT - LEFT })
  writeFooters(pdf, shown, words)
  pdf.file(Buffer.from(xmlOf(invoice)), {
    name: 'factur-x.xml',
    type: 'text/xml',
    description: title,
    // The published types lack it.
    ...{ relationship: 'Alternative' },
    creationDate: invoice.issuedAt,
    modifiedDate: invoice.issuedAt,
  })
  ;(pdf as unknown as { appendXML(xml: string): void }).appendXML(FACTUR_X)
  pdf.end()
  return written
}

/** Whether both fonts have a character. They have Latin, Greek, Cyrillic, Hebrew and Arabic, but neither Chinese, Japanese, Korean nor Thai. */
function glyphsOf(pdf: Pdf): (character: string) => boolean {
  const fonts = ['bold', 'regular'].map((name) => {
    const { _font: font } = pdf.font(name) as unknown as {
      _font: { font: { hasGlyphForCodePoint(code: number): boolean } }
    }
    return font.font
  })
  return (character) => fonts.every((font) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0))
}

/**
 * A value whose texts have replacement characters where the fonts lack a glyph: PDF/A forbids the glyph for missing ones. Fonts for
 * these scripts have 10 MB each. The embedded XML has the texts as they are.
 *
 * @see ISO 19005-3 §6.2.11.8
 */
function withReplacements<Value>(value: Value, isShown: (character: string) => boolean): Value {
  const replaced = (part: unknown): unknown => {
    if (typeof part === 'string')
      return [...part].map((each) => (isShown(each) || each < ' ' ? each : '\ufffd')).join('')
    if (Array.isArray(part)) return part.map(replaced)
    if (typeof part !== 'object' || part === null || part instanceof Date) return part
    return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, replaced(each)]))
  }
  return replaced(value) as Value
}

interface Words {
  readonly texts: InvoiceTexts
  readonly money: (amount: bigint) => string
  readonly day: (on: string) => string
  readonly address: (of: Address) => readonly string[]
  readonly percent: (value: string) => string
}

function collected(pdf: Pdf): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
    pdf.on('end', () => resolve(Buffer.concat(chunks)))
    pdf.on('error', reject)
  })
}

function writeHead(pdf: Pdf, invoice: Invoice, title: string, { texts, day, address }: Words): void {
  const { seller, facts, corrected } = invoice
  const buyer = buyerAddressOf(invoice)
  pdf.font('bold').fontSize(13).text(seller.legalName, LEFT, 50)
  pdf.font('regular').fontSize(9)
  pdf.text(address({ recipientName: '', ...seller.address, countryCode: seller.country }).join(' · '))
  // Below a name of many lines.
  const top = Math.max(pdf.y + 16, 120)
  pdf.fontSize(10).text((buyer ? address(companyFirst(buyer)) : [facts.email]).join('\n'), LEFT, top, { width: 230 })
  const below = pdf.y
  const rows = [
    [texts.number, invoice.number],
    [texts.date, day(invoice.issuedOn)],
    [texts.order, facts.orderNumber],
    ...(corrected === null ? [] : [[texts.corrects, `${corrected.number}, ${day(corrected.issuedOn)}`]]),
    ...(buyer?.vatId === undefined ? [] : [[texts.buyerVatId, buyer.vatId]]),
  ] as [string, string][]
  pdf.y = top
  for (const [label, value] of rows) {
    const { y } = pdf
    pdf.text(label, 300, y, { width: 100 }).text(value, 400, y, { width: RIGHT - 400, align: 'right' })
  }
  pdf.y = Math.max(below, pdf.y, 200) + 24
  pdf
    .font('bold')
    .fontSize(16)
    .text(title, LEFT, pdf.y, { width: RIGHT - LEFT })
  if (invoice.environment === 'test') pdf.fontSize(10).text(texts.test)
  pdf.font('regular').fontSize(10).moveDown(1)
}

function writeLines(pdf: Pdf, lines: readonly InvoiceLine[], words: Words): void {
  const { texts, money, percent } = words
  writeRow(pdf, 'bold', [texts.description, texts.quantity, texts.rate, texts.amount])
  rule(pdf)
  for (const line of lines) {
    const details = [
      line.code,
      ...line.options.map(({ name, value }) => `${name}: ${value}`),
      ...(line.quantity !== null && line.quantity > 1 && line.unitPrice !== null
        ? [`${line.quantity} × ${money(line.unitPrice)}`]
        : []),
      ...line.discounts.map(({ title, amount }) => `${texts.discount} ${title}: −${money(amount)}`),
    ].filter((each) => each !== null)
    const rate = vatOf(line)
    writeRow(pdf, 'regular', [
      line.name ?? texts.shipping,
      line.quantity === null ? '' : String(line.quantity),
      rate.name === null ? '–' : percent(rate.percent),
      money(pricedTotalOf(line)),
    ])
    if (details.length > 0) {
      pdf.fontSize(8).fillColor('#555555').text(details.join(' · '), LEFT, pdf.y, { width: NAME_WIDTH })
      pdf.fontSize(10).fillColor('#000000')
    }
    pdf.y += 5
  }
  rule(pdf)
}

/** The total on the basis of the line's prices: without taxes that are added to them. */
function pricedTotalOf({ total, taxLines }: InvoiceLine): bigint {
  return total - sum(taxLines.filter(({ included }) => !included).map(({ amount }) => amount))
}

function writeRow(
  pdf: Pdf,
  font: string,
  [name, quantity, rate, amount]: readonly [string, string, string, string],
): void {
  pdf.font(font)
  if (pdf.y + pdf.heightOfString(name, { width: NAME_WIDTH }) > BOTTOM) pdf.addPage()
  const { y } = pdf
  const cell = (value: string, [x, width]: readonly [number, number]) =>
    pdf.text(value, x, y, { width, align: 'right' })
  cell(quantity, COLUMNS.quantity)
  cell(rate, COLUMNS.rate)
  cell(amount, COLUMNS.amount)
  pdf.text(name, LEFT, y, { width: NAME_WIDTH })
}

function writeSums(pdf: Pdf, invoice: Invoice, { texts, money, percent, address }: Words): void {
  if (pdf.y > BOTTOM - 150) pdf.addPage()
  const sums = vatSumsOf(invoice.lines)
  const line = (label: string, amount: bigint, font = 'regular') => {
    if (pdf.y > BOTTOM) pdf.addPage()
    const { y } = pdf
    pdf.font(font).text(money(amount), AMOUNTS, y, { width: RIGHT - AMOUNTS, align: 'right' })
    pdf.text(label, 170, y, { width: 250, align: 'right' })
  }
  line(texts.net, sum(invoice.lines.map(netOf)))
  for (const { name, percent: rate, net, tax } of sums) {
    if (name !== null) line(`${name} ${percent(rate)} ${texts.on} ${money(net)}`, tax)
  }
  line(texts.total, invoice.total, 'bold')
  pdf.font('regular').moveDown(1)
  const reasons = sums.map(({ category, note }) => reasonOf(category, note, texts))
  const notes = [...new Set(reasons), invoice.kind === 'invoice' ? texts.paid : texts.refunded, texts.deliveryNote]
  for (const note of notes) if (note !== null) pdf.text(note, LEFT, pdf.y, { width: RIGHT - LEFT })
  const { shippingAddress: to } = invoice.facts
  if (to) pdf.moveDown(0.5).text(`${texts.shipTo}: ${address(companyFirst(to)).join(', ')}`, { width: RIGHT - LEFT })
}

/** Writes the imprint and the page number on each page. */
function writeFooters(pdf: Pdf, { seller, number }: Invoice, { texts }: Words): void {
  const vatId = sellerVatId(seller)
  const imprint = [
    seller.legalName,
    seller.representative && `${texts.representative} ${seller.representative}`,
    seller.registration,
    vatId && `${texts.vatId} ${vatId}`,
    seller.taxNumber && `${texts.taxNumber} ${seller.taxNumber}`,
    seller.email,
    seller.phone,
  ]
  const { start, count } = pdf.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    pdf.switchToPage(page)
    // The footer is below the margin, where text would begin another page.
    pdf.page.margins.bottom = 0
    pdf.font('regular').fontSize(8).fillColor('#555555')
    pdf.text(imprint.filter(Boolean).join(' · '), LEFT, FOOTER, { width: RIGHT - LEFT - 100 })
    pdf.text(`${number} · ${texts.page} ${page - start + 1}/${count}`, RIGHT - 95, FOOTER, {
      width: 95,
      align: 'right',
    })
  }
}

function rule(pdf: Pdf): void {
  pdf
    .moveTo(LEFT, pdf.y + 2)
    .lineTo(RIGHT, pdf.y + 2)
    .lineWidth(0.5)
    .stroke('#888888')
  pdf.y += 8
}

/** An invoice is addressed to the company, if there is one. */
function companyFirst(address: Address): Address {
  const { recipientName, company } = address
  return company === undefined ? address : { ...address, recipientName: company, company: recipientName }
}

/** Metadata of the embedded XML, and the schema of these properties, which PDF/A requires. */
const FACTUR_X = `
<rdf:Description xmlns:fx="urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#" rdf:about="">
  <fx:DocumentType>INVOICE</fx:DocumentType>
  <fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>
  <fx:Version>1.0</fx:Version>
  <fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>
</rdf:Description>
<rdf:Description xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#" rdf:about="">
  <pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
    <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
    <pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#</pdfaSchema:namespaceURI>
    <pdfaSchema:prefix>fx</pdfaSchema:prefix>
    <pdfaSchema:property><rdf:Seq>${(
      [
        ['DocumentFileName', 'name of the embedded XML file'],
        ['DocumentType', 'INVOICE'],
        ['Version', 'version of the XML schema'],
        ['ConformanceLevel', 'profile of the XML data'],
      ] as const
    )
      .map(
        ([name, description]) => `<rdf:li rdf:parseType="Resource">
      <pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType>
      <pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${description}</pdfaProperty:description>
    </rdf:li>`,
      )
      .join('')}</rdf:Seq></pdfaSchema:property>
  </rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>`
