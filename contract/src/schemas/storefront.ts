import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { Category } from './catalog.ts'
import { CountryCode, CurrencyCode, Image, id, Link, LocaleTag, RichText, Slug, Timestamp, Version } from './common.ts'
import { closed, flag, formed, integer, listOf, named, oneOf, text } from './primitives.ts'

export const LEGAL_DOCUMENT_TYPES = [
  'terms_of_use',
  'privacy_policy',
  'return_policy',
  'shipping_policy',
  'cookie_policy',
  'imprint',
] as const

export const LegalDocumentType = oneOf(LEGAL_DOCUMENT_TYPES, 'The type of the document.')
export const DocumentVersion = text(40, 'The version of the document.', '2026-03-01')

export const Bootstrap = named(
  'Bootstrap',
  closed('The site bootstrap configuration.', {
    site: closed('The site.', { name: text(200, 'The name of the site.', 'Vitrine'), logo: Type.Optional(Image) }),
    locale: LocaleTag,
    locales: listOf(LocaleTag, 50, 'The supported languages.'),
    currencies: listOf(CurrencyCode, 200, 'The supported currencies.'),
    countries: listOf(CountryCode, 250, 'The countries that can be shipped to.'),
    defaults: closed('The defaults of the site.', {
      locale: LocaleTag,
      currency: CurrencyCode,
      country: CountryCode,
    }),
    categories: Type.Array(Category, {
      maxItems: 10_000,
      description: 'The category tree, parents before their children.',
    }),
    links: closed('Links.', {
      legal: listOf(
        closed('A link to a legal document.', {
          type: LegalDocumentType,
          title: text(200, 'Its title.', 'Terms of use'),
          url: Link,
        }),
        20,
        'Legal documents.',
      ),
      contact: Link,
    }),
    features: closed('What works now, in the live environment.', {
      registration: flag('Whether customers can register: their confirmation mails are sent.'),
      passwordReset: flag('Whether customers can reset their passwords: the mails with the links are sent.'),
      search: flag('Whether there are products to search: a store is open to everyone.'),
      promotions: flag('Whether carts accept promotion codes: an active promotion has one.'),
      hostedCheckout: flag(
        'Whether the hosted checkout takes orders: live credentials are accepted, and a payment method takes an offered currency.',
      ),
    }),
  }),
)
export type Bootstrap = Static<typeof Bootstrap>

export const LegalDocument = named(
  'LegalDocument',
  closed('The legal document version in force.', {
    type: LegalDocumentType,
    locale: LocaleTag,
    requestedLocale: LocaleTag,
    fallback: flag('Whether the requested language was not available.', false),
    version: DocumentVersion,
    title: text(200, 'Its title.', 'Terms of use'),
    content: RichText,
    sha256: formed(
      '^[0-9a-f]{64}$',
      64,
      'The SHA-256 of the text, in hexadecimal.',
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    ),
    effectiveAt: Timestamp,
    publishedAt: Timestamp,
  }),
)
export type LegalDocument = Static<typeof LegalDocument>

export const ContactChannel = named(
  'ContactChannel',
  closed('A contact channel.', {
    id: text(64, 'The channel, machine-readable.', 'support-mail'),
    type: oneOf(['email', 'phone', 'chat', 'form', 'post', 'social'], 'The type of the channel.'),
    label: text(200, 'The title shown to shoppers.', 'Customer service'),
    value: text(500, 'The address, number or text.', 'help@example.com'),
    url: Type.Optional(
      formed('^(https?|mailto|tel):', 2048, 'A link that opens the channel.', 'mailto:help@example.com'),
    ),
    hours: Type.Optional(text(500, 'The opening hours.', 'Monday to Friday, 9 am to 5 pm')),
    languages: listOf(LocaleTag, 20, 'Languages spoken.'),
    locale: LocaleTag,
  }),
)
export type ContactChannel = Static<typeof ContactChannel>

const BlockId = formed('^[a-z0-9][a-z0-9-]{0,63}$', 64, 'The id of the block, unique on its page.', 'hero-1')
const Heading = text(200, 'A heading.', 'Summer in linen')
const Action = closed('A button with a link.', { label: text(80, 'The label of the button.', 'See all'), url: Link })

function block<Type extends string, Props extends TProperties>(type: Type, description: string, props: Props) {
  return closed(description, {
    id: BlockId,
    type: TypeLiteral(type),
    props: closed('The content of the block.', props),
  })
}

function TypeLiteral<const Value extends string>(value: Value) {
  return Type.Literal(value, { description: 'The type of the block.' })
}

const leaves = [
  block('hero', 'A hero image with a heading.', {
    heading: Heading,
    text: Type.Optional(text(1000, 'A text.', 'New for warm days.')),
    image: Type.Optional(Image),
    action: Type.Optional(Action),
  }),
  block('rich_text', 'A text.', { content: RichText }),
  block('image', 'An image.', {
    image: Image,
    caption: Type.Optional(text(500, 'A caption.', 'In the workshop')),
    url: Type.Optional(Link),
  }),
  block('product_list', 'A product selection.', {
    heading: Type.Optional(Heading),
    productIds: listOf(id('prod', 'A product.'), 48, 'The products, in order.'),
  }),
  block('category_list', 'A category selection.', {
    heading: Type.Optional(Heading),
    categoryIds: listOf(id('cat', 'A category.'), 48, 'The categories, in order.'),
  }),
  block('banner', 'An announcement.', {
    text: text(500, 'A line.', 'Free shipping from 50 €'),
    tone: oneOf(['info', 'success', 'warning'], 'The tone.'),
    action: Type.Optional(Action),
  }),
  block('divider', 'A divider or a space.', { style: oneOf(['line', 'space'], 'The style.') }),
] as const

export const DecorationLeaf = named(
  'DecorationLeaf',
  Type.Union([...leaves], { description: 'A block without children.' }),
)
export type DecorationLeaf = Static<typeof DecorationLeaf>

const columns = closed('Blocks in columns.', {
  id: BlockId,
  type: TypeLiteral('columns'),
  props: closed('The layout.', { columns: integer(1, 4, 'The number of columns.', 2) }),
  children: listOf(DecorationLeaf, 12, 'The blocks.'),
})

export const DecorationBlock = named(
  'DecorationBlock',
  Type.Union([...leaves, columns], { description: 'A block of one of the known types.' }),
)

export const Decoration = named(
  'Decoration',
  closed('The published decoration of a store.', {
    storeId: id('store', 'The id of the store.'),
    version: Version,
    locale: LocaleTag,
    publishedAt: Timestamp,
    contentHash: formed(
      '^[0-9a-f]{64}$',
      64,
      'The SHA-256, in hexadecimal, of the canonical JSON (RFC 8785) of `{ theme, pages }`.',
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    ),
    theme: closed('The colors and typeface.', {
      primaryColor: formed('^#[0-9a-f]{6}$', 7, 'A color.', '#2f5d50'),
      accentColor: formed('^#[0-9a-f]{6}$', 7, 'A color.', '#d98e04'),
      backgroundColor: formed('^#[0-9a-f]{6}$', 7, 'A color.', '#ffffff'),
      textColor: formed('^#[0-9a-f]{6}$', 7, 'A color.', '#1c1c1c'),
      font: oneOf(['sans', 'serif', 'mono'], 'The font family.'),
      cornerRadius: integer(0, 32, 'Pixels.', 6),
    }),
    pages: listOf(
      closed('A page.', {
        slug: Slug,
        title: text(200, 'Its title.', 'Welcome'),
        blocks: listOf(DecorationBlock, 100, 'The blocks, in order.'),
      }),
      50,
      'The pages. The first is the home page.',
    ),
  }),
)
export type Decoration = Static<typeof Decoration>

export type DecorationBlock = Static<typeof DecorationBlock>

/** A list without pages, as for legal documents and contact channels. */
export function shortList<Item extends TSchema>(item: Item, description: string) {
  return listOf(item, 100, description)
}
