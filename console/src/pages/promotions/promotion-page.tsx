import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import type { PageProps } from '../../page.ts'
import { go, Link } from '../../router.tsx'
import { Form } from '../../ui/form/form.tsx'
import { inReadersLanguage } from '../../ui/form/localized-text.tsx'
import { StoreChoice } from '../../ui/form/store-select.tsx'
import { Count, Status, When } from '../../ui/format/values.tsx'
import { useAct } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { effectText } from './effect-text.ts'
import { RuleFields, rulesIn } from './rule-fields.tsx'

const back = { to: '/promotions', title: 'Promotions' }

/** One promotion: status, discount and conditions. */
export function PromotionPage({ params }: PageProps) {
  const promotionId = params.promotionId ?? ''
  const { answer, error, reload } = useCall(promotionId, () => call('getPromotion', { params: { promotionId } }))
  const { act, failed, busy } = useAct(reload)
  if (!answer) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading…</p>
  const { status, version, code, store, effect, usedLive, usageLimit, updatedAt } = answer
  const isActive = status === 'active'
  const toggle = () =>
    act(() =>
      call('updatePromotion', {
        params: { promotionId },
        body: { status: isActive ? 'paused' : 'active', expectedVersion: version },
      }),
    )
  return (
    <Page
      title={inReadersLanguage(answer.title)}
      back={back}
      actions={
        <>
          <button type="button" class={isActive ? '' : 'primary'} aria-disabled={busy} onClick={() => void toggle()}>
            {isActive ? 'Pause' : 'Activate'}
          </button>
          <Link to={`/audit-log?subject=${promotionId}`}>Audit log</Link>
        </>
      }
    >
      {failed ? <ErrorNotice error={failed} /> : null}
      <Section title="Overview">
        <Facts
          facts={[
            ['Status', <Status key="s" value={status} />],
            ['Discount', effectText(effect)],
            ['Code', code ?? 'None (automatic)'],
            ['Store', store ?? 'Marketplace'],
            [
              'Uses',
              <span key="u">
                <Count value={usedLive} />
                {usageLimit === null ? '' : ` of ${usageLimit}`}
              </span>,
            ],
            ['Updated', <When key="w" at={updatedAt} />],
          ]}
        />
      </Section>
      <Section title="Details">
        <Form
          key={version}
          submit="Save"
          onSubmit={async (fields) => {
            const body = { ...rulesIn(fields), expectedVersion: version }
            await call('updatePromotion', { params: { promotionId }, body })
            reload()
          }}
        >
          <RuleFields promotion={answer} />
        </Form>
      </Section>
    </Page>
  )
}

/** Creates a promotion. */
export function NewPromotionPage() {
  const [store, setStore] = useState('')
  return (
    <Page
      title="Create promotion"
      back={back}
      lead="The promotion is active from its start date. You can pause or test it at any time."
    >
      <Section title="Details">
        <Form
          submit="Create"
          onSubmit={async (fields) => {
            const made = await call('createPromotion', { body: { ...rulesIn(fields), ...(store && { store }) } })
            go(`/promotions/${made.id}`)
          }}
        >
          <StoreChoice value={store} onChange={setStore} none="Entire marketplace" label="Store" />
          <RuleFields />
        </Form>
      </Section>
    </Page>
  )
}
