import type { Address } from '@vitrine/contract'
import type { OperatorOrder } from '@vitrine/contract/operator'
import { translate } from '../../language.ts'
import { useMay } from '../../may.ts'
import { Link } from '../../router.tsx'
import { CopyButton } from '../../ui/form/copy-button.tsx'
import { countryName } from '../../ui/format/display-names.ts'
import { Amount, DateTime } from '../../ui/format/values.tsx'
import { DescriptionList, Section } from '../../ui/page.tsx'

/** The server counts no further. */
const COUNT_MAX = 1000

/** The buyer: name, contact, addresses, and the number of their orders. */
export function OrderCustomer({ order: shown }: { readonly order: OperatorOrder }) {
  const { order, email, ordersOfBuyer, vatCheck } = shown
  const { shipping, billing } = order.addresses
  const isSame = !billing || JSON.stringify(billing) === JSON.stringify(shipping)
  const name = (shipping ?? billing)?.recipientName
  const { id, phone } = order.customer
  const may = useMay()
  return (
    <Section
      title={translate('Customer')}
      actions={id && may('getCustomer') && <Link to={`/customers/${id}`}>{translate('View customer')}</Link>}
    >
      <div class="customer">
        {name && <strong>{name}</strong>}
        <a href={`mailto:${email}`}>{email}</a>
        {phone && <a href={`tel:${phone}`}>{phone}</a>}
        <Link to={`/orders?q=${encodeURIComponent(email)}`}>{ordersText(ordersOfBuyer)}</Link>
      </div>
      <DescriptionList
        items={[
          [translate('Shipping address'), <AddressLines key="s" address={shipping} />],
          [
            translate('Billing address'),
            isSame ? translate('Same as shipping address') : <AddressLines key="b" address={billing} />,
          ],
        ]}
      />
      {shipping && (
        <p>
          <CopyButton text={addressLinesOf(shipping).join('\n')} label={translate('Copy address')} />
        </p>
      )}
      <VatCheck check={vatCheck} />
    </Section>
  )
}

function ordersText(count: number): string {
  if (count === 1) return translate('First order')
  return count >= COUNT_MAX
    ? translate('{max} orders or more', { max: COUNT_MAX })
    : translate('{count} orders', { count })
}

/** The shipping methods that the customer chose, with their prices. */
export function OrderShipping({ order: { order, stores } }: { readonly order: OperatorOrder }) {
  const nameOf = new Map(stores.map(({ id, name }) => [id, name]))
  if (order.shipping.length === 0) return null
  return (
    <Section title={translate('Shipping')}>
      <ul class="plain">
        {order.shipping.map(({ storeId, optionId, name, total }) => (
          <li key={storeId}>
            <p>
              <strong>{name ?? optionId}</strong>, {total.amount === 0 ? translate('Free') : <Amount {...total} />}{' '}
              {stores.length > 1 && <span class="small">{nameOf.get(storeId)}</span>}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const VAT_OUTCOMES: Readonly<Record<NonNullable<OperatorOrder['vatCheck']>['outcome'], string>> = {
  valid: translate('Registered'),
  invalid: translate('Not registered: taxed as a consumer'),
  unanswered: translate('The registry did not answer: accepted by format and check digits'),
}

/** The result of the check of the buyer's VAT number when the order was placed. */
function VatCheck({ check }: { readonly check: OperatorOrder['vatCheck'] }) {
  if (!check) return null
  const { vatId, outcome, name, address, consultationNumber, checkedAt } = check
  return (
    <DescriptionList
      items={[
        [translate('VAT number'), <code key="v">{vatId}</code>],
        ['VIES', VAT_OUTCOMES[outcome]],
        [translate('Checked'), <DateTime key="c" at={checkedAt} />],
        [translate('Registered name'), name ?? translate('Not disclosed')],
        [translate('Registered address'), address ?? translate('Not disclosed')],
        [translate('Consultation number'), consultationNumber ?? translate('None')],
      ]}
    />
  )
}

/** The lines of an address as on a shipping label. */
export function addressLinesOf(address: Address, country = countryName(address.countryCode)): readonly string[] {
  const { recipientName, company, line1, line2, line3, dependentLocality, postalCode, city, region } = address
  return [
    recipientName,
    company,
    line1,
    line2,
    line3,
    dependentLocality,
    [postalCode, city].filter(Boolean).join(' '),
    [region, country].filter(Boolean).join(', '),
  ].filter((line): line is string => Boolean(line))
}

function AddressLines({ address }: { readonly address: Address | undefined }) {
  if (!address) return <>{translate('None')}</>
  const more = [address.phone, address.vatId && translate('VAT number {vatId}', { vatId: address.vatId })].filter(
    (line) => line !== undefined,
  )
  return <TextLines lines={[...addressLinesOf(address), ...more]} />
}

/** Lines of a postal address. */
export function TextLines({ lines }: { readonly lines: readonly (string | undefined)[] }) {
  return (
    <address>
      {lines.map((line, index) => (
        <span key={`${line}${index}`}>
          {line}
          <br />
        </span>
      ))}
    </address>
  )
}
