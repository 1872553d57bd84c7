import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { siteOf } from '../../../../../test/support/pages/site.ts'
import { refuses } from '../../../../../test/support/refuses.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'
import type { ContactChannelInput } from '../index.ts'

let world: World
let site: ReturnType<typeof siteOf>
before(async () => {
  world = await startWorld()
  site = siteOf(world)
})

const path = '/api/v1/public/contact'
const mail: ContactChannelInput = {
  id: 'mail',
  type: 'email',
  label: 'Help',
  value: 'help@example.com',
  languages: ['en'],
}
const phone: ContactChannelInput = {
  id: 'phone',
  type: 'phone',
  label: 'Call',
  value: '+4930',
  url: 'tel:+4930',
  languages: ['en'],
}

describe('listContactChannels', () => {
  test('200 with an empty list by default', async () => {
    assert.deepEqual((await world.anonymous.get(path)).body, { data: [] })
  })

  test('200 returns the channels in order, in the best matching language', async () => {
    await site.contact('en', [phone, mail])
    await site.contact('de', [{ ...mail, label: 'Hilfe' }])

    const { body } = await world.anonymous.get(path)
    assert.deepEqual(body.data, [
      { ...phone, locale: 'en' },
      { ...mail, locale: 'en' },
    ])
    const { body: german } = await world.anonymous.get(`${path}?locale=de-CH`)
    assert.deepEqual(german.data, [{ ...mail, label: 'Hilfe', locale: 'de' }])
  })

  test('200 in the site’s default language if none matches', async () => {
    await site.settings({ name: 'Markt', locales: ['de', 'en'] })
    const { body } = await world.anonymous.get(`${path}?locale=ja`)
    assert.equal(body.data[0].locale, 'de')
  })

  test('200 reflects changes at once, without a language whose list is empty', async () => {
    await site.contact('de', [])
    const { body } = await world.anonymous.get(`${path}?locale=de`)
    assert.equal(body.data[0].locale, 'en')
  })

  test('a link that runs a script and duplicate ids are refused', async () => {
    const script = { ...mail, url: 'javascript:alert(1)' }
    const link = await refuses('validation_failed', () => site.contact('en', [script]))
    assert.equal(link.facts.details?.[0]?.pointer, '/channels/0/url')
    const twins = await refuses('validation_failed', () => site.contact('en', [mail, mail]))
    assert.equal(twins.facts.faults?.[0]?.field, 'channels/1/id')
  })
})
