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

export const LegalDocumentType = oneOf(LEGAL_DOCUMENT_TYPES, 'What it is.')
export const DocumentVersion = text(40, 'The version of the document.', '2026-03-01')

export const Bootstrap = named(
  'Bootstrap',
  closed('What a shop needs before it draws its first page.', {
    site: closed('Who speaks.', { name: text(200, 'The name of the site.', 'Vitrine'), logo: Type.Optional(Image) }),
    locale: LocaleTag,
    locales: listOf(LocaleTag, 50, 'The languages that are offered.'),
    currencies: listOf(CurrencyCode, 200, 'The currencies that are offered.'),
    countries: listOf(CountryCode, 250, 'The countries that are sold to.'),
    defaults: closed('What holds where a caller does not choose.', {
      locale: LocaleTag,
      currency: CurrencyCode,
      country: CountryCode,
    }),
    categories: Type.Array(Category, {
      maxItems: 10_000,
      description: 'The category tree, parents before their children.',
    }),
    links: closed('Where to read on.', {
      legal: listOf(
        closed('A legal document.', {
          type: LegalDocumentType,
          title: text(200, 'Its title.', 'Terms of use'),
          url: Link,
        }),
        20,
        'Legal documents.',
      ),
      contact: Link,
    }),
    features: closed('What is switched on.', {
      registration: flag('Whether customers may register.'),
      passwordReset: flag('Whether customers may reset their passwords.'),
      search: flag('Whether products can be searched.'),
      promotions: flag('Whether carts take promotion codes.'),
      hostedCheckout: flag('Whether carts can be handed to the hosted checkout.'),
    }),
  }),
)
export type Bootstrap = Static<typeof Bootstrap>

export const LegalDocument = named(
  'LegalDocument',
  closed('The version of a legal document that is in force.', {
    type: LegalDocumentType,
    locale: LocaleTag,
    requestedLocale: LocaleTag,
    fallback: flag('Whether it is not in the language that was asked for.', false),
    version: DocumentVersion,
    title: text(200, 'Its title.', 'Terms of use'),
    content: RichText,
    sha256: formed(
      '^[0-9a-f]{64}$',
      64,
      'The SHA-256 of the text in hexadecimal.',
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    ),
    effectiveAt: Timestamp,
    publishedAt: Timestamp,
  }),
)
export type LegalDocument = Static<typeof LegalDocument>

export const ContactChannel = named(
  'ContactChannel',
  closed('A way to reach the people behind the site.', {
    id: text(64, 'The channel, for machines.', 'support-mail'),
    type: oneOf(['email', 'phone', 'chat', 'form', 'post', 'social'], 'Its kind.'),
    label: text(200, 'What a shopper reads.', 'Customer service'),
    value: text(500, 'The address, number or text.', 'help@example.com'),
    url: Type.Optional(formed('^(https?|mailto|tel):', 2048, 'Opens it.', 'mailto:help@example.com')),
    hours: Type.Optional(text(500, 'When somebody answers.', 'Monday to Friday, 9 to 17 h')),
    languages: listOf(LocaleTag, 20, 'The languages that are spoken.'),
    locale: LocaleTag,
  }),
)
export type ContactChannel = Static<typeof ContactChannel>

const BlockId = formed('^[a-z0-9][a-z0-9-]{0,63}$', 64, 'The block, unique on its page.', 'hero-1')
const Heading = text(200, 'A heading.', 'Summer in linen')
const Action = closed('Where a click leads.', { label: text(80, 'What the button says.', 'See all'), url: Link })

function block<Type extends string, Props extends TProperties>(type: Type, description: string, props: Props) {
  return closed(description, {
    id: BlockId,
    type: TypeLiteral(type),
    props: closed('What it shows.', props),
  })
}

function TypeLiteral<const Value extends string>(value: Value) {
  return Type.Literal(value, { description: 'The type of the block.' })
}

const leaves = [
  block('hero', 'A large picture with a heading.', {
    heading: Heading,
    text: Type.Optional(text(1000, 'A text.', 'New for the warm days.')),
    image: Type.Optional(Image),
    action: Type.Optional(Action),
  }),
  block('rich_text', 'A text.', { content: RichText }),
  block('image', 'A picture.', {
    image: Image,
    caption: Type.Optional(text(500, 'A caption.', 'In the workshop')),
    url: Type.Optional(Link),
  }),
  block('product_list', 'Chosen products.', {
    heading: Type.Optional(Heading),
    productIds: listOf(id('prod', 'A product.'), 48, 'The products, in their order.'),
  }),
  block('category_list', 'Chosen categories.', {
    heading: Type.Optional(Heading),
    categoryIds: listOf(id('cat', 'A category.'), 48, 'The categories, in their order.'),
  }),
  block('banner', 'A line that stands out.', {
    text: text(500, 'A line.', 'Free shipping from 50 €'),
    tone: oneOf(['info', 'success', 'warning'], 'How it looks.'),
    action: Type.Optional(Action),
  }),
  block('divider', 'A rule or a space.', { style: oneOf(['line', 'space'], 'How it looks.') }),
] as const

export const DecorationLeaf = named(
  'DecorationLeaf',
  Type.Union([...leaves], { description: 'A block without children.' }),
)
export type DecorationLeaf = Static<typeof DecorationLeaf>

const columns = closed('Blocks side by side.', {
  id: BlockId,
  type: TypeLiteral('columns'),
  props: closed('How they stand.', { columns: integer(1, 4, 'How many beside each other.', 2) }),
  children: listOf(DecorationLeaf, 12, 'The blocks.'),
})

export const DecorationBlock = named(
  'DecorationBlock',
  Type.Union([...leaves, columns], { description: 'A block of one of the known types.' }),
)

export const Decoration = named(
  'Decoration',
  closed('How a store has decorated its pages, as it is published.', {
    storeId: id('store', 'The id of the store.'),
    version: Version,
    locale: LocaleTag,
    publishedAt: Timestamp,
    contentHash: formed(
      '^[0-9a-f]{64}$',
      64,
      'The SHA-256, in hexadecimal, of the canonical JSON (RFC 8785) of `{ theme, pages }` as they stand here.',
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    ),
    theme: closed('Its colours and type.', {
      primaryColor: formed('^#[0-9a-f]{6}$', 7, 'A colour.', '#2f5d50'),
      accentColor: formed('^#[0-9a-f]{6}$', 7, 'A colour.', '#d98e04'),
      backgroundColor: formed('^#[0-9a-f]{6}$', 7, 'A colour.', '#ffffff'),
      textColor: formed('^#[0-9a-f]{6}$', 7, 'A colour.', '#1c1c1c'),
      font: oneOf(['sans', 'serif', 'mono'], 'The family of letters.'),
      cornerRadius: integer(0, 32, 'Pixels.', 6),
    }),
    pages: listOf(
      closed('A page.', {
        slug: Slug,
        title: text(200, 'Its title.', 'Welcome'),
        blocks: listOf(DecorationBlock, 100, 'Its blocks, in their order.'),
      }),
      50,
      'The pages; the first is the home page.',
    ),
  }),
)
export type Decoration = Static<typeof Decoration>

export type DecorationBlock = Static<typeof DecorationBlock>

/** A list of legal documents or channels is short: one page always. */
export function shortList<Item extends TSchema>(item: Item, description: string) {
  return listOf(item, 100, description)
}
