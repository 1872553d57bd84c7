// Written by `npm run generate` from the contract. Do not edit.

/** An integer amount in minor units of a currency. */
export interface Money {
  /** Minor units: 1999 in EUR is 19.99 euros. */
  amount: number
  /** An ISO 4217 currency. */
  currency: string
}

/** An image. */
export interface Image {
  /** An absolute URL, or a path below the public address. */
  url: string
  /** The alternative text. Empty if none was given. */
  alt: string
  /** Pixels. */
  width: number
  /** Pixels. */
  height: number
  /** The same image in smaller types and several widths, the best type first, as in `<picture>`. Absent: `url` alone. */
  sources?: {
    /** The media type. */
    type: string
    /** URLs with their widths, as in `srcset`. */
    srcset: string
  }[]
}

/** A store reference. */
export interface StoreReference {
  /** The id of the store. */
  id: string
  /** Lowercase words joined by hyphens. */
  slug: string
  /** The name of the store. */
  name: string
}

/** A text with its format. */
export interface RichText {
  /** The format of the text. Markdown never contains raw HTML. */
  format: 'plain' | 'markdown'
  /** The text. */
  text: string
}

/** A store policy for shoppers. */
export interface Policy {
  /** The subject of the policy. */
  type: 'returns' | 'shipping' | 'warranty' | 'privacy' | 'terms' | 'imprint' | (string & {})
  /** The heading. */
  title: string
  /** The text. */
  text?: string
  /** An absolute URL, or a path below the public address. */
  url?: string
}

/** The contact of a shopper or a store. */
export interface Contact {
  /** An email address. */
  email?: string
  /** A phone number in E.164. */
  phone?: string
}

/** A postal address. The country decides which fields are required. */
export interface Address {
  /** The recipient. */
  recipientName: string
  /** The company. */
  company?: string
  /** The street address. */
  line1: string
  /** The second address line. */
  line2?: string
  /** The third address line. */
  line3?: string
  /** A district of the city. */
  dependentLocality?: string
  /** The city. */
  city: string
  /** The state or province: the part of its ISO 3166-2 code after the hyphen, or its name. */
  region?: string
  /** The postal code. */
  postalCode?: string
  /** An ISO 3166-1 alpha-2 country. */
  countryCode: string
  /** A phone number in E.164. */
  phone?: string
  /** The VAT number of a business: prefix, form and check digits of its country. Spaces and dots are removed. */
  vatId?: string
}

/** A category. `parentId` builds the tree. */
export interface Category {
  /** The id of the category. */
  id: string
  /** Lowercase words joined by hyphens. */
  slug: string
  /** The name of the category. */
  name: string
  /** The locale that its name is in. */
  locale: string
  /** The description of the category. */
  description?: string
  /** The parent category. */
  parentId?: string
  /** The slugs from the root to this category. */
  path: string[]
  /** The position among its siblings. */
  position: number
  /** The number of products in and below the category. */
  productCount: number
  image?: Image
  store?: StoreReference
  /** Increases with every change. */
  version: number
  /** A UTC timestamp, RFC 3339. */
  createdAt: string
  /** A UTC timestamp, RFC 3339. */
  updatedAt: string
}

/** The lowest and the highest price of the SKUs. */
export interface PriceRange {
  min: Money
  max: Money
}

/** A product in a list. */
export interface ProductSummary {
  /** The id of the product. */
  id: string
  /** Lowercase words joined by hyphens. */
  slug: string
  /** The name of the product. */
  name: string
  /** The locale that its name is in. */
  locale: string
  /** The line below the name. */
  subtitle?: string
  /** The brand. */
  brand?: string
  store: StoreReference
  /** The categories of the store, in its order. */
  categoryIds: string[]
  thumbnail?: Image
  priceRange: PriceRange
  compareAtPriceRange?: PriceRange
  /** Whether prices include tax. */
  taxIncluded: boolean
  /** Whether it can be bought now. */
  availability: 'in_stock' | 'low_stock' | 'out_of_stock' | 'preorder' | 'backorder' | (string & {})
  /** The customer rating. */
  rating?: {
    /** From 0 to 5. */
    average: number
    /** The number of ratings. */
    count: number
  }
  /** A UTC timestamp, RFC 3339. */
  updatedAt: string
}

/** A variant: one combination of the options of a product. */
export interface Sku {
  /** The id of the SKU. */
  id: string
  /** The number of the manufacturer or the merchant. Not unique. */
  code: string
  /** GTIN, UPC, EAN or ISBN, as a scanner reads it. */
  barcode?: string
  /** One value per option of the product. */
  optionValues: Record<string, string>
  price: Money
  compareAtPrice?: Money
  /** Only in listApiKeyCatalogProducts: its price in every currency that has one. */
  prices?: {
    price: Money
    compareAtPrice?: Money
  }[]
  /** Whether it can be bought now. */
  availability: 'in_stock' | 'low_stock' | 'out_of_stock' | 'preorder' | 'backorder' | (string & {})
  /** Units in stock, up to a cap. Absent if stock is not tracked. */
  availableQuantity?: number
  /** The minimum quantity of a line. */
  minQuantity: number
  /** The maximum quantity of a line. */
  maxQuantity: number
  /** Quantities above the minimum are in steps of it. */
  step: number
  /** Grams. */
  weightGrams?: number
  /** `false`: nothing is shipped, such as a gift card or a download. */
  requiresShipping: boolean
  /** The tax category. */
  taxCategory: string
  image?: Image
}

/** A product with everything a product page shows. */
export interface Product {
  /** The id of the product. */
  id: string
  /** Lowercase words joined by hyphens. */
  slug: string
  /** The name of the product. */
  name: string
  /** The locale that its name is in. */
  locale: string
  /** The line below the name. */
  subtitle?: string
  /** The brand. */
  brand?: string
  store: StoreReference
  /** The categories of the store, in its order. */
  categoryIds: string[]
  thumbnail?: Image
  priceRange: PriceRange
  compareAtPriceRange?: PriceRange
  /** Whether prices include tax. */
  taxIncluded: boolean
  /** Whether it can be bought now. */
  availability: 'in_stock' | 'low_stock' | 'out_of_stock' | 'preorder' | 'backorder' | (string & {})
  /** The customer rating. */
  rating?: {
    /** From 0 to 5. */
    average: number
    /** The number of ratings. */
    count: number
  }
  /** A UTC timestamp, RFC 3339. */
  updatedAt: string
  /** Increases with every change. */
  version: number
  /** A UTC timestamp, RFC 3339. */
  createdAt: string
  description?: RichText
  /** The images, the main one first. */
  images: Image[]
  /** The options. */
  options: {
    /** The option, as in the filter `option.<name>`. */
    id: string
    /** The title shown to shoppers. */
    name: string
    /** The values, in order. */
    values: {
      /** As in `optionValues` and the filter. */
      value: string
      /** The title shown to shoppers. */
      label: string
    }[]
  }[]
  /** Every SKU with a price in the currency; in listApiKeyCatalogProducts, with a price in any currency. */
  skus: Sku[]
  /** The attributes of the product. */
  attributes: {
    /** The key of the attribute. */
    key: string
    /** The title shown to shoppers. */
    label: string
    /** The value of the attribute. */
    value: string | number | boolean
  }[]
  /** Search engine metadata. */
  seo: {
    /** The page title. */
    title?: string
    /** The page description. */
    description?: string
  }
  /** The policies of the store that apply. */
  policies: Policy[]
  /** Related products, in the order to show them. Send them as the filter `product` of lists. Absent if there are none. */
  relatedProductIds?: string[]
  /** The catalog revision. Increases with every change. */
  catalogRevision: string
}

/** The public profile of a store. */
export interface StoreProfile {
  /** The id of the store. */
  id: string
  /** Lowercase words joined by hyphens. */
  slug: string
  /** The name of the store. */
  name: string
  /** A BCP 47 locale. */
  locale: string
  logo?: Image
  /** The description of the store. */
  description?: string
  /** The countries the store ships to. */
  countries: string[]
  /** The currencies the store sells in. */
  currencies: string[]
  /** The languages of the store. */
  locales: string[]
  /** The defaults of the store. */
  defaults: {
    /** An ISO 3166-1 alpha-2 country. */
    country: string
    /** An ISO 4217 currency. */
    currency: string
    /** A BCP 47 locale. */
    locale: string
  }
  /** Whether prices include tax. */
  taxIncluded: boolean
  /** The contact of the store. */
  contact: {
    /** An email address. */
    email?: string
    /** A phone number in E.164. */
    phone?: string
    /** An absolute URL. */
    url?: string
  }
  /** The policies of the store. */
  policies: Policy[]
  /** The access mode of the store. */
  access: {
    /** Any mode but `open` requires an access token, see getStoreAccessConfig. */
    mode: 'open' | 'password' | 'challenge' | (string & {})
  }
  /** Increases with every change. */
  version: number
  /** A UTC timestamp, RFC 3339. */
  createdAt: string
  /** A UTC timestamp, RFC 3339. */
  updatedAt: string
}

/** The position of this page in the list. */
export interface Page {
  /** The page size. */
  limit: number
  /** The cursor of the next page; `null` on the last. */
  nextCursor: string | null
  /** Whether there is a next page. */
  hasNextPage: boolean
  /** The number of results on all pages. */
  totalCount: number
  /** Whether the count is exact or an estimate. */
  totalCountExact: boolean
}

/** A facet of the list. Its counts leave out its own filter. */
export interface Facet {
  /** The facet. */
  key: string
  /** The title shown to shoppers. */
  label: string
  /** Terms, or price ranges. */
  type: 'terms' | 'range' | (string & {})
  /** The query parameters of the facet. `terms`: one, for the values. `range`: two, for the lower and the upper end; leave out an open end. */
  parameters: string[]
  /** The values. */
  values: {
    /** The value to send. A range is `from-to` in minor units: both ends are sent; an open end is empty. */
    value: string
    /** The title shown to shoppers. */
    label: string
    /** The number of matching products. */
    count: number
    /** Whether the value is selected. */
    selected: boolean
  }[]
}

/** The filters as understood. */
export interface AppliedFilters {
  /** The search query. */
  q?: string
  /** Categories. */
  category?: string[]
  /** A store: its id or its slug. */
  store?: string
  /** Brands. */
  brand?: string[]
  /** Products. */
  product?: string[]
  /** The minimum price. */
  priceMin?: number
  /** The maximum price. */
  priceMax?: number
  /** Availability. */
  availability?: 'in_stock' | 'any' | (string & {})
  /** An ISO 3166-1 alpha-2 country. */
  country?: string
  /** Values by option. */
  options?: Record<string, string[]>
}

/** The page, filters and facets of the list. */
export interface ProductListMeta {
  page: Page
  /** A ready-made link to the next page; `null` on the last. */
  next: string | null
  /** The sort order. */
  sort: 'relevance' | 'newest' | 'price_asc' | 'price_desc' | 'name_asc' | 'name_desc' | (string & {})
  appliedFilters: AppliedFilters
  /** The facets of the list. */
  facets: Facet[]
  /** The catalog revision. Increases with every change. */
  catalogRevision: string
  /** The locale asked for. Each item names the one it was served in. */
  locale: string
  /** An ISO 4217 currency. */
  currency: string
}

/** A suggestion while the shopper types. */
export interface Suggestion {
  /** A query to search for, a category, or a product. */
  kind: 'query' | 'category' | 'product' | (string & {})
  /** The query, or the name. */
  text: string
  /** The slug of the category or the product. */
  slug?: string
  store?: StoreReference
  thumbnail?: Image
  priceRange?: PriceRange
}

/** The page, filters and facets of the search. */
export interface SearchMeta {
  page: Page
  /** A ready-made link to the next page; `null` on the last. */
  next: string | null
  /** The sort order. */
  sort: 'relevance' | 'newest' | 'price_asc' | 'price_desc' | 'name_asc' | 'name_desc' | (string & {})
  appliedFilters: AppliedFilters
  /** The facets of the list. */
  facets: Facet[]
  /** The catalog revision. Increases with every change. */
  catalogRevision: string
  /** The locale asked for. Each item names the one it was served in. */
  locale: string
  /** An ISO 4217 currency. */
  currency: string
  /** The query that was searched instead if the original was misspelled, otherwise `null`. */
  correctedQuery: string | null
  /** The price that was found in the query, otherwise `null`. Also in `appliedFilters`. */
  understood: {
    /** The words that ask for the price. */
    text: string
    /** The rest, which was searched. */
    query: string
    /** The minimum price. */
    priceMin?: number
    /** The maximum price. */
    priceMax?: number
  } | null
  /** Suggestions for the query: queries first, then categories, then products with store, image and price. Empty on later pages. */
  suggestions: Suggestion[]
  /** The page that an operator has set for the query: a path of the shop, or a URL. `null` without one. Clients may show it instead of the products. */
  redirect: string | null
}

/** The page, locale and currency of the list. */
export interface ApiKeyProductListMeta {
  page: Page
  /** A ready-made link to the next page; `null` on the last. */
  next: string | null
  /** The catalog revision. Increases with every change. */
  catalogRevision: string
  /** The locale asked for. Each item names the one it was served in. */
  locale: string
  /** An ISO 4217 currency. */
  currency: string
}

/** The catalog revision and locale of the list. */
export interface CategoryListMeta {
  /** The catalog revision. Increases with every change. */
  catalogRevision: string
  /** The locale asked for. Each item names the one it was served in. */
  locale: string
}

/** The next page and the locale of the list. */
export interface ApiKeyCategoryListMeta {
  /** A ready-made link to the next page; `null` on the last. */
  next: string | null
  /** The catalog revision. Increases with every change. */
  catalogRevision: string
  /** The locale asked for. Each item names the one it was served in. */
  locale: string
}

/** The site bootstrap configuration. */
export interface Bootstrap {
  /** The site. */
  site: {
    /** The name of the site. */
    name: string
    logo?: Image
  }
  /** A BCP 47 locale. */
  locale: string
  /** The supported languages. */
  locales: string[]
  /** The supported currencies. */
  currencies: string[]
  /** The countries that can be shipped to. */
  countries: string[]
  /** The defaults of the site. */
  defaults: {
    /** A BCP 47 locale. */
    locale: string
    /** An ISO 4217 currency. */
    currency: string
    /** An ISO 3166-1 alpha-2 country. */
    country: string
  }
  /** The category tree, parents before their children. */
  categories: Category[]
  /** Links. */
  links: {
    /** Legal documents. */
    legal: {
      /** The type of the document. */
      type: 'terms_of_use' | 'privacy_policy' | 'return_policy' | 'shipping_policy' | 'cookie_policy' | 'imprint' | (string & {})
      /** Its title. */
      title: string
      /** An absolute URL, or a path below the public address. */
      url: string
    }[]
    /** An absolute URL, or a path below the public address. */
    contact: string
  }
  /** What works now, in the live environment. */
  features: {
    /** Whether customers can register: their confirmation mails are sent. */
    registration: boolean
    /** Whether customers can reset their passwords: the mails with the links are sent. */
    passwordReset: boolean
    /** Whether there are products to search: a store is open to everyone. */
    search: boolean
    /** Whether carts accept promotion codes: an active promotion has one. */
    promotions: boolean
    /** Whether the hosted checkout takes orders: live credentials are accepted, and a payment method takes an offered currency. */
    hostedCheckout: boolean
  }
}

/** The legal document version in force. */
export interface LegalDocument {
  /** The type of the document. */
  type: 'terms_of_use' | 'privacy_policy' | 'return_policy' | 'shipping_policy' | 'cookie_policy' | 'imprint' | (string & {})
  /** A BCP 47 locale. */
  locale: string
  /** A BCP 47 locale. */
  requestedLocale: string
  /** Whether the requested language was not available. */
  fallback: boolean
  /** The version of the document. */
  version: string
  /** Its title. */
  title: string
  content: RichText
  /** The SHA-256 of the text, in hexadecimal. */
  sha256: string
  /** A UTC timestamp, RFC 3339. */
  effectiveAt: string
  /** A UTC timestamp, RFC 3339. */
  publishedAt: string
}

/** A contact channel. */
export interface ContactChannel {
  /** The channel, machine-readable. */
  id: string
  /** The type of the channel. */
  type: 'email' | 'phone' | 'chat' | 'form' | 'post' | 'social' | (string & {})
  /** The title shown to shoppers. */
  label: string
  /** The address, number or text. */
  value: string
  /** A link that opens the channel. */
  url?: string
  /** The opening hours. */
  hours?: string
  /** Languages spoken. */
  languages: string[]
  /** A BCP 47 locale. */
  locale: string
}

/** A block without children. */
export type DecorationLeaf = {
  /** The id of the block, unique on its page. */
  id: string
  /** The type of the block. */
  type: 'hero'
  /** The content of the block. */
  props: {
    /** A heading. */
    heading: string
    /** A text. */
    text?: string
    image?: Image
    /** A button with a link. */
    action?: {
      /** The label of the button. */
      label: string
      /** An absolute URL, or a path below the public address. */
      url: string
    }
  }
} | {
  /** The id of the block, unique on its page. */
  id: string
  /** The type of the block. */
  type: 'rich_text'
  /** The content of the block. */
  props: {
    content: RichText
  }
} | {
  /** The id of the block, unique on its page. */
  id: string
  /** The type of the block. */
  type: 'image'
  /** The content of the block. */
  props: {
    image: Image
    /** A caption. */
    caption?: string
    /** An absolute URL, or a path below the public address. */
    url?: string
  }
} | {
  /** The id of the block, unique on its page. */
  id: string
  /** The type of the block. */
  type: 'product_list'
  /** The content of the block. */
  props: {
    /** A heading. */
    heading?: string
    /** The products, in order. */
    productIds: string[]
  }
} | {
  /** The id of the block, unique on its page. */
  id: string
  /** The type of the block. */
  type: 'category_list'
  /** The content of the block. */
  props: {
    /** A heading. */
    heading?: string
    /** The categories, in order. */
    categoryIds: string[]
  }
} | {
  /** The id of the block, unique on its page. */
  id: string
  /** The type of the block. */
  type: 'banner'
  /** The content of the block. */
  props: {
    /** A line. */
    text: string
    /** The tone. */
    tone: 'info' | 'success' | 'warning' | (string & {})
    /** A button with a link. */
    action?: {
      /** The label of the button. */
      label: string
      /** An absolute URL, or a path below the public address. */
      url: string
    }
  }
} | {
  /** The id of the block, unique on its page. */
  id: string
  /** The type of the block. */
  type: 'divider'
  /** The content of the block. */
  props: {
    /** The style. */
    style: 'line' | 'space' | (string & {})
  }
}

/** A block of one of the known types. */
export type DecorationBlock = {
  /** The id of the block, unique on its page. */
  id: string
  /** The type of the block. */
  type: 'hero'
  /** The content of the block. */
  props: {
    /** A heading. */
    heading: string
    /** A text. */
    text?: string
    image?: Image
    /** A button with a link. */
    action?: {
      /** The label of the button. */
      label: string
      /** An absolute URL, or a path below the public address. */
      url: string
    }
  }
} | {
  /** The id of the block, unique on its page. */
  id: string
  /** The type of the block. */
  type: 'rich_text'
  /** The content of the block. */
  props: {
    content: RichText
  }
} | {
  /** The id of the block, unique on its page. */
  id: string
  /** The type of the block. */
  type: 'image'
  /** The content of the block. */
  props: {
    image: Image
    /** A caption. */
    caption?: string
    /** An absolute URL, or a path below the public address. */
    url?: string
  }
} | {
  /** The id of the block, unique on its page. */
  id: string
  /** The type of the block. */
  type: 'product_list'
  /** The content of the block. */
  props: {
    /** A heading. */
    heading?: string
    /** The products, in order. */
    productIds: string[]
  }
} | {
  /** The id of the block, unique on its page. */
  id: string
  /** The type of the block. */
  type: 'category_list'
  /** The content of the block. */
  props: {
    /** A heading. */
    heading?: string
    /** The categories, in order. */
    categoryIds: string[]
  }
} | {
  /** The id of the block, unique on its page. */
  id: string
  /** The type of the block. */
  type: 'banner'
  /** The content of the block. */
  props: {
    /** A line. */
    text: string
    /** The tone. */
    tone: 'info' | 'success' | 'warning' | (string & {})
    /** A button with a link. */
    action?: {
      /** The label of the button. */
      label: string
      /** An absolute URL, or a path below the public address. */
      url: string
    }
  }
} | {
  /** The id of the block, unique on its page. */
  id: string
  /** The type of the block. */
  type: 'divider'
  /** The content of the block. */
  props: {
    /** The style. */
    style: 'line' | 'space' | (string & {})
  }
} | {
  /** The id of the block, unique on its page. */
  id: string
  /** The type of the block. */
  type: 'columns'
  /** The layout. */
  props: {
    /** The number of columns. */
    columns: number
  }
  /** The blocks. */
  children: (DecorationLeaf)[]
}

/** The published decoration of a store. */
export interface Decoration {
  /** The id of the store. */
  storeId: string
  /** Increases with every change. */
  version: number
  /** A BCP 47 locale. */
  locale: string
  /** A UTC timestamp, RFC 3339. */
  publishedAt: string
  /** The SHA-256, in hexadecimal, of the canonical JSON (RFC 8785) of `{ theme, pages }`. */
  contentHash: string
  /** The colors and typeface. */
  theme: {
    /** A color. */
    primaryColor: string
    /** A color. */
    accentColor: string
    /** A color. */
    backgroundColor: string
    /** A color. */
    textColor: string
    /** The font family. */
    font: 'sans' | 'serif' | 'mono' | (string & {})
    /** Pixels. */
    cornerRadius: number
  }
  /** The pages. The first is the home page. */
  pages: {
    /** Lowercase words joined by hyphens. */
    slug: string
    /** Its title. */
    title: string
    /** The blocks, in order. */
    blocks: (DecorationBlock)[]
  }[]
}

/** A new customer. */
export interface RegisterCustomerRequest {
  /** An email address. */
  email: string
  /** A password of 8 to 128 characters. */
  password: string
  /** The first name. */
  firstName?: string
  /** The last name. */
  lastName?: string
  /** A BCP 47 locale. */
  locale?: string
  /** The documents the customer has accepted. All of `listLegalDocuments` that require it at registration must be listed, in their current versions. */
  acceptedDocuments: readonly {
    /** The type of the document. */
    type: 'terms_of_use' | 'privacy_policy' | 'return_policy' | 'shipping_policy' | 'cookie_policy' | 'imprint'
    /** The version of the document. */
    version: string
  }[]
  /** Whether the customer consents to marketing email. */
  marketingConsent?: boolean
  /** The access token of a solved challenge, if the operator requires one. */
  grant?: string
}

/** The customer's email address. */
export interface RequestPasswordResetRequest {
  /** An email address. */
  email: string
  /** The access token of a solved challenge, if the operator requires one. */
  grant?: string
}

/** The new password. */
export interface ConfirmPasswordResetRequest {
  /** The token from the email. */
  token: string
  /** A password of 8 to 128 characters. */
  newPassword: string
}

/** The request was accepted. The answer never reveals whether the address is known. */
export interface AcceptedStatus {
  /** Always `accepted`. */
  status: 'accepted'
}

/** The password was changed. */
export interface PasswordResetStatus {
  /** The password was changed and every session has ended. */
  status: 'changed'
}

/** The access settings of a store. */
export interface StoreAccessConfig {
  /** The store. */
  store: {
    /** The id of the store. */
    id: string
    /** Lowercase words joined by hyphens. */
    slug: string
  }
  /** The access mode of the store. */
  mode: 'open' | 'password' | 'challenge' | (string & {})
  /** The purposes a challenge can be created for. Without store_access if the store is open. */
  purposes: {
    /** The purpose of the grant. */
    purpose: 'store_access' | 'register' | 'password_reset' | (string & {})
    /** Whether a grant is required now. */
    grantRequired: boolean
    /** The accepted kinds of challenge; the first is the default. */
    challengeKinds: ('password' | 'proof_of_work' | (string & {}))[]
    /** The lifetime of the grant. */
    grantSeconds: number
  }[]
  /** The header that carries the access token. */
  header: string
  /** The limits of a challenge. */
  limits: {
    /** The lifetime of a challenge. */
    challengeSeconds: number
    /** Attempts per challenge. */
    attemptsMax: number
  }
}

/** The purpose of the grant. */
export interface CreateChallengeRequest {
  /** The kind of challenge. */
  kind?: 'password' | 'proof_of_work'
  /** The purpose of the grant. */
  purpose: 'store_access' | 'register' | 'password_reset'
}

/** A challenge to solve. */
export interface Challenge {
  /** The id of the challenge. */
  id: string
  /** The kind of challenge. */
  kind: 'password' | 'proof_of_work' | (string & {})
  /** The purpose of the grant. */
  purpose: 'store_access' | 'register' | 'password_reset' | (string & {})
  /** A UTC timestamp, RFC 3339. */
  expiresAt: string
  /** Attempts left. */
  attemptsMax: number
  /** The proof of work, in the format of ALTCHA (version 2). */
  proofOfWork?: {
    /** The proof of work. */
    parameters: {
      /** The key derivation function. */
      algorithm: string
      /** Random per challenge. */
      nonce: string
      /** Random per challenge. */
      salt: string
      /** Rounds per derivation. */
      cost: number
      /** Bytes of the derived key. */
      keyLength: number
      /** The required prefix of the derived key. */
      keyPrefix: string
      /** The signature of the expected key. */
      keySignature: string
    }
    /** The signature of the parameters. */
    signature: string
  }
}

/** Either the password or the solution, depending on the kind. */
export interface VerifyChallengeRequest {
  /** The id of the challenge. */
  challengeId: string
  /** The password of the store. */
  password?: string
  /** The payload of the solver, in base64: { challenge, solution: { counter, derivedKey } }. */
  solution?: string
}

/** The access token of a store. */
export interface StoreAccessGrant {
  /** The access token of a solved challenge, if the operator requires one. */
  accessToken: string
  /** The purpose of the grant. */
  purpose: 'store_access' | 'register' | 'password_reset' | (string & {})
  /** A UTC timestamp, RFC 3339. */
  expiresAt: string
}

/** The return URL of the shopper, bound to a PKCE challenge. */
export interface InitiateHostedLoginRequest {
  /** An absolute URL. */
  returnUrl: string
  /** Returned unchanged. */
  state: string
  /** The S256 code challenge, RFC 7636. */
  codeChallenge: string
  /** The PKCE method. */
  codeChallengeMethod: 'S256'
  /** A BCP 47 locale. */
  locale?: string
  /** The page to open first. */
  prompt?: 'login' | 'register'
}

/** The login page for the shopper. */
export interface HostedLogin {
  /** The login session. */
  loginSession: string
  /** An absolute URL. */
  loginUrl: string
  /** A UTC timestamp, RFC 3339. */
  expiresAt: string
}

/** The parameters of the return URL, with the verifier. */
export interface ConsumeHostedLoginReturnRequest {
  /** The login session. */
  loginSession: string
  /** The code. */
  code: string
  /** Returned unchanged. */
  state: string
  /** The code verifier, RFC 7636. */
  codeVerifier: string
}

/** The signed-in customer and a token for creating carts. */
export interface HostedLoginResult {
  /** The customer. */
  customer: {
    /** The id of the customer. */
    id: string
    /** An email address. */
    email: string
    /** The first name. */
    firstName?: string
    /** The last name. */
    lastName?: string
    /** A BCP 47 locale. */
    locale?: string
  }
  /** For createPublicCart. Shown once. */
  customerToken?: string
  /** `already_shown`: this answer is a replay, and secrets are not stored. */
  customerTokenState: 'shown' | 'already_shown'
  /** A UTC timestamp, RFC 3339. */
  expiresAt: string
}

/** A quantity of one SKU. */
export interface LineRequest {
  /** The id of the SKU. */
  skuId: string
  /** Units. */
  quantity: number
}

/** A new cart. */
export interface CreatePublicCartRequest {
  /** An ISO 4217 currency. */
  currency: string
  /** An ISO 3166-1 alpha-2 country. */
  country: string
  /** A BCP 47 locale. */
  locale?: string
  /** The initial lines. */
  lines?: readonly LineRequest[]
  /** The customer token from consumeHostedLoginReturn. */
  customerToken?: string
  contact?: Contact
  /** Caller-defined metadata, returned unchanged. */
  metadata?: Record<string, string>
}

/** Units to add. */
export interface PublicCartItemMutationRequest {
  /** The id of the SKU. */
  skuId: string
  /** Units. */
  quantity: number
  /** The version the caller has seen. Another version is refused as `version_conflict`. */
  expectedVersion?: number
}

/** The new quantity. Zero is refused; use removePublicCartItem. */
export interface PublicCartQuantityUpdateRequest {
  /** Units. */
  quantity: number
  /** The version the caller has seen. Another version is refused as `version_conflict`. */
  expectedVersion?: number
}

/** The reason and the expected version. May be empty. */
export interface PublicCartTransitionRequest {
  /** The reason, as free text. */
  reason?: string
  /** The version the caller has seen. Another version is refused as `version_conflict`. */
  expectedVersion?: number
}

/** Partial update: an absent member is unchanged, `null` removes it. */
export interface SetPublicCartAddressRequest {
  /** The shipping address. */
  shipping?: Address | null
  /** The billing address. */
  billing?: Address | null
  contact?: Contact
  /** The id of a shipping option. With several stores, one id of each, joined by `+`. */
  shippingOptionId?: string
  /** The customer token from consumeHostedLoginReturn. */
  customerToken?: string
  /** Merged into the metadata of the cart by key. Keys that are absent stay. */
  metadata?: Record<string, string>
  /** The version the caller has seen. Another version is refused as `version_conflict`. */
  expectedVersion?: number
}

/** The promotion code of the cart. */
export interface ApplyPublicCartPromotionRequest {
  /** The code, in upper or lower case. */
  code: string
  /** The version the caller has seen. Another version is refused as `version_conflict`. */
  expectedVersion?: number
}

/** The shipping option. May be empty. */
export interface QuotePublicCartRequest {
  /** The id of a shipping option. With several stores, one id of each, joined by `+`. */
  shippingOptionId?: string
  /** The version the caller has seen. Another version is refused as `version_conflict`. */
  expectedVersion?: number
}

/** The discount of one promotion. */
export interface DiscountAllocation {
  /** The id of the promotion. */
  promotionId: string
  /** The code, in upper or lower case. */
  code?: string
  /** The title shown to shoppers. */
  title: string
  amount: Money
}

/** One tax on one amount. */
export interface TaxLine {
  /** The title shown to shoppers. */
  name: string
  /** A decimal rate: `0.19` is 19 %. */
  rate: string
  /** The tax category. */
  category: string
  taxable: Money
  amount: Money
  /** Whether the price includes the tax. */
  included: boolean
  /** An ISO 3166-1 alpha-2 country. */
  country?: string
  /** Why no tax is charged. The buyer is a business of another member state of the EU, the goods leave the EU, or the seller is a small business. */
  exemption?: 'intra_community_supply' | 'reverse_charge' | 'export' | 'small_business' | (string & {})
  /** The note that an invoice must contain. */
  note?: string
  /** The authority within the country, where a tax provider names it. */
  jurisdiction?: string
  /** `provider`: a tax provider calculated it. `fallback`: the tax table of the store, because its provider failed. Absent: the tax table. */
  source?: 'provider' | 'fallback' | (string & {})
}

/** A line: all units of one SKU. `total` is what the buyer pays for it. */
export interface CartLine {
  /** The id of the line. */
  lineId: string
  /** The id of the SKU. */
  skuId: string
  /** The id of the product. */
  productId: string
  /** The id of the store. */
  storeId: string
  /** The name of the product. */
  name: string
  image?: Image
  /** The selected options. */
  optionLabels: {
    /** The option, as shown to shoppers. */
    name: string
    /** The value, as shown to shoppers. */
    value: string
  }[]
  /** Units. */
  quantity: number
  /** Whether the line has to be shipped. Absent from quotes of earlier versions: it has. */
  requiresShipping?: boolean
  unitPrice: Money
  subtotal: Money
  /** The discounts on the line. */
  discountAllocations: DiscountAllocation[]
  /** The taxes on the line. */
  taxLines: TaxLine[]
  total: Money
  compareAtUnitPrice?: Money
  priceAtAdd: Money
  /** Whether the SKU can be bought now. `unavailable`: no longer for sale. */
  availability: 'in_stock' | 'low_stock' | 'out_of_stock' | 'preorder' | 'backorder' | 'unavailable' | (string & {})
  /** The minimum quantity of the line. */
  minQuantity: number
  /** The current maximum quantity of the line. */
  maxQuantity: number
  /** Quantities above the minimum are in steps of it. */
  step: number
}

/** All units of one SKU, as priced. */
export interface QuoteLine {
  /** The id of the line. */
  lineId: string
  /** The id of the SKU. */
  skuId: string
  /** The id of the product. */
  productId: string
  /** The id of the store. */
  storeId: string
  /** The name of the product. */
  name: string
  image?: Image
  /** The selected options. */
  optionLabels: {
    /** The option, as shown to shoppers. */
    name: string
    /** The value, as shown to shoppers. */
    value: string
  }[]
  /** Units. */
  quantity: number
  /** Whether the line has to be shipped. Absent from quotes of earlier versions: it has. */
  requiresShipping?: boolean
  unitPrice: Money
  subtotal: Money
  /** The discounts on the line. */
  discountAllocations: DiscountAllocation[]
  /** The taxes on the line. */
  taxLines: TaxLine[]
  total: Money
}

/** The promotion code of the cart. A code that no longer applies stays, with the reason. */
export interface CartPromotion {
  /** Whether the code reduces the price. */
  status: 'none' | 'applied' | 'inapplicable' | (string & {})
  /** The code, in upper or lower case. */
  code?: string
  /** The id of the promotion. */
  promotionId?: string
  /** The title shown to shoppers. */
  title?: string
  /** What the discount applies to. */
  phase?: 'line' | 'order' | 'shipping' | (string & {})
  amount?: Money
  /** Why the code does not apply. */
  reasonCode?: 'invalid' | 'not_started' | 'expired' | 'customer_required' | 'customer_ineligible' | 'usage_limit_reached' | 'minimum_not_met' | 'combination_disallowed' | (string & {})
  /** The missing requirement. */
  requirement?: {
    missing: Money
  }
}

/** An automatic promotion. */
export interface AutomaticPromotion {
  /** The id of the promotion. */
  promotionId: string
  /** The title shown to shoppers. */
  title: string
  /** What the discount applies to. */
  phase: 'line' | 'order' | 'shipping' | (string & {})
  amount: Money
}

/** A shipping option of one store. */
export interface ShippingOption {
  /** The id of a shipping option. With several stores, one id of each, joined by `+`. */
  id: string
  /** The store that ships. */
  storeId: string
  /** The title shown to shoppers. */
  name: string
  price: Money
  /** The delivery window. */
  delivery: {
    /** The earliest arrival, in days. */
    minDays: number
    /** The latest arrival, in days. */
    maxDays: number
  }
}

/** The shipping of one store. */
export interface SelectedShipping {
  /** The store that ships. */
  storeId: string
  /** The id of a shipping option. With several stores, one id of each, joined by `+`. */
  optionId: string
  /** Whether the caller selected it. Otherwise the cheapest is preselected. */
  chosen: boolean
  amount: Money
  /** The shipping discounts. */
  discountAllocations: DiscountAllocation[]
  /** The taxes on shipping. */
  taxLines: TaxLine[]
  total: Money
}

/** The sum of all taxes. */
export interface TaxTotal {
  amount: Money
  added: Money
  /** Whether prices include tax. `false` if stores differ; see `byStore`. */
  included: boolean
  /** `estimated` until a shipping address is set; `not_calculated` if a category has no rate for the destination. */
  status: 'estimated' | 'final' | 'not_calculated' | (string & {})
}

/** The totals of one store. */
export interface StoreTotals {
  /** The id of the store. */
  storeId: string
  itemsSubtotal: Money
  itemsDiscount: Money
  shipping?: Money
  shippingDiscount?: Money
  tax: TaxTotal
  total: Money
}

/** Plain sums. `total` is itemsSubtotal − itemsDiscount + shipping − shippingDiscount + tax.added. `shipping` is absent until a store has a shipping option; see `byStore`. */
export interface Totals {
  itemsSubtotal: Money
  itemsDiscount: Money
  shipping?: Money
  shippingDiscount?: Money
  tax: TaxTotal
  total: Money
  /** The totals per store. */
  byStore: StoreTotals[]
  /** How amounts are rounded. */
  rounding: {
    /** Halves are rounded away from zero. */
    mode: 'half_away_from_zero'
    /** Per line, after quantity and discounts. */
    level: 'line'
  }
}

/** A notice about a cart that can still be read. */
export interface CartMessage {
  /** The subject of the message. */
  type: 'price' | 'stock' | 'promotion' | 'shipping' | 'address' | 'cart' | (string & {})
  /** A machine-readable word. */
  code: string
  /** `blocking`: checkout is refused until it is resolved. */
  severity: 'info' | 'warning' | 'blocking'
  /** A JSON pointer into the cart. */
  path: string
  /** The text shown to shoppers. */
  text: string
}

/** The completeness of the address that shipping and tax use: the shipping address, or the billing address if nothing has to be shipped. Then only country and region are needed. */
export interface AddressState {
  /** Whether checkout can use the address. */
  status: 'absent' | 'incomplete' | 'invalid' | 'complete' | (string & {})
  /** Required fields that are missing. */
  missing: string[]
  /** Fields that are not valid for the country. */
  invalid: string[]
}

/** A cart with current prices. */
export interface Cart {
  /** The id of the cart. */
  id: string
  /** The status. Terminal carts can still be read. */
  status: 'active' | 'locked' | 'converted' | 'revoked' | 'expired' | (string & {})
  /** Increases with every change. */
  version: number
  /** An ISO 4217 currency. */
  currency: string
  /** A BCP 47 locale. */
  locale: string
  /** An ISO 3166-1 alpha-2 country. */
  country: string
  /** The customer of the cart. */
  customer?: {
    /** The id of the customer. */
    id: string
  }
  /** The contact of a shopper or a store. Absent for unbound keys. */
  contact?: Contact
  /** The lines, one per SKU. */
  lines: CartLine[]
  promotion: CartPromotion
  /** The automatic promotions. */
  automaticPromotions: AutomaticPromotion[]
  /** The id of a shipping option. With several stores, one id of each, joined by `+`. */
  shippingOptionId?: string
  /** The shipping per store. */
  selectedShipping: SelectedShipping[]
  totals: Totals
  /** A postal address. The country decides which fields are required. Absent for unbound keys. */
  shippingAddress?: Address
  /** A postal address. The country decides which fields are required. Absent for unbound keys. */
  billingAddress?: Address
  addressState: AddressState
  /** The shipping options. */
  shippingOptions: ShippingOption[]
  /** The messages. */
  messages: CartMessage[]
  /** The number of lines and units. */
  counts: {
    /** Lines. */
    lines: number
    /** Units. */
    units: number
  }
  /** The checkout session that locks the cart. */
  checkoutSessionId?: string
  /** The order created from the cart. */
  orderId?: string
  /** Caller-defined metadata, returned unchanged. */
  metadata: Record<string, string>
  /** A UTC timestamp, RFC 3339. */
  expiresAt: string
  /** A UTC timestamp, RFC 3339. */
  createdAt: string
  /** A UTC timestamp, RFC 3339. */
  updatedAt: string
}

/** The promotions of the cart. */
export interface CartPromotionState {
  /** The id of the cart. */
  cartId: string
  /** Increases with every change. */
  cartVersion: number
  promotion: CartPromotion
  /** The automatic promotions. */
  automaticPromotions: AutomaticPromotion[]
  totals: Totals
  /** The messages. */
  messages: CartMessage[]
}

/** The signature of the quote. Verify `value` over the bytes of `payload` with the public key `kid` from getRuntimeConfig. */
export interface QuoteSignature {
  /** Ed25519, RFC 8037. */
  alg: 'EdDSA'
  /** The id of the key. */
  kid: string
  /** The exact signed bytes: canonical JSON in base64url. */
  payload: string
  /** The signature in base64url. */
  value: string
}

/** Prices that are valid until the quote expires or the cart changes. */
export interface CheckoutQuote {
  /** The id of the quote. */
  id: string
  /** `stale`: the cart has changed since. */
  status: 'in_force' | 'stale' | 'expired' | (string & {})
  /** The id of the cart. */
  cartId: string
  /** Increases with every change. */
  cartVersion: number
  /** An ISO 4217 currency. */
  currency: string
  /** An ISO 3166-1 alpha-2 country. */
  country: string
  /** A BCP 47 locale. */
  locale: string
  /** The lines. */
  lines: QuoteLine[]
  promotion: CartPromotion
  /** The automatic promotions. */
  automaticPromotions: AutomaticPromotion[]
  /** The id of a shipping option. With several stores, one id of each, joined by `+`. */
  shippingOptionId?: string
  /** The shipping per store. */
  selectedShipping: SelectedShipping[]
  totals: Totals
  /** The catalog revision. Increases with every change. */
  catalogRevision: string
  /** A UTC timestamp, RFC 3339. */
  createdAt: string
  /** A UTC timestamp, RFC 3339. */
  expiresAt: string
  signature: QuoteSignature
}

/** What a quote would contain now. Not binding. */
export interface CheckoutPreview {
  /** An ISO 4217 currency. */
  currency: string
  /** An ISO 3166-1 alpha-2 country. */
  country: string
  /** A BCP 47 locale. */
  locale: string
  /** The lines. */
  lines: QuoteLine[]
  promotion: CartPromotion
  /** The automatic promotions. */
  automaticPromotions: AutomaticPromotion[]
  /** The id of a shipping option. With several stores, one id of each, joined by `+`. */
  shippingOptionId?: string
  /** The shipping per store. */
  selectedShipping: SelectedShipping[]
  totals: Totals
  /** The shipping options. */
  shippingOptions: ShippingOption[]
  /** The catalog revision. Increases with every change. */
  catalogRevision: string
  /** A UTC timestamp, RFC 3339. */
  evaluatedAt: string
}

/** What blocks checkout. */
export interface CheckoutBlocker {
  /** A machine-readable word. */
  code: string
  /** A JSON pointer into the cart. */
  path: string
  /** The missing requirement. */
  message: string
}

/** The last quote, the current price, and what blocks checkout. */
export interface CheckoutReadiness {
  /** The id of the cart. */
  cartId: string
  /** Increases with every change. */
  cartVersion: number
  /** Whether checkout is possible. */
  ready: boolean
  /** The last quote with its status, or `null`. */
  quote: CheckoutQuote | null
  current: CheckoutPreview
  /** What blocks checkout. */
  blockers: CheckoutBlocker[]
}

/** The return URLs and the quote. */
export interface CheckoutPublicCartRequest {
  /** The id of the quote. */
  quoteId?: string
  /** An absolute URL. */
  returnUrl: string
  /** An absolute URL. */
  cancelUrl: string
  /** A reference of the caller, returned unchanged. */
  clientReferenceId?: string
  /** Caller-defined metadata, returned unchanged. */
  metadata?: Record<string, string>
  /** The version the caller has seen. Another version is refused as `version_conflict`. */
  expectedVersion?: number
}

/** A cart, optionally with its quote. */
export interface CheckoutOfCartRequest {
  /** The id of the cart. */
  cartId: string
  /** The id of the quote. */
  quoteId?: string
  /** An absolute URL. */
  returnUrl: string
  /** An absolute URL. */
  cancelUrl: string
  /** A reference of the caller, returned unchanged. */
  clientReferenceId?: string
  /** Caller-defined metadata, returned unchanged. */
  metadata?: Record<string, string>
  /** The version the caller has seen. Another version is refused as `version_conflict`. */
  expectedVersion?: number
}

/** Lines with currency and country. */
export interface CheckoutOfLinesRequest {
  /** The lines to buy. */
  lines: readonly LineRequest[]
  /** An ISO 4217 currency. */
  currency: string
  /** An ISO 3166-1 alpha-2 country. */
  country: string
  /** A BCP 47 locale. */
  locale?: string
  /** An absolute URL. */
  returnUrl: string
  /** An absolute URL. */
  cancelUrl: string
  /** A reference of the caller, returned unchanged. */
  clientReferenceId?: string
  /** Caller-defined metadata, returned unchanged. */
  metadata?: Record<string, string>
  /** The version the caller has seen. Another version is refused as `version_conflict`. */
  expectedVersion?: number
}

/** Either a cart, optionally with its quote, or lines with currency and country. */
export type CreateHostedCheckoutSessionRequest = CheckoutOfCartRequest | CheckoutOfLinesRequest

/** The reason. May be empty. */
export interface HostedCheckoutCancelRequest {
  /** Why. */
  reason?: 'customer_request' | 'abandoned' | 'duplicate' | 'other'
  /** The reason, as free text. */
  note?: string
  /** The version the caller has seen. Another version is refused as `version_conflict`. */
  expectedVersion?: number
}

/** A hosted checkout session. */
export interface HostedCheckoutSession {
  /** The id of the session. */
  id: string
  /** The status. */
  status: 'open' | 'requires_action' | 'processing' | 'completed' | 'cancel_pending' | 'canceled' | 'expired' | (string & {})
  /** Increases with every change. */
  version: number
  /** The id of the cart. */
  cartId?: string
  /** The id of the quote. */
  quoteId: string
  /** The purchase, as priced. */
  snapshot: {
    /** The lines. */
    lines: QuoteLine[]
    totals: Totals
    /** A postal address. The country decides which fields are required. Absent for unbound keys. */
    address?: Address
  }
  /** An absolute URL. */
  returnUrl: string
  /** An absolute URL. */
  cancelUrl: string
  /** An absolute URL. Absent for unbound keys. */
  url?: string
  /** The next step for the caller. */
  nextAction: {
    /** `redirect`: send the shopper to `url`. */
    type: 'redirect' | 'wait' | 'none' | (string & {})
    /** An absolute URL. Absent for unbound keys. */
    url?: string
  }
  /** What is known about the payment. */
  payment: {
    /** `unknown`: the outcome is being looked up. Do not guess. */
    status: 'not_started' | 'pending' | 'unknown' | 'succeeded' | 'failed' | (string & {})
  }
  /** The order created from the session. */
  orderId?: string
  /** What blocks checkout. */
  blockers: CheckoutBlocker[]
  /** A reference of the caller, returned unchanged. */
  clientReferenceId?: string
  /** Caller-defined metadata, returned unchanged. */
  metadata: Record<string, string>
  /** Why it was canceled. */
  cancelReason?: 'customer_request' | 'abandoned' | 'duplicate' | 'other' | (string & {})
  /** A UTC timestamp, RFC 3339. */
  canceledAt?: string
  /** A UTC timestamp, RFC 3339. */
  expiresAt: string
  /** A UTC timestamp, RFC 3339. */
  createdAt: string
  /** A UTC timestamp, RFC 3339. */
  updatedAt: string
}

/** The API key of the request, or the access token used instead. */
export interface ApiKeyIdentity {
  /** The id of the key, or of the access token. */
  keyId: string
  /** The key, mostly masked. */
  display: string
  /** The installation of the key. */
  installation: {
    /** The id of the installation. */
    id: string
    /** The name of the installation. */
    name: string
  }
  /** The store of the installation. Absent: the whole marketplace. */
  store?: {
    /** The id of the store. */
    id: string
    /** Lowercase words joined by hyphens. */
    slug: string
  }
  /** The environment. Test and live data are separate. */
  environment: 'test' | 'live'
  /** What the credential may do. */
  scopes: ('catalog:read' | 'checkout:quote' | 'webhooks:read' | 'webhooks:write' | (string & {}))[]
  /** Whether it is bound to a key, so that it may write. */
  senderConstrained: boolean
  /** The thumbprint of the bound key, RFC 7638. */
  jkt?: string
  /** A UTC timestamp, RFC 3339. */
  createdAt: string
  /** A UTC timestamp, RFC 3339. */
  expiresAt?: string
  /** A UTC timestamp, RFC 3339. */
  lastUsedAt?: string
}

/** The installation and the credential of the request. */
export interface InstallationIdentity {
  /** The id of the installation. */
  installationId: string
  /** The name of the installation. */
  name: string
  /** Whether the installation is active. */
  status: 'active' | 'suspended' | (string & {})
  /** The environment. Test and live data are separate. */
  environment: 'test' | 'live'
  /** The store of the installation. Absent: the whole marketplace. */
  store?: {
    /** The id of the store. */
    id: string
    /** Lowercase words joined by hyphens. */
    slug: string
  }
  /** The credential of the request. */
  credential: {
    /** The type of the credential. */
    type: 'api_key' | 'access_token' | (string & {})
    /** Whether it is bound to a key, so that it may write. */
    senderConstrained: boolean
    /** The thumbprint of the bound key, RFC 7638. */
    jkt?: string
    /** A UTC timestamp, RFC 3339. */
    expiresAt?: string
  }
  /** What the credential may do. */
  scopes: ('catalog:read' | 'checkout:quote' | 'webhooks:read' | 'webhooks:write' | (string & {}))[]
}

/** A capability of the service, or its blocker. */
export interface Capability {
  /** The capability. */
  id: 'installation_write' | 'final_order_creation' | 'production_activation' | (string & {})
  /** Whether it is available. */
  available: boolean
  /** What blocks it. */
  blocker?: 'sender_constrained_credential_required' | 'reviewed_public_contract_required' | 'external_readiness_not_proven' | (string & {})
}

/** The capabilities of the installation and what blocks them. */
export interface Readiness {
  /** Whether the installation is ready. */
  status: 'ready' | 'not_ready'
  /** The checks. */
  checks: {
    /** A machine-readable word. */
    code: string
    /** The result of the check. */
    status: 'pass' | 'fail' | 'blocked'
    /** A machine-readable word. */
    reason?: string
    /** The remedy. */
    remedy?: string
  }[]
  /** The capabilities. */
  capabilities: Capability[]
}

/** The server, and the authorization request if one was sent. Nothing has been granted. */
export interface AuthorizationDescription {
  /** The server metadata of RFC 8414. */
  server: {
    /** An absolute URL. */
    issuer: string
    /** An absolute URL. */
    authorizationEndpoint: string
    /** An absolute URL. */
    tokenEndpoint: string
    /** An absolute URL. */
    revocationEndpoint: string
    /** The scopes. */
    scopesSupported: string[]
    /** The supported response types. */
    responseTypesSupported: string[]
    /** The supported grant types. */
    grantTypesSupported: string[]
    /** The supported PKCE methods. */
    codeChallengeMethodsSupported: string[]
    /** The client authentication methods. */
    tokenEndpointAuthMethodsSupported: string[]
    /** The algorithms for client assertions. */
    tokenEndpointAuthSigningAlgValuesSupported: string[]
    /** The algorithms for DPoP proofs. */
    dpopSigningAlgValuesSupported: string[]
    /** RFC 9207. */
    authorizationResponseIssParameterSupported: true
  }
  /** The validated request. */
  request?: {
    /** The id of the client. */
    clientId: string
    /** The name of the client. */
    clientName: string
    /** Must match exactly. */
    redirectUri: string
    /** A code. */
    responseType: 'code'
    /** The requested scopes. */
    scopes: ('catalog:read' | 'checkout:quote' | 'webhooks:read' | 'webhooks:write' | (string & {}))[]
    /** Returned unchanged. */
    state?: string
    /** The S256 code challenge, RFC 7636. */
    codeChallenge: string
    /** The PKCE method. */
    codeChallengeMethod: 'S256'
    /** The thumbprint of the DPoP key, RFC 7638. */
    dpopJkt?: string
  }
  /** The consent page for store staff. */
  interaction?: {
    /** The consent page. */
    url: string
    /** A UTC timestamp, RFC 3339. */
    expiresAt: string
  }
}

/** The token request of RFC 6749, as JSON or as a form. */
export interface OAuthTokenRequest {
  /** `authorization_code` or `refresh_token`. */
  grant_type: string
  /** The code. */
  code?: string
  /** Must match exactly. */
  redirect_uri?: string
  /** The PKCE verifier. */
  code_verifier?: string
  /** The refresh token. */
  refresh_token?: string
  /** Scopes, separated by spaces. */
  scope?: string
  /** The resource, RFC 8707. */
  resource?: string
  /** The id of the client. */
  client_id?: string
  /** A client assertion, RFC 7523. */
  client_assertion?: string
  /** The type of the assertion. */
  client_assertion_type?: string
}

/** Tokens that are bound to the key of the DPoP proof. */
export interface OAuthTokenGrant {
  /** The access token. */
  access_token: string
  /** RFC 9449. */
  token_type: 'DPoP'
  /** Seconds. */
  expires_in: number
  /** The refresh token. */
  refresh_token?: string
  /** Scopes, separated by spaces. */
  scope: string
}

/** The revocation request of RFC 7009, as JSON or as a form. */
export interface OAuthRevocationRequest {
  /** The token. */
  token: string
  /** `access_token` or `refresh_token`. */
  token_type_hint?: string
  /** The id of the client. */
  client_id?: string
  /** A client assertion, RFC 7523. */
  client_assertion?: string
  /** The type of the assertion. */
  client_assertion_type?: string
}

/** The token no longer works, whether or not it ever did. */
export interface OAuthRevocation {
  /** Always. */
  revoked: true
}

/** An order in a list. */
export interface OrderSummary {
  /** The id of the order. */
  id: string
  /** The order number. */
  number: string
  /** The status. */
  status: 'confirmed' | 'processing' | 'on_hold' | 'completed' | 'canceled' | (string & {})
  /** The payment status. */
  paymentStatus: 'pending' | 'authorized' | 'paid' | 'partially_refunded' | 'refunded' | 'voided' | 'failed' | 'unknown' | (string & {})
  /** The fulfillment status. */
  fulfillmentStatus: 'unfulfilled' | 'partially_fulfilled' | 'fulfilled' | 'delivered' | 'canceled' | (string & {})
  /** A UTC timestamp, RFC 3339. */
  placedAt: string
  /** An ISO 4217 currency. */
  currency: string
  total: Money
  /** The id of the customer. */
  customerId?: string
  /** A reference of the caller, returned unchanged. */
  clientReferenceId?: string
  /** The stores of its lines. */
  storeIds: string[]
  /** The number of lines and units, as ordered. */
  counts: {
    /** Lines. */
    lines: number
    /** Units. */
    units: number
  }
  /** The number of open requests. */
  open: {
    /** Cancellations that are requested or approved. */
    cancellations: number
    /** After-sales requests that have not ended. */
    afterSales: number
  }
  /** Lines, as in `counts`. */
  lineCount: number
  /** Increases with every change. */
  version: number
  /** A UTC timestamp, RFC 3339. */
  updatedAt: string
}

/** A page of orders, newest first. */
export interface OrderList {
  /** The orders. */
  orders: OrderSummary[]
  /** A ready-made link to the next page; `null` on the last. */
  next: string | null
}

/** An event of the timeline. */
export interface TimelineEntry {
  /** A UTC timestamp, RFC 3339. */
  at: string
  /** A machine-readable word. */
  code: string
  /** The event in words. */
  text: string
  /** Who did it. */
  actor: 'customer' | 'installation' | 'operator' | 'system' | (string & {})
}

/** A cancellation of an order or a part of it. */
export interface Cancellation {
  /** The id of the cancellation. */
  id: string
  /** The id of the order. */
  orderId: string
  /** The status. */
  status: 'requested' | 'approved' | 'declined' | 'completed' | (string & {})
  /** Whether it covers the whole order or a part. */
  scope: 'full' | 'partial'
  /** Why. */
  reason: 'customer_request' | 'duplicate' | 'address_wrong' | 'payment_problem' | 'other' | (string & {})
  /** The units. */
  lines: {
    /** The id of the order line. */
    lineId: string
    /** Units. */
    quantity: number
  }[]
  /** The refund. */
  refund: {
    /** The status of the refund. */
    status: 'not_needed' | 'pending' | 'succeeded' | 'failed' | 'unknown' | (string & {})
    amount: Money
  }
  /** The order afterwards. */
  order: {
    /** The status. */
    status: 'confirmed' | 'processing' | 'on_hold' | 'completed' | 'canceled' | (string & {})
    /** Increases with every change. */
    version: number
  }
  /** A UTC timestamp, RFC 3339. */
  decidedAt?: string
  /** Why it was declined. */
  declineReason?: string
  /** Increases with every change. */
  version: number
  /** A UTC timestamp, RFC 3339. */
  createdAt: string
  /** A UTC timestamp, RFC 3339. */
  updatedAt: string
}

/** A recorded request. No money moves. */
export interface AfterSales {
  /** The id of the request. */
  id: string
  /** The id of the order. */
  orderId: string
  /** The status. */
  status: 'requested' | 'under_review' | 'approved' | 'declined' | 'awaiting_return' | 'in_transit' | 'received' | 'inspecting' | 'resolving' | 'completed' | 'withdrawn' | 'expired' | (string & {})
  /** The kind of request. */
  kind: 'refund_only' | 'return' | 'exchange' | 'repair' | (string & {})
  /** The problem. */
  reasonCode: 'defective' | 'damaged_in_transit' | 'wrong_item' | 'missing_item' | 'not_as_described' | 'size_or_fit' | 'unwanted' | 'late_delivery' | 'other' | (string & {})
  /** The units. */
  lines: {
    /** The id of the order line. */
    lineId: string
    /** Units. */
    quantity: number
    /** The condition of the goods. */
    condition?: 'unopened' | 'opened' | 'used' | 'damaged' | (string & {})
    /** The id of the SKU. */
    exchangeSkuId?: string
  }[]
  /** A free-text note. */
  description?: string
  /** Photos or documents. */
  evidence: {
    /** The URL of the photo or document. */
    url: string
    /** The media type. */
    mediaType: string
  }[]
  refundEstimate: Money
  /** Instructions for the buyer. */
  instructions?: string
  /** The return address, line by line. */
  returnAddress?: string
  /** Why it was declined. */
  declineReason?: string
  /** The refund, once it is decided. */
  refund?: {
    /** The status of the refund. */
    status: 'not_needed' | 'pending' | 'succeeded' | 'failed' | 'unknown' | (string & {})
    amount: Money
  }
  /** The deadlines. */
  deadlines: {
    /** A UTC timestamp, RFC 3339. */
    returnBy?: string
    /** A UTC timestamp, RFC 3339. */
    decideBy?: string
  }
  /** The timeline, oldest first. */
  timeline: TimelineEntry[]
  /** Increases with every change. */
  version: number
  /** A UTC timestamp, RFC 3339. */
  createdAt: string
  /** A UTC timestamp, RFC 3339. */
  updatedAt: string
}

/** An order: the frozen purchase and its progress. */
export interface Order {
  /** The id of the order. */
  id: string
  /** The order number. */
  number: string
  /** The status. */
  status: 'confirmed' | 'processing' | 'on_hold' | 'completed' | 'canceled' | (string & {})
  /** The payment status. */
  paymentStatus: 'pending' | 'authorized' | 'paid' | 'partially_refunded' | 'refunded' | 'voided' | 'failed' | 'unknown' | (string & {})
  /** The fulfillment status. */
  fulfillmentStatus: 'unfulfilled' | 'partially_fulfilled' | 'fulfilled' | 'delivered' | 'canceled' | (string & {})
  /** A UTC timestamp, RFC 3339. */
  placedAt: string
  /** An ISO 4217 currency. */
  currency: string
  /** An ISO 3166-1 alpha-2 country. */
  country: string
  /** A BCP 47 locale. */
  locale: string
  /** The cart it was created from. */
  cartId?: string
  /** The checkout session it was created from. */
  checkoutSessionId?: string
  /** A reference of the caller, returned unchanged. */
  clientReferenceId?: string
  /** Caller-defined metadata, returned unchanged. */
  metadata: Record<string, string>
  /** The customer of the order. */
  customer: {
    /** The id of the customer. */
    id?: string
    /** An email address. Absent for unbound keys. */
    email?: string
    /** A phone number in E.164. Absent for unbound keys. */
    phone?: string
    /** The masked email address. */
    emailMasked: string
  }
  /** The lines. */
  lines: {
    /** The id of the order line. */
    id: string
    /** The id of the line. */
    cartLineId?: string
    /** The id of the SKU. */
    skuId: string
    /** The id of the product. */
    productId?: string
    /** The id of the store. */
    storeId: string
    /** The code of the SKU. */
    code?: string
    /** The product bought. */
    name: string
    /** The selected options. */
    optionLabels: {
      /** The option, as shown to shoppers. */
      name: string
      /** The value, as shown to shoppers. */
      value: string
    }[]
    image?: Image
    /** Units. */
    quantity: {
      /** Ordered. */
      ordered: number
      /** Ordered minus canceled. */
      current: number
      /** Shipped or delivered. */
      fulfilled: number
      /** Returned. */
      returned: number
      /** Canceled. */
      canceled: number
    }
    unitPrice: Money
    subtotal: Money
    /** The discounts. */
    discountAllocations: DiscountAllocation[]
    /** The taxes. */
    taxLines: TaxLine[]
    total: Money
    refundable: Money
    /** The status of the line. */
    status: 'open' | 'partially_fulfilled' | 'fulfilled' | 'returned' | 'canceled' | (string & {})
  }[]
  /** The shipping per store. */
  shipping: {
    /** The id of the store. */
    storeId: string
    /** The id of a shipping option. With several stores, one id of each, joined by `+`. */
    optionId: string
    /** The title shown to shoppers. */
    name?: string
    amount: Money
    /** The shipping discounts. */
    discountAllocations: DiscountAllocation[]
    /** The taxes on shipping. */
    taxLines: TaxLine[]
    total: Money
  }[]
  totals: Totals
  /** The money of the order. `disputed`: what the bank may take back, or has taken back. */
  money: {
    charged: Money
    refunded: Money
    refundPending: Money
    unknown: Money
    disputed: Money
  }
  /** The shipping and billing addresses. */
  addresses: {
    /** A postal address. The country decides which fields are required. Absent for unbound keys. */
    shipping?: Address
    /** A postal address. The country decides which fields are required. Absent for unbound keys. */
    billing?: Address
  }
  /** The shipments. */
  fulfillments: {
    /** The id of the shipment. */
    id: string
    /** The id of the store. */
    storeId: string
    /** The status of the shipment. */
    status: 'pending' | 'dispatched' | 'delivered' | 'failed' | 'canceled' | (string & {})
    /** The carrier. */
    carrier?: string
    /** The tracking number. */
    trackingNumber?: string
    /** An absolute URL. */
    trackingUrl?: string
    /** A UTC timestamp, RFC 3339. */
    shippedAt?: string
    /** A UTC timestamp, RFC 3339. */
    deliveredAt?: string
    /** The contents. */
    lines: {
      /** The id of the order line. */
      lineId: string
      /** Units. */
      quantity: number
    }[]
  }[]
  /** The cancellations, oldest first. */
  cancellations: Cancellation[]
  /** The after-sales requests, oldest first. */
  afterSales: AfterSales[]
  /** Changes of the amount owed. */
  adjustments: {
    /** Why. `release`: not captured. */
    kind: 'cancellation' | 'refund' | 'return' | 'correction' | 'release' | (string & {})
    amount: Money
    /** A UTC timestamp, RFC 3339. */
    at: string
    /** The id of its cause. */
    reference?: string
  }[]
  /** The timeline, oldest first. Append-only. */
  timeline: TimelineEntry[]
  /** The documents the buyer accepted. */
  acceptedDocuments: {
    /** The type of the document. */
    type: 'terms_of_use' | 'privacy_policy' | 'return_policy' | 'shipping_policy' | 'cookie_policy' | 'imprint' | (string & {})
    /** The version of the document. */
    version: string
  }[]
  /** Where the order came from. */
  source: 'hosted_checkout' | 'import' | 'operator' | (string & {})
  /** Increases with every change. */
  version: number
  /** A UTC timestamp, RFC 3339. */
  createdAt: string
  /** A UTC timestamp, RFC 3339. */
  updatedAt: string
}

/** The decision with reasons, a deadline and a preview of the money. */
export interface OrderEligibility {
  /** The decision. */
  decision: 'eligible' | 'ineligible' | 'manual_review'
  /** The reasons. */
  reasons: {
    /** A machine-readable word. */
    code: string
    /** The reason in words. */
    message: string
    /** The id of the order line. */
    lineId?: string
  }[]
  /** A UTC timestamp, RFC 3339. */
  until?: string
  /** The decision per kind. */
  kinds?: {
    /** The kind of request. */
    kind: 'refund_only' | 'return' | 'exchange' | 'repair' | (string & {})
    /** The decision. */
    decision: 'eligible' | 'ineligible' | 'manual_review'
    /** The reasons. */
    reasons: {
      /** A machine-readable word. */
      code: string
      /** The reason in words. */
      message: string
      /** The id of the order line. */
      lineId?: string
    }[]
    /** A UTC timestamp, RFC 3339. */
    windowEndsAt?: string
    /** The maximum units by line. */
    maxByLine: Record<string, number>
  }[]
  /** A preview of the outcome. */
  preview: {
    refund: Money
    shippingRefund: Money
    /** The units that would be restocked. */
    restock: {
      /** The id of the order line. */
      lineId: string
      /** Units. */
      quantity: number
    }[]
  }
  /** A UTC timestamp, RFC 3339. */
  evaluatedAt: string
  /** Increases with every change. */
  orderVersion: number
  /** Makes the answer binding for ten minutes. */
  eligibilityToken: string
}

/** The reason and the units. */
export interface StorefrontOrderTransitionRequest {
  /** Why. */
  reason: 'customer_request' | 'duplicate' | 'address_wrong' | 'payment_problem' | 'other'
  /** The units. Absent: all. */
  lines?: readonly {
    /** The id of the order line. */
    lineId: string
    /** Units. */
    quantity: number
  }[]
  /** A free-text note. */
  note?: string
  /** Makes the answer binding for ten minutes. */
  eligibilityToken?: string
  /** The version the caller has seen. Another version is refused as `version_conflict`. */
  expectedVersion?: number
}

/** The problem, the units and the request. */
export interface StorefrontAfterSalesRequest {
  /** The kind of request. */
  kind: 'refund_only' | 'return' | 'exchange' | 'repair'
  /** The problem. */
  reasonCode: 'defective' | 'damaged_in_transit' | 'wrong_item' | 'missing_item' | 'not_as_described' | 'size_or_fit' | 'unwanted' | 'late_delivery' | 'other'
  /** The units. */
  lines: readonly {
    /** The id of the order line. */
    lineId: string
    /** Units. */
    quantity: number
    /** The condition of the goods. */
    condition?: 'unopened' | 'opened' | 'used' | 'damaged'
    /** The id of the SKU. */
    exchangeSkuId?: string
  }[]
  /** A free-text note. */
  description?: string
  /** Photos or documents. */
  evidence?: readonly {
    /** The URL of the photo or document. */
    url: string
    /** The media type. */
    mediaType: string
  }[]
  /** Makes the answer binding for ten minutes. */
  eligibilityToken?: string
  /** The version the caller has seen. Another version is refused as `version_conflict`. */
  expectedVersion?: number
}

/** A new endpoint. */
export interface CreateInstallationWebhookRequest {
  /** The target URL. https, unless the operator allows the host. */
  url: string
  /** The subscribed event kinds. */
  events: readonly string[]
  /** A note for yourself. */
  description?: string
}

/** Partial update: an absent member is unchanged. */
export interface UpdateInstallationWebhookRequest {
  /** The target URL. https, unless the operator allows the host. */
  url?: string
  /** The subscribed event kinds. */
  events?: readonly string[]
  /** A note for yourself. */
  description?: string
  /** Whether events are delivered. */
  status?: 'enabled' | 'paused'
  /** Create a new secret. `true`: the old one keeps signing for 24 hours. `now`: all old ones stop. */
  rotateSecret?: boolean | 'now'
  /** The version the caller has seen. Another version is refused as `version_conflict`. */
  expectedVersion?: number
}

/** The reason. May be empty. */
export interface PublicWebhookReplayRequest {
  /** The reason, as free text. */
  reason?: string
}

/** A webhook endpoint. */
export interface WebhookEndpoint {
  /** The id of the endpoint. */
  id: string
  /** An absolute URL. */
  url: string
  /** The subscribed event kinds. */
  events: string[]
  /** `disabled`: by us, after repeated failures. */
  status: 'enabled' | 'paused' | 'disabled' | (string & {})
  /** A machine-readable word. */
  disabledReason?: string
  /** The last characters of the secret. */
  secretHint: string
  /** A note for yourself. */
  description?: string
  /** Delivery statistics. */
  stats: {
    /** Succeeded deliveries. */
    deliveredCount: number
    /** Dead deliveries. */
    failedCount: number
    /** Waiting deliveries. */
    pendingCount: number
    /** Failures since the last success. */
    consecutiveFailures: number
    /** A UTC timestamp, RFC 3339. */
    lastSuccessAt?: string
    /** A UTC timestamp, RFC 3339. */
    lastFailureAt?: string
  }
  /** The API version of its events. */
  apiVersion: 'v1'
  /** Increases with every change. */
  version: number
  /** A UTC timestamp, RFC 3339. */
  createdAt: string
  /** A UTC timestamp, RFC 3339. */
  updatedAt: string
}

/** The endpoint, with its secret if a new one was created. */
export interface WebhookEndpointWithSecret {
  /** The id of the endpoint. */
  id: string
  /** An absolute URL. */
  url: string
  /** The subscribed event kinds. */
  events: string[]
  /** `disabled`: by us, after repeated failures. */
  status: 'enabled' | 'paused' | 'disabled' | (string & {})
  /** A machine-readable word. */
  disabledReason?: string
  /** The last characters of the secret. */
  secretHint: string
  /** A note for yourself. */
  description?: string
  /** Delivery statistics. */
  stats: {
    /** Succeeded deliveries. */
    deliveredCount: number
    /** Dead deliveries. */
    failedCount: number
    /** Waiting deliveries. */
    pendingCount: number
    /** Failures since the last success. */
    consecutiveFailures: number
    /** A UTC timestamp, RFC 3339. */
    lastSuccessAt?: string
    /** A UTC timestamp, RFC 3339. */
    lastFailureAt?: string
  }
  /** The API version of its events. */
  apiVersion: 'v1'
  /** Increases with every change. */
  version: number
  /** A UTC timestamp, RFC 3339. */
  createdAt: string
  /** A UTC timestamp, RFC 3339. */
  updatedAt: string
  /** The secret, shown once. */
  secret?: string
  /** `already_shown`: this answer is a replay, and secrets are not stored. */
  secretState: 'unchanged' | 'shown' | 'already_shown'
}

/** The endpoints of the installation. */
export interface WebhookEndpointList {
  /** The endpoints, newest first. */
  endpoints: WebhookEndpoint[]
  /** A ready-made link to the next page; `null` on the last. */
  next: string | null
}

/** The delivery of one event to one endpoint. */
export interface WebhookDelivery {
  /** The id of the delivery. */
  id: string
  /** The id of the endpoint. */
  endpointId: string
  /** The id of the event, the same on each retry and replay. */
  eventId: string
  /** A kind of event. */
  eventType: 'checkout.session.created' | 'checkout.session.completed' | 'checkout.session.canceled' | 'checkout.session.expired' | 'order.created' | 'order.updated' | 'order.canceled' | 'order.fulfilled' | 'order.cancellation.requested' | 'order.cancellation.decided' | 'after_sales.requested' | 'after_sales.updated' | 'cart.revoked' | 'catalog.product.updated' | 'catalog.product.deleted' | 'webhook.endpoint.disabled' | 'webhook.test' | (string & {})
  /** Counts the events of one object, without gaps. */
  sequence: number
  /** The status. */
  status: 'pending' | 'delivering' | 'retrying' | 'succeeded' | 'dead' | 'canceled' | (string & {})
  /** The attempts, oldest first. */
  attempts: {
    /** The number of the attempt. */
    n: number
    /** A UTC timestamp, RFC 3339. */
    at: string
    /** The duration. */
    durationMs: number
    /** The HTTP status of the response. */
    httpStatus?: number
    /** What went wrong. */
    error?: string
  }[]
  /** A UTC timestamp, RFC 3339. */
  nextAttemptAt?: string
  /** The id of the delivery. */
  replayOf?: string
  /** Increases with every change. */
  version: number
  /** A UTC timestamp, RFC 3339. */
  createdAt: string
  /** A UTC timestamp, RFC 3339. */
  updatedAt: string
}

/** A page of deliveries, newest first. */
export interface WebhookDeliveryList {
  /** The deliveries. */
  deliveries: WebhookDelivery[]
  /** A ready-made link to the next page; `null` on the last. */
  next: string | null
}

/** A signed sample to test a receiver with. Its secret is derived for this purpose and is never the live one. */
export interface WebhookSignatureFixture {
  /** The id of the endpoint. */
  endpointId: string
  /** The secret of the sample. */
  secret: string
  /** The headers as sent. */
  headers: {
    /** The type of the body. */
    'content-type': 'application/json'
    /** The delivery, the same for each attempt. */
    'webhook-delivery-id': string
    /** The number of the attempt. */
    'webhook-attempt': string
    /** The id of the event, the same on each retry and replay. */
    'webhook-id': string
    /** Unix time in seconds. */
    'webhook-timestamp': string
    /** One signature, or two during a secret rotation. */
    'webhook-signature': string
  }
  /** The body as text. */
  body: string
  /** The exact bytes of the body, in base64. */
  bodyBase64: string
  /** The exact signed bytes: id, timestamp and body, joined by periods. */
  signedBase64: string
  /** Samples a receiver must refuse. */
  mustBeRefused: {
    /** What is wrong with it. */
    case: 'tampered_body' | 'wrong_secret' | 'stale_timestamp' | (string & {})
    /** The headers as sent. */
    headers: {
      /** The type of the body. */
      'content-type': 'application/json'
      /** The delivery, the same for each attempt. */
      'webhook-delivery-id': string
      /** The number of the attempt. */
      'webhook-attempt': string
      /** The id of the event, the same on each retry and replay. */
      'webhook-id': string
      /** Unix time in seconds. */
      'webhook-timestamp': string
      /** One signature, or two during a secret rotation. */
      'webhook-signature': string
    }
    /** The exact bytes of the body, in base64. */
    bodyBase64: string
  }[]
}

/** Every event kind. */
export interface WebhookEventKindList {
  /** The kinds. */
  events: {
    /** A kind of event. */
    type: 'checkout.session.created' | 'checkout.session.completed' | 'checkout.session.canceled' | 'checkout.session.expired' | 'order.created' | 'order.updated' | 'order.canceled' | 'order.fulfilled' | 'order.cancellation.requested' | 'order.cancellation.decided' | 'after_sales.requested' | 'after_sales.updated' | 'cart.revoked' | 'catalog.product.updated' | 'catalog.product.deleted' | 'webhook.endpoint.disabled' | 'webhook.test' | (string & {})
    /** When it is sent. */
    description: string
    /** The JSON Schema of the body. */
    schema: Record<string, unknown>
    /** An example of the body. */
    sample: Record<string, unknown>
  }[]
}

/** A rate limit: requests per window, and the burst allowed at once. */
export interface RateLimitPolicy {
  /** The policy, as named in answers and errors. */
  name: string
  /** Requests per window. */
  limit: number
  /** The window, in seconds. */
  windowSeconds: number
  /** Requests allowed at once. */
  burst: number
  /** What is counted. */
  per: string
}

/** A public key to verify quotes with, RFC 8037. */
export interface PublicKey {
  /** The id of the key. */
  kid: string
  /** An octet key pair. */
  kty: 'OKP'
  /** The curve. */
  crv: 'Ed25519'
  /** The key, in base64url. */
  x: string
  /** The algorithm. */
  alg: 'EdDSA'
  /** Used for signatures. */
  use: 'sig'
}

/** Every number a client would otherwise guess. */
export interface RuntimeConfig {
  /** The version prefix of all paths. */
  apiVersion: 'v1'
  /** The limits in force. */
  rateLimits: RateLimitPolicy[]
  /** Request limits. */
  requests: {
    /** The maximum body size. */
    bodyBytesMax: number
  }
  /** Idempotency. */
  idempotency: {
    /** The header with the key. */
    header: string
    /** The header of a replayed answer. */
    replayHeader: string
    /** The maximum key length. */
    keyLengthMax: number
    /** The retention of keys. */
    retentionDays: number
    /** How long to wait while the first request is running. */
    inProgressRetryMs: number
  }
  /** Pagination. */
  pagination: {
    /** The maximum page size. */
    limitMax: number
    /** The default page size of public lists. */
    limitDefaultPublic: number
    /** The default page size of installation lists. */
    limitDefaultInstallation: number
    /** The sort orders of product lists. */
    sorts: ('relevance' | 'newest' | 'price_asc' | 'price_desc' | 'name_asc' | 'name_desc' | (string & {}))[]
  }
  /** The freshness of public reads. */
  publicReads: {
    /** How long an answer is fresh, in seconds. */
    maxAgeSeconds: number
    /** How long a stale answer may be shown while it is revalidated, in seconds. */
    staleWhileRevalidateSeconds: number
  }
  /** Money limits. */
  money: {
    /** The maximum amount, in minor units. */
    amountMax: number
  }
  /** Cart limits. */
  cart: {
    /** Lines. */
    linesMax: number
    /** The maximum quantity of a line. */
    lineQuantityMax: number
    /** Codes at a time. */
    promotionCodesMax: number
    /** The maximum code length. */
    promotionCodeLengthMax: number
    /** Metadata keys. */
    metadataKeysMax: number
    /** How long an idle cart is kept. */
    idleExpiryDays: number
  }
  /** Quotes. */
  quote: {
    /** How long a quote is valid. */
    ttlSeconds: number
    /** Ed25519, RFC 8037. */
    signatureAlgorithm: 'EdDSA'
    /** The public keys that verify quotes. */
    publicKeys: PublicKey[]
  }
  /** Checkout session limits. */
  checkout: {
    /** Active sessions per cart. */
    activeSessionsPerCartMax: number
    /** Metadata keys. */
    metadataKeysMax: number
    /** How long a shopper has to pay. Price and stock are reserved as long. */
    sessionSeconds: number
    /** The same for a bank transfer. */
    transferSeconds: number
  }
  /** After-sales limits. */
  orders: {
    /** How long an eligibility answer is binding. */
    eligibilityTokenSeconds: number
    /** Pieces of evidence per request. */
    evidenceMax: number
  }
  /** API key lifetimes. */
  apiKeys: {
    /** How long the old key keeps working after a rotation. */
    rotationOverlapHours: number
    /** The resolution of `lastUsedAt`. */
    lastUsedResolutionSeconds: number
  }
  /** DPoP proof requirements. */
  dpop: {
    /** The accepted algorithms. */
    algorithms: ('ES256' | 'EdDSA' | 'Ed25519' | (string & {}))[]
    /** The maximum proof size. */
    proofBytesMax: number
    /** The maximum age of `iat`. */
    iatPastSecondsMax: number
    /** How far `iat` may be in the future. */
    iatFutureSecondsMax: number
    /** How far `iat` may be off in a proof with a fresh nonce. */
    iatWithNonceSecondsMax: number
    /** The header with the nonce. */
    nonceHeader: string
    /** How often the nonce changes. */
    nonceStepSeconds: number
    /** How many steps before and after the current one are accepted. */
    nonceStepsAccepted: number
  }
  /** OAuth lifetimes. */
  oauth: {
    /** An access token. */
    accessTokenSeconds: number
    /** A code. */
    authorizationCodeSeconds: number
    /** A validated authorization request. */
    authorizationRequestSeconds: number
    /** A refresh token, at most. */
    refreshTokenAbsoluteDays: number
    /** An unused refresh token. */
    refreshTokenIdleDays: number
    /** How long a rotated token still returns its successor to the same key. */
    refreshRetrySeconds: number
    /** The supported PKCE methods. */
    codeChallengeMethods: ('S256' | (string & {}))[]
  }
  /** Hosted login lifetimes and limits. */
  hostedLogin: {
    /** From initiate to return. */
    sessionSeconds: number
    /** From return to consumption. */
    codeSeconds: number
    /** How long a customer token can create carts. */
    customerTokenSeconds: number
    /** Open logins per installation. */
    openSessionsMax: number
  }
  /** Customer account limits. */
  accounts: {
    /** The minimum password length. */
    passwordLengthMin: number
    /** The maximum password length. */
    passwordLengthMax: number
    /** The lifetime of a reset token. */
    resetTokenSeconds: number
    /** The lifetime of a confirmation link. */
    registrationSeconds: number
  }
  /** Access to gated stores. */
  storeAccess: {
    /** The header that carries the access token. */
    header: string
    /** The lifetime of a challenge. */
    challengeSeconds: number
    /** Attempts per challenge. */
    challengeAttemptsMax: number
    /** The lifetime of a proof-of-work grant. */
    workGrantSeconds: number
    /** The lifetime of a password grant. */
    passwordGrantSeconds: number
  }
  /** Webhook delivery. */
  webhooks: {
    /** The retry schedule. */
    attemptDelaysSeconds: number[]
    /** The jitter of the schedule. */
    jitterPercent: number
    /** The timeout of an attempt. */
    timeoutSeconds: number
    /** Deliveries in flight per endpoint. */
    inFlightPerEndpointMax: number
    /** The maximum event size. */
    bodyBytesMax: number
    /** Endpoints per installation. */
    endpointsMax: number
    /** Event kinds per endpoint. */
    eventKindsPerEndpointMax: number
    /** Consecutive failures before only probes are sent. */
    failuresBeforeProbing: number
    /** The probe interval. */
    probeIntervalSeconds: number
    /** Days of failures before the endpoint is disabled. */
    disabledAfterDays: number
    /** How long the old secret keeps signing after a rotation. */
    secretOverlapHours: number
    /** The timestamp tolerance recommended to receivers. */
    timestampToleranceSeconds: number
    /** The retention of events and attempts. */
    retentionDays: number
  }
  /** The capabilities of the service and their blockers. */
  capabilities: Capability[]
}

/** One problem and its place. */
export interface PublicErrorDetail {
  /** The part of the request. */
  in: 'body' | 'query' | 'path' | 'header'
  /** A JSON pointer into the body, `/name` for a parameter, or the name of a header. Empty: the whole part. */
  pointer: string
  /** What is wrong, machine-readable. */
  code: string
  /** What is wrong, for developers. */
  message: string
  /** The bounds or names in the message. */
  params?: Record<string, string | number | boolean>
}

/** The conflict, and what is allowed now. */
export interface PublicErrorConflict {
  /** The version the request expected. */
  expectedVersion?: number
  /** The current version. */
  currentVersion?: number
  /** The current state. */
  currentState?: string
  /** What is allowed now. */
  allowed?: string[]
  /** The id of the lock holder. */
  heldBy?: string
  /** The lines in conflict. */
  lines?: {
    /** The id of the line. */
    lineId?: string
    /** The id of the SKU. */
    skuId?: string
    /** The requested quantity. */
    requestedQuantity?: number
    /** The available quantity. */
    availableQuantity?: number
  }[]
  /** The reasons. */
  reasons?: string[]
}

/** The shape of every error. */
export interface PublicErrorResponse {
  /** The error code. Codes never change. */
  code: 'invalid_json' | 'unsupported_media_type' | 'payload_too_large' | 'validation_failed' | 'unknown_field' | 'unknown_parameter' | 'invalid_identifier' | 'invalid_cursor' | 'unsupported_locale' | 'unsupported_currency' | 'idempotency_key_required' | 'idempotency_key_invalid' | 'quantity_invalid' | 'money_overflow' | 'address_invalid' | 'webhook_url_invalid' | 'unknown_event_type' | 'password_too_weak' | 'reset_token_invalid' | 'challenge_failed' | 'challenge_expired' | 'oauth_invalid_request' | 'oauth_invalid_grant' | 'oauth_unauthorized_client' | 'oauth_unsupported_grant_type' | 'oauth_unsupported_response_type' | 'oauth_unsupported_token_type' | 'oauth_invalid_scope' | 'oauth_invalid_target' | 'oauth_invalid_dpop_proof' | 'oauth_use_dpop_nonce' | 'credential_missing' | 'credential_malformed' | 'credential_invalid' | 'credential_expired' | 'credential_revoked' | 'dpop_proof_required' | 'invalid_dpop_proof' | 'use_dpop_nonce' | 'oauth_invalid_client' | 'insufficient_scope' | 'sender_constraint_required' | 'store_access_required' | 'installation_suspended' | 'capability_blocked' | 'not_found' | 'idempotency_key_reused' | 'idempotency_in_progress' | 'version_conflict' | 'cart_locked' | 'cart_converted' | 'cart_revoked' | 'cart_expired' | 'cart_empty' | 'cart_incomplete' | 'quote_expired' | 'quote_stale' | 'price_changed' | 'out_of_stock' | 'sku_unavailable' | 'quantity_exceeded' | 'currency_mismatch' | 'promotion_inapplicable' | 'session_not_cancelable' | 'session_expired' | 'payment_outcome_unknown' | 'order_not_cancelable' | 'cancellation_exists' | 'after_sales_ineligible' | 'after_sales_exists' | 'endpoint_limit_reached' | 'endpoint_disabled' | 'delivery_in_progress' | 'login_return_consumed' | 'challenge_used' | 'rate_limited' | 'quota_exceeded' | 'challenge_attempts_exceeded' | 'internal_error' | 'unavailable' | (string & {})
  /** One sentence for developers. */
  message: string
  /** The HTTP status. */
  status: 400 | 401 | 403 | 404 | 409 | 429 | 500 | 503
  /** The id of the request, also in the X-Request-Id header. */
  requestId: string
  /** Whether the effect of the request happened. */
  outcome: 'not_applied' | 'applied' | 'unknown'
  /** What to do next. */
  retry: {
    /** What the client should do next. */
    advice: 'do_not_retry' | 'fix_request' | 'reauthenticate' | 'same_key' | 'new_key' | 'same_request_later' | 'refresh_state' | (string & {})
    /** How long to wait first, in milliseconds, if known. */
    afterMs: number | null
  }
  /** The problems, one by one. Empty if the code says everything. */
  details: PublicErrorDetail[]
  /** Values that belong to the code, such as the required scopes or the blocker. */
  params?: Record<string, string | number | boolean | string[]>
  conflict?: PublicErrorConflict
  /** The limit that was exceeded (429). */
  rateLimit?: {
    /** The name of the policy, as in getRuntimeConfig. */
    policy: string
    /** Requests per window. */
    limit: number
    /** The window, in seconds. */
    windowSeconds: number
    /** Requests left in the window. */
    remaining: number
  }
  /** The RFC 6749 error code, on OAuth operations only. */
  error?: string
  /** The message, on OAuth operations only. */
  error_description?: string
}

/** The session after the change. */
export interface CheckoutSessionEventData {
  /** The id of the session. */
  sessionId: string
  /** The id of the cart. */
  cartId?: string
  /** The id of the quote. */
  quoteId: string
  /** The status. */
  status: 'open' | 'requires_action' | 'processing' | 'completed' | 'cancel_pending' | 'canceled' | 'expired' | (string & {})
  total: Money
  /** The order created from the session. */
  orderId?: string
  /** A UTC timestamp, RFC 3339. */
  expiresAt: string
  /** Increases with every change. */
  version: number
}

/** The order after the change. */
export interface OrderEventData {
  /** The id of the order. */
  orderId: string
  /** The order number. */
  number: string
  /** The id of the customer. */
  customerId?: string
  /** A reference of the caller, returned unchanged. */
  clientReferenceId?: string
  /** The stores of the lines concerned. */
  storeIds: string[]
  /** The status. */
  status: 'confirmed' | 'processing' | 'on_hold' | 'completed' | 'canceled' | (string & {})
  /** The payment status. */
  paymentStatus: 'pending' | 'authorized' | 'paid' | 'partially_refunded' | 'refunded' | 'voided' | 'failed' | 'unknown' | (string & {})
  /** The fulfillment status. */
  fulfillmentStatus: 'unfulfilled' | 'partially_fulfilled' | 'fulfilled' | 'delivered' | 'canceled' | (string & {})
  total: Money
  /** Increases with every change. */
  version: number
}

/** The cancellation after the change. */
export interface OrderCancellationEventData {
  /** The id of the order. */
  orderId: string
  /** The order number. */
  number: string
  /** The id of the customer. */
  customerId?: string
  /** A reference of the caller, returned unchanged. */
  clientReferenceId?: string
  /** The stores of the lines concerned. */
  storeIds: string[]
  /** The id of the cancellation. */
  cancellationId: string
  /** The status. */
  status: 'requested' | 'approved' | 'declined' | 'completed' | (string & {})
  /** Whether it covers the whole order or a part. */
  scope: 'full' | 'partial'
  refund: Money
  /** Increases with every change. */
  version: number
}

/** The request after the change. */
export interface AfterSalesEventData {
  /** The id of the order. */
  orderId: string
  /** The order number. */
  number: string
  /** The id of the customer. */
  customerId?: string
  /** A reference of the caller, returned unchanged. */
  clientReferenceId?: string
  /** The stores of the lines concerned. */
  storeIds: string[]
  /** The id of the request. */
  afterSalesId: string
  /** The kind of request. */
  kind: 'refund_only' | 'return' | 'exchange' | 'repair' | (string & {})
  /** The status. */
  status: 'requested' | 'under_review' | 'approved' | 'declined' | 'awaiting_return' | 'in_transit' | 'received' | 'inspecting' | 'resolving' | 'completed' | 'withdrawn' | 'expired' | (string & {})
  /** Instructions for the buyer. */
  instructions?: string
  /** A UTC timestamp, RFC 3339. */
  returnBy?: string
  /** Increases with every change. */
  version: number
}

/** The cart that was revoked. */
export interface CartRevokedEventData {
  /** The id of the cart. */
  cartId: string
  /** Increases with every change. */
  version: number
  /** The reason, as free text. */
  reason?: string
  /** A UTC timestamp, RFC 3339. */
  revokedAt: string
}

/** The product that changed. */
export interface CatalogProductEventData {
  /** The id of the product. */
  productId: string
  /** The id of its store. */
  storeId: string
  /** Lowercase words joined by hyphens. */
  slug: string
}

/** The endpoint that receives no more events. */
export interface WebhookEndpointDisabledEventData {
  /** The id of the endpoint. */
  endpointId: string
  /** A machine-readable word. */
  reason: string
  /** A UTC timestamp, RFC 3339. */
  disabledAt: string
}

/** A test event. */
export interface WebhookTestEventData {
  /** The id of the endpoint. */
  endpointId: string
  /** A text to recognize the test by. */
  message: string
}

/** The data of each kind of webhook event. */
export interface EventDataByKind {
  /** A checkout session was created. */
  'checkout.session.created': CheckoutSessionEventData
  /** A checkout session was completed and became an order. */
  'checkout.session.completed': CheckoutSessionEventData
  /** A checkout session was canceled. Its cart is active again. */
  'checkout.session.canceled': CheckoutSessionEventData
  /** A checkout session expired. Its cart is active again. */
  'checkout.session.expired': CheckoutSessionEventData
  /** An order was confirmed. */
  'order.created': OrderEventData
  /** The status of an order, its payment or its fulfillment changed. */
  'order.updated': OrderEventData
  /** A whole order was canceled. */
  'order.canceled': OrderEventData
  /** Every line of an order was fulfilled. */
  'order.fulfilled': OrderEventData
  /** A cancellation of an order was requested. */
  'order.cancellation.requested': OrderCancellationEventData
  /** A cancellation of an order was approved or declined. */
  'order.cancellation.decided': OrderCancellationEventData
  /** An after-sales request was recorded. */
  'after_sales.requested': AfterSalesEventData
  /** The status of an after-sales request changed. */
  'after_sales.updated': AfterSalesEventData
  /** A cart was revoked. */
  'cart.revoked': CartRevokedEventData
  /** A product was published or updated. */
  'catalog.product.updated': CatalogProductEventData
  /** A product is no longer for sale. */
  'catalog.product.deleted': CatalogProductEventData
  /** An endpoint was disabled after repeated failures. Sent to the other endpoints. */
  'webhook.endpoint.disabled': WebhookEndpointDisabledEventData
  /** A test event, sent on request. */
  'webhook.test': WebhookTestEventData
}

/** A kind of webhook event. */
export type EventKind = keyof EventDataByKind

/** The codes that this version knows. Codes never change. */
export type ErrorCode = 'invalid_json' | 'unsupported_media_type' | 'payload_too_large' | 'validation_failed' | 'unknown_field' | 'unknown_parameter' | 'invalid_identifier' | 'invalid_cursor' | 'unsupported_locale' | 'unsupported_currency' | 'idempotency_key_required' | 'idempotency_key_invalid' | 'quantity_invalid' | 'money_overflow' | 'address_invalid' | 'webhook_url_invalid' | 'unknown_event_type' | 'password_too_weak' | 'reset_token_invalid' | 'challenge_failed' | 'challenge_expired' | 'oauth_invalid_request' | 'oauth_invalid_grant' | 'oauth_unauthorized_client' | 'oauth_unsupported_grant_type' | 'oauth_unsupported_response_type' | 'oauth_unsupported_token_type' | 'oauth_invalid_scope' | 'oauth_invalid_target' | 'oauth_invalid_dpop_proof' | 'oauth_use_dpop_nonce' | 'credential_missing' | 'credential_malformed' | 'credential_invalid' | 'credential_expired' | 'credential_revoked' | 'dpop_proof_required' | 'invalid_dpop_proof' | 'use_dpop_nonce' | 'oauth_invalid_client' | 'insufficient_scope' | 'sender_constraint_required' | 'store_access_required' | 'installation_suspended' | 'capability_blocked' | 'not_found' | 'idempotency_key_reused' | 'idempotency_in_progress' | 'version_conflict' | 'cart_locked' | 'cart_converted' | 'cart_revoked' | 'cart_expired' | 'cart_empty' | 'cart_incomplete' | 'quote_expired' | 'quote_stale' | 'price_changed' | 'out_of_stock' | 'sku_unavailable' | 'quantity_exceeded' | 'currency_mismatch' | 'promotion_inapplicable' | 'session_not_cancelable' | 'session_expired' | 'payment_outcome_unknown' | 'order_not_cancelable' | 'cancellation_exists' | 'after_sales_ineligible' | 'after_sales_exists' | 'endpoint_limit_reached' | 'endpoint_disabled' | 'delivery_in_progress' | 'login_return_consumed' | 'challenge_used' | 'rate_limited' | 'quota_exceeded' | 'challenge_attempts_exceeded' | 'internal_error' | 'unavailable'
