import type { Static } from 'typebox'
import { LocaleTag } from '../../../schemas/common.ts'
import { closed, listOf } from '../../../schemas/primitives.ts'
import { ContactChannel } from '../../../schemas/storefront.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'

const tag = 'Site'
const auth = { kind: 'operator', area: 'settings' } as const
const { locale: _locale, ...channel } = ContactChannel.properties
const Channels = listOf(closed('A contact channel of the site.', channel), 100, 'The channels, in the order shown.')

export const OperatorContactList = operatorNamed(
  'OperatorContactList',
  closed('The channels in one language.', { locale: LocaleTag, channels: Channels }),
)
export type OperatorContactList = Static<typeof OperatorContactList>

export const contactRows = {
  listContactLists: operatorOperation({
    method: 'GET',
    path: '/operator/v1/contact-lists',
    tag,
    summary: 'List the contact channels of each language.',
    description: 'In the order shown.',
    auth,
    data: closed('The languages, by tag.', { items: listOf(OperatorContactList, 500, 'One list per language.') }),
    refusals: [],
  }),
  saveContactList: operatorOperation({
    method: 'PUT',
    path: '/operator/v1/contact-lists/{locale}',
    tag,
    summary: 'Save the contact channels of a language.',
    description: 'An empty list removes the language.',
    auth,
    params: closed('The language.', { locale: LocaleTag }),
    body: closed('The whole list.', { channels: Channels }),
    data: OperatorContactList,
    refusals: [],
  }),
}
