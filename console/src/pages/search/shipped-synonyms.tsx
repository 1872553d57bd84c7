import type { OperatorSearchPreview, OperatorShippedSynonyms } from '@vitrine/contract/operator'
import { useRef, useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { language as ownLanguage, translate } from '../../language.ts'
import { Allowed, Editable } from '../../ui/form/editable.tsx'
import { Select } from '../../ui/form/form.tsx'
import { languageName } from '../../ui/format/display-names.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'

type Shipped = OperatorShippedSynonyms

const textOf = ({ words }: Shipped) => words.join(' = ')
const nameOf = ({ language, words }: Shipped) => ({ language, word: words[0]! })
export const keyOfShipped = ({ language, words }: Shipped) => `${language} ${words[0]}`

/** The synonyms that ship with Vitrine, each with a switch. */
export function ShippedSynonyms() {
  const { data, error, reload } = useCall('shipped', () => call('listShippedSynonyms', {}))
  const [language, setLanguage] = useState<string>(ownLanguage)
  const [turned, setTurned] = useState<Readonly<Record<string, boolean>>>({})
  const [turnError, setTurnError] = useState<unknown>(null)
  const sent = useRef<Promise<unknown>>(Promise.resolve())
  const all = data?.items ?? []
  const languages = [...new Set(all.map((each) => each.language))].sort()
  const items = all.filter((each) => each.language === language)
  const isOn = (each: Shipped) => turned[keyOfShipped(each)] ?? each.on
  // Shown immediately and sent one after the other, so that the last change of a switch wins.
  const turn = (on: boolean, some: readonly Shipped[]) => {
    setTurnError(null)
    setTurned((before) => ({ ...before, ...Object.fromEntries(some.map((each) => [keyOfShipped(each), on])) }))
    sent.current = sent.current
      .then(() => call('switchShippedSynonyms', { body: { on, names: some.map(nameOf) } }))
      .catch((thrown) => {
        setTurnError(thrown)
        setTurned({})
        reload()
      })
  }
  return (
    <Section title={translate('Shipped with Vitrine')}>
      {turnError || error ? <ErrorNotice error={turnError ?? error} /> : null}
      <div class="filters">
        <Select
          name="shipped-language"
          label={translate('Language')}
          value={language}
          onChange={setLanguage}
          options={languages.map((each) => [each, languageName(each)] as const)}
        />
        <Allowed by="switchShippedSynonyms">
          <button type="button" disabled={!items.some(isOn)} onClick={() => turn(false, items)}>
            {translate('Switch all off')}
          </button>
        </Allowed>
        <Allowed by="switchShippedSynonyms">
          <button type="button" disabled={items.every(isOn)} onClick={() => turn(true, items)}>
            {translate('Switch all on')}
          </button>
        </Allowed>
      </div>
      <Editable by="switchShippedSynonyms">
        <ul class="switches" aria-label={translate('Shipped synonyms')}>
          {items.map((each) => (
            <li key={keyOfShipped(each)}>
              <label class="check">
                <input type="checkbox" checked={isOn(each)} onChange={() => turn(!isOn(each), [each])} />
                <span lang={language}>{textOf(each)}</span>
              </label>
            </li>
          ))}
        </ul>
      </Editable>
    </Section>
  )
}

interface ShippedOfQueryProps {
  readonly shipped: OperatorSearchPreview['shipped']
  readonly onSwitch: (synonyms: Shipped) => void
}

/** The shipped synonyms that apply to the query. In the editor, a switch is previewed before it is saved. */
export function ShippedOfQuery({ shipped, onSwitch }: ShippedOfQueryProps) {
  if (shipped.length === 0) return null
  return (
    <Section title={translate('Shipped synonyms')}>
      <p class="small">{translate('They apply to every query with one of their words.')}</p>
      {shipped.map((each) => (
        <p key={keyOfShipped(each)} class="actions">
          <strong>{textOf(each)}</strong>
          <span class="small">{each.on ? translate('Used') : translate('Switched off')}</span>
          <button type="button" id={`shipped-${keyOfShipped(each)}`} onClick={() => onSwitch(each)}>
            {each.on ? translate('Switch off') : translate('Switch on')}
            <span class="hidden"> {textOf(each)}</span>
          </button>
        </p>
      ))}
    </Section>
  )
}
