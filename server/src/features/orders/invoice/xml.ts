import type { Address } from '@vitrine/contract'
import { majorOf } from '../../../kernel/currencies.ts'
import { sum } from '../../../kernel/money.ts'
import { vatOf, vatSumsOf } from './figures.ts'
import { type InvoiceLine, netOf } from './lines.ts'
import type { Invoice } from './store.ts'
import { type InvoiceTexts, invoiceTexts } from './texts.ts'

/**
 * The invoice as EN 16931 in the syntax of UN/CEFACT CII, as ZUGFeRD and Factur-X embed it. The comments name business terms.
 *
 * @see EN 16931-1:2017, Factur-X 1.07
 */
export function xmlOf(invoice: Invoice): string {
  const { lines, number, issuedOn, corrected, currency, facts } = invoice
  const texts = invoiceTexts(facts.locale)
  const money = (amount: bigint) => majorOf(amount, currency)
  const net = sum(lines.map(netOf))
  const tax = sum(vatSumsOf(lines).map((each) => each.tax))
  const isCredit = invoice.kind === 'credit_note'
  return `<?xml version="1.0" encoding="UTF-8"?>
${element('rsm:CrossIndustryInvoice', NAMESPACES, [
  element('rsm:ExchangedDocumentContext', '', [
    element('ram:GuidelineSpecifiedDocumentContextParameter', '', [text('ram:ID', 'urn:cen.eu:en16931:2017')]),
  ]),
  element('rsm:ExchangedDocument', '', [
    text('ram:ID', number), // BT-1
    text('ram:TypeCode', isCredit ? '381' : '380'), // BT-3
    element('ram:IssueDateTime', '', [date(issuedOn)]), // BT-2
    element('ram:IncludedNote', '', [text('ram:Content', texts.deliveryNote)]), // BT-22
  ]),
  element('rsm:SupplyChainTradeTransaction', '', [
    ...lines.map((line, index) => lineOf(line, index, money, texts)),
    element('ram:ApplicableHeaderTradeAgreement', '', [
      sellerOf(invoice),
      buyerOf(invoice),
      element('ram:BuyerOrderReferencedDocument', '', [text('ram:IssuerAssignedID', facts.orderNumber)]), // BT-13
    ]),
    deliveryOf(invoice),
    element('ram:ApplicableHeaderTradeSettlement', '', [
      text('ram:InvoiceCurrencyCode', currency), // BT-5
      ...vatSumsOf(lines).map((each) =>
        element('ram:ApplicableTradeTax', '', [
          text('ram:CalculatedAmount', money(each.tax)), // BT-117
          text('ram:TypeCode', 'VAT'),
          optional('ram:ExemptionReason', reasonOf(each.category, each.note, texts)), // BT-120
          text('ram:BasisAmount', money(each.net)), // BT-116
          text('ram:CategoryCode', each.category), // BT-118
          text('ram:RateApplicablePercent', each.percent), // BT-119
        ]),
      ),
      isCredit ? element('ram:SpecifiedTradePaymentTerms', '', [text('ram:Description', texts.refunded)]) : '', // BT-20
      element('ram:SpecifiedTradeSettlementHeaderMonetarySummation', '', [
        text('ram:LineTotalAmount', money(net)), // BT-106
        text('ram:TaxBasisTotalAmount', money(net)), // BT-109
        `<ram:TaxTotalAmount currencyID="${currency}">${money(tax)}</ram:TaxTotalAmount>`, // BT-110
        text('ram:GrandTotalAmount', money(net + tax)), // BT-112
        isCredit ? '' : text('ram:TotalPrepaidAmount', money(net + tax)), // BT-113
        text('ram:DuePayableAmount', money(isCredit ? net + tax : 0n)), // BT-115
      ]),
      corrected === null
        ? ''
        : element('ram:InvoiceReferencedDocument', '', [
            text('ram:IssuerAssignedID', corrected.number), // BT-25
            element('ram:FormattedIssueDateTime', '', [date(corrected.issuedOn, 'qdt')]), // BT-26
          ]),
    ]),
  ]),
])}
`
}

const NAMESPACES = [
  ' xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"',
  ' xmlns:qdt="urn:un:unece:uncefact:data:standard:QualifiedDataType:100"',
  ' xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"',
  ' xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"',
].join('')

/** BG-25. The price is for the whole quantity, because a price that includes tax has no exact net price per unit. */
function lineOf(line: InvoiceLine, index: number, money: (amount: bigint) => string, texts: InvoiceTexts): string {
  const { category, percent } = vatOf(line)
  const quantity = String(line.quantity ?? 1)
  const net = money(netOf(line))
  return element('ram:IncludedSupplyChainTradeLineItem', '', [
    element('ram:AssociatedDocumentLineDocument', '', [text('ram:LineID', String(index + 1))]),
    element('ram:SpecifiedTradeProduct', '', [
      optional('ram:SellerAssignedID', line.code), // BT-155
      text('ram:Name', line.name ?? texts.shipping), // BT-153
      optional('ram:Description', line.options.map(({ name, value }) => `${name}: ${value}`).join(', ')), // BT-154
    ]),
    element('ram:SpecifiedLineTradeAgreement', '', [
      element('ram:NetPriceProductTradePrice', '', [
        text('ram:ChargeAmount', net), // BT-146
        `<ram:BasisQuantity unitCode="C62">${quantity}</ram:BasisQuantity>`, // BT-149
      ]),
    ]),
    element('ram:SpecifiedLineTradeDelivery', '', [
      `<ram:BilledQuantity unitCode="C62">${quantity}</ram:BilledQuantity>`, // BT-129
    ]),
    element('ram:SpecifiedLineTradeSettlement', '', [
      element('ram:ApplicableTradeTax', '', [
        text('ram:TypeCode', 'VAT'),
        text('ram:CategoryCode', category), // BT-151
        text('ram:RateApplicablePercent', percent), // BT-152
      ]),
      element('ram:SpecifiedTradeSettlementLineMonetarySummation', '', [text('ram:LineTotalAmount', net)]), // BT-131
    ]),
  ])
}

/** BG-4. */
function sellerOf({ seller, sellerId }: Invoice): string {
  const vatId = sellerVatId(seller)
  return element('ram:SellerTradeParty', '', [
    text('ram:ID', sellerId), // BT-29
    text('ram:Name', seller.legalName), // BT-27
    optional('ram:Description', seller.registration), // BT-33
    element('ram:DefinedTradeContact', '', [
      text('ram:PersonName', seller.representative ?? seller.legalName), // BT-41
      seller.phone === null
        ? ''
        : element('ram:TelephoneUniversalCommunication', '', [text('ram:CompleteNumber', seller.phone)]), // BT-42
      element('ram:EmailURIUniversalCommunication', '', [text('ram:URIID', seller.email)]), // BT-43
    ]),
    addressOf({ ...seller.address, countryCode: seller.country }),
    registrationOf('VA', vatId), // BT-31
    registrationOf('FC', seller.taxNumber), // BT-32
  ])
}

/** The VAT number of the seller's own country, else the first. */
export function sellerVatId({ vatIds, country }: Invoice['seller']): string | null {
  return (vatIds.find((each) => each.country === country) ?? vatIds[0])?.id ?? null
}

/** The buyer's address: the billing address, else the shipping address. */
export function buyerAddressOf({ facts }: Invoice): Address | null {
  return facts.billingAddress ?? facts.shippingAddress
}

/** BG-7. */
function buyerOf(invoice: Invoice): string {
  const address = buyerAddressOf(invoice)
  return element('ram:BuyerTradeParty', '', [
    text('ram:Name', address?.company ?? address?.recipientName ?? invoice.facts.email), // BT-44
    address?.company === undefined
      ? ''
      : element('ram:DefinedTradeContact', '', [text('ram:PersonName', address.recipientName)]), // BT-56
    addressOf(address ?? { countryCode: invoice.facts.country ?? invoice.seller.country }),
    registrationOf('VA', address?.vatId ?? null), // BT-48
  ])
}

/** BG-13. The delivery date is the date of the document. */
function deliveryOf({ facts: { shippingAddress }, issuedOn }: Invoice): string {
  return element('ram:ApplicableHeaderTradeDelivery', '', [
    shippingAddress === null
      ? ''
      : element('ram:ShipToTradeParty', '', [
          text('ram:Name', shippingAddress.company ?? shippingAddress.recipientName), // BT-70
          addressOf(shippingAddress),
        ]),
    element('ram:ActualDeliverySupplyChainEvent', '', [element('ram:OccurrenceDateTime', '', [date(issuedOn)])]), // BT-72
  ])
}

function addressOf(address: Partial<Address> & Pick<Address, 'countryCode'>): string {
  return element('ram:PostalTradeAddress', '', [
    optional('ram:PostcodeCode', address.postalCode),
    optional('ram:LineOne', address.line1),
    optional('ram:LineTwo', address.line2),
    optional('ram:LineThree', address.line3),
    optional('ram:CityName', address.city),
    text('ram:CountryID', address.countryCode),
    optional('ram:CountrySubDivisionName', address.region),
  ])
}

/** The reason for charging no tax; `null` if tax is charged. */
export function reasonOf(category: string, note: string | null, texts: InvoiceTexts): string | null {
  if (note !== null) return note
  if (category === 'AE') return texts.reverseCharge
  if (category === 'K') return texts.intraCommunity
  if (category === 'G') return texts.export
  return category === 'E' ? texts.exempt : null
}

function registrationOf(scheme: 'VA' | 'FC', id: string | null): string {
  if (id === null) return ''
  return element('ram:SpecifiedTaxRegistration', '', [`<ram:ID schemeID="${scheme}">${escaped(id)}</ram:ID>`])
}

function date(day: string, prefix: 'udt' | 'qdt' = 'udt'): string {
  return `<${prefix}:DateTimeString format="102">${day.replaceAll('-', '')}</${prefix}:DateTimeString>`
}

function element(name: string, attributes: string, children: readonly string[]): string {
  return `<${name}${attributes}>${children.join('')}</${name}>`
}

function text(name: string, value: string): string {
  return `<${name}>${escaped(value)}</${name}>`
}

function optional(name: string, value: string | null | undefined): string {
  return value ? text(name, value) : ''
}

/** Escapes a text. Characters that XML does not allow are removed. */
function escaped(value: string): string {
  return value
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
