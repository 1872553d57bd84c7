import type { OperatorSite, operatorOperations } from '@vitrine/contract/operator'
import {
  type ContactChannelInput,
  readContactChannels,
  readSiteSettings,
  type SiteSettings,
  saveContactChannels,
  saveSiteSettings,
} from '../../../features/storefront/index.ts'
import { refuseStale } from '../../../kernel/refusal.ts'
import { changedFields } from '../../door/changed-fields.ts'
import type { OperatorHandler } from '../../door/handler.ts'

type Rows = typeof operatorOperations

/** A site without a name of its own. */
const UNNAMED = { name: 'Vitrine', version: 0 } as const

/** GET /operator/v1/site */
const getSite: OperatorHandler<Rows['getSite']> = async (_input, { reader }) => {
  return presentSite(await readSiteSettings(reader))
}

/** PUT /operator/v1/site */
const saveSite: OperatorHandler<Rows['saveSite']> = async ({ body }, { tx, now, audit }) => {
  const { expectedVersion, ...settingsInput } = body
  const current = presentSite(await readSiteSettings(tx))
  refuseStale(current.version, expectedVersion)

  const settings = await saveSiteSettings(tx, settingsInput, now)
  // Another operator may have saved between the read and the write.
  if (expectedVersion !== undefined) refuseStale(settings.version - 1, expectedVersion)

  const saved = presentSite(settings)
  audit({ subject: { type: 'site', id: 'site' }, ...changedFields(settingsOf(current), settingsOf(saved)) })
  return saved
}

/** GET /operator/v1/contact-lists */
const listContactLists: OperatorHandler<Rows['listContactLists']> = async (_input, { reader }) => {
  const lists = await readContactChannels(reader)
  return { items: [...lists].map(([locale, channels]) => ({ locale, channels: [...channels] })) }
}

/** PUT /operator/v1/contact-lists/{locale} */
const saveContactList: OperatorHandler<Rows['saveContactList']> = async ({ params, body }, { tx, now, audit }) => {
  const { locale } = params
  const current = (await readContactChannels(tx)).get(locale) ?? []
  saveContactChannels(tx, { locale, channels: body.channels }, now)
  const gone = Object.fromEntries(current.map(({ id }) => [id, null]))
  const change = changedFields(channelsById(current), { ...gone, ...channelsById(body.channels) })
  audit({ subject: { type: 'contact', id: locale }, ...change })
  return { locale, channels: body.channels }
}

export const siteOperations = { getSite, saveSite, listContactLists, saveContactList }

/** Includes absent members as `null`, so that the audit log shows removed settings. */
function settingsOf({ name, logo, locales, currencies, countries }: OperatorSite): Readonly<Record<string, unknown>> {
  return {
    name,
    logo: logo ?? null,
    locales: locales ?? null,
    currencies: currencies ?? null,
    countries: countries ?? null,
  }
}

function presentSite(settings: SiteSettings | null): OperatorSite {
  if (!settings) return UNNAMED
  const { name, logo, locales, currencies, countries, version, updated_at } = settings
  return {
    name,
    ...(logo && { logo }),
    ...(locales && { locales: [...locales] }),
    ...(currencies && { currencies: [...currencies] }),
    ...(countries && { countries: [...countries] }),
    version,
    updatedAt: updated_at.toISOString(),
  }
}

function channelsById(channels: readonly ContactChannelInput[]): Readonly<Record<string, ContactChannelInput>> {
  return Object.fromEntries(channels.map((channel) => [channel.id, channel]))
}
