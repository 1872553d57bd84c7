import type { OperatorLaunch } from '@vitrine/contract/operator'
import { useContext, useEffect, useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { Access, useOwnStore } from '../../page.ts'
import { Link } from '../../router.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { Icon } from '../../ui/icon.tsx'
import { Loading } from '../../ui/loading.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.tsx'
import { LAUNCH_STEPS, missingText } from './launch-steps.ts'

type Step = OperatorLaunch['steps'][number]

/** The key in the local storage that hides the checklist after it was completed or dismissed in this browser. */
const STORED = 'vitrine.launch'
const HIDDEN = 'hidden'
/** The number of next steps: more would push the sales out of view. */
const SHOWN = 3

/** The next steps of a new shop, until all are done or the list is dismissed. */
export function NextLaunchSteps() {
  const [isHidden, setHidden] = useState(localStorage.getItem(STORED) === HIDDEN)
  // The steps are about the marketplace, not about one store.
  const ofOneStore = useOwnStore() !== undefined
  return isHidden || ofOneStore ? null : <OpenSteps onHide={setHidden} />
}

function OpenSteps({ onHide }: { readonly onHide: (isHidden: boolean) => void }) {
  const { data, error, reload } = useCall('launch', () => call('getLaunch'))
  const hide = () => {
    localStorage.setItem(STORED, HIDDEN)
    onHide(true)
  }
  useEffect(() => {
    if (data?.isDone) hide()
  }, [data])
  const left = data?.steps.filter(({ isDone }) => !isDone) ?? []
  return (
    <Section
      title={translate('Before you sell')}
      actions={
        <>
          <Link to="/launch" class="button">
            {translate('All steps')}
          </Link>
          <button
            type="button"
            class="quiet"
            onClick={() => {
              hide()
              toast(translate('Checklist hidden. It is still under Settings.'), () => {
                localStorage.removeItem(STORED)
                onHide(false)
              })
            }}
          >
            {translate('Hide')}
          </button>
        </>
      }
    >
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      <div class="launch-next" aria-busy={data === null && !error}>
        {data ? (
          <>
            <Progress steps={data.steps} />
            <StepList steps={left.slice(0, SHOWN)} />
          </>
        ) : (
          !error && <Loading />
        )}
      </div>
    </Section>
  )
}

/** All steps from a new shop to the first sale, with their state. */
export function LaunchPage() {
  const { data, error, reload } = useCall('launch', () => call('getLaunch'))
  return (
    <Page
      title={translate('Launch checklist')}
      lead={translate(
        'What a shop needs before it can sell. Each step is checked against your data and completed automatically.',
      )}
      actions={
        <button type="button" onClick={reload}>
          {translate('Check again')}
        </button>
      }
    >
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {data && (
        <Section title={data.isDone ? translate('Ready to sell') : translate('Steps')}>
          <Progress steps={data.steps} />
          <StepList steps={data.steps} />
        </Section>
      )}
      {!data && !error && <Loading />}
    </Page>
  )
}

function Progress({ steps }: { readonly steps: readonly Step[] }) {
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <label class="launch-progress">
      <span>{translate('{done} of {count} steps done', { done, count: steps.length })}</span>
      <progress value={done} max={steps.length} />
    </label>
  )
}

function StepList({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <ol class="launch">
      {steps.map((step) => (
        <StepItem key={step.code} step={step} />
      ))}
    </ol>
  )
}

function StepItem({ step: { code, isDone, missing } }: { readonly step: Step }) {
  const session = useContext(Access)
  const { title, why, to, action, area } = LAUNCH_STEPS[code]
  const mayChange = session === null || session.access[area] === 'write'
  return (
    <li class={isDone ? 'launch-step done' : 'launch-step'}>
      <span class="mark">{isDone && <Icon name="check" />}</span>
      <div>
        <strong>{title}</strong>
        {isDone ? (
          <span class="hidden">{translate('Done')}</span>
        ) : (
          <>
            <p class="small">{why}</p>
            {missing.length > 0 && (
              <p class="small">{translate('Missing: {missing}', { missing: missingText(code, missing) })}</p>
            )}
          </>
        )}
      </div>
      {mayChange && !isDone && (
        <Link to={to} class="button">
          {action}
        </Link>
      )}
    </li>
  )
}
